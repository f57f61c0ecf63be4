// The functions of the package over its Wasm. `index.mjs` and `node.mjs` say where the Wasm is found.
import start, { initSync as startSync, __wbg_reset_state as restart } from './glue.js';
import { analyse_control, derive_controls, lint as lint_, parse_record, reserve, score as score_ } from './glue.js';
import { ArgumentError, InitError, InputError, InternalError, OknError, QueryError } from './errors.mjs';
import { content, data, list, maybeTable, object, options, room, table, tableOrWord, tables } from './plain.mjs';

/** The classes of the faults that the Wasm reports. */
const FAULTS = { argument: ArgumentError, input: InputError, query: QueryError };

let starting;
let ready = false;
// Whether a call has not come back: then the instance may be in any state.
let broken = false;

/** Loads the Wasm from whatever it is given as; a second call waits for the first. */
export function begin(source, read) {
  starting ??= compile(source, read)
    .then((module) => start({ module_or_path: module }))
    .then(() => { ready = true; })
    .catch((error) => {
      starting = undefined;
      throw error instanceof OknError ? error : new InitError({
        message: `the Wasm could not be loaded: ${words(error)}`,
        remedy: 'give it to `init` as bytes, Response, URL or WebAssembly.Module',
      }, { cause: error });
    });
  return starting;
}

/** Loads the Wasm at once, from bytes or a compiled module. */
export function initSync(source) {
  if (ready) return;
  const module = unwrapped(source);
  try {
    startSync({ module: module instanceof WebAssembly.Module ? module : new WebAssembly.Module(bytes(module)) });
  } catch (error) {
    throw error instanceof OknError ? error : new InitError({ message: `the Wasm could not be loaded: ${words(error)}` }, { cause: error });
  }
  ready = true;
  starting = Promise.resolve();
}

async function compile(given, read) {
  let source = unwrapped(await given);
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) source = await read(source);
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new InitError({ message: `the Wasm could not be loaded: ${source.url} answered ${source.status}` });
    const streams = source.headers.get('content-type')?.startsWith('application/wasm') && WebAssembly.compileStreaming;
    if (streams) return WebAssembly.compileStreaming(source);
    source = await source.arrayBuffer();
  }
  return WebAssembly.compile(bytes(source));
}

/** `import()` of a Wasm file gives a namespace whose default is the module, or its address, or its bytes. */
const unwrapped = (source) => (Object.prototype.toString.call(source) === '[object Module]' ? source.default : source);

function bytes(source) {
  if (typeof source === 'string') {
    throw new InitError({ message: 'an address takes time to load', remedy: 'use `await init(address)`' });
  }
  return content(source, 'source');
}

/** Bytes for which memory is made at once, and the most that is. */
const LARGE = 1 << 22;
const MOST = 1 << 30;

/** Calls into Wasm with arguments that are plain data; whatever is thrown is one of the package's errors. */
function call(run, prepare) {
  if (!ready) throw new InitError({ message: 'the Wasm is not loaded', remedy: 'call `await init()` first' });
  let given;
  try {
    given = prepare();
  } catch (error) {
    throw error instanceof OknError ? error : new ArgumentError({ message: `an argument cannot be read: ${words(error)}` }, { cause: error });
  }
  if (broken) mend();
  broken = true;
  try {
    const bytes = room(given);
    if (bytes > LARGE) reserve(Math.min(bytes, MOST));
    const result = run(...given);
    broken = false;
    return result;
  } catch (error) {
    if (Object.hasOwn(FAULTS, error?.kind)) {
      broken = false;
      throw new FAULTS[error.kind](error);
    }
    // The next call starts over: there may be no room here to do it.
    throw new InternalError({
      message: `the Wasm gave up: ${words(error)}`,
      remedy: 'the next call starts afresh; where the input is not extraordinarily large, this is a defect',
    }, { cause: error });
  }
}

function mend() {
  try {
    restart();
  } catch (error) {
    // It stays broken, and the next call tries again: perhaps with more room.
    throw new InternalError({ message: `the Wasm could not be started again: ${words(error)}` }, { cause: error });
  }
  broken = false;
}

function words(error) {
  try {
    return error instanceof Error ? `${error.message}` : typeof error;
  } catch {
    return 'an error that cannot be shown';
  }
}

const TWIN = { file: data, source: content };
const twin = (value, where) => (value === null ? null : object(value, TWIN, where));

const PARSE = { file: data };
const LINT = { file: data, twin, labels: data, facts: data };
const SCORE = {
  answer_file: data, order: list, ordered: data, accept_ties: data, uncut: maybeTable, tie_pool: maybeTable,
  mapping: list, max_diff_rows: data,
};
const GROUNDS = {
  keywords: list, roots: list, hierarchy: tables, key_classes: tableOrWord, control_classes: tableOrWord,
};
const grounds = (value, where) => (value === null ? null : object(value, GROUNDS, where));
const ANALYSIS = { uncut: maybeTable, identity: data, order: list, walks_hierarchy: data, grounds };
const DERIVE = { file: data, keywords: list, name: data, identity: data };

/** The name that a caller gives to a file, to say in errors which one is meant. */
const named = (given, field = 'file') => (typeof given === 'object' && given !== null ? given[field] : undefined);

export const parseRecord = (source, given) =>
  call(parse_record, () => [content(source, 'source', named(given)), options(given, PARSE)]);

export const lint = (source, given) =>
  call(lint_, () => [content(source, 'source', named(given)), options(given, LINT)]);

export const score = (key, answer, given) =>
  call(score_, () => [table(key, 'key'), content(answer, 'answer', named(given, 'answer_file')), options(given, SCORE)]);

export const analyseControl = (key, control, given) =>
  call(analyse_control, () => [table(key, 'key'), table(control, 'control'), options(given, ANALYSIS)]);

export const deriveControls = (source, given) =>
  call(derive_controls, () => [content(source, 'source', named(given)), options(given, DERIVE)]);

export { ArgumentError, InitError, InputError, InternalError, OknError, QueryError };
