// Fields are spelled as in the JSON of the command-line program, so that what one writes the other can read.

/** A file's content. Text must be well-formed; bytes may be anything, and what is wrong with them is reported. */
export type Source = string | ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** A `WebAssembly.Module`, or the namespace of a module whose default export is one. Not every project's types know that name. */
export type CompiledWasm = object;

/** What `init` can load the Wasm from: a string is an address. */
export type WasmSource = CompiledWasm | ArrayBuffer | ArrayBufferView | Response | URL | string;

/**
 * Loads the Wasm: once, before any other function. Later calls wait for the first and load nothing.
 *
 * Without an argument it is found beside the package's own files. Where a bundler or a runtime moves those, give it as
 * bytes, `Response`, address or `WebAssembly.Module`.
 *
 * Rejects with {@link InitError}; then it may be called again.
 */
export function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<void>;
export default init;

/** The same from bytes or a compiled module, without waiting. Browsers refuse large modules here on a page's main thread. */
export function initSync(source: CompiledWasm | ArrayBuffer | ArrayBufferView): void;

// ---------------------------------------------------------------------------------------------------------- records

/** A place in a file: lines and columns count from 1, columns in characters. */
export interface Place {
  line: number;
  column: number;
}

/** Something that a record's reader objects to. */
export interface Problem extends Place {
  /** An `error` makes the record useless; a `lint` is likely to surprise somebody. */
  severity: 'error' | 'lint';
  /** A stable identifier. */
  rule: string;
  message: string;
  remedy: string | null;
}

/** What stands behind a decorator's colon. */
export type HeaderValue =
  | 'empty'
  | { text: string }
  | { bool: boolean }
  /** As it was written. */
  | { number: string }
  | { list: string[] }
  | { items: HeaderValue[] }
  | { map: [key: string, value: HeaderValue][] };

/** A decorator, and where its key stands. */
export interface HeaderEntry extends Place {
  key: string;
  value: HeaderValue;
}

/** One condition of an ORDER BY. */
export interface OrderKey {
  /** The column, without `?`; `null` for an expression, after which the order is open. */
  column: string | null;
  descending: boolean;
}

export interface ParsedRecord {
  /** The file's name without folders and `.rq`. */
  id: string;
  file: string;
  /** The prompt. */
  summary: string | null;
  /** From a name like `<kg>-<arm>_<tier>.rq`, as are `arm`, `tier` and `pair`. */
  kg: string | null;
  arm: 'expand' | 'exact' | null;
  tier: string | null;
  /** The identifier that the other half of the pair has, whether or not there is such a record. */
  pair: string | null;
  /** The graphs named to the agent. */
  tags: string[];
  /** Whether the key is meant to return no row. */
  expect_empty: boolean;
  header: HeaderEntry[];
  /** The answer key as written. */
  query: string;
  /** The line on which it begins. */
  query_line: number;
  /** Whether it is SPARQL. */
  query_parsed: boolean;
  /** Its columns, without `?`. */
  columns: string[];
  order: OrderKey[];
  limit: number | null;
  problems: Problem[];
}

/** Reads a `.rq` file. Whatever is wrong with it is among its `problems`: no content makes this throw, but half a surrogate pair. */
export function parseRecord(source: Source, options?: { file?: string }): ParsedRecord;

// ------------------------------------------------------------------------------------------------------------- lint

/** Labels and exact synonyms by IRI. */
export type Labels = Record<string, { labels?: string[]; synonyms?: string[] }>;

/** Figures about a key on one endpoint. The rules that lack theirs are silent, and say so. */
export interface Facts {
  rows?: number | null;
  rows_without_limit?: number | null;
  /** Columns without a value in any row. */
  unbound_columns?: string[] | null;
  /** Rows of the key without its LIMIT that are level with the last row kept, that row included. */
  tied_at_cut?: number | null;
  /** How many rows each graph has for a key with its term taken literally. */
  graphs_with_term?: { graph: string; rows: number }[] | null;
  /** Queries behind these figures that the endpoint did not answer with a table, such as `the key`, and what came instead. */
  unanswered?: { query: string; why: string }[] | null;
}

