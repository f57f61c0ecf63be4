// Scoring in the page: what a reviewer does with the tables of an agent.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drop, index, keyCsv, openPage, question, start } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const csv = keyCsv(question.id);
const lines = csv.trimEnd().split('\n');

const scored = (page) => page.waitForFunction(() => {
  const rows = [...document.querySelectorAll('.file-table tbody tr')];
  return rows.length > 0 && rows.every((row) => !/scoring/.test(row.textContent));
});

test('the key itself is exact and ordered, its record guessed from the name', async () => {
  const { page, faults, close } = await openPage(session, { view: 'score' });
  await drop(page, [{ name: `${question.id}.csv`, text: csv }]);
  await scored(page);
  assert.match(await page.textContent('.file-table tbody'), /exact, ordered/);
  assert.match(await page.textContent('.file-table tbody'), /from the file name/);
  await page.waitForFunction(() => document.querySelector('[role=status]').textContent.includes('1 file scored, 1 exact'));
  assert.deepEqual(faults, []);
  await close();
});

test('a wrong cell, a missing row and an invented one are told apart', async () => {
  const { page, close } = await openPage(session, { view: 'score', id: question.id });
  const broken = [lines[0], ...lines.slice(2)];
  broken[2] = broken[2].replace(/\d+$|\d+(?=,)/, '9999');
  await drop(page, [{ name: 'answer.csv', text: `${broken.join('\n')}\n${lines[1].replace(/[A-Z]+_\d+/, 'MONDO_9999999').replace(/\d+$/, '1')}\n` }]);
  await scored(page);
  const table = await page.textContent('.file-detail');
  for (const word of ['equal', 'differing', 'missing', 'unexpected']) assert.match(table, new RegExp(word));
  await page.click('.segments >> text=Missing');
  const shown = await page.locator('.file-detail .scroll.tall tbody tr').count();
  assert.ok(shown >= 1 && shown < lines.length);
  await close();
});

test('repairs and ragged rows are told', async () => {
  const { page, close } = await openPage(session, { view: 'score', id: question.id });
  await drop(page, [{ name: 'answer.csv', text: `\uFEFF${csv}one,cell,too,many,here\n` }]);
  await scored(page);
  const detail = await page.textContent('.file-detail');
  assert.match(detail, /byte order mark/i);
  assert.match(detail, new RegExp(`line ${lines.length + 1}`));
  await close();
});

test('an unknown file waits for its record, and an empty one says why it is no table', async () => {
  const { page, close } = await openPage(session, { view: 'score' });
  await drop(page, [{ name: 'answer.csv', text: csv }, { name: `${question.id}.csv`, text: '' }]);
  await page.waitForSelector('.file-table');
  assert.match(await page.textContent('.file-table tbody'), /choose a record/);
  await page.selectOption('select[aria-label="Record of answer.csv"]', question.id);
  await scored(page);
  assert.match(await page.textContent('.file-table tbody'), /exact/);
  await page.click(`button[aria-label="Details of ${question.id}.csv"]`);
  await page.waitForSelector('.file-detail .problem');
  await close();
});

test('a folder of attempts is guessed by its folders', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'okn-runs-'));
  for (const number of [1, 2]) {
    mkdirSync(join(folder, question.id, String(number)), { recursive: true });
    writeFileSync(join(folder, question.id, String(number), 'answer.csv'), csv);
    writeFileSync(join(folder, question.id, String(number), 'metrics.json'), '{}');
  }
  const { page, close } = await openPage(session, { view: 'score' });
  await page.setInputFiles('#folder', folder);
  await scored(page);
  assert.equal(await page.locator('.file-table tbody tr').count(), 2);
  assert.match(await page.textContent('.file-table tbody'), /from the folder name/);
  rmSync(folder, { recursive: true });
  await close();
});

test('the key run now gives the same score, and the download says what it was made on', async () => {
  const { page, faults, close } = await openPage(session, { view: 'score', key: 'engine' });
  await drop(page, [{ name: `${question.id}.csv`, text: csv }]);
  await scored(page);
  assert.match(await page.textContent('.file-table tbody'), /exact, ordered/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download all as JSON')]);
  assert.match(download.suggestedFilename(), /reconstruction/);
  const report = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.equal(report.files[0].key.source, 'engine');
  assert.equal(report.files[0].key.kind, 'reconstruction');
  assert.equal(report.files[0].score.exact, true);
  assert.equal(report.files[0].record, question.id);
  assert.deepEqual(faults, []);
  await close();
});

test('another key scores all files again', async () => {
  const { page, close } = await openPage(session, { view: 'score' });
  await drop(page, [{ name: `${question.id}.csv`, text: csv }]);
  await scored(page);
  assert.match(await page.textContent('.file-detail'), /stored rows/);
  await page.check('#key-engine');
  await page.waitForFunction(() => document.querySelector('.file-detail')?.textContent.includes('run in this page'));
  assert.equal(new URL(page.url()).searchParams.get('key'), 'engine');
  await close();
});

test('nothing that is dropped leaves the page', async () => {
  const { page, close } = await openPage(session, { view: 'score' });
  const sent = [];
  page.on('request', (request) => { if (request.method() !== 'GET' || request.postData()) sent.push(request.url()); });
  await drop(page, index.records.map((one) => ({ name: `${one.id}.csv`, text: csv })));
  await scored(page);
  assert.deepEqual(sent, []);
  await close();
});
