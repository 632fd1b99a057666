import { createHash } from 'node:crypto';
import type { CreateDocumentCommandInput } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
});
afterAll(() => t[Symbol.asyncDispose]());

const command = (line: string, more: object = {}): string =>
  JSON.stringify({
    schemaVersion: '2.2',
    description: 'says something',
    parameters: { Word: { type: 'String', description: 'what to say', default: 'hello' } },
    mainSteps: [{ action: 'aws:runShellScript', name: 'say', inputs: { runCommand: [`${line} {{ Word }}`] } }],
    ...more,
  });
const create = (Name: string, Content = command('echo'), more: Partial<CreateDocumentCommandInput> = {}) =>
  t.ssm.createDocument({ Name, Content, DocumentType: 'Command', ...more });
const described = async (Name: string, more: object = {}) =>
  (await t.ssm.describeDocument({ Name, ...more })).Document!;

describe('CreateDocument', () => {
  test('creates, describes, reads and lists a document', async () => {
    const Tags = [{ Key: 'team', Value: 'orders' }];
    const made = await create('made', command('echo'), {
      VersionName: 'first',
      TargetType: '/AWS::EC2::Instance',
      Tags,
    });
    const expected = {
      Name: 'made',
      Hash: createHash('sha256').update(command('echo')).digest('hex'),
      HashType: 'Sha256',
      Owner: ACCOUNT,
      DocumentVersion: '1',
      LatestVersion: '1',
      DefaultVersion: '1',
      VersionName: 'first',
      Description: 'says something',
      Parameters: [{ Name: 'Word', Type: 'String', Description: 'what to say', DefaultValue: 'hello' }],
      PlatformTypes: ['Linux', 'MacOS'],
      DocumentType: 'Command',
      SchemaVersion: '2.2',
      DocumentFormat: 'JSON',
      TargetType: '/AWS::EC2::Instance',
      Tags,
    };
    expect(made.DocumentDescription).toMatchObject({ ...expected, Status: 'Creating' });
    expect(await described('made')).toMatchObject({ ...expected, Status: 'Active' });
    expect(await t.ssm.getDocument({ Name: 'made' })).toMatchObject({
      Content: command('echo'),
      DocumentFormat: 'JSON',
      VersionName: 'first',
    });
    const { DocumentIdentifiers } = await t.ssm.listDocuments({ Filters: [{ Key: 'Name', Values: ['made'] }] });
    expect(DocumentIdentifiers).toMatchObject([{ Name: 'made', Owner: ACCOUNT, DocumentVersion: '1' }]);
    expect(await failureOf(create('made'))).toBe('DocumentAlreadyExists: Document with name made already exists');
  });

  test('reads YAML and returns either format', async () => {
    const Content =
      'schemaVersion: "0.3"\ndescription: rests\nmainSteps:\n- name: rest\n  action: aws:sleep\n  inputs: {Duration: PT1S}\n';
    await create('rests', Content, { DocumentFormat: 'YAML', DocumentType: 'Automation' });
    expect((await t.ssm.getDocument({ Name: 'rests', DocumentFormat: 'YAML' })).Content).toBe(Content);
    const { Content: json } = await t.ssm.getDocument({ Name: 'rests' });
    expect(JSON.parse(json!)).toMatchObject({ schemaVersion: '0.3', mainSteps: [{ name: 'rest' }] });
  });

  test.each<[string, string, Partial<CreateDocumentCommandInput>, string]>([
    ['https://example.com', 'JSON', {}, 'InvalidDocumentContent: JSON not well-formed. at Line: 1, Column: 6'],
    ['a: [', 'YAML', { DocumentFormat: 'YAML' }, 'InvalidDocumentContent: YAML not well-formed. at Line: 1, Column: 5'],
    [
      '{"schemaVersion":"3.0"}',
      'version',
      {},
      'InvalidDocumentContent: Document schema version is invalid. Value: 3.0',
    ],
    [
      '{"schemaVersion":"2.0","mainSteps":[]}',
      'type',
      { DocumentType: undefined },
      'InvalidDocumentSchemaVersion: Document type is required for schema version 2.0',
    ],
    [
      '{"a":1}',
      'template',
      { DocumentType: 'CloudFormation' },
      'InvalidDocumentContent: [message: "object has missing required properties ([\\"schemaVersion\\",\\"templateBody\\"])" - parent node: /]',
    ],
    [command('echo {{ Other }}'), 'undeclared', {}, 'InvalidDocumentContent: Parameter "Other" is not declared.'],
    [
      command('echo', { parameters: { Word: { type: 'String', default: 'x', allowedValues: ['a', 'b'] } } }),
      'default',
      {},
      'InvalidDocumentContent: Parameter "Word" has value "x" not found in [a, b].',
    ],
    [
      command('echo', { mainSteps: [{ action: 'aws:unknown', name: 'x' }] }),
      'plugin',
      {},
      'InvalidDocumentContent: Plugin "aws:unknown" is not supported.',
    ],
  ])('rejects %s (%s)', async (content, _what, more, failure) => {
    expect(await failureOf(create('refused', content, more))).toBe(failure);
    expect(await failureOf(described('refused'))).toBe('InvalidDocument: Document with name refused does not exist.');
  });

  test('rejects reserved names and content that is too long', async () => {
    expect(await failureOf(create('AWS-Mine'))).toMatch(/^ValidationException: Invalid document name AWS-Mine/);
    expect(await failureOf(create('a'))).toMatch(/^ValidationException: 1 validation error detected/);
    const long = command('x'.repeat(65_536));
    expect(await failureOf(create('long', long))).toBe(
      'MaxDocumentSizeExceeded: The size limit of a document is 64 KB.',
    );
  });
});

