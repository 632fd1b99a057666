import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FaultyFileSystem, faultyFileSystem, noSpace } from '@emu/core/testing';
import { createTestEmulator, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MISSING, ownRoutes, routesOf } from '../../gateway/src/control/control-app.ts';
import { SERVICES } from '../src/services.ts';

const ACCOUNT = '123456789012';
const TOKEN = '00000000-0000-0000-0000-000000000000';
const QueueUrl = `http://localhost:4566/${ACCOUNT}/kept`;
const TABLE = {
  TableName: 'kept',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
};
const WRITES: readonly (readonly [service: string, operation: string, input: object])[] = [
  ['sqs', 'SendMessage', { QueueUrl, MessageBody: 'm' }],
  ['s3', 'CreateBucket', { Bucket: 'other' }],
  ['dynamodb', 'PutItem', { TableName: 'kept', Item: { id: { S: 'b' } } }],
  ['logs', 'CreateLogGroup', { logGroupName: '/other' }],
  ['iam', 'CreateUser', { UserName: 'other' }],
  ['ssm', 'PutParameter', { Name: 'other', Value: 'v', Type: 'String' }],
  ['secretsmanager', 'CreateSecret', { Name: 'other', SecretString: 's', ClientRequestToken: TOKEN }],
];
const READS: typeof WRITES = [
  ['sqs', 'GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] }],
  ['s3', 'GetObject', { Bucket: 'kept', Key: 'index.html' }],
  ['s3', 'ListObjectsV2', { Bucket: 'kept' }],
  ['dynamodb', 'GetItem', { TableName: 'kept', Key: { id: { S: 'a' } } }],
  ['dynamodb', 'Scan', { TableName: 'kept' }],
  ['logs', 'DescribeLogGroups', {}],
  ['logs', 'FilterLogEvents', { logGroupName: '/kept' }],
  ['iam', 'ListUsers', {}],
  ['ssm', 'GetParameter', { Name: 'kept' }],
  ['secretsmanager', 'GetSecretValue', { SecretId: 'kept' }],
  ['sts', 'GetCallerIdentity', {}],
];

let path: string;
let fs: FaultyFileSystem;
let emulator: TestEmulator;
const call = (service: string, operation: string, input: unknown): Promise<unknown> =>
  emulator.kernel.callJson(service, operation, input);

/** Starts an emulator with data, fills its disk, and lets every service fail to write a change. */
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'emu-full-'));
  fs = faultyFileSystem();
  emulator = await createTestEmulator({ manifests: SERVICES, dataPath: path, fs });
  await call('sqs', 'CreateQueue', { QueueName: 'kept' });
  await call('s3', 'CreateBucket', { Bucket: 'kept' });
  await call('s3', 'PutObject', { Bucket: 'kept', Key: 'index.html', Body: Buffer.from('page').toString('base64') });
  await call('s3', 'PutBucketWebsite', {
    Bucket: 'kept',
    WebsiteConfiguration: { IndexDocument: { Suffix: 'index.html' } },
  });
  await call('s3', 'DeletePublicAccessBlock', { Bucket: 'kept' });
  const Statement = [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::kept/*' }];
  await call('s3', 'PutBucketPolicy', { Bucket: 'kept', Policy: JSON.stringify({ Version: '2012-10-17', Statement }) });
  await call('dynamodb', 'CreateTable', TABLE);
  await call('dynamodb', 'PutItem', { TableName: 'kept', Item: { id: { S: 'a' } } });
  await call('logs', 'CreateLogGroup', { logGroupName: '/kept' });
  await call('ssm', 'PutParameter', { Name: 'kept', Value: 'v', Type: 'String' });
  await call('secretsmanager', 'CreateSecret', { Name: 'kept', SecretString: 's', ClientRequestToken: TOKEN });
  for (const name of emulator.kernel.services) await emulator.kernel.service(name);
  await emulator.kernel.committed();
  fs.fault = (operation) => (operation === 'write' ? noSpace() : undefined);
}, 120_000);
afterAll(async () => {
  fs.fault = () => undefined;
  await emulator?.close();
  await rm(path, { recursive: true });
});

describe('with a full disk', () => {
  it.each(WRITES)('%s rejects %s', async (service, operation, input) => {
    await expect(call(service, operation, input)).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it.each(READS)('%s answers %s', async (service, operation, input) => {
    await expect(call(service, operation, input)).resolves.toBeDefined();
  });

  it('every control route that reads answers', async () => {
    const { kernel, gateway } = emulator;
    const routes = [
      ...ownRoutes(gateway),
      ...(await Promise.all(kernel.services.map((name) => routesOf(kernel, name)))).flat(),
    ];
    const unknown = new Set(MISSING.map(({ path }) => path));
    const refused: string[] = [];
    for (const { method, path: template } of routes) {
      if (method !== 'GET' || unknown.has(template) || template === '/_emulator/requests/events') continue;
      const target = template.replace(/\{[^}]+\}/g, 'kept');
      const { status } = await emulator.control('GET', target);
      if (status >= 500 && status !== 501) refused.push(`${target}: ${status}`);
    }
    expect(refused).toEqual([]);
  });

  it.each([
    ['a website', 'kept.s3-website.us-east-1.localhost', '/'],
    ['the metadata service', 'localhost:4566', '/latest/meta-data/'],
    ['health', 'localhost:4566', '/_emulator/health'],
  ])('%s answers', async (_, host, target) => {
    expect((await sendRaw(emulator, { method: 'GET', target, headers: { host } })).status).toBe(200);
  });
});
