// What every browser test needs: the site, a browser, and a page that remembers what went wrong on it.
//
//   OKN_SITE         folder of the built site with its results (default target/explorer)
//   CHROMIUM         the browser (default /usr/bin/chromium)
//   OKN_MEASURES     file that measured figures are written to (default target/browser-measures.json)
//   OKN_SCREENSHOTS  folder for a screenshot of every page; none are taken without it
//   OKN_PICTURE      file for the picture of the overview that the README shows; not taken without it
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './serve.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const site = process.env.OKN_SITE ?? join(root, 'target/explorer');
export const screenshots = process.env.OKN_SCREENSHOTS;
const measures = process.env.OKN_MEASURES ?? join(root, 'target/browser-measures.json');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The published index, for tests that go by what is there. */
export const index = JSON.parse(readFileSync(join(site, 'results/index.json'), 'utf8'));
/** A record's file. */
export const record = (id) => JSON.parse(readFileSync(join(site, `results/records/${id}.json`), 'utf8'));
/** What rules and analyses say about a record. */
export const analysis = (id) => JSON.parse(readFileSync(join(site, record(id).analysis), 'utf8'));
/** A question with a key of several rows: the one that the published description walks through, if it is there. */
export const question = index.records.find((r) => r.id === 'nde-expand_cardiovascular')
  ?? index.records.find((r) => r.arm === 'expand' && r.key_rows > 1);

/** The address of a view. */
export const address = (parameters) => {
  const text = new URLSearchParams(parameters).toString();
  return text ? `?${text}` : '';
};

/** Starts server and browser; `stop` ends both. */
export async function start() {
  const server = await serve(site, '/some/folder/');
  const profile = mkdtempSync(join(tmpdir(), 'okn-browser-'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    env: { ...process.env, HOME: profile },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
  const stop = async () => {
    await browser.close();
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { url: server.url, browser, stop };
}

/** A page in a context of its own, with what went wrong on it under `faults`. */
export async function openPage({ browser, url }, parameters = {}, { width = 1280, height = 900, scheme = 'light', allow = [] } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, acceptDownloads: true });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => { if (message.type() === 'error') faults.push(`console: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    const there = request.url();
    if (!there.startsWith(url) && !there.startsWith('data:') && !there.startsWith('blob:') && !allow.some((one) => there.startsWith(one))) {
      faults.push(`request: ${there}`);
    }
  });
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(url + address(parameters));
  await settled(page);
  return { page, faults, close: () => context.close() };
}

/** Waits until the view is drawn: its heading is there and nothing is left to load. */
export async function settled(page) {
  await page.waitForSelector('main h1');
  await page.waitForFunction(() => !document.querySelector('.skeleton, .pending'));
}

/** Rule violations that axe finds, as one line each. */
export async function violations(page) {
  // The page's own policy refuses scripts from elsewhere, so axe is evaluated, not added as an element.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(' | ')}`);
}

/** Adds figures to the file of measures: they are for reading, and nothing fails by them. */
export function measured(figures) {
  let known = {};
  try { known = JSON.parse(readFileSync(measures, 'utf8')); } catch { /* the first figures */ }
  mkdirSync(dirname(measures), { recursive: true });
  writeFileSync(measures, `${JSON.stringify({ ...known, ...figures }, null, 2)}\n`);
}

/** Puts files on the drop field as a reader's mouse would. */
export async function drop(page, files) {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, text } of files) transfer.items.add(new File([text], name, { type: 'text/csv' }));
    return transfer;
  }, files);
  await page.dispatchEvent('.drop', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
}

/** The key's rows as CSV. */
export function keyCsv(id) {
  const { head, results } = JSON.parse(record(id).key.rows);
  const quote = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = results.bindings.map((row) => head.vars.map((name) => quote(row[name]?.value ?? '')).join(','));
  return [head.vars.join(','), ...rows].join('\n') + '\n';
}
