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
  const page = Object.entries(sizes).filter(([name]) => name.endsWith('.wasm') && !name.includes('engine'));
  assert.equal(page.length, 1);
  measured({ processor: cpus()[0].model, sizes });
  assert.ok(page[0][1].gzip <= 350_000, `the page's module is ${page[0][1].gzip} bytes gzipped`);
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
  const loads = [];
  const keys = [];
  for (let round = 0; round < 3; round += 1) {
    const { page, close } = await openPage(session, { view: 'query', id: question.id });
    await page.waitForFunction(() => document.querySelector('#sparql').value !== '');
    const begun = Date.now();
    await page.click('button:text-is("Run")');
    await page.waitForSelector('.results h2');
    loads.push(Date.now() - begun);
    const again = Date.now();
    await page.click('button:text-is("Run")');
    await page.waitForFunction(() => document.querySelector('.results h2') && !document.querySelector('.run-line .spinner'));
    keys.push(Date.now() - again);
    await close();
  }
  measured({ engine_graphs_and_key_ms: median(loads), key_again_ms: median(keys) });
});
