import { SQS } from '@aws-sdk/client-sqs';
import {
  createTestEmulator,
  type PolicyStatement,
  policyText,
  type TestEmulator,
  TestIdentities,
} from '@emu/gateway/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { failureOf } from './support.ts';

const ACCOUNT = '123456789012';
const OTHER = '000000000002';
const arnOf = (name: string, account = ACCOUNT) => `arn:aws:sqs:us-east-1:${account}:${name}`;

let identities: TestIdentities;
let emulator: TestEmulator;
let root: SQS;
let url: string;

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  root = new SQS(emulator.clientConfig());
  url = (await root.createQueue({ QueueName: 'orders', tags: { team: 'blue' } })).QueueUrl!;
});
afterEach(() => emulator.close());

const allow = (Action: string | string[], rest: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource: arnOf('orders'),
  ...rest,
});
const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT): SQS =>
  new SQS(emulator.clientConfig(identities.user(emulator, name, { may, accountId })));
const setPolicy = (...statements: PolicyStatement[]) =>
  root.setQueueAttributes({ QueueUrl: url, Attributes: { Policy: policyText(statements) } });
const send = (sqs: SQS) => sqs.sendMessage({ QueueUrl: url, MessageBody: 'x' });
const denied = (user: string, action: string, resource: string, why: string) => ({
  code: 'AccessDenied',
  message: `User: arn:aws:iam::${ACCOUNT}:user/${user} is not authorized to perform: ${action} on resource: ${resource} ${why}`,
  status: 403,
});
const NO_IDENTITY = (action: string) => `because no identity-based policy allows the ${action} action`;

test("enforces identity policies, with SQS's messages", async () => {
  expect(await failureOf(send(as('jane')))).toEqual(
    denied('jane', 'sqs:sendmessage', arnOf('orders'), NO_IDENTITY('sqs:sendmessage')),
  );
  await send(as('jane', [allow('sqs:SendMessage')]));
  expect(await failureOf(send(as('jane', [allow('sqs:*', { Resource: arnOf('other') })])))).toMatchObject({
    status: 403,
  });
  const both = [allow('sqs:*'), allow('sqs:Send*', { Effect: 'Deny' })];
  expect(await failureOf(send(as('jane', both)))).toEqual(
    denied('jane', 'sqs:sendmessage', arnOf('orders'), 'with an explicit deny in an identity-based policy'),
  );
});

test('batches require the actions of their single forms', async () => {
  const jane = as('jane', [
    allow(['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage']),
  ]);
  await jane.sendMessageBatch({ QueueUrl: url, Entries: [{ Id: '1', MessageBody: 'x' }] });
  const { Messages } = await jane.receiveMessage({ QueueUrl: url });
  const ReceiptHandle = Messages![0]!.ReceiptHandle!;
  await jane.changeMessageVisibilityBatch({
    QueueUrl: url,
    Entries: [{ Id: '1', ReceiptHandle, VisibilityTimeout: 9 }],
  });
  await jane.deleteMessageBatch({ QueueUrl: url, Entries: [{ Id: '1', ReceiptHandle }] });
  const batch = as('jane', [allow('sqs:SendMessageBatch')]).sendMessageBatch({
    QueueUrl: url,
    Entries: [{ Id: '1', MessageBody: 'x' }],
  });
  expect((await failureOf(batch)).message).toContain('sqs:sendmessage on resource');
});

test('requires permissions for account operations and missing queues', async () => {
  const jane = as('jane');
  expect(await failureOf(jane.listQueues())).toEqual(
    denied('jane', 'sqs:listqueues', arnOf(''), NO_IDENTITY('sqs:listqueues')),
  );
  expect((await failureOf(jane.createQueue({ QueueName: 'new' }))).message).toContain(
    `sqs:createqueue on resource: ${arnOf('new')}`,
  );
  expect((await failureOf(jane.getQueueUrl({ QueueName: 'none' }))).message).toContain(
    `sqs:getqueueurl on resource: ${arnOf('none')}`,
  );
  const maker = as('jane', [allow('sqs:CreateQueue', { Resource: '*' })]);
  await maker.createQueue({ QueueName: 'new' });
  expect((await failureOf(maker.createQueue({ QueueName: 'tagged', tags: { a: 'b' } }))).message).toContain(
    'sqs:tagqueue',
  );
  expect(
    await failureOf(as('jane', [allow('sqs:*', { Resource: '*' })]).getQueueUrl({ QueueName: 'none' })),
  ).toMatchObject({
    code: 'AWS.SimpleQueueService.NonExistentQueue',
  });
});

