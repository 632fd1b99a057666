import { createHash } from 'node:crypto';
import { makeFleet, node } from '../../../../packages/svc-ssm/test/nodes.ts';
import type { Facts, Scenario, Send } from '../scenario.ts';

const NODE = 'i-00000000000000001';
const SILENT = 'i-0000000000000000f';
const ROLE = 'arn:aws:iam::123456789012:role/notify';
const FUTURE = '2100-01-01T00:00:00Z';

const command = (line: string): string =>
  JSON.stringify({
    schemaVersion: '2.2',
    description: 'says something',
    parameters: { Word: { type: 'String', default: 'hello' } },
    mainSteps: [{ action: 'aws:runShellScript', name: 'says', inputs: { runCommand: [`${line} {{ Word }}`] } }],
  });
const hold = { name: 'hold', action: 'aws:pause', inputs: {} };
const runbook = (...steps: object[]): string =>
  JSON.stringify({
    schemaVersion: '0.3',
    parameters: { Id: { type: 'String', default: 'none' } },
    mainSteps: steps,
    outputs: ['variable:Seen'],
    variables: { Seen: { type: 'String', default: 'no' } },
  });
const template = (autoApprovable: boolean): string =>
  JSON.stringify({
    schemaVersion: '0.3',
    autoApprovable,
    parameters: { Id: { type: 'String', default: 'none' } },
    mainSteps: [{ name: 'ask', action: 'aws:approve', inputs: { Approvers: ['arn:aws:iam::123456789012:root'] } }],
  });
