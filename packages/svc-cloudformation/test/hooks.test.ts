import { fakeService } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, type StackTest, startStacks, thing } from './support.ts';

const TYPE = 'Test::Thing::Thing';
const ALIAS = 'Private::Lambda::MyTestHook';
const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:hook`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/hook`;

type Request = {
  actionInvocationPoint: string;
  clientRequestToken: string;
  requestContext: { invocation: number };
  requestData: { targetLogicalId: string; targetModel: { resourceProperties: Record<string, unknown> } };
};

/** Lambda with a hook function whose responses the test sets. */
function hookFunction(answer: (request: Request) => object | string) {
  const requests: Request[] = [];
  const manifest = fakeService('lambda', {
    Invoke: async ({ Payload }: { Payload?: Uint8Array }) => {
      const request = JSON.parse(Buffer.from(Payload!).toString()) as Request;
      requests.push(request);
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer(request))) };
    },
  });
  return { manifest, requests };
}

const configuration = (more: object = {}): string =>
  JSON.stringify({
    CloudFormationConfiguration: {
      HookConfiguration: {
        HookInvocationStatus: 'ENABLED',
        TargetOperations: ['RESOURCE'],
        FailureMode: 'FAIL',
        Properties: { LambdaFunction: FUNCTION },
        ...more,
      },
    },
  });

async function activate({ cfn }: StackTest, more?: object): Promise<string> {
  const { Arn } = await cfn.activateType({
    Type: 'HOOK',
    TypeName: 'AWS::Hooks::LambdaHook',
    PublisherId: 'aws-hooks',
    TypeNameAlias: ALIAS,
    ExecutionRoleArn: ROLE,
  });
  await cfn.setTypeConfiguration({ TypeArn: Arn, Configuration: configuration(more) });
  return Arn!;
}

const NOT_COMPLIANT = { hookStatus: 'FAILED', errorCode: 'NonCompliant', message: 'Intentional fail' };

test("a failing hook stops a resource with AWS's message", async () => {
  const lambda = hookFunction(({ requestData }) =>
    requestData.targetLogicalId === 'Bad' ? NOT_COMPLIANT : { hookStatus: 'SUCCESS', message: 'fine' },
  );
  await using emu = await startStacks([lambda.manifest]);
  const Arn = await activate(emu);
  expect(Arn).toBe(`arn:aws:cloudformation:${REGION}:${ACCOUNT}:type/hook/Private-Lambda-MyTestHook`);
  const stack = await emu.create('s', { Resources: { Bad: thing({ Value: '1' }), Good: thing() } });
  expect(stack.StackStatus).toBe('ROLLBACK_COMPLETE');
  expect(emu.calls.filter((call) => call.includes('Bad'))).toEqual([]);
  expect(await emu.events('s')).toContain(`Bad CREATE_FAILED The following hook(s) failed: [${ALIAS}]`);
  const { StackEvents } = await emu.cfn.describeStackEvents({ StackName: 's' });
  const told = StackEvents!
    .filter(({ HookType, LogicalResourceId }) => HookType && LogicalResourceId === 'Bad')
    .reverse();
  expect(told).toMatchObject([
    { HookStatus: 'HOOK_IN_PROGRESS' },
    {
      HookType: ALIAS,
      HookStatus: 'HOOK_COMPLETE_FAILED',
      HookStatusReason: 'Hook failed with message: Intentional fail',
      HookInvocationPoint: 'PRE_PROVISION',
      HookFailureMode: 'FAIL',
      ResourceStatus: 'CREATE_IN_PROGRESS',
      ResourceType: TYPE,
      PhysicalResourceId: '',
    },
  ]);
  expect(lambda.requests.find(({ requestData }) => requestData.targetLogicalId === 'Bad')).toMatchObject({
    hookTypeName: ALIAS,
    hookModel: { LambdaFunction: FUNCTION },
    actionInvocationPoint: 'CREATE_PRE_PROVISION',
    requestData: { targetName: TYPE, targetModel: { resourceProperties: { Value: '1' } } },
    requestContext: { invocation: 1 },
  });
  const { HookResults } = await emu.cfn.listHookResults({ TypeArn: Arn, Status: 'HOOK_COMPLETE_FAILED' });
  expect(HookResults).toMatchObject([{ TypeName: ALIAS, TargetId: 'Bad', HookExecutionTarget: stack.StackId }]);
  const result = await emu.cfn.getHookResult({ HookResultId: HookResults![0]!.HookResultId });
  expect(result).toMatchObject({
    OriginalTypeName: 'AWS::Hooks::LambdaHook',
    Target: { TargetTypeName: TYPE, TargetId: 'Bad', Action: 'CREATE' },
  });
  const { OperationEvents } = await emu.cfn.describeEvents({ StackName: 's', Filters: { FailedEvents: true } });
  expect(OperationEvents!.map(({ EventType }) => EventType)).toContain('HOOK_INVOCATION_ERROR');
});

