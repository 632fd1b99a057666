import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { ControlClient } from '@emu/control-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emu, startEmu } from '../src/emu.ts';
import { installedRuntimeDirectory } from '../src/runtime-directory.ts';

const run = promisify(execFile);
const OSLS = fileURLToPath(new URL('../node_modules/osls/bin/serverless.js', import.meta.url));
const SERVICE = fileURLToPath(new URL('../serverless', import.meta.url));
const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
const MINUTES = 60_000;

let emu: Emu;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'emu-serverless-'));
  await cp(SERVICE, directory, { recursive: true });
  // As on a fresh machine: functions find SDKs in the runtime directory only.
  const EMULATOR_RUNTIME_DIR = await installedRuntimeDirectory();
  const env = { EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_RUNTIME_DIR, HOME: directory };
  emu = await startEmu({ env, cwd: directory });
  // The first run downloads an SDK.
}, 5 * MINUTES);
afterAll(async () => {
  await emu?.kill();
  await rm(directory, { recursive: true, force: true });
});

/** Runs the maintained fork of the Serverless Framework with emu's URL only. @returns its output */
const serverless = (...args: string[]): Promise<string> => serverlessIn(directory, ...args);

async function serverlessIn(cwd: string, ...args: string[]): Promise<string> {
  const running = run(process.execPath, [OSLS, ...args], {
    cwd,
    env: {
      ...process.env,
      HOME: directory,
      AWS_ENDPOINT_URL: emu.url,
      AWS_ACCESS_KEY_ID: ACCOUNT,
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: REGION,
      NODE_NO_WARNINGS: '1',
      SLS_NOTIFICATIONS_MODE: 'off',
      SLS_TELEMETRY_DISABLED: '1',
    },
  });
  // Without data it would wait for input.
  running.child.stdin?.end();
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

const config = () => ({
  endpoint: emu.url,
  region: REGION,
  credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
});

/** Waits until the function's log contains the name of its caller. */
async function calledBy(caller: string): Promise<void> {
  const logs = new CloudWatchLogs(config());
  const calls = async () => {
    const { events = [] } = await logs.filterLogEvents({ logGroupName: '/aws/lambda/shop-dev-hello' });
    return events.map(({ message }) => message!.trim()).join('\n');
  };
  await expect.poll(calls, { timeout: MINUTES / 2, interval: 100 }).toContain(`called by ${caller}`);
}

test('a service is deployed, invoked, updated and removed', { timeout: 3 * MINUTES }, async () => {
  expect(await serverless('deploy')).toContain('Service deployed to stack shop-dev');
  const cfn = new CloudFormation(config());
  const { Stacks } = await cfn.describeStacks({ StackName: 'shop-dev' });
  expect(Stacks).toMatchObject([{ StackStatus: 'UPDATE_COMPLETE' }]);
  expect(await serverless('invoke', '--function', 'hello', '--data', '{"name":"emu"}')).toContain('hello emu');
  const functions = new Lambda(config());
  const FunctionName = 'shop-dev-hello';
  const { EventSourceMappings } = await functions.listEventSourceMappings({ FunctionName });
  expect(EventSourceMappings!.map(({ EventSourceArn }) => EventSourceArn!.split(':')[2]).sort()).toEqual([
    'dynamodb',
    'sqs',
  ]);

  // Each of its events reaches it.
  const outputs = Object.fromEntries(Stacks![0]!.Outputs!.map((one) => [one.OutputKey, one.OutputValue!]));
  const response = await fetch(`${outputs.HttpApiUrl!}/hello`);
  expect(await response.text()).toBe('hello world');
  await calledBy('/hello');
  const { StackResources } = await cfn.describeStackResources({ StackName: 'shop-dev' });
  const made = (id: string) => StackResources!.find((one) => one.LogicalResourceId === id)!.PhysicalResourceId!;
  await new SQS(config()).sendMessage({ QueueUrl: made('Jobs'), MessageBody: 'job' });
  await calledBy('aws:sqs');
  await new DynamoDB(config()).putItem({ TableName: made('Things'), Item: { id: { S: '1' } } });
  await calledBy('aws:dynamodb');
  const { clock } = new ControlClient(emu.url);
  await clock.advance('1h');
  await calledBy('Scheduled Event');
  await clock.reset();

  expect(await serverless('deploy')).toContain('No changes to deploy');
  const handler = join(directory, 'handler.js');
  await writeFile(handler, (await readFile(handler, 'utf8')).replace('hello ${', 'bye ${'));
  expect(await serverless('deploy')).toContain('Service deployed to stack shop-dev');
  expect(await serverless('invoke', '--function', 'hello')).toContain('bye world');
  expect(await serverless('remove')).toContain('successfully removed');
  await expect(cfn.describeStacks({ StackName: 'shop-dev' })).rejects.toMatchObject({ name: 'ValidationError' });
  await expect(functions.getFunction({ FunctionName })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('a REST service with the SDK v2 reaches emu by the names of AWS, and a bucket of another stack', {
  timeout: 3 * MINUTES,
}, async () => {
  const cwd = join(directory, 'notes');
  const s3 = new S3({ ...config(), forcePathStyle: true });
  await s3.createBucket({ Bucket: 'notes-imports' });
  expect(await serverlessIn(cwd, 'deploy')).toContain('Service deployed to stack notes-dev');
  const cfn = new CloudFormation(config());
  const { Stacks } = await cfn.describeStacks({ StackName: 'notes-dev' });
  const base = Stacks![0]!.Outputs!.find(({ OutputKey }) => OutputKey === 'ServiceEndpoint')!.OutputValue!;
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(base + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const texts = async () => (await call('GET', '/notes')).body.map(({ text }: { text: string }) => text).sort();

  const created = await call('POST', '/notes', { text: 'first' });
  expect(created).toEqual({ status: 201, body: { id: expect.any(String), text: 'first' } });
  expect(await call('PUT', `/notes/${created.body.id}`, { text: 'changed' })).toEqual({
    status: 200,
    body: { id: created.body.id, text: 'changed' },
  });
  // A function of the framework has connected the bucket.
  await s3.putObject({ Bucket: 'notes-imports', Key: 'a file.txt', Body: 'imported' });
  await expect.poll(texts, { timeout: MINUTES / 2, interval: 100 }).toEqual(['changed', 'imported']);
  expect(await call('DELETE', `/notes/${created.body.id}`)).toEqual({ status: 204, body: undefined });
  expect(await texts()).toEqual(['imported']);

  const handler = join(cwd, 'notes.js');
  await writeFile(handler, (await readFile(handler, 'utf8')).replace('response(200, Items)', 'response(200, [])'));
  expect(await serverlessIn(cwd, 'deploy')).toContain('Service deployed to stack notes-dev');
  expect(await texts()).toEqual([]);
  expect(await serverlessIn(cwd, 'remove')).toContain('successfully removed');
  const notified = await s3.getBucketNotificationConfiguration({ Bucket: 'notes-imports' });
  expect(notified.LambdaFunctionConfigurations).toBeUndefined();
});