const calendar = [
  'BEGIN:VCALENDAR',
  'PRODID:-//AWS//Change Calendar 1.0//EN',
  'VERSION:2.0',
  'X-CALENDAR-TYPE:DEFAULT_OPEN',
  'BEGIN:VEVENT',
  'UID:freeze',
  'DTSTAMP:20240101T000000Z',
  'DTSTART:20990101T000000Z',
  'DTEND:20990102T000000Z',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

const ofDocument = () => ({ Name: 'known-document' });
const ofExecution = (facts: Facts) => ({ AutomationExecutionId: facts.execution });
const ofCommand = (facts: Facts) => ({ CommandId: facts.command });
const Parameters = { Word: ['hi'] };
const targets = (...Values: string[]) => ({ TargetParameterName: 'Id', Targets: [{ Key: 'ParameterValues', Values }] });

/** Creates documents, waiting executions, a command without responses, an activation and a session. */
async function setUp(send: Send): Promise<Facts> {
  const make = (Name: string, Content: string, DocumentType: string, more: object = {}) =>
    send('CreateDocument', { Name, Content, DocumentType, ...more });
  await make('known-document', command('one'), 'Command', {
    VersionName: 'first',
    TargetType: '/AWS::EC2::Instance',
    Tags: [{ Key: 'team', Value: 'a' }],
  });
  await send('UpdateDocument', {
    ...ofDocument(),
    Content: command('two'),
    VersionName: 'second',
    DocumentVersion: '$LATEST',
  });
  await send('ModifyDocumentPermission', {
    ...ofDocument(),
    PermissionType: 'Share',
    AccountIdsToAdd: ['111111111111'],
  });
  await make('unshared', command('one'), 'Command');
  await send('UpdateDocument', { Name: 'unshared', Content: command('two'), VersionName: 'second' });
  await make('known-runbook', runbook(hold), 'Automation');
  await send('UpdateDocument', { Name: 'known-runbook', Content: runbook(hold, { ...hold, name: 'again' }) });
  for (const [Name, content] of [
    ['known-template', template(true)],
    ['new-template', template(false)],
  ] as const)
    await make(Name, content, 'Automation.ChangeTemplate');
  for (const Action of ['SendForReview', 'Approve'])
    await send('UpdateDocumentMetadata', { Name: 'known-template', DocumentReviews: { Action } });
  await make('known-schema', '{}', 'ApplicationConfigurationSchema');
  await make('known-calendar', calendar, 'ChangeCalendar', { DocumentFormat: 'TEXT' });
  const { AutomationExecutionId: execution } = await send('StartAutomationExecution', {
    DocumentName: 'known-runbook',
  });
  const { AutomationExecution } = await send('GetAutomationExecution', { AutomationExecutionId: execution });
  const [step] = (AutomationExecution as { StepExecutions: { StepExecutionId: string }[] }).StepExecutions;
  const sent = await send('SendCommand', { DocumentName: 'known-document', InstanceIds: [SILENT], Parameters });
  const { ActivationId, ActivationCode } = await send('CreateActivation', { IamRole: 'hybrid', RegistrationLimit: 9 });
  const { InstanceId } = await send('RegisterManagedInstance', { ActivationId, ActivationCode });
  const { SessionId } = await send('StartSession', { Target: NODE, Reason: 'look' });
  const { ExecutionPreviewId } = await send('StartExecutionPreview', { DocumentName: 'known-runbook' });
  return {
    execution: String(execution),
    step: step!.StepExecutionId,
    command: (sent.Command as { CommandId: string }).CommandId,
    activation: String(ActivationId),
    instance: String(InstanceId),
    session: String(SessionId),
    preview: String(ExecutionPreviewId),
  };
}

/** Returns every document with its versions and shares, execution, command, activation, node and session. */
async function observe(send: Send): Promise<unknown> {
  const { DocumentIdentifiers } = await send('ListDocuments', { Filters: [{ Key: 'Owner', Values: ['Self'] }] });
  const documents = (DocumentIdentifiers as { Name: string }[]).map(async ({ Name }) => [
    (await send('DescribeDocument', { Name, DocumentVersion: '$LATEST' })).Document,
    (await send('ListDocumentVersions', { Name })).DocumentVersions,
    (await send('DescribeDocumentPermission', { Name, PermissionType: 'Share' })).AccountSharingInfoList,
    (await send('ListDocumentMetadataHistory', { Name, Metadata: 'DocumentReviews', DocumentVersion: '$LATEST' }))
      .Metadata,
  ]);
  const { AutomationExecutionMetadataList } = await send('DescribeAutomationExecutions', {});
  const executions = (AutomationExecutionMetadataList as { AutomationExecutionId: string }[]).map(
    async ({ AutomationExecutionId }) =>
      (await send('GetAutomationExecution', { AutomationExecutionId })).AutomationExecution,
  );
  return [
    await Promise.all(documents),
    await Promise.all(executions),
    (await send('ListCommands', {})).Commands,
    (await send('ListCommandInvocations', { Details: true })).CommandInvocations,
    (await send('DescribeActivations', {})).ActivationList,
    (await send('DescribeInstanceInformation', {})).InstanceInformationList,
    (await send('DescribeSessions', { State: 'Active' })).Sessions,
    (await send('DescribeSessions', { State: 'History' })).Sessions,
  ];
}

const started = (send: Send) => send('StartAutomationExecution', { DocumentName: 'known-runbook' });
const stopped = (send: Send, facts: Facts) => send('StopAutomationExecution', ofExecution(facts));
const cancelled = (send: Send, facts: Facts) => send('CancelCommand', ofCommand(facts));
const made = (send: Send) =>
  send('CreateDocument', { Name: 'another', Content: command('x'), DocumentType: 'Command' });
const updated = (send: Send) =>
  send('UpdateDocument', { ...ofDocument(), Content: command('three'), DocumentVersion: '$LATEST' });
const redefined = (send: Send) => send('UpdateDocumentDefaultVersion', { ...ofDocument(), DocumentVersion: '2' });
const deregistered = (send: Send, { instance }: Facts) => send('DeregisterManagedInstance', { InstanceId: instance });
const ended = (send: Send, { session }: Facts) => send('TerminateSession', { SessionId: session });

/** Fake nodes of EC2: one that responds, and one that does not. */
export const fleet = makeFleet(
  node(NODE, { name: 'first', tags: { stage: 'prod' } }),
  node(SILENT, { online: false, tags: { stage: 'dev' } }),
);

/** Documents, Automation, Run Command, nodes, sessions and calendars. */
export const documents = {
  setUp,
  observe,
  deviations: [
    {
      path: /(outputs|overriddenParameters|parameters|variables)$/,
      reason: 'AWS shows an empty object where there are none',
    },
    { path: /RegistrationsCount$/, reason: 'an activation that nobody has used has a count of 0' },
    { path: /[nN]otification(Type|Arn)$/, reason: 'AWS shows empty texts where a command notifies nobody' },
    {
      path: /cloudWatchLogGroupName$|outputS3(BucketName|KeyPrefix)$/,
      reason: 'AWS shows an empty text where a command writes to neither logs nor a bucket',
    },
    { path: /(pluginName|DateTime|ElapsedTime)$/, reason: 'AWS shows empty texts before a command has begun' },
    { path: /Parameters\[\]\.Type$/, reason: 'runbooks have parameters of more types than the model lists' },
  ],
  inputs: {
    CancelCommand: ofCommand,
    CreateActivation: () => ({ IamRole: 'other' }),
    CreateDocument: () => ({ Name: 'new-document', Content: command('new'), DocumentType: 'Command' }),
    DeleteActivation: ({ activation }) => ({ ActivationId: activation }),
    DeleteDocument: () => ({ Name: 'unshared' }),
    DeregisterManagedInstance: ({ instance }) => ({ InstanceId: instance }),
    DescribeAutomationStepExecutions: ofExecution,
    DescribeDocument: ofDocument,
    DescribeDocumentPermission: () => ({ ...ofDocument(), PermissionType: 'Share' }),
    DescribeSessions: () => ({ State: 'Active' }),
    GetAutomationExecution: ofExecution,
    GetCalendarState: () => ({ CalendarNames: ['known-calendar'] }),
    GetCommandInvocation: (facts) => ({ ...ofCommand(facts), InstanceId: SILENT }),
    GetConnectionStatus: () => ({ Target: NODE }),
    GetDocument: ofDocument,
    GetExecutionPreview: ({ preview }) => ({ ExecutionPreviewId: preview }),
    ListDocumentMetadataHistory: () => ({ Name: 'known-template', Metadata: 'DocumentReviews' }),
    ListDocumentVersions: ofDocument,
    ModifyDocumentPermission: () => ({ ...ofDocument(), PermissionType: 'Share', AccountIdsToAdd: ['222222222222'] }),
    ResumeSession: ({ session }) => ({ SessionId: session }),
    SendAutomationSignal: (facts) => ({
      ...ofExecution(facts),
      SignalType: 'Resume',
      Payload: { StepExecutionId: [facts.step!] },
    }),
    SendCommand: () => ({ DocumentName: 'known-document', InstanceIds: [SILENT] }),
    StartAutomationExecution: () => ({ DocumentName: 'known-runbook' }),
    StartChangeRequestExecution: () => ({
      DocumentName: 'known-template',
      Runbooks: [{ DocumentName: 'known-runbook' }],
    }),
    StartExecutionPreview: () => ({ DocumentName: 'known-runbook' }),
    StartSession: () => ({ Target: NODE }),
    StopAutomationExecution: ofExecution,
    TerminateSession: ({ session }) => ({ SessionId: session }),
    UpdateDocument: () => ({ Name: 'unshared', Content: command('three') }),
    UpdateDocumentDefaultVersion: () => ({ ...ofDocument(), DocumentVersion: '2' }),
    UpdateDocumentMetadata: () => ({ Name: 'new-template', DocumentReviews: { Action: 'SendForReview' } }),
    UpdateManagedInstanceRole: ({ instance }) => ({ InstanceId: instance, IamRole: 'changed' }),
  },
  also: {
    AddTagsToResource: [
      () => ({ ResourceType: 'Document', ResourceId: 'known-document', Tags: [{ Key: 'new', Value: 'x' }] }),
    ],
    CreateDocument: [
      () => ({ Name: 'new-calendar', Content: calendar, DocumentType: 'ChangeCalendar', DocumentFormat: 'TEXT' }),
      () => ({
        Name: 'new-configuration',
        Content: '{}',
        DocumentType: 'ApplicationConfiguration',
        Requires: [{ Name: 'known-document', Version: '1' }],
      }),
    ],
    DeleteDocument: [
      () => ({ Name: 'known-schema', Force: true }),
      () => ({ ...ofDocument(), DocumentVersion: '2' }),
      () => ({ ...ofDocument(), VersionName: 'second' }),
    ],
    DescribeActivations: [
      ({ activation }) => ({ Filters: [{ FilterKey: 'ActivationIds', FilterValues: [activation!] }] }),
    ],
    DescribeInstanceInformation: [
      () => ({ Filters: [{ Key: 'PlatformTypes', Values: ['Linux'] }] }),
      () => ({ InstanceInformationFilterList: [{ key: 'ResourceType', valueSet: ['ManagedInstance'] }] }),
    ],
    DescribeInstanceProperties: [
      () => ({ FiltersWithOperator: [{ Key: 'InstanceIds', Values: [NODE], Operator: 'Equal' }] }),
      () => ({ InstancePropertyFilterList: [{ key: 'ResourceType', valueSet: ['ManagedInstance'] }] }),
    ],
    ListDocuments: [
      () => ({ Filters: [{ Key: 'Owner', Values: ['Self'] }] }),
      () => ({ DocumentFilterList: [{ key: 'Name', value: 'known' }] }),
    ],
    SendCommand: [
      ...(['Sha256', 'Sha1'] as const).map((DocumentHashType) => () => ({
        DocumentName: 'known-document',
        InstanceIds: [SILENT],
        DocumentHash: createHash(DocumentHashType.toLowerCase()).update(command('one')).digest('hex'),
        DocumentHashType,
      })),
      () => ({ DocumentName: 'known-document', Targets: [{ Key: 'tag:stage', Values: ['prod'] }], Parameters }),
      () => ({
        DocumentName: 'known-document',
        InstanceIds: [SILENT],
        ServiceRoleArn: ROLE,
        NotificationConfig: {
          NotificationArn: 'arn:aws:sns:us-east-1:123456789012:topic',
          NotificationEvents: ['All'],
          NotificationType: 'Command',
        },
      }),
    ],
    StartAutomationExecution: [
      () => ({ DocumentName: 'known-runbook', ...targets('a', 'b'), MaxConcurrency: '1', MaxErrors: '1' }),
      () => ({ DocumentName: 'known-runbook', TargetMaps: [{ Id: ['a'] }, { Id: ['b'] }] }),
      () => ({
        DocumentName: 'known-runbook',
        TargetLocations: [{ Accounts: ['123456789012'], Regions: ['us-east-1'] }],
      }),
    ],
    StartChangeRequestExecution: [
      () => ({
        DocumentName: 'known-template',
        Runbooks: [{ DocumentName: 'known-runbook', ...targets('a', 'b') }],
        AutoApprove: true,
      }),
    ],
    StartExecutionPreview: [
      () => ({
        DocumentName: 'known-runbook',
        ExecutionInputs: {
          Automation: {
            TargetParameterName: 'Id',
            TargetLocations: [{ Accounts: ['123456789012'], Targets: [{ Key: 'ParameterValues', Values: ['a'] }] }],
          },
        },
      }),
      () => ({ DocumentName: 'known-runbook', ExecutionInputs: { Automation: targets('a', 'b') } }),
    ],
  },
  values: {
    'CreateDocument.Content': [command('other')],
    'UpdateDocument.Content': [command('other'), command('another')],
    'UpdateDocument.DocumentVersion': ['$LATEST', '2'],
    'DescribeDocument.DocumentVersion': ['1', '2'],
    'DescribeDocument.VersionName': ['first', 'second'],
    'GetDocument.DocumentVersion': ['1', '2'],
    'GetDocument.VersionName': ['first', 'second'],
    'DeleteDocument.VersionName': ['second'],
    'ModifyDocumentPermission.AccountIdsToRemove': [['111111111111']],
    'ModifyDocumentPermission.SharedDocumentVersion': ['1', '2'],
    'UpdateDocumentMetadata.DocumentVersion': ['1'],
    'ListDocumentMetadataHistory.DocumentVersion': ['1'],
    'StartAutomationExecution.DocumentVersion': ['1', '2', '$LATEST'],
    'StartAutomationExecution.Parameters': [{ Id: ['x'] }, { Id: ['y'] }],
    'StartChangeRequestExecution.Parameters': [{ Id: ['x'] }, { Id: ['y'] }],
    'StartChangeRequestExecution.ScheduledTime': [new Date(FUTURE)],
    'StartChangeRequestExecution.ScheduledEndTime': [new Date(FUTURE)],
    'StartExecutionPreview.ExecutionInputs.Automation.Parameters': [{ Id: ['x'] }, { Other: ['y'] }],
    'StartExecutionPreview.DocumentVersion': ['1', '2'],
    'SendCommand.DocumentVersion': ['1', '2'],
    'SendCommand.Parameters': [{ Word: ['x'] }],
    'CancelCommand.InstanceIds': [[SILENT]],
    'ListCommands.InstanceId': [SILENT, NODE],
    'ListCommandInvocations.InstanceId': [SILENT, NODE],
    'GetCommandInvocation.PluginName': ['says', 'aws:runShellScript'],
    'GetCalendarState.AtTime': ['2099-01-01T12:00:00Z', '2099-02-01T12:00:00Z'],
    'CreateActivation.ExpirationDate': [],
    'StartSession.DocumentName': ['SSM-SessionManagerRunShell'],
    'ListDocuments.Filters[].Key': ['Name', 'Owner', 'DocumentType'],
  },
  after: {
    StartExecutionPreview: (send, _facts, { ExecutionPreviewId }) =>
      send('GetExecutionPreview', { ExecutionPreviewId }),
  },
  reads: {
    DescribeActivations: (send, { activation }) => send('DeleteActivation', { ActivationId: activation }),
    DescribeAutomationExecutions: started,
    DescribeAutomationStepExecutions: stopped,
    DescribeDocument: updated,
    DescribeDocumentPermission: (send) =>
      send('ModifyDocumentPermission', { ...ofDocument(), PermissionType: 'Share', AccountIdsToAdd: ['333333333333'] }),
    DescribeInstanceInformation: deregistered,
    DescribeInstanceProperties: deregistered,
    DescribeSessions: ended,
    GetAutomationExecution: stopped,
    GetCalendarState: (send) =>
      send('UpdateDocument', {
        Name: 'known-calendar',
        Content: calendar.replace('DEFAULT_OPEN', 'DEFAULT_CLOSED'),
        DocumentFormat: 'TEXT',
      }).then(() => send('UpdateDocumentDefaultVersion', { Name: 'known-calendar', DocumentVersion: '2' })),
    GetCommandInvocation: cancelled,
    GetConnectionStatus: undefined,
    GetDocument: redefined,
    GetExecutionPreview: undefined,
    ListCommandInvocations: cancelled,
    ListCommands: cancelled,
    ListDocumentMetadataHistory: undefined,
    ResumeSession: undefined,
    StartExecutionPreview: undefined,
    ListDocumentVersions: updated,
    ListDocuments: made,
  },
} satisfies Partial<Scenario> & { setUp(send: Send): Promise<Facts> };
