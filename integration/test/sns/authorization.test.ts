import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import {
  createTestEmulator,
  type PolicyStatement,
  policyText,
  type TestEmulator,
  TestIdentities,
} from '@emu/gateway/testing';
import { manifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf } from './support.ts';

const ACCOUNT = '123456789012';
const OTHER = '000000000002';
const TOPIC = `arn:aws:sns:us-east-1:${ACCOUNT}:orders`;
const QUEUE = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`;

let identities: TestIdentities;
let emulator: TestEmulator;
let root: SNS;

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, sqsManifest, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  root = new SNS(emulator.clientConfig());
  await root.createTopic({ Name: 'orders', Tags: [{ Key: 'team', Value: 'blue' }] });
});
afterEach(() => emulator.close());

const allow = (Action: string | string[], rest: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource: TOPIC,
  ...rest,
});
const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT): SNS =>
  new SNS(emulator.clientConfig(identities.user(emulator, name, { may, accountId })));
const setPolicy = (...statements: PolicyStatement[]) =>
  root.setTopicAttributes({ TopicArn: TOPIC, AttributeName: 'Policy', AttributeValue: policyText(statements) });
const publish = (sns: SNS) => sns.publish({ TopicArn: TOPIC, Message: 'x' });
const nothing = () =>
  setPolicy(
    allow('sns:Publish', {
      Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
      Effect: 'Deny',
      Condition: { StringEquals: { 'aws:username': 'nobody' } },
    }),
  );

test('the default policy admits principals of the account', async () => {
  await publish(as('jane'));
  expect(await failureOf(publish(as('mallory', [allow('sns:Publish')], OTHER)))).toMatchObject({ status: 403 });
});

test('the default policy admits no service', async () => {
  const principal = {
    type: 'service',
    accountId: ACCOUNT,
    arn: 's3.amazonaws.com',
    userId: 's3.amazonaws.com',
  } as const;
  const deliver = () =>
    emulator.kernel.call(
      'sns',
      'Publish',
      { TopicArn: TOPIC, Message: 'x' },
      { accountId: ACCOUNT, region: TOPIC.split(':')[3]!, principal, authorize: { sourceAccount: ACCOUNT } },
    );
  await expect(deliver()).rejects.toMatchObject({ code: 'AuthorizationErrorException' });
  await setPolicy(allow('sns:Publish', { Principal: { Service: 's3.amazonaws.com' } }));
  await deliver();
});

test("policies of a user apply if the topic's policy has no statement", async () => {
  await nothing();
  const failure = await failureOf(publish(as('jane')));
  expect(failure).toEqual({
    code: 'AuthorizationError',
    message: `User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: SNS:Publish on resource: ${TOPIC} because no identity-based policy allows the SNS:Publish action`,
    status: 403,
  });
  await publish(as('june', [allow('sns:Publish')]));
  await as('june', [allow('sns:Publish')]).publishBatch({
    TopicArn: TOPIC,
    PublishBatchRequestEntries: [{ Id: '1', Message: 'x' }],
  });
  const subscribe = as('june', [allow('sns:Publish')]).subscribe({ TopicArn: TOPIC, Protocol: 'sqs', Endpoint: QUEUE });
  expect((await failureOf(subscribe)).status).toBe(403);
});

test("the topic's policy admits other accounts, and can deny its own", async () => {
  await setPolicy(
    allow('sns:Publish', { Sid: 'in', Principal: { AWS: OTHER } }),
    allow('sns:Publish', {
      Sid: 'out',
      Effect: 'Deny',
      Principal: '*',
      Condition: { StringEquals: { 'aws:username': 'jane' } },
    }),
  );
  await publish(as('bob', [allow('sns:Publish')], OTHER));
  expect(await failureOf(publish(as('jane', [allow('sns:*')])))).toMatchObject({ status: 403 });
});

test('conditions can use protocols, endpoints and tags', async () => {
  await nothing();
  const may = allow('sns:Subscribe', {
    Condition: {
      StringEquals: { 'sns:Protocol': 'sqs', 'aws:ResourceTag/team': 'blue' },
      StringLike: { 'sns:Endpoint': 'arn:aws:sqs:*' },
    },
  });
  const jane = as('jane', [may]);
  await jane.subscribe({ TopicArn: TOPIC, Protocol: 'sqs', Endpoint: QUEUE });
  const mail = jane.subscribe({ TopicArn: TOPIC, Protocol: 'email', Endpoint: 'a@example.com' });
  expect((await failureOf(mail)).status).toBe(403);
});

test('conditions can use the tags in a request, and their keys', async () => {
  const blue = { StringEquals: { 'aws:RequestTag/team': 'blue' } };
  const sns = as('jane', [
    allow(['sns:CreateTopic', 'sns:TagResource'], { Resource: '*', Condition: blue }),
    allow(['sns:TagResource', 'sns:UntagResource'], {
      Condition: { 'ForAllValues:StringEquals': { 'aws:TagKeys': ['stage'] } },
    }),
  ]);
  await sns.createTopic({ Name: 'payments', Tags: [{ Key: 'team', Value: 'blue' }] });
  const red = sns.createTopic({ Name: 'refunds', Tags: [{ Key: 'team', Value: 'red' }] });
  expect((await failureOf(red)).status).toBe(403);
  await sns.tagResource({ ResourceArn: TOPIC, Tags: [{ Key: 'stage', Value: 'test' }] });
  await sns.untagResource({ ResourceArn: TOPIC, TagKeys: ['stage'] });
  const team = sns.untagResource({ ResourceArn: TOPIC, TagKeys: ['team'] });
  expect((await failureOf(team)).status).toBe(403);
});

test('policies of queues must admit SNS', async () => {
  const sqs = new SQS(emulator.clientConfig());
  const { QueueUrl } = await sqs.createQueue({ QueueName: 'orders' });
  await root.subscribe({ TopicArn: TOPIC, Protocol: 'sqs', Endpoint: QUEUE });
  const received = async () => (await sqs.receiveMessage({ QueueUrl })).Messages?.length ?? 0;
  await publish(root);
  expect(await received()).toBe(0);
  const statement: PolicyStatement = {
    Effect: 'Allow',
    Principal: { Service: 'sns.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: QUEUE,
    Condition: { ArnEquals: { 'aws:SourceArn': TOPIC } },
  };
  await sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy: policyText([statement]) } });
  await publish(root);
  expect(await received()).toBe(1);
});

test('rejects policies with users and roles that the account lacks', async () => {
  const naming = (AWS: string) => setPolicy(allow('sns:Publish', { Principal: { AWS } }));
  const code = 'InvalidParameter';
  const nobody = `arn:aws:iam::${ACCOUNT}:role/nobody`;
  expect(await failureOf(naming(nobody))).toMatchObject({
    code,
    message: 'Invalid parameter: Policy Error: PrincipalNotFound',
  });
  const Policy = policyText([allow('sns:Publish', { Principal: { AWS: nobody } })]);
  expect(await failureOf(root.createTopic({ Name: 'new', Attributes: { Policy } }))).toMatchObject({
    code,
    message: 'Invalid parameter: Attributes Reason: Policy Error: PrincipalNotFound',
  });
  await naming(`arn:aws:iam::${OTHER}:role/somebody`);
  await naming(identities.role('app'));
});

test('subscribing a delivery stream requires permission to pass its role to SNS', async () => {
  const SubscriptionRoleArn = identities.role('streams');
  const Endpoint = `arn:aws:firehose:us-east-1:${ACCOUNT}:deliverystream/s`;
  const subscribe = (sns: SNS) =>
    sns.subscribe({ TopicArn: TOPIC, Protocol: 'firehose', Endpoint, Attributes: { SubscriptionRoleArn } });
  const may = allow(['sns:Subscribe', 'sns:SetSubscriptionAttributes']);
  const refused = `is not authorized to perform: iam:PassRole on resource: ${SubscriptionRoleArn} `;
  expect((await failureOf(subscribe(as('jane', [may])))).message).toContain(refused);
  const passing: PolicyStatement = {
    Effect: 'Allow',
    Action: 'iam:PassRole',
    Resource: SubscriptionRoleArn,
    Condition: { StringEquals: { 'iam:PassedToService': 'sns.amazonaws.com' } },
  };
  const { SubscriptionArn } = await subscribe(as('june', [may, passing]));
  const set = as('jane', [may]).setSubscriptionAttributes({
    SubscriptionArn,
    AttributeName: 'SubscriptionRoleArn',
    AttributeValue: SubscriptionRoleArn,
  });
  expect((await failureOf(set)).message).toContain(refused);
});
