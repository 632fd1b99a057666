// A node:test reporter that writes the results of a package to `.test-results/node-test.json`, in the common format of
// vitest and jest, for `tools/test-summary.mjs`. Prints nothing.
import { mkdirSync, writeFileSync } from 'node:fs';

export default async function* results(events) {
  const assertionResults = [];
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A suite is not a test, nor is a file, which counts only if it fails outside of its tests.
    if (data.details.type === 'suite') continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const status = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    assertionResults.push({ fullName: data.name, status });
  }
  mkdirSync('.test-results', { recursive: true });
  const status = assertionResults.some((test) => test.status === 'failed') ? 'failed' : 'passed';
  const testResults = [{ name: 'node:test', status, assertionResults }];
  writeFileSync('.test-results/node-test.json', JSON.stringify({ testResults }));
  yield '';
}