describe('runbooks', () => {
  const runbook = (steps: object[], more: object = {}) =>
    create('runbook', JSON.stringify({ schemaVersion: '0.3', mainSteps: steps, ...more }), {
      DocumentType: 'Automation',
    });
  const branch = (choice: object) => ({
    name: 'choose',
    action: 'aws:branch',
    inputs: { Choices: [{ NextStep: 'choose', ...choice }] },
  });
  test.each<[string, object[], string]>([
    ['no steps', [], 'mainSteps needs at least one step.'],
    [
      'an operator of one part',
      [branch({ Or: [{ Variable: 'x', StringEquals: 'y' }] })],
      'Expect at lease two expressions for operator: Or in step: choose. Provided: 1',
    ],
    [
      'an undeclared parameter',
      [{ name: 'a', action: 'aws:sleep', inputs: { Duration: '{{ Wait }}' } }],
      'Parameter "Wait" is not declared.',
    ],
    [
      'a missing input',
      [{ name: 'a', action: 'aws:executeAwsApi', inputs: { Service: 's3' } }],
      'Step "a" lacks the required input Api.',
    ],
    [
      'an unknown step',
      [{ name: 'a', action: 'aws:pause', nextStep: 'b' }],
      'Step "b", which step "a" names, does not exist.',
    ],
    ['an unknown action', [{ name: 'a', action: 'aws:fly' }], 'Step "a" has an unsupported action: aws:fly.'],
    [
      'two steps of a name',
      [
        { name: 'a', action: 'aws:pause' },
        { name: 'a', action: 'aws:pause' },
      ],
      'Step name "a" is not unique.',
    ],
  ])('rejects %s', async (_what, steps, message) => {
    expect(await failureOf(runbook(steps))).toBe(`InvalidDocumentContent: ${message}`);
  });
});

