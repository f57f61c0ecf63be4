// AVA: the leaderboard with its label on every figure, triplets scored in the page, and what a model gets wrong.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { address, drop, index, openPage, settled, site, start, violations } from './harness.mjs';

let session;
before(async () => { session = await start(); });
after(() => session.stop());

const file = (path) => readFileSync(join(site, path), 'utf8');
const board = JSON.parse(file(index.ava.board));
/** What was published with the site: results on triplets, and downstream ones. */
const judgedModels = board.results.filter(({ result }) => result.test);
const downstream = board.results.filter(({ result }) => !result.test);
const rows = (page) => page.locator('.board tbody tr[id]');
const cells = (page, column) => page.locator(`.board tbody tr[id] > :nth-child(${column})`).allTextContents();
/** The sets by which the table is divided, with the figures of a column of each. */
const groups = (page, column) => page.$$eval('.board tbody', (groups, column) => groups.map((group) => [
  group.querySelector('.group strong').textContent,
  [...group.querySelectorAll(`tr[id] > :nth-child(${column})`)].map((cell) => Number.parseFloat(cell.textContent)),
]), column);
const PUBLISHED_SET = 'AVA\'s test set';
const [accuracy, hard, figures] = [3, 4, 5];
const list = (page) => page.locator('.triplet');

/** A triplet as AVA writes it. */
const triplet = (n, more = {}) => ({
  anchor: `every heart ${n} is an organ`, positive: `hearts ${n} belong to the organs here`, negative: `every organ ${n} is an heart`, ...more,
});
/** A judged triplet, right or wrong by `margin`. */
const judged = (n, margin) => triplet(n, {
  anchor_positive: 0.5 + margin / 2, anchor_negative: 0.5 - margin / 2, positive_negative: 0.25, perturbation: margin < 0 ? 'hierarchy-inversion' : 'sibling-swap',
});

