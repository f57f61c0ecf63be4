// What a record's page says about its controls and its file: verdicts, the why, ranks beside ranks, the lint.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { analysis, index, openPage, question, record, settled, start, violations } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const { controls } = analysis(question.id);
const keyword = controls.find((one) => one.name.startsWith('B')) ?? controls.at(-1);
const open = { view: 'record', id: question.id, control: keyword.name };

test('every control has its verdict, its figures and what the verdict means', async () => {
  const { page, faults, close } = await openPage(session, { view: 'record', id: question.id });
  const rows = page.locator('[aria-label="Verdicts on the controls"] tbody tr');
  assert.equal(await rows.count(), controls.length);
  for (const [at, { name, comparison, findings }] of controls.entries()) {
    const cells = await rows.nth(at).locator('th, td').allTextContents();
    assert.equal(cells[0], name);
    assert.ok(cells[1].replaceAll(' ', '-').includes(comparison.verdict), cells[1]);
    assert.match(cells[1], /\.$/);
    const [missed, invented, changed] = cells.slice(4, 7).map(Number);
    assert.deepEqual([missed, invented, changed], [comparison.missed, comparison.invented, comparison.changed]);
    assert.equal(cells[3], `${comparison.kept} of ${comparison.key_rows}`);
    const tau = findings.tau_b;
    assert.ok(tau === null ? cells[8] === '–' : Math.abs(Number(cells[8]) - tau) < 0.006, cells[8]);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('an analysis opens by the keyboard, and the address has it', async () => {
  const { page, close } = await openPage(session, { view: 'record', id: question.id });
  const summary = page.locator('#analyses summary', { hasText: keyword.name });
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#analyses details[open] .slope');
  assert.equal(new URL(page.url()).searchParams.get('control'), keyword.name);
  assert.ok(await summary.evaluate((element) => element === document.activeElement));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('#analyses details[open]'));
  assert.equal(new URL(page.url()).searchParams.get('control'), null);
  await close();
});

test('the figures stand against the key with and without its LIMIT', async () => {
  const { page, close } = await openPage(session, open);
  const table = page.locator(`[aria-label="Figures of ${keyword.name}"]`);
  const missed = await table.locator('tr', { hasText: 'missed' }).locator('td').allTextContents();
  const { uncut } = keyword.findings;
  const expected = [keyword.comparison.missed, ...(uncut ? [uncut.missed] : [])];
  assert.deepEqual(missed.map((text) => Number(text.replace(/\s/g, ''))), expected);
  await close();
});

test('every wrong row with a reason says why', async () => {
  const { page, close } = await openPage(session, open);
  const explained = keyword.findings.why.filter((why) => why.reasons.length > 0);
  assert.equal(await page.locator('#analyses .why > li').count(), explained.length);
  const missed = explained.find((why) => why.fate === 'missed' && why.reasons[0].path.length > 1);
  if (missed) {
    const path = missed.reasons[0].path.map((step) => step.label);
    const item = page.locator('#analyses .why > li', { hasText: missed.reasons[0].name }).first();
    const steps = await item.locator('.path').first().locator('li > span:first-child').allTextContents();
    assert.deepEqual(steps, path);
    // The name of a missed row tells nothing; its first step says so to those who do not see it.
    assert.match(await item.locator('.path li').first().textContent(), /the name does not tell/);
  }
  const invented = explained.find((why) => why.fate === 'invented' && why.reasons[0].matched);
  if (invented) {
    const { before, matched, after } = invented.reasons[0].matched;
    const name = page.locator('#analyses .because', { hasText: `${before}${matched}${after}` }).first();
    assert.equal(await name.locator('mark').first().textContent(), matched);
  }
  assert.ok(missed || invented, 'the question has a row with a reason');
  await close();
});

test('ranks stand beside ranks, in a picture that says in words what it shows', async () => {
  const { page, close } = await openPage(session, open);
  const picture = page.locator('#analyses .slope-picture');
  assert.equal(await picture.getAttribute('role'), 'img');
  const label = await picture.getAttribute('aria-label');
  const { fates } = keyword.comparison;
  for (const row of fates.filter((one) => one.fate === 'kept' || one.fate === 'changed')) {
    assert.ok(label.includes(`${row.key_rank} to ${row.control_rank}`), label);
  }
  const inBoth = fates.filter((one) => one.fate === 'kept' || one.fate === 'changed');
  assert.equal(await picture.locator('line').count(), inBoth.length);
  assert.equal(await picture.locator('.slope-left .slope-end').count(), fates.filter((one) => one.key_rank && !['invented', 'below-cut'].includes(one.fate)).length);
  // A line ends at the height of the name that it belongs to.
  if (inBoth.length > 0) {
    const [row] = inBoth;
    const at = await picture.evaluate((element, rank) => {
      const line = element.querySelector('line').getBoundingClientRect();
      const name = element.querySelectorAll('.slope-left .slope-end')[rank - 1].getBoundingClientRect();
      return { ends: [line.top, line.bottom], middle: (name.top + name.bottom) / 2 };
    }, row.key_rank);
    assert.ok(at.ends.some((end) => Math.abs(end - at.middle) < 3), JSON.stringify(at));
  }
  await close();
});

test('an analysis is accessible at both widths and in both themes', async () => {
  for (const control of controls) {
    for (const [width, scheme] of [[360, 'light'], [1600, 'dark']]) {
      const { page, faults, close } = await openPage(session, { ...open, control: control.name, line: 0 }, { width, scheme });
      assert.deepEqual(await violations(page), []);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wider <= 0, `${wider} px wider than the screen`);
      assert.deepEqual(faults, []);
      await close();
    }
  }
});

/** The site with another answer for one of its files. */
async function instead(session, parameters, path, answer) {
  const opened = await openPage(session, { view: 'about' });
  await opened.page.route(`**/${path}`, answer);
  await opened.page.goto(`${session.url}?${new URLSearchParams(parameters)}`);
  return opened;
}
const json = (value) => (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(value) });

