import * as sdk from '@aws-sdk/client-pipes';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-pipes/model/pipes.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const place = 'us-east-1:123456789012';
const resourceArn = `arn:aws:pipes:${place}:pipe/known`;
const RoleArn = 'arn:aws:iam::123456789012:role/run';
const arn = (service: string, resource: string) => `arn:aws:${service}:${place}:${resource}`;
const known = () => ({ Name: 'known' });

/** A stopped pipe. */
const stopped = () => ({
  Source: arn('sqs', 'in'),
  Target: arn('sqs', 'out'),
  RoleArn,
  DesiredState: 'STOPPED',
});
const stream = (service: 'kinesis' | 'dynamodb') =>
  service === 'kinesis' ? arn(service, 'stream/s') : arn(service, 'table/t/stream/2026-01-01T00:00:00.000');
const Credentials = { BasicAuth: arn('secretsmanager', 'secret:s-abcdef') };
const to = (Target: string, TargetParameters?: object) => ({
  Target,
  ...(TargetParameters && { TargetParameters }),
});

/** Pipes for every kind of source, target and enrichment with parameters. */
const sources = [
  { SourceParameters: { SqsQueueParameters: { BatchSize: 3, MaximumBatchingWindowInSeconds: 2 } } },
  { Source: stream('kinesis'), SourceParameters: { KinesisStreamParameters: { StartingPosition: 'LATEST' } } },
  {
    Source: stream('kinesis'),
    SourceParameters: {
      KinesisStreamParameters: {
        StartingPosition: 'AT_TIMESTAMP',
        StartingPositionTimestamp: new Date('2026-01-01T00:00:00Z'),
      },
    },
  },
  { Source: stream('dynamodb'), SourceParameters: { DynamoDBStreamParameters: { StartingPosition: 'LATEST' } } },
  {
    Source: arn('mq', 'broker:b:b-1'),
    SourceParameters: { ActiveMQBrokerParameters: { Credentials, QueueName: 'q' } },
  },
  {
    Source: arn('mq', 'broker:b:b-1'),
    SourceParameters: { RabbitMQBrokerParameters: { Credentials, QueueName: 'q' } },
  },
  {
    Source: arn('kafka', 'cluster/c/1'),
    SourceParameters: { ManagedStreamingKafkaParameters: { TopicName: 'topic' } },
  },
  { Source: 'smk://host:9092', SourceParameters: { SelfManagedKafkaParameters: { TopicName: 'topic' } } },
];
const targets = [
  to(arn('sqs', 'out'), { InputTemplate: '<$.body>' }),
  to(arn('sqs', 'out.fifo'), { SqsQueueParameters: { MessageGroupId: 'g' } }),
  to(arn('lambda', 'function:f'), { LambdaFunctionParameters: { InvocationType: 'FIRE_AND_FORGET' } }),
  to(arn('states', 'stateMachine:m'), { StepFunctionStateMachineParameters: { InvocationType: 'FIRE_AND_FORGET' } }),
  to(arn('kinesis', 'stream/out'), { KinesisStreamParameters: { PartitionKey: 'k' } }),
  to(arn('events', 'event-bus/b'), { EventBridgeEventBusParameters: { Source: 'app' } }),
  to(arn('logs', 'log-group:g'), { CloudWatchLogsParameters: { LogStreamName: 's' } }),
  to(arn('events', 'api-destination/d/1'), { HttpParameters: { PathParameterValues: ['a'] } }),
  to(arn('ecs', 'cluster/c'), { EcsTaskParameters: { TaskDefinitionArn: arn('ecs', 'task-definition/t') } }),
  to(arn('batch', 'job-queue/q'), { BatchJobParameters: { JobDefinition: 'd', JobName: 'n' } }),
  to(arn('redshift', 'cluster:c'), { RedshiftDataParameters: { Database: 'd', Sqls: ['select 1'] } }),
  to(arn('sagemaker', 'pipeline/p'), {
    SageMakerPipelineParameters: { PipelineParameterList: [{ Name: 'a', Value: 'b' }] },
  }),
  to(arn('timestream', 'database/d/table/t'), {
    TimestreamParameters: {
      TimeValue: '$.time',
      VersionValue: '1',
      DimensionMappings: [{ DimensionValue: '$.a', DimensionValueType: 'VARCHAR', DimensionName: 'a' }],
    },
  }),
];
const enriched = {
  Enrichment: arn('events', 'api-destination/d/1'),
  EnrichmentParameters: { InputTemplate: '<$.body>', HttpParameters: { PathParameterValues: ['a'] } },
  SourceParameters: { FilterCriteria: { Filters: [{ Pattern: '{"body":{"a":[1]}}' }] } },
};
const LogConfiguration = {
  Level: 'ERROR',
  IncludeExecutionData: ['ALL'],
  CloudwatchLogsLogDestination: { LogGroupArn: arn('logs', 'log-group:g') },
  FirehoseLogDestination: { DeliveryStreamArn: arn('firehose', 'deliverystream/d') },
  S3LogDestination: { BucketName: 'bucket', BucketOwner: '123456789012' },
};

