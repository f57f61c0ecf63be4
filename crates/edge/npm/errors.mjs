// What the functions throw: each says where and what to do about it, as far as that is known.

/** Anything that this package throws. */
export class OknError extends Error {
  constructor({ message, file = null, line = null, column = null, remedy = null }, options) {
    super(file === null || line === null ? message : `${file}:${line}:${column}: ${message}`, options);
    this.file = file;
    this.line = line;
    this.column = column;
    this.remedy = remedy;
  }
}

/** An argument of the wrong type, or one that contradicts another. */
export class ArgumentError extends OknError {}
/** A file that cannot be read: a table, or labels. */
export class InputError extends OknError {}
/** A query that is not SPARQL, or that has no control. */
export class QueryError extends OknError {}
/** The Wasm is not there, or not yet. */
export class InitError extends OknError {}
/** A defect of this package, or the end of its memory. */
export class InternalError extends OknError {}

for (const [name, one] of Object.entries({ OknError, ArgumentError, InputError, QueryError, InitError, InternalError })) {
  // Not from the class itself: a minifier renames that.
  Object.defineProperty(one.prototype, 'name', { value: name, configurable: true, writable: true });
}
