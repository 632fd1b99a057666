import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { zipOf } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { startEmu, temporaryDirectory } from '../src/emu.ts';

const MIB = 1024 * 1024;

/** Returns the files in a directory that others can read or the owner can execute, by path. */
function openToOthers(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('.tmp'));
  const modes = ['', ...names].map((name) => {
    const stats = statSync(join(directory, name));
    return [name, (stats.mode & 0o777).toString(8), stats.isDirectory() ? '700' : '600'] as const;
  });
  return Object.fromEntries(modes.flatMap(([name, mode, wanted]) => (mode === wanted ? [] : [[name, mode]])));
}

test.skipIf(process.platform === 'win32')('other users can read nothing in a data directory', async () => {
  using folder = temporaryDirectory();
  const dataPath = join(folder.path, 'made/by/emu');
  const services = ['s3/bodies', 'sqs', 'dynamodb', 'secretsmanager', 'lambda/bodies', 'logs'];
  const present = () => services.filter((name) => existsSync(join(dataPath, name)));
  const env = { EMULATOR_LAMBDA_BACKEND: 'process' };
  {
    await using emu = await startEmu({ dataPath, env });
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const client = { endpoint: emu.url, region: 'us-east-1', credentials };
    const s3 = new S3(client);
    const at = { Bucket: 'objects', Key: 'key' };
    await s3.createBucket({ Bucket: at.Bucket });
    await s3.putObject({ ...at, Body: 'small' });
    await s3.putObject({ ...at, Key: 'large', Body: randomBytes(3 * MIB) });
    const { UploadId } = await s3.createMultipartUpload(at);
    await s3.uploadPart({ ...at, UploadId, PartNumber: 1, Body: randomBytes(6 * MIB) });
    const sqs = new SQS(client);
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'jobs' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x'.repeat(200_000) });
    await new DynamoDB(client).createTable({
      TableName: 'table',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    expect((await fetch(`${emu.url}/_emulator/dynamodb/snapshot/save`, { method: 'POST' })).status).toBe(200);
    await new SecretsManager(client).createSecret({ Name: 'secret', SecretString: 'hush' });
    const lambda = new Lambda(client);
    await lambda.createFunction({
      FunctionName: 'function',
      Role: 'arn:aws:iam::000000000000:role/lambda',
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => console.log("hello");' }) },
    });
    const { FunctionError } = await lambda.invoke({ FunctionName: 'function' });
    expect(FunctionError).toBeUndefined();
    // The function's output reaches its log group after its response.
    await expect.poll(present, { timeout: 20_000 }).toEqual(services);
    expect(openToOthers(dataPath)).toEqual({});
    expect(await emu.stop()).toBe(0);
  }
  expect(openToOthers(dataPath)).toEqual({});
  await using again = await startEmu({ dataPath, env });
  expect(openToOthers(dataPath)).toEqual({});
  expect(again.output()).toContain('Ready.');
});
