// Analyses a control of so many rows with the npm package so many times, reasons included: from the objects that a parsed reply
// of an endpoint is, from its text, and from CSV. What a caller in JavaScript waits for, copies into and out of Wasm included.
// node package.mjs FOLDER ROWS REPEATS: the folder of `cargo xtask npm`. Prints seconds of this process's own processor time as JSON.
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

const [folder, rows, repeats] = process.argv.slice(2);
const { analyseControl, init } = await import(pathToFileURL(resolve(folder, 'node.mjs')));
await init();

// The tables of `crates/control/examples/common/mod.rs`.
const WORDS = ['myocarditis', 'avascular necrosis', 'Kawasaki disease', 'cardiovascular anomaly', 'preeclampsia', 'vasculitis'];
const INTEGER = 'http://www.w3.org/2001/XMLSchema#integer';
const name = (n) => `${WORDS[n % WORDS.length]}, type ${n}`;
const iri = (n) => `http://purl.obolibrary.org/obo/MONDO_${String(n).padStart(7, '0')}`;
const count = (n, more) => String(10_000_000 - Math.min(n, 9_999_999) + more);
const range = (length, from = 0) => Array.from({ length }, (_, n) => [from + n, 0]);
const size = Number(rows);
const tables = {
  key: range(size),
  uncut: range(size + Math.floor(size / 10)),
  control: [
    ...range(size).filter(([n]) => n % 10 !== 3).map(([n]) => [n, Number(n % 100 === 7)]),
    ...range(Math.floor(size / 20), size),
    ...range(Math.floor(size / 20), 9_000_000),
  ],
};
const objects = (list) => ({
  head: { vars: ['name', 'condition', 'datasets'] },
  results: {
    bindings: list.map(([n, more]) => ({
      name: { type: 'literal', value: name(n) },
      condition: { type: 'uri', value: iri(n) },
      datasets: { type: 'literal', datatype: INTEGER, value: count(n, more) },
    })),
  },
});
const csv = (list) => ({
  format: 'csv',
  text: ['name,condition,datasets', ...list.map(([n, more]) => `"${name(n)}",${iri(n)},${count(n, more)}`), ''].join('\n'),
});

const order = [{ column: 'datasets', descending: true }, { column: 'condition' }];
// And its hierarchy of 30,000 classes.
const grounds = {
  keywords: ['cardio', 'vascular'],
  roots: [iri(0)],
  key_classes: 'rows',
  control_classes: 'rows',
  hierarchy: [{
    format: 'csv',
    text: ['class,parent,label', ...range(30_000).map(([n]) => `${iri(n)},${n ? iri(Math.floor((n - 1) / 3)) : ''},"${name(n)}"`), ''].join('\n'),
  }],
};
const text = (list) => ({ format: 'sparql-json', text: JSON.stringify(objects(list)) });
const measured = {};
for (const [form, made] of Object.entries({ objects, text, csv })) {
  const [key, uncut, control] = Object.values(tables).map(made);
  const runs = [];
  for (let run = 0; run < Number(repeats); run += 1) {
    const before = process.cpuUsage();
    const { kept, missed, changed, why } = analyseControl(key, control, { uncut, order, grounds });
    const { user, system } = process.cpuUsage(before);
    runs.push({ seconds: (user + system) / 1e6, kept, missed, changed, explained: why.length });
  }
  measured[form] = runs;
}
console.log(JSON.stringify(measured));
