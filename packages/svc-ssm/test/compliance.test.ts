import type { ComplianceItemEntry } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
});
afterAll(() => t[Symbol.asyncDispose]());

const ONE = 'i-00000000000000001';
const TWO = 'i-00000000000000002';
const entry = (
  Id: string,
  Severity: 'CRITICAL' | 'LOW',
  Status: 'COMPLIANT' | 'NON_COMPLIANT',
): ComplianceItemEntry => ({
  Id,
  Title: `rule ${Id}`,
  Severity,
  Status,
  Details: { DocumentName: 'check' },
});
const put = (ResourceId: string, ComplianceType: string, Items: ComplianceItemEntry[], more: object = {}) =>
  t.ssm.putComplianceItems({
    ResourceId,
    ResourceType: 'ManagedInstance',
    ComplianceType,
    ExecutionSummary: { ExecutionTime: new Date('2026-01-02T03:04:05Z'), ExecutionId: 'run', ExecutionType: 'Command' },
    Items,
    ...more,
  });

test('puts, lists, counts and replaces items', async () => {
  await put(ONE, 'Custom:Rules', [entry('a', 'CRITICAL', 'NON_COMPLIANT'), entry('b', 'LOW', 'COMPLIANT')]);
  await put(TWO, 'Custom:Rules', [entry('a', 'LOW', 'COMPLIANT')]);
  const listed = await t.ssm.listComplianceItems({ ResourceIds: [ONE], ResourceTypes: ['ManagedInstance'] });
  expect(listed.ComplianceItems).toMatchObject([
    { Id: 'a', ComplianceType: 'Custom:Rules', Status: 'NON_COMPLIANT', Details: { DocumentName: 'check' } },
    { Id: 'b', Status: 'COMPLIANT', ExecutionSummary: { ExecutionId: 'run', ExecutionType: 'Command' } },
  ]);
  const ids = async (Key: string, Value: string, Type: 'EQUAL' | 'GREATER_THAN' | 'NOT_EQUAL') =>
    (await t.ssm.listComplianceItems({ Filters: [{ Key, Values: [Value], Type }] })).ComplianceItems!.map(
      ({ ResourceId, Id }) => `${ResourceId} ${Id}`,
    );
  expect(await ids('Severity', 'CRITICAL', 'EQUAL')).toEqual([`${ONE} a`]);
  expect(await ids('ExecutionTime', '2026-01-03T00:00:00Z', 'GREATER_THAN')).toEqual([]);
  expect(await ids('Status', 'COMPLIANT', 'NOT_EQUAL')).toEqual([`${ONE} a`]);
  expect(await failureOf(ids('Colour', 'red', 'EQUAL'))).toMatch(/^InvalidFilter/);
  expect((await t.ssm.listResourceComplianceSummaries({})).ResourceComplianceSummaryItems).toMatchObject([
    {
      ResourceId: ONE,
      Status: 'NON_COMPLIANT',
      OverallSeverity: 'CRITICAL',
      CompliantSummary: { CompliantCount: 1, SeveritySummary: { LowCount: 1, CriticalCount: 0 } },
      NonCompliantSummary: { NonCompliantCount: 1, SeveritySummary: { CriticalCount: 1 } },
    },
    { ResourceId: TWO, Status: 'COMPLIANT', OverallSeverity: 'UNSPECIFIED' },
  ]);
  expect((await t.ssm.listComplianceSummaries({})).ComplianceSummaryItems).toMatchObject([
    {
      ComplianceType: 'Custom:Rules',
      CompliantSummary: { CompliantCount: 1, SeveritySummary: { UnspecifiedCount: 1 } },
      NonCompliantSummary: { NonCompliantCount: 1, SeveritySummary: { CriticalCount: 1 } },
    },
  ]);
  await put(ONE, 'Custom:Rules', [entry('c', 'LOW', 'COMPLIANT')], { ItemContentHash: 'hash' });
  await put(ONE, 'Custom:Rules', [], { ItemContentHash: 'hash' });
  expect(await ids('ResourceId', ONE, 'EQUAL')).toEqual([`${ONE} c`]);
});

test('accepts association compliance in parts', async () => {
  const PARTIAL = { UploadType: 'PARTIAL' };
  await put(ONE, 'Association', [entry('x', 'LOW', 'COMPLIANT')]);
  await put(ONE, 'Association', [entry('y', 'LOW', 'NON_COMPLIANT')], PARTIAL);
  const Filters = [{ Key: 'ComplianceType', Values: ['Association'] }];
  const { ComplianceItems } = await t.ssm.listComplianceItems({ Filters });
  expect(ComplianceItems!.map(({ Id }) => Id)).toEqual(['x', 'y']);
  expect(await failureOf(put(ONE, 'Patch', [], PARTIAL))).toMatch(/^ValidationException/);
});

test('rejects invalid compliance', async () => {
  expect(await failureOf(put('x', 'Patch', []))).toMatch(/^InvalidResourceId/);
  expect(await failureOf(put(ONE, 'Patch', [], { ResourceType: 'Bucket' }))).toMatch(/^InvalidResourceType/);
  expect(await failureOf(put(ONE, 'Nothing', []))).toMatch(/^ValidationException/);
  expect(await failureOf(t.ssm.listComplianceItems({ ResourceIds: [ONE, TWO] }))).toMatch(/^InvalidResourceId/);
  for (let index = 0; index < 9; index++) await put(ONE, `Custom:Kind${index}`, []);
  expect(await failureOf(put(ONE, 'Custom:More', []))).toMatch(/^ComplianceTypeCountLimitExceededException/);
});
