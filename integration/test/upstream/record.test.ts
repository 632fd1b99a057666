import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetUserCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  CreateStreamCommand,
  DescribeStreamCommand,
  KinesisClient,
  PutRecordCommand,
  RegisterStreamConsumerCommand,
  SubscribeToShardCommand,
} from '@aws-sdk/client-kinesis';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  SelectObjectContentCommand,
} from '@aws-sdk/client-s3';
import { CreateSecretCommand, GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ApiRecord, RequestRecord } from '@emu/recording';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { describe, expect, test } from 'vitest';
import { recorded } from './recorded.ts';

const api = (record: RequestRecord | undefined): ApiRecord => record as ApiRecord;

describe('requests are signed anew, passed on and recorded decoded', () => {
  test('of JSON services, with errors', async () => {
    await using run = await recorded({ manifests: [sqs] });
    const client = new SQSClient(run.config);
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'jobs' }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'for ann@mail.example.org' }));
    await expect(client.send(new GetQueueUrlCommand({ QueueName: 'none' }))).rejects.toThrow('does not exist');
    const [created, sent, failed, ...more] = await run.records();
    expect(more).toEqual([]);
    expect(created).toEqual({
      n: 1,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      milliseconds: expect.any(Number),
      service: 'sqs',
      region: 'eu-west-1',
      operation: 'CreateQueue',
      input: { QueueName: 'jobs' },
      status: 200,
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': expect.any(String) },
      output: { QueueUrl: expect.stringMatching(/\/000000000001\/jobs$/) },
    });
    expect(api(sent).input).toMatchObject({ MessageBody: 'for masked-1@example.com' });
    expect(api(failed)).toMatchObject({
      status: 400,
      error: { code: 'QueueDoesNotExist', message: 'The specified queue does not exist.' },
    });
  });

  test('of clients that use the URL of a queue as their endpoint', async () => {
    await using run = await recorded({ manifests: [sqs] });
    const headers = {
      'x-amz-target': 'AmazonSQS.CreateQueue',
      'content-type': 'application/x-amz-json-1.0',
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20261129/eu-west-1/sqs/aws4_request, SignedHeaders=host, Signature=0',
    };
    const created = await fetch(run.url, { method: 'POST', headers, body: '{"QueueName":"jobs"}' });
    const { QueueUrl } = (await created.json()) as { QueueUrl: string };
    expect(QueueUrl).toBe(`${run.url}/123456789012/jobs`);
    const sent = await fetch(QueueUrl, {
      method: 'POST',
      headers: { ...headers, 'x-amz-target': 'AmazonSQS.SendMessage' },
      body: JSON.stringify({ QueueUrl, MessageBody: 'hello' }),
    });
    expect(sent.status).toBe(200);
    const form = new URLSearchParams({ Action: 'SendMessage', Version: '2012-11-05', QueueUrl, MessageBody: 'again' });
    const { 'x-amz-target': _, 'content-type': __, ...plain } = headers;
    expect((await fetch(QueueUrl, { method: 'POST', headers: plain, body: form })).status).toBe(200);
    const [first, second, third] = (await run.records()).map(api);
    expect(first?.output?.QueueUrl).toBe(`${run.upstream}/000000000001/jobs`);
    for (const record of [second, third]) expect(record?.input.QueueUrl).toBe(`${run.upstream}/000000000001/jobs`);
  });

  test('of the query protocol, CBOR and restXml', async () => {
    await using run = await recorded({ manifests: [iam, cloudwatch, s3] });
    await new IAMClient(run.config).send(new GetUserCommand({ UserName: 'admin' }));
    const at = new Date(Math.floor(Date.now() / 1000) * 1000);
    const MetricData = [{ MetricName: 'm', Value: 1.5, Timestamp: at }];
    await new CloudWatchClient(run.config).send(new PutMetricDataCommand({ Namespace: 'n', MetricData }));
    await new S3Client(run.config).send(new CreateBucketCommand({ Bucket: 'photos' }));
    const [user, metric, bucket] = (await run.records()).map(api);
    expect(user).toMatchObject({
      operation: 'GetUser',
      output: {
        User: {
          UserName: 'admin',
          Arn: 'arn:aws:iam::000000000001:user/admin',
          CreateDate: { $time: expect.any(String) },
        },
      },
    });
    expect(metric?.input).toEqual({
      Namespace: 'n',
      MetricData: [{ MetricName: 'm', Value: 1.5, Timestamp: { $time: at.toISOString() } }],
    });
    expect(bucket).toMatchObject({
      operation: 'CreateBucket',
      input: { Bucket: 'photos' },
      output: { Location: expect.any(String) },
    });
  });

  test('of S3: streams with checksums in trailers, signed chunks, ranges and presigned URLs', async () => {
    await using run = await recorded({ manifests: [s3] });
    const client = new S3Client(run.config);
    await client.send(new CreateBucketCommand({ Bucket: 'photos' }));
    const body = Buffer.alloc(3 * 1024 * 1024, 'emu ');
    await client.send(new PutObjectCommand({ Bucket: 'photos', Key: 'a b/ü', Body: body, Metadata: { owner: 'me' } }));
    const got = await client.send(new GetObjectCommand({ Bucket: 'photos', Key: 'a b/ü' }));
    const bytes = await got.Body!.transformToByteArray();
    expect(Buffer.from(bytes).equals(body)).toBe(true);
    expect(got.Metadata).toEqual({ owner: 'me' });
    const put = await getSignedUrl(client, new PutObjectCommand({ Bucket: 'photos', Key: 'presigned' }));
    expect((await fetch(put, { method: 'PUT', body: 'hello' })).status).toBe(200);
    const get = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'photos', Key: 'presigned' }));
    expect(await (await fetch(get, { headers: { range: 'bytes=1-2' } })).text()).toBe('el');
    const head = await client.send(new HeadObjectCommand({ Bucket: 'photos', Key: 'presigned' }));
    expect(head.ContentLength).toBe(5);
    await expect(client.send(new HeadObjectCommand({ Bucket: 'photos', Key: 'none' }))).rejects.toThrow();
    const [, stored, read, byUrl, range, , missing] = (await run.records()).map(api);
    const first = { $bytes: body.subarray(0, 1024 * 1024).toString('base64'), $length: body.length };
    expect(stored).toMatchObject({
      operation: 'PutObject',
      cut: true,
      input: { Key: 'a b/ü', Metadata: { owner: 'me' }, Body: first },
    });
    expect(read).toMatchObject({
      operation: 'GetObject',
      cut: true,
      output: { Metadata: { owner: 'me' }, Body: first },
    });
    expect(byUrl?.input).toMatchObject({ Key: 'presigned', Body: { $bytes: Buffer.from('hello').toString('base64') } });
    expect(range).toMatchObject({
      status: 206,
      input: { Range: 'bytes=1-2' },
      output: { ContentRange: 'bytes 1-2/5' },
    });
    expect(missing).toMatchObject({ operation: 'HeadObject', status: 404, error: { code: '404', message: '' } });
    expect(await run.text()).not.toContain('X-Amz-');
  });

  test('with event streams over HTTP/1.1 and HTTP/2', async () => {
    await using run = await recorded({ manifests: [s3, kinesis] });
    const client = new S3Client(run.config);
    await client.send(new CreateBucketCommand({ Bucket: 'tables' }));
    await client.send(new PutObjectCommand({ Bucket: 'tables', Key: 'a.csv', Body: 'a,b\n1,2\n' }));
    const selected = await client.send(
      new SelectObjectContentCommand({
        Bucket: 'tables',
        Key: 'a.csv',
        ExpressionType: 'SQL',
        Expression: 'select s._1 from s3object s',
        InputSerialization: { CSV: {} },
        OutputSerialization: { CSV: {} },
      }),
    );
    let rows = '';
    for await (const { Records } of selected.Payload!) if (Records) rows += Buffer.from(Records.Payload!).toString();
    expect(rows).toBe('a\n1\n');
    const streams = new KinesisClient(run.config);
    await streams.send(new CreateStreamCommand({ StreamName: 'clicks', ShardCount: 1 }));
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamName: 'clicks' }));
    const { StreamARN, Shards } = StreamDescription!;
    const { Consumer } = await streams.send(new RegisterStreamConsumerCommand({ StreamARN, ConsumerName: 'c' }));
    await streams.send(new PutRecordCommand({ StreamARN, PartitionKey: 'k', Data: Buffer.from('click') }));
    const { EventStream } = await streams.send(
      new SubscribeToShardCommand({
        ConsumerARN: Consumer!.ConsumerARN,
        ShardId: Shards![0]!.ShardId,
        StartingPosition: { Type: 'TRIM_HORIZON' },
      }),
    );
    for await (const { SubscribeToShardEvent: event } of EventStream!) if (event?.Records?.length) break;
    streams.destroy();
    const records = (await run.records()).map(api);
    const select = records.find(({ operation }) => operation === 'SelectObjectContent');
    expect(select?.output?.Payload).toContainEqual({
      Records: { Payload: { $bytes: Buffer.from('a\n1\n').toString('base64') } },
    });
    const subscription = records.find(({ operation }) => operation === 'SubscribeToShard');
    expect(JSON.stringify(subscription?.output?.EventStream)).toContain(Buffer.from('click').toString('base64'));
  });
});

