import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type PolicyStatement, type TestEmulator, TestIdentities } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ACCOUNT, REGION } from './support.ts';

const ROLE = `arn:aws:iam::${ACCOUNT}:role/runner`;
const PASS: PolicyStatement = {
  Effect: 'Allow',
  Action: 'iam:PassRole',
  Resource: ROLE,
  Condition: { StringEquals: { 'iam:PassedToService': 'ssm.amazonaws.com' } },
};

let identities: TestIdentities;
let emulator: TestEmulator;
/** May do everything with Systems Manager, and pass no role. */
let jane: SSM;
/** May pass the role, too. */
let paul: SSM;
beforeAll(async () => {
  identities = new TestIdentities();
  identities.role('runner', { accountId: ACCOUNT });
  emulator = await createTestEmulator({
    manifests: [manifest, identities.manifest],
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const own: PolicyStatement = { Effect: 'Allow', Action: 'ssm:*', Resource: '*' };
  const as = (name: string, may: PolicyStatement[]) =>
    new SSM(emulator.clientConfig(identities.user(emulator, name, { may, accountId: ACCOUNT })));
  jane = as('jane', [own]);
  paul = as('paul', [own, PASS]);
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

test('the role of a runbook is passed by those who may', async () => {
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

test('associations and tasks of windows pass roles, too', async () => {
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

test('the role of a managed node is passed', async () => {
  const change = { InstanceId: 'mi-00000000000000001', IamRole: 'runner' };
  await expect(jane.updateManagedInstanceRole(change)).rejects.toMatchObject(refused('AccessDeniedException'));
  await expect(paul.updateManagedInstanceRole(change)).rejects.toMatchObject({ name: 'InvalidInstanceId' });
});
