// Queries from the page: the engine, endpoints, and everything that can go wrong with them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { openPage, question, record, start } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const run = (page) => page.click('button:text-is("Run")');
const heading = async (page) => { await page.waitForSelector('.results h2'); return page.textContent('.results h2'); };

/** An endpoint that answers each request with `reply(request, body)`; CORS is allowed unless it says otherwise. */
async function endpoint(reply) {
  const seen = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => { body += piece; });
    request.on('end', () => {
      seen.push({ method: request.method, body, type: request.headers['content-type'] });
      const { status = 200, headers = {}, text = '', hang = false } = reply(request, body);
      if (hang) return;
      response.writeHead(status, { 'access-control-allow-origin': '*', ...headers });
      response.end(text);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/sparql`, seen, close: () => { server.closeAllConnections(); server.close(); } };
}

const rows = { headers: { 'content-type': 'application/sparql-results+json' }, text: '{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"one"}}]}}' };

/** Opens the query view on an endpoint, runs, and hands over the page. */
async function ask(url, sparql = 'SELECT ?x WHERE { ?x ?y ?z }') {
  const opened = await openPage(session, { view: 'query', sparql, endpoint: url }, { allow: [new URL(url).origin] });
  await run(opened.page);
  return opened;
}

test('the key in the engine gives the stored rows', async () => {
  const { page, faults, close } = await openPage(session, { view: 'query', id: question.id });
  await run(page);
  assert.match(await heading(page), new RegExp(`^${question.key_rows} rows in`));
  const first = JSON.parse(record(question.id).key.rows);
  const name = Object.values(first.results.bindings[0]).find((cell) => cell.type === 'literal').value;
  assert.match(await page.textContent('.results table'), new RegExp(name));
  assert.match(await page.textContent('.results'), /Reconstruction/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download CSV')]);
  assert.equal(download.suggestedFilename(), 'result.reconstruction.csv');
  const csv = readFileSync(await download.path(), 'utf8');
  assert.equal(csv.trimEnd().split('\n').length, question.key_rows + 1);
  const [json] = await Promise.all([page.waitForEvent('download'), page.click('text=Download JSON')]);
  assert.equal(JSON.parse(readFileSync(await json.path(), 'utf8')).provenance.kind, 'reconstruction');
  assert.deepEqual(faults, []);
  await close();
});

test('a control runs from its record', async () => {
  const control = record(question.id).controls.find((one) => one.comparison.rows > 0);
  const { page, close } = await openPage(session, { view: 'query', id: question.id, control: control.name });
  await page.waitForFunction(() => document.querySelector('#sparql').value !== '');
  await run(page);
  assert.match(await heading(page), new RegExp(`^${control.comparison.rows} rows`));
  await close();
});

test('what is no query is shown where it is wrong', async () => {
  const { page, close } = await openPage(session, { view: 'query', sparql: 'SELECT ?x\nWHERE { ?x ?y }' });
  await run(page);
  await page.waitForSelector('#problem');
  assert.match(await page.textContent('#problem'), /not a SPARQL query/);
  await page.click('#problem >> text=Go to line 2');
  assert.ok(await page.evaluate(() => document.activeElement.id === 'sparql' && document.activeElement.selectionStart > 9));
  await close();
});

test('a running query is cancelled and the next one still runs', async () => {
  const slow = 'SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?a ?b ?c . ?d ?e ?f . ?h ?i ?j } }';
  const { page, close } = await openPage(session, { view: 'query', sparql: slow });
  await run(page);
  await page.waitForFunction(() => /answering/.test(document.querySelector('.run-line').textContent), null, { timeout: 60_000 });
  await page.click('button:text-is("Cancel")');
  await page.waitForSelector('#problem');
  assert.match(await page.textContent('#problem'), /Cancelled/);
  await page.fill('#sparql', 'ASK { }');
  await run(page);
  assert.match(await heading(page), /The answer is yes/);
  await close();
});

test('a closed port is never "no results" (E6)', async () => {
  const closed = await endpoint(() => rows);
  closed.close();
  const { page, close } = await ask(closed.url, "ASK { ?s ?p 'it' }");
  await page.waitForSelector('#problem');
  const text = await page.textContent('#problem');
  assert.match(text, /No reply came back/);
  assert.match(text, /CORS/);
  assert.match(text, /server is down/);
  assert.match(text, /curl --fail-with-body/);
  assert.doesNotMatch(await page.textContent('.results'), /no results|no row|0 rows/i);
  assert.match(await page.getAttribute('#problem a', 'href'), /\?query=ASK/);
  await close();
});

test('a server that does not allow other pages is among the causes, too (E6)', async () => {
  const there = await endpoint(() => ({ ...rows, headers: { 'access-control-allow-origin': 'https://elsewhere.example' } }));
  const { page, close } = await ask(there.url);
  await page.waitForSelector('#problem');
  assert.match(await page.textContent('#problem'), /Access-Control-Allow-Origin/);
  there.close();
  await close();
});

test('an empty reply is an error (E7)', async () => {
  const there = await endpoint(() => ({ headers: { 'content-length': '0', 'content-type': 'application/sparql-results+json' } }));
  const { page, close } = await ask(there.url);
  await page.waitForSelector('#problem');
  assert.match(await page.textContent('#problem'), /empty/i);
  there.close();
  await close();
});

test('an HTTP error shows what the endpoint says (E5, Q6)', async () => {
  const there = await endpoint(() => ({ status: 400, headers: { 'content-type': 'text/plain' }, text: 'undefined prefix at line 1' }));
  const { page, close } = await ask(there.url);
  await page.waitForSelector('#problem');
  assert.match(await page.textContent('#problem'), /400/);
  assert.match(await page.textContent('#problem'), /undefined prefix at line 1/);
  there.close();
  await close();
});

test('a long query goes by POST, form-encoded, without a preflight (E8)', async () => {
  const there = await endpoint(() => rows);
  const sparql = `SELECT ?x WHERE { ?x ?y ?z } # ${'x'.repeat(9_000)}`;
  const { page, faults, close } = await ask(there.url, sparql);
  assert.match(await heading(page), /^1 row in/);
  assert.equal(there.seen.length, 1);
  assert.equal(there.seen[0].method, 'POST');
  assert.match(there.seen[0].type, /^application\/x-www-form-urlencoded/);
  assert.equal(new URLSearchParams(there.seen[0].body).get('query'), sparql);
  assert.deepEqual(faults, []);
  there.close();
  await close();
});

