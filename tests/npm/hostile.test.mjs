// Whatever a caller gives: a result, or one of the package's errors; and the next call works.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { canonical } from './cases.mjs';
import { installed, run, stranger } from './stranger.mjs';

const okn = await installed();

test('before init every function says what to do', () => {
  for (const name of ['parseRecord', 'lint', 'score', 'analyseControl', 'deriveControls']) {
    assert.throws(() => okn[name]('', ''), (error) => error instanceof okn.InitError && /await init/.test(error.remedy), name);
  }
});

test('what is no Wasm is refused, and init may be called again', async () => {
  const wrong = [
    1, {}, [], Symbol('wasm'), 'no such file.wasm', new URL('file:///no/such/file.wasm'), new Uint8Array(9), new ArrayBuffer(0),
    () => Promise.reject(new Error('gone')), new Response('nothing', { status: 404 }), new Response('no Wasm'), { default: 3 },
  ];
  for (const source of wrong) await assert.rejects(okn.init(typeof source === 'function' ? source() : source), okn.OknError);
  for (const source of [1, null, undefined, 'https://example.org', new Uint8Array(4)]) assert.throws(() => okn.initSync(source), okn.OknError);
  await Promise.all([okn.init(), okn.init(), okn.init(new Uint8Array(4))]);
  await okn.init();
});

const key = { format: 'csv', text: 'c,n\nhttp://e/1,9\nhttp://e/2,5\n' };
const control = { format: 'csv', text: 'c,n\nhttp://e/2,5\nhttp://e/3,1\n' };
const query = 'PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> SELECT ?c { ?c rdfs:subClassOf* <http://e/heart> } LIMIT 3';
/** All five functions on good input, as one text. */
const canary = () => canonical([
  okn.parseRecord(query), okn.lint(query), okn.score(key, control.text), okn.analyseControl(key, control),
  okn.deriveControls(query, { keywords: ['cardio'] }),
]);
let well;

/** Calls, and gives the error if there is one: which must be one of the package's, and harm nothing. */
function outcome(call) {
  let error = null;
  let result;
  try {
    result = call();
  } catch (thrown) {
    error = thrown;
  }
  if (error === null) {
    // A result is JSON.
    assert.equal(canonical(JSON.parse(JSON.stringify(result))), canonical(result));
    return null;
  }
  assert.ok(error instanceof okn.OknError && error instanceof Error, `${error?.stack ?? String(error)}`);
  assert.ok(!(error instanceof okn.InternalError), error.cause?.stack);
  assert.ok(error.message.length > 0 && error.remedy !== '');
  for (const place of [error.line, error.column]) assert.ok(place === null || (Number.isInteger(place) && place >= 1), `${place}`);
  assert.equal(error.file === null, error.line === null);
  well ??= canary();
  assert.equal(canary(), well);
  return error;
}

/** Every function with something in every place where it takes something. */
const calls = (what) => [
  () => okn.parseRecord(what), () => okn.parseRecord('', what), () => okn.parseRecord('', { file: what }),
  () => okn.lint(what), () => okn.lint('', what), () => okn.lint('', { labels: what }), () => okn.lint('', { facts: what }),
  () => okn.lint('', { twin: what }), () => okn.lint('', { twin: { file: what, source: what } }), () => okn.lint('', { labels: { a: what } }),
  () => okn.score(what, ''), () => okn.score(key, what), () => okn.score(key, '', what), () => okn.score({ text: what, format: 'csv' }, ''),
  () => okn.score({ text: '', format: what }, ''), () => okn.score({ head: what, results: what }, ''), () => okn.score({ head: {}, boolean: what }, ''),
  () => okn.score({ head: { vars: ['x'] }, results: { bindings: [{ x: what }, what] } }, ''),
  ...['answer_file', 'order', 'ordered', 'accept_ties', 'uncut', 'tie_pool', 'mapping', 'max_diff_rows']
    .map((name) => () => okn.score(key, control.text, { [name]: what })),
  () => okn.score(key, '', { order: [what] }), () => okn.score(key, '', { order: [{ column: what, descending: what }] }), () => okn.score(key, '', { mapping: [what, what] }),
  () => okn.analyseControl(what, control), () => okn.analyseControl(key, what), () => okn.analyseControl(key, control, what),
  ...['uncut', 'identity', 'order', 'walks_hierarchy', 'grounds'].map((name) => () => okn.analyseControl(key, control, { [name]: what })),
  ...['keywords', 'roots', 'hierarchy', 'key_classes', 'control_classes']
    .map((name) => () => okn.analyseControl(key, control, { grounds: { [name]: what } })),
  () => okn.analyseControl(key, control, { grounds: { keywords: [what], roots: [what], hierarchy: [what] } }),
  () => okn.deriveControls(what), () => okn.deriveControls(query, what),
  ...['file', 'keywords', 'name', 'identity'].map((name) => () => okn.deriveControls(query, { [name]: what })),
  () => okn.deriveControls(query, { keywords: ['a', what], name: { graph: what, predicate: what } }),
];