export interface LintOptions {
  file?: string;
  /** The other half of the record's pair. */
  twin?: { file: string; source: Source } | null;
  /** An object, or lines of IRI, tab, text, and perhaps tab and `label` or `synonym`. */
  labels?: Labels | string | null;
  facts?: Facts | null;
}

export interface Finding extends Place {
  file: string;
  /** The column after the last character. */
  end_column: number;
  rule: string;
  severity: 'error' | 'warning' | 'note';
  message: string;
  remedy: string | null;
}

export interface LintReport {
  file: string;
  /** By line, column and rule. */
  findings: Finding[];
  /** Findings that the record's header allows, with the reason that it gives. */
  allowed: { finding: Finding; reason: string }[];
  /** Rules that could not judge, and what they lack. */
  silent: { rule: string; why: string }[];
}

/** What is wrong between a record's prose and its key; for a plain query, what is wrong with the query. */
export function lint(source: Source, options?: LintOptions): LintReport;

// ----------------------------------------------------------------------------------------------------------- tables

/** An RDF term in SPARQL JSON results. */
export interface Term {
  type: string;
  value: unknown;
  datatype?: string;
  'xml:lang'?: string;
}

/** SPARQL 1.1 Query Results JSON, parsed: what `await response.json()` gives. */
export interface SparqlResults {
  head: { vars?: string[]; link?: unknown };
  results?: { bindings: Record<string, Term>[] };
  boolean?: boolean;
}

/** A table as text. CSV has no types: a column whose cells are all numbers is one of numbers. */
export interface TextTable {
  text: Source;
  /** May be left out where `file` ends in `.srj`, `.json`, `.srx`, `.xml`, `.csv` or `.tsv`. */
  format?: 'sparql-json' | 'sparql-xml' | 'csv' | 'tsv' | null;
  /** The name that errors give. */
  file?: string | null;
}

export type Table = SparqlResults | TextTable;

/** One condition of an ORDER BY, by a column's name or its place from 0. A record's `order` is a list of these. */
export interface By {
  column: string | number | null;
  descending?: boolean;
}

// ------------------------------------------------------------------------------------------------------------ score

export interface ScoreOptions {
  /** The answer's name, for errors. */
  answer_file?: string | null;
  /** The key's ORDER BY: then `ordered` is judged, as far as that fixes the order. */
  order?: By[] | null;
  /** Judge `ordered` by every row's place, where no `order` is given. */
  ordered?: boolean;
  /** Take any row level with the key's last row for as good as those that the key has. Needs `order`, and `uncut` or `tie_pool`. */
  accept_ties?: boolean;
  /** The key without its LIMIT. */
  uncut?: Table | null;
  /** Or of that table the rows level with the key's last row. */
  tie_pool?: Table | null;
  /** For each of the key's columns the answer's, from 0, or `null`; instead of by names and cells. */
  mapping?: (number | null)[] | null;
  /** The most rows that each list of differences holds: 1000 unless given; `null` for all. Counts are never cut. */
  max_diff_rows?: number | null;
}

export interface DiffRow {
  /** From 0; `null` for a row of another width than the header. */
  row: number | null;
  /** In the answer; absent for the key's rows. */
  line?: number;
  cells: string[];
}

export interface DiffEntry {
  kind: 'equal' | 'missing' | 'unexpected' | 'differing';
  key: string[] | null;
  /** In the order of the key's columns. */
  answer: string[] | null;
  /** Whether each cell is equal; empty where there is no pair. */
  cells: boolean[];
  key_row: number | null;
  answer_row: number | null;
}

