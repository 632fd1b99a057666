import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT, failureOf, type LogsTest, REGION, startLogs } from './support.ts';

interface Message {
  messageType: string;
  owner: string;
  logGroup: string;
  logStream: string;
  subscriptionFilters: string[];
  policyLevel?: string;
  logEvents: { id: string; timestamp: number; message: string }[];
}

const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:sink`;
const STREAM = `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/sink`;
const FIREHOSE = `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/sink`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/writer`;

const received: { service: string; message: Message; partitionKey?: unknown }[] = [];
/** Error of the next calls. */
const failures: Error[] = [];

function take(service: string, data: Uint8Array, partitionKey?: unknown): object {
  const failure = failures.shift();
  if (failure) throw failure;
  received.push({ service, message: JSON.parse(gunzipSync(data).toString()) as Message, partitionKey });
  return {};
}

const manifests = [
  fakeService('lambda', {
    GetFunction({ FunctionName }) {
      if (FunctionName !== FUNCTION) throw awsError('ResourceNotFoundException', 'no such function');
      return {};
    },
    Invoke({ Payload }) {
      const { awslogs } = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as { awslogs: { data: string } };
      return take('lambda', Buffer.from(awslogs.data, 'base64'));
    },
  }),
  fakeService('kinesis', {
    PutRecord: ({ Data, PartitionKey }) => take('kinesis', Data as Uint8Array, PartitionKey),
  }),
  fakeService('firehose', {
    PutRecord: ({ Record }) => take('firehose', (Record as { Data: Uint8Array }).Data),
  }),
];

