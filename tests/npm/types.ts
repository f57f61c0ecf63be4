// Every function and every type of the package, as TypeScript sees them. What must not compile says so; `check` compares the
// members that the types promise with those that are there.
import init_, {
  analyseControl, ArgumentError, deriveControls, init, initSync, InitError, InputError, InternalError, lint, OknError, parseRecord,
  QueryError, score,
} from 'okn-benchmark';
import type {
  Analysis, AnalysisOptions, By, ClassPlan, Classes, CompiledWasm, DerivedControl, DerivedControls, DeriveOptions, DiffEntry, DiffRow, Facts,
  Fate, Finding, Grounds, HeaderEntry, HeaderValue, Labels, LintOptions, LintReport, OrderKey, ParsedRecord, Place, Problem,
  Reason, RowFate, Score, ScoreOptions, Source, SparqlResults, Table, Term, TextTable, Verdict, WasmSource,
} from 'okn-benchmark';

/** Every member of a type, optional ones too, so that one too many or too few does not compile. */
type Members<T> = { [Name in keyof T]-?: true };

const record: Members<ParsedRecord> = {
  id: true, file: true, summary: true, kg: true, arm: true, tier: true, pair: true, tags: true, expect_empty: true, header: true,
  query: true, query_line: true, query_parsed: true, columns: true, order: true, limit: true, problems: true,
};
const headerEntry: Members<HeaderEntry> = { key: true, line: true, column: true, value: true };
const orderKey: Members<OrderKey> = { column: true, descending: true };
const problem: Members<Problem> = { line: true, column: true, severity: true, rule: true, message: true, remedy: true };
const report: Members<LintReport> = { file: true, findings: true, allowed: true, silent: true };
const finding: Members<Finding> = {
  file: true, line: true, column: true, end_column: true, rule: true, severity: true, message: true, remedy: true,
};
const scored: Members<Score> = {
  exact: true, ordered: true, f1: true, precision: true, recall: true, rows: true, key_rows: true, matched_rows: true,
  f1_mapped: true, columns: true, extra_columns: true, repairs: true, ragged_rows: true, ragged: true, missing_rows: true,
  missing: true, unexpected_rows: true, unexpected: true, diff: true, diff_omitted: true, wrong_omitted: true, notes: true,
};
const diffRow: Members<DiffRow> = { row: true, line: true, cells: true };
const diffEntry: Members<DiffEntry> = { kind: true, key: true, answer: true, cells: true, key_row: true, answer_row: true };
const analysed: Members<Analysis> = {
  rows: true, key_rows: true, kept: true, missed: true, invented: true, changed: true, below_cut: true, headline_ratio: true,
  verdict: true, fates: true, identity: true, missing_columns: true, by_position: true, uncut: true, tau_b: true, why: true,
};
const rowFate: Members<RowFate> = { fate: true, identity: true, name: true, key_rank: true, control_rank: true, differs: true };
const reason: Members<Reason> = { class: true, name: true, tested: true, matched: true, in_closure: true, path: true };
const derivedControls: Members<DerivedControls> = {
  file: true, variable: true, roots: true, uncut: true, hierarchy: true, literal: true, keyword: true,
};
const derivedControl: Members<DerivedControl> = { query: true, name: true, plan: true };

const results: SparqlResults = {
  head: { vars: ['c', 'name', 'n'] },
  results: {
    bindings: [
      { c: { type: 'uri', value: 'http://e/pre' }, name: { type: 'literal', value: 'preeclampsia', 'xml:lang': 'en' }, n: number('144') },
      { c: { type: 'uri', value: 'http://e/vas' }, name: { type: 'literal', value: 'vasculitis' }, n: number('61') },
    ],
  },
};
function number(value: string): Term {
  return { type: 'literal', value, datatype: 'http://www.w3.org/2001/XMLSchema#integer' };
}
const text: TextTable = { format: 'csv', text: 'c,name,n\nhttp://e/vas,vasculitis,61\nhttp://e/afn,avascular necrosis,7\n', file: 'control.csv' };
const order: By[] = [{ column: 'n', descending: true }, { column: 0 }, { column: null }];
const query = `#+ summary: Which?
#+ tags: [a]
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?c ?name (COUNT(?d) AS ?n) { ?c rdfs:subClassOf* <http://e/heart> ; rdfs:label ?name . ?d <http://e/on> ?c }
GROUP BY ?c ?name ORDER BY DESC(?n) LIMIT 2
`;