export interface Score {
  /** The same rows, as multisets, and no column missing. */
  exact: boolean;
  /** Exact, and in the key's sequence; `null` where the key has none. */
  ordered: boolean | null;
  f1: number;
  precision: number;
  recall: number;
  /** Rows of the answer. */
  rows: number;
  key_rows: number;
  matched_rows: number;
  /** `f1` over the columns that were found; `null` where none was. */
  f1_mapped: number | null;
  columns: { key: string; answer: string | null; by: 'name' | 'content' | 'given' | 'none' }[];
  /** Columns that the key does not ask for. They cost nothing. */
  extra_columns: string[];
  /** What was put right while the answer was read. */
  repairs: { kind: string; message: string; line?: number }[];
  /** How many rows have another width than the header. */
  ragged_rows: number;
  /** Those rows, up to the limit of the lists; each counts as an unexpected row. */
  ragged: { line: number; cells: string[]; expected: number }[];
  /** How many rows of the key nothing matches. */
  missing_rows: number;
  /** Those rows, up to the limit of the lists. */
  missing: DiffRow[];
  /** How many rows of the answer match nothing. */
  unexpected_rows: number;
  /** Those rows, up to the limit of the lists. */
  unexpected: DiffRow[];
  /** Both tables side by side: the key's rows in its order, then what is unexpected. */
  diff: DiffEntry[];
  diff_omitted: number;
  /** Those of the rows left out of `diff` that are not equal. */
  wrong_omitted: number;
  /** Reasons for what is `null`, and limits that were reached. */
  notes: string[];
}

/** Scores a submitted answer (CSV, or what people send for it) against a key. */
export function score(key: Table, answer: Source, options?: ScoreOptions): Score;

// --------------------------------------------------------------------------------------------------------- controls

/** `rows`: the rows' own identities are the classes. A table: a row's identity, a class, and perhaps the class's name. */
export type Classes = 'rows' | Table;

/** What explains why a row is missed or invented. */
export interface Grounds {
  /** The words that the control tests names for. */
  keywords?: string[];
  /** The terms at the top of the key's closure. */
  roots?: string[];
  /** Tables of `class`, `parent` and `label`, at and below the roots. */
  hierarchy?: Table[];
  /** The classes behind the key's rows. Where they are not known, missed rows have no reasons. */
  key_classes?: Classes | null;
  /** The classes behind the control's rows. Where they are not known, invented rows have no reasons. */
  control_classes?: Classes | null;
}

export interface AnalysisOptions {
  /** The key without its LIMIT, so that a row below the cut is not taken for an invented one. */
  uncut?: Table | null;
  /** The column that tells rows apart; the first column of IRIs unless given. */
  identity?: string | null;
  /** The key's ORDER BY, for `tau_b`. */
  order?: By[] | null;
  /** Whether the control walks the hierarchy too, as one does that varies another part of the key. */
  walks_hierarchy?: boolean;
  grounds?: Grounds | null;
}

export type Fate = 'kept' | 'changed' | 'missed' | 'below-cut' | 'invented';

/**
 * What a control is worth. Without a row it collapses, and where the key has none either it is equivalent; whether or not it
 * walks the hierarchy, it then reproduces nothing.
 */
export type Verdict =
  | 'collapses'
  | 'looks-right-and-is-wrong'
  | 'partial'
  | 'equivalent'
  | 'reproduces-the-answer';

export interface RowFate {
  fate: Fate;
  /** The text of the identity cell, or of all cells, separated by tabs. */
  identity: string;
  name: string | null;
  /** From 1; for a row below the cut, in the key without its LIMIT. */
  key_rank: number | null;
  control_rank: number | null;
  /** The key's columns in which the two rows differ. */
  differs: string[];
}