describe('requests without a model are recorded as they were sent', () => {
  /** Sends a request with any host name, as clients of data planes do. */
  const send = async (
    base: string,
    path: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<{ status: number; text: string }> => {
    const { request } = await import('node:http');
    const { port } = new URL(base);
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      })
        .on('error', reject)
        .end(body);
    });
  };

  test('of data planes, masked', async () => {
    const server = await echoServer();
    await using run = await recorded({ manifests: [apigateway, s3], url: server.url });
    const host = `abc123.execute-api.eu-west-1.localhost:${new URL(run.url).port}`;
    const headers = { host, authorization: 'Bearer of-the-user', 'content-type': 'application/json', cookie: 'id=1' };
    const { text } = await send(run.url, '/dev/pets?owner=ann@mail.example.org', headers, '{"password":"hello"}');
    expect(JSON.parse(text)).toMatchObject({
      host: `abc123.execute-api.eu-west-1.localhost:${server.url.port}`,
      authorization: 'Bearer of-the-user',
      body: '{"password":"hello"}',
    });
    const [record] = await run.records();
    expect(record).toMatchObject({
      service: 'execute-api',
      region: 'eu-west-1',
      signer: 'anonymous',
      request: {
        method: 'POST',
        path: '/dev/pets',
        query: 'owner=masked-1@example.com',
        headers: {
          authorization: expect.stringMatching(/^Bearer \{\{Secret:/),
          cookie: expect.stringMatching(/^\{\{Secret:/),
        },
        body: expect.stringMatching(/^\{"password":"\{\{Secret:\d+\}\}"\}$/),
      },
      response: { status: 200, body: expect.stringContaining('/dev/pets?owner=masked-1@example.com') },
    });
    expect(await run.text()).not.toMatch(/of-the-user|hello|ann@/);
    await server.close();
  });

  test('of services that emu does not have', async () => {
    const server = await echoServer();
    await using run = await recorded({ manifests: [sqs], url: server.url });
    const headers = {
      'x-amz-target': 'Textract.DetectDocumentText',
      'content-type': 'application/x-amz-json-1.1',
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20261129/eu-west-1/textract/aws4_request, SignedHeaders=host, Signature=0',
    };
    await send(run.url, '/', headers, '{"Document":{"S3Object":{"Bucket":"b-123456789012"}}}');
    const [record] = await run.records();
    expect(record).toMatchObject({
      service: 'textract',
      operation: 'DetectDocumentText',
      request: {
        headers: { 'x-amz-target': 'Textract.DetectDocumentText' },
        body: expect.stringContaining('b-000000000001'),
      },
    });
    expect(record).not.toHaveProperty('signer');
    expect(await run.text()).not.toContain('Signature');
    await server.close();
  });
});

/** A server that responds with what it receives. */
async function echoServer(): Promise<{ url: URL; close: () => Promise<void> }> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { host, authorization } = request.headers;
      // A new signature is not part of the test.
      const shown = authorization?.startsWith('AWS4') ? undefined : authorization;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ host, authorization: shown, target: request.url, body }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

describe('credentials', () => {
  test('that a response contains sign the requests of their client, and are never written', async () => {
    for (const keepValues of [false, true]) {
      await using run = await recorded({ manifests: [iam, sts], keepValues });
      await run.emulator.kernel.service('iam');
      const { AWS_ROLE } = await roleOf(run.config);
      const { Credentials } = await new STSClient(run.config).send(
        new AssumeRoleCommand({ RoleArn: AWS_ROLE, RoleSessionName: 'session' }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials!;
      const credentials = { accessKeyId: AccessKeyId!, secretAccessKey: SecretAccessKey!, sessionToken: SessionToken! };
      const { Arn } = await new STSClient({ ...run.config, credentials }).send(new GetCallerIdentityCommand({}));
      expect(Arn).toContain('assumed-role/worker/session');
      const records = await run.records();
      const text = await run.text();
      for (const secret of [SecretAccessKey!, SessionToken!]) expect(text).not.toContain(secret);
      expect(text.includes('123456789012')).toBe(keepValues);
      const [assumed, identity] = records.slice(-2).map(api);
      expect(assumed?.output).toMatchObject({ Credentials: { AccessKeyId: identity?.signer } });
      expect(assumed?.signer).toBeUndefined();
    }
  });

  test('in members and texts are placeholders, the same everywhere', async () => {
    await using run = await recorded({ manifests: [secretsmanager] });
    const client = new SecretsManagerClient(run.config);
    await client.send(
      new CreateSecretCommand({ Name: 'db', SecretString: 'correct horse', Description: 'not correct horse' }),
    );
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: 'db' }));
    expect(SecretString).toBe('correct horse');
    const [created, read] = (await run.records()).map(api);
    expect(await run.text()).not.toContain('correct horse');
    expect(created?.input.SecretString).toMatch(/^\{\{Secret:\d+\}\}$/);
    expect(created?.input.Description).toBe(`not ${String(created?.input.SecretString)}`);
    expect(read?.output?.SecretString).toBe(created?.input.SecretString);
  });
});

