import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ACCOUNT, failureOf, REGION, type StackTest, startStacks, thing } from './support.ts';

const TYPE = 'Test::Thing::Thing';
const DAY = 24 * 60 * 60 * 1000;

async function until<Answer>(ask: () => Promise<Answer>, done: (answer: Answer) => boolean): Promise<Answer> {
  for (let turn = 0; turn < 1000; turn++) {
    const answer = await ask();
    if (done(answer)) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('it does not end');
}

async function scanned(emu: StackTest, more: object = {}): Promise<string> {
  const { ResourceScanId } = await emu.cfn.startResourceScan(more);
  await until(
    () => emu.cfn.describeResourceScan({ ResourceScanId }),
    ({ Status }) => Status !== 'IN_PROGRESS',
  );
  return ResourceScanId!;
}

const written = (emu: StackTest, GeneratedTemplateName: string) =>
  until(
    () => emu.cfn.describeGeneratedTemplate({ GeneratedTemplateName }),
    ({ Status }) => !/_(PENDING|IN_PROGRESS)$/.test(Status!),
  );

/** Creates things outside of stacks; one contains the name of another. */
async function start(): Promise<StackTest> {
  const emu = await startStacks();
  emu.things.set('first', {
    id: 'first',
    properties: { Name: 'first', Value: '1', Tags: [{ Key: 'team', Value: 'x' }] },
  });
  emu.things.set('second', {
    id: 'second',
    properties: { Name: 'second', Value: 'arn:first', Settings: { to: 'first' } },
  });
  await emu.create('s', { Resources: { A: thing({ Name: 'managed' }) } });
  return emu;
}

test('a scan finds resources with tags and relations, and marks those in stacks', async () => {
  await using emu = await start();
  const ResourceScanId = await scanned(emu);
  expect(ResourceScanId).toMatch(
    new RegExp(`^arn:aws:cloudformation:${REGION}:${ACCOUNT}:resourceScan/[-0-9a-f]{36}$`),
  );
  expect(await emu.cfn.describeResourceScan({ ResourceScanId })).toMatchObject({
    Status: 'COMPLETE',
    PercentageCompleted: 100,
    ResourceTypes: [TYPE],
    ResourcesScanned: 3,
    ResourcesRead: 3,
  });
  const { Resources } = await emu.cfn.listResourceScanResources({ ResourceScanId });
  const found = Resources!.map(({ ResourceIdentifier, ManagedByStack }) => [ResourceIdentifier!.Name, ManagedByStack]);
  expect(found).toEqual([
    ['first', false],
    ['second', false],
    ['managed', true],
  ]);
  const tagged = await emu.cfn.listResourceScanResources({ ResourceScanId, TagKey: 'team', TagValue: 'x' });
  expect(tagged.Resources).toMatchObject([{ ResourceIdentifier: { Name: 'first' } }]);
  const none = await emu.cfn.listResourceScanResources({ ResourceScanId, ResourceTypePrefix: 'AWS::' });
  expect(none.Resources).toEqual([]);
  const one = await emu.cfn.listResourceScanResources({ ResourceScanId, ResourceIdentifier: 'second' });
  expect(one.Resources).toHaveLength(1);
  const related = await emu.cfn.listResourceScanRelatedResources({
    ResourceScanId,
    Resources: [{ ResourceType: TYPE, ResourceIdentifier: { Name: 'first' } }],
  });
  expect(related.RelatedResources).toMatchObject([{ ResourceIdentifier: { Name: 'second' } }]);

  const partial = await scanned(emu, { ScanFilters: [{ Types: ['Test::*'] }], ClientRequestToken: 'once' });
  expect((await emu.cfn.startResourceScan({ ClientRequestToken: 'once' })).ResourceScanId).toBe(partial);
  const full = await emu.cfn.listResourceScans({});
  expect(full.ResourceScanSummaries).toMatchObject([{ ResourceScanId, ScanType: 'FULL' }]);
  const others = await emu.cfn.listResourceScans({ ScanTypeFilter: 'PARTIAL' });
  expect(others.ResourceScanSummaries).toMatchObject([{ ResourceScanId: partial, ScanType: 'PARTIAL' }]);
  await emu.emulator.kernel.clock.advance(31 * DAY);
  expect((await emu.cfn.describeResourceScan({ ResourceScanId })).Status).toBe('EXPIRED');
  expect(await failureOf(emu.cfn.listResourceScanResources({ ResourceScanId }))).toContain('EXPIRED');
});

test('rejects unknown scans, types and resources', async () => {
  await using emu = await start();
  const { cfn } = emu;
  const ResourceScanId = `arn:aws:cloudformation:${REGION}:${ACCOUNT}:resourceScan/00000000-0000-0000-0000-000000000000`;
  expect(await failureOf(cfn.describeResourceScan({ ResourceScanId }))).toContain('ResourceScanNotFound');
  expect(await failureOf(cfn.startResourceScan({ ScanFilters: [{ Types: ['AWS::Shop::*'] }] }))).toBe(
    'ValidationError: Resource type AWS::Shop::* is not supported',
  );
  const scan = await scanned(emu);
  const Resources = [{ ResourceType: TYPE, ResourceIdentifier: { Name: 'none' } }];
  expect(await failureOf(cfn.listResourceScanRelatedResources({ ResourceScanId: scan, Resources }))).toContain(
    'is not part of the resource scan',
  );
  let release: () => void = () => undefined;
  emu.held.set('list', new Promise((resolve) => (release = resolve)));
  await cfn.startResourceScan({});
  expect(await failureOf(cfn.startResourceScan({}))).toContain('ResourceScanInProgress');
  release();
});

const resource = (Name: string, LogicalResourceId?: string) => ({
  ResourceType: TYPE,
  ResourceIdentifier: { Name },
  ...(LogicalResourceId && { LogicalResourceId }),
});

test('generates a template from resources that can be imported with it', async () => {
  await using emu = await start();
  const { cfn } = emu;
  const { GeneratedTemplateId } = await cfn.createGeneratedTemplate({
    GeneratedTemplateName: 't',
    Resources: [resource('first', 'One'), resource('second', 'Two')],
  });
  expect(await written(emu, 't')).toMatchObject({
    GeneratedTemplateId,
    Status: 'COMPLETE',
    Progress: { ResourcesSucceeded: 2, ResourcesFailed: 0, ResourcesPending: 0 },
    TemplateConfiguration: { DeletionPolicy: 'RETAIN', UpdateReplacePolicy: 'RETAIN' },
    TotalWarnings: 0,
  });
  const { TemplateBody } = await cfn.getGeneratedTemplate({ GeneratedTemplateName: 't' });
  expect(JSON.parse(TemplateBody!)).toEqual({
    Metadata: { TemplateId: GeneratedTemplateId },
    Resources: {
      One: {
        UpdateReplacePolicy: 'Retain',
        Type: TYPE,
        DeletionPolicy: 'Retain',
        Properties: { Name: 'first', Value: '1', Tags: [{ Key: 'team', Value: 'x' }] },
      },
      Two: {
        UpdateReplacePolicy: 'Retain',
        Type: TYPE,
        DeletionPolicy: 'Retain',
        Properties: { Name: 'second', Value: { 'Fn::GetAtt': ['One', 'Arn'] }, Settings: { to: { Ref: 'One' } } },
      },
    },
  });
  await cfn.createChangeSet({
    StackName: 'imported',
    ChangeSetName: 'c',
    ChangeSetType: 'IMPORT',
    TemplateBody,
    ResourcesToImport: [
      { ...resource('first'), LogicalResourceId: 'One' },
      { ...resource('second'), LogicalResourceId: 'Two' },
    ],
  });
  await cfn.executeChangeSet({ StackName: 'imported', ChangeSetName: 'c' });
  expect((await emu.settled('imported')).StackStatus).toBe('IMPORT_COMPLETE');
  expect(
    (await cfn.detectStackResourceDrift({ StackName: 'imported', LogicalResourceId: 'Two' })).StackResourceDrift,
  ).toMatchObject({
    StackResourceDriftStatus: 'IN_SYNC',
  });

  emu.things.set('first', { id: 'first', properties: { Name: 'first', Value: '9' } });
  await cfn.updateGeneratedTemplate({
    GeneratedTemplateName: 't',
    NewGeneratedTemplateName: 'u',
    RemoveResources: ['Two'],
    RefreshAllResources: true,
    TemplateConfiguration: { DeletionPolicy: 'DELETE' },
  });
  await written(emu, 'u');
  const yaml = await cfn.getGeneratedTemplate({ GeneratedTemplateName: 'u', Format: 'YAML' });
  expect(parse(yaml.TemplateBody!)).toMatchObject({
    Resources: { One: { DeletionPolicy: 'Delete', Properties: { Name: 'first', Value: '9' } } },
  });
  expect((await cfn.listGeneratedTemplates({})).Summaries).toMatchObject([
    { GeneratedTemplateName: 'u', NumberOfResources: 1, Status: 'COMPLETE' },
  ]);
  await cfn.deleteGeneratedTemplate({ GeneratedTemplateName: 'u' });
  expect(await failureOf(cfn.describeGeneratedTemplate({ GeneratedTemplateName: 'u' }))).toContain(
    'GeneratedTemplateNotFound',
  );
});

test('generates a template based on a stack, and fails for missing resources', async () => {
  await using emu = await start();
  const { cfn } = emu;
  await cfn.createGeneratedTemplate({ GeneratedTemplateName: 't', StackName: 's', Resources: [resource('first')] });
  const described = await written(emu, 't');
  expect(described.StackId).toContain(':stack/s/');
  expect(described.Resources![0]!.LogicalResourceId).toMatch(/^ThingThing00first00[A-Za-z]{5}$/);
  const { TemplateBody } = await cfn.getGeneratedTemplate({ GeneratedTemplateName: 't' });
  expect(Object.keys(JSON.parse(TemplateBody!).Resources)).toEqual(['A', described.Resources![0]!.LogicalResourceId]);
  expect(await failureOf(cfn.createGeneratedTemplate({ GeneratedTemplateName: 't' }))).toContain('AlreadyExists');
  await cfn.createGeneratedTemplate({ GeneratedTemplateName: 'bad', Resources: [resource('none', 'None')] });
  expect(await written(emu, 'bad')).toMatchObject({
    Status: 'FAILED',
    Resources: [{ ResourceStatus: 'FAILED', ResourceStatusReason: expect.stringContaining('was not found') }],
  });
  expect((await cfn.getGeneratedTemplate({ GeneratedTemplateName: 'bad' })).TemplateBody).toBe('{}');
});
