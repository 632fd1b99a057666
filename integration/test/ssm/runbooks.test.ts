import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { type AutomationExecution, SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssmManifest } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let ssm: SSM;
let bucket: S3;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [
      cloudformation,
      cloudwatch,
      events,
      iam,
      lambda,
      logs,
      s3,
      sns,
      sqs,
      ssmManifest,
      stepfunctions,
      sts,
      tagging,
    ],
    settings: { values: { EMULATOR_CONTAINER_BACKEND: 'process' } },
  });
  const config = emulator.clientConfig();
  ssm = new SSM(config);
  bucket = new S3(config);
});
afterAll(() => emulator.close());

let made = 0;
async function runbook(mainSteps: object[], more: object = {}): Promise<string> {
  const Name = `runbook-${++made}`;
  const Content = JSON.stringify({ schemaVersion: '0.3', mainSteps, ...more });
  await ssm.createDocument({ Name, Content, DocumentType: 'Automation' });
  return Name;
}

async function ended(AutomationExecutionId: string | undefined): Promise<AutomationExecution> {
  const get = async () => (await ssm.getAutomationExecution({ AutomationExecutionId })).AutomationExecution!;
  await expect
    .poll(async () => (await get()).AutomationExecutionStatus, { interval: 20, timeout: 20_000 })
    .not.toMatch(/^(Pending|InProgress|Waiting|Cancelling)$/);
  return get();
}

async function run(mainSteps: object[], more: object = {}): Promise<AutomationExecution> {
  const DocumentName = await runbook(mainSteps, more);
  return ended((await ssm.startAutomationExecution({ DocumentName })).AutomationExecutionId);
}

const queueWith = async (QueueName: string) => {
  const queues = new SQS(emulator.clientConfig());
  const { QueueUrl } = await queues.createQueue({ QueueName });
  const { Attributes } = await queues.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
  const seen: { [key: string]: unknown }[] = [];
  const receive = async () => {
    const { Messages = [] } = await queues.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    for (const { Body } of Messages) seen.push(JSON.parse(Body!) as { [key: string]: unknown });
    return seen;
  };
  return { arn: Attributes!.QueueArn!, receive };
};

test('a function is invoked, and parts of its result are selected', async () => {
  const Role = 'arn:aws:iam::000000000000:role/any';
  const index =
    'exports.handler = async (event) => { if (event.fail) throw new Error("no"); return { double: event.n * 2 }; };';
  await new Lambda(emulator.clientConfig()).createFunction({
    FunctionName: 'double',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Role,
    Code: { ZipFile: zipOf({ 'index.js': index }) },
  });
  const step = (InputPayload: object) => ({
    name: 'invoke',
    action: 'aws:invokeLambdaFunction',
    inputs: { FunctionName: 'double', InputPayload },
    outputs: [{ Name: 'Double', Selector: '$.Payload.double', Type: 'Integer' }],
  });
  const good = await run([step({ n: 21 })], { outputs: ['invoke.Double'] });
  expect(good).toMatchObject({ AutomationExecutionStatus: 'Success', Outputs: { 'invoke.Double': ['42'] } });
  const bad = await run([{ ...step({ fail: true }), outputs: [] }]);
  expect(bad.AutomationExecutionStatus).toBe('Failed');
  expect(bad.FailureMessage).toContain('Function Error: Unhandled');
});

test('a state machine runs to its end', async () => {
  const machines = new SFN(emulator.clientConfig());
  const definition = JSON.stringify({
    StartAt: 'Pass',
    States: { Pass: { Type: 'Pass', Result: { ok: true }, End: true } },
  });
  const roleArn = 'arn:aws:iam::000000000000:role/any';
  const { stateMachineArn } = await machines.createStateMachine({ name: 'passes', definition, roleArn });
  const execution = await run(
    [
      {
        name: 'machine',
        action: 'aws:executeStateMachine',
        inputs: { stateMachineArn, input: '{"a":1}' },
        outputs: [{ Name: 'Ok', Selector: '$.output.ok', Type: 'Boolean' }],
      },
    ],
    { outputs: ['machine.Ok', 'machine.status'] },
  );
  expect(execution.Outputs).toEqual({ 'machine.Ok': ['true'], 'machine.status': ['SUCCEEDED'] });
});