function detached() {
  const buffer = new ArrayBuffer(8);
  structuredClone(buffer, { transfer: [buffer] });
  return buffer;
}
const throwing = () => { throw new Error('a trap for the reader'); };
const unshowable = { toString: throwing, get message() { return throwing(); } };
let bottomless = [];
for (let depth = 0; depth < 200_000; depth += 1) bottomless = depth % 2 ? [bottomless] : { a: bottomless };
const cyclic = { text: '', format: 'csv' };
cyclic.head = cyclic;

const WRONG = {
  undefined, null: null, true: true, zero: 0, 'minus one': -1, half: 0.5, NaN: NaN, infinity: Infinity, huge: 2 ** 60, bigint: 10n ** 30n,
  empty: '', word: 'rows', symbol: Symbol('s'), function: () => 1, class: class { static text = ''; }, date: new Date(NaN), map: new Map([['file', 1]]),
  set: new Set([1]), regexp: /x/, array: [], sparse: [, 1], holes: new Array(5), error: new Error('e'), promise: Promise.resolve(), boxed: Object('x'),
  'null prototype': Object.assign(Object.create(null), { text: 'x', format: 'csv' }), 'own __proto__': JSON.parse('{"__proto__": {"text": 1}}'),
  'a getter that throws': { get text() { return throwing(); }, get file() { return throwing(); } },
  'a getter that throws what cannot be shown': { get text() { throw unshowable; }, get file() { throw unshowable; } },
  'a proxy': new Proxy({}, { get: throwing, ownKeys: throwing, has: throwing }), 'a revoked proxy': (() => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; })(),
  'a proxy of bytes': new Proxy(new Uint8Array(3), {}), 'toJSON that throws': { head: { toJSON: throwing } }, cyclic, bottomless,
  'a detached buffer': detached(), 'a view of words': new Uint16Array([1, 2]), 'a data view': new DataView(new ArrayBuffer(4)), 'shared bytes': new SharedArrayBuffer(4),
  'half a pair': 'a\n\ud800b', 'half a pair in an object': { file: '\udc00', text: '\udc00' }, zeros: '\0\0\0', 'byte order mark': '\ufeff',
  'many fields': Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index])), 'a long list': Array(100_000).fill(0),
};

test('wrong arguments in every place', async () => {
  await okn.init();
  well = canary();
  for (const [name, what] of Object.entries(WRONG)) {
    for (const call of calls(what)) {
      try {
        outcome(call);
      } catch (error) {
        throw new Error(`${name}: ${call}`, { cause: error });
      }
    }
  }
});

test('half a surrogate pair is refused where it stands', async () => {
  await okn.init();
  const at = (error) => [error?.constructor, error?.file, error?.line, error?.column];
  assert.deepEqual(at(outcome(() => okn.parseRecord('ab\r\nü\ud800', { file: 'a.rq' }))), [okn.InputError, 'a.rq', 2, 2]);
  assert.deepEqual(at(outcome(() => okn.score(key, '😀\udc00'))), [okn.InputError, 'answer', 1, 2]);
  assert.deepEqual(at(outcome(() => okn.score({ text: '\ud800', file: 'k.csv' }, ''))), [okn.InputError, 'k.csv', 1, 1]);
  assert.equal(outcome(() => okn.parseRecord('😀')), null);
});

