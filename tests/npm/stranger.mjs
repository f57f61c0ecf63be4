// The package as a stranger has it: packed, and installed into a folder that knows nothing else.
//
//   OKN_PACKAGE  the built package (default target/npm)
//   CHROMIUM     a browser; what needs one is skipped, by name, without
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { FOLDERS } from './cases.mjs';

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '../..');
const built = process.env.OKN_PACKAGE ?? join(root, 'target/npm');
export const chromium = process.env.CHROMIUM;
export const withoutBrowser = chromium ? false : 'no Chromium: set CHROMIUM';
const execute = promisify(execFile);

/** Runs a program in a folder; its output, or an error that shows it. */
export async function run(program, args, cwd) {
  try {
    return await execute(program, args, { cwd, maxBuffer: 1 << 26 });
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')}: ${error.message}\n${error.stdout}\n${error.stderr}`, { cause: error });
  }
}

/** The folder; made once for all test files of one run, which share the process that started them. */
export async function stranger() {
  const folder = join(built, '../npm-tests');
  const mark = join(folder, 'made-for');
  const run_ = `${process.ppid}`;
  if (existsSync(mark) && readFileSync(mark, 'utf8') === run_) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', ['pack', '--silent', '--pack-destination', folder, built], folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  // Nothing that it needs comes from elsewhere.
  await run('npm', ['install', '--offline', '--silent', '--no-audit', '--no-fund', `./${tarball}`], folder);
  writeFileSync(mark, run_);
  return folder;
}

/** The package, imported from where a stranger installed it. */
export async function installed() {
  const folder = await stranger();
  return import(pathToFileURL(join(folder, 'node_modules/okn-benchmark/node.mjs')));
}

/** The files of the case tables, by path from the repository's root. */
export function caseFiles() {
  const files = new Map();
  for (const folder of FOLDERS) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.isFile()) files.set(`${folder}/${entry.name}`, new Uint8Array(readFileSync(join(root, folder, entry.name))));
    }
  }
  return files;
}
