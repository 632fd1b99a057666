// Adds up the results that vitest, jest and node:test left in each package and prints `N passed, N failed` (and `, N skipped`) as its last
// line. A package that has tests but left no results counts as one failure, unless `--partial` says that only some were
// asked for. Exit code 1 where anything failed or no test ran.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root } from './workspace.mjs';

const partial = process.argv.includes('--partial');
const total = { passed: 0, failed: 0, skipped: 0 };
for (const folder of packageFolders()) {
  const { scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (!scripts?.test) continue;
  const directory = join(root, folder, '.test-results');
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')) : [];
  if (!files.length) {
    if (partial) continue;
    console.log(`${folder}: left no test results`);
    total.failed++;
    continue;
  }
  const suites = files.flatMap((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')).testResults);
  const tests = suites.flatMap((suite) => suite.assertionResults);
  const count = (...statuses) => tests.filter((test) => statuses.includes(test.status)).length;
  // A file that fails to load has no tests of its own.
  const broken = suites.filter((suite) => suite.status === 'failed' && !suite.assertionResults.length);
  const failed = count('failed') + broken.length;
  total.passed += count('passed');
  total.failed += failed;
  total.skipped += count('skipped', 'pending', 'todo', 'disabled');
  if (failed) {
    console.log(`${folder}: ${failed} failed`);
    for (const suite of broken) console.log(`  ${suite.name}`);
    for (const test of tests) if (test.status === 'failed') console.log(`  ${test.fullName}`);
  }
}
const skipped = total.skipped ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
if (total.failed || !total.passed) process.exitCode = 1;
