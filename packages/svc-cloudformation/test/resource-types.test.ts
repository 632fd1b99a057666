import { functionHosts, type OperationContext, provide, type ServiceManifest } from '@emu/core/service';
import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { expect, test } from 'vitest';
import { failureOf, startStacks, thing } from './support.ts';

type Event = Record<string, unknown> & { ResponseURL: string; RequestType: string };

/** Lambda that responds to custom resources as the test sets, and expands macros. */
function fakeLambda(answer: (event: Event) => object | undefined) {
  const events: Event[] = [];
  const manifest = fakeService('lambda', {
    Invoke: async ({ Payload }: { Payload?: Uint8Array }, _ctx: OperationContext) => {
      const event = JSON.parse(Buffer.from(Payload!).toString()) as Event;
      if (event.fragment !== undefined) return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer(event))) };
      events.push(event);
      const body = answer(event);
      // Like AWS's functions, responds at the URL some time after the invocation. The stack shows the outcome, because
      // a test may close the emulator before it acknowledges the response.
      if (body)
        setImmediate(() => {
          fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(body) }).catch(() => undefined);
        });
      return { StatusCode: 202 };
    },
  });
  return { manifest, events };
}

const TOKEN = 'arn:aws:lambda:us-east-1:000000000000:function:f';
const custom = (Properties: object) => ({ Type: 'Custom::Thing', Properties: { ServiceToken: TOKEN, ...Properties } });

test('a function creates, updates, replaces and deletes a custom resource', async () => {
  let version = 1;
  const lambda = fakeLambda(({ RequestType, PhysicalResourceId }) => ({
    Status: 'SUCCESS',
    PhysicalResourceId: RequestType === 'Delete' ? PhysicalResourceId : `id-${version}`,
    Data: { Value: `v${version}`, Deep: { Down: 'x' } },
  }));
  await using emu = await startStacks([lambda.manifest]);
  const template = (Size: number) => ({
    Resources: { C: custom({ Size, Flag: true }), A: thing({ Value: { 'Fn::GetAtt': ['C', 'Value'] } }) },
    Outputs: { Ref: { Value: { Ref: 'C' } }, Down: { Value: { 'Fn::GetAtt': ['C', 'Deep.Down'] } } },
  });
  expect(await emu.create('s', template(1))).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    Outputs: [
      { OutputKey: 'Ref', OutputValue: 'id-1' },
      { OutputKey: 'Down', OutputValue: 'x' },
    ],
  });
  expect(lambda.events[0]).toMatchObject({
    RequestType: 'Create',
    LogicalResourceId: 'C',
    ResourceType: 'Custom::Thing',
    ResourceProperties: { ServiceToken: TOKEN, Size: '1', Flag: 'true' },
  });
  await emu.update('s', template(2));
  expect(lambda.events[1]).toMatchObject({
    RequestType: 'Update',
    PhysicalResourceId: 'id-1',
    OldResourceProperties: { Size: '1' },
    ResourceProperties: { Size: '2' },
  });
  version = 2;
  expect(await emu.update('s', template(3))).toMatchObject({ StackStatus: 'UPDATE_COMPLETE' });
  expect(
    lambda.events.slice(2).map(({ RequestType, PhysicalResourceId }) => [RequestType, PhysicalResourceId]),
  ).toEqual([
    ['Update', 'id-1'],
    ['Delete', 'id-1'],
  ]);
  expect([...emu.things.values()][0]!.properties).toEqual({ Value: 'v2' });
  const [{ StackId }] = (await emu.cfn.describeStacks({})).Stacks as unknown as [{ StackId: string }];
  await emu.cfn.deleteStack({ StackName: 's' });
  expect((await emu.settled(StackId)).StackStatus).toBe('DELETE_COMPLETE');
  expect(lambda.events.at(-1)).toMatchObject({ RequestType: 'Delete', PhysicalResourceId: 'id-2' });
});

