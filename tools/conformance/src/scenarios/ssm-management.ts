import type { Facts, Scenario, Send } from '../scenario.ts';

const ACCOUNT = '123456789012';
const NODE = 'i-00000000000000001';
const OTHER = 'i-00000000000000002';
const CaptureTime = '2026-01-02T03:04:05Z';
const DOCUMENT = `arn:aws:ssm:us-east-1:${ACCOUNT}:document/fix`;
const SHARED = `arn:aws:ssm:us-east-1:${ACCOUNT}:parameter/app/deep/list`;
const LAMBDA = `arn:aws:lambda:us-east-1:${ACCOUNT}:function:clean`;
const RUNBOOK = JSON.stringify({
  schemaVersion: '0.3',
  parameters: { Who: { type: 'String', default: 'me' }, Node: { type: 'String', default: '' } },
  mainSteps: [{ name: 'wait', action: 'aws:sleep', inputs: { Duration: 'PT1M' } }],
});
const OLD = JSON.stringify({
  schemaVersion: '1.2',
  runtimeConfig: { 'aws:runShellScript': { properties: [{ id: 'a', runCommand: ['true'] }] } },
});
const CALENDAR =
  'BEGIN:VCALENDAR\r\nPRODID:-//AWS//Change Calendar 1.0//EN\r\nVERSION:2.0\r\nX-CALENDAR-TYPE:DEFAULT_CLOSED\r\nEND:VCALENDAR\r\n';
const policy = (Action: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: '111111111111' }, Action, Resource: SHARED }],
  });

const rules = (days: number) => ({
  PatchRules: [{ PatchFilterGroup: { PatchFilters: [{ Key: 'PRODUCT', Values: ['*'] }] }, ApproveAfterDays: days }],
});
const ofBaseline = (facts: Facts) => ({ BaselineId: facts.baseline });
const ofWindow = (facts: Facts) => ({ WindowId: facts.window });
const ofTarget = (facts: Facts) => ({ ...ofWindow(facts), WindowTargetId: facts.target });
const ALARMS = { Alarms: [{ Name: 'stop' }], IgnorePollAlarmFailure: true };
const ofTask = (facts: Facts) => ({ ...ofWindow(facts), WindowTaskId: facts.task });
const ofExecution = (facts: Facts) => ({ WindowExecutionId: facts.windowExecution });
const ofTaskExecution = (facts: Facts) => ({ ...ofExecution(facts), TaskId: facts.taskExecution });
const ofItem = (facts: Facts) => ({ OpsItemId: facts.item });
const ofMetadata = (facts: Facts) => ({ OpsMetadataArn: facts.metadata });
const ofAssociation = (facts: Facts) => ({ AssociationId: facts.association });
const node = (id: string) => [{ Key: 'InstanceIds', Values: [id] }];
const window = () => ({
  Name: 'window',
  Schedule: 'rate(1 hour)',
  Duration: 3,
  Cutoff: 1,
  AllowUnassociatedTargets: true,
});
const opsItem = (Title = 'broken') => ({ Title, Description: 'it broke', Source: 'EC2' });
const sync = () => ({
  SyncName: 'regions',
  SyncType: 'SyncFromSource',
  SyncSource: { SourceType: 'SingleAccountMultiRegions', SourceRegions: ['eu-west-1'] },
});
const counted = () => ({
  Aggregators: [{ AggregatorType: 'Count', TypeName: 'Instance', AttributeName: 'PlatformType' }],
});
const deregistered = (send: Send, facts: Facts) => send('DeregisterManagedInstance', { InstanceId: facts.instance });
const toBucket = () => ({
  SyncName: 'bucket',
  S3Destination: { BucketName: 'inventory', SyncFormat: 'JsonSerDe', Region: 'us-east-1' },
});
const item = (TypeName: string, Content: Record<string, string>[]) => ({
  TypeName,
  SchemaVersion: '1.0',
  CaptureTime,
  Content,
});
const inventory = (send: Send, id: string, count = '1') =>
  send('PutInventory', {
    InstanceId: id,
    Items: [
      item('AWS:InstanceInformation', [{ InstanceId: id, PlatformType: 'Linux', PlatformName: `Linux ${count}` }]),
      item('Custom:Rack', [{ Row: count }]),
      item('AWS:PatchSummary', [{ PatchGroup: 'web', BaselineId: 'pb-00000000000000000', MissingCount: count }]),
      {
        ...item('AWS:ComplianceItem', [
          {
            Id: `KB${count}`,
            Title: 'patch',
            Severity: 'HIGH',
            Status: 'NON_COMPLIANT',
            PatchState: 'Missing',
            Classification: 'Security',
          },
        ]),
        Context: { ComplianceType: 'Patch', ExecutionTime: CaptureTime },
      },
    ],
  });