test('a stack is created and deleted', async () => {
  const TemplateBody = JSON.stringify({
    Resources: { Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'stacked' } } },
  });
  const steps = [{ name: 'make', action: 'aws:createStack', inputs: { StackName: 'by-runbook', TemplateBody } }];
  const execution = await run(steps, { outputs: ['make.StackStatus'] });
  expect(execution).toMatchObject({
    AutomationExecutionStatus: 'Success',
    Outputs: { 'make.StackStatus': ['CREATE_COMPLETE'] },
  });
  const topics = new SNS(emulator.clientConfig());
  expect((await topics.listTopics({})).Topics).toHaveLength(1);
  const gone = await run([{ name: 'drop', action: 'aws:deleteStack', inputs: { StackName: 'by-runbook' } }]);
  expect(gone.AutomationExecutionStatus).toBe('Success');
  expect((await topics.listTopics({})).Topics).toHaveLength(0);
  const { Stacks } = await new CloudFormation(emulator.clientConfig()).describeStacks({});
  expect(Stacks).toEqual([]);
});

test('steps act as the role of the runbook, and so do calls of a script', async () => {
  const Policy = (Service: string) => ({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }],
  });
  const { Role } = await new IAM(emulator.clientConfig()).createRole({
    RoleName: 'automation',
    AssumeRolePolicyDocument: JSON.stringify(Policy('ssm.amazonaws.com')),
  });
  const execution = await run(
    [
      {
        name: 'who',
        action: 'aws:executeAwsApi',
        inputs: { Service: 'sts', Api: 'GetCallerIdentity' },
        outputs: [{ Name: 'Arn', Selector: '$.Arn', Type: 'String' }],
      },
    ],
    { assumeRole: Role!.Arn, outputs: ['who.Arn'] },
  );
  expect(execution.Outputs!['who.Arn']![0]).toMatch(/:assumed-role\/automation\/Automation-/);
});

test('targets are found by tags', async () => {
  for (const Bucket of ['tagged-one', 'tagged-two', 'untagged']) await bucket.createBucket({ Bucket });
  for (const Bucket of ['tagged-one', 'tagged-two'])
    await bucket.putBucketTagging({ Bucket, Tagging: { TagSet: [{ Key: 'clean', Value: 'yes' }] } });
  const Name = 'by-tag';
  const mainSteps = [
    {
      name: 'mark',
      action: 'aws:executeAwsApi',
      inputs: { Service: 's3', Api: 'PutObject', Bucket: '{{ Bucket }}', Key: 'mark' },
    },
  ];
  const Content = JSON.stringify({ schemaVersion: '0.3', parameters: { Bucket: { type: 'String' } }, mainSteps });
  await ssm.createDocument({ Name, Content, DocumentType: 'Automation', TargetType: '/AWS::S3::Bucket' });
  const { AutomationExecutionId } = await ssm.startAutomationExecution({
    DocumentName: Name,
    TargetParameterName: 'Bucket',
    Targets: [{ Key: 'tag:clean', Values: ['yes'] }],
  });
  expect((await ended(AutomationExecutionId)).ResolvedTargets!.ParameterValues!.sort()).toEqual([
    'tagged-one',
    'tagged-two',
  ]);
  expect((await bucket.listObjectsV2({ Bucket: 'tagged-two' })).KeyCount).toBe(1);
  expect((await bucket.listObjectsV2({ Bucket: 'untagged' })).KeyCount).toBe(0);
});

test('files above the size limit are not read completely', async () => {
  await bucket.createBucket({ Bucket: 'long' });
  await bucket.putObject({ Bucket: 'long', Key: 'file', Body: Buffer.alloc(1024 * 1024 + 1, ' ') });
  const read = await run([
    {
      name: 'read',
      action: 'aws:executeAwsApi',
      inputs: { Service: 's3', Api: 'GetObject', Bucket: 'long', Key: 'file' },
    },
  ]);
  expect(read).toMatchObject({ AutomationExecutionStatus: 'Failed' });
  expect(read.FailureMessage).toContain('The response of the service has a body of more than 1048576 bytes');
  const TargetLocationsURL = 'https://long.s3.us-east-1.amazonaws.com/file';
  const DocumentName = await runbook([{ name: 'hold', action: 'aws:pause', inputs: {} }]);
  await expect(ssm.startAutomationExecution({ DocumentName, TargetLocationsURL })).rejects.toThrow(
    'it has more than 1048576 bytes',
  );
});