test('a rollback restores a custom resource and deletes its replacement', async () => {
  const lambda = fakeLambda(({ RequestType, PhysicalResourceId, ResourceProperties }) => {
    const { Id, Broken } = ResourceProperties as Record<string, string>;
    if (RequestType === 'Delete') return { Status: 'SUCCESS', PhysicalResourceId };
    if (Broken !== undefined) return { Status: 'FAILED', Reason: 'broken', PhysicalResourceId };
    return { Status: 'SUCCESS', PhysicalResourceId: Id, Data: { Value: `of ${Id}` } };
  });
  await using emu = await startStacks([lambda.manifest]);
  const template = (properties: object, Fail?: string) => ({
    Resources: { C: custom(properties), A: { ...thing({ Fail }), DependsOn: 'C' } },
    Outputs: { Value: { Value: { 'Fn::GetAtt': ['C', 'Value'] } } },
  });
  const requests = (from: number) =>
    lambda.events
      .slice(from)
      .map(({ RequestType, PhysicalResourceId, ResourceProperties, OldResourceProperties }) => [
        RequestType,
        PhysicalResourceId,
        ...[ResourceProperties, OldResourceProperties].map((one) => (one as { Id: string } | undefined)?.Id),
      ]);
  await emu.create('s', template({ Id: 'one' }));
  expect(await emu.update('s', template({ Id: 'two' }, 'update'))).toMatchObject({
    StackStatus: 'UPDATE_ROLLBACK_COMPLETE',
    Outputs: [{ OutputKey: 'Value', OutputValue: 'of one' }],
  });
  expect(requests(1)).toEqual([
    ['Update', 'one', 'two', 'one'],
    ['Update', 'one', 'one', 'two'],
    ['Delete', 'two', 'two', undefined],
  ]);
  // The failed properties are sent as the old ones.
  await emu.update('s', template({ Id: 'three', Broken: 'yes' }));
  expect(requests(4)).toEqual([
    ['Update', 'one', 'three', 'one'],
    ['Update', 'one', 'one', 'three'],
  ]);
  const { StackResources } = await emu.cfn.describeStackResources({ StackName: 's', LogicalResourceId: 'C' });
  expect(StackResources).toMatchObject([{ PhysicalResourceId: 'one', ResourceStatus: 'UPDATE_COMPLETE' }]);
});

test('a custom resource that fails or never responds fails its stack', async () => {
  const lambda = fakeLambda(({ RequestType, ResourceProperties }) =>
    (ResourceProperties as { Silent?: string }).Silent && RequestType === 'Create'
      ? undefined
      : { Status: RequestType === 'Create' ? 'FAILED' : 'SUCCESS', Reason: 'nope', PhysicalResourceId: 'x' },
  );
  await using emu = await startStacks([lambda.manifest]);
  expect(await emu.create('s', { Resources: { C: custom({}) } })).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' });
  expect((await emu.events('s')).join('\n')).toContain(
    'C CREATE_FAILED Received response status [FAILED] from custom resource. Message returned: nope (RequestId: ',
  );
  // The failed resource is deleted by its physical id, with its requested properties.
  expect(lambda.events.slice(1)).toMatchObject([
    {
      RequestType: 'Delete',
      PhysicalResourceId: 'x',
      LogicalResourceId: 'C',
      ResourceProperties: { ServiceToken: TOKEN },
    },
  ]);
  emu.emulator.kernel.clock.freeze();
  const { StackId } = await emu.cfn.createStack({
    StackName: 'silent',
    TemplateBody: JSON.stringify({ Resources: { C: custom({ Silent: 'yes', ServiceTimeout: 30 }) } }),
  });
  await expect.poll(() => lambda.events.filter(({ StackId: id }) => id === StackId).length).toBe(1);
  await emu.emulator.kernel.clock.advance(31_000);
  expect((await emu.settled(StackId!)).StackStatus).toBe('ROLLBACK_COMPLETE');
  expect((await emu.events('silent')).join('\n')).toContain(
    'CloudFormation did not receive a response from your Custom Resource',
  );
  // A resource without a physical id gets a generated one for the deletion.
  const { PhysicalResourceId } = lambda.events.at(-1)!;
  expect(lambda.events.at(-1)).toMatchObject({ RequestType: 'Delete', StackId });
  expect(PhysicalResourceId).toMatch(/^silent-C-[A-Za-z0-9]{12}$/);
});