const compliance = (Id: string, more: object = {}) => ({
  ResourceId: NODE,
  ResourceType: 'ManagedInstance',
  ComplianceType: 'Custom:Rules',
  ExecutionSummary: { ExecutionTime: new Date(CaptureTime) },
  Items: [{ Id, Title: 'rule', Severity: 'HIGH', Status: 'NON_COMPLIANT' }],
  ...more,
});
const reported = (send: Send) => inventory(send, NODE, '2');
const complied = (send: Send) =>
  send('PutComplianceItems', compliance('new', { ComplianceType: 'Custom:Other', ResourceId: OTHER }));
const ran = (send: Send) => send('PassTime', { seconds: 3600 });
const started = async (send: Send, facts: Facts) => {
  await send('StartAssociationsOnce', { AssociationIds: [facts.association] });
  await send('PassTime', { seconds: 120 });
};
const resynced = (send: Send) => send('DeleteResourceDataSync', { SyncName: 'regions', SyncType: 'SyncFromSource' });
const shared = async (send: Send): Promise<Facts> => {
  const { PolicyId, PolicyHash } = await send('PutResourcePolicy', {
    ResourceArn: SHARED,
    Policy: policy('ssm:GetParameter'),
  });
  return { policy: PolicyId as string, hash: PolicyHash as string };
};
const older = async (send: Send): Promise<Facts> => {
  await send('CreateAssociation', { Name: 'old', InstanceId: NODE });
  return {};
};
const related = async (send: Send, facts: Facts): Promise<Facts> => {
  const { AssociationId } = await send('AssociateOpsItemRelatedItem', relatedItem(facts));
  return { related: AssociationId as string };
};
const relatedItem = (facts: Facts) => ({
  ...ofItem(facts),
  AssociationType: 'RelatesTo',
  ResourceType: 'AWS::SSM::Document',
  ResourceUri: DOCUMENT,
});

type Part = Required<
  Pick<Scenario, 'setUp' | 'observe' | 'before' | 'inputs' | 'also' | 'values' | 'reads' | 'deviations'>
>;

/** Operations without input that list the state of this part. */
const LISTS = [
  ['DescribePatchGroups', 'Mappings'],
  ['GetInventory', 'Entities'],
  ['GetInventorySchema', 'Schemas'],
  ['DescribeInventoryDeletions', 'InventoryDeletions'],
  ['ListComplianceItems', 'ComplianceItems'],
  ['ListOpsItemEvents', 'Summaries'],
  ['ListOpsItemRelatedItems', 'Summaries'],
  ['ListOpsMetadata', 'OpsMetadataList'],
  ['ListResourceDataSync', 'ResourceDataSyncItems'],
] as const;

/**
 * Patches, inventory, compliance, work items, maintenance windows and associations. `PassTime` is not an operation: the
 * client advances the clock.
 */