describe('versions', () => {
  test('adds versions, sets the default and deletes', async () => {
    await create('versions', command('one'), { VersionName: 'a' });
    const update = (Content: string, more: object = {}) =>
      t.ssm.updateDocument({ Name: 'versions', Content, DocumentVersion: '$LATEST', ...more });
    expect((await update(command('two'), { VersionName: 'b' })).DocumentDescription).toMatchObject({
      DocumentVersion: '2',
      LatestVersion: '2',
      DefaultVersion: '1',
      Status: 'Updating',
    });
    expect(await failureOf(update(command('two')))).toMatch(
      /^DuplicateDocumentContent: The content of the association/,
    );
    expect(await failureOf(update(command('three'), { VersionName: 'b' }))).toMatch(/^DuplicateDocumentVersionName/);
    expect(await failureOf(update(command('three'), { DocumentVersion: '1' }))).toBe(
      'InvalidDocumentVersion: Version provided for document versions is not latest. Please provide the latest version to update document versions',
    );
    expect(await described('versions')).toMatchObject({ DocumentVersion: '1', LatestVersion: '2' });
    expect(await described('versions', { VersionName: 'b' })).toMatchObject({ DocumentVersion: '2' });
    const Name = 'versions';
    expect(await failureOf(described(Name, { VersionName: 'b', DocumentVersion: '1' }))).toMatch(
      /^InvalidDocumentVersion/,
    );
    expect(await failureOf(t.ssm.updateDocumentDefaultVersion({ Name, DocumentVersion: '9' }))).toMatch(
      /^InvalidDocumentVersion/,
    );
    expect((await t.ssm.updateDocumentDefaultVersion({ Name, DocumentVersion: '2' })).Description).toEqual({
      Name,
      DefaultVersion: '2',
      DefaultVersionName: 'b',
    });
    expect((await t.ssm.getDocument({ Name })).Content).toBe(command('two'));
    const first = await t.ssm.listDocumentVersions({ Name, MaxResults: 1 });
    expect(first.DocumentVersions).toMatchObject([{ DocumentVersion: '2', IsDefaultVersion: true, VersionName: 'b' }]);
    const { DocumentVersions } = await t.ssm.listDocumentVersions({ Name, NextToken: first.NextToken });
    expect(DocumentVersions).toMatchObject([{ DocumentVersion: '1', IsDefaultVersion: false }]);
    expect(await failureOf(t.ssm.deleteDocument({ Name, DocumentVersion: '2' }))).toBe(
      "InvalidDocumentOperation: Default version of the document can't be deleted.",
    );
    await t.ssm.deleteDocument({ Name, VersionName: 'a' });
    expect(await failureOf(described(Name, { DocumentVersion: '1' }))).toMatch(/^InvalidDocumentVersion/);
    await t.ssm.deleteDocument({ Name });
    expect(await failureOf(t.ssm.getDocument({ Name }))).toMatch(/^InvalidDocument: /);
    expect(await failureOf(t.ssm.deleteDocument({ Name }))).toMatch(/^InvalidDocument: /);
  });

  test('allows one version for documents of schema version 1.2', async () => {
    const old = (line: string) =>
      JSON.stringify({
        schemaVersion: '1.2',
        runtimeConfig: { 'aws:runShellScript': { properties: [{ id: '0.aws:runShellScript', runCommand: [line] }] } },
      });
    await create('older', old('a'), { DocumentType: undefined });
    expect(await failureOf(t.ssm.updateDocument({ Name: 'older', Content: old('b') }))).toBe(
      "InvalidDocumentSchemaVersion: The version of the document schema isn't supported.",
    );
  });
});