export interface Reason {
  /** IRI of the class. */
  class: string;
  name: string | null;
  /** Whether the control tests names; otherwise `matched` says nothing. */
  tested: boolean;
  /** The keyword, and the word of the name that it sits in: `before` + `matched` + `after`. */
  matched: { keyword: string; before: string; matched: string; after: string } | null;
  in_closure: boolean;
  /** From the class up to a root, both included; empty for a class outside the closure. */
  path: { iri: string; label: string | null }[];
}

export interface Analysis {
  /** Rows of the control. */
  rows: number;
  key_rows: number;
  kept: number;
  missed: number;
  invented: number;
  /** Those of the kept rows whose other cells differ. */
  changed: number;
  below_cut: number;
  /** The control's top value over the key's; `null` where a table is empty or the value is not a number. */
  headline_ratio: number | null;
  verdict: Verdict;
  /** Every row: the key's in its order, then the control's own in its. */
  fates: RowFate[];
  identity: string | null;
  /** Columns of the key that the control's rows lack: they are missing in every row. */
  missing_columns: string[];
  /** Whether the control's columns were taken in the key's sequence, for want of a name in common. */
  by_position: boolean;
  /** Against the key without its LIMIT. */
  uncut: { key_rows: number; kept: number; missed: number; invented: number; changed: number } | null;
  /** Kendall's tau-b on the rows that both tables have. */
  tau_b: number | null;
  /** Why rows are invented or missed; empty without `grounds`. */
  why: { fate: Fate; identity: string; reasons: Reason[] }[];
}

/** What a control keeps of its question's key, misses and invents, and with `grounds` why. */
export function analyseControl(key: Table, control: Table, options?: AnalysisOptions): Analysis;

export interface DeriveOptions {
  file?: string;
  /** The words of the keyword control; without any there is none. */
  keywords?: string[];
  /** Where the names are that it tests; the key says so unless given. No `graph`: the default graph. */
  name?: { graph?: string | null; predicate: string } | null;
  /** The column that tells the key's rows apart; the hierarchy's variable unless given. */
  identity?: string | null;
}

/** Where the classes behind a table's rows are: in its rows, in another query's table, or nobody knows. */
export type ClassPlan = 'rows' | { query: string } | null;

export interface DerivedControl {
  /** The control as SPARQL. */
  query: string;
  /** Where the name is that it tests; `null` for the literal one. */
  name: {
    rule: 'key' | 'data-graph' | 'hierarchy' | 'given';
    variable: string;
    predicate: string;
    graph: string | null;
  } | null;
  /** What to run for the `grounds` of {@link analyseControl}. */
  plan: { key_classes: ClassPlan; control_classes: ClassPlan };
}

export interface DerivedControls {
  file: string;
  /** The variable that ranges over the closure, without `?`. */
  variable: string;
  /** The terms at the top of the closure. */
  roots: string[];
  /** The key without its LIMIT, to be run; `null` where it has none. */
  uncut: string | null;
  /** Queries for the hierarchy at and below the roots, to be run. */
  hierarchy: string[];
  /** The closure replaced by the term. */
  literal: DerivedControl;
  /** The closure replaced by a test on the name. */
  keyword: DerivedControl | null;
}

/** The controls that follow from a key alone, by its algebra; from a record or from a plain query. */
export function deriveControls(source: Source, options?: DeriveOptions): DerivedControls;

// ----------------------------------------------------------------------------------------------------------- errors

/** Anything that this package throws. The place is `null` where an argument is wrong rather than a file. */
export class OknError extends Error {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** What to do about it, where that is known. */
  readonly remedy: string | null;
}

/** An argument of the wrong type, or one that contradicts another. */
export class ArgumentError extends OknError {}
/** A file that cannot be read: a table, or labels. */
export class InputError extends OknError {}
/** A query that is not SPARQL, or that has no control. */
export class QueryError extends OknError {}
/** The Wasm is not there, or not yet. */
export class InitError extends OknError {}
/** A defect of this package, or the end of its memory. The next call starts afresh. */
export class InternalError extends OknError {}
