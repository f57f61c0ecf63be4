// The keyboard alone: everything can be reached, seen and used.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage, question, settled, start } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const focused = (page) => page.evaluate(() => {
  const element = document.activeElement;
  return { tag: element.tagName, text: (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 80), id: element.id };
});

test('the first Tab offers to skip to the content', async () => {
  const { page, close } = await openPage(session);
  await page.keyboard.press('Tab');
  assert.equal((await focused(page)).text, 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal((await focused(page)).id, 'content');
  assert.equal(new URL(page.url()).hash, '');
  await close();
});

test('from the overview to an open attempt', async () => {
  const { page, faults, close } = await openPage(session);
  await page.focus('.matrix tbody a');
  await page.keyboard.press('Enter');
  await settled(page);
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  const reached = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    reached.push(now);
    if (now.tag === 'SUMMARY' && await page.evaluate(() => document.activeElement.closest('section')?.matches('[aria-labelledby="attempts-title"]'))) break;
  }
  assert.equal(reached.at(-1).tag, 'SUMMARY', 'Tab reaches the attempts');
  assert.ok(reached.some((one) => one.tag === 'PRE'), 'Tab reaches the query, which scrolls');
  await page.keyboard.press('Enter');
  await page.waitForSelector('details[open] .fold-body h3');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('section[aria-labelledby="attempts-title"] details[open]'));
  assert.deepEqual(faults, []);
  await close();
});

test('what has the focus can be seen', async () => {
  for (const parameters of [{}, { view: 'score' }, { view: 'query', id: question.id }]) {
    const { page, close } = await openPage(session, parameters);
    for (let step = 0; step < 15; step += 1) {
      await page.keyboard.press('Tab');
      const unseen = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === document.body) return null;
        const marked = [element, element.closest('label'), element.closest('.editor')].filter(Boolean)
          .some((one) => getComputedStyle(one).outlineStyle !== 'none');
        return marked ? null : element.outerHTML.slice(0, 120);
      });
      assert.equal(unseen, null);
    }
    await close();
  }
});

test('Tab leaves the query editor and Ctrl+Enter runs it', async () => {
  const { page, close } = await openPage(session, { view: 'query', sparql: 'ASK { }' });
  await page.focus('#sparql');
  await page.keyboard.press('Tab');
  assert.notEqual((await focused(page)).id, 'sparql');
  await page.focus('#sparql');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.results h2');
  assert.match(await page.textContent('.results h2'), /The answer is yes/);
  await close();
});
