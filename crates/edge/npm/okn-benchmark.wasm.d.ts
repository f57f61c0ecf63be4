/** The package's Wasm, as runtimes and bundlers that can import Wasm give it: a `WebAssembly.Module`, an address or bytes, for `init`. */
declare const wasm: object;
export default wasm;
