import { IAM } from '@aws-sdk/client-iam';
import { KMS } from '@aws-sdk/client-kms';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { manifest } from '@emu/svc-scheduler/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ACCOUNT = '000000000000';
const HOUR = 3_600_000;
const arnOf = (queue: string) => `arn:aws:sqs:us-east-1:${ACCOUNT}:${queue}`;

let emulator: TestEmulator;
let iam: IAM;
let kms: KMS;
let scheduler: Scheduler;
let sqs: SQS;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [iamManifest, kmsManifest, manifest, sqsManifest, stsManifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1', values: { EMULATOR_ENFORCE_IAM: true } },
  });
  emulator.kernel.clock.freeze();
  const config = emulator.clientConfig();
  [iam, kms, scheduler, sqs] = [new IAM(config), new KMS(config), new Scheduler(config), new SQS(config)];
  for (const QueueName of ['work', 'dead']) await sqs.createQueue({ QueueName });
});
afterAll(() => emulator.close());

/** Creates a role that a service may assume. @returns its ARN */
async function role(RoleName: string, service: string, statements: object[]): Promise<string> {
  const Version = '2012-10-17';
  const trust = { Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' };
  const AssumeRolePolicyDocument = JSON.stringify({ Version, Statement: [trust] });
  const { Role } = await iam.createRole({ RoleName, AssumeRolePolicyDocument });
  const PolicyDocument = JSON.stringify({ Version, Statement: statements });
  await iam.putRolePolicy({ RoleName, PolicyName: 'p', PolicyDocument });
  return Role!.Arn!;
}

const allow = (Action: string, Resource: string) => ({ Effect: 'Allow', Action, Resource });
const create = (Name: string, RoleArn: string, more: object = {}) =>
  scheduler.createSchedule({
    Name,
    ScheduleExpression: 'rate(1 day)',
    StartDate: new Date(emulator.kernel.clock.now() + HOUR),
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: arnOf('work'), RoleArn, Input: Name, DeadLetterConfig: { Arn: arnOf('dead') } },
    ...more,
  });
/** Receives and deletes the messages of a queue. */
async function messages(queue: string) {
  const { QueueUrl } = await sqs.getQueueUrl({ QueueName: queue });
  const { Messages = [] } = await sqs.receiveMessage({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageAttributeNames: ['All'],
  });
  for (const { ReceiptHandle } of Messages) await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
  return Messages;
}

test('a schedule sends as its role, whose permissions apply', async () => {
  const service = 'scheduler.amazonaws.com';
  await create('may', await role('may', service, [allow('sqs:SendMessage', '*')]));
  await create('may-not', await role('may-not', service, [allow('sqs:SendMessage', arnOf('dead'))]));
  await emulator.kernel.clock.advance(HOUR);
  expect((await messages('work')).map(({ Body }) => Body)).toEqual(['may']);
  const [dead] = await messages('dead');
  expect(dead!.MessageAttributes!.ERROR_MESSAGE!.StringValue).toContain('assumed-role/may-not/');
  expect(dead!.MessageAttributes!.SCHEDULE_ARN!.StringValue).toContain('/may-not');
  for (const Name of ['may', 'may-not']) await scheduler.deleteSchedule({ Name });
});

test('rejects a role that the scheduler may not assume', async () => {
  const other = await role('other', 'lambda.amazonaws.com', [allow('sqs:SendMessage', '*')]);
  expect(await refusal(create('refused', other))).toMatchObject({
    name: 'ValidationException',
    message: 'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
  });
});

test('a schedule with a key requires it at every run', async () => {
  const { KeyMetadata } = await kms.createKey({});
  const KmsKeyArn = KeyMetadata!.Arn!;
  const statements = [allow('sqs:SendMessage', '*'), allow('kms:Decrypt', KmsKeyArn)];
  await create('encrypted', await role('key', 'scheduler.amazonaws.com', statements), { KmsKeyArn });
  expect((await scheduler.getSchedule({ Name: 'encrypted' })).KmsKeyArn).toBe(KmsKeyArn);
  await emulator.kernel.clock.advance(HOUR);
  expect((await messages('work')).map(({ Body }) => Body)).toEqual(['encrypted']);
  await kms.disableKey({ KeyId: KmsKeyArn });
  expect((await refusal(scheduler.getSchedule({ Name: 'encrypted' }))).name).toBe('DisabledException');
  await emulator.kernel.clock.advance(24 * HOUR);
  expect(await messages('work')).toEqual([]);
  expect((await messages('dead'))[0]!.MessageAttributes!.ERROR_CODE!.StringValue).toBe('DisabledException');
  expect((await refusal(create('none', 'arn:aws:iam::000000000000:role/key', { KmsKeyArn }))).name).toBe(
    'ValidationException',
  );
});
