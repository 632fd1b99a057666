import { SSM } from '@aws-sdk/client-ssm';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const NODE = 'i-00000000000000001';
const CaptureTime = '2026-01-02T03:04:05Z';

/** Creates baselines, inventory, compliance, work items, windows and associations. */
async function act(config: TestClientConfig): Promise<void> {
  const ssm = new SSM(config);
  const Tags = [{ Key: 'team', Value: 'ops' }];
  const { BaselineId } = await ssm.createPatchBaseline({ Name: 'mine', OperatingSystem: 'CENTOS', Tags });
  await ssm.registerDefaultPatchBaseline({ BaselineId });
  await ssm.registerPatchBaselineForPatchGroup({ BaselineId, PatchGroup: 'web' });
  const item = { SchemaVersion: '1.0', CaptureTime };
  await ssm.putInventory({
    InstanceId: NODE,
    Items: [
      { ...item, TypeName: 'Custom:Rack', Content: [{ Row: 'B' }] },
      { ...item, TypeName: 'Custom:Gone', Content: [{ a: 'b' }] },
    ],
  });
  await ssm.deleteInventory({ TypeName: 'Custom:Gone' });
  await ssm.putComplianceItems({
    ResourceId: NODE,
    ResourceType: 'ManagedInstance',
    ComplianceType: 'Custom:Rules',
    ExecutionSummary: { ExecutionTime: new Date(CaptureTime) },
    Items: [{ Id: 'a', Severity: 'HIGH', Status: 'COMPLIANT' }],
  });
  const { OpsItemId } = await ssm.createOpsItem({ Title: 'broken', Description: 'x', Source: 'EC2', Tags });
  await ssm.associateOpsItemRelatedItem({
    OpsItemId,
    AssociationType: 'RelatesTo',
    ResourceType: 'AWS::SSM::Document',
    ResourceUri: 'arn:aws:ssm:us-east-1:000000000000:document/fix',
  });
  await ssm.createOpsMetadata({ ResourceId: '/aws/ssm/shop', Metadata: { owner: { Value: 'me' } } });
  const { WindowId } = await ssm.createMaintenanceWindow({
    Name: 'window',
    Schedule: 'cron(0 4 ? * * *)',
    Duration: 3,
    Cutoff: 1,
    AllowUnassociatedTargets: true,
    Tags,
  });
  await ssm.registerTargetWithMaintenanceWindow({
    WindowId,
    ResourceType: 'INSTANCE',
    Targets: [{ Key: 'InstanceIds', Values: [NODE] }],
  });
  await ssm.registerTaskWithMaintenanceWindow({ WindowId, TaskType: 'LAMBDA', TaskArn: 'clean' });
  const Content = JSON.stringify({
    schemaVersion: '0.3',
    mainSteps: [{ name: 'a', action: 'aws:sleep', inputs: { Duration: 'PT1M' } }],
  });
  await ssm.createDocument({ Name: 'runbook', DocumentType: 'Automation', Content });
  await ssm.createAssociation({
    Name: 'runbook',
    ScheduleExpression: 'cron(0 4 ? * * *)',
    ApplyOnlyAtCronInterval: true,
    Tags,
  });
  await ssm.createResourceDataSync({
    SyncName: 'regions',
    SyncType: 'SyncFromSource',
    SyncSource: { SourceType: 'SingleAccountMultiRegions', SourceRegions: ['eu-west-1'] },
  });
}

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const ssm = new SSM(config);
  const { WindowIdentities } = await ssm.describeMaintenanceWindows({});
  const windows = [];
  for (const { WindowId } of WindowIdentities!) {
    const { Targets } = await ssm.describeMaintenanceWindowTargets({ WindowId });
    const { Tasks } = await ssm.describeMaintenanceWindowTasks({ WindowId });
    const { TagList } = await ssm.listTagsForResource({ ResourceType: 'MaintenanceWindow', ResourceId: WindowId });
    windows.push([WindowId, Targets, Tasks, TagList]);
  }
  return {
    windows,
    baselines: (await ssm.describePatchBaselines({ Filters: [{ Key: 'OPERATING_SYSTEM', Values: ['CENTOS'] }] }))
      .BaselineIdentities,
    groups: (await ssm.describePatchGroups({})).Mappings,
    schemas: (await ssm.getInventorySchema({})).Schemas!.filter(({ TypeName }) => TypeName!.startsWith('Custom:')),
    inventory: (await ssm.getInventory({})).Entities,
    deletions: (await ssm.describeInventoryDeletions({})).InventoryDeletions,
    compliance: (await ssm.listComplianceItems({})).ComplianceItems,
    items: (await ssm.describeOpsItems({})).OpsItemSummaries,
    events: (await ssm.listOpsItemEvents({})).Summaries,
    related: (await ssm.listOpsItemRelatedItems({})).Summaries,
    metadata: (await ssm.listOpsMetadata({})).OpsMetadataList,
    associations: (await ssm.listAssociations({})).Associations,
    syncs: (await ssm.listResourceDataSync({})).ResourceDataSyncItems,
  };
}

describeServiceContract({ manifest, scope: 'region', act, observe });
