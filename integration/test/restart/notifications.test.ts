import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import type { ServiceManifest } from '@emu/core/service';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { expect, test } from 'vitest';
import { makeFleet, node } from '../../../packages/svc-ssm/test/nodes.ts';
import { ACCOUNT, Lives, REGION } from './support.ts';

const QUEUE_ARN = `arn:aws:sqs:${REGION}:${ACCOUNT}:q`;
const within = { timeout: 15_000 };
const parameter = { Name: 'p', Value: 'v', Type: 'String' } as const;

/** Starts with services and a queue. */
async function begin(...manifests: readonly ServiceManifest[]): Promise<Lives> {
  const lives = await Lives.begin([...manifests, sqs]);
  await new SQS(lives.emulator.clientConfig()).createQueue({ QueueName: 'q' });
  return lives;
}

/** Sends the events of a service to the queue. */
async function listen({ clientConfig }: TestEmulator, source: string): Promise<void> {
  const client = new EventBridge(clientConfig());
  await client.putRule({ Name: 'r', EventPattern: JSON.stringify({ source: [source] }) });
  await client.putTargets({ Rule: 'r', Targets: [{ Id: 't', Arn: QUEUE_ARN }] });
}

/** Creates a topic to which the queue is subscribed. */
async function makeTopic({ clientConfig }: TestEmulator): Promise<string> {
  const client = new SNS(clientConfig());
  const { TopicArn } = await client.createTopic({ Name: 't' });
  const Attributes = { RawMessageDelivery: 'true' };
  await client.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: QUEUE_ARN, Attributes });
  return TopicArn!;
}

/** Waits until a message with each of some texts is in the queue. */
async function expectNotified({ clientConfig }: TestEmulator, ...texts: string[]): Promise<void> {
  const client = new SQS(clientConfig());
  const QueueUrl = `http://sqs.${REGION}.amazonaws.com/${ACCOUNT}/q`;
  const found: string[] = [];
  const missing = async () => {
    const { Messages = [] } = await client.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    found.push(...Messages.map(({ Body }) => Body!));
    return texts.filter((text) => !found.some((body) => body.includes(text)));
  };
  await expect.poll(missing, within).toEqual([]);
}

test('EventBridge is notified about a parameter', async () => {
  await using lives = await begin(ssm, events);
  await listen(lives.emulator, 'aws.ssm');
  lives.hold('events', 'sqs');
  await new SSM(lives.emulator.clientConfig()).putParameter(parameter);
  const after = await lives.die();
  await expectNotified(after, '"operation":"Create"');
  // A delivered notification is no longer a record, so the next start has none.
  await new SSM(after.clientConfig()).putParameter({ ...parameter, Overwrite: true });
  await expectNotified(after, '"operation":"Update"');
});

test('EventBridge is notified about a parameter once its disk works', async () => {
  await using lives = await begin(ssm, events);
  const { emulator } = lives;
  await listen(emulator, 'aws.ssm');
  lives.refuse('events');
  await new SSM(emulator.clientConfig()).putParameter(parameter);
  const trial = { Entries: [{ Source: 'own', DetailType: 'd', Detail: '{}' }] };
  await expect(new EventBridge({ ...emulator.clientConfig(), maxAttempts: 1 }).putEvents(trial)).rejects.toThrow();
  await new SSM(emulator.clientConfig()).putParameter({ ...parameter, Name: 'second' });
  lives.accept();
  const past = async () => {
    await emulator.kernel.clock.advance(10_000);
    return new EventBridge(emulator.clientConfig()).putEvents(trial).then(() => true);
  };
  await expect.poll(past, within).toBe(true);
  await expectNotified(emulator, '"name":"p"', '"name":"second"');
});

test('EventBridge is notified about executions', async () => {
  await using lives = await begin(stepfunctions, events);
  await listen(lives.emulator, 'aws.states');
  const client = new SFN(lives.emulator.clientConfig());
  const definition = JSON.stringify({ StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 60, End: true } } });
  const roleArn = `arn:aws:iam::${ACCOUNT}:role/r`;
  const { stateMachineArn } = await client.createStateMachine({ name: 'm', definition, roleArn });
  lives.hold('events', 'sqs');
  await client.startExecution({ stateMachineArn });
  await expectNotified(await lives.die(), '"status":"RUNNING"');
});

test('the topic of a command is notified', async () => {
  await using lives = await begin(ssm, sns, makeFleet(node('i-0000000000000000f', { online: false })).manifest);
  const NotificationArn = await makeTopic(lives.emulator);
  lives.hold('sns', 'sqs');
  const client = new SSM(lives.emulator.clientConfig());
  const { Command } = await client.sendCommand({
    DocumentName: 'AWS-RunShellScript',
    Parameters: { commands: ['uptime'] },
    InstanceIds: ['i-0000000000000000f'],
    ServiceRoleArn: `arn:aws:iam::${ACCOUNT}:role/r`,
    NotificationConfig: { NotificationArn, NotificationEvents: ['All'], NotificationType: 'Command' },
  });
  await client.cancelCommand({ CommandId: Command!.CommandId });
  await expectNotified(await lives.die(), '"status":"Cancel');
});

test('the topic of a stack is notified', async () => {
  await using lives = await begin(cloudformation, ssm, sns);
  const TopicArn = await makeTopic(lives.emulator);
  lives.hold('sns', 'sqs');
  const client = new CloudFormation(lives.emulator.clientConfig());
  const Resources = { P: { Type: 'AWS::SSM::Parameter', Properties: { Type: 'String', Value: 'v' } } };
  const TemplateBody = JSON.stringify({ Resources });
  await client.createStack({ StackName: 's', TemplateBody, NotificationARNs: [TopicArn] });
  const status = async () => (await client.describeStacks({ StackName: 's' })).Stacks![0]!.StackStatus;
  await expect.poll(status, within).toBe('CREATE_COMPLETE');
  const after = await lives.die();
  await expectNotified(after, "ResourceStatus='CREATE_IN_PROGRESS'", "ResourceStatus='CREATE_COMPLETE'");
});

test('notifications without subscribers cost no record', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'emu-outbox-'));
  try {
    await using emulator = await createTestEmulator({ manifests: [ssm, events, sqs], dataPath });
    const { clientConfig, kernel } = emulator;
    const journal = async () => {
      await kernel.committed();
      return readFile(join(dataPath, 'ssm', 'journal-1.jsonl'), 'utf8');
    };
    const client = new SSM(clientConfig());
    await new EventBridge(clientConfig()).listRules();
    await client.putParameter(parameter);
    expect(await journal()).not.toContain('"outbox"');
    await new SQS(clientConfig()).createQueue({ QueueName: 'q' });
    await listen(emulator, 'aws.ssm');
    await client.putParameter({ ...parameter, Overwrite: true });
    await expect.poll(journal, within).toContain('"outbox"');
  } finally {
    await rm(dataPath, { recursive: true, force: true });
  }
});