test('masks NoEcho values of custom resources and parameters everywhere except in resources', async () => {
  const lambda = fakeLambda(() => ({
    Status: 'SUCCESS',
    PhysicalResourceId: 'id',
    NoEcho: true,
    Data: { Key: 'hush' },
  }));
  await using emu = await startStacks([lambda.manifest]);
  const template = {
    Parameters: { Password: { Type: 'String', NoEcho: true } },
    Resources: {
      C: custom({}),
      A: thing({ Value: { 'Fn::GetAtt': ['C', 'Key'] }, Kind: { Ref: 'Password' } }),
    },
    Outputs: { Key: { Value: { 'Fn::GetAtt': ['C', 'Key'] } }, Id: { Value: { Ref: 'C' } } },
  };
  const given = (ParameterValue: string) => ({ Parameters: [{ ParameterKey: 'Password', ParameterValue }] });
  const stack = await emu.create('s', template, given('secret'));
  expect([...emu.things.values()][0]!.properties).toEqual({ Value: 'hush', Kind: 'secret' });
  expect(stack.Outputs!.map(({ OutputValue }) => OutputValue)).toEqual(['*****', 'id']);
  expect(stack.Parameters).toEqual([{ ParameterKey: 'Password', ParameterValue: '****' }]);
  const { StackEvents } = await emu.cfn.describeStackEvents({ StackName: 's' });
  const shown = StackEvents!.filter(({ LogicalResourceId }) => LogicalResourceId === 'A');
  expect(shown).toHaveLength(3);
  for (const { ResourceProperties } of shown)
    expect(JSON.parse(ResourceProperties!)).toEqual({ Value: '*****', Kind: '****' });
  const Change = { StackName: 's', ChangeSetName: 'c' };
  await emu.cfn.createChangeSet({ ...Change, UsePreviousTemplate: true, ...given('another') });
  const { Changes } = await emu.cfn.describeChangeSet({ ...Change, IncludePropertyValues: true });
  expect(Changes![0]!.ResourceChange).toMatchObject({ LogicalResourceId: 'A', Replacement: 'True' });
  expect(JSON.stringify(Changes)).not.toMatch(/secret|another/);
});

test('a missing attribute of a response fails the resource that uses it', async () => {
  const lambda = fakeLambda(() => ({ Status: 'SUCCESS', PhysicalResourceId: 'id', Data: {} }));
  await using emu = await startStacks([lambda.manifest]);
  await emu.create('s', { Resources: { C: custom({}), A: thing({ Value: { 'Fn::GetAtt': ['C', 'None'] } }) } });
  expect(await emu.events('s')).toContain(
    "A CREATE_FAILED CustomResource attribute error: Vendor response doesn't contain None attribute in object id",
  );
});

