import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { STS } from '@aws-sdk/client-sts';
import { definePlugin, type ManagedNode, managedNodes, provide, type ServiceManifest } from '@emu/core/service';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssmManifest } from '@emu/svc-ssm/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import type { ServiceModel } from '@emu/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';

const HOUR = 3_600_000;
const node = (id: string, tags: Record<string, string>): ManagedNode => ({
  id,
  platform: 'Linux',
  platformName: 'Amazon Linux',
  platformVersion: '2023',
  agentVersion: '3.3.1611.0',
  ipAddress: '10.0.0.1',
  computerName: `${id}.internal`,
  tags,
  registeredAt: 0,
  online: true,
});
const DEV = 'i-0123456789abcde01';
const PROD = 'i-0123456789abcde02';
const BOTH = 'i-0123456789abcde03';
const NONE = 'i-0123456789abcde04';
const fleet: ServiceManifest = {
  name: 'fleet',
  signingNames: ['fleet'],
  hostNames: ['fleet'],
  provides: [managedNodes],
  load: async () =>
    definePlugin({
      name: 'fleet',
      model: {
        service: 'fleet',
        source: {},
        metadata: {
          apiVersion: '1',
          endpointPrefix: 'fleet',
          serviceId: 'Fleet',
          protocols: ['awsJson1_1'],
          targetPrefix: 'F',
        },
        operations: {},
        shapes: {},
      } as unknown as ServiceModel,
      stateScope: 'region',
      collections: [],
      createState: () => ({}),
      operations: [],
      provides: [
        provide(managedNodes, () => ({
          list: () => [
            node(DEV, { ENV: 'DEV' }),
            node(PROD, { Workload: 'shop' }),
            node(BOTH, { Workload: 'shop', Tier: 'db' }),
            node(NONE, {}),
          ],
          run: async () => ({ code: 0, stdout: '', stderr: '' }),
        })),
      ],
    }),
};

/** Waits for a condition for some time, also on a busy machine. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

let emulator: TestEmulator;
let ssm: SSM;
let approver: SSM;
let queue: string;

const manual = (targets: object[], approvers: string[] = ['approver']) =>
  JSON.stringify({
    schemaVersion: '0.3',
    accessDuration: 7200,
    accessTokenRole: 'SSM-JustInTimeAccessTokenRole',
    targets,
    mainSteps: [
      {
        name: 'ManualApproval',
        action: 'aws:approve',
        timeoutSeconds: 604_800,
        inputs: {
          Message: 'Please approve this request',
          MinRequiredApprovals: 1,
          EnhancedApprovals: { Approvers: approvers.map((one) => ({ approver: one, type: 'IamUser' })) },
        },
      },
    ],
  });
const automatic = (content: string) =>
  JSON.stringify({ schemaVersion: '0.3', AutoApprovalPolicyDocuments: [{ type: 'Cedar', content }] });
const create = (Name: string, DocumentType: 'ManualApprovalPolicy' | 'AutoApprovalPolicy', Content: string) =>
  ssm.createDocument({ Name, DocumentType, Content, DocumentFormat: 'JSON' });
const ask = async (id: string, Reason = 'a repair') =>
  (await ssm.startAccessRequest({ Reason, Targets: [{ Key: 'InstanceIds', Values: [id] }] })).AccessRequestId!;
const item = async (OpsItemId: string) => (await ssm.getOpsItem({ OpsItemId })).OpsItem!;
const status = async (AccessRequestId: string) => (await ssm.getAccessToken({ AccessRequestId })).AccessRequestStatus;
const executionOf = async (id: string): Promise<string> =>
  JSON.parse((await item(id)).OperationalData!['/aws/accessrequest']!.Value!).automationExecutionId;
const signal = async (by: SSM, id: string, SignalType: 'Approve' | 'Reject' | 'Revoke') =>
  by.sendAutomationSignal({ AutomationExecutionId: await executionOf(id), SignalType });

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [events, fleet, iamManifest, sqs, ssmManifest, sts] });
  emulator.kernel.clock.freeze();
  ssm = new SSM(emulator.clientConfig());
  const iam = new IAM(emulator.clientConfig());
  const trust = {
    Effect: 'Allow',
    Principal: { Service: 'justintimeaccess.ssm.amazonaws.com' },
    Action: 'sts:AssumeRole',
  };
  await iam.createRole({
    RoleName: 'SSM-JustInTimeAccessTokenRole',
    AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [trust] }),
  });
  await iam.createUser({ UserName: 'approver' });
  const { AccessKey } = await iam.createAccessKey({ UserName: 'approver' });
  approver = new SSM(
    emulator.clientConfig({ accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! }),
  );
  const queues = new SQS(emulator.clientConfig());
  queue = (await queues.createQueue({ QueueName: 'told' })).QueueUrl!;
  const bridge = new EventBridge(emulator.clientConfig());
  const pattern = ['Approver Access Request Status Update', 'JITNA Access Request Failed'];
  await bridge.putRule({ Name: 'told', EventPattern: JSON.stringify({ source: ['aws.ssm'], 'detail-type': pattern }) });
  await bridge.putTargets({ Rule: 'told', Targets: [{ Id: '1', Arn: 'arn:aws:sqs:us-east-1:123456789012:told' }] });
  await create('shops', 'ManualApprovalPolicy', manual([{ Key: 'tag:Workload', Values: ['shop'] }]));
  await create('databases', 'ManualApprovalPolicy', manual([{ Key: 'tag:Tier', Values: ['db'] }]));
  await create(
    'SSM-JustInTimeAccessAutoApprovalPolicy',
    'AutoApprovalPolicy',
    automatic(`permit (principal, action == AWS::SSM::Action::"getTokenForInstanceAccess", resource)
      when { resource.hasTag("ENV") && resource.getTag("ENV") == "DEV" };`),
  );
});
afterAll(() => emulator.close());

const seen: string[] = [];
/** Returns the types of the events sent so far, with their statuses. */
async function told(): Promise<string[]> {
  const { Messages = [] } = await new SQS(emulator.clientConfig()).receiveMessage({
    QueueUrl: queue,
    MaxNumberOfMessages: 10,
  });
  for (const { Body } of Messages) {
    const event = JSON.parse(Body!);
    seen.push(`${event['detail-type']}: ${event.detail.Status}`);
  }
  return seen;
}

