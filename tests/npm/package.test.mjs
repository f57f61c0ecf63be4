// The package in a stranger's hands: what is in it, its README, its types, a bundler, pages and workers.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { build } from 'esbuild';
import { withPage } from './page.mjs';
import { here, installed, root, run, stranger, withoutBrowser } from './stranger.mjs';

const HEAD = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>page</title>';

/** The README's fenced blocks in a language. */
function blocks(readme, language) {
  return [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, of]) => of === language).map(([, , code]) => code);
}

const readme = async () => readFileSync(join(await stranger(), 'node_modules/okn-benchmark/README.md'), 'utf8');

test('the package has what it needs, and nothing else', async () => {
  const folder = join(await stranger(), 'node_modules/okn-benchmark');
  assert.deepEqual(readdirSync(folder).sort(), [
    'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'core.mjs', 'errors.mjs', 'glue.js', 'index.d.ts', 'index.mjs', 'node.mjs',
    'okn-benchmark.wasm', 'okn-benchmark.wasm.d.ts', 'package.json', 'plain.mjs',
  ]);
  const { version, license, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  assert.notEqual(version, '0.0.0');
  assert.equal(license, 'MIT OR Apache-2.0');
  assert.equal(dependencies, undefined);
});

test('the README states the size that the Wasm has', async () => {
  const wasm = readFileSync(join(await stranger(), 'node_modules/okn-benchmark/okn-benchmark.wasm'));
  const [, stated] = (await readme()).match(/The Wasm is (\d+) kB/);
  assert.equal(Number(stated), Math.ceil(wasm.length / 1000));
});

test('the README\'s examples run in Node', async (t) => {
  const folder = await stranger();
  writeFileSync(join(folder, 'strict.mjs'), 'console.assert = (holds, ...rest) => { if (!holds) throw new Error(`not so: ${rest}`); };\n');
  // What edge runtimes do with a Wasm file: its import is the compiled module.
  writeFileSync(join(folder, 'wasm-module.mjs'), `
    import { register } from 'node:module';
    const load = ${JSON.stringify(`
      export async function load(url, context, next) {
        if (!url.endsWith('.wasm')) return next(url, context);
        const source = "import { readFileSync } from 'node:fs';" +
          "export default new WebAssembly.Module(readFileSync(new URL(" + JSON.stringify(url) + ")));";
        return { format: 'module', source, shortCircuit: true };
      }`)};
    register('data:text/javascript,' + encodeURIComponent(load));\n`);
  // The project's own README shows the package too.
  const code = [...blocks(await readme(), 'js'), ...blocks(readFileSync(join(root, 'README.md'), 'utf8'), 'js')];
  assert.ok(code.length >= 7, `${code.length} examples`);
  for (const [index, block] of code.entries()) {
    const worker = block.includes('export default {');
    const name = `example-${index}.mjs`;
    writeFileSync(join(folder, name), block);
    let start = name;
    if (worker) {
      start = `request-${index}.mjs`;
      writeFileSync(join(folder, start), `
        import worker from './${name}';
        const body = JSON.stringify({ key: { format: 'csv', text: 'x\\n1\\n' }, answer: 'x\\n1.0\\n' });
        const response = await worker.fetch(new Request('https://example.org', { method: 'POST', body }));
        console.assert((await response.json()).exact === true);\n`);
    }
    await t.test(`example ${index + 1}`, () =>
      run('node', ['--import', './strict.mjs', ...(worker ? ['--import', './wasm-module.mjs'] : []), start], folder));
  }
});

test('the README\'s page runs in Chromium', { skip: withoutBrowser }, async () => {
  const folder = await stranger();
  const pages = blocks(await readme(), 'html');
  assert.equal(pages.length, 1);
  writeFileSync(join(folder, 'page.html'), `${HEAD}<body>${pages[0]}`);
  const text = await withPage(folder, 'page.html', async (page) => {
    await page.waitForFunction(() => document.body.textContent.trim() === 'true');
    return page.evaluate(() => document.body.textContent.trim());
  });
  assert.equal(text, 'true');
});

test('a worker of a page loads it', { skip: withoutBrowser }, async () => {
  const folder = await stranger();
  writeFileSync(join(folder, 'worker.mjs'), `
    import { init, parseRecord } from '/node_modules/okn-benchmark/index.mjs';
    await init();
    postMessage(parseRecord('#+ summary: s\\nASK {}').summary);\n`);
  writeFileSync(join(folder, 'worker.html'), HEAD);
  const said = await withPage(folder, 'worker.html', (page) => page.evaluate(() => new Promise((resolve, reject) => {
    const worker = new Worker('/worker.mjs', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
  })));
  assert.equal(said, 's');
});

const DOM = { lib: ['es2023', 'dom'], types: [] };
const NODE = { lib: ['es2023'], types: ['node'], typeRoots: [join(here, 'node_modules/@types')] };
for (const [name, options] of Object.entries({
  'a bundler, for pages': { module: 'esnext', moduleResolution: 'bundler', ...DOM }, 'Node\'s resolution, for pages': { module: 'nodenext', ...DOM },
  'Node alone': { module: 'nodenext', ...NODE },
})) {
  test(`types agree with what they describe: ${name}`, async () => {
    const folder = await stranger();
    const types = readFileSync(join(here, 'types.ts'), 'utf8');
    writeFileSync(join(folder, 'types.ts'), types);
    const compilerOptions = {
      ...options, target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }));
    await run(join(here, 'node_modules/.bin/tsc'), ['-p', '.'], folder);
    // And what the types promise is there when the same file runs.
    await build({
      entryPoints: [join(folder, 'types.ts')], outfile: join(folder, 'types.mjs'), format: 'esm', packages: 'external', bundle: true,
      platform: 'node', logLevel: 'silent',
    });
    const { check } = await import(join(folder, `types.mjs?${options.module}`));
    const okn = await installed();
    await okn.init();
    assert.ok(check() > 10);
  });
}

