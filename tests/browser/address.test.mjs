// The address is the state: a link opens the same view, and back and forward go through the views.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address, index, openPage, question, record, settled, start } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

test('back and forward, titles and focus', async () => {
  const { page, faults, close } = await openPage(session);
  assert.equal(await page.title(), 'Overview · okn-benchmark');

  await page.click(`.matrix th a[href="?view=record&id=${question.id}"]`);
  await settled(page);
  assert.equal(await page.title(), `${question.id} · okn-benchmark`);
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  assert.equal(await page.textContent('main h1'), question.id);

  await page.click('.site-nav >> text=Query');
  await page.waitForSelector('#sparql');
  await page.goBack();
  await settled(page);
  assert.equal(await page.textContent('main h1'), question.id);
  await page.goForward();
  await page.waitForSelector('#sparql');
  await page.goBack();
  await page.goBack();
  await settled(page);
  assert.equal(await page.title(), 'Overview · okn-benchmark');
  assert.deepEqual(faults, []);
  await close();
});

test('a rarer view comes with a module of its own, which then has all of them', async () => {
  const { page, faults, close } = await openPage(session);
  const modules = [];
  page.on('request', (request) => { if (request.url().endsWith('.wasm')) modules.push(request.url().split('/').at(-1)); });
  await page.click('.site-nav >> text=Comparison');
  await page.waitForFunction(() => document.title.startsWith('Comparison'));
  await settled(page);
  assert.ok(modules.includes('explorer-whole_bg.wasm'), modules.join());
  const loads = modules.filter((name) => name === 'explorer-whole_bg.wasm').length;
  await page.click('.site-nav >> text=AVA');
  await page.waitForSelector('.board tr');
  await page.goBack();
  await page.goBack();
  await settled(page);
  assert.equal(await page.title(), 'Overview · okn-benchmark');
  assert.equal(modules.filter((name) => name === 'explorer-whole_bg.wasm').length, loads);
  assert.deepEqual(faults, []);
  await close();
});

test('a module that does not come is told', async () => {
  const { page, close } = await openPage(session);
  await page.route('**/explorer-whole.js', (route) => route.abort());
  await page.goto(session.url + address({ view: 'ava' }));
  assert.match(await page.textContent('[role="alert"]'), /could not be loaded .*still being served/s);
  await close();
});

test('an open attempt is in the address', async () => {
  const first = record(question.id).attempts[0];
  const { page, close } = await openPage(session, { view: 'record', id: question.id });
  await page.click('section[aria-labelledby="attempts-title"] summary');
  await page.waitForSelector('details[open] .answer-text, details[open] .empty');
  const copied = new URL(page.url());
  assert.equal(copied.searchParams.get('agent'), first.agent);
  await close();

  const again = await openPage(session, Object.fromEntries(copied.searchParams));
  await again.page.waitForSelector('details[open] .fold-body h3');
  assert.match(await again.page.textContent('details[open] summary'), new RegExp(first.agent));
  await again.close();
});

test('a query of one’s own and its endpoint are in the address', async () => {
  const sparql = 'SELECT (1 AS ?one) WHERE { } # é & +';
  const { page, close } = await openPage(session, { view: 'query' });
  await page.fill('#sparql', sparql);
  await page.check('#ask-other');
  await page.fill('input[type="url"]', 'http://127.0.0.1:9/sparql');
  await page.waitForFunction(() => location.search.includes('sparql=') && location.search.includes('127.0.0.1'));
  const copied = new URL(page.url());
  await close();

  const again = await openPage(session, Object.fromEntries(copied.searchParams));
  assert.equal(await again.page.inputValue('#sparql'), sparql);
  assert.equal(await again.page.inputValue('input[type="url"]'), 'http://127.0.0.1:9/sparql');
  await again.close();
});

test('a control is in the address', async () => {
  const control = record(question.id).controls.at(-1);
  const { page, close } = await openPage(session, { view: 'query', id: question.id, control: control.name });
  await page.waitForFunction((text) => document.querySelector('#sparql').value === text, control.query);
  assert.equal(await page.inputValue('#query-which'), control.name);
  await close();
});

test('an unknown record says what is missing', async () => {
  const { page, close } = await openPage(session, { view: 'record', id: 'no-such_record' });
  assert.match(await page.textContent('.problem'), /404/);
  await close();
});

test('every cell of the overview leads to its attempts', async () => {
  const { page, close } = await openPage(session);
  const cells = await page.locator('.matrix .cell').count();
  assert.equal(cells, index.cells.length);
  await page.locator('.matrix .cell').last().click();
  await page.waitForSelector('details[open]');
  await close();
});