test('a field that is undefined is a field that is absent', async () => {
  await okn.init();
  const order = [{ column: 'n', descending: undefined }];
  const given = { order, ordered: undefined, uncut: undefined, mapping: undefined, max_diff_rows: undefined };
  assert.equal(canonical(okn.score(key, control.text, given)), canonical(okn.score(key, control.text, { order: [{ column: 'n' }] })));
  assert.equal(canonical(okn.lint(query, { facts: { rows: undefined } })), canonical(okn.lint(query)));
});

test('large and deep input', async () => {
  await okn.init();
  well ??= canary();
  const garbage = new Uint8Array(10_000_000);
  let seed = 1;
  for (let index = 0; index < garbage.length; index += 1) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    garbage[index] = seed >> 16;
  }
  const deep = (open, close = '') => open.repeat(100_000) + close.repeat(100_000);
  const inputs = [
    garbage, 'x'.repeat(10_000_000), '"'.repeat(1_000_000), ',\n'.repeat(1_000_000), '#+ a: [\n'.repeat(100_000), deep('{', '}'), deep('['), deep('('),
    `SELECT * { ${deep('{ ', ' }')} }`, `ASK { FILTER(${deep('(', ')')}) }`, `ASK { ?s ${deep('!', '')} ?o }`, `{"head": ${deep('[', ']')}}`,
    `{"head": {"vars": ["x"]}, "results": {"bindings": ${deep('[{"x":')}`, `<sparql>${deep('<a>')}`, `#+ summary: ${deep('[')}\nASK {}`,
  ];
  for (const input of inputs) {
    outcome(() => okn.parseRecord(input));
    outcome(() => okn.lint(input));
    outcome(() => okn.deriveControls(input));
    outcome(() => okn.score(key, input));
    for (const format of ['csv', 'tsv', 'sparql-json', 'sparql-xml']) {
      outcome(() => okn.score({ text: input, format }, 'x\n1\n', { max_diff_rows: 5 }));
    }
  }
  outcome(() => okn.analyseControl({ text: garbage, format: 'csv' }, { text: garbage, format: 'tsv' }));
  assert.equal(canary(), well);
});

test('a call that runs out of stack leaves the next one working', async () => {
  await okn.init();
  well ??= canary();
  let met = 0;
  const dive = () => {
    try {
      dive();
    } catch {
      // Here there is little stack left: this fails in JavaScript, in Wasm, or not at all.
      try {
        okn.lint(query);
      } catch (error) {
        met += error instanceof Error ? 1 : 0;
        throw error;
      }
    }
  };
  for (let times = 0; times < 20; times += 1) {
    try {
      dive();
    } catch {
      // As it should be.
    }
    assert.equal(canary(), well);
  }
  assert.ok(met > 0, 'the stack was never short');
});

test('an instance that ran out of memory starts afresh', async () => {
  await okn.init();
  // In a process of its own, which gives Wasm little memory.
  const script = `
    import { init, parseRecord, score, InternalError } from 'okn-benchmark';
    await init();
    const before = JSON.stringify(parseRecord('ASK {}'));
    let gaveUp = 0;
    for (let round = 0; round < 3; round += 1) {
      try { parseRecord(new Uint8Array(20_000_000)); } catch (error) { if (!(error instanceof InternalError)) throw error; gaveUp += 1; }
      if (JSON.stringify(parseRecord('ASK {}')) !== before) throw new Error('the next call differs');
    }
    console.log(gaveUp);`;
  const folder = await stranger();
  const { stdout } = await run('node', ['--wasm-max-mem-pages=400', '--input-type=module', '-e', script], folder);
  assert.equal(stdout.trim(), '3');
});

