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

const names = (page) => page.locator('.file-table tbody th').evaluateAll((heads) => heads.map((head) => head.firstChild.textContent));

test('files stay while other pages are looked at, also those that another module has, until they are removed', async () => {
  const { page, faults, close } = await openPage(session, { view: 'score' });
  const sent = [];
  page.on('request', (request) => { if (request.method() !== 'GET' || request.postData()) sent.push(request.url()); });
  const named = `${question.id}.csv`;
  await drop(page, [{ name: named, text: csv }, { name: 'answer.csv', text: csv }]);
  await scored(page);
  const other = index.records.find((one) => one.id !== question.id && one.key_rows !== null).id;
  await page.selectOption('select[aria-label="Record of answer.csv"]', other);
  await scored(page);
  const before = await page.textContent('.file-table tbody');
  const go = async (link, title) => {
    await page.click(`.site-nav >> text=${link}`);
    await page.waitForFunction((title) => document.title.startsWith(title), title);
    await page.waitForSelector('main h1');
    await page.waitForFunction(() => !document.querySelector('.skeleton'));
  };
  const back = async () => {
    await go('Re-score', 'Re-score');
    await scored(page);
    assert.deepEqual(await names(page), ['answer.csv', named]);
    assert.equal(await page.textContent('.file-table tbody'), before);
    assert.equal(await page.inputValue('select[aria-label="Record of answer.csv"]'), other);
  };
  // A page of the same module; one that another module has, which then stays; and one that it has too.
  for (const [link, title] of [['Overview', 'Overview'], ['AVA', 'Embedding models'], ['Query', 'Query']]) {
    await go(link, title);
    assert.equal(await page.locator('main h1').count(), 1);
    await back();
  }
  assert.equal(await page.locator('.masthead').count(), 1, 'one page has taken the place of the other');
  await page.click('button[aria-label="Remove answer.csv"]');
  await go('AVA', 'Embedding models');
  await go('Re-score', 'Re-score');
  await scored(page);
  assert.deepEqual(await names(page), [named]);
  await page.click(`button[aria-label="Remove ${named}"]`);
  await go('Comparison', 'Comparison');
  await go('Re-score', 'Re-score');
  assert.deepEqual(await names(page), []);
  assert.deepEqual(sent, []);
  assert.deepEqual(faults, []);
  await close();
});

test('whoever goes on while another module comes is not led astray', async () => {
  const { page, faults, close } = await openPage(session, { view: 'score' });
  await drop(page, [{ name: `${question.id}.csv`, text: csv }]);
  await scored(page);
  let hold;
  const held = new Promise((resolve) => { hold = resolve; });
  await page.route('**/explorer-whole_bg.wasm', async (route) => { await held; await route.continue(); });
  await page.click('.site-nav >> text=AVA');
  await page.waitForSelector('main .skeleton');
  await page.click('.site-nav >> text=Query');
  await page.waitForSelector('#sparql');
  await page.click('.site-nav >> text=AVA');
  await page.waitForSelector('main .skeleton');
  await page.click('.site-nav >> text=Re-score');
  await scored(page);
  hold();
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  await scored(page);
  assert.deepEqual(await names(page), [`${question.id}.csv`]);
  assert.equal(await page.locator('.masthead').count(), 1);
  // Nothing of the module that was there before listens any more.
  const devtools = await page.context().newCDPSession(page);
  const { result } = await devtools.send('Runtime.evaluate', { expression: 'window' });
  const { listeners } = await devtools.send('DOMDebugger.getEventListeners', { objectId: result.objectId });
  assert.equal(listeners.filter(({ type }) => type === 'popstate').length, 1);
  await page.goBack();
  await page.waitForSelector('.board tr');
  await page.goBack();
  await page.waitForSelector('#sparql');
  assert.deepEqual(faults, []);
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