test('a hook in WARN mode does not stop anything; filters select its targets', async () => {
  const lambda = hookFunction(() => NOT_COMPLIANT);
  await using emu = await startStacks([lambda.manifest]);
  await activate(emu, {
    FailureMode: 'WARN',
    TargetFilters: { Actions: ['UPDATE', 'DELETE'], TargetNames: ['Test::*'] },
    StackFilters: { FilteringCriteria: 'ALL', StackNames: { Exclude: ['other'] } },
  });
  await emu.create('s', { Resources: { A: thing({ Value: '1' }) } });
  expect(lambda.requests).toEqual([]);
  const template = { Resources: { A: thing({ Value: '2' }) } };
  await emu.cfn.createChangeSet({ StackName: 's', ChangeSetName: 'c', TemplateBody: JSON.stringify(template) });
  expect(await emu.cfn.describeChangeSetHooks({ StackName: 's', ChangeSetName: 'c' })).toMatchObject({
    Status: 'PLANNED',
    Hooks: [
      {
        TypeName: ALIAS,
        FailureMode: 'WARN',
        TargetDetails: {
          ResourceTargetDetails: { LogicalResourceId: 'A', ResourceType: TYPE, ResourceAction: 'Modify' },
        },
      },
    ],
  });
  expect((await emu.update('s', template)).StackStatus).toBe('UPDATE_COMPLETE');
  expect(lambda.requests.map((request) => request.actionInvocationPoint)).toEqual(['UPDATE_PRE_PROVISION']);
  expect(lambda.requests[0]!.requestData.targetModel).toEqual({
    resourceProperties: { Value: '2' },
    previousResourceProperties: { Value: '1' },
  });
  const { StackEvents } = await emu.cfn.describeStackEvents({ StackName: 's' });
  expect(StackEvents!.find(({ HookStatus }) => HookStatus === 'HOOK_COMPLETE_FAILED')!.HookStatusReason).toBe(
    'Hook failed with message: Intentional fail. Failure was ignored under WARN mode.',
  );
  await emu.create('other', { Resources: { A: thing() } });
  await emu.cfn.deleteStack({ StackName: 'other' });
  expect(lambda.requests).toHaveLength(1);
});

test('a function may report progress, and is invoked at most three times', async () => {
  const lambda = hookFunction(({ requestContext, requestData }) =>
    requestData.targetLogicalId === 'Late' && requestContext.invocation === 3
      ? { hookStatus: 'SUCCESS', message: '' }
      : { hookStatus: 'IN_PROGRESS', callbackContext: requestContext.invocation },
  );
  await using emu = await startStacks([lambda.manifest]);
  await activate(emu);
  const stack = await emu.create('s', { Resources: { Late: thing(), Never: thing({}, { DependsOn: 'Late' }) } });
  expect(stack.StackStatus).toBe('ROLLBACK_COMPLETE');
  expect(lambda.requests).toHaveLength(6);
  expect(lambda.requests[2]!.requestContext).toEqual({ invocation: 3, callbackContext: 2 });
});

test('a hook can be a stack resource', async () => {
  const lambda = hookFunction(() => NOT_COMPLIANT);
  await using emu = await startStacks([lambda.manifest]);
  const hook = (HookStatus: string) => ({
    Resources: {
      Hook: {
        Type: 'AWS::CloudFormation::LambdaHook',
        Properties: {
          Alias: ALIAS,
          ExecutionRole: ROLE,
          FailureMode: 'FAIL',
          HookStatus,
          LambdaFunction: FUNCTION,
          TargetOperations: ['RESOURCE'],
        },
      },
    },
    Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Hook', 'HookArn'] } } },
  });
  const made = await emu.create('hook', hook('ENABLED'));
  expect(made.Outputs![0]!.OutputValue).toContain(':type/hook/Private-Lambda-MyTestHook');
  expect((await emu.create('s', { Resources: { A: thing() } })).StackStatus).toBe('ROLLBACK_COMPLETE');
  await emu.cfn.setTypeConfiguration({
    TypeName: ALIAS,
    Type: 'HOOK',
    Configuration: configuration({ FailureMode: 'WARN' }),
  });
  await emu.update('hook', hook('DISABLED'));
  expect((await emu.create('t', { Resources: { A: thing() } })).StackStatus).toBe('CREATE_COMPLETE');
  await emu.cfn.deleteStack({ StackName: 'hook' });
  await emu.settled(made.StackId!);
  expect(await failureOf(emu.cfn.describeType({ Type: 'HOOK', TypeName: ALIAS }))).toContain('TypeNotFoundException');
});