const settled = async (send: Send, Name: string): Promise<void> => {
  for (let round = 0; round < 100; round++) {
    const { CurrentState } = await send('DescribePipe', { Name });
    if (!/ING$/.test(String(CurrentState)) || CurrentState === 'RUNNING') return;
  }
  throw new Error(`the pipe ${Name} stays on its way`);
};

/** Creates a stopped pipe with tags, and one with a missing source. */
/** Updates of the source parameters, by the index of the pipe's source. */
const updates = [
  undefined,
  { KinesisStreamParameters: { BatchSize: 3 } },
  undefined,
  { DynamoDBStreamParameters: { BatchSize: 3 } },
  { ActiveMQBrokerParameters: { Credentials } },
  { RabbitMQBrokerParameters: { Credentials } },
  { ManagedStreamingKafkaParameters: { BatchSize: 3 } },
  { SelfManagedKafkaParameters: { BatchSize: 3 } },
];

/** Creates a pipe from each kind of source. */
async function fromEachSource(send: Send): Promise<Facts> {
  for (const [index, source] of sources.entries()) {
    await send('CreatePipe', { ...stopped(), ...source, Name: `from-${index}` });
    await settled(send, `from-${index}`);
  }
  return {};
}

async function setUp(send: Send): Promise<Facts> {
  await send('CreatePipe', { ...stopped(), Name: 'known', Description: 'what for', Tags: { team: 'a' } });
  await send('CreatePipe', { ...stopped(), Name: 'other', Source: arn('sqs', 'other'), DesiredState: 'RUNNING' });
  await settled(send, 'known');
  await settled(send, 'other');
  return {};
}

/** Returns every pipe with its tags after the end of all transitions. */
async function observe(send: Send): Promise<unknown> {
  const { Pipes } = await send('ListPipes', {});
  const names = (Pipes as { Name: string }[]).map(({ Name }) => Name);
  const all: unknown[] = [];
  for (const Name of names) {
    // A pipe may be deleted meanwhile.
    await settled(send, Name).catch(() => undefined);
    const answer = await send('DescribePipe', { Name }).catch(() => undefined);
    if (!answer) continue;
    const { $metadata: _, ...rest } = answer;
    all.push(rest);
  }
  return all;
}

const changed = (send: Send) => send('TagResource', { resourceArn, tags: { new: 'x' } });
const values = (operation: string) => ({
  [`${operation}.DesiredState`]: ['STOPPED', 'RUNNING'],
  [`${operation}.LogConfiguration`]: [LogConfiguration, { ...LogConfiguration, Level: 'OFF' }],
  [`${operation}.LogConfiguration.S3LogDestination.OutputFormat`]: ['json', 'plain', 'w3c'],
  [`${operation}.KmsKeyIdentifier`]: [''],
});

/** Amazon EventBridge Pipes. */
export const pipes: Scenario = {
  service: 'pipes',
  others: ['kms'],
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.PipesClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CreatePipe: () => ({ ...stopped(), Name: 'new' }),
    DeletePipe: known,
    DescribePipe: known,
    ListTagsForResource: () => ({ resourceArn }),
    StartPipe: known,
    StopPipe: () => ({ Name: 'other' }),
    TagResource: () => ({ resourceArn, tags: { new: 'x' } }),
    UntagResource: () => ({ resourceArn, tagKeys: ['team'] }),
    UpdatePipe: () => ({ ...known(), RoleArn, Description: 'changed' }),
  },
  before: { UpdatePipe: fromEachSource },
  also: {
    CreatePipe: [...sources, ...targets, enriched, { LogConfiguration }].map((more) => () => ({
      ...stopped(),
      Name: 'new',
      ...more,
    })),
    UpdatePipe: [
      ...targets,
      enriched,
      { LogConfiguration },
      { SourceParameters: { SqsQueueParameters: { BatchSize: 3, MaximumBatchingWindowInSeconds: 2 } } },
    ]
      .map((more) => (): Record<string, unknown> => ({ ...known(), RoleArn, ...more }))
      .concat(
        updates.flatMap((SourceParameters, index) =>
          SourceParameters ? [() => ({ Name: `from-${index}`, RoleArn, SourceParameters })] : [],
        ),
      ),
  },
  values: {
    ...values('CreatePipe'),
    ...values('UpdatePipe'),
    'ListPipes.NamePrefix': ['kn'],
    'ListPipes.SourcePrefix': [arn('sqs', 'other')],
    'ListPipes.TargetPrefix': [arn('sns', 't')],
    'ListPipes.CurrentState': ['STOPPED'],
    'ListPipes.DesiredState': ['RUNNING'],
  },
  reads: {
    DescribePipe: changed,
    ListPipes: (send) => send('CreatePipe', { ...stopped(), Name: 'more' }),
    ListTagsForResource: changed,
  },
};