describe('sharing', () => {
  test('resolves a shared document by ARN in another account', async () => {
    await create('shared');
    const other = t.client({ accessKeyId: '111111111111' });
    const Name = `arn:aws:ssm:${REGION}:${ACCOUNT}:document/shared`;
    expect(await failureOf(other.describeDocument({ Name }))).toBe(
      `InvalidDocument: Document with name ${Name} does not exist.`,
    );
    const permission = { Name: 'shared', PermissionType: 'Share' as const };
    await t.ssm.modifyDocumentPermission({ ...permission, AccountIdsToAdd: ['111111111111', '222222222222'] });
    const page = await t.ssm.describeDocumentPermission({ ...permission, MaxResults: 1 });
    expect(page.AccountIds).toEqual(['111111111111']);
    expect(page.AccountSharingInfoList).toEqual([{ AccountId: '111111111111', SharedDocumentVersion: '$DEFAULT' }]);
    expect((await t.ssm.describeDocumentPermission({ ...permission, NextToken: page.NextToken })).AccountIds).toEqual([
      '222222222222',
    ]);
    expect((await other.describeDocument({ Name })).Document).toMatchObject({ Name, Owner: ACCOUNT });
    const Filters = [{ Key: 'Owner', Values: ['Private'] }];
    expect((await other.listDocuments({ Filters })).DocumentIdentifiers).toMatchObject([{ Name }]);
    expect(await failureOf(t.ssm.deleteDocument({ Name: 'shared' }))).toMatch(
      /^InvalidDocumentOperation: You attempted to delete a document while it is still shared\./,
    );
    await t.ssm.modifyDocumentPermission({ ...permission, AccountIdsToRemove: ['111111111111', '222222222222'] });
    expect((await t.ssm.describeDocumentPermission(permission)).AccountIds).toEqual([]);
    const setting = { SettingId: '/ssm/documents/console/public-sharing-permission' };
    await t.ssm.updateServiceSetting({ ...setting, SettingValue: 'Disable' });
    const everybody = { ...permission, AccountIdsToAdd: ['All'] };
    expect(await failureOf(t.ssm.modifyDocumentPermission(everybody))).toMatch(/^InvalidPermissionType/);
    // https://github.com/getmoto/moto/blob/master/tests/test_ssm/test_ssm_doc_permissions.py
    for (const AccountIds of [
      { AccountIdsToAdd: ['All', '111111111111'] },
      { AccountIdsToRemove: ['111111111111', 'all'] },
    ])
      expect(await failureOf(t.ssm.modifyDocumentPermission({ ...permission, ...AccountIds }))).toBe(
        'DocumentPermissionLimit: Accounts can either be all or a group of AWS accounts',
      );
    await t.ssm.resetServiceSetting(setting);
    expect(await failureOf(other.describeDocument({ Name }))).toMatch(/^InvalidDocument: /);
    await t.ssm.deleteDocument({ Name: 'shared' });
    expect(await failureOf(t.ssm.describeDocumentPermission(permission))).toMatch(/^InvalidDocument: /);
    expect(await failureOf(t.ssm.modifyDocumentPermission(permission))).toMatch(/^InvalidDocument: /);
  });
});

test("has AWS's own documents and rejects other reserved names", async () => {
  expect(await described('AWS-RunShellScript')).toMatchObject({
    Owner: 'Amazon',
    SchemaVersion: '1.2',
    PlatformTypes: ['Linux', 'MacOS'],
    Parameters: [{ Name: 'commands', Type: 'StringList' }, { Name: 'workingDirectory' }, { Name: 'executionTimeout' }],
  });
  const Filters = [{ Key: 'Owner', Values: ['Amazon'] }];
  const { DocumentIdentifiers } = await t.ssm.listDocuments({ Filters });
  expect(DocumentIdentifiers!.map(({ Name }) => Name)).toEqual([
    'AWS-RunPatchBaseline',
    'AWS-RunPowerShellScript',
    'AWS-RunShellScript',
    'SSM-SessionManagerRunShell',
  ]);
  expect(await failureOf(described('AWS-Unknown'))).toMatch(/^InvalidDocument: /);
  expect(await failureOf(t.ssm.deleteDocument({ Name: 'AWS-RunShellScript' }))).toMatch(/^InvalidDocument: /);
});

