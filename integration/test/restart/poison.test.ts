import { CloudControl } from '@aws-sdk/client-cloudcontrol';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Firehose } from '@aws-sdk/client-firehose';
import { Pipes } from '@aws-sdk/client-pipes';
import { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import { S3 } from '@aws-sdk/client-s3';
import { S3Control } from '@aws-sdk/client-s3-control';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { SFN } from '@aws-sdk/client-sfn';
import { SSM } from '@aws-sdk/client-ssm';
import { logWriter, provide, type ServiceManifest } from '@emu/core/service';
import { fakeService, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as ses, v2Manifest as sesv2 } from '@emu/svc-ses/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
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

  /** @param answers responses by operation. A service for logs responds to writers, too */
  constructor(name: string, answers: Readonly<Record<string, object>>) {
    const handler = (operation: string) => (input: Record<string, unknown>) =>
      input.InvocationType === 'DryRun' ? answers[operation] : this.answer(answers[operation]);
    const manifest = fakeService(
      name,
      Object.fromEntries(Object.keys(answers).map((operation) => [operation, handler(operation)])),
    );
    const write = async (): Promise<void> => void (await this.answer(undefined));
    this.manifest =
      name === 'logs'
        ? {
            ...manifest,
            provides: [logWriter],
            load: async () => ({ ...(await manifest.load()), provides: [provide(logWriter, () => ({ write }))] }),
          }
        : manifest;
  }

  answer(value: unknown): unknown {
    if (!this.shut) return value;
    this.calls++;
    return new Promise(() => undefined);
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
  /** Ends the work as a client, where `--no-resume` has left it. */
  end?(emulator: TestEmulator): Promise<unknown>;
}

/** Polls until the status of some work is the expected one. */
const reaches = (status: () => Promise<unknown>, wanted: string): Promise<void> =>
  expect.poll(status, within).toBe(wanted);

const TABLE = {
  TableName: 'items',
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
};

/** Creates a batch job with a manifest that is read at its start. */
const batchJob = (emulator: TestEmulator, Priority: number) =>
  new S3Control(emulator.clientConfig()).createJob({
    AccountId: ACCOUNT,
    ConfirmationRequired: false,
    Operation: { S3DeleteObjectTagging: {} },
    Report: { Enabled: false },
    ClientRequestToken: `token-${Priority}`,
    Priority,
    RoleArn: ROLE,
    Manifest: {
      Spec: { Format: 'S3BatchOperations_CSV_20180820', Fields: ['Bucket', 'Key'] },
      Location: { ObjectArn: 'arn:aws:s3:::b/manifest.csv', ETag: 'e' },
    },
  });

/** Returns the batch job of the highest priority. */
async function latestJob(emulator: TestEmulator) {
  const client = new S3Control(emulator.clientConfig());
  const { Jobs } = await client.listJobs({ AccountId: ACCOUNT });
  const { JobId } = Jobs!.find(({ Priority }) => Priority === 1)!;
  return (await client.describeJob({ AccountId: ACCOUNT, JobId })).Job!;
}

async function exportTask(emulator: TestEmulator) {
  const { exportTasks } = await new CloudWatchLogs(emulator.clientConfig()).describeExportTasks({});
  return exportTasks![0]!;
}

async function userImports(emulator: TestEmulator) {
  const client = new CognitoIdentityProvider(emulator.clientConfig());
  const { UserPools } = await client.listUserPools({ MaxResults: 1 });
  const UserPoolId = UserPools![0]!.Id!;
  const { UserImportJobs } = await client.listUserImportJobs({ UserPoolId, MaxResults: 1 });
  return { UserPoolId, job: UserImportJobs![0]! };
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
    end: async (emulator) => {
      const client = new SFN(emulator.clientConfig());
      const executionArn = arn('states', 'execution:m:e');
      await client.stopExecution({ executionArn });
      await reaches(async () => (await client.describeExecution({ executionArn })).status, 'ABORTED');
    },
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
    end: async (emulator) => {
      const client = new CloudFormation(emulator.clientConfig());
      const { Stacks } = await client.describeStacks({ StackName: 's' });
      const StackName = Stacks![0]!.StackId!;
      await client.deleteStack({ StackName });
      await reaches(
        async () => (await client.describeStacks({ StackName })).Stacks![0]!.StackStatus,
        'DELETE_COMPLETE',
      );
      const { StackEvents } = await client.describeStackEvents({ StackName });
      expect(StackEvents!.map(({ ResourceStatusReason }) => ResourceStatusReason)).toContain(
        'Internal failure: The operation was interrupted by a restart and not resumed.',
      );
    },
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
      await client.createTable(TABLE);
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
    end: async (emulator) => {
      const client = new SSM(emulator.clientConfig());
      const get = async () => (await client.describeAutomationExecutions({})).AutomationExecutionMetadataList![0]!;
      const { AutomationExecutionId } = await get();
      await client.stopAutomationExecution({ AutomationExecutionId, Type: 'Cancel' });
      await reaches(async () => (await get()).AutomationExecutionStatus, 'Cancelled');
    },
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
    end: async (emulator) => {
      const client = new Pipes(emulator.clientConfig());
      await client.deletePipe({ Name: 'p' });
      await expect.poll(async () => (await client.listPipes({})).Pipes, within).toEqual([]);
    },
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
    end: (emulator) =>
      new ResourceGroupsTaggingAPI(emulator.clientConfig()).startReportCreation({ S3Bucket: 'bucket' }),
  },
  'records of a delivery stream': {
    manifests: [firehose],
    hole: new Hole('s3', { HeadBucket: {}, GetBucketAcl: {}, PutObject: {} }),
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
  'a request of Cloud Control': {
    manifests: [cloudcontrol, logs],
    hole: new Hole('lambda', { GetFunction: {}, Invoke: {} }),
    begin: async (emulator, hole) => {
      await new CloudWatchLogs(emulator.clientConfig()).createLogGroup({ logGroupName: 'g' });
      hole.shut = true;
      await new CloudControl(emulator.clientConfig()).createResource({
        TypeName: 'AWS::Logs::SubscriptionFilter',
        DesiredState: JSON.stringify({ LogGroupName: 'g', FilterPattern: '', DestinationArn: FUNCTION }),
      });
    },
    look: async (emulator) => {
      const { ResourceRequestStatusSummaries: requests } = await new CloudControl(
        emulator.clientConfig(),
      ).listResourceRequests({});
      return requests!.map(({ OperationStatus, ErrorCode, StatusMessage }) => [
        OperationStatus,
        ErrorCode,
        StatusMessage,
      ]);
    },
    failed: [['FAILED', 'InternalFailure', REASON]],
    end: async (emulator) => {
      const client = new CloudControl(emulator.clientConfig());
      const { ResourceRequestStatusSummaries: requests } = await client.listResourceRequests({});
      const RequestToken = requests![0]!.RequestToken!;
      await client.cancelResourceRequest({ RequestToken });
      const status = async () =>
        (await client.getResourceRequestStatus({ RequestToken })).ProgressEvent!.OperationStatus;
      await reaches(status, 'CANCEL_COMPLETE');
    },
  },
  'a batch job of S3': {
    manifests: [s3control, sts],
    hole: new Hole('s3', { GetObject: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      await batchJob(emulator, 1);
    },
    look: async (emulator) => {
      const { Status, FailureReasons } = await latestJob(emulator);
      return { Status, FailureReasons };
    },
    failed: { Status: 'Failed', FailureReasons: [{ FailureCode: 'InternalError', FailureReason: REASON }] },
    end: async (emulator) => {
      const client = new S3Control(emulator.clientConfig());
      const { JobId } = await latestJob(emulator);
      // A new job, even of lower priority, does not start the one that was left.
      await batchJob(emulator, 0);
      await client.updateJobStatus({ AccountId: ACCOUNT, JobId, RequestedJobStatus: 'Cancelled' });
      await reaches(async () => (await client.describeJob({ AccountId: ACCOUNT, JobId })).Job!.Status, 'Cancelled');
    },
  },
  'a command': {
    manifests: [ssm],
    hole: new Hole('cloudwatch', { DescribeAlarms: { MetricAlarms: [{ AlarmName: 'a', StateValue: 'OK' }] } }),
    begin: async (emulator, hole) => {
      const client = new SSM(emulator.clientConfig());
      const { ActivationId, ActivationCode } = await client.createActivation({ IamRole: 'r' });
      const { InstanceId } = await emulator.kernel.call('ssm', 'RegisterManagedInstance', {
        ActivationId: ActivationId!,
        ActivationCode: ActivationCode!,
      });
      hole.shut = true;
      await client.sendCommand({
        DocumentName: 'AWS-RunShellScript',
        InstanceIds: [InstanceId!],
        Parameters: { commands: ['true'] },
        AlarmConfiguration: { Alarms: [{ Name: 'a' }] },
      });
    },
    look: async (emulator) =>
      (await new SSM(emulator.clientConfig()).listCommands({})).Commands!.map(({ Status }) => Status),
    failed: ['Failed'],
    end: async (emulator) => {
      const client = new SSM(emulator.clientConfig());
      const get = async () => (await client.listCommands({})).Commands![0]!;
      await client.cancelCommand({ CommandId: (await get()).CommandId });
      await reaches(async () => (await get()).Status, 'Cancelled');
    },
  },
  'an inventory for a bucket': {
    manifests: [ssm],
    hole: new Hole('s3', { HeadBucket: {}, GetBucketAcl: {}, PutObject: {} }),
    begin: async (emulator, hole) => {
      const client = new SSM(emulator.clientConfig());
      await client.createResourceDataSync({
        SyncName: 's',
        S3Destination: { BucketName: 'b', SyncFormat: 'JsonSerDe', Region: REGION },
      });
      hole.shut = true;
      await client.putComplianceItems({
        ResourceId: 'i-0123456789abcdef0',
        ResourceType: 'ManagedInstance',
        ComplianceType: 'Custom:abc',
        ExecutionSummary: { ExecutionTime: new Date(0) },
        Items: [{ Id: '1', Title: 't', Severity: 'LOW', Status: 'COMPLIANT' }],
      });
    },
    look: async (emulator) => {
      const { ResourceDataSyncItems } = await new SSM(emulator.clientConfig()).listResourceDataSync({});
      return ResourceDataSyncItems!.map(({ LastStatus, LastSyncStatusMessage }) => [LastStatus, LastSyncStatusMessage]);
    },
    failed: [['Failed', REASON]],
  },
  'an import of users': {
    manifests: [cognito],
    hole: new Hole('logs', {}),
    begin: async (emulator, hole) => {
      const client = new CognitoIdentityProvider(emulator.clientConfig());
      const { UserPool } = await client.createUserPool({ PoolName: 'p', AutoVerifiedAttributes: ['email'] });
      const UserPoolId = UserPool!.Id!;
      const { UserImportJob } = await client.createUserImportJob({
        UserPoolId,
        JobName: 'import',
        CloudWatchLogsRoleArn: ROLE,
      });
      const { JobId, PreSignedUrl } = UserImportJob!;
      const { CSVHeader } = await client.getCSVHeader({ UserPoolId });
      const values: Readonly<Record<string, string>> = {
        'cognito:username': 'ann',
        'cognito:mfa_enabled': 'FALSE',
        email: 'ann@example.com',
        email_verified: 'TRUE',
      };
      const row = CSVHeader!.map((name) => values[name] ?? '');
      const upload = new Request(PreSignedUrl!, {
        method: 'PUT',
        headers: { 'x-amz-server-side-encryption': 'aws:kms' },
        body: `${CSVHeader!.join(',')}\n${row.join(',')}`,
      });
      expect((await emulator.gateway.fetch(upload)).status).toBe(200);
      hole.shut = true;
      await client.startUserImportJob({ UserPoolId, JobId });
    },
    look: async (emulator) => {
      const { Status, CompletionMessage } = (await userImports(emulator)).job;
      return { Status, CompletionMessage };
    },
    failed: { Status: 'Failed', CompletionMessage: REASON },
    end: async (emulator) => {
      const { UserPoolId, job } = await userImports(emulator);
      const client = new CognitoIdentityProvider(emulator.clientConfig());
      await client.stopUserImportJob({ UserPoolId, JobId: job.JobId });
      await reaches(async () => (await userImports(emulator)).job.Status, 'Stopped');
    },
  },
  'an export of a log group': {
    manifests: [logs],
    hole: new Hole('s3', { HeadBucket: {}, GetBucketAcl: {}, PutObject: {} }),
    begin: async (emulator, hole) => {
      const client = new CloudWatchLogs(emulator.clientConfig());
      await client.createLogGroup({ logGroupName: 'g' });
      await client.createLogStream({ logGroupName: 'g', logStreamName: 's' });
      const logEvents = [{ timestamp: Date.now(), message: 'x' }];
      await client.putLogEvents({ logGroupName: 'g', logStreamName: 's', logEvents });
      await client.createExportTask({ logGroupName: 'g', from: 0, to: Date.now() + 1, destination: 'b' });
      hole.shut = true;
    },
    look: async (emulator) => (await exportTask(emulator)).status,
    failed: { code: 'FAILED', message: REASON },
    end: async (emulator) => {
      const { taskId } = await exportTask(emulator);
      await new CloudWatchLogs(emulator.clientConfig()).cancelExportTask({ taskId });
      await reaches(async () => (await exportTask(emulator)).status!.code, 'CANCELLED');
    },
  },
  'an export of a table': {
    manifests: [dynamodb],
    hole: new Hole('s3', { PutObject: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      const client = new DynamoDB(emulator.clientConfig());
      const { TableDescription } = await client.createTable(TABLE);
      const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
      await client.updateContinuousBackups({ TableName: 'items', PointInTimeRecoverySpecification });
      await client.exportTableToPointInTime({ TableArn: TableDescription!.TableArn, S3Bucket: 'data' });
    },
    look: async (emulator) => {
      const client = new DynamoDB(emulator.clientConfig());
      const { ExportSummaries } = await client.listExports({});
      const { ExportDescription } = await client.describeExport({ ExportArn: ExportSummaries![0]!.ExportArn });
      const { ExportStatus, FailureMessage } = ExportDescription!;
      return { ExportStatus, FailureMessage };
    },
    failed: { ExportStatus: 'FAILED', FailureMessage: REASON },
  },
  'an import of a table': {
    manifests: [dynamodb],
    hole: new Hole('s3', { ListObjectsV2: {}, GetObject: {} }),
    begin: async (emulator, hole) => {
      hole.shut = true;
      await new DynamoDB(emulator.clientConfig()).importTable({
        S3BucketSource: { S3Bucket: 'data' },
        InputFormat: 'DYNAMODB_JSON',
        TableCreationParameters: TABLE,
      });
    },
    look: async (emulator) => {
      const client = new DynamoDB(emulator.clientConfig());
      const { ImportSummaryList } = await client.listImports({});
      const { ImportTableDescription } = await client.describeImport({ ImportArn: ImportSummaryList![0]!.ImportArn });
      const { ImportStatus, FailureMessage } = ImportTableDescription!;
      return { ImportStatus, FailureMessage };
    },
    failed: { ImportStatus: 'FAILED', FailureMessage: REASON },
    end: async (emulator) => {
      const client = new DynamoDB(emulator.clientConfig());
      await client.deleteTable({ TableName: 'items' });
      await expect.poll(async () => (await client.listTables({})).TableNames, within).toEqual([]);
    },
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
  // It is not resumed again by the next process, either.
  const next = await lives.die();
  await next.kernel.resume();
  for (let turn = 0; turn < 300; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await look(next)).toEqual(failed);
  expect(hole.calls).toBe(3);
});

test.each(Object.keys(cases))('%s is left alone without resumption, until a client ends it', async (name) => {
  const { manifests, hole, begin, end } = cases[name]!;
  Object.assign(hole, { shut: false, calls: 0 });
  await using lives = await Lives.begin([...manifests, hole.manifest]);
  await begin(lives.emulator, hole);
  await expect.poll(() => hole.calls, within).toBe(1);
  const left = await lives.die({ EMULATOR_NO_RESUME: true });
  expect(hole.calls).toBe(1);
  await end?.(left);
});

test('an update of a stack that was left is rolled back by its cancellation', async () => {
  const hole = new Hole('s3', { GetObject: {} });
  hole.shut = true;
  await using lives = await Lives.begin([cloudformation, hole.manifest]);
  const Handle = { Type: 'AWS::CloudFormation::WaitConditionHandle' };
  const Properties = { TemplateURL: 'https://data.s3.amazonaws.com/template.json' };
  const Nested = { Type: 'AWS::CloudFormation::Stack', Properties };
  const templateOf = (Resources: object) => ({ StackName: 's', TemplateBody: JSON.stringify({ Resources }) });
  const client = new CloudFormation(lives.emulator.clientConfig());
  const statusBy = (stacks: CloudFormation) => async () =>
    (await stacks.describeStacks({ StackName: 's' })).Stacks![0]!.StackStatus;
  await client.createStack(templateOf({ Handle }));
  await reaches(statusBy(client), 'CREATE_COMPLETE');
  await client.updateStack(templateOf({ Handle, Nested }));
  await expect.poll(() => hole.calls, within).toBe(1);
  const after = new CloudFormation((await lives.die({ EMULATOR_NO_RESUME: true })).clientConfig());
  await after.cancelUpdateStack({ StackName: 's' });
  await reaches(statusBy(after), 'UPDATE_ROLLBACK_COMPLETE');
});

test('an operation on a stack set that was left can be stopped', async () => {
  const hole = new Hole('s3', { GetObject: {} });
  hole.shut = true;
  await using lives = await Lives.begin([cloudformation, hole.manifest]);
  const Properties = { TemplateURL: 'https://data.s3.amazonaws.com/template.json' };
  const Resources = { Nested: { Type: 'AWS::CloudFormation::Stack', Properties } };
  const client = new CloudFormation(lives.emulator.clientConfig());
  const StackSetName = 'set';
  await client.createStackSet({ StackSetName, TemplateBody: JSON.stringify({ Resources }) });
  const { OperationId } = await client.createStackInstances({ StackSetName, Accounts: [ACCOUNT], Regions: [REGION] });
  await expect.poll(() => hole.calls, within).toBe(1);
  const after = new CloudFormation((await lives.die({ EMULATOR_NO_RESUME: true })).clientConfig());
  await after.stopStackSetOperation({ StackSetName, OperationId });
  const status = async () =>
    (await after.describeStackSetOperation({ StackSetName, OperationId })).StackSetOperation!.Status;
  await reaches(status, 'STOPPED');
});
