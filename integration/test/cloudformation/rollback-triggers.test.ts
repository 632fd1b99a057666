import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const MINUTE = 60_000;

let emulator: TestEmulator;
let cfn: CloudFormation;
let metrics: CloudWatch;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [cloudformation, cloudwatch, sqs] });
  cfn = new CloudFormation(emulator.clientConfig());
  metrics = new CloudWatch(emulator.clientConfig());
});
afterAll(() => emulator.close());

/** Creates an alarm that a test can trigger. @returns its ARN */
async function alarm(AlarmName: string): Promise<string> {
  await metrics.putMetricAlarm({
    AlarmName,
    Namespace: 'shop',
    MetricName: 'errors',
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'ignore',
  });
  const { MetricAlarms } = await metrics.describeAlarms({ AlarmNames: [AlarmName] });
  return MetricAlarms![0]!.AlarmArn!;
}

const template = (DelaySeconds: number) =>
  JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds } } } });
const watching = (Arn: string, MonitoringTimeInMinutes: number) => ({
  RollbackConfiguration: { RollbackTriggers: [{ Arn, Type: 'AWS::CloudWatch::Alarm' }], MonitoringTimeInMinutes },
});

/** Waits for a condition on the only stack with a name. */
async function until(StackName: string, condition: (status: string, queue: string | undefined) => boolean) {
  for (let turn = 0; turn < 2000; turn++) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    const { StackResources } = await cfn.describeStackResources({ StackName });
    if (condition(Stacks![0]!.StackStatus!, StackResources?.[0]?.ResourceStatus)) return Stacks![0]!;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} does not settle`);
}
const settled = (StackName: string) => until(StackName, (status) => !status.endsWith('_IN_PROGRESS'));

/** Advances time until no operation on a stack is in progress. */
async function passed(StackName: string, step: number) {
  for (let turn = 0; turn < 500; turn++) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    if (!Stacks![0]!.StackStatus!.endsWith('_IN_PROGRESS')) return Stacks![0]!;
    await emulator.kernel.clock.advance(step);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} does not settle`);
}

test('a stack is complete after the monitoring time without an alarm', async () => {
  const Arn = await alarm('quiet');
  await cfn.createStack({ StackName: 'quiet', TemplateBody: template(1), ...watching(Arn, 5) });
  await until('quiet', (_, queue) => queue === 'CREATE_COMPLETE');
  expect((await cfn.describeStacks({ StackName: 'quiet' })).Stacks![0]!.StackStatus).toBe('CREATE_IN_PROGRESS');
  expect((await passed('quiet', MINUTE)).StackStatus).toBe('CREATE_COMPLETE');
});

test('an alarm during the monitoring time rolls the stack back', async () => {
  const Arn = await alarm('loud');
  await cfn.createStack({ StackName: 'loud', TemplateBody: template(1) });
  await settled('loud');
  await cfn.updateStack({ StackName: 'loud', TemplateBody: template(2), ...watching(Arn, 30) });
  await until('loud', (_, queue) => queue === 'UPDATE_COMPLETE');
  await metrics.setAlarmState({ AlarmName: 'loud', StateValue: 'ALARM', StateReason: 'a test' });
  expect((await passed('loud', MINUTE / 10)).StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  const { StackEvents } = await cfn.describeStackEvents({ StackName: 'loud' });
  const rollback = StackEvents!.find(({ ResourceStatus }) => ResourceStatus === 'UPDATE_ROLLBACK_IN_PROGRESS');
  expect(rollback!.ResourceStatusReason).toContain(Arn);
});

test('an unknown alarm fails the operation before anything is created', async () => {
  const Arn = 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:none';
  await cfn.createStack({ StackName: 'missing', TemplateBody: template(1), ...watching(Arn, 0) });
  expect((await settled('missing')).StackStatus).toBe('ROLLBACK_COMPLETE');
  const { StackEvents } = await cfn.describeStackEvents({ StackName: 'missing' });
  expect(StackEvents!.some(({ LogicalResourceId }) => LogicalResourceId === 'Queue')).toBe(false);
});
