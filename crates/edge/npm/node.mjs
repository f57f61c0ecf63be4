// For Node, Deno and Bun, whose `fetch` reads no files.
import { readFile } from 'node:fs/promises';
import { begin } from './core.mjs';

const read = (address) => (`${address}`.startsWith('file:') ? readFile(new URL(address)) : fetch(address));

export const init = (source) => begin(source ?? new URL('./okn-benchmark.wasm', import.meta.url), read);
export default init;
export {
  initSync, parseRecord, lint, score, analyseControl, deriveControls,
  OknError, ArgumentError, InputError, QueryError, InitError, InternalError,
} from './core.mjs';