test('a wait condition waits for signals at its handle', async () => {
  await using emu = await startStacks();
  emu.emulator.kernel.clock.freeze();
  const template = (Timeout: string) => ({
    Resources: {
      H: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
      W: { Type: 'AWS::CloudFormation::WaitCondition', Properties: { Handle: { Ref: 'H' }, Timeout, Count: 2 } },
    },
    Outputs: { Data: { Value: { 'Fn::GetAtt': ['W', 'Data'] } } },
  });
  const { StackId } = await emu.cfn.createStack({ StackName: 's', TemplateBody: JSON.stringify(template('60')) });
  const url = async (StackName: string) => {
    for (;;) {
      const { StackResources } = await emu.cfn.describeStackResources({ StackName });
      const handle = StackResources!.find(({ LogicalResourceId }) => LogicalResourceId === 'H');
      if (handle?.ResourceStatus === 'CREATE_COMPLETE') return handle.PhysicalResourceId!;
    }
  };
  const handle = await url('s');
  for (const UniqueId of ['a', 'b'])
    expect(
      (
        await fetch(handle, {
          method: 'PUT',
          body: JSON.stringify({ Status: 'SUCCESS', UniqueId, Data: `of ${UniqueId}`, Reason: '' }),
        })
      ).status,
    ).toBe(200);
  expect(await emu.settled(StackId!)).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    Outputs: [{ OutputValue: '{"a":"of a","b":"of b"}' }],
  });
  expect((await fetch(`${handle}x`, { method: 'PUT', body: '{}' })).status).toBe(403);
  const late = await emu.cfn.createStack({ StackName: 'late', TemplateBody: JSON.stringify(template('10')) });
  await url('late');
  await emu.emulator.kernel.clock.advance(11_000);
  expect((await emu.settled(late.StackId!)).StackStatus).toBe('ROLLBACK_COMPLETE');
  expect((await emu.events('late')).join('\n')).toContain(
    'W CREATE_FAILED WaitCondition timed out. Received 0 conditions when expecting 2',
  );
});

// https://repost.aws/knowledge-center/cloudformation-resource-creation-cancelled
test('a failure cancels the resources of the stack that wait, and starts no others', async () => {
  await using emu = await startStacks();
  emu.emulator.kernel.clock.freeze();
  let fail = (): void => undefined;
  emu.held.set('F', new Promise((resolve) => (fail = resolve)));
  const { StackId } = await emu.cfn.createStack({
    StackName: 's',
    TemplateBody: JSON.stringify({
      Resources: {
        H: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
        W: { Type: 'AWS::CloudFormation::WaitCondition', Properties: { Handle: { Ref: 'H' }, Timeout: '3600' } },
        F: thing({ Fail: 'create' }, { DependsOn: 'H' }),
        L: thing({}, { DependsOn: 'W' }),
      },
    }),
  });
  const events = async () => (await emu.events('s')).join('\n');
  await expect.poll(events).toMatch(/W CREATE_IN_PROGRESS/);
  await expect.poll(events).toMatch(/F CREATE_IN_PROGRESS/);
  fail();
  expect((await emu.settled(StackId!)).StackStatus).toBe('ROLLBACK_COMPLETE');
  expect(await events()).toContain('W CREATE_FAILED Resource creation cancelled');
  expect(await events()).toMatch(/s ROLLBACK_IN_PROGRESS The following resource\(s\) failed to create: \[F, W\]\. /);
  expect(await events()).not.toContain('L CREATE');
});

test('a resource waits for the signals of its creation policy', async () => {
  await using emu = await startStacks();
  emu.emulator.kernel.clock.freeze();
  const CreationPolicy = { ResourceSignal: { Count: 1, Timeout: 'PT10S' } };
  const { StackId } = await emu.cfn.createStack({
    StackName: 's',
    TemplateBody: JSON.stringify({ Resources: { A: thing({}, { CreationPolicy }) } }),
  });
  const signal = { StackName: 's', LogicalResourceId: 'A', UniqueId: 'u', Status: 'SUCCESS' as const };
  await expect
    .poll(() =>
      emu.cfn.signalResource(signal).then(
        () => 'sent',
        () => 'early',
      ),
    )
    .toBe('sent');
  expect((await emu.settled(StackId!)).StackStatus).toBe('CREATE_COMPLETE');
  expect(await failureOf(emu.cfn.signalResource(signal))).toContain(
    'ValidationError: Signal for resource A is not expected',
  );
  expect(await emu.events('s')).toContain('A CREATE_IN_PROGRESS Received SUCCESS signal with UniqueId u');
});

