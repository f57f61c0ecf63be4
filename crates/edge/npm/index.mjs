// For browsers, bundlers and workers: the Wasm lies beside this file unless `init` is told otherwise.
import { begin } from './core.mjs';

export const init = (source) => begin(source ?? new URL('./okn-benchmark.wasm', import.meta.url), fetch);
export default init;
export {
  initSync, parseRecord, lint, score, analyseControl, deriveControls,
  OknError, ArgumentError, InputError, QueryError, InitError, InternalError,
} from './core.mjs';
