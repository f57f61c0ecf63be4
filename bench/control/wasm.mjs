// Analyses a control of so many rows in WebAssembly so many times; prints the seconds of each as JSON.
// node wasm.mjs MODULE ROWS REPEATS
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [module, rows, repeats] = process.argv.slice(2);
const { Sample } = createRequire(import.meta.url)(resolve(module));
const sample = new Sample(Number(rows));
const seconds = [];
let explained;
for (let run = 0; run < Number(repeats); run += 1) {
  const start = performance.now();
  explained = sample.analyse();
  seconds.push((performance.now() - start) / 1000);
}
console.log(JSON.stringify({ seconds, explained }));
