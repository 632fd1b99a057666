import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQS } from '@aws-sdk/client-sqs';
import { rewriteSnapshot } from '@emu/core/testing';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ACCOUNT } from './support.ts';

const CHINA = 'cn-north-1';

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'emu-older-'));
});
afterEach(() => rm(path, { recursive: true }));

const start = (region: string): Promise<TestEmulator> =>
  createTestEmulator({ manifests: [manifest], dataPath: path, settings: { accountId: ACCOUNT, region } });

test('migrates ARNs of a single partition: policies follow their queue, messages stay unchanged', async () => {
  const arn = `arn:aws:sqs:${CHINA}:${ACCOUNT}:q`;
  const policy = (Resource: string) => {
    const Statement = [{ Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage', Resource }];
    return JSON.stringify({ Version: '2012-10-17', Statement });
  };
  let QueueUrl: string;
  {
    await using older = await start('us-east-1');
    const sqs = new SQS(older.clientConfig({ region: CHINA }));
    QueueUrl = (await sqs.createQueue({ QueueName: 'q', Attributes: { Policy: policy(arn) } })).QueueUrl!;
    const MessageAttributes = { about: { DataType: 'String', StringValue: arn } };
    await sqs.sendMessage({ QueueUrl, MessageBody: arn, MessageAttributes });
  }
  const file = join(path, 'emulator.version.toml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('= true', '= false'));
  await using newer = await start('us-east-1');
  const sqs = new SQS(newer.clientConfig({ region: CHINA }));
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['Policy', 'QueueArn'] });
  const moved = `arn:aws-cn:sqs:${CHINA}:${ACCOUNT}:q`;
  expect(Attributes).toEqual({ Policy: policy(moved), QueueArn: moved });
  const { Messages } = await sqs.receiveMessage({ QueueUrl, MessageAttributeNames: ['All'] });
  expect(Messages).toMatchObject([{ Body: arn, MessageAttributes: { about: { StringValue: arn } } }]);
});

test("migrates queues stored per account to the server's region, with their URLs", async () => {
  let QueueUrl: string;
  {
    await using older = await start('us-east-1');
    const sqs = new SQS(older.clientConfig());
    QueueUrl = (await sqs.createQueue({ QueueName: 'q' })).QueueUrl!;
    await sqs.sendMessage({ QueueUrl, MessageBody: 'kept' });
  }
  await rewriteSnapshot(path, 'sqs', (record) => ({ ...record, region: '' }));
  await using newer = await start('eu-west-1');
  const sqs = new SQS(newer.clientConfig());
  expect((await sqs.listQueues({})).QueueUrls).toHaveLength(1);
  expect((await sqs.receiveMessage({ QueueUrl })).Messages).toMatchObject([{ Body: 'kept' }]);
  const elsewhere = new SQS(newer.clientConfig({ region: 'us-east-1' }));
  expect((await elsewhere.listQueues({})).QueueUrls).toBeUndefined();
});