test('a function expands a macro', async () => {
  const lambda = fakeLambda((event) => {
    const { fragment, params } = event as unknown as { fragment: { Resources: object }; params: { Fail?: string } };
    return params.Fail
      ? { requestId: event.requestId, status: 'failed', errorMessage: 'because' }
      : {
          requestId: event.requestId,
          status: 'success',
          fragment: { ...fragment, Resources: { ...fragment.Resources, Made: thing() } },
        };
  });
  await using emu = await startStacks([lambda.manifest]);
  await emu.create('macros', {
    Resources: { M: { Type: 'AWS::CloudFormation::Macro', Properties: { Name: 'Add', FunctionName: TOKEN } } },
  });
  const template = (Parameters: object) => ({ Transform: [{ Name: 'Add', Parameters }], Resources: { A: thing() } });
  const Capabilities = ['CAPABILITY_AUTO_EXPAND'] as const;
  expect(await failureOf(emu.cfn.createStack({ StackName: 's', TemplateBody: JSON.stringify(template({})) }))).toBe(
    'InsufficientCapabilitiesException: Requires capabilities : [CAPABILITY_AUTO_EXPAND]',
  );
  await emu.create('s', template({}), { Capabilities });
  expect(emu.things.size).toBe(2);
  // A failing macro fails the stack after the request is accepted.
  const failed = await emu.create('failed', template({ Fail: 'yes' }), { Capabilities });
  expect(failed).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' });
  expect(await emu.events('failed')).toEqual([
    'failed CREATE_IN_PROGRESS User Initiated',
    'failed ROLLBACK_IN_PROGRESS Transform 000000000000::Add failed with: because. Rollback requested by user.',
    'failed ROLLBACK_COMPLETE',
  ]);
  expect(await emu.update('s', template({ Fail: 'yes' }), { Capabilities })).toMatchObject({
    StackStatus: 'UPDATE_ROLLBACK_COMPLETE',
  });
  expect(emu.things.size).toBe(2);
  await emu.cfn.createChangeSet({
    StackName: 's',
    ChangeSetName: 'c',
    TemplateBody: JSON.stringify(template({ Fail: 'yes' })),
  });
  expect(await emu.cfn.describeChangeSet({ StackName: 's', ChangeSetName: 'c' })).toMatchObject({
    Status: 'FAILED',
    StatusReason: 'Transform 000000000000::Add failed with: because',
  });
});

test('AWS::Include inserts a snippet from S3, limited to the maximum template size', async () => {
  const pieces = 40;
  let read = 0;
  async function* large(): AsyncGenerator<Uint8Array> {
    for (; read < pieces; read++) yield Buffer.alloc(100_000, ' ');
  }
  const s3 = fakeService('s3', {
    GetObject: ({ Key }: Record<string, unknown>) => ({
      Body: Key === 'large' ? large() : Buffer.from(JSON.stringify({ B: thing() })),
    }),
  });
  await using emu = await startStacks([s3]);
  const including = (key: string) => ({
    Resources: {
      A: thing(),
      'Fn::Transform': { Name: 'AWS::Include', Parameters: { Location: `s3://b/${key}` } },
    },
  });
  await emu.create('s', including('small'), { Capabilities: ['CAPABILITY_AUTO_EXPAND'] });
  expect(emu.things.size).toBe(2);
  const Change = { StackName: 's', ChangeSetName: 'c' };
  await emu.cfn.createChangeSet({
    ...Change,
    TemplateBody: JSON.stringify(including('large')),
    Capabilities: ['CAPABILITY_AUTO_EXPAND'],
  });
  expect(await emu.cfn.describeChangeSet(Change)).toMatchObject({
    Status: 'FAILED',
    StatusReason: 'Transform AWS::Include failed with: The snippet may not exceed 1000000 bytes in size.',
  });
  expect(read).toBeLessThan(pieces);
});

