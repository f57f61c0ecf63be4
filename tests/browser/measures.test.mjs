// Figures for people to read: sizes, and how long a reader waits on this machine. Only sizes are asserted.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { measured, openPage, question, site, start } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

test('the first view fits its budget', () => {
  const sizes = {};
  for (const name of readdirSync(site).filter((file) => /\.(wasm|js|css|html)$/.test(file))) {
    const bytes = readFileSync(join(site, name));
    sizes[name] = { bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  }
  // What the page itself names is loaded at once; the workers' modules are not.
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const first = Object.keys(sizes).filter((name) => name.endsWith('.wasm') && html.includes(name));
  assert.equal(first.length, 1);
  const { gzip } = sizes[first[0]];
  measured({ processor: cpus()[0].model, first_view_wasm_gzip: gzip, sizes });
  assert.ok(gzip <= 350_000, `the page's module is ${gzip} bytes gzipped`);
});

test('time to interactive', async () => {
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const { page, close } = await openPage(session);
    // A reader can act once the matrix is there and a click is answered.
    times.push(await page.evaluate(() => new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    })));
    await close();
  }
  measured({ interactive_ms: Math.round(median(times)) });
});

test('engine, graphs and key', async () => {
  const waits = [];
  const loads = [];
  const keys = [];
  const milliseconds = (text) => (text.endsWith('ms') ? 1 : 1_000) * Number.parseFloat(text);
  for (let round = 0; round < 3; round += 1) {
    const { page, close } = await openPage(session, { view: 'query', id: question.id });
    await page.waitForFunction(() => document.querySelector('#sparql').value !== '');
    const begun = Date.now();
    await page.click('button:text-is("Run")');
    await page.waitForSelector('.results h2');
    waits.push(Date.now() - begun);
    const said = await page.textContent('.results h2');
    const [, key, load] = /in ([\d.]+ m?s), after ([\d.]+ m?s)/.exec(said);
    keys.push(milliseconds(key));
    loads.push(milliseconds(load));
    await close();
  }
  measured({ engine_and_graphs_ms: median(loads), key_ms: median(keys), click_to_rows_ms: median(waits) });
});
