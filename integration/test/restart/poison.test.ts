import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Firehose } from '@aws-sdk/client-firehose';
import { Pipes } from '@aws-sdk/client-pipes';
import { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import { S3 } from '@aws-sdk/client-s3';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { SFN } from '@aws-sdk/client-sfn';
import { SSM } from '@aws-sdk/client-ssm';
import type { ServiceManifest } from '@emu/core/service';
import { fakeService, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as ses, v2Manifest as sesv2 } from '@emu/svc-ses/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { expect, test } from 'vitest';
import { ACCOUNT, Lives, REGION } from './support.ts';

const REASON = 'emu was terminated twice in a row while it resumed this work after a restart.';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/r`;
const arn = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
const FUNCTION = arn('lambda', 'function:f');
const QUEUE = arn('sqs', 'q');
const within = { timeout: 15_000 };

/** A service that responds until it is shut, and then never again. */
class Hole {
  shut = false;
  /** Number of calls without a response. */
  calls = 0;
  readonly manifest: ServiceManifest;

  constructor(name: string, answers: Readonly<Record<string, object>>) {
    const handler = (operation: string) => (input: Record<string, unknown>) => {
      if (!this.shut || input.InvocationType === 'DryRun') return answers[operation];
      this.calls++;
      return new Promise(() => undefined);
    };
    this.manifest = fakeService(
      name,
      Object.fromEntries(Object.keys(answers).map((operation) => [operation, handler(operation)])),
    );
  }
}

/** Returns the number of records of a collection. */
const countOf = ({ kernel }: TestEmulator, service: string, wanted: string): number =>
  [...kernel.loadedService(service)!.store.picture()].filter(({ collection }) => collection === wanted).length;

/** Work whose resumption never ends. */
interface Case {
  readonly manifests: readonly ServiceManifest[];
  readonly hole: Hole;
  /** Starts the work. Shuts the hole before the work calls it. */
  begin(emulator: TestEmulator, hole: Hole): Promise<unknown>;
  /** Returns the work after it has failed, and what it must equal. */
  look(emulator: TestEmulator): unknown;
  readonly failed: unknown;
}

const cases: Readonly<Record<string, Case>> = {
  'an execution': {
    manifests: [stepfunctions],
    hole: new Hole('sqs', { SendMessage: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const client = new SFN(emulator.clientConfig());
      const Parameters = { QueueUrl: 'http://sqs/q', MessageBody: 'x' };
      const definition = JSON.stringify({
        StartAt: 'Send',
        States: { Send: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Parameters, End: true } },
      });
      const { stateMachineArn } = await client.createStateMachine({ name: 'm', roleArn: ROLE, definition });
      await client.startExecution({ stateMachineArn, name: 'e' });
    },
    look: async (emulator) => {
      const client = new SFN(emulator.clientConfig());
      const executionArn = arn('states', 'execution:m:e');
      const { status, error, cause } = await client.describeExecution({ executionArn });
      const { events: history } = await client.getExecutionHistory({ executionArn });
      return { status, error, cause, last: history!.at(-1)!.type };
    },
    failed: { status: 'FAILED', error: 'States.Runtime', cause: REASON, last: 'ExecutionFailed' },
  },
  'a stack': {
    manifests: [cloudformation],
    hole: new Hole('s3', { GetObject: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const Properties = { TemplateURL: 'https://data.s3.amazonaws.com/template.json' };
      const Resources = { Nested: { Type: 'AWS::CloudFormation::Stack', Properties } };
      const TemplateBody = JSON.stringify({ Resources });
      await new CloudFormation(emulator.clientConfig()).createStack({ StackName: 's', TemplateBody });
    },
    look: async (emulator) => {
      const { Stacks } = await new CloudFormation(emulator.clientConfig()).describeStacks({ StackName: 's' });
      const { StackStatus, StackStatusReason } = Stacks![0]!;
      return { StackStatus, StackStatusReason };
    },
    failed: { StackStatus: 'CREATE_FAILED', StackStatusReason: `Internal failure: ${REASON}` },
  },
  'an event for a target': {
    manifests: [events],
    hole: new Hole('sqs', { SendMessage: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const client = new EventBridge(emulator.clientConfig());
      await client.putRule({ Name: 'r', EventPattern: '{"source":["app"]}' });
      await client.putTargets({ Rule: 'r', Targets: [{ Id: 't', Arn: QUEUE }] });
      await client.putEvents({ Entries: [{ Source: 'app', DetailType: 'd', Detail: '{}' }] });
    },
    look: (emulator) => countOf(emulator, 'events', 'deliveries'),
    failed: 0,
  },
  'the call of a schedule': {
    manifests: [scheduler],
    hole: new Hole('sqs', { SendMessage: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      await new Scheduler(emulator.clientConfig()).createSchedule({
        Name: 's',
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: QUEUE, RoleArn: ROLE },
      });
    },
    look: (emulator) => countOf(emulator, 'scheduler', 'deliveries'),
    failed: 0,
  },
  'a notification of a bucket': {
    manifests: [s3],
    hole: new Hole('sqs', { SendMessage: {} }),
    begin: async (emulator, hole) => {
      const client = new S3(emulator.clientConfig());
      await client.createBucket({ Bucket: 'data' });
      const QueueConfigurations = [{ QueueArn: QUEUE, Events: ['s3:ObjectCreated:*' as const] }];
      const NotificationConfiguration = { QueueConfigurations };
      await client.putBucketNotificationConfiguration({
        Bucket: 'data',
        NotificationConfiguration,
        SkipDestinationValidation: true,
      });
      hole.shut = true;
      await client.putObject({ Bucket: 'data', Key: 'k', Body: 'x' });
    },
    look: (emulator) => countOf(emulator, 's3', 'notifications'),
    failed: 0,
  },
  'a change of a table for Kinesis': {
    manifests: [dynamodb],
    hole: new Hole('kinesis', {
      DescribeStreamSummary: { StreamDescriptionSummary: {} },
      PutRecord: {},
    }),
    begin: async (emulator, hole) => {
      const client = new DynamoDB(emulator.clientConfig());
      await client.createTable({
        TableName: 'items',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      });
      await client.enableKinesisStreamingDestination({ TableName: 'items', StreamArn: arn('kinesis', 'stream/s') });
      hole.shut = true;
      await client.putItem({ TableName: 'items', Item: { id: { S: 'a' } } });
    },
    look: (emulator) => countOf(emulator, 'dynamodb', 'kinesis-records'),
    failed: 0,
  },
  'a rotation': {
    manifests: [secretsmanager],
    hole: new Hole('lambda', { Invoke: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const client = new SecretsManager(emulator.clientConfig());
      await client.createSecret({ Name: 's', SecretString: 'old' });
      const RotationRules = { AutomaticallyAfterDays: 30 };
      await client.rotateSecret({ SecretId: 's', RotationLambdaARN: FUNCTION, RotationRules });
    },
    look: ({ kernel }) =>
      [...kernel.loadedService('secretsmanager')!.store.picture()].filter(
        ({ value }) => (value as { rotation?: { running?: object } }).rotation?.running,
      ).length,
    failed: 0,
  },
  'an import of contacts': {
    manifests: [ses, sesv2],
    hole: new Hole('s3', { GetObject: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      await new SESv2(emulator.clientConfig()).createImportJob({
        ImportDestination: { SuppressionListDestination: { SuppressionListImportAction: 'PUT' } },
        ImportDataSource: { S3Url: 's3://b/k', DataFormat: 'CSV' },
      });
    },
    look: async (emulator) => {
      const client = new SESv2(emulator.clientConfig());
      const { ImportJobs } = await client.listImportJobs({});
      const { JobStatus, FailureInfo } = await client.getImportJob({ JobId: ImportJobs![0]!.JobId });
      return { JobStatus, FailureInfo };
    },
    failed: { JobStatus: 'FAILED', FailureInfo: { ErrorMessage: REASON } },
  },
  'an action of an alarm': {
    manifests: [cloudwatch],
    hole: new Hole('sns', { Publish: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const client = new CloudWatch(emulator.clientConfig());
      await client.putMetricAlarm({
        AlarmName: 'a',
        Namespace: 'n',
        MetricName: 'm',
        Statistic: 'Sum',
        Period: 3600,
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanThreshold',
        AlarmActions: [arn('sns', 't')],
      });
      await client.setAlarmState({ AlarmName: 'a', StateValue: 'ALARM', StateReason: 'test' });
    },
    look: async (emulator) => {
      const { AlarmHistoryItems } = await new CloudWatch(emulator.clientConfig()).describeAlarmHistory({
        AlarmName: 'a',
        HistoryItemType: 'Action',
      });
      return AlarmHistoryItems!.map(({ HistoryData }) => JSON.parse(HistoryData!).error);
    },
    failed: [REASON],
  },
  'an automation': {
    manifests: [ssm],
    hole: new Hole('lambda', { Invoke: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const client = new SSM(emulator.clientConfig());
      const mainSteps = [{ name: 'call', action: 'aws:invokeLambdaFunction', inputs: { FunctionName: 'f' } }];
      const Content = JSON.stringify({ schemaVersion: '0.3', mainSteps });
      await client.createDocument({ Name: 'call', DocumentType: 'Automation', Content });
      await client.startAutomationExecution({ DocumentName: 'call' });
    },
    look: async (emulator) => {
      const { AutomationExecutionMetadataList: list } = await new SSM(
        emulator.clientConfig(),
      ).describeAutomationExecutions({});
      const { AutomationExecutionStatus, FailureMessage } = list![0]!;
      return { AutomationExecutionStatus, FailureMessage };
    },
    failed: { AutomationExecutionStatus: 'Failed', FailureMessage: REASON },
  },
  'the creation of a pipe': {
    manifests: [pipes],
    hole: new Hole('sqs', { GetQueueAttributes: {}, ReceiveMessage: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      await new Pipes(emulator.clientConfig()).createPipe({
        Name: 'p',
        RoleArn: ROLE,
        Source: QUEUE,
        Target: arn('sqs', 'target'),
      });
    },
    look: async (emulator) => {
      const { CurrentState, StateReason } = await new Pipes(emulator.clientConfig()).describePipe({ Name: 'p' });
      return { CurrentState, StateReason };
    },
    failed: { CurrentState: 'CREATE_FAILED', StateReason: REASON },
  },
  'a report of tags': {
    manifests: [tagging],
    hole: new Hole('s3', { PutObject: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      await new ResourceGroupsTaggingAPI(emulator.clientConfig()).startReportCreation({ S3Bucket: 'bucket' });
    },
    look: async (emulator) => {
      const client = new ResourceGroupsTaggingAPI(emulator.clientConfig());
      const { Status, ErrorMessage } = await client.describeReportCreation({});
      return { Status, ErrorMessage };
    },
    failed: { Status: 'FAILED', ErrorMessage: REASON },
  },
  'records of a delivery stream': {
    manifests: [firehose],
    hole: new Hole('s3', { HeadBucket: {}, PutObject: {} }),
    begin: async (emulator, hole) => {
      const client = new Firehose(emulator.clientConfig());
      await client.createDeliveryStream({
        DeliveryStreamName: 'd',
        ExtendedS3DestinationConfiguration: {
          RoleARN: ROLE,
          BucketARN: 'arn:aws:s3:::b',
          BufferingHints: { IntervalInSeconds: 0, SizeInMBs: 1 },
        },
      });
      const status = async () =>
        (await client.describeDeliveryStream({ DeliveryStreamName: 'd' })).DeliveryStreamDescription!
          .DeliveryStreamStatus;
      await expect.poll(status, within).toBe('ACTIVE');
      hole.shut = true;
      await client.putRecord({ DeliveryStreamName: 'd', Record: { Data: Buffer.from('x') } });
    },
    look: (emulator) => countOf(emulator, 'firehose', 'pieces'),
    failed: 0,
  },
  'events of a log group for a subscription': {
    manifests: [logs],
    hole: new Hole('lambda', { GetFunction: {}, Invoke: {} }),
    begin: async (emulator, hole) => {
      const client = new CloudWatchLogs(emulator.clientConfig());
      await client.createLogGroup({ logGroupName: 'g' });
      await client.createLogStream({ logGroupName: 'g', logStreamName: 's' });
      await client.putSubscriptionFilter({
        logGroupName: 'g',
        filterName: 'f',
        filterPattern: '',
        destinationArn: FUNCTION,
      });
      hole.shut = true;
      const logEvents = [{ timestamp: Date.now(), message: 'x' }];
      await client.putLogEvents({ logGroupName: 'g', logStreamName: 's', logEvents });
    },
    // The position is behind the event.
    look: ({ kernel }) =>
      [...kernel.loadedService('logs')!.store.picture()]
        .filter(({ collection }) => collection === 'delivery-positions')
        .map(({ value }) => (value as { offset: number }).offset > 0),
    failed: [true],
  },
  'a call after a response': {
    manifests: [stepfunctions],
    hole: new Hole('events', { PutEvents: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const client = new SFN(emulator.clientConfig());
      const definition = '{"StartAt":"Wait","States":{"Wait":{"Type":"Wait","Seconds":86400,"End":true}}}';
      const { stateMachineArn } = await client.createStateMachine({ name: 'm', roleArn: ROLE, definition });
      await client.startExecution({ stateMachineArn, name: 'e' });
    },
    look: (emulator) => countOf(emulator, 'stepfunctions', 'outbox'),
    failed: 0,
  },
};

test.each(Object.keys(cases))('%s fails after two crashes during its resumption', async (name) => {
  const { manifests, hole, begin, look, failed } = cases[name]!;
  await using lives = await Lives.begin([...manifests, hole.manifest]);
  await begin(lives.emulator, hole);
  await expect.poll(() => hole.calls, within).toBe(1);
  for (const calls of [2, 3]) {
    const resumed = await lives.die();
    // It is reported, and expected here.
    resumed.kernel.log.error = () => undefined;
    await expect.poll(() => hole.calls, within).toBe(calls);
  }
  const last = await lives.die();
  await expect.poll(() => look(last), within).toEqual(failed);
  expect(hole.calls).toBe(3);
});