test('describes types with their schemas, and lists them by filters', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  const described = await cfn.describeType({ Type: 'RESOURCE', TypeName: TYPE });
  expect(described).toMatchObject({
    Arn: `arn:aws:cloudformation:${REGION}::type/resource/Test-Thing-Thing`,
    ProvisioningType: 'FULLY_MUTABLE',
    Visibility: 'PUBLIC',
    DeprecatedStatus: 'LIVE',
  });
  expect(JSON.parse(described.Schema!)).toMatchObject({
    typeName: TYPE,
    primaryIdentifier: ['/properties/Name'],
    readOnlyProperties: ['/properties/Arn'],
    createOnlyProperties: ['/properties/Name', '/properties/Kind'],
    properties: { Size: { type: 'integer' }, Tags: { type: 'array' } },
    tagging: { taggable: true, tagProperty: '/properties/Tags' },
  });
  expect((await cfn.describeType({ Arn: described.Arn })).TypeName).toBe(TYPE);
  const own = await cfn.listTypes({ Visibility: 'PUBLIC', Type: 'RESOURCE', Filters: { Category: 'AWS_TYPES' } });
  expect(own.TypeSummaries).toContainEqual(expect.objectContaining({ TypeName: TYPE, Type: 'RESOURCE' }));
  const fixed = await cfn.listTypes({ Visibility: 'PUBLIC', ProvisioningType: 'IMMUTABLE', Type: 'RESOURCE' });
  expect(fixed.TypeSummaries!.map(({ TypeName }) => TypeName)).toEqual([
    'AWS::CloudFormation::ChangeSet',
    'AWS::CloudFormation::ModuleDefaultVersion',
    'AWS::CloudFormation::ModuleVersion',
    'AWS::CloudFormation::PublicTypeVersion',
    'AWS::CloudFormation::Publisher',
  ]);
  expect((await cfn.listTypes({})).TypeSummaries).toEqual([]);
  const Arn = await activate(emu);
  const { TypeSummaries } = await cfn.listTypes({ Type: 'HOOK', Filters: { Category: 'ACTIVATED' } });
  expect(TypeSummaries).toMatchObject([
    { TypeName: ALIAS, TypeArn: Arn, OriginalTypeName: 'AWS::Hooks::LambdaHook', IsActivated: true },
  ]);
  const hook = await cfn.describeType({ Arn });
  expect(hook).toMatchObject({ Type: 'HOOK', ExecutionRoleArn: ROLE, PublisherId: 'aws-hooks', AutoUpdate: true });
  expect((await cfn.listTypeVersions({ Arn })).TypeVersionSummaries).toMatchObject([
    { TypeName: ALIAS, VersionId: '00000001', IsDefaultVersion: true },
  ]);
  const configurations = await cfn.batchDescribeTypeConfigurations({
    TypeConfigurationIdentifiers: [{ TypeArn: Arn }, { Type: 'HOOK', TypeName: 'Nobody::Has::This' }],
  });
  expect(configurations.TypeConfigurations).toMatchObject([
    { Alias: 'default', TypeName: ALIAS, Configuration: configuration(), IsDefaultConfiguration: true },
  ]);
  expect(configurations.Errors).toMatchObject([
    { ErrorCode: '404', ErrorMessage: "The type 'Nobody::Has::This' cannot be found." },
  ]);
  expect((await cfn.describePublisher({ PublisherId: 'aws-hooks' })).PublisherStatus).toBe('VERIFIED');
  await cfn.deactivateType({ Arn });
  expect((await cfn.listTypes({ Type: 'HOOK' })).TypeSummaries).toEqual([]);
});

