import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { IAM } from '@aws-sdk/client-iam';
import { createTestEmulator, rejection, type TestEmulator } from '@emu/gateway/testing';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A caller of another account needs a policy of the resource as well, which log groups do not have.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic-cross-account.html

const OTHER = '222222222222';
const ARN = `arn:aws:logs:us-east-1:${OTHER}:log-group:secret`;
const PERIOD = { startTime: 1, endTime: 4_000_000_000 };
const QUERY = { name: 'q', scheduleExpression: 'cron(* * * * ? *)', queryLanguage: 'CWLI' } as const;

let emulator: TestEmulator;
let logs: CloudWatchLogs;
beforeAll(async () => {
  const manifests = [iamManifest, logsManifest];
  emulator = await createTestEmulator({ manifests, settings: { values: { EMULATOR_ENFORCE_IAM: true } } });
  const config = emulator.clientConfig();
  const owner = new CloudWatchLogs({ ...config, credentials: { accessKeyId: OTHER, secretAccessKey: 'x' } });
  await owner.createLogGroup({ logGroupName: 'secret' });
  await owner.createLogStream({ logGroupName: 'secret', logStreamName: 's' });
  const logEvents = [{ timestamp: Date.now(), message: 'hidden' }];
  await owner.putLogEvents({ logGroupName: 'secret', logStreamName: 's', logEvents });
  await owner.putIndexPolicy({ logGroupIdentifier: 'secret', policyDocument: '{"Fields":["a"]}' });
  const iam = new IAM(config);
  await iam.createUser({ UserName: 'june' });
  const Statement = { Effect: 'Allow', Action: '*', Resource: '*' };
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await iam.putUserPolicy({ UserName: 'june', PolicyName: 'all', PolicyDocument });
  const { AccessKey } = await iam.createAccessKey({ UserName: 'june' });
  const credentials = { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! };
  logs = new CloudWatchLogs({ ...config, credentials, maxAttempts: 1 });
});
afterAll(() => emulator.close());

it.each([
  ['FilterLogEvents', () => logs.filterLogEvents({ logGroupIdentifier: ARN })],
  ['DescribeLogGroups', () => logs.describeLogGroups({ logGroupIdentifiers: [ARN] })],
  ['DescribeIndexPolicies', () => logs.describeIndexPolicies({ logGroupIdentifiers: [ARN] })],
  ['DescribeFieldIndexes', () => logs.describeFieldIndexes({ logGroupIdentifiers: [ARN] })],
  ['DeleteIndexPolicy', () => logs.deleteIndexPolicy({ logGroupIdentifier: ARN })],
  [
    'DescribeAccountPolicies',
    () => logs.describeAccountPolicies({ policyType: 'FIELD_INDEX_POLICY', accountIdentifiers: [OTHER] }),
  ],
  ['StartQuery', () => logs.startQuery({ ...PERIOD, logGroupIdentifiers: [ARN], queryString: 'fields @message' })],
  ['a SOURCE', () => logs.startQuery({ ...PERIOD, queryString: `SOURCE '${ARN}' | fields @message` })],
  [
    'SQL',
    () =>
      logs.startQuery({
        ...PERIOD,
        queryLanguage: 'SQL',
        queryString: `SELECT * FROM \`logGroups(logGroupIdentifier: ['${ARN}'])\``,
      }),
  ],
])('%s refuses log groups of another account, if policies are enforced', async (_, request) => {
  expect(await rejection(request())).toMatchObject({ name: 'AccessDeniedException' });
});

it('lists and queries find no log groups of other accounts, if policies are enforced', async () => {
  const linked = { includeLinkedAccounts: true, accountIdentifiers: [OTHER] };
  expect((await logs.describeLogGroups(linked)).logGroups).toEqual([]);
  expect((await logs.describeLogGroups({ includeLinkedAccounts: true })).logGroups).toEqual([]);
  expect((await logs.listLogGroups(linked)).logGroups).toEqual([]);
  const queryString = `SOURCE logGroups(namePrefix: ['s'], accountIdentifiers: ['${OTHER}']) | fields @message`;
  expect(await rejection(logs.startQuery({ ...PERIOD, queryString }))).toMatchObject({
    message: expect.stringContaining('of which 0 were found'),
  });
});

it('scheduled queries read no log groups of other accounts, if policies are enforced', async () => {
  const { scheduledQueryArn } = await logs.createScheduledQuery({
    ...QUERY,
    queryString: 'fields @message',
    logGroupIdentifiers: [ARN],
    executionRoleArn: 'arn:aws:iam::123456789012:role/any',
  });
  await emulator.kernel.clock.advance(120_000);
  const history = async () => {
    const { triggerHistory = [] } = await logs.getScheduledQueryHistory({
      identifier: scheduledQueryArn,
      startTime: 0,
      endTime: 4_000_000_000_000,
    });
    return triggerHistory.map(({ executionStatus }) => executionStatus);
  };
  await expect.poll(history).toContain('Failed');
  expect(await history()).not.toContain('Complete');
});
