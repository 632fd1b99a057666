import { DynamoDB } from '@aws-sdk/client-dynamodb';
import {
  type CreateEventSourceMappingCommandInput,
  type CreateEventSourceMappingCommandOutput,
  Lambda,
} from '@aws-sdk/client-lambda';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator } from '@emu/gateway/testing';
import { manifest as dynamodb, streamsManifest } from '@emu/svc-dynamodb/manifest';
import { manifest } from '@emu/svc-lambda/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, arn, BASE, failureOf, REGION } from '../../../packages/svc-lambda/test/support.ts';

const QUEUE = `arn:aws:sqs:${REGION}:${ACCOUNT}:queue`;
const SECRET = [{ Type: 'BASIC_AUTH', URI: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:s' }] as const;

interface SourceTest extends AsyncDisposable {
  lambda: Lambda;
  /** ARN of the table's stream. */
  stream: string;
  create(input?: Partial<CreateEventSourceMappingCommandInput>): Promise<CreateEventSourceMappingCommandOutput>;
}

/** Starts Lambda with a function, a queue and a table with a stream. */
async function startSources(): Promise<SourceTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, sqs, dynamodb, streamsManifest],
    settings: { accountId: ACCOUNT, region: REGION },
  });
  emulator.kernel.clock.freeze();
  const lambda = new Lambda(emulator.clientConfig());
  await lambda.createFunction({ ...BASE, FunctionName: 'fn', Publish: true });
  await new SQS(emulator.clientConfig()).createQueue({ QueueName: 'queue' });
  const { TableDescription } = await new DynamoDB(emulator.clientConfig()).createTable({
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  return {
    lambda,
    stream: TableDescription!.LatestStreamArn!,
    create: (input = {}) =>
      lambda.createEventSourceMapping({ FunctionName: 'fn', EventSourceArn: QUEUE, ...input, Enabled: false }),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns an input without undefined members. */
const without = ({ EventSourceArn, ...rest }: Partial<CreateEventSourceMappingCommandInput>) =>
  EventSourceArn === undefined ? rest : { EventSourceArn, ...rest };

// Recorded: lambda_api, TestLambdaEventSourceMappings, and lambda_integration_sqs.
describe('event source mappings', () => {
  it('of queues are created, updated and deleted', async () => {
    await using test = await startSources();
    const created = await test.create({ Tags: { a: 'b' } });
    const { $metadata, ...shown } = created;
    const { UUID } = created;
    expect($metadata.httpStatusCode).toBe(202);
    expect(shown).toEqual({
      UUID,
      BatchSize: 10,
      EventSourceArn: QUEUE,
      EventSourceMappingArn: arn(`event-source-mapping:${UUID}`),
      FunctionArn: arn('function:fn'),
      FunctionResponseTypes: [],
      LastModified: created.LastModified,
      MaximumBatchingWindowInSeconds: 0,
      State: 'Creating',
      StateTransitionReason: 'USER_INITIATED',
    });
    const got = await test.lambda.getEventSourceMapping({ UUID });
    expect(got).toEqual({ ...created, State: 'Disabled', $metadata: got.$metadata });
    const enabled = await test.lambda.updateEventSourceMapping({
      UUID,
      Enabled: true,
      BatchSize: 20,
      MaximumBatchingWindowInSeconds: 1,
      FunctionName: 'fn:1',
      FilterCriteria: { Filters: [{ Pattern: '{"body":{"kind":["a"]}}' }] },
      ScalingConfig: { MaximumConcurrency: 2 },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(enabled).toMatchObject({
      State: 'Enabling',
      BatchSize: 20,
      FunctionArn: arn('function:fn:1'),
      FilterCriteria: { Filters: [{ Pattern: '{"body":{"kind":["a"]}}' }] },
      ScalingConfig: { MaximumConcurrency: 2 },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect((await test.lambda.getEventSourceMapping({ UUID })).State).toBe('Enabled');
    const cleared = await test.lambda.updateEventSourceMapping({ UUID, FilterCriteria: {}, ScalingConfig: {} });
    expect(cleared.State).toBe('Updating');
    expect(cleared.FilterCriteria).toBeUndefined();
    expect(cleared.ScalingConfig).toBeUndefined();
    const Resource = arn(`event-source-mapping:${UUID}`);
    expect((await test.lambda.listTags({ Resource })).Tags).toEqual({ a: 'b' });
    expect((await test.lambda.deleteEventSourceMapping({ UUID })).State).toBe('Deleting');
    const gone = 'ResourceNotFoundException: The resource you requested does not exist.';
    expect(await failureOf(test.lambda.getEventSourceMapping({ UUID }))).toBe(gone);
    expect(await failureOf(test.lambda.updateEventSourceMapping({ UUID }))).toBe(gone);
    expect(await failureOf(test.lambda.deleteEventSourceMapping({ UUID }))).toBe(gone);
  });

  it('ignore empty settings that their source does not support', async () => {
    await using test = await startSources();
    const empty = { SourceAccessConfigurations: [], DestinationConfig: { OnFailure: {} }, FunctionResponseTypes: [] };
    const made = await test.create(empty);
    expect([made.SourceAccessConfigurations, made.DestinationConfig]).toEqual([undefined, undefined]);
    const { DestinationConfig } = await test.lambda.updateEventSourceMapping({ UUID: made.UUID, ...empty });
    expect(DestinationConfig).toBeUndefined();
    const stream = { EventSourceArn: test.stream, StartingPosition: 'LATEST' as const };
    expect((await test.create({ ...stream, ScalingConfig: {} })).ScalingConfig).toBeUndefined();
  });

  it('of streams have their own settings', async () => {
    await using test = await startSources();
    const created = await test.create({ EventSourceArn: test.stream, StartingPosition: 'TRIM_HORIZON' });
    expect(created).toMatchObject({
      BatchSize: 100,
      BisectBatchOnFunctionError: false,
      DestinationConfig: { OnFailure: {} },
      FunctionResponseTypes: [],
      LastProcessingResult: 'No records processed',
      MaximumBatchingWindowInSeconds: 0,
      MaximumRecordAgeInSeconds: -1,
      MaximumRetryAttempts: -1,
      ParallelizationFactor: 1,
      StartingPosition: 'TRIM_HORIZON',
      StateTransitionReason: 'User action',
      TumblingWindowInSeconds: 0,
    });
  });

  it('reject invalid destinations of records', async () => {
    await using test = await startSources();
    const source = { EventSourceArn: test.stream, StartingPosition: 'TRIM_HORIZON' } as const;
    const DestinationConfig = { OnFailure: { Destination: 'arn:aws:iam::000000000000:role/r' } };
    const refused =
      'InvalidParameterValueException: The provided destination config DestinationConfig(onSuccess=null, onFailure=OnFailure(destination=arn:aws:iam::000000000000:role/r)) is invalid.';
    expect(await failureOf(test.create({ ...source, DestinationConfig }))).toBe(refused);
    const { UUID } = await test.create(source);
    expect(await failureOf(test.lambda.updateEventSourceMapping({ UUID, DestinationConfig }))).toBe(refused);
  });

  it('report a source that is not read', async () => {
    await using test = await startSources();
    const { UUID } = await test.create({
      EventSourceArn: 'arn:aws:kafka:us-east-1:000000000000:cluster/c/1',
      Topics: ['topic'],
      StartingPosition: 'LATEST',
    });
    expect(await test.lambda.getEventSourceMapping({ UUID })).toMatchObject({
      StateTransitionReason: 'PROBLEM: emu does not read Apache Kafka.',
      LastProcessingResult: 'PROBLEM: emu does not read Apache Kafka.',
    });
  });

  it('of other sources are stored', async () => {
    await using test = await startSources();
    const sources: Partial<CreateEventSourceMappingCommandInput>[] = [
      {
        EventSourceArn: undefined,
        SelfManagedEventSource: { Endpoints: { KAFKA_BOOTSTRAP_SERVERS: ['kafka:1000'] } },
        Topics: ['topic'],
        SourceAccessConfigurations: [...SECRET],
        StartingPosition: 'TRIM_HORIZON',
      },
      {
        EventSourceArn: 'arn:aws:kafka:us-east-1:000000000000:cluster/c/1',
        Topics: ['topic'],
        StartingPosition: 'LATEST',
      },
      {
        EventSourceArn: 'arn:aws:mq:us-east-1:000000000000:broker:b:1',
        Queues: ['queue'],
        SourceAccessConfigurations: [...SECRET],
      },
      {
        EventSourceArn: 'arn:aws:rds:us-east-1:000000000000:cluster:docs',
        DocumentDBEventSourceConfig: { DatabaseName: 'db' },
        SourceAccessConfigurations: [...SECRET],
        StartingPosition: 'LATEST',
      },
      {
        EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s',
        StartingPosition: 'AT_TIMESTAMP',
        StartingPositionTimestamp: new Date(1_700_000_000_000),
      },
    ];
    for (const source of sources) {
      const { UUID } = await test.create(source);
      expect(await test.lambda.getEventSourceMapping({ UUID })).toMatchObject({ BatchSize: 100, ...without(source) });
    }
    const { EventSourceMappings } = await test.lambda.listEventSourceMappings({});
    expect(EventSourceMappings).toHaveLength(sources.length);
    const [kafka] = sources;
    expect(await failureOf(test.create(kafka))).toMatch(
      /^ResourceConflictException: An event source mapping with event source \("kafka:1000"\), function \("arn:aws:lambda:us-east-1:000000000000:function:fn"\), topics \("topic"\) already exists\. Please update or delete the existing mapping with UUID [0-9a-f-]{36}$/,
    );
    expect(await failureOf(test.create({ ...kafka, SourceAccessConfigurations: undefined }))).toBe(
      "InvalidParameterValueException: Required 'sourceAccessConfigurations' parameter is missing.",
    );
  });

  it('are listed by source and function', async () => {
    await using test = await startSources();
    await test.create();
    await test.create({ FunctionName: 'fn:1' });
    await test.create({ EventSourceArn: test.stream, StartingPosition: 'LATEST' });
    const count = async (input: object) =>
      (await test.lambda.listEventSourceMappings(input)).EventSourceMappings!.length;
    expect(await count({})).toBe(3);
    expect(await count({ EventSourceArn: QUEUE })).toBe(2);
    expect(await count({ FunctionName: arn('function:fn') })).toBe(3);
    expect(await count({ FunctionName: 'fn:1' })).toBe(1);
    expect(await count({ FunctionName: 'none' })).toBe(0);
    const page = await test.lambda.listEventSourceMappings({ MaxItems: 2 });
    expect(await count({ Marker: page.NextMarker })).toBe(1);
  });

  it.each<[string, Partial<CreateEventSourceMappingCommandInput>, string]>([
    ['no source', { EventSourceArn: undefined }, 'InvalidParameterValueException: Unrecognized event source.'],
    [
      'unknown sources',
      { EventSourceArn: 'arn:aws:s3:::bucket' },
      'InvalidParameterValueException: Unrecognized event source.',
    ],
    [
      'functions that are not there',
      { FunctionName: 'none' },
      'InvalidParameterValueException: Function does not exist',
    ],
    [
      'queues that are not there',
      { EventSourceArn: `${QUEUE}-none` },
      'InvalidParameterValueException: Error occurred while ReceiveMessage. SQS Error Code: AWS.SimpleQueueService.NonExistentQueue. SQS Error Message: The specified queue does not exist.',
    ],
    [
      'settings of other sources',
      { DestinationConfig: { OnFailure: { Destination: QUEUE } } },
      'InvalidParameterValueException: Unsupported DestinationConfig parameter for given event source mapping type.',
    ],
    [
      'large batches without a window',
      { BatchSize: 11 },
      'InvalidParameterValueException: Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10',
    ],
    [
      'invalid patterns',
      { FilterCriteria: { Filters: [{ Pattern: '["a"]' }] } },
      'InvalidParameterValueException: Invalid filter pattern definition.',
    ],
    [
      'unknown positions',
      { StartingPosition: 'invalid' as never },
      "ValidationException: 1 validation error detected: Value 'invalid' at 'startingPosition' failed to satisfy constraint: Member must satisfy enum value set: [LATEST, AT_TIMESTAMP, TRIM_HORIZON]",
    ],
  ])('reject %s', async (_, input, message) => {
    await using test = await startSources();
    expect(await failureOf(test.create(input))).toBe(message);
    expect((await test.lambda.listEventSourceMappings({})).EventSourceMappings).toEqual([]);
  });

  it('reject positions that streams do not support, and unknown streams', async () => {
    await using test = await startSources();
    const EventSourceArn = test.stream;
    expect(await failureOf(test.create({ EventSourceArn }))).toBe(
      "InvalidParameterValueException: 1 validation error detected: Value null at 'startingPosition' failed to satisfy constraint: Member must not be null.",
    );
    const StartingPosition = 'AT_TIMESTAMP';
    expect(
      await failureOf(test.create({ EventSourceArn, StartingPosition, StartingPositionTimestamp: new Date() })),
    ).toBe(`InvalidParameterValueException: Unsupported starting position for arn type: ${EventSourceArn}`);
    const missing = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/none/stream/2025-02-22T03:03:25.490`;
    expect(await failureOf(test.create({ EventSourceArn: missing, StartingPosition: 'LATEST' }))).toBe(
      `InvalidParameterValueException: Stream not found: ${missing}`,
    );
    await test.create({ EventSourceArn, StartingPosition: 'LATEST' });
    expect(await failureOf(test.create({ EventSourceArn, StartingPosition: 'LATEST' }))).toMatch(
      /^ResourceConflictException: The event source arn \(" .* "\) and function \(" fn "\) provided mapping already exists\./,
    );
  });

  it('reject a second mapping of a queue, and a queue with a too short visibility timeout', async () => {
    await using test = await startSources();
    const { UUID } = await test.create();
    expect(await failureOf(test.create())).toBe(
      `ResourceConflictException: An event source mapping with SQS arn (" ${QUEUE} ") and function (" fn ") already exists. Please update or delete the existing mapping with UUID ${UUID}`,
    );
    await test.lambda.createFunction({ ...BASE, FunctionName: 'slow', Timeout: 60 });
    expect(await failureOf(test.create({ FunctionName: 'slow' }))).toBe(
      'InvalidParameterValueException: Queue visibility timeout: 30 seconds is less than Function timeout: 60 seconds',
    );
  });
});