test('rejects invalid extensions and configurations', async () => {
  await using emu = await startStacks();
  const { cfn } = emu;
  const TypeArn = await activate(emu);
  const refusals: [Promise<unknown>, string][] = [
    [
      cfn.activateType({ Type: 'HOOK', TypeName: 'Some::Other::Hook', PublisherId: 'aws-hooks' }),
      'TypeNotFoundException',
    ],
    [cfn.activateType({}), 'CFNRegistryException'],
    [cfn.deactivateType({ Type: 'HOOK', TypeName: 'Some::Other::Hook' }), 'TypeNotFoundException'],
    [cfn.describeType({ Type: 'RESOURCE', TypeName: 'AWS::Shop::Item' }), 'TypeNotFoundException'],
    [cfn.describePublisher({}), 'CFNRegistryException'],
    [cfn.setTypeConfiguration({ TypeArn, Configuration: '{' }), 'CFNRegistryException'],
    [
      cfn.setTypeConfiguration({ TypeArn, Configuration: configuration({ FailureMode: 'NO' }) }),
      'not a valid enum value',
    ],
    [
      cfn.setTypeConfiguration({ TypeArn, Configuration: configuration({ TargetOperations: ['NONE'] }) }),
      'not a valid enum value',
    ],
    [cfn.getHookResult({ HookResultId: '00000000-0000-0000-0000-000000000000' }), 'HookResultNotFound'],
    [cfn.listHookResults({ TargetType: 'CHANGE_SET' }), 'ValidationError'],
    [cfn.registerType({ TypeName: 'Some::Other::Type', SchemaHandlerPackage: 's3://b/k' }), 'NotImplemented'],
  ];
  for (const [request, expected] of refusals) expect(await failureOf(request)).toContain(expected);
});

test('hooks of stacks and change sets read templates from a URL, and stop operations', async () => {
  const read: Record<string, unknown>[] = [];
  const requests: { requestData: { payload: string } }[] = [];
  const lambda = fakeService('lambda', {
    Invoke: async ({ Payload }: { Payload?: Uint8Array }) => {
      const request = JSON.parse(Buffer.from(Payload!).toString());
      requests.push(request);
      const payload = (await (await fetch(request.requestData.payload)).json()) as Record<string, unknown>;
      read.push(payload);
      const answer = String(payload.template).includes('forbidden')
        ? NOT_COMPLIANT
        : { hookStatus: 'SUCCESS', message: 'fine' };
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer)) };
    },
  });
  await using emu = await startStacks([lambda]);
  const TypeArn = await activate(emu, { TargetOperations: ['STACK', 'CHANGE_SET'] });
  const { cfn } = emu;
  const allowed = { Resources: { A: thing({ Value: '1' }) } };
  const forbidden = { Resources: { A: thing({ Value: 'forbidden' }) } };
  const { StackId, StackStatus } = await emu.create('s', allowed);
  expect(StackStatus).toBe('CREATE_COMPLETE');
  expect(read).toEqual([{ template: JSON.stringify(allowed) }]);
  expect(requests[0]).toMatchObject({
    actionInvocationPoint: 'CREATE_PRE_PROVISION',
    stackId: StackId,
    requestData: { targetName: 'STACK', targetType: 'STACK', targetLogicalId: StackId },
  });
  // The URL has expired.
  expect((await fetch(requests[0]!.requestData.payload)).status).toBe(403);
  const changed = await emu.update('s', forbidden);
  expect(changed.StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(read[1]).toEqual({ template: JSON.stringify(forbidden), previousTemplate: JSON.stringify(allowed) });
  expect(emu.calls).toEqual(['create A']);
  const stacks = await cfn.listHookResults({ TargetType: 'STACK', TargetId: StackId });
  expect(stacks.HookResults!.map(({ Status }) => Status)).toEqual(['HOOK_COMPLETE_FAILED', 'HOOK_COMPLETE_SUCCEEDED']);

  const TemplateBody = JSON.stringify(forbidden);
  const { Id } = await cfn.createChangeSet({ StackName: 's', ChangeSetName: 'c', TemplateBody });
  expect(await cfn.describeChangeSet({ ChangeSetName: Id })).toMatchObject({
    Status: 'FAILED',
    StatusReason: `The following hook(s) failed: [${ALIAS}]`,
  });
  expect(read[2]).toMatchObject({
    changedResources: [{ logicalResourceId: 'A', resourceType: TYPE, action: 'UPDATE' }],
  });
  const { HookResults } = await cfn.listHookResults({ TypeArn, Status: 'HOOK_COMPLETE_FAILED' });
  expect(HookResults!.map(({ TargetType }) => TargetType)).toEqual(['CHANGE_SET', 'STACK']);
  await cfn.deleteStack({ StackName: 's' });
  expect(read[3]).toEqual({ previousTemplate: JSON.stringify(allowed) });
});