const path = record(question.id).analysis;
const { query_line: first } = record(question.id);
/** The question's analysis with a finding of each severity. */
const linted = () => {
  const page = analysis(question.id);
  const finding = (line, rule, severity) => ({
    file: page.file, line, column: 3, end_column: 9, rule, severity, message: `what <${severity}> says`, remedy: 'what to do',
  });
  page.lint = {
    file: page.file,
    findings: [finding(1, 'limit-unstated', 'error'), finding(first, 'order-missing', 'warning'), finding(first + 1, 'unknown-key', 'note')],
    allowed: [{ finding: finding(2, 'columns-disagree', 'warning'), reason: 'asked for by the registry' }],
    silent: [{ rule: 'dead-variable', why: 'no endpoint' }, { rule: 'cross-product', why: 'no endpoint' }],
  };
  return page;
};

test('findings lead to their place in the file and to their rule', async () => {
  const { page, faults, close } = await instead(session, { view: 'record', id: question.id }, path, json(linted()));
  const rows = page.locator('[aria-label="Findings of the lint"] tbody tr');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 3);
  const text = await rows.allTextContents();
  assert.match(text[0], /error.*limit-unstated.*line 1, column 3.*What <error> says\..*What to do\./);
  const section = page.locator('section[aria-labelledby="lint-title"]');
  assert.match(await section.textContent(), /asked for by the registry/);
  assert.match(await section.textContent(), /dead-variable, cross-product: no endpoint/);
  assert.match(await section.locator('summary').textContent(), /1 error, 1 warning, 1 note/);

  await rows.nth(1).locator('td a').last().click();
  const line = first;
  await page.waitForFunction((id) => document.activeElement?.id === id, `line-${line}`);
  assert.equal(new URL(page.url()).searchParams.get('line'), String(line));
  assert.equal(await page.locator(`#line-${line}`).getAttribute('aria-current'), 'true');
  const lines = analysis(question.id).source.split('\n');
  assert.equal((await page.locator(`#line-${line}`).textContent()).trimEnd(), lines[line - 1].trimEnd());
  assert.equal(await page.locator(`#line-${line} mark`).first().evaluate((element) => element.className), 'finding warning');
  assert.deepEqual(await violations(page), []);

  await rows.first().locator('td a').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'rule-limit-unstated');
  assert.equal(await page.textContent('main h1'), 'What the lint looks for');
  assert.deepEqual(faults, []);
  await close();
});

test('a record without findings says so', async () => {
  const clean = { ...analysis(question.id), lint: { file: 'x.rq', findings: [], allowed: [], silent: [] } };
  const { page, close } = await instead(session, { view: 'record', id: question.id }, path, json(clean));
  await settled(page);
  assert.match(await page.textContent('section[aria-labelledby="lint-title"]'), /nothing found/);
  await close();
});

test('every rule of the lint is explained, and one that is none says so', async () => {
  const { page, faults, close } = await openPage(session, { view: 'rules', rule: 'order-missing' });
  await page.waitForFunction(() => document.activeElement?.id === 'rule-order-missing');
  assert.ok(await page.locator('.rule').count() > 15);
  await page.locator('#rule-order-missing summary').first().click();
  assert.match(await page.textContent('#rule-order-missing details[open] pre'), /SELECT/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
  const none = await openPage(session, { view: 'rules', rule: 'no such <rule>' });
  await none.page.waitForFunction(() => document.activeElement?.tagName === 'P');
  assert.match(await none.page.evaluate(() => document.activeElement.textContent), /no such <rule> is what the reader/);
  await none.close();
});

test('a file of another version, a broken one and a missing one are told apart', async () => {
  const pages = { [`results/records/${question.id}.json`]: record(question.id), [path]: analysis(question.id) };
  for (const [file, value] of Object.entries(pages)) {
    const said = async (answer) => {
      const opened = await instead(session, { view: 'record', id: question.id }, file, answer);
      await opened.page.waitForSelector('.problem');
      const text = await opened.page.textContent('.problem');
      await opened.close();
      return text;
    };
    assert.match(await said(json({ ...value, format: 1 })), /in format 1, this build reads format 2/);
    assert.match(await said((route) => route.fulfill({ body: '{"format": 2, "entry"' })), /not what this page reads.*line 1/s);
    assert.match(await said((route) => route.fulfill({ status: 404 })), /404/);
  }
});

test('without its analysis a record still shows its key and its attempts', async () => {
  const { page, close } = await instead(session, { view: 'record', id: question.id }, path, (route) => route.fulfill({ status: 404 }));
  await page.waitForSelector('.problem');
  assert.ok(await page.locator('[aria-label="Key and controls, row by row"] tbody tr').count() > 0);
  assert.ok(await page.locator('section[aria-labelledby="attempts-title"] summary').count() > 0);
  await close();
});

test('an index of another version is an error on every view', async () => {
  for (const view of ['record', 'compare', 'rules']) {
    const { page, close } = await instead(session, { view, id: question.id }, 'results/index.json', json({ ...index, format: 1 }));
    await page.waitForSelector('.problem');
    assert.match(await page.textContent('.problem'), /in format 1, this build reads format 2/);
    await close();
  }
});