test('supports tags of queues and requests as condition keys', async () => {
  const tagged = (value: string) => ({ Condition: { StringEquals: { 'aws:ResourceTag/team': value } } });
  await send(as('jane', [allow('sqs:SendMessage', tagged('blue'))]));
  expect(await failureOf(send(as('jane', [allow('sqs:SendMessage', tagged('red'))])))).toMatchObject({ status: 403 });
  const tagging = as('jane', [
    allow('sqs:TagQueue', {
      Condition: {
        'ForAllValues:StringEquals': { 'aws:TagKeys': ['stage'] },
        StringLike: { 'aws:RequestTag/stage': 'te*' },
      },
    }),
  ]);
  await tagging.tagQueue({ QueueUrl: url, Tags: { stage: 'test' } });
  expect(await failureOf(tagging.tagQueue({ QueueUrl: url, Tags: { stage: 'test', x: 'y' } }))).toMatchObject({
    status: 403,
  });
});

test('a queue policy allows and denies', async () => {
  const jane = as('jane');
  await setPolicy(allow('sqs:SendMessage', { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:user/jane` } }));
  await send(jane);
  expect(await failureOf(send(as('bob')))).toMatchObject({ status: 403 });
  await setPolicy(allow('sqs:SendMessage', { Effect: 'Deny', Principal: '*' }));
  expect(await failureOf(send(as('jane', [allow('sqs:*')])))).toEqual(
    denied('jane', 'sqs:sendmessage', arnOf('orders'), 'with an explicit deny in a resource-based policy'),
  );
});

test('a root user can remove a policy that denies everybody access', async () => {
  await setPolicy(allow('sqs:*', { Effect: 'Deny', Principal: '*' }));
  expect(await failureOf(send(root))).toMatchObject({ status: 403 });
  await root.setQueueAttributes({ QueueUrl: url, Attributes: { Policy: '' } });
  await send(root);
});

test('other accounts require both policies, and cannot use owner actions', async () => {
  const may = [allow('sqs:*', { Resource: '*' })];
  const stranger = as('eve', may, OTHER);
  expect((await failureOf(send(stranger))).message).toContain(
    'because no resource-based policy allows the sqs:sendmessage action',
  );
  await setPolicy(allow('sqs:*', { Principal: { AWS: OTHER } }));
  await send(stranger);
  await send(new SQS(emulator.clientConfig({ accessKeyId: OTHER })));
  expect((await failureOf(send(as('eve', [], OTHER)))).message).toContain('because no identity-based policy');
  expect(await failureOf(stranger.deleteQueue({ QueueUrl: url }))).toMatchObject({ status: 403 });
});

test('AddPermission takes effect', async () => {
  const stranger = new SQS(emulator.clientConfig({ accessKeyId: OTHER }));
  expect(await failureOf(send(stranger))).toMatchObject({ status: 403 });
  await root.addPermission({ QueueUrl: url, Label: 'x', AWSAccountIds: [OTHER], Actions: ['SendMessage'] });
  await send(stranger);
  await root.removePermission({ QueueUrl: url, Label: 'x' });
  expect(await failureOf(send(stranger))).toMatchObject({ status: 403 });
});

test('moving messages requires the permissions of its steps', async () => {
  await root.createQueue({ QueueName: 'back' });
  await root.setQueueAttributes({
    QueueUrl: (await root.getQueueUrl({ QueueName: 'back' })).QueueUrl!,
    Attributes: { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf('orders'), maxReceiveCount: 1 }) },
  });
  const move = (sqs: SQS) => sqs.startMessageMoveTask({ SourceArn: arnOf('orders'), DestinationArn: arnOf('back') });
  const source = allow([
    'sqs:StartMessageMoveTask',
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
  ]);
  expect((await failureOf(move(as('jane', [source])))).message).toContain(
    `sqs:sendmessage on resource: ${arnOf('back')}`,
  );
  await move(as('jane', [source, allow('sqs:SendMessage', { Resource: arnOf('back') })]));
});

test('rejects policies that name missing users and roles of the account', async () => {
  const naming = (AWS: string) => setPolicy(allow('sqs:SendMessage', { Principal: { AWS } }));
  const invalid = { code: 'InvalidAttributeValue', message: 'Invalid value for the parameter Policy.' };
  const nobody = `arn:aws:iam::${ACCOUNT}:role/nobody`;
  expect(await failureOf(naming(nobody))).toMatchObject(invalid);
  const Policy = policyText([allow('sqs:SendMessage', { Principal: { AWS: nobody } })]);
  expect(await failureOf(root.createQueue({ QueueName: 'new', Attributes: { Policy } }))).toMatchObject(invalid);
  await naming(`arn:aws:iam::${OTHER}:role/somebody`);
  await naming(identities.role('app'));
});
