import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arnOf, BUCKET, type FirehoseTest, FUNCTION, failureOf, ROLE, startFirehose } from './support.ts';

/** Input and response of a function. */
interface FunctionRecord {
  recordId: string;
  data: string;
}
let answer: (records: FunctionRecord[]) => object;
const invocations: { deliveryStreamArn: string; records: FunctionRecord[] }[] = [];
const lambda = fakeService('lambda', {
  Invoke: ({ FunctionName, Payload }) => {
    if (FunctionName !== FUNCTION) throw awsError('ResourceNotFoundException', 'Function not found');
    const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString());
    invocations.push(event);
    return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer(event.records))) };
  },
});

const logged: { message: string }[] = [];
const logs = fakeService('logs', {
  PutLogEvents: ({ logEvents }) => {
    logged.push(...(logEvents as { message: string }[]));
    return {};
  },
});

let t: FirehoseTest;
beforeAll(async () => {
  t = await startFirehose([lambda, logs]);
});
afterAll(() => t[Symbol.asyncDispose]());

const text = (base64: string): string => Buffer.from(base64, 'base64').toString();
const parameter = <Name extends string>(ParameterName: Name, ParameterValue: string) => ({
  ParameterName,
  ParameterValue,
});
const transformedBy = (arn: string) => ({
  Type: 'Lambda' as const,
  Parameters: [
    parameter('LambdaArn', arn),
    parameter('BufferIntervalInSeconds', '10'),
    parameter('NumberOfRetries', '1'),
  ],
});
const HINTS = { SizeInMBs: 1, IntervalInSeconds: 60 };

describe('buffers', () => {
  test("are delivered at the end of their interval, as one object with AWS's name", async () => {
    await t.stream('timely', { BufferingHints: HINTS });
    await t.put('timely', 'a', 'b');
    await t.advance(59);
    await t.put('timely', 'c');
    expect(t.texts('timely')).toEqual([]);
    await t.advance(1);
    expect(t.texts('timely')).toEqual(['abc']);
    const { Bucket, Key } = t.objects.at(-1)!;
    expect(Bucket).toBe('bucket');
    expect(Key).toMatch(/^2030\/02\/03\/04\/timely-1-2030-02-03-04-05-06-[0-9a-f]{8}-[0-9a-f-]{27}$/);
    await t.advance(300);
    expect(t.texts('timely')).toHaveLength(1);
  });

  test('are delivered at their size limit, and immediately with interval 0', async () => {
    await t.stream('large', { BufferingHints: HINTS });
    const half = 'x'.repeat(512 * 1024);
    await t.put('large', half);
    expect(t.texts('large')).toEqual([]);
    await t.put('large', half);
    await expect.poll(() => t.texts('large')).toEqual([half + half]);
    await t.stream('hasty', { BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 0 } });
    await t.put('hasty', 'now');
    await t.advance(0);
    expect(t.texts('hasty')).toEqual(['now']);
  });

  test('may be rejected in a too large batch', async () => {
    const half = 'x'.repeat(1_000_000);
    expect(await failureOf(t.put('large', half, half, half, half, half))).toBe(
      'InvalidArgumentException: Records size exceeds 4 MB limit',
    );
  });
});

test('objects support prefix expressions, time zones, extensions, delimiters, and compression', async () => {
  await t.stream('named', {
    BufferingHints: HINTS,
    Prefix: "y=!{timestamp:yyyy}/!{timestamp:'d='DDD-HH}/!{firehose:random-string}/",
    ErrorOutputPrefix: 'errors/!{firehose:error-output-type}/',
    CustomTimeZone: 'Asia/Tokyo',
    FileExtension: '.json',
    CompressionFormat: 'GZIP',
    EncryptionConfiguration: { KMSEncryptionConfig: { AWSKMSKeyARN: 'arn:aws:kms:us-east-1:000000000000:key/k' } },
    ProcessingConfiguration: {
      Enabled: true,
      Processors: [{ Type: 'AppendDelimiterToRecord', Parameters: [parameter('Delimiter', '\\n')] }],
    },
  });
  await t.put('named', '1', '2');
  await t.stream('zipped', { BufferingHints: HINTS, CompressionFormat: 'ZIP', Prefix: 'z-' });
  await t.put('zipped', 'inside');
  await t.advance(60);
  const named = t.objects.find(({ Key }) => Key.includes('named-1'))!;
  expect(named.Key).toMatch(/^y=2030\/d=034-13\/[A-Za-z0-9]{11}\/named-1-2030-02-03-13-\d\d-\d\d-[0-9a-f-]{36}\.json$/);
  expect(gunzipSync(named.Body).toString()).toBe('1\n2\n');
  expect(named).toMatchObject({ ServerSideEncryption: 'aws:kms', SSEKMSKeyId: expect.stringContaining('key/k') });
  const zip = t.objects.find(({ Key }) => Key.includes('zipped-1'))!;
  expect(zip.Key).toMatch(/^z-2030\/02\/03\/04\/zipped-1-.*\.zip$/);
  expect(Object.values(unzipSync(zip.Body)).map((bytes) => Buffer.from(bytes).toString())).toEqual(['inside']);
});

