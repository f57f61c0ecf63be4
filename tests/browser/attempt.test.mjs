// An attempt in full: its calls along time, how its terms were chosen, and its file, which is read when it opens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openPage, question, record, settled, site, start, violations } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const entry = record(question.id).attempts.find((one) => one.metrics.calls > 0);
const file = JSON.parse(readFileSync(join(site, entry.file), 'utf8'));
const place = { view: 'record', id: question.id, agent: entry.agent, attempt: entry.n };

/** The attempt's page, with another answer for its file. */
async function openAttempt(answer, options) {
  const opened = await openPage(session, { view: 'about' }, options);
  if (answer) await opened.page.route(`**/${entry.file}`, answer);
  await opened.page.goto(`${session.url}?${new URLSearchParams(place)}`);
  await opened.page.waitForSelector('details[open] .fold-body h3, details[open] .problem');
  return opened;
}
const json = (value) => (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(value) });

test('the file of an attempt is read when the attempt opens, and not before', async () => {
  const opened = await openPage(session, { view: 'about' });
  const asked = [];
  opened.page.on('request', (request) => asked.push(request.url()));
  await opened.page.goto(`${session.url}?view=record&id=${question.id}`);
  await settled(opened.page);
  assert.ok(!asked.some((url) => url.includes('/attempts/')));
  await opened.page.click('section[aria-labelledby="attempts-title"] summary');
  await opened.page.waitForSelector('details[open] .fold-body h3');
  assert.equal(asked.filter((url) => url.includes('/attempts/')).length, 1);
  await opened.close();
});

test('how terms were chosen, with the calls behind it', async () => {
  const { page, faults, close } = await openAttempt();
  const body = await page.textContent('details[open] .fold-body');
  const shown = Object.values(file.metrics.evidence_calls).filter((calls) => calls.length > 0);
  for (const calls of shown) assert.match(body, new RegExp(`calls? ${calls.join(', ')}`));
  assert.ok(shown.length > 0);
  assert.deepEqual(faults, []);
  await close();
});

/** An attempt in which everything happened that a call can tell. */
const eventful = () => {
  const call = (sequence, more) => ({
    sequence, tool: 'query', arguments: { query: `SELECT ?n${sequence} { }`, limit: 5 }, start_ms: 1000 * sequence, duration_ms: 500,
    is_error: false, reply_bytes: 64, session_reset: false, answered_by: 'upstream', ...more,
  });
  return {
    ...file,
    calls: [
      call(1),
      call(2, { soft_error: { kind: 'partial-result', message: 'stopped <early>', rule: 'error-member' } }),
      call(3, { is_error: true, error: 'no such graph', answered_by: 'timed-out' }),
      call(4, { expansion: { term: 'http://purl.obolibrary.org/obo/MONDO_0004995', terms: 1628 }, session_reset: true }),
      call(5, { tool: 'submit_csv', arguments: { csv: 'a,b\n1,2\n' }, answered_by: 'harness' }),
    ],
    metrics: { ...file.metrics, evidence_calls: { 'literal-term': [1], 'server-rewrite': [4] } },
  };
};

test('every call says when it was, what came back and with what', async () => {
  const { page, faults, close } = await openAttempt(json(eventful()));
  const text = await page.locator('.calls tbody tr').allTextContents();
  assert.equal(text.length, 5);
  assert.match(text[0], /chose by the term itself/);
  assert.match(text[0], /limit: 5/);
  assert.match(text[1], /soft error.*stopped <early>.*partial-result, by the rule error-member/);
  assert.match(text[2], /error.*no such graph.*no answer within the time limit/);
  assert.match(text[3], /expanded MONDO:0004995 into 1.628 terms on its own.*opened anew/);
  assert.match(text[4], /answered by the harness/);
  // Later calls stand further right.
  const starts = await page.locator('.timeline rect').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left - one.parentElement.getBoundingClientRect().left));
  assert.deepEqual(starts, starts.toSorted((a, b) => a - b));
  await page.locator('.calls tbody tr').nth(1).locator('summary').first().click();
  assert.match(await page.textContent('.calls details[open] .sparql'), /SELECT \?n2/);
  assert.deepEqual(faults, []);
  await close();
});

test('an attempt is accessible at both widths and in both themes', async () => {
  for (const [width, scheme] of [[360, 'dark'], [1600, 'light']]) {
    const { page, close } = await openAttempt(json(eventful()), { width, scheme });
    assert.deepEqual(await violations(page), []);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wider <= 0, `${wider} px wider than the screen`);
    await close();
  }
});

test('a file that is missing, broken or of another version is an error in its place alone', async () => {
  for (const [answer, words] of [
    [(route) => route.fulfill({ status: 404 }), /404/],
    [(route) => route.fulfill({ body: '{"format": 2' }), /not what this page reads/],
    [json({ ...file, format: 1 }), /in format 1, this build reads format 2/],
  ]) {
    const { page, close } = await openAttempt(answer);
    assert.match(await page.textContent('details[open] .problem'), words);
    assert.ok(await page.locator('.sparql').count() > 0, 'the rest of the page is there');
    await close();
  }
});
