import { SSM } from '@aws-sdk/client-ssm';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { expect } from 'vitest';
import { manifest } from '../src/manifest.ts';

const runbook = JSON.stringify({
  schemaVersion: '0.3',
  mainSteps: [
    { name: 'first', action: 'aws:updateVariable', inputs: { Name: 'variable:Seen', Value: 'yes' } },
    { name: 'hold', action: 'aws:pause', inputs: {} },
  ],
  variables: { Seen: { type: 'String', default: 'no' } },
});

/** Creates documents, a waiting execution, an activation and an undelivered command. */
async function actOnDocuments(ssm: SSM): Promise<void> {
  const Name = 'waits';
  await ssm.createDocument({ Name, Content: runbook, DocumentType: 'Automation', Tags: [{ Key: 'a', Value: 'b' }] });
  await ssm.updateDocument({ Name, Content: runbook.replace('yes', 'indeed'), VersionName: 'second' });
  await ssm.modifyDocumentPermission({ Name, PermissionType: 'Share', AccountIdsToAdd: ['999999999999'] });
  const { AutomationExecutionId } = await ssm.startAutomationExecution({ DocumentName: Name });
  const status = async () =>
    (await ssm.getAutomationExecution({ AutomationExecutionId })).AutomationExecution!.AutomationExecutionStatus;
  await expect.poll(status, { interval: 5 }).toBe('Waiting');
  await ssm.startExecutionPreview({ DocumentName: Name });
  await ssm.createActivation({ IamRole: 'hybrid' });
  const Targets = [{ Key: 'tag:a', Values: ['b'] }];
  await ssm.sendCommand({ DocumentName: 'AWS-RunShellScript', Parameters: { commands: ['x'] }, Targets });
}

/** Returns their visible state. */
async function observeDocuments(ssm: SSM): Promise<unknown> {
  const Filters = [{ Key: 'Owner', Values: ['Self'] }];
  const { DocumentIdentifiers } = await ssm.listDocuments({ Filters });
  const documents = [];
  for (const { Name } of DocumentIdentifiers!)
    documents.push([
      (await ssm.describeDocument({ Name })).Document,
      (await ssm.listDocumentVersions({ Name })).DocumentVersions,
      (await ssm.describeDocumentPermission({ Name, PermissionType: 'Share' })).AccountSharingInfoList,
    ]);
  const executions = [];
  for (const { AutomationExecutionId } of (await ssm.describeAutomationExecutions({})).AutomationExecutionMetadataList!)
    executions.push((await ssm.getAutomationExecution({ AutomationExecutionId })).AutomationExecution);
  const { ActivationList } = await ssm.describeActivations({});
  const { Commands } = await ssm.listCommands({});
  return { documents, executions, ActivationList, Commands };
}

/** Creates state of every persistent kind. */
async function act(config: TestClientConfig): Promise<void> {
  const ssm = new SSM(config);
  await actOnDocuments(ssm);
  await ssm.putParameter({ Name: '/app/a', Value: 'one', Type: 'String', Tags: [{ Key: 'team', Value: 'orders' }] });
  await ssm.putParameter({ Name: '/app/a', Value: 'two', Overwrite: true, Description: 'changed' });
  await ssm.labelParameterVersion({ Name: '/app/a', ParameterVersion: 1, Labels: ['old'] });
  await ssm.putParameter({ Name: 'list', Value: 'x,y', Type: 'StringList', Tier: 'Advanced' });
  await ssm.updateServiceSetting({
    SettingId: '/ssm/parameter-store/default-parameter-tier',
    SettingValue: 'Intelligent-Tiering',
  });
}

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const ssm = new SSM(config);
  const { Parameters } = await ssm.describeParameters({});
  const details = [];
  for (const { Name } of Parameters!) {
    const { TagList } = await ssm.listTagsForResource({ ResourceType: 'Parameter', ResourceId: Name });
    details.push([(await ssm.getParameterHistory({ Name })).Parameters, TagList]);
  }
  const SettingId = '/ssm/parameter-store/default-parameter-tier';
  const { ServiceSetting } = await ssm.getServiceSetting({ SettingId });
  const others = await observeDocuments(ssm);
  return { Parameters, details, tier: ServiceSetting!.SettingValue, others };
}

describeServiceContract({ manifest, scope: 'region', act, observe });
