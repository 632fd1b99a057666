import { expect, test } from 'vitest';
import { affectedBy } from '../../affected.mjs';

const UNIT = 'packages/svc-sqs/test/fifo.test.ts';
const OTHER = 'packages/svc-kms/test/import.test.ts';
const E2E = 'e2e/test/sdk.test.ts';
const DOCS = 'e2e/test/docs.test.ts';
const TERRAFORM = 'e2e/test/terraform.test.ts';

/** Returns whether changes affect each of some test files. */
const reach = (changed: readonly string[], ...tests: string[]): boolean[] => {
  const { affected } = affectedBy(changed);
  return tests.map((name) => affected.includes(name));
};

test('a source and a model affect tests through imports, including those through the built CLI', () => {
  for (const file of ['packages/svc-sqs/src/operations/messages.ts', 'packages/svc-sqs/model/sqs.json'])
    expect(reach([file], UNIT, E2E, OTHER), file).toEqual([true, true, false]);
  expect(reach(['packages/core/src/index.ts'], UNIT, E2E, OTHER)).toEqual([true, true, true]);
  expect(affectedBy(['packages/svc-sqs/src/operations/messages.ts']).packages).toContain('examples/jest');
});

test('a test and its imports affect only their users', () => {
  expect(reach([UNIT], UNIT, 'packages/svc-sqs/test/queues.test.ts', E2E)).toEqual([true, false, false]);
  expect(reach(['packages/svc-sqs/test/support.ts'], UNIT, E2E, OTHER)).toEqual([true, false, false]);
});

test('a file that is read affects tests through its path, or all tests of its package if nothing names it', () => {
  expect(reach(['docs/clients.md'], DOCS, UNIT)).toEqual([true, false]);
  expect(reach(['e2e/terraform/main/main.tf'], TERRAFORM, UNIT)).toEqual([true, false]);
  expect(reach(['packages/svc-sqs/test/data.bin'], UNIT, E2E, OTHER)).toEqual([true, false, false]);
  expect(reach(['packages/svc-sqs/package.json'], UNIT, E2E, OTHER)).toEqual([true, true, false]);
  expect(reach(['packages/svc-sqs/src/gone.ts'], UNIT, E2E, OTHER)).toEqual([true, true, false]);
});

test('texts read only by lint and generated pages affect no test of a service', () => {
  expect(reach(['packages/svc-sqs/error-sentences.json', 'CONTRIBUTING.md'], UNIT, E2E)).toEqual([false, false]);
});

test.each(['pnpm-lock.yaml', 'vitest.shared.ts', 'tools/workspace.mjs', 'tools/testing/leak-check.ts', 'Dockerfile'])(
  'everything runs after a change of %s',
  (file) => {
    const { all, affected, cause } = affectedBy(['docs/clients.md', file]);
    expect(affected).toEqual(all);
    expect(cause).toBe(file);
  },
);