async function roleOf(config: ConstructorParameters<typeof IAMClient>[0]): Promise<{ AWS_ROLE: string }> {
  const { CreateRoleCommand } = await import('@aws-sdk/client-iam');
  const AssumeRolePolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sts:AssumeRole' }],
  });
  const { Role } = await new IAMClient(config!).send(
    new CreateRoleCommand({ RoleName: 'worker', AssumeRolePolicyDocument }),
  );
  return { AWS_ROLE: Role!.Arn! };
}

describe('access', () => {
  test('of web pages, and of names that others may own, is refused', async () => {
    await using run = await recorded({ manifests: [sqs] });
    const page = await fetch(run.url, { headers: { origin: 'https://evil.example.com' } });
    expect(page.status).toBe(403);
    const { request } = await import('node:http');
    const status = await new Promise<number>((resolve, reject) => {
      const { port } = new URL(run.url);
      request({ host: '127.0.0.1', port, headers: { host: 'evil.example.com' } }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
    expect(await run.records()).toEqual([]);
  });

  test('with --read-only is limited to operations that read', async () => {
    await using run = await recorded({ manifests: [sqs, dynamodb], readOnly: true });
    const client = new SQSClient(run.config);
    await client.send(new ListQueuesCommand({}));
    await expect(client.send(new CreateQueueCommand({ QueueName: 'q' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('--read-only'),
    });
    const tables = new DynamoDBClient(run.config);
    const key = { AttributeName: 'id', AttributeType: 'S' as const };
    const create = new CreateTableCommand({
      TableName: 'things',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [key],
      BillingMode: 'PAY_PER_REQUEST',
    });
    await expect(tables.send(create)).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(tables.send(new PutItemCommand({ TableName: 'things', Item: { id: { S: '1' } } }))).rejects.toThrow();
    await expect(
      tables.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: '1' } } })),
    ).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    expect((await run.records()).map(({ operation }) => operation)).toEqual(['ListQueues', 'GetItem']);
  });
});