export const management: Part = {
  deviations: [
    { path: /(?:instancePatchStates)$/, reason: 'AWS shows an empty list where a patch group has no nodes' },
    { path: /instancePatchStates\[\]\.patchGroup$/, reason: 'a node in no patch group has an empty text' },
    { path: /opsMetadataList$/, reason: 'AWS shows an empty list where there are none' },
    { path: /schemaVersion|typeName/, reason: 'what is counted of inventory has no schema' },
    { path: /associationVersions$/, reason: 'AWS shows an empty list where there are none' },
    { path: /instanceAssociation.*content$/, reason: 'AWS shows the content of the document' },
  ],
  async setUp(send) {
    const made = async (operation: string, input: Record<string, unknown>, member: string): Promise<string> =>
      (await send(operation, input))[member] as string;
    const Tags = [{ Key: 'team', Value: 'a' }];
    const baseline = await made(
      'CreatePatchBaseline',
      { Name: 'known', OperatingSystem: 'AMAZON_LINUX_2023', ApprovalRules: rules(3), Tags },
      'BaselineId',
    );
    const second = await made('CreatePatchBaseline', { Name: 'second', OperatingSystem: 'CENTOS' }, 'BaselineId');
    await send('RegisterPatchBaselineForPatchGroup', { BaselineId: second, PatchGroup: 'web' });
    await inventory(send, NODE);
    await send('PutInventory', { InstanceId: NODE, Items: [item('Custom:Gone', [{ a: 'b' }])] });
    const deletion = await made('DeleteInventory', { TypeName: 'Custom:Gone' }, 'DeletionId');
    await send('PutComplianceItems', compliance('a'));
    const itemId = await made(
      'CreateOpsItem',
      { ...opsItem(), Priority: 2, OperationalData: { host: { Value: 'web', Type: 'SearchableString' } }, Tags },
      'OpsItemId',
    );
    const metadata = await made(
      'CreateOpsMetadata',
      { ResourceId: '/aws/ssm/shop', Metadata: { owner: { Value: 'me' } }, Tags },
      'OpsMetadataArn',
    );
    await send('CreateResourceDataSync', sync());
    await send('CreateBucket', { Bucket: 'inventory' });
    const windowId = await made('CreateMaintenanceWindow', { ...window(), Description: 'nightly', Tags }, 'WindowId');
    const target = await made(
      'RegisterTargetWithMaintenanceWindow',
      { WindowId: windowId, ResourceType: 'INSTANCE', Targets: node(NODE), OwnerInformation: 'me' },
      'WindowTargetId',
    );
    const task = await made(
      'RegisterTaskWithMaintenanceWindow',
      {
        WindowId: windowId,
        TaskType: 'LAMBDA',
        TaskArn: LAMBDA,
        Targets: [{ Key: 'WindowTargetIds', Values: [target] }],
        MaxConcurrency: '1',
        MaxErrors: '0',
        Name: 'clean',
      },
      'WindowTaskId',
    );
    await send('PassTime', { seconds: 3600 });
    const executions = await send('DescribeMaintenanceWindowExecutions', { WindowId: windowId });
    const execution = (executions.WindowExecutions as { WindowExecutionId: string }[])[0]!.WindowExecutionId;
    const { TaskIds } = await send('GetMaintenanceWindowExecution', { WindowExecutionId: execution });
    const taskExecution = (TaskIds as string[])[0]!;
    const invocations = await send('DescribeMaintenanceWindowExecutionTaskInvocations', {
      WindowExecutionId: execution,
      TaskId: taskExecution,
    });
    const invocation = (invocations.WindowExecutionTaskInvocationIdentities as { InvocationId: string }[])[0]!;
    await send('CreateDocument', { Name: 'runbook', DocumentType: 'Automation', Content: RUNBOOK });
    await send('CreateDocument', { Name: 'old', DocumentType: 'Command', Content: OLD });
    await send('CreateDocument', {
      Name: 'calendar',
      DocumentType: 'ChangeCalendar',
      DocumentFormat: 'TEXT',
      Content: CALENDAR,
    });
    const { AssociationDescription } = await send('CreateAssociation', {
      Name: 'runbook',
      AssociationName: 'known',
      ScheduleExpression: 'cron(0 4 ? * * *)',
      Tags,
    });
    const association = (AssociationDescription as { AssociationId: string }).AssociationId;
    // The runbook starts, waits a minute, and its status is read.
    for (let minutes = 0; minutes < 4; minutes++) await send('PassTime', { seconds: 60 });
    const runs = await send('DescribeAssociationExecutions', { AssociationId: association });
    return {
      baseline,
      deletion,
      item: itemId,
      metadata,
      window: windowId,
      target,
      task,
      windowExecution: execution,
      taskExecution,
      invocation: invocation.InvocationId,
      association,
      associationExecution: (runs.AssociationExecutions as { ExecutionId: string }[])[0]!.ExecutionId,
    };
  },

  async observe(send, facts) {
    const own = async (operation: string, input: Record<string, unknown>) =>
      send(operation, input).catch((error: Error) => error.name);
    const lists = await Promise.all(LISTS.map(async ([operation, member]) => (await send(operation, {}))[member]));
    const { BaselineIdentities } = await send('DescribePatchBaselines', {
      Filters: [{ Key: 'OWNER', Values: ['Self'] }],
    });
    const baselines = await Promise.all(
      (BaselineIdentities as { BaselineId: string }[]).map(({ BaselineId }) => own('GetPatchBaseline', { BaselineId })),
    );
    const { WindowIdentities } = await send('DescribeMaintenanceWindows', {});
    const windows = await Promise.all(
      (WindowIdentities as { WindowId: string }[]).map(async ({ WindowId }) => {
        const { Targets } = await send('DescribeMaintenanceWindowTargets', { WindowId });
        const { Tasks } = await send('DescribeMaintenanceWindowTasks', { WindowId });
        return [
          await own('GetMaintenanceWindow', { WindowId }),
          Targets,
          await Promise.all(
            (Tasks as { WindowTaskId: string }[]).map(({ WindowTaskId }) =>
              own('GetMaintenanceWindowTask', { WindowId, WindowTaskId }),
            ),
          ),
          (await send('DescribeMaintenanceWindowExecutions', { WindowId })).WindowExecutions,
          (await send('ListTagsForResource', { ResourceType: 'MaintenanceWindow', ResourceId: WindowId })).TagList,
        ];
      }),
    );
    const { OpsItemSummaries } = await send('DescribeOpsItems', {});
    const items = await Promise.all(
      (OpsItemSummaries as { OpsItemId: string }[]).map(({ OpsItemId }) => own('GetOpsItem', { OpsItemId })),
    );
    const { Associations } = await send('ListAssociations', {});
    const associations = await Promise.all(
      (Associations as { AssociationId: string }[]).map(async ({ AssociationId }) => [
        await own('DescribeAssociation', { AssociationId }),
        await own('ListAssociationVersions', { AssociationId }),
        await own('DescribeAssociationExecutions', { AssociationId }),
      ]),
    );
    return [
      lists,
      baselines,
      BaselineIdentities,
      windows,
      items,
      associations,
      await own('GetOpsMetadata', ofMetadata(facts)),
      await own('GetResourcePolicies', { ResourceArn: SHARED }),
    ];
  },

  before: {
    DeleteResourcePolicy: shared,
    GetResourcePolicies: shared,
    DisassociateOpsItemRelatedItem: related,
    ListOpsItemRelatedItems: related,
    UpdateAssociationStatus: older,
    DescribeEffectiveInstanceAssociations: older,
    DescribeInstanceAssociationsStatus: older,
    async DescribeEffectivePatchesForPatchBaseline(send) {
      const { BaselineId } = await send('CreatePatchBaseline', { Name: 'windows', ApprovalRules: rules(3) });
      return { windows: BaselineId as string };
    },
    async DeregisterPatchBaselineForPatchGroup(send, facts) {
      await send('RegisterPatchBaselineForPatchGroup', { ...ofBaseline(facts), PatchGroup: 'own' });
      return {};
    },
    async CancelMaintenanceWindowExecution(send, facts) {
      // A runbook takes a minute, so that it can be cancelled.
      await send('RegisterTaskWithMaintenanceWindow', {
        ...ofWindow(facts),
        TaskType: 'AUTOMATION',
        TaskArn: 'runbook',
      });
      await send('PassTime', { seconds: 3600 });
      const { WindowExecutions } = await send('DescribeMaintenanceWindowExecutions', ofWindow(facts));
      return { running: (WindowExecutions as { WindowExecutionId: string }[])[0]!.WindowExecutionId };
    },
  },

  inputs: {
    CreatePatchBaseline: () => ({ Name: 'new', OperatingSystem: 'AMAZON_LINUX_2023', ApprovalRules: rules(1) }),
    UpdatePatchBaseline: (facts) => ({ ...ofBaseline(facts), Name: 'other' }),
    GetPatchBaseline: ofBaseline,
    DeletePatchBaseline: ofBaseline,
    RegisterDefaultPatchBaseline: ofBaseline,
    GetDefaultPatchBaseline: () => ({ OperatingSystem: 'AMAZON_LINUX_2023' }),
    DescribeEffectivePatchesForPatchBaseline: ({ windows }) => ({ BaselineId: windows }),
    DescribePatchProperties: () => ({ OperatingSystem: 'WINDOWS', Property: 'PRODUCT' }),
    RegisterPatchBaselineForPatchGroup: (facts) => ({ ...ofBaseline(facts), PatchGroup: 'new' }),
    DeregisterPatchBaselineForPatchGroup: (facts) => ({ ...ofBaseline(facts), PatchGroup: 'own' }),
    GetPatchBaselineForPatchGroup: () => ({ PatchGroup: 'own', OperatingSystem: 'AMAZON_LINUX_2023' }),
    DescribeInstancePatchStates: () => ({ InstanceIds: [NODE] }),
    DescribeInstancePatchStatesForPatchGroup: () => ({ PatchGroup: 'web' }),
    DescribeInstancePatches: () => ({ InstanceId: NODE }),
    DescribePatchGroupState: () => ({ PatchGroup: 'web' }),
    ListNodesSummary: counted,
    PutInventory: () => ({ InstanceId: OTHER, Items: [item('Custom:New', [{ a: 'b' }])] }),
    ListInventoryEntries: () => ({ InstanceId: NODE, TypeName: 'Custom:Rack' }),
    DeleteInventory: () => ({ TypeName: 'Custom:Rack' }),
    PutComplianceItems: () => compliance('b'),
    CreateOpsItem: () => opsItem('new'),
    UpdateOpsItem: (facts) => ({ ...ofItem(facts), Status: 'InProgress' }),
    GetOpsItem: ofItem,
    DeleteOpsItem: ofItem,
    AssociateOpsItemRelatedItem: relatedItem,
    DisassociateOpsItemRelatedItem: (facts) => ({ ...ofItem(facts), AssociationId: facts.related }),
    CreateOpsMetadata: () => ({ ResourceId: '/aws/ssm/new' }),
    UpdateOpsMetadata: (facts) => ({ ...ofMetadata(facts), MetadataToUpdate: { more: { Value: 'x' } } }),
    GetOpsMetadata: ofMetadata,
    DeleteOpsMetadata: ofMetadata,
    PutResourcePolicy: () => ({ ResourceArn: SHARED, Policy: policy('ssm:GetParameters') }),
    GetResourcePolicies: () => ({ ResourceArn: SHARED }),
    DeleteResourcePolicy: (facts) => ({ ResourceArn: SHARED, PolicyId: facts.policy, PolicyHash: facts.hash }),
    CreateResourceDataSync: () => ({ ...sync(), SyncName: 'new' }),
    UpdateResourceDataSync: () => ({
      ...sync(),
      SyncSource: { SourceType: 'SingleAccountMultiRegions', SourceRegions: ['eu-west-2'] },
    }),
    DeleteResourceDataSync: () => ({ SyncName: 'regions', SyncType: 'SyncFromSource' }),
    CreateMaintenanceWindow: () => ({ ...window(), Name: 'new' }),
    UpdateMaintenanceWindow: (facts) => ({ ...ofWindow(facts), Name: 'other' }),
    GetMaintenanceWindow: ofWindow,
    DeleteMaintenanceWindow: ofWindow,
    DescribeMaintenanceWindowSchedule: ofWindow,
    DescribeMaintenanceWindowsForTarget: () => ({ Targets: node(NODE), ResourceType: 'INSTANCE' }),
    RegisterTargetWithMaintenanceWindow: (facts) => ({
      ...ofWindow(facts),
      ResourceType: 'INSTANCE',
      Targets: node(OTHER),
    }),
    UpdateMaintenanceWindowTarget: (facts) => ({ ...ofTarget(facts), Name: 'other' }),
    DeregisterTargetFromMaintenanceWindow: ofTarget,
    DescribeMaintenanceWindowTargets: ofWindow,
    RegisterTaskWithMaintenanceWindow: (facts) => ({ ...ofWindow(facts), TaskType: 'LAMBDA', TaskArn: LAMBDA }),
    UpdateMaintenanceWindowTask: (facts) => ({ ...ofTask(facts), Name: 'other' }),
    GetMaintenanceWindowTask: ofTask,
    DeregisterTaskFromMaintenanceWindow: ofTask,
    DescribeMaintenanceWindowTasks: ofWindow,
    DescribeMaintenanceWindowExecutions: ofWindow,
    GetMaintenanceWindowExecution: ofExecution,
    DescribeMaintenanceWindowExecutionTasks: ofExecution,
    GetMaintenanceWindowExecutionTask: ofTaskExecution,
    DescribeMaintenanceWindowExecutionTaskInvocations: ofTaskExecution,
    GetMaintenanceWindowExecutionTaskInvocation: (facts) => ({
      ...ofTaskExecution(facts),
      InvocationId: facts.invocation,
    }),
    CancelMaintenanceWindowExecution: (facts) => ({ WindowExecutionId: facts.running }),
    CreateAssociation: () => ({ Name: 'runbook' }),
    CreateAssociationBatch: () => ({ Entries: [{ Name: 'runbook' }] }),
    UpdateAssociation: (facts) => ({ ...ofAssociation(facts), AssociationName: 'other' }),
    UpdateAssociationStatus: () => ({
      Name: 'old',
      InstanceId: NODE,
      AssociationStatus: { Date: new Date(CaptureTime), Name: 'Success', Message: 'done' },
    }),
    DescribeAssociation: ofAssociation,
    DeleteAssociation: ofAssociation,
    ListAssociationVersions: ofAssociation,
    StartAssociationsOnce: (facts) => ({ AssociationIds: [facts.association] }),
    DescribeAssociationExecutions: ofAssociation,
    DescribeAssociationExecutionTargets: (facts) => ({
      ...ofAssociation(facts),
      ExecutionId: facts.associationExecution,
    }),
    DescribeEffectiveInstanceAssociations: () => ({ InstanceId: NODE }),
    DescribeInstanceAssociationsStatus: () => ({ InstanceId: NODE }),
  },

  also: {
    AddTagsToResource: [
      (facts) => ({ ResourceType: 'PatchBaseline', ResourceId: facts.baseline, Tags: [{ Key: 'n', Value: 'x' }] }),
      (facts) => ({ ResourceType: 'MaintenanceWindow', ResourceId: facts.window, Tags: [{ Key: 'n', Value: 'x' }] }),
    ],
    CreatePatchBaseline: [
      () => ({ Name: 'new', OperatingSystem: 'WINDOWS', AvailableSecurityUpdatesComplianceStatus: 'COMPLIANT' }),
    ],
    ListNodes: [
      () => ({ Filters: [{ Key: 'PlatformType', Values: ['Linux'], Type: 'NotEqual' }] }),
      () => ({ SyncName: 'regions' }),
    ],
    ListNodesSummary: [
      () => ({ ...counted(), SyncName: 'regions' }),
      () => ({ ...counted(), Filters: [{ Key: 'PlatformType', Values: ['Linux'], Type: 'NotEqual' }] }),
    ],
    DescribePatchBaselines: [() => ({ Filters: [{ Key: 'OWNER', Values: ['Self'] }] })],
    DescribePatchGroups: [() => ({ Filters: [{ Key: 'NAME_PREFIX', Values: ['no'] }] })],
    DescribeAvailablePatches: [() => ({ Filters: [{ Key: 'PRODUCT', Values: ['AmazonLinux2.0'] }] })],
    DescribePatchProperties: [
      () => ({ OperatingSystem: 'WINDOWS', Property: 'PRODUCT_FAMILY', PatchSet: 'APPLICATION' }),
    ],
    DescribeInstancePatchStatesForPatchGroup: [
      () => ({ PatchGroup: 'web', Filters: [{ Key: 'MissingCount', Values: ['5'], Type: 'GreaterThan' }] }),
    ],
    DescribeInstancePatches: [() => ({ InstanceId: NODE, Filters: [{ Key: 'State', Values: ['Installed'] }] })],
    PutInventory: [
      () => ({
        InstanceId: NODE,
        Items: [{ ...item('AWS:ComplianceItem', []), Context: { ComplianceType: 'Patch' } }],
      }),
    ],
    GetInventory: [
      () => ({ Filters: [{ Key: 'AWS:InstanceInformation.PlatformType', Values: ['Linux'], Type: 'NotEqual' }] }),
      () => ({ Aggregators: [{ Expression: 'AWS:InstanceInformation.PlatformType' }] }),
      () => ({
        Aggregators: [
          { Groups: [{ Name: 'racks', Filters: [{ Key: 'TypeName', Values: ['Custom:Rack'], Type: 'Exists' }] }] },
        ],
      }),
      () => ({ ResultAttributes: [{ TypeName: 'Custom:Rack' }] }),
    ],
    GetInventorySchema: [() => ({ TypeName: 'AWS:Application', Aggregator: true })],
    ListInventoryEntries: [
      () => ({ InstanceId: NODE, TypeName: 'Custom:Rack', Filters: [{ Key: 'Row', Values: ['9'], Type: 'Equal' }] }),
    ],
    DescribeInventoryDeletions: [(facts) => ({ DeletionId: facts.deletion })],
    DeleteInventory: [
      () => ({ TypeName: 'Custom:Rack', SchemaDeleteOption: 'DeleteSchema' }),
      () => ({ TypeName: 'Custom:Rack', DryRun: true }),
    ],
    PutComplianceItems: [() => compliance('b', { ComplianceType: 'Association', UploadType: 'PARTIAL' })],
    ListComplianceItems: [
      () => ({ ResourceIds: [NODE], ResourceTypes: ['ManagedInstance'] }),
      () => ({ Filters: [{ Key: 'ComplianceType', Values: ['Patch'], Type: 'EQUAL' }] }),
    ],
    ListComplianceSummaries: [() => ({ Filters: [{ Key: 'ComplianceType', Values: ['Patch'], Type: 'EQUAL' }] })],
    ListResourceComplianceSummaries: [
      () => ({ Filters: [{ Key: 'ComplianceType', Values: ['Patch'], Type: 'EQUAL' }] }),
    ],
    DescribeOpsItems: [
      () => ({ OpsItemFilters: [{ Key: 'Title', Values: ['roke'], Operator: 'Contains' }] }),
      () => ({ OpsItemFilters: [{ Key: 'Status', Values: ['Resolved'], Operator: 'Equal' }] }),
    ],
    ListOpsItemEvents: [(facts) => ({ Filters: [{ Key: 'OpsItemId', Values: [facts.item], Operator: 'Equal' }] })],
    ListOpsItemRelatedItems: [
      (facts) => ({
        ...ofItem(facts),
        Filters: [{ Key: 'ResourceType', Values: ['AWS::SSM::Document'], Operator: 'Equal' }],
      }),
    ],
    GetOpsSummary: [
      () => ({ SyncName: 'regions' }),
      () => ({ Filters: [{ Key: 'AWS:OpsItem.Status', Values: ['Open'], Type: 'Equal' }] }),
      () => ({
        Aggregators: [{ AggregatorType: 'count', TypeName: 'AWS:OpsItem', AttributeName: 'Status' }],
      }),
    ],
    ListOpsMetadata: [() => ({ Filters: [{ Key: 'ResourceId', Values: ['/aws/ssm/shop'] }] })],
    UpdateOpsMetadata: [(facts) => ({ ...ofMetadata(facts), KeysToDelete: ['owner'] })],
    CreateResourceDataSync: [toBucket],
    ListResourceDataSync: [() => ({ SyncType: 'SyncToDestination' })],
    CreateMaintenanceWindow: [
      () => ({ ...window(), Schedule: 'cron(0 4 ? * MON *)', ScheduleTimezone: 'Asia/Tokyo', ScheduleOffset: 2 }),
      () => ({ ...window(), StartDate: '2100-01-01', EndDate: '2101-01-01' }),
    ],
    UpdateMaintenanceWindow: [
      (facts) => ({ ...ofWindow(facts), ...window(), Replace: true }),
      (facts) => ({ ...ofWindow(facts), Schedule: 'cron(0 4 ? * MON *)', ScheduleTimezone: 'Asia/Tokyo' }),
    ],
    DescribeMaintenanceWindows: [() => ({ Filters: [{ Key: 'Enabled', Values: ['false'] }] })],
    DescribeMaintenanceWindowSchedule: [
      () => ({ Targets: node(NODE), ResourceType: 'INSTANCE' }),
      (facts) => ({ ...ofWindow(facts), Filters: [{ Key: 'ScheduledBefore', Values: ['2100-01-01T00:00:00Z'] }] }),
    ],
    DescribeMaintenanceWindowTargets: [
      (facts) => ({ ...ofWindow(facts), Filters: [{ Key: 'OwnerInformation', Values: ['nobody'] }] }),
    ],
    DescribeMaintenanceWindowTasks: [
      (facts) => ({ ...ofWindow(facts), Filters: [{ Key: 'TaskType', Values: ['RUN_COMMAND'] }] }),
    ],
    DescribeMaintenanceWindowExecutions: [
      (facts) => ({ ...ofWindow(facts), Filters: [{ Key: 'ExecutedAfter', Values: ['2100-01-01T00:00:00Z'] }] }),
    ],
    DescribeMaintenanceWindowExecutionTasks: [
      (facts) => ({ ...ofExecution(facts), Filters: [{ Key: 'STATUS', Values: ['SUCCESS'] }] }),
    ],
    DescribeMaintenanceWindowExecutionTaskInvocations: [
      (facts) => ({ ...ofTaskExecution(facts), Filters: [{ Key: 'STATUS', Values: ['SUCCESS'] }] }),
    ],
    DeregisterTargetFromMaintenanceWindow: [(facts) => ({ ...ofTarget(facts), Safe: true })],
    RegisterTaskWithMaintenanceWindow: [
      (facts) => ({ ...ofWindow(facts), TaskType: 'LAMBDA', TaskArn: LAMBDA, AlarmConfiguration: ALARMS }),
      (facts) => ({
        ...ofWindow(facts),
        TaskType: 'RUN_COMMAND',
        TaskArn: 'AWS-RunShellScript',
        Targets: node(NODE),
        MaxConcurrency: '1',
        MaxErrors: '1',
        TaskInvocationParameters: { RunCommand: { Comment: 'x', Parameters: { commands: ['true'] } } },
      }),
      (facts) => ({
        ...ofWindow(facts),
        TaskType: 'LAMBDA',
        TaskArn: LAMBDA,
        TaskInvocationParameters: { Lambda: { Payload: Buffer.from('{}'), Qualifier: 'live' } },
      }),
      (facts) => ({
        ...ofWindow(facts),
        TaskType: 'STEP_FUNCTIONS',
        TaskArn: `arn:aws:states:us-east-1:${ACCOUNT}:stateMachine:work`,
        TaskInvocationParameters: { StepFunctions: { Input: '{}', Name: 'run' } },
      }),
      (facts) => ({
        ...ofWindow(facts),
        TaskType: 'AUTOMATION',
        TaskArn: 'runbook',
        TaskInvocationParameters: { Automation: { DocumentVersion: '1', Parameters: { Who: ['me'] } } },
      }),
    ],
    UpdateMaintenanceWindowTask: [
      (facts) => ({ ...ofTask(facts), TaskArn: LAMBDA, Replace: true }),
      (facts) => ({ ...ofTask(facts), AlarmConfiguration: ALARMS }),
      (facts) => ({
        ...ofTask(facts),
        TaskInvocationParameters: { Lambda: { Payload: Buffer.from('{}'), Qualifier: 'live' } },
      }),
    ],
    CreateAssociation: [
      () => ({ Name: 'old', InstanceId: NODE }),
      () => ({
        Name: 'runbook',
        ScheduleExpression: 'cron(0 4 ? * * *)',
        ApplyOnlyAtCronInterval: true,
        ScheduleOffset: 2,
        Duration: 3,
      }),
      () => ({
        Name: 'runbook',
        Targets: [{ Key: 'ParameterValues', Values: ['a', 'b'] }],
        AutomationTargetParameterName: 'Node',
      }),
      () => ({ Name: 'runbook', CalendarNames: ['calendar'] }),
      () => ({ Name: 'runbook', Parameters: { Who: ['you'] }, DocumentVersion: '1' }),
    ],
    UpdateAssociation: [
      (facts) => ({ ...ofAssociation(facts), AssociationVersion: '1', ScheduleExpression: 'rate(1 day)' }),
    ],
    DescribeAssociation: [(facts) => ({ ...ofAssociation(facts), AssociationVersion: '1' })],
    ListAssociations: [() => ({ AssociationFilterList: [{ key: 'AssociationName', value: 'known' }] })],
    DescribeAssociationExecutions: [
      (facts) => ({ ...ofAssociation(facts), Filters: [{ Key: 'Status', Value: 'Failed', Type: 'EQUAL' }] }),
    ],
    DescribeAssociationExecutionTargets: [
      (facts) => ({
        ...ofAssociation(facts),
        ExecutionId: facts.associationExecution,
        Filters: [{ Key: 'Status', Value: 'Failed' }],
      }),
    ],
  },

  values: {
    'CreateMaintenanceWindow.ScheduleTimezone': ['Asia/Tokyo'],
    'UpdateMaintenanceWindow.ScheduleTimezone': ['Asia/Tokyo'],
    'UpdateMaintenanceWindow.Schedule': ['rate(2 hours)'],
    'UpdateMaintenanceWindow.StartDate': ['2100-01-01'],
    'UpdateMaintenanceWindow.EndDate': ['2100-01-01'],
    'CreateAssociation.ScheduleExpression': ['rate(1 day)'],
    'UpdateAssociation.ScheduleExpression': ['rate(1 day)'],
    'CreateOpsItem.Category': ['Availability', 'Cost'],
    'CreateOpsItem.Severity': ['1', '2'],
    'CreateOpsItem.OpsItemType': ['/aws/issue', '/aws/insight'],
    'UpdateOpsItem.Category': ['Availability', 'Cost'],
    'UpdateOpsItem.Severity': ['1', '2'],
    'UpdateOpsItem.OperationalDataToDelete': [['host']],
    'CreateOpsItem.AccountId': [ACCOUNT, '111111111111'],
  },

  reads: {
    GetPatchBaseline: (send, facts) => send('UpdatePatchBaseline', { ...ofBaseline(facts), Name: 'other' }),
    DescribePatchBaselines: (send) => send('CreatePatchBaseline', { Name: 'third' }),
    GetDefaultPatchBaseline: (send, facts) => send('RegisterDefaultPatchBaseline', ofBaseline(facts)),
    DescribeAvailablePatches: undefined,
    DescribeEffectivePatchesForPatchBaseline: (send, facts) =>
      send('UpdatePatchBaseline', { BaselineId: facts.windows, RejectedPatches: ['KB9910010'] }),
    DescribePatchProperties: undefined,
    DescribePatchGroups: (send, facts) =>
      send('RegisterPatchBaselineForPatchGroup', { ...ofBaseline(facts), PatchGroup: 'own' }),
    GetPatchBaselineForPatchGroup: (send, facts) =>
      send('RegisterPatchBaselineForPatchGroup', { ...ofBaseline(facts), PatchGroup: 'own' }),
    DescribeInstancePatchStates: reported,
    DescribeInstancePatchStatesForPatchGroup: reported,
    DescribeInstancePatches: reported,
    DescribePatchGroupState: (send) => inventory(send, OTHER),
    ListNodes: deregistered,
    ListNodesSummary: deregistered,
    GetInventory: reported,
    GetInventorySchema: (send) =>
      send('PutInventory', { InstanceId: NODE, Items: [item('Custom:More', [{ a: 'b' }])] }),
    ListInventoryEntries: reported,
    DescribeInventoryDeletions: (send) => send('DeleteInventory', { TypeName: 'Custom:Rack' }),
    ListComplianceItems: complied,
    ListComplianceSummaries: complied,
    ListResourceComplianceSummaries: complied,
    GetOpsItem: (send, facts) => send('UpdateOpsItem', { ...ofItem(facts), Status: 'Resolved' }),
    DescribeOpsItems: (send) => send('CreateOpsItem', opsItem('more')),
    ListOpsItemEvents: (send, facts) => send('UpdateOpsItem', { ...ofItem(facts), Status: 'Resolved' }),
    ListOpsItemRelatedItems: (send, facts) =>
      send('AssociateOpsItemRelatedItem', { ...relatedItem(facts), ResourceUri: `${DOCUMENT}-more` }),
    GetOpsSummary: (send) => send('CreateOpsItem', opsItem('more')),
    GetOpsMetadata: (send, facts) =>
      send('UpdateOpsMetadata', { ...ofMetadata(facts), MetadataToUpdate: { more: { Value: 'x' } } }),
    ListOpsMetadata: (send) => send('CreateOpsMetadata', { ResourceId: '/aws/ssm/more' }),
    GetResourcePolicies: (send, facts) =>
      send('DeleteResourcePolicy', { ResourceArn: SHARED, PolicyId: facts.policy, PolicyHash: facts.hash }),
    ListResourceDataSync: resynced,
    GetMaintenanceWindow: (send, facts) => send('UpdateMaintenanceWindow', { ...ofWindow(facts), Name: 'other' }),
    DescribeMaintenanceWindows: (send) => send('CreateMaintenanceWindow', window()),
    DescribeMaintenanceWindowSchedule: (send, facts) =>
      send('UpdateMaintenanceWindow', { ...ofWindow(facts), Schedule: 'rate(2 hours)' }),
    DescribeMaintenanceWindowsForTarget: (send, facts) => send('DeleteMaintenanceWindow', ofWindow(facts)),
    DescribeMaintenanceWindowTargets: (send, facts) =>
      send('UpdateMaintenanceWindowTarget', { ...ofTarget(facts), Name: 'other' }),
    GetMaintenanceWindowTask: (send, facts) => send('UpdateMaintenanceWindowTask', { ...ofTask(facts), Name: 'other' }),
    DescribeMaintenanceWindowTasks: (send, facts) =>
      send('UpdateMaintenanceWindowTask', { ...ofTask(facts), Name: 'other' }),
    DescribeMaintenanceWindowExecutions: ran,
    GetMaintenanceWindowExecution: undefined,
    DescribeMaintenanceWindowExecutionTasks: undefined,
    GetMaintenanceWindowExecutionTask: undefined,
    DescribeMaintenanceWindowExecutionTaskInvocations: undefined,
    GetMaintenanceWindowExecutionTaskInvocation: undefined,
    DescribeAssociation: (send, facts) =>
      send('UpdateAssociation', { ...ofAssociation(facts), AssociationName: 'other' }),
    ListAssociations: (send) => send('CreateAssociation', { Name: 'runbook' }),
    ListAssociationVersions: (send, facts) =>
      send('UpdateAssociation', { ...ofAssociation(facts), AssociationName: 'other' }),
    DescribeAssociationExecutions: started,
    DescribeAssociationExecutionTargets: undefined,
    DescribeEffectiveInstanceAssociations: (send) => send('DeleteAssociation', { Name: 'old', InstanceId: NODE }),
    DescribeInstanceAssociationsStatus: (send) => send('DeleteAssociation', { Name: 'old', InstanceId: NODE }),
  },
};