test('access permitted by a Cedar policy needs no approval, and lasts an hour', async () => {
  const id = await ask(DEV);
  expect(id).toMatch(/^oi-[0-9a-f]{12}$/);
  expect(await item(id)).toMatchObject({
    OpsItemType: '/aws/accessrequest',
    Status: 'Approved',
    Description: 'a repair',
  });
  const { AccessRequestStatus, Credentials } = await ssm.getAccessToken({ AccessRequestId: id });
  expect(AccessRequestStatus).toBe('Approved');
  expect(Credentials!.ExpirationTime!.getTime()).toBe(Math.floor(emulator.kernel.clock.now() / 1000) * 1000 + HOUR);
  const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials!;
  const config = emulator.clientConfig({
    accessKeyId: AccessKeyId!,
    secretAccessKey: SecretAccessKey!,
    sessionToken: SessionToken!,
  });
  expect((await new STS(config).getCallerIdentity({})).Arn).toBe(
    `arn:aws:sts::123456789012:assumed-role/SSM-JustInTimeAccessTokenRole/${id}`,
  );
  const nodes = new SSM(config);
  const { SessionId } = await nodes.startSession({ Target: DEV });
  expect((await refusal(nodes.startSession({ Target: PROD }))).name).toBe('AccessDeniedException');
  const { Sessions } = await ssm.describeSessions({
    State: 'Active',
    Filters: [{ key: 'AccessType', value: 'JustInTime' }],
  });
  expect(Sessions).toMatchObject([{ SessionId, Target: DEV, AccessType: 'JustInTime' }]);
  await emulator.kernel.clock.advance(HOUR);
  expect(await status(id)).toBe('Expired');
  expect((await refusal(nodes.startSession({ Target: DEV }))).name).toMatch(/AccessDenied|ExpiredToken/);
});

