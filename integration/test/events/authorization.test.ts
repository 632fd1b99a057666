import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SQS } from '@aws-sdk/client-sqs';
import {
  createTestEmulator,
  type PolicyStatement,
  policyText,
  rejection,
  type TestEmulator,
  TestIdentities,
} from '@emu/gateway/testing';
import { manifest } from '@emu/svc-events/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf } from './support.ts';

const ACCOUNT = '123456789012';
const OTHER = '000000000002';
const BUS = `arn:aws:events:us-east-1:${ACCOUNT}:event-bus/orders`;
const RULE = `arn:aws:events:us-east-1:${ACCOUNT}:rule/orders/r`;

let identities: TestIdentities;
let emulator: TestEmulator;
let root: EventBridge;

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, sqsManifest, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  root = new EventBridge(emulator.clientConfig());
  await root.createEventBus({ Name: 'orders', Tags: [{ Key: 'team', Value: 'blue' }] });
});
afterEach(() => emulator.close());

const allow = (
  Action: string | string[],
  Resource: string | string[],
  rest: PolicyStatement = {},
): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...rest,
});
const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT): EventBridge =>
  new EventBridge(emulator.clientConfig(identities.user(emulator, name, { may, accountId })));
const put = (client: EventBridge, Source = 'app', EventBusName = BUS) =>
  client.putEvents({ Entries: [{ Source, DetailType: 'Order', Detail: '{}', EventBusName }] });
const putRule = (client: EventBridge, source: string) =>
  client.putRule({ Name: 'r', EventBusName: 'orders', EventPattern: JSON.stringify({ source: [source] }) });

test('a user requires the action on the bus of each event', async () => {
  expect(await failureOf(put(as('jane')))).toBe(
    `AccessDeniedException: User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: events:PutEvents on resource: ${BUS} because no identity-based policy allows the events:PutEvents action`,
  );
  await put(as('june', [allow('events:PutEvents', BUS)]));
  const some = as('jim', [allow('events:PutEvents', BUS, { Condition: { StringEquals: { 'events:source': 'app' } } })]);
  await put(some);
  expect(await failureOf(put(some, 'other'))).toMatch(/^AccessDeniedException/);
  expect(await failureOf(put(some, 'app', 'default'), rejection)).toMatch(/event-bus\/default/);
});

test('a bus policy admits other accounts', async () => {
  const stranger = as('mallory', [allow('events:*', '*')], OTHER);
  expect(await failureOf(put(stranger))).toMatch(/no resource-based policy allows the events:PutEvents action/);
  await root.putPermission({ EventBusName: 'orders', Action: 'events:PutEvents', Principal: OTHER, StatementId: 'o' });
  await put(stranger);
  await root.putPermission({
    EventBusName: 'orders',
    Policy: policyText([allow('events:PutEvents', BUS, { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } })]),
  });
  expect(await failureOf(put(stranger))).toMatch(/^AccessDeniedException/);
});

test('rule permissions depend on their bus and their pattern', async () => {
  const jane = as('jane', [
    allow('events:PutRule', RULE, { Condition: { 'ForAllValues:StringEquals': { 'events:source': ['app'] } } }),
    allow(['events:DescribeRule', 'events:PutTargets'], RULE),
  ]);
  await putRule(jane, 'app');
  expect(await failureOf(putRule(jane, 'other'))).toMatch(
    /^AccessDeniedException.* events:PutRule on resource: .*rule\/orders\/r/,
  );
  expect((await jane.describeRule({ Name: 'r', EventBusName: 'orders' })).Arn).toBe(RULE);
  expect(await failureOf(jane.deleteRule({ Name: 'r', EventBusName: 'orders' }))).toMatch(/events:DeleteRule/);
  const target = (Arn: string) => ({ Rule: 'r', EventBusName: 'orders', Targets: [{ Id: 't', Arn }] });
  const queue = (name: string) => `arn:aws:sqs:us-east-1:${ACCOUNT}:${name}`;
  const june = as('june', [
    allow('events:PutTargets', RULE, {
      Condition: { 'ForAllValues:ArnLike': { 'events:TargetArn': queue('mine-*') } },
    }),
  ]);
  await june.putTargets(target(queue('mine-1')));
  expect(await failureOf(june.putTargets(target(queue('yours'))))).toMatch(/^AccessDeniedException/);
});

test("setting a target's role requires permission to pass it", async () => {
  await putRule(root, 'app');
  const RoleArn = identities.role('sender');
  const target = { Id: 't', Arn: `arn:aws:sqs:us-east-1:${ACCOUNT}:q`, RoleArn };
  const give = (client: EventBridge) => client.putTargets({ Rule: 'r', EventBusName: 'orders', Targets: [target] });
  expect(await failureOf(give(as('jane', [allow('events:*', '*')])))).toMatch(
    new RegExp(`^AccessDeniedException.* iam:PassRole on resource: ${RoleArn} `),
  );
  const toEvents = { Condition: { StringEquals: { 'iam:PassedToService': 'events.amazonaws.com' } } };
  await give(as('june', [allow('events:*', '*'), allow('iam:PassRole', RoleArn, toEvents)]));
});

