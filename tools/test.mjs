// All checks of a change: lint, generated files, types, the documentation site and tests. All of them run even if one
// fails; the summary of the tests is printed last.
//
//   pnpm test                            everything
//   pnpm test --shard 1/2                the first of two shards of similar duration
//   pnpm test --changed [main]           checks, and the tests affected by changes since the merge base with a commit
//   pnpm test --record                   everything, and writes tools/testing/durations.json, the basis of shards
//   pnpm test --filter @emu/svc-sqs ...  lint, generated files, types, and the tests of some packages: arguments are passed to turbo
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { affectedBy, changedFiles } from './affected.mjs';
import { packageFolders, resultsOf, root } from './workspace.mjs';

const CHECKS = ['//#lint', '//#generate:check', '//#typecheck', '//#docs:build'];
const DURATIONS = join(root, 'tools/testing/durations.json');
const wanted = process.argv.slice(2);
const record = wanted.length === 1 && wanted[0] === '--record';
const shard = wanted.length === 2 && wanted[0] === '--shard' ? wanted[1] : undefined;
const since = wanted.length <= 2 && wanted[0] === '--changed' ? (wanted[1] ?? 'main') : undefined;
const some = wanted.length > 0 && !record && !shard && !since;

const run = (command, ...args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;
const turbo = (...args) => run('turbo', 'run', ...args, '--continue=always', '--log-order=grouped');

/** Returns the test tasks of packages without the common vitest configuration, by package directory. */
function ownRunners() {
  const found = new Map();
  for (const folder of packageFolders()) {
    const { name, scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (scripts?.test && !scripts.test.includes('vitest.shared.ts')) found.set(folder, `${name}#test`);
  }
  return found;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Prints the tests that a change can affect, and the skipped ones. */
function printSelection(changed, { all, affected, cause }) {
  console.log(`${plural(changed.length, 'file')} changed since the merge base with ${since}.`);
  if (cause !== undefined) return console.log(`All ${plural(all.length, 'test file')} run: ${cause} has changed.`);
  console.log(
    `${affected.length} of ${plural(all.length, 'test file')} run. Left out, as the change does not reach them:`,
  );
  const chosen = new Set(affected);
  const counts = new Map();
  for (const file of all.filter((each) => !chosen.has(each))) {
    const folder = file.slice(0, file.indexOf('/test/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of counts) console.log(`  ${folder}: ${plural(count, 'test file')}`);
}

/**
 * Runs the tests that a change can affect, and all checks.
 * @returns whether any failed, and whether any test ran
 */
function testChanged() {
  const changed = changedFiles(since);
  const selection = affectedBy(changed);
  printSelection(changed, selection);
  const runners = ownRunners();
  const own = [...runners].filter(([folder]) => selection.packages.includes(folder)).map(([, task]) => task);
  const usesBuild = selection.packages.includes('apps/cli') ? ['@emu/cli#build'] : [];
  const failed = turbo(...CHECKS, ...usesBuild, ...own);
  const files = selection.affected.filter(
    (file) => ![...runners.keys()].some((folder) => file.startsWith(`${folder}/`)),
  );
  const failedTests = files.length > 0 && run('vitest', 'run', '--config', 'vitest.shared.ts', ...files);
  return { failed: failed || failedTests, none: selection.affected.length === 0 };
}

/** Writes the duration of each test file in seconds, by path. */
function writeDurations() {
  const seconds = resultsOf('.').map(({ name, startTime, endTime }) => [
    relative(root, name),
    Math.round((endTime - startTime) / 100) / 10,
  ]);
  const sorted = Object.fromEntries(seconds.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(DURATIONS, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

// Results of earlier runs must not replace those of tests that did not start; turbo restores those of unchanged
// packages.
for (const folder of ['.', ...packageFolders()])
  rmSync(join(root, folder, '.test-results'), { recursive: true, force: true });

let failed;
let none = false;
if (some) failed = turbo(...CHECKS, 'test', ...wanted);
else if (since) ({ failed, none } = testChanged());
else {
  // Checks and tests with their own runners belong to the first part.
  const first = !shard || shard.startsWith('1/');
  failed = turbo('@emu/cli#build', ...(first ? [...CHECKS, ...ownRunners().values()] : []));
  failed = run('vitest', 'run', '--config', 'vitest.shared.ts', ...(shard ? [`--shard=${shard}`] : [])) || failed;
  if (record && !failed) writeDurations();
}
if (failed) console.log('\nNot everything holds: see the failed tasks above.');
const partial = some || shard || since ? ['--partial'] : [];
const tests = none ? 0 : run(process.execPath, join(root, 'tools/test-summary.mjs'), ...partial);
process.exitCode = Number(failed || tests);