/** Terms as endpoints send them, and as none should. */
const word = fc.oneof(fc.string(), fc.constantFrom('é\n😀', '\ud800', '\udc00', '_:b', '1', 'true', ''), fc.string({ unit: 'binary' }));
const odd = fc.constantFrom(null, undefined, 1, {}, ['uri']);
const term = fc.oneof(
  { weight: 12, arbitrary: fc.record({
    type: fc.constantFrom('uri', 'bnode', 'literal', 'typed-literal'),
    value: word,
    datatype: fc.constantFrom(...['integer', 'double', 'boolean', 'string'].map((name) => `http://www.w3.org/2001/XMLSchema#${name}`), null, undefined),
    'xml:lang': fc.constantFrom('en', undefined),
  }, { requiredKeys: ['type', 'value'] }) },
  { weight: 1, arbitrary: fc.record({ type: fc.oneof(fc.constantFrom('triple', 'URI'), odd), value: fc.oneof(word, odd), datatype: odd }) },
  { weight: 1, arbitrary: odd },
);
const results = fc.record({
  head: fc.record({ vars: fc.oneof({ weight: 20, arbitrary: fc.constant(['x', 'y']) }, { weight: 1, arbitrary: fc.constantFrom([], ['x'], ['x', 'x', 'y'], [1, 'x'], 'xy', undefined) }) }),
  results: fc.record({ bindings: fc.array(fc.oneof(
    { weight: 20, arbitrary: fc.record({ x: term, y: term }, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.oneof(odd, fc.record({ z: term })) },
  ), { maxLength: 6 }) }),
});

test('results that were parsed are read as their text is', async () => {
  await okn.init();
  let tables = 0;
  const told = (key) => {
    try {
      const { fates } = okn.analyseControl(key, key, { walks_hierarchy: true });
      tables += 1;
      return canonical(fates);
    } catch (error) {
      return canonical([error.name, error.message, error.file, error.line, error.column, error.remedy]);
    }
  };
  const numRuns = Number(process.env.OKN_RUNS ?? 1000);
  fc.assert(fc.property(results, (parsed) => {
    assert.equal(told(parsed), told({ text: JSON.stringify(parsed), format: 'sparql-json' }));
  }), { numRuns });
  assert.ok(tables > numRuns / 4, `${tables} tables of ${2 * numRuns}`);
});

const anything = fc.anything({
  maxDepth: 3, withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true,
  withObjectString: true, withSparseArray: true, withTypedArray: true, withUnicodeString: true,
});
/** Text that looks like records, queries and tables more often than chance would have it. */
const likely = fc.array(fc.constantFrom(
  '#+ summary: ', '#+ tags: [a]\n', '#+ allow:\n', '\n', '\r\n', 'SELECT ', '?x ', '(COUNT(?y) AS ?n) ', 'WHERE { ', '} ', '?x ?p ?y . ',
  '?c <http://www.w3.org/2000/01/rdf-schema#subClassOf>* <http://e/heart> . ', 'OPTIONAL { ', 'FILTER(?y > 5) ', 'LIMIT 10 ', 'ORDER BY ?x ',
  'top ten ', 'x,y\n', '1,2\n', '"', '|', '\t', '\ud800', '\ufeff', '{"head":{"vars":["x"]},"results":{"bindings":[', '{"x":{"type":"uri","value":"http://e/1"}}',
  ']}}', '<sparql>', '&', 'é', '_:b0', '1e400', 'NaN',
), { maxLength: 30 }).map((parts) => parts.join(''));
const argument = fc.oneof(
  anything, likely, fc.uint8Array({ maxLength: 60 }),
  fc.record({ text: fc.oneof(likely, anything), format: fc.constantFrom('csv', 'tsv', 'sparql-json', 'sparql-xml', 'none', undefined), file: anything }, { requiredKeys: ['text'] }),
);
const options = fc.oneof(anything, fc.dictionary(fc.constantFrom(
  'file', 'twin', 'labels', 'facts', 'order', 'ordered', 'accept_ties', 'uncut', 'tie_pool', 'mapping', 'max_diff_rows', 'identity',
  'walks_hierarchy', 'grounds', 'keywords', 'name', 'no such option',
), fc.oneof(argument, fc.array(argument, { maxLength: 3 })), { maxKeys: 3 }));

for (const [name, inputs] of Object.entries({
  parseRecord: [argument, options], lint: [argument, options], deriveControls: [argument, options],
  score: [argument, argument, options], analyseControl: [argument, argument, options],
})) {
  test(`${name} on whatever may come`, async () => {
    await okn.init();
    const numRuns = Number(process.env.OKN_RUNS ?? 1000);
    fc.assert(fc.property(fc.tuple(...inputs), (given) => { outcome(() => okn[name](...given)); }), { numRuns });
  });
}