test("setting a global endpoint's role requires permission to pass it", async () => {
  const west = { EventBusName: 'orders' };
  await new EventBridge({ ...emulator.clientConfig(), region: 'us-west-2' }).createEventBus({
    Name: west.EventBusName,
  });
  const RoleArn = identities.role('replicator');
  const endpoint = {
    Name: 'e',
    RoleArn,
    EventBuses: ['us-east-1', 'us-west-2'].map((region) => ({ EventBusArn: BUS.replace('us-east-1', region) })),
    RoutingConfig: {
      FailoverConfig: {
        Primary: { HealthCheck: 'arn:aws:route53:::healthcheck/11111111-1111-1111-1111-111111111111' },
        Secondary: { Route: 'us-west-2' },
      },
    },
  };
  const refused = new RegExp(`^AccessDeniedException.* iam:PassRole on resource: ${RoleArn} `);
  const jane = as('jane', [allow('events:*', '*')]);
  expect(await failureOf(jane.createEndpoint(endpoint))).toMatch(refused);
  await root.createEndpoint({ ...endpoint, ReplicationConfig: { State: 'DISABLED' } });
  expect(await failureOf(jane.updateEndpoint({ Name: 'e', RoleArn }))).toMatch(refused);
  await as('june', [allow('events:*', '*'), allow('iam:PassRole', RoleArn)]).updateEndpoint({ Name: 'e', RoleArn });
});

test("targets in other accounts are called as the target's role, if both sides allow it", async () => {
  const theirs = new SQS(emulator.clientConfig({ accessKeyId: OTHER }));
  const { QueueUrl } = await theirs.createQueue({ QueueName: 'central' });
  const Arn = `arn:aws:sqs:us-east-1:${OTHER}:central`;
  const RoleArn = identities.role('sender');
  await putRule(root, 'app');
  await root.putTargets({ Rule: 'r', EventBusName: 'orders', Targets: [{ Id: 't', Arn, RoleArn }] });
  const received = async () => {
    await put(root);
    await emulator.kernel.clock.advance(1000);
    return (await theirs.receiveMessage({ QueueUrl, WaitTimeSeconds: 0 })).Messages?.length ?? 0;
  };
  const statement = allow('sqs:SendMessage', Arn, { Principal: { AWS: RoleArn } });
  await theirs.setQueueAttributes({ QueueUrl, Attributes: { Policy: policyText([statement]) } });
  expect(await received()).toBe(0);
  identities.role('sender', { may: [allow('sqs:SendMessage', Arn)] });
  expect(await received()).toBe(1);
  await theirs.setQueueAttributes({ QueueUrl, Attributes: { Policy: '' } });
  expect(await received()).toBe(0);
});

test('conditions can use tags', async () => {
  const team = (value: string) =>
    as(`of-${value}`, [allow('events:*', '*', { Condition: { StringEquals: { 'aws:ResourceTag/team': value } } })]);
  expect((await team('blue').describeEventBus({ Name: 'orders' })).Arn).toBe(BUS);
  expect(await failureOf(team('red').describeEventBus({ Name: 'orders' }))).toMatch(/events:DescribeEventBus/);
  const maker = as('maker', [allow('events:CreateEventBus', '*')]);
  await maker.createEventBus({ Name: 'plain' });
  expect(await failureOf(maker.createEventBus({ Name: 'more', Tags: [{ Key: 'a', Value: 'b' }] }))).toMatch(
    /events:TagResource/,
  );
  expect(await failureOf(root.describeEventBus({ Name: 'more' }))).toMatch(/^ResourceNotFoundException/);
});

test.each([
  [
    'archives',
    (c: EventBridge) => c.createArchive({ ArchiveName: 'a', EventSourceArn: BUS }),
    'CreateArchive',
    'archive/a',
  ],
  ['replays', (c: EventBridge) => c.describeReplay({ ReplayName: 'x' }), 'DescribeReplay', 'replay/x'],
  ['endpoints', (c: EventBridge) => c.describeEndpoint({ Name: 'e' }), 'DescribeEndpoint', 'endpoint/e'],
  ['connections', (c: EventBridge) => c.describeConnection({ Name: 'c' }), 'DescribeConnection', 'connection/c'],
  [
    'destinations',
    (c: EventBridge) => c.describeApiDestination({ Name: 'd' }),
    'DescribeApiDestination',
    'api-destination/d',
  ],
])('%s are identified by ARN', async (_what, call, action, resource) => {
  expect(await failureOf(call(as('jane')))).toContain(
    `events:${action} on resource: arn:aws:events:us-east-1:${ACCOUNT}:${resource} because`,
  );
});

test('rejects policies with users and roles that the account lacks', async () => {
  const naming = (AWS: string) => {
    const Policy = policyText([allow('events:PutEvents', BUS, { Principal: { AWS } })]);
    return root.putPermission({ EventBusName: 'orders', Policy });
  };
  const nobody = `arn:aws:iam::${ACCOUNT}:role/nobody`;
  expect(await failureOf(naming(nobody))).toBe(
    `ValidationException: Parameter Policy is not valid. Reason: It has the invalid principal ${nobody}.`,
  );
  await naming(`arn:aws:iam::${OTHER}:role/somebody`);
  await naming(identities.role('app'));
});