/** A server that reads uploads of any size, and sends as much. */
async function endlessServer(size: number): Promise<{ url: URL; received: () => number; close: () => Promise<void> }> {
  const { createServer } = await import('node:http');
  let received = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    request.on('end', () => {
      if (request.method !== 'GET') return response.end();
      response.writeHead(200, { 'content-length': size });
      return Readable.from(pieces(size)).pipe(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { url: new URL(`http://127.0.0.1:${port}`), received: () => received, close };
}

function* pieces(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let at = 0; at < size; at += piece.length) yield piece;
}

test('100 MB of S3 body pass through in constant memory, up and down, and are recorded in part', async () => {
  const size = 100 * 1024 * 1024;
  const server = await endlessServer(size);
  await using run = await recorded({ manifests: [s3], url: server.url });
  let peak = 0;
  const before = process.memoryUsage().arrayBuffers;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }, 5);
  const client = new S3Client(run.config);
  await client.send(
    new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: Readable.from(pieces(size)), ContentLength: size }),
  );
  expect(server.received()).toBeGreaterThanOrEqual(size);
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'b', Key: 'k' }));
  let read = 0;
  for await (const chunk of Body as AsyncIterable<Uint8Array>) read += chunk.length;
  clearInterval(timer);
  expect(read).toBe(size);
  // The client, the proxy and the server share this process; collections of memory lag behind.
  expect(peak).toBeLessThan(size / 2);
  const [put, get] = (await run.records()).map(api);
  expect(put?.input.Body).toMatchObject({ $length: size });
  expect(get?.output?.Body).toMatchObject({ $length: size });
  client.destroy();
  await server.close();
});