/** Compares what is there with what the types say; gives the number of comparisons. */
export function check(): number {
  let compared = 0;
  const same = (found: object | undefined | null, members: Record<string, true>, absent: string[] = []) => {
    const wanted = Object.keys(members).filter((name) => !absent.includes(name));
    const [there, said] = [Object.keys(found ?? {}).sort().join(), wanted.sort().join()];
    if (there !== said) throw new Error(`there is ${there}, the types say ${said}`);
    compared += 1;
  };

  const source: Source = query;
  const parsed: ParsedRecord = parseRecord(source, { file: 'nde-expand_heart.rq' });
  same(parsed, record);
  same(parsed.header[0], headerEntry);
  same(parsed.order[0], orderKey);
  same(parseRecord(new TextEncoder().encode('')).problems[0], problem);
  const value: HeaderValue | undefined = parsed.header[0]?.value;
  if (typeof value === 'object' && 'text' in value) value.text satisfies string;

  const labels: Labels = { 'http://e/heart': { labels: ['heart disease'] } };
  const facts: Facts = { rows: 2, rows_without_limit: 3, tied_at_cut: 1, unbound_columns: [], graphs_with_term: [{ graph: 'http://e/g', rows: 0 }], unanswered: [{ query: 'the key', why: 'no answer' }] };
  const lintOptions: LintOptions = { file: 'nde-expand_heart.rq', labels, facts, twin: { file: 'nde-exact_heart.rq', source: query } };
  const linted: LintReport = lint(query, lintOptions);
  same(linted, report);
  same(linted.findings[0], finding);
  const place: Place | undefined = linted.findings[0];
  (place?.line ?? 0) satisfies number;

  const key: Table = results;
  const scoreOptions: ScoreOptions = {
    answer_file: 'answer.csv', order, ordered: true, accept_ties: true, uncut: results, tie_pool: null, mapping: [0, 1, null],
    max_diff_rows: null,
  };
  const result: Score = score(key, text.text, scoreOptions);
  same(result, scored);
  same(result.missing[0], diffRow, ['line']);
  same(result.unexpected[0], diffRow);
  same(result.diff[0], diffEntry);

  const classes: Classes = 'rows';
  const grounds: Grounds = {
    keywords: ['vascular'], roots: ['http://e/heart'], key_classes: classes, control_classes: { format: 'csv', text: 'c,class\n' },
    hierarchy: [{ format: 'csv', text: 'class,parent,label\nhttp://e/pre,http://e/heart,preeclampsia\n' }],
  };
  const analysisOptions: AnalysisOptions = { uncut: results, identity: 'c', order, walks_hierarchy: false, grounds };
  const analysis: Analysis = analyseControl(results, text, analysisOptions);
  same(analysis, analysed);
  same(analysis.fates[0], rowFate);
  same(analysis.why.find((row) => row.fate === 'missed')?.reasons[0], reason);
  const verdict: Verdict = analysis.verdict;
  const fate: Fate | undefined = analysis.fates[0]?.fate;
  `${verdict} ${fate}` satisfies string;

  const deriveOptions: DeriveOptions = {
    file: 'q.rq', keywords: ['vascular'], identity: 'c', name: { graph: null, predicate: 'http://e/called' },
  };
  const derived: DerivedControls = deriveControls(query, deriveOptions);
  same(derived, derivedControls);
  same(derived.keyword, derivedControl);
  const plan: ClassPlan | undefined = derived.keyword?.plan.key_classes;
  if (typeof plan === 'object' && plan !== null) plan.query satisfies string;

  for (const one of [ArgumentError, InputError, QueryError, InitError, InternalError]) {
    if (!(one.prototype instanceof OknError) || !(one.prototype instanceof Error)) throw new Error(one.name);
  }
  try {
    deriveControls('ASK {}', { file: 'q.rq' });
    throw new Error('an ASK of nothing has a control');
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const found: [string | null, number | null, number | null, string | null] = [error.file, error.line, error.column, error.remedy];
    if (found[0] !== 'q.rq' || found[1] !== 1) throw error;
  }
  return compared;
}

/** Compiled, never run: the ways to start, and what is refused. */
export async function compiledOnly(module: CompiledWasm, source: WasmSource): Promise<void> {
  initSync((await import('okn-benchmark/okn-benchmark.wasm')).default);
  await init();
  await init_(source);
  await init(fetch('https://example.org/okn-benchmark.wasm'));
  await init(new URL('https://example.org/okn-benchmark.wasm'));
  initSync(module);
  // @ts-expect-error: an address takes time to load
  initSync('https://example.org/okn-benchmark.wasm');
  // @ts-expect-error: a number is no Wasm
  await init(1);
  // @ts-expect-error: nothing is not the same as null
  await init(null);
  // @ts-expect-error: nothing to parse
  parseRecord();
  // @ts-expect-error: options are an object
  parseRecord('', 'a.rq');
  // @ts-expect-error: misspelt
  lint('', { lables: {} });
  // @ts-expect-error: text alone does not say its format
  score('x\n1\n', 'x\n1\n');
  // @ts-expect-error: no such format
  score({ format: 'xls', text: '' }, '');
  // @ts-expect-error: an answer is one table
  score(results, ['x', '1']);
  // @ts-expect-error: spelled as in JSON
  score(results, '', { acceptTies: true });
  // @ts-expect-error: a key and a control
  analyseControl(results);
  // @ts-expect-error: a column, or null for an expression
  analyseControl(results, results, { order: [{ descending: true }] });
  // @ts-expect-error: a list of words
  deriveControls('', { keywords: 'heart' });
  // @ts-expect-error: a name has a predicate
  deriveControls('', { name: { graph: 'http://e/g' } });
  // @ts-expect-error: there may be no keyword control
  deriveControls('').keyword.query;
  // @ts-expect-error: one of the verdicts
  if (analyseControl(results, results).verdict === 'wrong') return;
  // @ts-expect-error: `null` where the key has no order
  score(results, '').ordered satisfies boolean;
}
