// Everything that must hold before a change goes in: lint, generated files, types, the documentation site and tests. All of
// them run even where one fails; the summary of the tests comes last.
//
//   pnpm test                            everything
//   pnpm test --shard 1/2                the first of two parts of about the same duration
//   pnpm test --record                   everything, and its durations go to tools/testing/durations.json, which parts are made by
//   pnpm test --filter @emu/svc-sqs ...  lint, generated files, types, and the tests of some packages: arguments go to turbo
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageFolders, resultsOf, root } from './workspace.mjs';

const CHECKS = ['//#lint', '//#generate:check', '//#typecheck', '//#docs:build'];
const DURATIONS = join(root, 'tools/testing/durations.json');
const wanted = process.argv.slice(2);
const record = wanted.length === 1 && wanted[0] === '--record';
const shard = wanted.length === 2 && wanted[0] === '--shard' ? wanted[1] : undefined;
const some = wanted.length > 0 && !record && !shard;

const run = (command, ...args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;
const turbo = (...args) => run('turbo', 'run', ...args, '--continue=always', '--log-order=grouped');

/** Test tasks of the packages that do not use vitest as all others do. */
function ownRunners() {
  return packageFolders()
    .map((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))
    .filter(({ scripts }) => scripts?.test && !scripts.test.includes('vitest.shared.ts'))
    .map(({ name }) => `${name}#test`);
}

/** Seconds that each test file took, by its path. */
function writeDurations() {
  const seconds = resultsOf('.').map(({ name, startTime, endTime }) => [
    relative(root, name),
    Math.round((endTime - startTime) / 100) / 10,
  ]);
  const sorted = Object.fromEntries(seconds.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(DURATIONS, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

// Results of earlier runs must not stand in for tests that could not start; turbo brings back those of unchanged packages.
for (const folder of ['.', ...packageFolders()])
  rmSync(join(root, folder, '.test-results'), { recursive: true, force: true });

let failed;
if (some) failed = turbo(...CHECKS, 'test', ...wanted);
else {
  // Checks and tests with runners of their own belong to the first part.
  const first = !shard || shard.startsWith('1/');
  failed = turbo('@emu/cli#build', ...(first ? [...CHECKS, ...ownRunners()] : []));
  failed = run('vitest', 'run', '--config', 'vitest.shared.ts', ...(shard ? [`--shard=${shard}`] : [])) || failed;
  if (record && !failed) writeDurations();
}
if (failed) console.log('\nNot everything holds: see the failed tasks above.');
const tests = run(process.execPath, join(root, 'tools/test-summary.mjs'), ...(some || shard ? ['--partial'] : []));
process.exitCode = failed || tests;