describe('functions', () => {
  test('transform, drop and fail records; the source is backed up', async () => {
    await t.stream('transformed', {
      BufferingHints: HINTS,
      ProcessingConfiguration: { Enabled: true, Processors: [transformedBy(FUNCTION)] },
      S3BackupMode: 'Enabled',
      S3BackupConfiguration: { RoleARN: ROLE, BucketARN: `${BUCKET}-backup`, BufferingHints: HINTS },
    });
    answer = (records) => ({
      records: records.map(({ recordId, data }) => ({
        recordId,
        result: text(data) === 'drop' ? 'Dropped' : text(data) === 'fail' ? 'ProcessingFailed' : 'Ok',
        data: Buffer.from(text(data).toUpperCase()).toString('base64'),
      })),
    });
    await t.put('transformed', 'keep', 'drop', 'fail');
    await t.advance(10);
    expect(invocations.at(-1)).toMatchObject({ deliveryStreamArn: arnOf('transformed'), region: 'us-east-1' });
    await t.advance(60);
    expect(t.objects.filter(({ Bucket }) => Bucket === 'bucket-backup').map(({ Body }) => Body.toString())).toEqual([
      'keepdropfail',
    ]);
    const [failed, kept] = t.objects
      .filter(({ Bucket, Key }) => Bucket === 'bucket' && Key.includes('transformed-1'))
      .sort((a, b) => (a.Key.includes('failed') ? -1 : b.Key.includes('failed') ? 1 : 0));
    expect(kept!.Body.toString()).toBe('KEEP');
    expect(failed!.Key).toMatch(/^processing-failed\/2030\/02\/03\/04\/transformed-1-/);
    expect(JSON.parse(failed!.Body.toString())).toEqual({
      attemptsMade: 1,
      arrivalTimestamp: expect.any(Number),
      errorCode: 'Lambda.ProcessingFailedStatus',
      errorMessage: 'ProcessingFailed status set for record',
      attemptEndingTimestamp: expect.any(Number),
      rawData: Buffer.from('fail').toString('base64'),
      lambdaArn: FUNCTION,
    });
  });

  test('fail all records if missing or with invalid responses', async () => {
    const missing = FUNCTION.replace('transform', 'missing');
    const failing = (arn: string) => ({
      BufferingHints: HINTS,
      ErrorOutputPrefix: 'bad/',
      CloudWatchLoggingOptions: { Enabled: true, LogGroupName: 'g', LogStreamName: 's' },
      ProcessingConfiguration: { Enabled: true, Processors: [transformedBy(arn)] },
    });
    await t.stream('unanswered', failing(missing));
    await t.stream('misanswered', failing(FUNCTION));
    answer = () => ({ records: [] });
    await t.put('unanswered', 'a');
    await t.put('misanswered', 'b');
    await t.advance(10);
    await t.advance(60);
    const [unanswered] = t.texts('unanswered-1').map((line) => JSON.parse(line));
    expect(unanswered).toMatchObject({ attemptsMade: 2, errorCode: 'Lambda.ResourceNotFound', lambdaArn: missing });
    const [misanswered] = t.texts('bad/processing-failed/2030/02/03/04/misanswered-1').map((line) => JSON.parse(line));
    expect(misanswered).toMatchObject({ attemptsMade: 1, errorCode: 'Lambda.MissingRecordId' });
    expect(JSON.parse(logged[0]!.message)).toMatchObject({
      deliveryStreamARN: arnOf('unanswered'),
      deliveryStreamVersionId: 1,
      errorCode: 'Lambda.ResourceNotFound',
      processor: missing,
    });
  });

  test('partition records by their metadata', async () => {
    await t.stream('partitioned', {
      Prefix: 'c=!{partitionKeyFromLambda:customer}/',
      ErrorOutputPrefix: 'errors/',
      DynamicPartitioningConfiguration: { Enabled: true },
      ProcessingConfiguration: { Enabled: true, Processors: [transformedBy(FUNCTION)] },
    });
    answer = (records) => ({
      records: records.map(({ recordId, data }) => ({
        recordId,
        result: 'Ok',
        data,
        metadata: { partitionKeys: { customer: text(data).slice(1, 2) } },
      })),
    });
    await t.put('partitioned', '1a', '2b', '3a', '4');
    await t.advance(10);
    await t.advance(300);
    expect(t.texts('c=a/2030/02/03/04/partitioned-1')).toEqual(['1a3a']);
    expect(t.texts('c=b/2030/02/03/04/partitioned-1')).toEqual(['2b']);
    const [line] = t.texts('errors/processing-failed/2030/02/03/04/partitioned-1');
    expect(JSON.parse(line!).errorCode).toBe('DynamicPartitioning.MetadataExtractionFailed');
  });
});