test('lists with filters', async () => {
  await create('filtered-a', command('a'), { Tags: [{ Key: 'stage', Value: 'prod' }], TargetType: '/' });
  await create('filtered-b', command('b'));
  const names = async (Key: string, ...Values: string[]) =>
    (
      await t.ssm.listDocuments({
        Filters: [
          { Key, Values },
          { Key: 'Name', Values: ['filtered'] },
        ],
      })
    ).DocumentIdentifiers!.map(({ Name }) => Name);
  expect(await names('Owner', 'Self')).toEqual(['filtered-a', 'filtered-b']);
  expect(await names('tag:stage', 'prod')).toEqual(['filtered-a']);
  expect(await names('tag:stage', 'dev')).toEqual([]);
  expect(await names('TargetType', '/')).toEqual(['filtered-a']);
  expect(await names('PlatformTypes', 'Linux')).toEqual(['filtered-a', 'filtered-b']);
  expect(await names('PlatformTypes', 'Windows')).toEqual([]);
  expect(await names('DocumentType', 'Automation')).toEqual([]);
  expect(await failureOf(names('Colour', 'red'))).toMatch(/^InvalidFilterKey/);
  const DocumentFilterList = [{ key: 'Name' as const, value: 'filtered-b' }];
  expect((await t.ssm.listDocuments({ DocumentFilterList })).DocumentIdentifiers).toMatchObject([
    { Name: 'filtered-b' },
  ]);
  const at = { ResourceType: 'Document' as const, ResourceId: 'filtered-b' };
  await t.ssm.addTagsToResource({ ...at, Tags: [{ Key: 'stage', Value: 'dev' }] });
  expect(await names('tag:stage', 'dev')).toEqual(['filtered-b']);
  await t.ssm.removeTagsFromResource({ ...at, TagKeys: ['stage'] });
  expect((await t.ssm.listTagsForResource(at)).TagList).toEqual([]);
});

test('reviews change templates', async () => {
  const Name = 'template';
  const Content = JSON.stringify({ schemaVersion: '0.3', mainSteps: [{ name: 'a', action: 'aws:approve' }] });
  await create(Name, Content, { DocumentType: 'Automation.ChangeTemplate' });
  expect(await described(Name)).toMatchObject({ ReviewStatus: 'NOT_REVIEWED' });
  const review = (Action: 'SendForReview' | 'UpdateReview' | 'Approve', text: string) =>
    t.ssm.updateDocumentMetadata({ Name, DocumentReviews: { Action, Comment: [{ Type: 'Comment', Content: text }] } });
  expect(await failureOf(review('Approve', 'too early'))).toMatch(/^InvalidDocumentOperation/);
  await review('SendForReview', 'please');
  expect(await described(Name)).toMatchObject({ ReviewStatus: 'PENDING', PendingReviewVersion: '1' });
  await review('UpdateReview', 'please look');
  await review('Approve', 'fine');
  expect(await described(Name)).toMatchObject({ ReviewStatus: 'APPROVED', ApprovedVersion: '1' });
  const { Metadata } = await t.ssm.listDocumentMetadataHistory({ Name, Metadata: 'DocumentReviews' });
  expect(Metadata!.ReviewerResponse).toMatchObject([
    { ReviewStatus: 'PENDING', Comment: [{ Content: 'please look' }] },
    { ReviewStatus: 'APPROVED', Comment: [{ Content: 'fine' }] },
  ]);
  await create('unreviewed');
  const DocumentReviews = { Action: 'SendForReview' as const };
  expect(await failureOf(t.ssm.updateDocumentMetadata({ Name: 'unreviewed', DocumentReviews }))).toMatch(
    /^InvalidDocumentOperation/,
  );
  expect(await failureOf(t.ssm.listDocumentMetadataHistory({ Name: 'none', Metadata: 'DocumentReviews' }))).toMatch(
    /^InvalidDocument: /,
  );
});

test('accepts a change calendar in iCalendar format', async () => {
  const calendar = (type: string) =>
    [
      'BEGIN:VCALENDAR',
      'PRODID:-//AWS//Change Calendar 1.0//EN',
      'VERSION:2.0',
      `X-CALENDAR-TYPE:${type}`,
      'END:VCALENDAR',
    ].join('\r\n');
  const make = (Content: string, DocumentFormat: 'TEXT' | 'JSON' = 'TEXT') =>
    create('calendar', Content, { DocumentType: 'ChangeCalendar', DocumentFormat });
  expect(await failureOf(make('{}', 'JSON'))).toMatch(/^InvalidDocumentContent/);
  expect(await failureOf(make('no calendar'))).toMatch(/^InvalidDocumentContent/);
  expect(await failureOf(make(calendar('OPEN')))).toMatch(/^InvalidDocumentContent/);
  await make(calendar('DEFAULT_OPEN'));
  expect(await t.ssm.getDocument({ Name: 'calendar' })).toMatchObject({
    Content: calendar('DEFAULT_OPEN'),
    DocumentFormat: 'TEXT',
  });
});
