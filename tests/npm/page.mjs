// A page in Chromium over a folder of files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../browser/serve.mjs';
import { chromium as executablePath } from './stranger.mjs';

/** Opens `address` below the served folder, hands the page to `use`, and fails on anything that the page complains of. */
export async function withPage(folder, address, use) {
  const profile = mkdtempSync(join(tmpdir(), 'okn-npm-'));
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, HOME: profile },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()); });
    await page.goto(server.url + address);
    const result = await use(page);
    if (faults.length > 0) throw new Error(`the page says: ${faults.join('; ')}`);
    return result;
  } finally {
    await browser.close();
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
