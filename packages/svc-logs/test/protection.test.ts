import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT, failureOf, groupArn, type LogsTest, startLogs } from './support.ts';

const reported: unknown[] = [];
const cloudwatch = fakeService('cloudwatch', {
  PutMetricData(input) {
    reported.push(input);
    return {};
  },
});

let test: LogsTest;
beforeAll(async () => {
  test = await startLogs({ manifests: [cloudwatch] });
});
afterAll(() => test[Symbol.asyncDispose]());

const policy = (
  LogGroup?: string,
  identifiers = ['arn:aws:dataprotection::aws:data-identifier/EmailAddress', 'Badge'],
) =>
  JSON.stringify({
    Name: 'policy',
    Version: '2021-06-01',
    Configuration: { CustomDataIdentifier: [{ Name: 'Badge', Regex: 'B-[0-9]{4}' }] },
    Statement: [
      {
        Sid: 'audit',
        DataIdentifier: identifiers,
        Operation: { Audit: { FindingsDestination: LogGroup ? { CloudWatchLogs: { LogGroup } } : {} } },
      },
      { Sid: 'redact', DataIdentifier: identifiers, Operation: { Deidentify: { MaskConfig: {} } } },
    ],
  });

it('masks events after the policy, and reports findings', async () => {
  const { logs } = test;
  const group = await test.group('protected', 'a');
  const findings = await test.group('findings');
  await test.put(group, 'a', 'old a@example.com');
  await test.advance(1);
  const document = policy(findings);
  const put = await logs.putDataProtectionPolicy({ logGroupIdentifier: group, policyDocument: document });
  expect(put).toMatchObject({ logGroupIdentifier: group, policyDocument: document, lastUpdatedTime: test.now });
  expect(await logs.getDataProtectionPolicy({ logGroupIdentifier: groupArn(group) })).toMatchObject({
    policyDocument: document,
  });
  await test.put(group, 'a', 'from a@example.com with B-1234', 'nothing');
  const read = async (unmask?: boolean) =>
    (await logs.filterLogEvents({ logGroupName: group, unmask })).events!.map(({ message }) => message);
  expect(await read()).toEqual(['old a@example.com', 'from ************* with ******', 'nothing']);
  expect(await read(true)).toContain('from a@example.com with B-1234');
  const { events } = await logs.getLogEvents({ logGroupName: group, logStreamName: 'a' });
  expect(events![1]!.message).toBe('from ************* with ******');
  const { logGroups } = await logs.describeLogGroups({ logGroupNamePrefix: group });
  expect(logGroups![0]!.dataProtectionStatus).toBe('ACTIVATED');
  const told = await logs.filterLogEvents({ logGroupName: findings });
  expect(told.events!.map(({ message }) => JSON.parse(message!) as unknown)).toEqual([
    {
      auditTimestamp: new Date(test.now).toISOString(),
      resourceArn: `${groupArn(group)}:*`,
      dataIdentifiers: [
        { name: 'EmailAddress', count: 1, detections: [{ start: 5, end: 18 }] },
        { name: 'Badge', count: 1, detections: [{ start: 24, end: 30 }] },
      ],
    },
  ]);
  expect(reported).toMatchObject([
    { Namespace: 'AWS/Logs', MetricData: [{ MetricName: 'LogEventsWithFindings', Value: 1 }] },
  ]);
  await logs.deleteDataProtectionPolicy({ logGroupIdentifier: group });
  await test.put(group, 'a', 'again a@example.com');
  expect((await read()).at(-1)).toBe('again a@example.com');
});

it('rejects invalid policies', async () => {
  const { logs } = test;
  const logGroupIdentifier = await test.group('unprotected');
  const put = (policyDocument: string) =>
    failureOf(logs.putDataProtectionPolicy({ logGroupIdentifier, policyDocument }));
  expect(await put('{')).toBe('InvalidParameterException: Invalid data protection policy: it is no valid JSON.');
  expect(await put(JSON.stringify({ Name: 'x', Version: '2021-06-01', Statement: [] }))).toMatch(
    /^InvalidParameterException: Invalid data protection policy: it must have two statements/,
  );
  const managed = 'arn:aws:dataprotection::aws:data-identifier/ShoeSize';
  expect(await put(policy(undefined, [managed]))).toMatch(/the data identifier .*ShoeSize is unknown/);
  expect(await put(policy(undefined, ['Unknown']))).toMatch(/the data identifier Unknown is unknown/);
});

it('protects all groups with an account policy', async () => {
  const { logs } = test;
  const policyType = 'DATA_PROTECTION_POLICY' as const;
  const policyDocument = policy();
  const { accountPolicy } = await logs.putAccountPolicy({ policyName: 'all', policyType, policyDocument });
  expect(accountPolicy).toEqual({
    policyName: 'all',
    policyDocument,
    policyType,
    scope: 'ALL',
    lastUpdatedTime: test.now,
    accountId: ACCOUNT,
  });
  const group = await test.group('by-account', 'a');
  await test.put(group, 'a', 'a@example.com');
  const { events } = await logs.filterLogEvents({ logGroupName: group });
  expect(events![0]!.message).toBe('*************');
  expect(await failureOf(logs.putAccountPolicy({ policyName: 'two', policyType, policyDocument }))).toBe(
    'LimitExceededException: Resource limit exceeded.',
  );
  expect((await logs.describeAccountPolicies({ policyType })).accountPolicies).toEqual([accountPolicy]);
  await logs.deleteAccountPolicy({ policyName: 'all', policyType });
  expect((await logs.describeAccountPolicies({ policyType })).accountPolicies).toEqual([]);
  expect(await failureOf(logs.deleteAccountPolicy({ policyName: 'all', policyType }))).toBe(
    'ResourceNotFoundException: The specified account policy does not exist.',
  );
});
