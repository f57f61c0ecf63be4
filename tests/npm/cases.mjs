// The case tables of the libraries, run through the package: the same files that the native tests read. Works in Node and
// in a page alike.

/** The folders and files that hold the tables, from the repository's root. */
export const FOLDERS = [
  'crates/record/test_data/ok', 'crates/record/test_data/problem', 'crates/score/test_data', 'crates/control/test_data',
  'crates/edge/test_data', 'crates/lint/test_data', 'tests/lint', 'tests/lint/queries',
];

/** JSON with its keys in order: two values are the same to the bit if and only if their texts are. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== 'object') {
    // JSON has no minus zero, and would hide what is undefined.
    if (Object.is(value, -0)) return '-0';
    if (value === undefined) throw new TypeError('undefined is not JSON');
    return JSON.stringify(value);
  }
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
}

/**
 * Every case as `[table, id, found, expected]`.
 * @param okn the package
 * @param {Map<string, Uint8Array>} files by path from the repository's root
 */
export function* results(okn, files) {
  const text = (path) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(files.get(path));
  const json = (path) => JSON.parse(text(path));
  const lines = (path) => text(path).trimEnd().split('\n').map((line) => JSON.parse(line));
  yield* records(okn, files, json);
  yield* scores(okn, json('crates/score/test_data/cases.json'), lines('crates/score/test_data/scores.jsonl'));
  yield* analyses(okn, json('crates/control/test_data/analyses.json'), lines('crates/control/test_data/analyses.jsonl'));
  yield* derived(okn, json('crates/control/test_data/derived.json'), lines('crates/edge/test_data/derived.jsonl'));
  yield* examples(okn, lines('crates/lint/test_data/examples.jsonl'));
  yield* reports(okn, files, text, lines('tests/lint/reports.jsonl'));
}

function* records(okn, files, json) {
  for (const [path, bytes] of files) {
    if (!path.startsWith('crates/record/') || !path.endsWith('.rq')) continue;
    const record = okn.parseRecord(bytes, { file: path.slice(path.lastIndexOf('/') + 1) });
    // As the library's own test shows a record.
    const shown = {
      arm: record.arm,
      tier: record.tier,
      header: record.header.map(({ key, line, column, value }) => ({ key, at: [line, column], value })),
      expect_empty: record.expect_empty,
      query_line: record.query_line,
      query_parsed: record.query_parsed,
      columns: record.columns,
      order: record.order,
      limit: record.limit,
      problems: record.problems.map(({ line, column, severity, message, rule, remedy }) =>
        [`${line}:${column}: ${severity}: ${message} [${rule}]`, remedy]),
    };
    yield ['record', path, shown, json(path.replace(/rq$/, 'json'))];
  }
}

const csv = (text) => ({ format: 'csv', text });
const maybe = (text) => (text === undefined || text === null ? null : csv(text));
const by = (order) => order?.map(([column, descending]) => ({ column, descending }));

/** A typed key as SPARQL results; a row is `variable: [type, lexical form]`, and the widest row names the columns. */
function typed(rows) {
  if (typeof rows === 'boolean') return { head: {}, boolean: rows };
  const term = ([type, value]) => (['uri', 'bnode'].includes(type)
    ? { type, value }
    : { type: 'literal', value, datatype: `http://www.w3.org/2001/XMLSchema#${type}` });
  const widest = rows.reduce((most, row) => (Object.keys(row).length >= Object.keys(most).length ? row : most));
  const bindings = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, term(value)])));
  return { head: { vars: Object.keys(widest).sort() }, results: { bindings } };
}

function* scores(okn, cases, expected) {
  for (const [index, one] of cases.entries()) {
    const key = one.key === undefined ? typed(one.key_json) : csv(one.key);
    const options = { order: by(one.order), accept_ties: one.accept_ties, mapping: one.mapping, tie_pool: maybe(one.pool) };
    if (one.max_diff_rows !== undefined) options.max_diff_rows = one.max_diff_rows;
    yield ['score', one.id, okn.score(key, one.answer, options), expected[index]];
  }
}

const classes = (given) => (given === 'rows' ? given : maybe(given));

function* analyses(okn, cases, expected) {
  for (const [index, one] of cases.entries()) {
    const grounds = one.grounds && {
      keywords: one.grounds.keywords,
      roots: one.grounds.roots,
      hierarchy: [csv(one.grounds.hierarchy)],
      key_classes: classes(one.grounds.key_classes),
      control_classes: classes(one.grounds.control_classes),
    };
    const options = { uncut: maybe(one.uncut), identity: one.identity, order: by(one.order), walks_hierarchy: one.walks_hierarchy, grounds };
    yield ['control', one.id, okn.analyseControl(csv(one.key), csv(one.control), options), expected[index]];
  }
}

function* derived(okn, { prefixes, cases }, expected) {
  for (const [index, { id, query, keywords }] of cases.entries()) {
    let found;
    try {
      found = okn.deriveControls(prefixes + query, { keywords });
    } catch (error) {
      if (!(error instanceof okn.QueryError)) throw error;
      const { file, line, column, remedy } = error;
      found = { error: error.message, file, line, column, remedy };
    }
    yield ['derived', `${id}: ${query}`, found, expected[index]];
  }
}

function* examples(okn, [{ labels }, ...cases]) {
  for (const { rule, file, text, twin, facts, report } of cases) {
    yield ['lint', `${rule}: ${text}`, okn.lint(text, { file, twin, facts, labels }), report];
  }
}

function* reports(okn, files, text, expected) {
  const labels = text('tests/lint/names.tsv');
  for (const report of expected) {
    const { id, pair } = okn.parseRecord(files.get(report.file), { file: report.file });
    const beside = report.file.replace(id, pair ?? id);
    const twin = pair && files.has(beside) ? { file: beside, source: files.get(beside) } : null;
    yield ['lint', report.file, okn.lint(files.get(report.file), { file: report.file, labels, twin }), report];
  }
}