test('an endpoint that says that it is a reconstruction gets the badge, and its downloads the word', async () => {
  const names = 'x-okn-server, x-okn-kind, x-okn-release';
  const note = { 'x-okn-server': 'embedded-reconstruction', 'x-okn-kind': 'reconstruction', 'x-okn-release': '2026-11', 'access-control-expose-headers': names };
  const there = await endpoint(() => ({ ...rows, headers: { ...rows.headers, ...note } }));
  const { page, faults, close } = await ask(there.url);
  assert.match(await heading(page), /^1 row in/);
  assert.equal(await page.locator('.results .badge.reconstruction').count(), 1);
  assert.match(await page.textContent('.results .note'), /calls itself embedded-reconstruction, release 2026-11/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download CSV')]);
  assert.match(download.suggestedFilename(), /reconstruction/);
  assert.deepEqual(faults, []);
  there.close();
  await close();
});

test('an endpoint that says nothing of the kind gets no badge', async () => {
  const there = await endpoint(() => rows);
  const { page, close } = await ask(there.url);
  assert.match(await heading(page), /^1 row in/);
  assert.equal(await page.locator('.results .badge').count(), 0);
  there.close();
  await close();
});

test('waiting for an endpoint can be cancelled', async () => {
  const there = await endpoint(() => ({ hang: true }));
  const { page, close } = await ask(there.url);
  await page.waitForFunction(() => /waiting/.test(document.querySelector('.run-line').textContent));
  await page.click('button:text-is("Cancel")');
  await page.waitForSelector('#problem');
  assert.match(await page.textContent('#problem'), /Cancelled/);
  there.close();
  await close();
});

test('the live federation is offered and not contacted', async () => {
  const { page, faults, close } = await openPage(session, { view: 'query', id: question.id });
  await page.check('#ask-live');
  await page.waitForFunction(() => location.search.includes('apps.okn.us'));
  await page.waitForTimeout(300);
  assert.deepEqual(faults, []);
  await close();
});
