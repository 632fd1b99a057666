import { spawnSync } from 'node:child_process';
import { CloudFormation, paginateDescribeStackEvents, type StackEvent } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { ControlClient } from '@emu/control-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type CdkTest, clientConfig, REGION, startCdk } from '../src/cdk.ts';
import type { Emu } from '../src/emu.ts';

const MINUTES = 60_000;

let emu: Emu;
let cdk: CdkTest['cdk'];
let close: CdkTest['close'] | undefined;

/** Whether functions have AWS's paths on this machine, which BucketDeployment needs. */
const hasPaths =
  spawnSync('unshare', ['--map-root-user', '--mount', '--pid', '--fork', '--mount-proc', 'true']).status === 0;
if (!hasPaths) console.log('skipped: BucketDeployment, for this machine allows no user namespaces');
const context = hasPaths ? ['--context', 'site=1'] : [];

beforeAll(async () => {
  const started = await startCdk();
  ({ emu, close } = started);
  cdk = (...args) => started.cdk(...args, ...context);
  // The first run downloads an SDK.
}, 5 * MINUTES);
afterAll(() => close?.());

/** Returns the outputs of a stack. */
async function outputs(StackName: string): Promise<Record<string, string>> {
  const { Stacks } = await new CloudFormation(clientConfig(emu.url)).describeStacks({ StackName });
  return Object.fromEntries((Stacks![0]!.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

/** Returns the times of the first and last event of a stack's latest operation, in milliseconds. */
async function lastWork(client: CloudFormation, StackName: string): Promise<[number, number]> {
  const events: StackEvent[] = [];
  for await (const page of paginateDescribeStackEvents({ client }, { StackName })) events.push(...page.StackEvents!);
  const begins = events.findIndex(
    ({ ResourceStatus, PhysicalResourceId, StackId }) =>
      PhysicalResourceId === StackId && /^(?:REVIEW|CREATE|UPDATE)_IN_PROGRESS$/.test(ResourceStatus!),
  );
  return [events[begins]!.Timestamp!.getTime(), events[0]!.Timestamp!.getTime()];
}

/** Returns the milliseconds in which requests were handled or stacks processed: the union of both. */
async function timeInside(stacks: readonly string[]): Promise<number> {
  const { requests } = new ControlClient(emu.url);
  const cfn = new CloudFormation(clientConfig(emu.url));
  const spans: [number, number][] = [];
  for (const { receivedAt, duration, via } of await requests.list({ limit: 10_000 })) {
    const from = new Date(receivedAt).getTime();
    if (via === undefined) spans.push([from, from + duration]);
  }
  for (const StackName of stacks) spans.push(await lastWork(cfn, StackName));
  let total = 0;
  let until = 0;
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}

test('CDK bootstraps, deploys, compares, hotswaps, rolls back and destroys an application', {
  timeout: 10 * MINUTES,
}, async () => {
  const config = clientConfig(emu.url);
  const cfn = new CloudFormation(config);
  const lambda = new Lambda(config);
  const s3 = new S3(config);
  expect(await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`)).toContain('bootstrapped');
  const control = new ControlClient(emu.url);
  await control.requests.record();
  const deploy = ['deploy', '--all', '--require-approval', 'never'];
  const deployed = await cdk(...deploy);
  expect(deployed).toContain('✅  Main');
  // Below 5 s on an idle machine; a shared one takes longer.
  const inside = await timeInside(['Base', 'Main']);
  console.log(`cdk deploy: ${Math.round(inside)} ms inside emu`);
  expect(inside).toBeLessThan(20_000);
  const { Stacks } = await cfn.describeStacks({ StackName: 'Main' });
  expect(Stacks).toMatchObject([{ StackStatus: 'CREATE_COMPLETE' }]);
  const made = await outputs('Main');
  // A custom resource of CDK reads the parameter; handlers of the application create the other resource.
  expect(made).toMatchObject({ Looked: 'first', Made: 'string 5' });
  // The URLs in outputs lead to emu.
  for (const url of [made.RestUrl!, `${made.HttpUrl!}/hello`]) expect(await (await fetch(url)).text()).toBe('hello');
  expect((await cfn.listExports({})).Exports!.length).toBeGreaterThan(0);
  const notified = await s3.getBucketNotificationConfiguration({ Bucket: made.BucketName! });
  expect(notified.LambdaFunctionConfigurations).toHaveLength(1);
  expect(notified.QueueConfigurations).toHaveLength(1);
  const { logGroups } = await new CloudWatchLogs(config).describeLogGroups({ logGroupNamePrefix: '/demo/retained' });
  expect(logGroups).toMatchObject([{ retentionInDays: 5 }]);

  const Bucket = hasPaths ? (await outputs('Site')).PagesName! : '';
  const copied = async (Key: string) => {
    const { Body, ...object } = await s3.getObject({ Bucket, Key });
    return { ...object, text: await Body!.transformToString() };
  };
  if (hasPaths) {
    const { Contents } = await s3.listObjectsV2({ Bucket });
    expect(Contents!.map(({ Key }) => Key)).toEqual(['site/greeting.txt', 'site/index.html', 'site/pages/one.json']);
    expect(await copied('site/index.html')).toMatchObject({
      ContentType: 'text/html',
      CacheControl: 'max-age=3600',
      text: expect.stringContaining('<title>site</title>'),
    });
    expect(await copied('site/greeting.txt')).toMatchObject({ text: 'hello' });
  }

  // First nothing differs; then the code of a function does.
  expect(await cdk('diff', '--all')).toContain('Number of stacks with differences: 0');
  const change = ['--context', 'greeting=changed'];
  const different = await cdk('diff', 'Main', ...change);
  expect(different).toContain('[~] AWS::Lambda::Function Hello');
  expect(different).toContain('Number of stacks with differences: 1');
  expect(await cdk(...deploy)).toContain('(no changes)');

  // Code is updated without the stack.
  const before = (await cfn.describeStacks({ StackName: 'Main' })).Stacks![0]!.LastUpdatedTime;
  expect(await cdk('deploy', 'Main', '--hotswap', ...change)).toContain('hotswapped!');
  expect((await cfn.describeStacks({ StackName: 'Main' })).Stacks![0]!.LastUpdatedTime).toEqual(before);
  const { Payload } = await lambda.invoke({ FunctionName: made.FunctionName! });
  expect(JSON.parse(Payload!.transformToString())).toMatchObject({ body: 'changed' });
  if (hasPaths) {
    expect(await cdk('deploy', 'Site', '--hotswap', ...change)).toContain('hotswapped!');
    expect(await copied('site/greeting.txt')).toMatchObject({ text: 'changed' });
  }

  // A failing update is rolled back.
  const { QueueUrl } = await outputs('Base');
  const sqs = new SQS(config);
  const timeout = async () =>
    (await sqs.getQueueAttributes({ QueueUrl: QueueUrl!, AttributeNames: ['VisibilityTimeout'] })).Attributes;
  await expect(cdk('deploy', 'Base', '--require-approval', 'never', '--context', 'broken=1')).rejects.toThrow(
    /The parameter already exists/,
  );
  expect((await cfn.describeStacks({ StackName: 'Base' })).Stacks![0]!.StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(await timeout()).toEqual({ VisibilityTimeout: '30' });
  expect(await outputs('Base')).toMatchObject({ QueueUrl });

  // Custom resources delete the contents of the buckets with them.
  await s3.putObject({ Bucket: made.BucketName!, Key: 'k', Body: 'x' });
  expect(await cdk('destroy', '--all', '--force')).toContain('✅  Base: destroyed');
  for (const name of [made.BucketName!, ...(hasPaths ? [Bucket] : [])])
    await expect(s3.headBucket({ Bucket: name })).rejects.toMatchObject({ name: 'NotFound' });
});