test('an alarm stops an execution', async () => {
  const alarms = new CloudWatch(emulator.clientConfig());
  await alarms.putMetricAlarm({
    AlarmName: 'stop',
    Namespace: 'n',
    MetricName: 'm',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 1,
    Statistic: 'Sum',
    ComparisonOperator: 'GreaterThanThreshold',
  });
  await alarms.setAlarmState({ AlarmName: 'stop', StateValue: 'ALARM', StateReason: 'test' });
  const DocumentName = await runbook([{ name: 'hold', action: 'aws:pause', inputs: {} }]);
  const { AutomationExecutionId } = await ssm.startAutomationExecution({
    DocumentName,
    AlarmConfiguration: { Alarms: [{ Name: 'stop' }] },
  });
  expect(await ended(AutomationExecutionId)).toMatchObject({
    AutomationExecutionStatus: 'Exited',
    TriggeredAlarms: [{ Name: 'stop', State: 'ALARM' }],
  });
});

test('EventBridge is notified of executions and steps, and a topic of approvals', async () => {
  const told = await queueWith('told');
  const bus = new EventBridge(emulator.clientConfig());
  const pattern = { source: ['aws.ssm'], 'detail-type': [{ prefix: 'EC2 Automation' }] };
  await bus.putRule({ Name: 'runbooks', EventPattern: JSON.stringify(pattern) });
  await bus.putTargets({ Rule: 'runbooks', Targets: [{ Id: 'q', Arn: told.arn }] });
  const asked = await queueWith('asked');
  const topics = new SNS(emulator.clientConfig());
  const { TopicArn } = await topics.createTopic({ Name: 'approvals' });
  await topics.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: asked.arn });
  const DocumentName = await runbook([
    {
      name: 'ask',
      action: 'aws:approve',
      inputs: { NotificationArn: TopicArn, Message: 'please', Approvers: ['arn:aws:iam::000000000000:root'] },
    },
  ]);
  const { AutomationExecutionId } = await ssm.startAutomationExecution({ DocumentName });
  await expect.poll(async () => (await asked.receive()).length, { timeout: 10_000 }).toBe(1);
  expect((await asked.receive())[0]!.Message).toContain('please');
  await ssm.sendAutomationSignal({ AutomationExecutionId, SignalType: 'Approve' });
  await ended(AutomationExecutionId);
  const own = async () =>
    (await told.receive())
      .filter(({ detail }) => (detail as { ExecutionId: string }).ExecutionId === AutomationExecutionId)
      .map((event) =>
        [(event['detail-type'] as string).split(' ')[2], (event.detail as { Status: string }).Status].join(' '),
      );
  await expect.poll(own, { timeout: 10_000 }).toContain('Execution Success');
  expect(await own()).toEqual(
    expect.arrayContaining(['Step InProgress', 'Step Waiting', 'Step Success', 'Execution Waiting']),
  );
});

test("files from S3 are attached to a document, and remain after the bucket's deletion", async () => {
  const Bucket = 'packages';
  await bucket.createBucket({ Bucket });
  await bucket.putObject({ Bucket, Key: 'release/tool.zip', Body: 'the tool' });
  const Content = JSON.stringify({
    schemaVersion: '2.0',
    version: '1.0',
    packages: { amazon: { _any: { x86_64: { file: 'tool.zip' } } } },
    files: { 'tool.zip': { checksums: {} } },
  });
  const Attachments = [{ Key: 'SourceUrl' as const, Values: [`s3://${Bucket}/release`] }];
  await ssm.createDocument({ Name: 'tool', Content, DocumentType: 'Package', Attachments });
  expect((await ssm.describeDocument({ Name: 'tool' })).Document).toMatchObject({
    Status: 'Active',
    PlatformTypes: ['Linux'],
    AttachmentsInformation: [{ Name: 'tool.zip' }],
  });
  await bucket.deleteObject({ Bucket, Key: 'release/tool.zip' });
  const [attachment] = (await ssm.getDocument({ Name: 'tool' })).AttachmentsContent!;
  expect(attachment).toMatchObject({ Name: 'tool.zip', Size: 8, HashType: 'Sha256' });
  const download = await emulator.gateway.fetch(new Request(attachment!.Url!));
  expect(await download.text()).toBe('the tool');
  const copied = [{ Key: 'AttachmentReference' as const, Values: ['tool/1/tool.zip'] }];
  await ssm.createDocument({ Name: 'copy', Content, DocumentType: 'Package', Attachments: copied });
  await ssm.deleteDocument({ Name: 'tool' });
  expect((await ssm.getDocument({ Name: 'copy' })).AttachmentsContent).toMatchObject([{ Name: 'tool.zip', Size: 8 }]);
  const missing = [{ Key: 'S3FileUrl' as const, Values: ['s3://no-such-bucket/file'], Name: 'file' }];
  await ssm.createDocument({ Name: 'failed', Content, DocumentType: 'Package', Attachments: missing });
  expect((await ssm.describeDocument({ Name: 'failed' })).Document).toMatchObject({
    Status: 'Failed',
    StatusInformation: "The specified S3 bucket doesn't exist. Verify that the URL of the S3 bucket is correct.",
  });
});

