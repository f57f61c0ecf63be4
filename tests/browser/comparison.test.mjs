// Sweeps side by side: shares with their intervals, obedience apart, differences, what may not be compared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { index, openPage, question, settled, site, start, violations } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const published = () => JSON.parse(readFileSync(join(site, index.comparison), 'utf8'));

/** The comparison, with another file in its place where `change` makes one. */
async function openComparison(parameters = {}, { change, answer, width, scheme } = {}) {
  const opened = await openPage(session, { view: 'about' }, { width, scheme });
  const other = answer ?? (change && ((route) => {
    const value = published();
    change(value);
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify(value) });
  }));
  if (other) await opened.page.route(`**/${index.comparison}`, other);
  await opened.page.goto(`${session.url}?${new URLSearchParams({ view: 'compare', ...parameters })}`);
  await settled(opened.page);
  await opened.page.waitForSelector('.sheet, .problem, .empty');
  return opened;
}
const rows = (page, label) => page.locator(`[aria-label="${label}"] tbody tr`);

test('every sweep stands with its share, its interval and its dot', async () => {
  const { page, faults, close } = await openComparison();
  assert.equal(await page.title(), 'Comparison · okn-benchmark');
  const arms = published().arms.filter((one) => one.arm === 'expand');
  const table = rows(page, 'Right answers, Questions');
  assert.equal(await table.count(), arms.length);
  for (const [at, { run, figures }] of arms.entries()) {
    const cells = await table.nth(at).locator('th, td').allTextContents();
    const { hits, of, low, high } = figures.right;
    assert.equal(cells[0], run);
    assert.equal(cells[2], `${hits}/${of}`);
    assert.equal(cells[3], `${low.toFixed(2)}–${high.toFixed(2)}`);
    // The dot and its whiskers stand where the figures say.
    const svg = table.nth(at).locator('svg');
    const share = (text) => Number.parseFloat(text) / 100;
    assert.ok(Math.abs(share(await svg.locator('.dot').getAttribute('cx')) - hits / of) < 1e-3);
    const whisker = svg.locator('.whisker').first();
    assert.ok(Math.abs(share(await whisker.getAttribute('x1')) - low) < 1e-3);
    assert.ok(Math.abs(share(await whisker.getAttribute('x2')) - high) < 1e-3);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('obedience stands apart from the score as published elsewhere', async () => {
  const { page, close } = await openComparison();
  const told = published().arms.filter((one) => one.figures.obedience);
  const table = rows(page, 'Obedience, apart from breakage');
  assert.equal(await table.count(), told.length);
  for (const [at, { figures }] of told.entries()) {
    const cells = await table.nth(at).locator('td').allTextContents();
    const { obeyed, disobeyed, unproven } = figures.obedience;
    assert.deepEqual(
      [cells[1], cells[3], cells[4], cells[6]],
      [`${obeyed.hits}/${obeyed.of}`, String(disobeyed), String(unproven), `${figures.raw_exact.hits}/${figures.raw_exact.of}`],
    );
  }
  await close();
});

test('outcomes, evidence and what it took are there for each arm', async () => {
  const { page, close } = await openComparison();
  for (const what of ['How attempts ended', 'How terms were chosen', 'What it took']) {
    for (const arm of ['Questions', 'Compliance']) assert.ok(await rows(page, `${what}, ${arm}`).count() > 0, `${what}, ${arm}`);
  }
  for (const record of index.records) assert.ok(await page.locator(`.sheet a[href="?view=record&id=${record.id}"]`).count() > 0, record.id);
  await close();
});

test('the differences of one sweep are chosen by keyboard and kept in the address', async () => {
  const { page, faults, close } = await openComparison();
  const { pairs, runs } = published();
  const ofArm = pairs.filter((pair) => pair.arm === 'expand');
  assert.equal(await rows(page, 'Differences, Questions').count(), ofArm.length);
  const chosen = runs.at(-1).id;
  const select = page.locator('#compare-with');
  await select.focus();
  await page.keyboard.press('End');
  await page.waitForFunction((run) => new URL(location.href).searchParams.get('with') === run, chosen);
  await page.waitForFunction((count) => document.querySelectorAll('[aria-label="Differences, Questions"] tbody tr').length === count, runs.length - 1);
  assert.ok(await select.evaluate((element) => element === document.activeElement), 'the focus stays');
  for (const first of await rows(page, 'Differences, Questions').locator('th').allTextContents()) assert.ok(first.startsWith(`${chosen} − `), first);
  const address = new URL(page.url());
  await close();

  const again = await openComparison(Object.fromEntries(address.searchParams));
  assert.equal(await again.page.locator('#compare-with').inputValue(), chosen);
  assert.equal(await rows(again.page, 'Differences, Questions').count(), runs.length - 1);
  const [pair] = ofArm.filter(({ second }) => second === chosen);
  const row = rows(again.page, 'Differences, Questions').filter({ hasText: `${chosen} − ${pair.first}` });
  const cells = await row.locator('td').allTextContents();
  assert.equal(cells[5], String(pair.mcnemar.second_only));
  assert.equal(cells[6], String(pair.mcnemar.first_only));
  assert.deepEqual(faults, []);
  await again.close();
});

test('what became of each record stands first where an earlier sweep was given', async () => {
  const rate = (hits) => ({ hits, of: 1, rate: hits, low: 0.1, high: 0.9 });
  const change = (record, way, before, now) => ({
    run: 'a', record, arm: 'expand', way, before: rate(before), now: rate(now), right: now - before, f1: null,
  });
  const { page, faults, close } = await openComparison({}, {
    change: (value) => { value.changes = [change(question.id, 'regressed', 1, 0), change('nde-expand_other', 'unchanged', 1, 1)]; },
  });
  assert.equal(await page.locator('main h2').first().textContent(), 'Since the earlier sweep');
  const table = rows(page, 'Against the earlier sweep');
  assert.equal(await table.count(), 2);
  assert.match(await table.first().textContent(), /regressed.*1\/1.*0\/1.*-1/);
  await table.first().locator('a').click();
  await settled(page);
  assert.equal(await page.textContent('main h1'), question.id);
  assert.deepEqual(faults, []);
  await close();
});

test('what is mixed is marked', async () => {
  const { page, close } = await openComparison({}, {
    change: (value) => { value.mixed = [{ what: 'server-build', values: [{ value: 'v1', runs: ['a'] }, { value: null, runs: ['b'] }] }]; },
  });
  assert.match(await page.textContent('main .problem'), /not comparable.*server build: v1 \(a\); not known \(b\)/s);
  assert.deepEqual(await violations(page), []);
  await close();
});

test('a reconstruction says so', { skip: index.provenance.kind !== 'reconstruction' }, async () => {
  const { page, close } = await openComparison();
  assert.equal(await page.locator('main .badge.reconstruction').count(), 1);
  await close();
});

test('a file of another version, a broken one and a missing one are told apart', async () => {
  const said = async (options) => {
    const { page, close } = await openComparison({}, options);
    const text = await page.textContent('main .problem');
    await close();
    return text;
  };
  assert.match(await said({ change: (value) => { value.format = 9; } }), /in format 9, this build reads format 1/);
  assert.match(await said({ answer: (route) => route.fulfill({ body: '{"format"' }) }), /not what this page reads/);
  assert.match(await said({ answer: (route) => route.fulfill({ status: 404 }) }), /404/);
});

test('a bundle without a comparison says so', async () => {
  const opened = await openPage(session, { view: 'about' });
  const body = JSON.stringify({ ...index, comparison: null, rules: null });
  await opened.page.route('**/results/index.json', (route) => route.fulfill({ contentType: 'application/json', body }));
  for (const view of ['compare', 'rules']) {
    await opened.page.goto(`${session.url}?view=${view}`);
    await opened.page.waitForSelector('main .empty');
    assert.match(await opened.page.textContent('main .empty'), /published without/);
  }
  await opened.close();
});

test('the same figures lie beside it as files', async () => {
  const { page, close } = await openComparison();
  const links = await page.locator('main a[href$=".csv"], main a[href$=".md"], main a[href$=".json"]').evaluateAll((all) => all.map((link) => link.href));
  assert.equal(links.length, 5);
  for (const link of links) assert.equal((await page.request.get(link)).status(), 200, link);
  await close();
});
