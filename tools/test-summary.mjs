// Sums the results of vitest, jest and node:test in the root (of all packages in one run) and in each package, and prints
// `N passed, N failed` (and `, N skipped`) as its last line. A package with tests and without results counts as one
// failure, unless `--partial` allows missing results. Exits with code 1 after a failure or without any test.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { packageFolders, resultsOf, root } from './workspace.mjs';

const partial = process.argv.includes('--partial');
const total = { passed: 0, failed: 0, skipped: 0 };
const together = resultsOf('.');
for (const folder of packageFolders()) {
  const { scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (!scripts?.test) continue;
  const suites = [
    ...resultsOf(folder),
    ...together.filter(({ name }) => relative(root, name).startsWith(`${folder}${sep}`)),
  ];
  if (!suites.length) {
    if (partial) continue;
    console.log(`${folder}: left no test results`);
    total.failed++;
    continue;
  }
  const tests = suites.flatMap((suite) => suite.assertionResults);
  const count = (...statuses) => tests.filter((test) => statuses.includes(test.status)).length;
  // A file that fails to load has no tests; a failing hook after its tests fails the file only.
  const broken = suites.filter(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some(({ status }) => status === 'failed'),
  );
  const failed = count('failed') + broken.length;
  total.passed += count('passed');
  total.failed += failed;
  total.skipped += count('skipped', 'pending', 'todo', 'disabled');
  if (failed) {
    console.log(`${folder}: ${failed} failed`);
    for (const suite of broken) console.log(`  ${suite.name}${suite.message ? `: ${suite.message}` : ''}`);
    for (const test of tests) if (test.status === 'failed') console.log(`  ${test.fullName}`);
  }
}
const skipped = total.skipped ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
if (total.failed || !total.passed) process.exitCode = 1;
