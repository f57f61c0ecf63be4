// The libraries' case tables through the package, in Node and in Chromium, to the bit.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { canonical, results } from './cases.mjs';
import { withPage } from './page.mjs';
import { caseFiles, here, installed, stranger, withoutBrowser } from './stranger.mjs';

/** Least numbers of cases, so that a table that is not found does not pass for one that agrees. */
const LEAST = { record: 60, score: 70, control: 20, derived: 40, lint: 150 };

function enough(counts) {
  for (const [table, least] of Object.entries(LEAST)) assert.ok(counts[table] >= least, `${table}: ${counts[table]} cases`);
}

test('every case table, in Node', async () => {
  const okn = await installed();
  await okn.init();
  const counts = {};
  for (const [table, id, found, expected] of results(okn, caseFiles())) {
    assert.equal(canonical(found), canonical(expected), `${table}: ${id}`);
    counts[table] = (counts[table] ?? 0) + 1;
  }
  enough(counts);
});

test('every case table, in Chromium', { skip: withoutBrowser }, async () => {
  const folder = await stranger();
  mkdirSync(join(folder, 'cases'), { recursive: true });
  copyFileSync(join(here, 'cases.mjs'), join(folder, 'cases/cases.mjs'));
  const files = [...caseFiles()].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
  writeFileSync(join(folder, 'cases/files.json'), JSON.stringify(files));
  writeFileSync(join(folder, 'cases/index.html'), '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>cases</title>');
  const { differing, counts } = await withPage(folder, 'cases/index.html', (page) => page.evaluate(async () => {
    const okn = await import('/node_modules/okn-benchmark/index.mjs');
    const { canonical, results } = await import('./cases.mjs');
    await okn.init();
    const encoded = await (await fetch('files.json')).json();
    const files = new Map(encoded.map(([path, text]) => [path, Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
    const [differing, counts] = [[], {}];
    for (const [table, id, found, expected] of results(okn, files)) {
      if (canonical(found) !== canonical(expected)) differing.push({ table, id, found, expected });
      counts[table] = (counts[table] ?? 0) + 1;
    }
    return { differing, counts };
  }));
  assert.deepEqual(differing, []);
  enough(counts);
});
