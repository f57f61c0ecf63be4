// Scores ANSWER against KEY in WebAssembly so many times; prints the seconds of each as JSON.
// node wasm.mjs MODULE KEY ANSWER REPEATS
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const [module, keyFile, answerFile, repeats] = process.argv.slice(2);
const { score_csv } = createRequire(import.meta.url)(resolve(module));
const key = readFileSync(keyFile);
const answer = readFileSync(answerFile);
const seconds = [];
let matched;
for (let run = 0; run < Number(repeats); run += 1) {
  const start = performance.now();
  matched = score_csv(key, answer);
  seconds.push((performance.now() - start) / 1000);
}
console.log(JSON.stringify({ seconds, matched }));
