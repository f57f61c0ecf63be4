// Every page at both widths and in both themes: readable, accessible, quiet, and still while it loads.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { drop, index, keyCsv, openPage, question, record, screenshots, settled, start, violations } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const attempt = index.cells.find((cell) => cell.record === question.id)?.agent;
const exact = index.records.find((record) => record.arm === 'exact');
const pages = {
  overview: {},
  record: { view: 'record', id: question.id },
  attempt: { view: 'record', id: question.id, agent: attempt, attempt: 1 },
  analysis: { view: 'record', id: question.id, control: record(question.id).controls.at(-1)?.name, line: 1 },
  ...(exact && { compliance: { view: 'record', id: exact.id } }),
  score: { view: 'score' },
  query: { view: 'query', id: question.id },
  comparison: { view: 'compare' },
  rules: { view: 'rules' },
  leaderboard: { view: 'ava' },
  triplets: { view: 'triplets' },
  errors: { view: 'errors' },
  about: { view: 'about' },
  unknown: { view: 'elsewhere' },
};

for (const [name, parameters] of Object.entries(pages)) {
  for (const width of [360, 1600]) {
    for (const scheme of ['light', 'dark']) {
      test(`${name}, ${width} px, ${scheme}`, async () => {
        const { page, faults, close } = await openPage(session, parameters, { width, scheme });
        await page.waitForLoadState('networkidle');
        if (name === 'score') {
          await drop(page, [{ name: `${question.id}.csv`, text: keyCsv(question.id).split('\n').slice(0, -4).join('\n') }]);
          await page.waitForSelector('.scorecard');
        }
        await settled(page);
        if (screenshots) {
          mkdirSync(screenshots, { recursive: true });
          await page.screenshot({ path: join(screenshots, `${name}-${width}-${scheme}.png`), fullPage: true });
        }
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wider <= 0, `the page is ${wider} px wider than the screen`);
        assert.deepEqual(await violations(page), []);
        const shift = await page.evaluate(() => window.shift);
        assert.ok(shift < 0.02, `the layout shifted by ${shift}`);
        assert.deepEqual(faults, []);
        await close();
      });
    }
  }
}

test('names of records wrap between their parts, never within a word', async () => {
  const { page, close } = await openPage(session, {}, { width: 360 });
  // A part is on one line if its text has one box.
  const broken = await page.evaluate(() => [...document.querySelectorAll('.matrix tbody th a')].flatMap((link) => {
    const parts = [];
    for (const node of link.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE) continue;
      for (const { 0: word, index } of node.textContent.matchAll(/[^-]+-?/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (range.getClientRects().length > 1) parts.push(word);
      }
    }
    return parts;
  }));
  assert.deepEqual(broken, []);
  await close();
});

test('the overview fits a picture', async () => {
  const { page, close } = await openPage(session, {}, { width: 1280, height: 1000 });
  const below = await page.evaluate(() => document.querySelector('.matrix').getBoundingClientRect().top);
  assert.ok(below < 700, 'the matrix is on the first screen');
  if (process.env.OKN_PICTURE) {
    mkdirSync(dirname(process.env.OKN_PICTURE), { recursive: true });
    await page.screenshot({ path: process.env.OKN_PICTURE });
  }
  await close();
});

test('a reconstruction says so on every page', { skip: index.provenance.kind !== 'reconstruction' }, async () => {
  for (const parameters of Object.values(pages)) {
    const { page, close } = await openPage(session, parameters);
    assert.match(await page.textContent('.provenance'), /Reconstruction/);
    await close();
  }
});
