/** The package's Wasm, as runtimes and bundlers that can import Wasm give it; hand it to `init`. */
declare const wasm: WebAssembly.Module;
export default wasm;
