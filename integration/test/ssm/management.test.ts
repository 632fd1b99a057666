import { EventBridge } from '@aws-sdk/client-eventbridge';
import { S3 } from '@aws-sdk/client-s3';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as ssmManifest } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
const HOUR = 3_600_000;
const NODE = 'i-00000000000000001';
const CaptureTime = '2026-01-02T03:04:05Z';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;

let emulator: TestEmulator;
let ssm: SSM;
let sqs: SQS;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [events, s3Manifest, snsManifest, sqsManifest, ssmManifest, stepfunctions],
    settings: { accountId: ACCOUNT, region: REGION },
  });
  emulator.kernel.clock.freeze();
  [ssm, sqs] = [new SSM(emulator.clientConfig()), new SQS(emulator.clientConfig())];
});
afterAll(() => emulator.close());

const advance = (milliseconds: number) => emulator.kernel.clock.advance(milliseconds);

/** Creates a queue. @returns a function that receives its messages */
async function queue(QueueName: string): Promise<() => Promise<Record<string, never>[]>> {
  const { QueueUrl } = await sqs.createQueue({ QueueName });
  return async () => {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    for (const { ReceiptHandle } of Messages) await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    return Messages.map(({ Body }) => JSON.parse(Body!) as Record<string, never>);
  };
}

const queueArn = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;

test('inventory and compliance are written to a bucket after changes', async () => {
  const s3 = new S3(emulator.clientConfig());
  const Bucket = 'inventory-bucket';
  const sync = {
    SyncName: 'inventory',
    S3Destination: { BucketName: Bucket, Prefix: 'all', SyncFormat: 'JsonSerDe' as const, Region: REGION },
  };
  const refused = await refusal(ssm.createResourceDataSync(sync));
  expect(refused.name).toBe('ResourceDataSyncInvalidConfigurationException');
  await s3.createBucket({ Bucket });
  const put = (Row: string) =>
    ssm.putInventory({
      InstanceId: NODE,
      Items: [{ TypeName: 'Custom:Rack', SchemaVersion: '1.0', CaptureTime, Content: [{ Row }] }],
    });
  await put('before');
  await ssm.createResourceDataSync(sync);
  const read = async (type: string) => {
    const Key = `all/${type}/accountid=${ACCOUNT}/region=${REGION}/resourcetype=ManagedInstanceInventory/${NODE}.json`;
    const { Body } = await s3.getObject({ Bucket, Key });
    return JSON.parse(await Body!.transformToString()) as unknown;
  };
  const row = { Row: 'before', resourceId: NODE, captureTime: CaptureTime, schemaVersion: '1.0' };
  expect(await read('Custom:Rack')).toEqual(row);
  await put('after');
  await vi.waitFor(async () => expect(await read('Custom:Rack')).toEqual({ ...row, Row: 'after' }));
  await ssm.putComplianceItems({
    ResourceId: NODE,
    ResourceType: 'ManagedInstance',
    ComplianceType: 'Custom:Rules',
    ExecutionSummary: { ExecutionTime: new Date(CaptureTime) },
    Items: [{ Id: 'a', Severity: 'HIGH', Status: 'NON_COMPLIANT' }],
  });
  await vi.waitFor(async () =>
    expect(await read('AWS:ComplianceItem')).toMatchObject({ Id: 'a', Status: 'NON_COMPLIANT', resourceId: NODE }),
  );
  const { ResourceDataSyncItems } = await ssm.listResourceDataSync({});
  expect(ResourceDataSyncItems).toMatchObject([
    { SyncName: 'inventory', SyncType: 'SyncToDestination', LastStatus: 'Successful' },
  ]);
  expect((await refusal(ssm.createResourceDataSync(sync))).name).toBe('ResourceDataSyncAlreadyExistsException');
  await ssm.deleteResourceDataSync({ SyncName: 'inventory' });
  expect((await refusal(ssm.deleteResourceDataSync({ SyncName: 'inventory' }))).name).toBe(
    'ResourceDataSyncNotFoundException',
  );
});

test('OpsItems of other regions come with a sync', async () => {
  const europe = new SSM(emulator.clientConfig({ region: 'eu-west-1' }));
  const { OpsItemId } = await europe.createOpsItem({ Title: 'far', Description: 'x', Source: 'EC2' });
  const SyncSource = { SourceType: 'SingleAccountMultiRegions', SourceRegions: ['eu-west-1'] };
  await ssm.createResourceDataSync({ SyncName: 'regions', SyncType: 'SyncFromSource', SyncSource });
  const { Entities } = await ssm.getOpsSummary({ SyncName: 'regions' });
  expect(Entities!.map(({ Id }) => Id)).toContain(OpsItemId);
  expect((await ssm.getOpsSummary({})).Entities!.map(({ Id }) => Id)).not.toContain(OpsItemId);
  const updated = { ...SyncSource, SourceRegions: ['eu-west-2'] };
  await ssm.updateResourceDataSync({ SyncName: 'regions', SyncType: 'SyncFromSource', SyncSource: updated });
  expect((await ssm.getOpsSummary({ SyncName: 'regions' })).Entities).toEqual([]);
});