const ENTRY = `
  import { init, score, ArgumentError } from 'okn-benchmark';
  import wasm from 'okn-benchmark/okn-benchmark.wasm';
  await init(wasm);
  const { exact } = score({ format: 'csv', text: 'x\\n1\\n' }, 'x\\n1\\n');
  let name;
  try { score(1, 2); } catch (error) { name = error instanceof ArgumentError && error.name; }
  globalThis.told = JSON.stringify({ exact, name });
  console.log(globalThis.told);\n`;
const TOLD = JSON.stringify({ exact: true, name: 'ArgumentError' });

test('bundled by esbuild for Node, the Wasm as bytes', async () => {
  const folder = await stranger();
  writeFileSync(join(folder, 'entry.mjs'), ENTRY);
  await build({
    absWorkingDir: folder, entryPoints: ['entry.mjs'], outfile: join(folder, 'bundled-node.mjs'), bundle: true, minify: true,
    format: 'esm', platform: 'node', target: 'node20', loader: { '.wasm': 'binary' }, logLevel: 'error',
  });
  const { stdout } = await run('node', ['bundled-node.mjs'], folder);
  assert.equal(stdout.trim(), TOLD);
});

test('bundled by esbuild for a page, the Wasm by its address', { skip: withoutBrowser }, async () => {
  const folder = await stranger();
  writeFileSync(join(folder, 'entry.mjs'), ENTRY);
  const { warnings } = await build({
    absWorkingDir: folder, entryPoints: ['entry.mjs'], outdir: join(folder, 'bundled'), bundle: true, minify: true,
    format: 'esm', platform: 'browser', loader: { '.wasm': 'file' }, logLevel: 'error',
  });
  assert.deepEqual(warnings, []);
  writeFileSync(join(folder, 'bundled/index.html'), `${HEAD}<script type="module" src="entry.js"></script>`);
  const told = await withPage(folder, 'bundled/index.html', async (page) => {
    await page.waitForFunction(() => globalThis.told);
    return page.evaluate(() => globalThis.told);
  });
  assert.equal(told, TOLD);
});