test('access by a manual policy waits for an approver, and can be revoked', async () => {
  const id = await ask(PROD);
  expect(await item(id)).toMatchObject({ Status: 'PendingApproval' });
  expect(await ssm.getAccessToken({ AccessRequestId: id })).toMatchObject({ AccessRequestStatus: 'Pending' });
  const { AutomationExecution } = await ssm.getAutomationExecution({ AutomationExecutionId: await executionOf(id) });
  expect(AutomationExecution).toMatchObject({ DocumentName: 'shops', AutomationExecutionStatus: 'Waiting' });
  await signal(approver, id, 'Approve');
  await soon(() => status(id)).toBe('Approved');
  expect((await ssm.getAccessToken({ AccessRequestId: id })).Credentials!.AccessKeyId).toMatch(/^ASIA/);
  const Filters = [{ Key: 'AccessRequestByTargetResourceId' as const, Values: [PROD], Operator: 'Equal' as const }];
  expect((await ssm.describeOpsItems({ OpsItemFilters: Filters })).OpsItemSummaries).toMatchObject([
    { OpsItemId: id, Status: 'Approved' },
  ]);
  await signal(approver, id, 'Revoke');
  expect(await status(id)).toBe('Revoked');
  expect(await item(id)).toMatchObject({ Status: 'Revoked' });
  expect((await refusal(approver.getAccessToken({ AccessRequestId: id }))).name).toBe('AccessDeniedException');
  await soon(told).toContain('Approver Access Request Status Update: PendingApproval');
});

test('a rejected request returns no token', async () => {
  const id = await ask(PROD);
  await signal(approver, id, 'Reject');
  await soon(() => status(id)).toBe('Rejected');
  expect((await ssm.getAccessToken({ AccessRequestId: id })).Credentials).toBeUndefined();
});

test('no policy, several policies and unknown nodes', async () => {
  expect(await refusal(ask(NONE))).toMatchObject({ name: 'ValidationException' });
  expect((await refusal(ask('i-0123456789abcdeff'))).name).toBe('ResourceNotFoundException');
  expect((await refusal(ssm.startAccessRequest({ Reason: 'x', Targets: [] }))).name).toBe('ValidationException');
  expect((await refusal(ssm.getAccessToken({ AccessRequestId: 'oi-000000000000' }))).name).toBe(
    'ResourceNotFoundException',
  );
  const id = await ask(BOTH);
  expect(await item(id)).toMatchObject({ Status: 'Failed' });
  expect(await status(id)).toBe('Rejected');
  await soon(told).toContain('JITNA Access Request Failed: Failed');
});

test('a denial of automatic approval precedes a permission', async () => {
  const Name = 'SSM-JustInTimeAccessDenyAccessOrgPolicy';
  await create(
    Name,
    'AutoApprovalPolicy',
    automatic('forbid (principal, action == AWS::SSM::Action::"getTokenForInstanceAccess", resource);'),
  );
  expect((await refusal(ask(DEV))).name).toBe('ValidationException');
  await create('all', 'ManualApprovalPolicy', manual([{ Key: 'InstanceIds', Values: ['*'] }]));
  expect(await status(await ask(DEV))).toBe('Pending');
  expect(await status(await ask(NONE))).toBe('Pending');
  await ssm.deleteDocument({ Name });
  expect(await status(await ask(DEV))).toBe('Approved');
});

test('documents of approval policies are validated', async () => {
  const refused = async (request: Promise<unknown>) => (await refusal(request)).name;
  expect(await refused(create('any', 'AutoApprovalPolicy', automatic('permit (principal, action, resource);')))).toBe(
    'ValidationException',
  );
  const targets = [{ Key: 'tag:a', Values: ['b'] }];
  for (const change of [
    { accessDuration: 60 },
    { targets: [] },
    { mainSteps: [{ name: 'wait', action: 'aws:sleep', inputs: { Duration: 'PT1S' } }] },
  ])
    expect(
      await refused(
        create('bad', 'ManualApprovalPolicy', JSON.stringify({ ...JSON.parse(manual(targets)), ...change })),
      ),
    ).toBe('InvalidDocumentContent');
  await ssm.deleteDocument({ Name: 'SSM-JustInTimeAccessAutoApprovalPolicy' });
  expect(
    await refused(create('SSM-JustInTimeAccessAutoApprovalPolicy', 'AutoApprovalPolicy', automatic('permit oops;'))),
  ).toBe('InvalidDocumentContent');
});