describe('subscription filters', () => {
  let test: LogsTest;
  beforeAll(async () => {
    test = await startLogs({ manifests });
  });
  beforeEach(() => {
    received.length = 0;
    failures.length = 0;
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const subscribe = (
    logGroupName: string,
    destinationArn: string,
    options: { filterPattern?: string; roleArn?: string; filterName?: string } = {},
  ) =>
    test.logs.putSubscriptionFilter({ logGroupName, filterName: 'sub', filterPattern: '', destinationArn, ...options });
  const filterOf = (logGroupName: string) => ({ logGroupName, filterPattern: '' });
  const messages = () => received.flatMap(({ message }) => message.logEvents.map((event) => event.message));

  it('deliver each matching event to a function once', async () => {
    const group = await test.group('to-function', 'a');
    await test.put(group, 'a', 'before');
    await subscribe(group, FUNCTION, { filterPattern: 'x' });
    await test.put(group, 'a', 'x 1', 'y 2', 'x 3');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    const { events } = await test.logs.filterLogEvents({ logGroupName: group, filterPattern: 'x' });
    expect(received[0]!.message).toEqual({
      messageType: 'DATA_MESSAGE',
      owner: ACCOUNT,
      logGroup: group,
      logStream: 'a',
      subscriptionFilters: ['sub'],
      logEvents: events!.map(({ eventId, timestamp, message }) => ({ id: eventId, timestamp, message })),
    });
    await test.put(group, 'a', 'x 4');
    await vi.waitFor(() => expect(messages()).toEqual(['x 1', 'x 3', 'x 4']));
    const { subscriptionFilters } = await test.logs.describeSubscriptionFilters({ logGroupName: group });
    expect(subscriptionFilters).toEqual([
      {
        filterName: 'sub',
        logGroupName: group,
        filterPattern: 'x',
        destinationArn: FUNCTION,
        distribution: 'ByLogStream',
        applyOnTransformedLogs: false,
        creationTime: test.now,
      },
    ]);
  });

  it('deliver system fields with the events', async () => {
    const group = await test.group('with-fields', 'a');
    const emitSystemFields = ['@aws.account', '@aws.region'];
    await test.logs.putSubscriptionFilter({
      ...filterOf(group),
      filterName: 'sub',
      destinationArn: FUNCTION,
      emitSystemFields,
    });
    await test.put(group, 'a', 'one');
    await vi.waitFor(() => expect(messages()).toEqual(['one']));
    expect(received[0]!.message.logEvents[0]).toMatchObject({
      extractedFields: { '@aws.account': ACCOUNT, '@aws.region': REGION },
    });
    const { subscriptionFilters } = await test.logs.describeSubscriptionFilters({ logGroupName: group });
    expect(subscriptionFilters).toMatchObject([{ emitSystemFields }]);
    const other = { ...filterOf(group), filterName: 'sub', destinationArn: FUNCTION, emitSystemFields: ['@message'] };
    expect(await failureOf(test.logs.putSubscriptionFilter(other))).toBe(
      'InvalidParameterException: The system fields that are sent with events must be @aws.account or @aws.region.',
    );
  });

  it('deliver only events with matching system fields', async () => {
    const group = await test.group('selected', 'a');
    const other = { ...filterOf(group), fieldSelectionCriteria: '@aws.region = "eu-west-3"' };
    await test.logs.putSubscriptionFilter({ ...other, filterName: 'other', destinationArn: FUNCTION });
    const own = { ...filterOf(group), fieldSelectionCriteria: `@aws.account = "${ACCOUNT}"` };
    await test.logs.putSubscriptionFilter({ ...own, filterName: 'own', destinationArn: FUNCTION });
    await test.put(group, 'a', 'one');
    await vi.waitFor(() => expect(messages()).toEqual(['one']));
    expect(received.map(({ message }) => message.subscriptionFilters)).toEqual([['own']]);
    const { subscriptionFilters } = await test.logs.describeSubscriptionFilters({ logGroupName: group });
    expect(subscriptionFilters!.map(({ fieldSelectionCriteria }) => fieldSelectionCriteria)).toEqual([
      other.fieldSelectionCriteria,
      own.fieldSelectionCriteria,
    ]);
  });

  it('deliver to streams, after a control message', async () => {
    const group = await test.group('to-streams', 'a', 'b');
    await subscribe(group, STREAM, { roleArn: ROLE });
    await subscribe(group, FIREHOSE, { roleArn: ROLE, filterName: 'hose' });
    expect(
      received.map(({ service, message }) => [service, message.messageType, message.logEvents[0]!.message]),
    ).toEqual([
      ['kinesis', 'CONTROL_MESSAGE', 'CWL CONTROL MESSAGE: Checking health of destination Kinesis stream.'],
      ['firehose', 'CONTROL_MESSAGE', 'CWL CONTROL MESSAGE: Checking health of destination Firehose.'],
    ]);
    received.length = 0;
    await test.put(group, 'a', '1');
    await test.put(group, 'b', '2');
    await test.put(group, 'a', '3');
    await vi.waitFor(() => expect(received).toHaveLength(6));
    const ofKinesis = received.filter(({ service }) => service === 'kinesis');
    expect(ofKinesis.map(({ message }) => message.logStream)).toEqual(['a', 'b', 'a']);
    const keys = ofKinesis.map(({ partitionKey }) => partitionKey);
    expect(keys[0]).toBe(keys[2]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('retry temporary failures, and drop permanent ones', async () => {
    const group = await test.group('retried', 'a');
    await subscribe(group, FUNCTION);
    failures.push(awsError('TooManyRequestsException', 'slow down', { status: 429 }));
    await test.put(group, 'a', '1');
    await vi.waitFor(() => expect(failures).toEqual([]));
    await test.put(group, 'a', '2');
    await test.advance(1);
    await vi.waitFor(() => expect(messages()).toEqual(['1', '2']));
    failures.push(awsError('ResourceNotFoundException', 'gone'));
    await test.put(group, 'a', '3');
    await vi.waitFor(() => expect(failures).toEqual([]));
    await test.put(group, 'a', '4');
    await vi.waitFor(() => expect(messages()).toEqual(['1', '2', '4']));
  });

  it("are limited to two per group, and exclude the function's own group", async () => {
    const group = await test.group('limited', 'a');
    await subscribe(group, FUNCTION);
    await subscribe(group, FUNCTION, { filterName: 'two' });
    expect(await failureOf(subscribe(group, FUNCTION, { filterName: 'three' }))).toBe(
      'LimitExceededException: Resource limit exceeded.',
    );
    const own = await test.group('/aws/lambda/sink', 'a');
    expect(await failureOf(subscribe(own, FUNCTION))).toBe(
      'InvalidParameterException: The log group provided is reserved for the function logs of the destination function.',
    );
    const foreign = FUNCTION.replace(ACCOUNT, '111111111111');
    expect(await failureOf(subscribe('none', foreign))).toBe(
      'AccessDeniedException: Cross-account lambda invocation passing is not allowed. You must use DestinationPolicies ' +
        'to create cross account lambda triggers.',
    );
    expect(await failureOf(subscribe(group, `${FUNCTION}2`))).toBe(
      'InvalidParameterException: Could not execute the lambda function. Make sure you have given CloudWatch Logs ' +
        'permission to execute your function.',
    );
    expect(await failureOf(subscribe(group, STREAM))).toBe(
      'InvalidParameterException: destinationArn for vendor kinesis cannot be used without roleArn',
    );
    failures.push(awsError('ResourceNotFoundException', 'no such stream'));
    expect(await failureOf(subscribe(group, STREAM, { roleArn: ROLE }))).toBe(
      'InvalidParameterException: Could not deliver test message to specified Kinesis stream. ' +
        'Check if the given Kinesis stream is in ACTIVE state.',
    );
    expect(await failureOf(subscribe(group, STREAM, { roleArn: 'no-role' }))).toBe(
      'InvalidParameterException: Invalid role ARN: no-role',
    );
    await test.logs.deleteSubscriptionFilter({ logGroupName: group, filterName: 'two' });
    expect(await failureOf(test.logs.deleteSubscriptionFilter({ logGroupName: group, filterName: 'two' }))).toBe(
      'ResourceNotFoundException: The specified subscription filter does not exist.',
    );
  });

  it('deliver through the destination of another account', async () => {
    const other = test.client({ accessKeyId: '111111111111' });
    const { destination } = await other.putDestination({ destinationName: 'shared', targetArn: STREAM, roleArn: ROLE });
    expect(destination).toEqual({
      destinationName: 'shared',
      targetArn: STREAM,
      roleArn: ROLE,
      arn: `arn:aws:logs:${REGION}:111111111111:destination:shared`,
      creationTime: test.now,
    });
    const accessPolicy = JSON.stringify({
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Principal: { AWS: ACCOUNT }, Action: 'logs:PutSubscriptionFilter', Resource: '*' },
    });
    // The recording of AWS has a service as a principal of the type AWS.
    const ofService = accessPolicy.replace(`"${ACCOUNT}"`, '"logs.amazonaws.com"');
    await other.putDestinationPolicy({ destinationName: 'shared', accessPolicy: ofService });
    expect((await other.describeDestinations({})).destinations![0]!.accessPolicy).toBe(ofService);
    await other.putDestinationPolicy({ destinationName: 'shared', accessPolicy });
    const { destinations } = await other.describeDestinations({ DestinationNamePrefix: 'sha' });
    expect(destinations).toEqual([{ ...destination, accessPolicy }]);
    received.length = 0;
    const group = await test.group('to-other', 'a');
    await subscribe(group, destination!.arn!);
    await test.put(group, 'a', '1');
    await vi.waitFor(() => expect(messages()).toEqual(['1']));
    await other.deleteDestination({ destinationName: 'shared' });
    expect((await other.describeDestinations({})).destinations).toEqual([]);
  });

  it('continue after a restart, with each event once', async () => {
    const dataPath = await mkdtemp(join(tmpdir(), 'emu-subscriptions-'));
    try {
      const first = await startLogs({ manifests, dataPath });
      const group = await first.group('durable', 'a');
      await first.logs.putSubscriptionFilter({
        logGroupName: group,
        filterName: 'sub',
        filterPattern: '',
        destinationArn: FUNCTION,
      });
      await first.put(group, 'a', '1');
      await vi.waitFor(() => expect(messages()).toEqual(['1']));
      failures.push(awsError('ServiceUnavailableException', 'later', { status: 503 }));
      await first.put(group, 'a', '2');
      await vi.waitFor(() => expect(failures).toEqual([]));
      await first.emulator.close();
      const second = await startLogs({ manifests, dataPath });
      await vi.waitFor(() => expect(messages()).toEqual(['1', '2']));
      await second.put(group, 'a', '3');
      await vi.waitFor(() => expect(messages()).toEqual(['1', '2', '3']));
      await second.emulator.close();
    } finally {
      await rm(dataPath, { recursive: true, force: true });
    }
  });
});
