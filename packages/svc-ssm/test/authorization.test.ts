import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type PolicyStatement, type TestEmulator, TestIdentities } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { makeFleet, node } from './nodes.ts';
import { ACCOUNT, REGION } from './support.ts';

const ROLE = `arn:aws:iam::${ACCOUNT}:role/runner`;
const PASS: PolicyStatement = {
  Effect: 'Allow',
  Action: 'iam:PassRole',
  Resource: ROLE,
  Condition: { StringEquals: { 'iam:PassedToService': 'ssm.amazonaws.com' } },
};

const ONE = 'i-00000000000000001';
const OTHER = 'i-00000000000000002';
let identities: TestIdentities;
let emulator: TestEmulator;
/** A user with all permissions of Systems Manager, without iam:PassRole. */
let jane: SSM;
/** A user who may also pass the role. */
let paul: SSM;
/** A user who may request access to one node and read the request. */
let nina: SSM;
beforeAll(async () => {
  identities = new TestIdentities();
  identities.role('runner', { accountId: ACCOUNT });
  emulator = await createTestEmulator({
    manifests: [manifest, identities.manifest, makeFleet(node(ONE), node(OTHER)).manifest],
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const own: PolicyStatement = { Effect: 'Allow', Action: 'ssm:*', Resource: '*' };
  const as = (name: string, may: PolicyStatement[]) =>
    new SSM(emulator.clientConfig(identities.user(emulator, name, { may, accountId: ACCOUNT })));
  jane = as('jane', [own]);
  paul = as('paul', [own, PASS]);
  const request = { Effect: 'Allow', Action: 'ssm:StartAccessRequest', Resource: `arn:aws:ec2:*:*:instance/${ONE}` };
  nina = as('nina', [request as PolicyStatement, { Effect: 'Allow', Action: 'ssm:GetOpsItem', Resource: '*' }]);
  const mainSteps = [{ name: 'hold', action: 'aws:pause', inputs: {} }];
  const content = {
    schemaVersion: '0.3',
    assumeRole: '{{ AutomationAssumeRole }}',
    parameters: { AutomationAssumeRole: { type: 'String', default: '' } },
    mainSteps,
  };
  await jane.createDocument({ Name: 'runbook', Content: JSON.stringify(content), DocumentType: 'Automation' });
  const fixed = { ...content, assumeRole: ROLE, parameters: {} };
  await jane.createDocument({ Name: 'fixed', Content: JSON.stringify(fixed), DocumentType: 'Automation' });
});
afterAll(() => emulator.close());

const Parameters = { AutomationAssumeRole: [ROLE] };
const refused = (name: string) => ({
  name,
  message: expect.stringContaining(`is not authorized to perform: iam:PassRole on resource: ${ROLE}`),
});

test('requires iam:PassRole for the role of a runbook', async () => {
  const denied = refused('AccessDeniedException');
  await jane.startAutomationExecution({ DocumentName: 'runbook' });
  await expect(jane.startAutomationExecution({ DocumentName: 'runbook', Parameters })).rejects.toMatchObject(denied);
  await expect(jane.startAutomationExecution({ DocumentName: 'fixed' })).rejects.toMatchObject(denied);
  const { AutomationExecutionId } = await paul.startAutomationExecution({ DocumentName: 'runbook', Parameters });
  expect((await paul.getAutomationExecution({ AutomationExecutionId })).AutomationExecution!.DocumentName).toBe(
    'runbook',
  );
  await expect(jane.startAutomationExecution({ DocumentName: 'nothing', Parameters })).rejects.toMatchObject({
    name: 'AutomationDefinitionNotFoundException',
  });
});

test('requires iam:PassRole for associations and window tasks', async () => {
  const denied = refused('AccessDeniedException');
  const association = { Name: 'runbook', AssociationName: 'own', Parameters };
  await expect(jane.createAssociation(association)).rejects.toMatchObject(denied);
  await expect(jane.createAssociationBatch({ Entries: [association] })).rejects.toMatchObject(denied);
  const { AssociationDescription } = await paul.createAssociation(association);
  const { AssociationId } = AssociationDescription!;
  await expect(jane.updateAssociation({ AssociationId, Parameters })).rejects.toMatchObject(denied);
  await jane.updateAssociation({ AssociationId, AssociationName: 'other' });
  const { WindowId } = await jane.createMaintenanceWindow({
    Name: 'window',
    Schedule: 'rate(1 day)',
    Duration: 2,
    Cutoff: 1,
    AllowUnassociatedTargets: true,
  });
  const task = { WindowId, TaskType: 'AUTOMATION' as const, TaskArn: 'runbook' };
  await expect(jane.registerTaskWithMaintenanceWindow({ ...task, ServiceRoleArn: ROLE })).rejects.toMatchObject(denied);
  const { WindowTaskId } = await jane.registerTaskWithMaintenanceWindow(task);
  const change = { WindowId, WindowTaskId, ServiceRoleArn: ROLE };
  await expect(jane.updateMaintenanceWindowTask(change)).rejects.toMatchObject(denied);
  expect((await paul.updateMaintenanceWindowTask(change)).ServiceRoleArn).toBe(ROLE);
  const command = {
    WindowId,
    TaskType: 'RUN_COMMAND' as const,
    TaskArn: 'AWS-RunShellScript',
    Targets: [{ Key: 'InstanceIds', Values: ['i-00000000000000001'] }],
    MaxConcurrency: '1',
    MaxErrors: '1',
    TaskInvocationParameters: { RunCommand: { ServiceRoleArn: ROLE } },
  };
  await expect(jane.registerTaskWithMaintenanceWindow(command)).rejects.toMatchObject(denied);
  await paul.registerTaskWithMaintenanceWindow(command);
});

test('requires iam:PassRole for the role of a managed node', async () => {
  const change = { InstanceId: 'mi-00000000000000001', IamRole: 'runner' };
  await expect(jane.updateManagedInstanceRole(change)).rejects.toMatchObject(refused('AccessDeniedException'));
  await expect(paul.updateManagedInstanceRole(change)).rejects.toMatchObject({ name: 'InvalidInstanceId' });
});

test('authorizes access requests by node, and approvals by approver', async () => {
  const Content = JSON.stringify({
    schemaVersion: '0.3',
    accessDuration: 3600,
    targets: [{ Key: 'InstanceIds', Values: ['*'] }],
    mainSteps: [{ name: 'ask', action: 'aws:approve', inputs: { Approvers: ['paul'] } }],
  });
  await jane.createDocument({ Name: 'approvals', DocumentType: 'ManualApprovalPolicy', Content });
  const ask = (id: string) => nina.startAccessRequest({ Reason: 'x', Targets: [{ Key: 'InstanceIds', Values: [id] }] });
  const refusedFor = (what: string) => ({
    name: 'AccessDeniedException',
    message: expect.stringMatching(new RegExp(`is not authorized to perform: ssm:${what}`)),
  });
  await expect(ask(OTHER)).rejects.toMatchObject(refusedFor(`StartAccessRequest on resource: \\S+instance/${OTHER}`));
  const { AccessRequestId } = await ask(ONE);
  await expect(nina.getAccessToken({ AccessRequestId })).rejects.toMatchObject(
    refusedFor(`GetAccessToken on resource: \\S+opsitem/${AccessRequestId}`),
  );
  const { OpsItem } = await nina.getOpsItem({ OpsItemId: AccessRequestId });
  const { automationExecutionId } = JSON.parse(OpsItem!.OperationalData!['/aws/accessrequest']!.Value!);
  const approval = { AutomationExecutionId: automationExecutionId, SignalType: 'Approve' } as const;
  await expect(jane.sendAutomationSignal(approval)).rejects.toMatchObject({ name: 'InvalidAutomationSignalException' });
  await paul.sendAutomationSignal(approval);
  await expect
    .poll(async () => (await nina.getOpsItem({ OpsItemId: AccessRequestId })).OpsItem!.Status, { timeout: 10_000 })
    .toBe('Approved');
});

describe('a Deny on resources of the account', () => {
  let root: SSM;
  let user: SSM;
  const own = (resource: string) => `arn:aws:ssm:${REGION}:${ACCOUNT}:${resource}`;
  beforeAll(async () => {
    root = new SSM(emulator.clientConfig());
    await root.putParameter({ Name: '/p/q', Type: 'String', Value: 'v' });
    await root.putParameter({ Name: 'arn', Type: 'String', Value: 'v' });
    const may: PolicyStatement[] = [
      { Effect: 'Allow', Action: '*', Resource: '*' },
      { Effect: 'Deny', Action: 'ssm:*', Resource: `arn:aws:ssm:${REGION}:${ACCOUNT}:*` },
    ];
    user = new SSM(emulator.clientConfig(identities.user(emulator, 'dora', { may, accountId: ACCOUNT })));
  });
  const deniedOn = (resource: string) => ({
    name: 'AccessDeniedException',
    message: expect.stringContaining(`on resource: ${own(resource)} with an explicit deny`),
  });

  test.each([
    `arn:aws:ssm:${REGION}::parameter/p/q`,
    `arn:aws:ssm::${ACCOUNT}:parameter/p/q`,
    'arn:aws:ssm:::parameter/p/q',
    own('parameter/p/q'),
    '/p/q',
  ])('applies to the parameter %s', async (Name) => {
    const refused = deniedOn('parameter/p/q');
    const tagged = { ResourceType: 'Parameter' as const, ResourceId: Name };
    await root.getParameter({ Name });
    await expect(user.getParameter({ Name })).rejects.toMatchObject(refused);
    await expect(user.getParameters({ Names: [Name] })).rejects.toMatchObject(refused);
    await expect(user.getParameterHistory({ Name })).rejects.toMatchObject(refused);
    await expect(user.labelParameterVersion({ Name, Labels: ['l'] })).rejects.toMatchObject(refused);
    await expect(user.putParameter({ Name, Value: 'w', Overwrite: true })).rejects.toMatchObject(refused);
    await expect(user.addTagsToResource({ ...tagged, Tags: [{ Key: 'a', Value: 'b' }] })).rejects.toMatchObject(
      refused,
    );
    await expect(user.listTagsForResource(tagged)).rejects.toMatchObject(refused);
  });

  test('applies to a write with the ARN of another region, which is to the region of the request', async () => {
    const Name = `arn:aws:ssm:eu-west-1:${ACCOUNT}:parameter/p/q`;
    await expect(user.putParameter({ Name, Value: 'w', Overwrite: true })).rejects.toMatchObject(
      deniedOn('parameter/p/q'),
    );
  });

  test('applies to a parameter whose name begins like an ARN', async () => {
    expect((await root.getParameter({ Name: 'arn:1' })).Parameter?.Value).toBe('v');
    await expect(user.getParameter({ Name: 'arn:1' })).rejects.toMatchObject(deniedOn('parameter/arn'));
  });

  test.each([`arn:aws:ssm:${REGION}:${ACCOUNT}:parameterarn`, `arn:aws:ssm:${REGION}:${ACCOUNT}:arn`])(
    '%s names no parameter',
    async (Name) => {
      await expect(root.getParameter({ Name })).rejects.toMatchObject({ name: 'ParameterNotFound' });
    },
  );

  test.each([
    'fixed',
    own('document/fixed'),
    'arn:aws:ssm:::document/fixed',
    own('automation-definition/fixed:1'),
    `arn:aws:ssm:${REGION}::automation-definition/fixed:1`,
  ])('applies to the document %s', async (Name) => {
    await root.getDocument({ Name });
    await expect(user.getDocument({ Name })).rejects.toMatchObject(deniedOn('document/fixed'));
    await expect(user.sendCommand({ DocumentName: Name, InstanceIds: [ONE] })).rejects.toMatchObject(
      deniedOn('document/fixed'),
    );
    await expect(user.startAutomationExecution({ DocumentName: Name })).rejects.toMatchObject(
      deniedOn('automation-definition/fixed:$DEFAULT'),
    );
  });
});