test('EventBridge and the topics of an OpsItem are notified of changes', async () => {
  const bridge = new EventBridge(emulator.clientConfig());
  const taken = await queue('events');
  await bridge.putRule({ Name: 'ssm', EventPattern: '{"source":["aws.ssm"]}' });
  await bridge.putTargets({ Rule: 'ssm', Targets: [{ Id: 'queue', Arn: queueArn('events') }] });
  const notified = await queue('notices');
  const sns = new SNS(emulator.clientConfig());
  const { TopicArn } = await sns.createTopic({ Name: 'notices' });
  await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: queueArn('notices') });
  const { OpsItemId, OpsItemArn } = await ssm.createOpsItem({
    Title: 'told',
    Description: 'x',
    Source: 'EC2',
    Notifications: [{ Arn: TopicArn }],
  });
  const seen: { 'detail-type': string; resources: string[]; detail: Record<string, string> }[] = [];
  const event = (type: string) =>
    vi.waitFor(
      async () => {
        seen.push(...((await taken()) as unknown as typeof seen));
        const found = seen.find((one) => one['detail-type'] === type);
        expect(found).toBeDefined();
        return found!;
      },
      { timeout: 10_000 },
    );
  expect(await event('OpsItem Create')).toMatchObject({
    resources: [OpsItemArn],
    detail: { 'ops-item-id': OpsItemId, status: 'Open', title: 'told', 'ops-item-type': '/aws/issue' },
  });
  await vi.waitFor(async () => expect(await notified()).toMatchObject([{ Subject: 'OpsItem Create' }]), {
    timeout: 10_000,
  });
  const { WindowId } = await ssm.createMaintenanceWindow({
    Name: 'told',
    Schedule: 'rate(1 hour)',
    Duration: 1,
    Cutoff: 0,
    AllowUnassociatedTargets: true,
  });
  expect((await event('Maintenance Window State-change Notification')).detail).toEqual({
    'window-id': WindowId,
    status: 'ENABLED',
  });
  await advance(HOUR);
  expect(await event('Maintenance Window Execution State-change Notification')).toMatchObject({
    resources: [`arn:aws:ssm:${REGION}:${ACCOUNT}:maintenancewindow/${WindowId}`],
    detail: { 'window-id': WindowId },
  });
  await ssm.deleteMaintenanceWindow({ WindowId });
});

test('a window runs a state machine and a runbook', async () => {
  const machines = new SFN(emulator.clientConfig());
  const definition = JSON.stringify({ StartAt: 'Done', States: { Done: { Type: 'Pass', End: true } } });
  const { stateMachineArn } = await machines.createStateMachine({ name: 'work', definition, roleArn: ROLE });
  const Content = JSON.stringify({
    schemaVersion: '0.3',
    parameters: { Window: { type: 'String' } },
    mainSteps: [{ name: 'wait', action: 'aws:sleep', inputs: { Duration: 'PT10S' } }],
  });
  await ssm.createDocument({ Name: 'runbook', DocumentType: 'Automation', Content });
  const { WindowId } = await ssm.createMaintenanceWindow({
    Name: 'work',
    Schedule: 'rate(1 day)',
    Duration: 2,
    Cutoff: 1,
    AllowUnassociatedTargets: true,
  });
  await ssm.registerTaskWithMaintenanceWindow({
    WindowId,
    TaskType: 'STEP_FUNCTIONS',
    TaskArn: stateMachineArn,
    TaskInvocationParameters: { StepFunctions: { Input: '{"window":"{{WINDOW_ID}}"}' } },
  });
  await ssm.registerTaskWithMaintenanceWindow({
    WindowId,
    TaskType: 'AUTOMATION',
    TaskArn: 'runbook',
    Priority: 2,
    TaskInvocationParameters: { Automation: { Parameters: { Window: ['{{WINDOW_ID}}'] } } },
  });
  await advance(24 * HOUR);
  const execution = await vi.waitFor(async () => {
    await advance(10_000);
    const { WindowExecutions } = await ssm.describeMaintenanceWindowExecutions({ WindowId });
    expect(WindowExecutions![0]!.EndTime).toBeDefined();
    return WindowExecutions![0]!;
  });
  expect(execution.Status).toBe('SUCCESS');
  const { executions } = await machines.listExecutions({ stateMachineArn });
  const { input } = await machines.describeExecution({ executionArn: executions![0]!.executionArn });
  expect(input).toBe(`{"window":"${WindowId}"}`);
  const { AutomationExecutionMetadataList } = await ssm.describeAutomationExecutions({
    Filters: [{ Key: 'DocumentNamePrefix', Values: ['runbook'] }],
  });
  const { AutomationExecution } = await ssm.getAutomationExecution({
    AutomationExecutionId: AutomationExecutionMetadataList![0]!.AutomationExecutionId,
  });
  expect(AutomationExecution).toMatchObject({
    AutomationExecutionStatus: 'Success',
    Parameters: { Window: [WindowId] },
  });
});