test('every row says where its figures come from, published ones with their source', async () => {
  const { page, faults, close } = await openPage(session, { view: 'ava' });
  assert.equal(await page.title(), 'Embedding models on AVA · okn-benchmark');
  assert.equal(await rows(page).count(), 41 + judgedModels.length);
  const labels = await cells(page, figures);
  assert.equal(labels.filter((label) => label === 'published').length, 41);
  assert.equal(labels.filter((label) => label === 'ours').length, judgedModels.length);
  assert.match(await page.textContent('main'), /Published figures: .*doi:10\.1145\/3799682\.3840036/);
  assert.equal(await page.locator('.site-nav [aria-current]').textContent(), 'AVA');
  for (const { result } of judgedModels) {
    const row = rows(page).filter({ hasText: result.run.model });
    assert.ok((await row.textContent()).includes(result.test.triplet_accuracy.toFixed(3)));
    assert.match(await row.textContent(), /ours/);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('a heading sorts, turns round, and keeps the focus', async () => {
  const { page, close } = await openPage(session, { view: 'ava' });
  const sorted = async (column) => (await groups(page, column)).map(([, figures]) => figures.filter((figure) => !Number.isNaN(figure)));
  const isFalling = (numbers) => numbers.every((number, at) => at === 0 || number <= numbers[at - 1]);
  const falling = (groups) => groups.length > 1 && groups.every(isFalling);
  assert.ok(falling(await sorted(accuracy)), 'the best model of each set comes first');
  await page.focus('#sort-hard');
  await page.keyboard.press('Enter');
  await page.waitForSelector('th[aria-sort="descending"] #sort-hard');
  assert.ok(falling(await sorted(hard)));
  assert.equal(new URL(page.url()).searchParams.get('sort'), '-hard');
  await page.waitForFunction(() => document.activeElement?.id === 'sort-hard');
  await page.keyboard.press('Enter');
  await page.waitForSelector('th[aria-sort="ascending"] #sort-hard');
  assert.ok(falling((await sorted(hard)).map((figures) => figures.reverse())));
  await page.goBack();
  await page.waitForSelector('th[aria-sort="descending"] #sort-hard');
  await close();
});

test('models are chosen by words, architecture, figures and tuning, and the address says so', async () => {
  const { page, close } = await openPage(session, { view: 'ava' });
  const shown = (count) => page.waitForFunction((count) => document.querySelectorAll('.board tbody tr[id]').length === count, count);
  await page.fill('#text', 'minilm hyperbolic');
  await shown(5);
  await page.selectOption('#tuning', 'pre-trained');
  await page.waitForSelector('.empty');
  assert.match(await page.textContent('#count'), /^0 of/);
  await page.fill('#text', '');
  await page.selectOption('#architecture', 'Qwen3');
  await shown(3);
  await page.selectOption('#tuning', '');
  await shown(6);
  await page.selectOption('#architecture', '');
  await page.selectOption('#figures', 'ours');
  await shown(judgedModels.length);
  assert.equal(page.url().split('?')[1], 'view=ava&figures=ours');
  await page.reload();
  await settled(page);
  await shown(judgedModels.length);
  assert.equal(await page.inputValue('#figures'), 'ours');
  await close();
});

test('models on two sets are never ranked together, and the picture shows one set', async () => {
  const { page, faults, close } = await openPage(session, { view: 'ava' });
  const names = async () => (await groups(page, accuracy)).map(([name]) => name);
  const [published, own, ...others] = await names();
  assert.equal(published, PUBLISHED_SET);
  assert.match(own, /kept\.json$/);
  assert.doesNotMatch(own, /^\//, 'where it lay is nobody’s business');
  assert.deepEqual(others, []);
  assert.equal(await page.locator('.scatter a').count(), 41);
  assert.match(await page.getAttribute('.scatter', 'aria-label'), /on AVA's test set/);

  await page.click(`nav[aria-label="Sets of triplets, for the picture"] >> text="${own}"`);
  await page.waitForFunction((count) => document.querySelectorAll('.scatter a').length === count, judgedModels.length);
  assert.deepEqual(await names(), [own]);
  assert.equal(await rows(page).count(), judgedModels.length);
  const copied = page.url();
  assert.equal(new URL(copied).searchParams.get('set'), own);
  await page.goto(copied);
  await settled(page);
  assert.deepEqual(await names(), [own]);
  await page.waitForSelector(`nav[aria-label="Sets of triplets"] [aria-current]:text-is("${own}")`);
  assert.deepEqual(await violations(page), []);

  // What the reader gives is told apart by its bytes, whatever its name.
  const run = (model, digest) => ({ model, data: judgedModels[0].result.run.data, data_sha256: digest });
  const result = (model, digest) => JSON.stringify({ ...judgedModels[0].result, run: run(model, digest) });
  const digest = judgedModels[0].result.run.data_sha256;
  await page.click('nav[aria-label="Sets of triplets"] >> text="every set, each by itself"');
  await drop(page, [{ name: 'same.json', text: result('same', digest) }, { name: 'other.json', text: result('other', 'f'.repeat(64)) }]);
  await page.waitForFunction(() => document.querySelectorAll('.board tbody').length === 3);
  assert.deepEqual(await names(), [PUBLISHED_SET, `demo/kept.json (${digest.slice(0, 8)})`, 'demo/kept.json (ffffffff)']);
  const of = page.locator('.board tbody');
  assert.match(await of.nth(1).textContent(), /same/);
  assert.equal(await of.nth(2).locator('tr[id]').count(), 1);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('every point of the picture is reached by the keyboard, says its figures and leads to its row', async () => {
  const { page, faults, close } = await openPage(session, { view: 'ava', text: 'qwen3' });
  const points = page.locator('.scatter a');
  assert.equal(await points.count(), 6);
  await points.first().focus();
  for (let n = 1; n < 6; n += 1) await page.keyboard.press('Tab');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
    /^Qwen3-Embedding-0\.6B, triplet loss, published: triplet accuracy 0\.985, hard-negative accuracy 0\.973$/);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.matches('tr[aria-current]'));
  assert.match(await page.evaluate(() => document.activeElement.textContent), /triplet loss/);
  assert.equal(await page.locator('.scatter .name').count(), 6);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('fine-tuning before and after, and what of it transfers', async () => {
  const { page, close } = await openPage(session, { view: 'ava' });
  const tuned = page.locator('[aria-label="Before and after fine-tuning"] tbody tr');
  assert.equal(await tuned.count(), 17);
  assert.deepEqual((await tuned.first().locator('th, td').allTextContents()),
    ['all-MiniLM-L6-v2', 'triplet loss, margin 0.3', 'published', PUBLISHED_SET, '0.657', '0.975', '+0.318', '0.467', '0.955', '+0.488']);
  const taxonomy = page.locator('[aria-label="Taxonomy discovery"] tbody tr', { hasText: 'published' });
  assert.deepEqual(await taxonomy.nth(2).locator('th, td').allTextContents(),
    ['SchemaOrg', 'all-MiniLM-L6-v2', 'published', '1', '1\u202f058', '7.29precision 6.43, recall 8.41', '6.69', '7.55', '2.20']);
  assert.equal(await taxonomy.nth(2).locator('strong').textContent(), '7.55');
  assert.equal(await page.locator('[aria-label="Ontology alignment"] tbody tr').count(), 8);
  await close();
});

test('downstream results of the site and of the reader stand below the published ones of their task', async () => {
  const { page, faults, close } = await openPage(session, { view: 'ava' });
  const taxonomy = page.locator('[aria-label="Taxonomy discovery"] tbody tr');
  assert.ok(downstream.length > 0);
  for (const { result } of downstream) {
    const row = taxonomy.filter({ hasText: result.task }).filter({ hasText: result.model });
    assert.match(await row.textContent(), /ours/);
    assert.ok((await row.textContent()).includes((100 * result.f1).toFixed(2)));
  }
  const before = await taxonomy.count();
  const own = { task: 'SchemaOrg', model: 'mine', top_k: 5, correct: 89, predicted: 1384, ground_truth: 1058, precision: 0.0643, recall: 0.0841, f1: 0.0729 };
  const aligned = { task: 'Mouse–Human', model: 'mine', tuning: 'LoRA', top_k: 1, hits: 1291, predictions: 2743, reference: 1516,
    precision: 47.065, recall: 85.158, f1: 60.625, ignored: 0, subsumptions: 0 };
  await drop(page, [
    { name: 'taxonomy.json', text: JSON.stringify(own) },
    { name: 'alignment.json', text: JSON.stringify(aligned) },
    { name: 'wrong.json', text: JSON.stringify({ ...own, task: undefined }, null, 1) },
    { name: 'neither.json', text: '{"rows": []}' },
  ]);
  await page.waitForFunction((count) => document.querySelectorAll('[aria-label="Taxonomy discovery"] tbody tr').length === count, before + 1);
  const tasks = await taxonomy.locator('th').allTextContents();
  const ofSchema = tasks.map((task, at) => [task, at]).filter(([task]) => task === 'SchemaOrg').map(([, at]) => at);
  assert.ok(ofSchema.every((at, n) => n === 0 || at === ofSchema[n - 1] + 1), 'lines of a task stand together');
  const last = taxonomy.nth(ofSchema.at(-1));
  assert.match(await last.textContent(), /SchemaOrg.*mine.*given here, not part of this site.*ours.*5.*1\u202f058.*7\.29.*precision 6\.43, recall 8\.41/s);
  assert.equal(await last.locator('strong').count(), 0, 'of one figure there is no best');
  const alignment = page.locator('[aria-label="Ontology alignment"] tr');
  assert.equal(await alignment.first().locator('th').last().textContent(), 'LoRA');
  assert.match(await alignment.filter({ hasText: 'mine' }).textContent(), /Mouse–Human.*ours.*60\.63|60\.62/s);
  const said = await page.locator('.problem').allTextContents();
  assert.match(said[0], /neither\.json:1:1: no result file.*ava align --json/s);
  assert.match(said[1], /wrong\.json:\d+:\d+: no result of a taxonomy: missing field `task`/);
  assert.equal(await rows(page).count(), 41 + judgedModels.length, 'they are no models on triplets');
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('a result that is dropped stands in the table, and one that is none says where and what to do', async () => {
  const { page, faults, close } = await openPage(session, { view: 'ava' });
  const before = await rows(page).count();
  await drop(page, [
    { name: 'mine.json', text: JSON.stringify({ test: { triplet_accuracy: 0.999, hard_negative_acc: 0.998 } }) },
    { name: 'wrong.json', text: '{"test":\n {"triplet_accuracy": 7}}' },
  ]);
  await page.waitForFunction((count) => document.querySelectorAll('.board tbody tr[id]').length === count, before + 1);
  // AVA's own files do not say what was judged.
  assert.match(await page.locator('.board .group').last().textContent(), /a set that is not named, 1 model$/);
  assert.match(await rows(page).last().textContent(), /mine.*given here, not part of this site.*ours/s);
  const said = await page.textContent('.problem');
  assert.match(said, /wrong\.json:2:\d+: no result file: expected a figure from 0 to 1, found 7/);
  assert.match(said, /give a result file/);
  assert.deepEqual(faults, []);
  await close();
});

test('scores change as one types, and are those of the rules', async () => {
  const { page, faults, close } = await openPage(session, { view: 'triplets' });
  const figures = () => page.locator('#own-scores .figure').allTextContents();
  await page.fill('#own-anchor', 'An acre is an area unit which is equivalent to 1 furlong x 1 chain.');
  await page.fill('#own-positive', 'The definition of an acre describes it as an area unit equal to the product of 1 furlong and 1 chain.');
  await page.fill('#own-negative', 'An acre is a volume unit which is equivalent to 1 furlong x 1 chain.');
  // As RapidFuzz has them: 74.74747474747474, 93.10344827586206, 63.04347826086956.
  await page.waitForFunction(() => document.querySelector('#own-scores .figure')?.textContent === '74.75');
  await page.waitForFunction(() => document.querySelectorAll('#own-scores .figure')[1].textContent === '93.10');
  assert.deepEqual(await figures(), ['74.75', '93.10', '63.04']);
  assert.match(await page.textContent('#own-scores'), /kept, hard/);
  assert.match(new URL(page.url()).searchParams.get('negative'), /volume unit/);
  await page.fill('#own-negative', 'An acre');
  await page.waitForFunction(() => /dropped: the negative has 2 of at least 5 words/.test(document.querySelector('#own-scores').textContent));
  const copied = page.url();
  await page.goto(copied);
  await settled(page);
  assert.equal(await page.inputValue('#own-negative'), 'An acre');
  const nearTo = (figure) => page.waitForFunction((figure) => document.querySelectorAll('#own-scores .figure')[1]?.textContent === figure, figure);
  await nearTo('100.00');
  // Without case and comma every word is the anchor's.
  await page.fill('#own-negative', 'AN ACRE IS AN AREA UNIT, equivalent to 1 furlong!');
  await page.waitForFunction(() => !['100.00', undefined].includes(document.querySelectorAll('#own-scores .figure')[1]?.textContent));
  const plain = (await figures())[1];
  await page.check('#processed');
  await nearTo('100.00');
  await page.uncheck('#processed');
  await nearTo(plain);
  assert.deepEqual(faults, []);
  await close();
});

test('a published set is browsed: verdicts, kinds, words and pages', async () => {
  const { page, faults, close } = await openPage(session, { view: 'triplets' });
  await list(page).first().waitFor();
  const first = index.ava.sets[0];
  const triplets = JSON.parse(file(first.path));
  assert.equal(await page.textContent('#set-title'), first.name);
  assert.equal(await list(page).count(), 20);
  const shown = await list(page).first().textContent();
  assert.ok(shown.includes(triplets[0].anchor) && shown.includes(triplets[0].positive));
  assert.ok(shown.includes(triplets[0].anchor_positive_score.toFixed(2)));
  const pages = Math.ceil(triplets.length / 20);
  assert.match(await page.textContent('#shown'), new RegExp(`page 1 of ${pages}$`));
  await page.click('nav[aria-label^="Pages, below"] a:text-is("Next")');
  await page.waitForFunction(() => /page 2 of/.test(document.querySelector('#shown').textContent));
  await page.waitForFunction(() => document.activeElement?.id === 'shown');
  assert.equal(await page.locator('ol.triplets').getAttribute('start'), '21');
  // Other words lead to their first page, and whoever types them keeps the focus.
  await page.focus('#text');
  for (const letter of 'an') {
    await page.keyboard.press(letter);
    await page.waitForFunction(() => !/page 2 of/.test(document.querySelector('#shown').textContent));
    assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
  }
  assert.equal(await page.inputValue('#text'), 'an');
  await page.fill('#text', '');

  const hard = triplets.filter((one) => one.anchor_negaive_score >= 90).length;
  await page.selectOption('#verdict', 'hard');
  const count = (n) => page.waitForFunction((n) => document.querySelector('#shown').textContent.replace(/\D*;.*/, '').replace(/\D/g, '') === String(n), n);
  await count(hard);
  assert.equal(new URL(page.url()).searchParams.get('page'), null, 'another choice begins at its first page');
  await page.selectOption('#verdict', '');
  const kind = triplets[0].perturbation;
  await page.selectOption('#kind', kind);
  await count(triplets.filter((one) => one.perturbation === kind).length);
  await page.click('.triplet a:has-text("Change its words")');
  await page.waitForFunction(() => document.querySelector('#own-anchor').value !== 'A heart valve is part of a heart.');
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('what was dropped says why, in the words of the file where no triplet shows it', async () => {
  const dropped = index.ava.sets.find((one) => one.name.endsWith('dropped.json'));
  const { page, close } = await openPage(session, { view: 'triplets', set: dropped.name });
  await list(page).first().waitFor();
  const [first] = JSON.parse(file(dropped.path));
  assert.ok(dropped.triplets > 0, 'the demo has some');
  assert.ok((await list(page).first().textContent()).includes(`dropped: ${first.dropped_because}`));
  await drop(page, [{ name: 'dropped.json', text: JSON.stringify([
    triplet(1, { dropped_at: 'anchor', dropped_because: 'a later triplet has the same anchor' }),
    triplet(2, { negative: 'short' }),
    triplet(3, { anchor_negaive_score: 12.5 }),
  ]) }]);
  await page.waitForFunction(() => document.querySelector('#set-title').textContent === 'dropped.json');
  await page.waitForFunction(() => document.querySelectorAll('.triplet').length === 3);
  const text = await list(page).allTextContents();
  assert.match(text[0], /dropped: a later triplet has the same anchor.*by the file’s own word/s);
  assert.match(text[1], /dropped: the negative has 1 of at least 5 words/);
  assert.match(text[2], /The file says otherwise: anchor–negative 12\.5\./);
  await close();
});

test('a file that holds no triplets says where and what to do, and one bad record costs its neighbours nothing', async () => {
  const { page, faults, close } = await openPage(session, { view: 'triplets' });
  await list(page).first().waitFor();
  for (const [text, said] of [
    ['{"anchor": "a", "positive"', /bad\.json:1:\d+: /],
    ['[{"anchor": "a"},\n]', /bad\.json:2:1: no JSON array of triplets/],
    ['', /bad\.json:1:1: no triplet in this file/],
  ]) {
    await drop(page, [{ name: 'bad.json', text }]);
    await page.waitForSelector('.problem[role="alert"]');
    const problem = await page.textContent('.problem[role="alert"]');
    assert.match(problem, said);
    assert.match(problem, /give a JSON array|give one JSON array|each record is a JSON object/);
    await drop(page, [{ name: 'good.jsonl', text: JSON.stringify(triplet(1)) }]);
    await page.waitForFunction(() => document.querySelectorAll('.triplet').length === 1);
  }
  await drop(page, [{ name: 'mixed.jsonl', text: `{"anchor": "a"}\n${JSON.stringify(triplet(2))}` }]);
  await page.waitForSelector('.problem h3');
  assert.match(await page.textContent('.problem'), /1 record is no triplet.*mixed\.jsonl:1:1: this triplet has no `positive`/s);
  assert.equal(await list(page).count(), 1);
  assert.deepEqual(faults, []);
  await close();
});

test('a large file leaves the page answering while it is read', async () => {
  const { page, faults, close } = await openPage(session, { view: 'triplets' });
  await list(page).first().waitFor();
  const text = Array.from({ length: 60_000 }, (_, n) => JSON.stringify(triplet(n, { perturbation: 'hierarchy-inversion' }))).join('\n');
  await page.evaluate(() => {
    window.waits = { longest: 0 };
    document.addEventListener('drop', () => {
      const begun = performance.now();
      let last = begun;
      const look = () => {
        const now = performance.now();
        window.waits.longest = Math.max(window.waits.longest, now - last);
        last = now;
        if (/60\u202f000 triplets/.test(document.querySelector('#shown')?.textContent)) window.waits.took = now - begun;
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
  await drop(page, [{ name: 'large.jsonl', text }]);
  await page.waitForSelector('.skeleton');
  // Typing is answered by the page itself while the worker reads.
  await page.fill('#own-anchor', 'typed meanwhile');
  assert.equal(await page.inputValue('#own-anchor'), 'typed meanwhile');
  await page.waitForFunction(() => document.querySelectorAll('.triplet').length === 20, null, { timeout: 120_000 });
  assert.match(await page.textContent('#shown'), /60\u202f000 triplets; page 1 of 3000/);
  await page.waitForFunction(() => window.waits.took);
  const { longest, took } = await page.evaluate(() => window.waits);
  // A page that read the file itself would stand still for nearly all of the time, on whatever machine.
  assert.ok(longest < took / 2, `the page stood still for ${longest} of ${took} ms`);
  assert.deepEqual(faults, []);
  await close();
});

test('errors of a model: its cosines, the worst first, and where they lie', async () => {
  const { page, faults, close } = await openPage(session, { view: 'ava', figures: 'ours' });
  const model = judgedModels[0].result.run.model;
  await page.click(`tr:has-text("${model}") a:has-text("its errors")`);
  await page.waitForFunction(() => document.querySelector('main h1').textContent === 'What a model gets wrong');
  await list(page).first().waitFor();
  const published = index.ava.judged.find((one) => one.name === model);
  const triplets = JSON.parse(file(published.path));
  const wrong = triplets.filter((one) => one.anchor_positive <= one.anchor_negative);
  const { triplets: all, right } = judgedModels[0].result.details.overall;
  assert.equal(wrong.length, all - right, 'the gallery has the errors that the figure counts');
  assert.ok((await page.textContent('#shown')).replaceAll('\u202f', '').startsWith(`${wrong.length} wrong triplet`));
  const worst = wrong.toSorted((a, b) => (a.anchor_positive - a.anchor_negative) - (b.anchor_positive - b.anchor_negative))[0];
  assert.ok((await list(page).first().textContent()).includes(worst.anchor_negative.toFixed(4)));
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('judged triplets of one’s own are read here, and plain ones say what they lack', async () => {
  const { page, close } = await openPage(session, { view: 'errors' });
  await drop(page, [{ name: 'judged.json', text: JSON.stringify([judged(1, -0.25), judged(2, 0.5), judged(3, -0.75), judged(4, 0)]) }]);
  await page.waitForFunction(() => document.querySelectorAll('.triplet').length === 3);
  const text = await list(page).allTextContents();
  assert.match(text[0], /wrong.*every heart 3/s);
  assert.match(text[2], /a tie, so wrong/);
  assert.match(await page.textContent('.facts'), /wrong3 \(75\.0 %\)/);
  await page.selectOption('#kind', 'hierarchy-inversion');
  await page.waitForFunction(() => document.querySelectorAll('.triplet').length === 2);
  await drop(page, [{ name: 'plain.json', text: JSON.stringify([triplet(1)]) }]);
  await page.waitForSelector('.problem[role="alert"]');
  assert.match(await page.textContent('.problem'), /plain\.json:1:1: this triplet has no cosine `anchor_positive`.*--details/s);
  await close();
});

test('nothing that is dropped on these pages leaves them', async () => {
  // The page's own files are asked for by their bare names.
  const isOwn = (there) => there.startsWith(session.url) && existsSync(join(site, decodeURI(there.slice(session.url.length))));
  for (const [view, read] of [['ava', '.problem'], ['triplets', '.triplet:only-child'], ['errors', '.triplet:only-child']]) {
    const { page, faults, close } = await openPage(session, { view });
    const sent = [];
    page.on('request', (request) => {
      const there = request.url();
      if (request.method() !== 'GET' || request.postData() || !isOwn(there)) sent.push(`${request.method()} ${there}`);
    });
    await drop(page, [{ name: 'x.json', text: JSON.stringify([judged(1, -0.25)]) }]);
    await page.waitForSelector(read);
    assert.match(await page.textContent('main'), /x\.json/);
    assert.deepEqual(sent, []);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a site without anything of AVA has the published figures, and says what it lacks', async () => {
  const bare = { ...index, ava: undefined };
  for (const [view, expected] of [['ava', /41 models/], ['triplets', /without triplets/], ['errors', /without judged triplets/]]) {
    const { page, faults, close } = await openPage(session, { view: 'about' });
    await page.route('**/results/index.json', (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(bare) }));
    await page.goto(session.url + address({ view }));
    await settled(page);
    assert.match(await page.textContent('main'), expected);
    assert.deepEqual(faults, []);
    await close();
  }
});