test('creates a nested stack from a template in S3, updates and deletes it with its parent', async () => {
  const objects = new Map<string, string>();
  const s3 = fakeService('s3', {
    GetObject: ({ Bucket, Key }: Record<string, unknown>) => {
      const text = objects.get(`${Bucket}/${Key}`);
      if (text === undefined) throw awsError('NoSuchKey', 'The specified key does not exist.');
      return { Body: Buffer.from(text) };
    },
  });
  await using emu = await startStacks([s3]);
  objects.set(
    'b/in.json',
    JSON.stringify({
      Parameters: { V: { Type: 'String' } },
      Resources: { A: thing({ Value: { Ref: 'V' } }) },
      Outputs: { Id: { Value: { Ref: 'A' } } },
    }),
  );
  objects.set('b/bad.json', JSON.stringify({ Resources: { A: thing({ Fail: 'create' }) } }));
  const template = (V: string, file = 'in') => ({
    Resources: {
      N: {
        Type: 'AWS::CloudFormation::Stack',
        Properties: { TemplateURL: `https://b.s3.us-east-1.amazonaws.com/${file}.json`, Parameters: { V } },
      },
    },
    ...(file === 'in' && { Outputs: { Id: { Value: { 'Fn::GetAtt': ['N', 'Outputs.Id'] } } } }),
  });
  const outer = await emu.create('s', template('1'));
  expect(outer).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    Outputs: [{ OutputValue: [...emu.things.keys()][0] }],
  });
  const { Stacks } = await emu.cfn.describeStacks({});
  expect(Stacks!.find(({ StackName }) => StackName !== 's')).toMatchObject({
    ParentId: outer.StackId,
    RootId: outer.StackId,
    StackStatus: 'CREATE_COMPLETE',
  });
  await emu.update('s', template('2'));
  expect([...emu.things.values()].map(({ properties }) => properties)).toEqual([{ Value: '2' }]);
  const bad = await emu.create(
    'bad',
    template('1', 'bad').Resources
      ? {
          Resources: {
            N: {
              Type: 'AWS::CloudFormation::Stack',
              Properties: { TemplateURL: 'https://s3.amazonaws.com/b/bad.json' },
            },
          },
        }
      : {},
  );
  expect(bad.StackStatus).toBe('ROLLBACK_COMPLETE');
  expect((await emu.events('bad')).join('\n')).toMatch(
    /N CREATE_FAILED Embedded stack arn:\S+ was not successfully created: The following resource\(s\) failed to create: \[A\]\./,
  );
  await emu.cfn.deleteStack({ StackName: 's' });
  expect((await emu.settled(outer.StackId!)).StackStatus).toBe('DELETE_COMPLETE');
  expect(emu.things.size).toBe(0);
});

test("the response URL of a function has the emulator's address as functions reach it", async () => {
  const inside = 'http://172.17.0.1:4566';
  const urls: string[] = [];
  let own = '';
  const lambda = fakeLambda((event) => {
    urls.push(event.ResponseURL);
    event.ResponseURL = event.ResponseURL.replace(inside, own);
    return { Status: 'SUCCESS', PhysicalResourceId: 'id' };
  });
  const manifest: ServiceManifest = {
    ...lambda.manifest,
    provides: [functionHosts],
    load: async () => ({
      ...(await lambda.manifest.load()),
      provides: [
        provide(functionHosts, (handle) => ({
          onMissingModule: () => () => undefined,
          missingModuleAdvice: () => undefined,
          emulatorUrl: async () => {
            own = await handle.selfUrl();
            return inside;
          },
        })),
      ],
    }),
  };
  await using emu = await startStacks([manifest]);
  expect(await emu.create('s', { Resources: { C: custom({}) } })).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  expect(urls[0]).toMatch(/^http:\/\/172\.17\.0\.1:4566\//);
});