test('retries writes that the bucket rejected', async () => {
  await t.stream('refused', { BufferingHints: HINTS });
  await t.put('refused', 'late');
  t.refuse = awsError('NoSuchBucket', 'The specified bucket does not exist');
  await t.advance(60);
  t.refuse = undefined;
  await t.advance(4);
  expect(t.texts('refused-1')).toEqual([]);
  await t.advance(1);
  expect(t.texts('refused-1')).toEqual(['late']);
});

test('applies changed hints to waiting records, and drops them on deletion', async () => {
  await t.stream('moved', { BufferingHints: HINTS });
  await t.stream('dropped', { BufferingHints: HINTS });
  await t.put('moved', 'sooner');
  await t.put('dropped', 'never');
  await t.firehose.updateDestination({
    DeliveryStreamName: 'moved',
    CurrentDeliveryStreamVersionId: '1',
    DestinationId: 'destinationId-000000000001',
    S3DestinationUpdate: { BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 10 } },
  });
  await t.firehose.deleteDeliveryStream({ DeliveryStreamName: 'dropped' });
  await t.advance(10);
  expect(t.texts('moved-2')).toEqual(['sooner']);
  await t.advance(60);
  expect(t.texts('dropped')).toEqual([]);
});

describe('endpoints', () => {
  let server: Server;
  let status = 200;
  const requests: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      requests.push({ headers: request.headers, body: Buffer.concat(chunks) });
      const requestId = request.headers['x-amz-firehose-request-id'];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ requestId, timestamp: 1 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const endpoint = (DeliveryStreamName: string, DurationInSeconds: number, S3BackupMode?: 'AllData') =>
    t.firehose.createDeliveryStream({
      DeliveryStreamName,
      HttpEndpointDestinationConfiguration: {
        EndpointConfiguration: {
          Url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
          Name: 'local',
          AccessKey: 'secret',
        },
        RequestConfiguration: {
          ContentEncoding: 'GZIP',
          CommonAttributes: [{ AttributeName: 'stage', AttributeValue: 'test' }],
        },
        BufferingHints: HINTS,
        RetryOptions: { DurationInSeconds },
        S3Configuration: { RoleARN: ROLE, BucketARN: BUCKET, BufferingHints: HINTS },
        ...(S3BackupMode && { S3BackupMode }),
      },
    });

  test('receive records, and all are backed up if configured', async () => {
    await endpoint('posted', 0, 'AllData');
    await t.put('posted', 'a', 'b');
    await t.advance(60);
    const { headers, body } = requests.at(-1)!;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-amz-firehose-protocol-version': '1.0',
      'x-amz-firehose-source-arn': arnOf('posted'),
      'x-amz-firehose-access-key': 'secret',
      'x-amz-firehose-common-attributes': '{"commonAttributes":{"stage":"test"}}',
    });
    const { requestId, records } = JSON.parse(gunzipSync(body).toString());
    expect(requestId).toBe(headers['x-amz-firehose-request-id']);
    expect(records.map(({ data }: { data: string }) => text(data))).toEqual(['a', 'b']);
    expect(t.texts('posted-1')).toEqual(['ab']);
    const { DeliveryStreamDescription } = await t.firehose.describeDeliveryStream({ DeliveryStreamName: 'posted' });
    const { HttpEndpointDestinationDescription: described } = DeliveryStreamDescription!.Destinations![0]!;
    expect(JSON.stringify(described)).not.toContain('secret');
    expect(described!.EndpointConfiguration).toMatchObject({ Name: 'local' });
  });

  test('with errors are retried for a while with the same id; then records are backed up', async () => {
    await endpoint('failing', 12);
    await t.put('failing', 'a');
    status = 500;
    const before = requests.length;
    await t.advance(72);
    status = 200;
    const ids = requests.slice(before).map(({ headers }) => headers['x-amz-firehose-request-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    await t.advance(60);
    const [line] = t.texts('http-endpoint-failed/2030/02/03/04/failing-1');
    expect(JSON.parse(line!)).toMatchObject({
      attemptsMade: 3,
      errorCode: 'HttpEndpoint.DestinationException',
      errorMessage: expect.stringContaining('Received the following response from the endpoint destination. {'),
      rawData: Buffer.from('a').toString('base64'),
    });
  });
});
