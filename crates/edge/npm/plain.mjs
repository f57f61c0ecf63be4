// Copies of what callers give, as plain data: Wasm code never meets a getter that throws, a proxy or a bottomless object.
import { ArgumentError, InputError } from './errors.mjs';

/** Nothing that a function takes is nested deeper than labels are: an object of objects of lists. */
const DEEPEST = 8;

const wrong = (where, wanted, found) => new ArgumentError({
  message: `${where}: expected ${wanted}, found ${kind(found)}`,
  remedy: 'the package\'s types say what each argument may be',
});

function kind(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'undefined' ? type : `${'aeiou'.includes(type[0]) ? 'an' : 'a'} ${type}`;
}

/** Half of a surrogate pair: a whole one is one character to a pattern that knows Unicode. */
const SURROGATE = /\p{Surrogate}/u;

/** Half of a surrogate pair is no text: it would become another character on its way into Wasm. */
function checked(text, where, file) {
  const at = text.search(SURROGATE);
  if (at < 0) return text;
  const lines = text.slice(0, at).split(/\r\n|[\n\r]/);
  throw new InputError({
    message: `half of a surrogate pair (U+${text.charCodeAt(at).toString(16).toUpperCase()}) is not text`,
    file: typeof file === 'string' && file !== text ? file : where,
    line: lines.length,
    column: Array.from(lines.at(-1)).length + 1,
    remedy: 'read the file as bytes and give those, or find out where its text was cut',
  });
}

/** A file's content: text, or bytes. */
export function content(value, where, file) {
  if (typeof value === 'string') return checked(value, where, file);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]') return new Uint8Array(value);
  throw wrong(where, 'text or bytes', value);
}

/** An object's fields, each copied by the function that `fields` has for it. What is absent stays absent. */
export function object(value, fields, where, wanted = 'an object') {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong(where, wanted, value);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    throw new ArgumentError({
      message: `${where}: there is no \`${unknown}\``,
      remedy: `it may have ${Object.keys(fields).join(', ')}`,
    });
  }
  const found = Object.entries(fields).map(([name, copy]) => [name, copy, value[name]]);
  const file = found.find(([name]) => name === 'file')?.[2];
  const present = found.filter(([, , field]) => field !== undefined);
  return Object.fromEntries(present.map(([name, copy, field]) => [name, copy(field, `${where}.${name}`, file)]));
}

/** Options, which may be left out. */
export const options = (value, fields) => (value === undefined || value === null ? {} : object(value, fields, 'options'));

/** Text, lists and objects of such. */
export function data(value, where, file, depth = 0) {
  if (typeof value === 'string') return checked(value, where, file);
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || value === undefined) return value;
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) throw wrong(where, 'plain data', value);
  if (depth >= DEEPEST) throw wrong(where, `data that is nested no deeper than ${DEEPEST}`, value);
  if (Array.isArray(value)) return Array.from(value, (item, index) => data(item, `${where}[${index}]`, file, depth + 1));
  const fields = Object.keys(value).map((key) => [key, data(value[key], `${where}.${key}`, file, depth + 1)]);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

/** About how much memory work on this takes: as measured, six times a table's text, three times one with marks around each cell. */
export function room(given) {
  if (typeof given === 'string') return given.length * (/^\s*[{<]/.test(given) ? 3 : 6);
  if (given instanceof Uint8Array) return given.length * (given[0] === 0x7b || given[0] === 0x3c ? 3 : 6);
  if (given === null || typeof given !== 'object') return 0;
  return Object.values(given).reduce((bytes, part) => bytes + room(part), 0);
}

/** A list of plain data. */
export function list(value, where) {
  // Text can be iterated too, letter by letter.
  if (value !== null && !Array.isArray(value)) throw wrong(where, 'an array', value);
  return data(value, where);
}

const TABLE = { text: content, format: data, file: data };
const WANTED = 'SPARQL results, or {text, format}';
const encoder = new TextEncoder();

/** What a cell is, by the type of its term; a literal's datatype is counted from there. */
const LITERAL = 3;
const KINDS = new Map([['uri', 1], ['bnode', 2], ['literal', LITERAL], ['typed-literal', LITERAL]]);
const MOST_DATATYPES = 200;

/**
 * Parsed results with the texts of their cells in one: written as JSON they are three times as long, and read twice.
 * `null` where anything is out of the ordinary, for the reader of JSON to say what it is.
 */
function packed(head, results) {
  const vars = head?.vars;
  const bindings = results?.bindings;
  if (!Array.isArray(vars) || !Array.isArray(bindings) || vars.length === 0) return null;
  const columns = Array.from(vars);
  const places = new Map(columns.map((name, place) => [name, place]));
  if (places.size !== columns.length || !columns.every((name) => typeof name === 'string')) return null;
  const rows = Array.from(bindings);
  const texts = new Array(rows.length * columns.length).fill('');
  const kinds = new Uint8Array(texts.length);
  const lengths = new Uint32Array(texts.length);
  const datatypes = new Map();
  for (const [number, row] of rows.entries()) {
    if (row === null || typeof row !== 'object' || Array.isArray(row)) return null;
    for (const name of Object.keys(row)) {
      const term = row[name];
      if (term === undefined) continue;
      const place = places.get(name);
      if (place === undefined || term === null || typeof term !== 'object') return null;
      const { type, value, datatype } = term;
      const typed = datatype ?? null;
      let kind = KINDS.get(type);
      if (kind === undefined || typeof value !== 'string' || (typed !== null && typeof typed !== 'string')) return null;
      if (kind === LITERAL && typed !== null) {
        if (!datatypes.has(typed)) datatypes.set(typed, datatypes.size + 1);
        kind += datatypes.get(typed);
      }
      const cell = number * columns.length + place;
      texts[cell] = value;
      kinds[cell] = kind;
      lengths[cell] = value.length;
    }
    if (datatypes.size > MOST_DATATYPES) return null;
  }
  // What is between them keeps two halves of a surrogate pair apart.
  const names = [...columns, ...datatypes.keys()];
  const text = texts.join('\n');
  if (SURROGATE.test(text) || names.some((name) => SURROGATE.test(name))) return null;
  return {
    text: encoder.encode(text),
    packed: { columns, kinds, lengths: new Uint8Array(lengths.buffer), datatypes: [...datatypes.keys()] },
  };
}

/** A table: the results of an endpoint as they were parsed, or text with its format. */
export function table(value, where) {
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && 'head' in value) {
    const { head, results, boolean } = value;
    return packed(head, results) ?? { text: JSON.stringify({ head, results, boolean }), format: 'sparql-json' };
  }
  return object(value, TABLE, where, WANTED);
}

/** A table that may be `null`. */
export const maybeTable = (value, where) => (value === null ? null : table(value, where));

/** A list of tables. */
export function tables(value, where) {
  if (!Array.isArray(value)) throw wrong(where, 'a list of tables', value);
  return Array.from(value, (item, index) => table(item, `${where}[${index}]`));
}

/** A table, or a word for one. */
export const tableOrWord = (value, where) => (typeof value === 'string' ? data(value, where) : maybeTable(value, where));