test('an attached script runs, and its output is logged if configured', async () => {
  const SettingId = '/ssm/automation/customer-script-log-destination';
  await ssm.updateServiceSetting({ SettingId, SettingValue: 'CloudWatch' });
  const Body = 'def handle(events, context):\n  print("greeting " + events["name"])\n  return {"said": "hello"}\n';
  await bucket.createBucket({ Bucket: 'scripts' });
  await bucket.putObject({ Bucket: 'scripts', Key: 'greet.py', Body });
  const mainSteps = [
    {
      name: 'greet',
      action: 'aws:executeScript',
      inputs: { Runtime: 'python3.11', Handler: 'handle', InputPayload: { name: 'Jane' }, Attachment: 'greet.py' },
      outputs: [{ Name: 'Said', Selector: '$.Payload.said', Type: 'String' }],
    },
  ];
  await ssm.createDocument({
    Name: 'with-a-file',
    DocumentType: 'Automation',
    Content: JSON.stringify({
      schemaVersion: '0.3',
      mainSteps,
      outputs: ['greet.Said'],
      files: { 'greet.py': { checksums: { sha256: createHash('sha256').update(Body).digest('hex') } } },
    }),
    Attachments: [{ Key: 'S3FileUrl', Name: 'greet.py', Values: ['s3://scripts/greet.py'] }],
  });
  const { AutomationExecutionId } = await ssm.startAutomationExecution({ DocumentName: 'with-a-file' });
  const execution = await ended(AutomationExecutionId);
  expect(execution.FailureMessage).toBeUndefined();
  expect(execution.Outputs).toEqual({ 'greet.Said': ['hello'] });
  const { events: lines } = await new CloudWatchLogs(emulator.clientConfig()).filterLogEvents({
    logGroupName: '/aws/ssm/automation/executeScript',
  });
  expect(lines).toMatchObject([{ message: 'greeting Jane', logStreamName: AutomationExecutionId }]);
  await ssm.resetServiceSetting({ SettingId });
});

test('a webhook is called with the body of its step', async () => {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (piece) => got.push(String(piece)));
    request.on('end', () => {
      response.statusCode = request.url === '/bad' ? 500 : 200;
      response.end('taken');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const integration = (name: string, url: string) =>
    ssm.putParameter({
      Name: `/d9d01087-4a3f-49e0-b0b4-d568d7826553/ssm/integrations/webhook/${name}`,
      Type: 'String',
      DataType: 'aws:ssm:integration',
      Value: JSON.stringify({ description: 'tells somebody', url }),
    });
  await integration('good', `${base}/good`);
  await integration('bad', `${base}/bad`);
  const call = (IntegrationName: string) =>
    run([{ name: 'tell', action: 'aws:invokeWebhook', inputs: { IntegrationName, Body: '{"text":"hello"}' } }]);
  const told = await call('good');
  expect(told.FailureMessage).toBeUndefined();
  expect(told.StepExecutions![0]!.Outputs).toMatchObject({ Response: ['taken'], ResponseCode: ['200'] });
  expect(got).toEqual(['{"text":"hello"}']);
  expect((await call('bad')).FailureMessage).toContain('The webhook answered 500: taken');
  expect((await call('none')).FailureMessage).toContain('ParameterNotFound');
  await new Promise((resolve) => server.close(resolve));
});
