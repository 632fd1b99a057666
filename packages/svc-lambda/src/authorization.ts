import {
  type AuthorizationRequest,
  type ContextValue,
  formatArn,
  parseArn,
  type ServiceAuthorization,
  type TagFacts,
  tagCondition,
} from '@emu/core';
import type { CreateFunctionRequest, LambdaOperations } from './generated/lambda.ts';
import { findLayerVersion } from './layers.ts';
import { LATEST, otherState, parseFunctionName, targetOf } from './names.ts';
import type { LambdaContext } from './operations/context.ts';
import { policyDocument } from './policy.ts';
import type { LambdaState } from './state.ts';

interface FunctionInput {
  FunctionName: string;
  Qualifier?: string | undefined;
}

/** Condition keys of Lambda's own, by name in lower case. */
type Conditions = Readonly<Record<string, ContextValue | undefined>>;

const conditionOf =
  (own: Conditions, tags: TagFacts = {}) =>
  (key: string): ContextValue | undefined =>
    own[key] ?? tagCondition(key, tags);

/** The permission for an action on a function, version or alias, whether it exists or not. */
function onFunction(
  action: string,
  input: FunctionInput,
  ctx: LambdaContext,
  conditions: Conditions = {},
  tags: TagFacts = {},
): AuthorizationRequest {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  const policy = state.policies.get(`${name}:${qualifier ?? LATEST}`);
  return {
    action: `lambda:${action}`,
    resource: state.functionArn(name, qualifier),
    ...(policy && { resourcePolicy: { document: policyDocument(policy.statements), id: name, type: 'resource' } }),
    condition: conditionOf(conditions, { resource: state.functions.get(name)?.tags, ...tags }),
  };
}

/** What an operation on a function needs, under the name of its action. */
const of =
  (action: string) =>
  (input: FunctionInput, ctx: LambdaContext): AuthorizationRequest =>
    onFunction(action, input, ctx);

const anywhere = (action: string, conditions: Conditions = {}): AuthorizationRequest => ({
  action: `lambda:${action}`,
  resource: '*',
  condition: conditionOf(conditions),
});

/** The permission for an action on a layer or a version of it. @param layer name or ARN */
function onLayer(action: string, layer: string, ctx: LambdaContext, version?: number): AuthorizationRequest {
  const { state } = ctx;
  const whole = layer.startsWith('arn:') ? layer : state.formatArn(`layer:${layer}`);
  const resource = version === undefined ? whole : `${whole}:${version}`;
  const found = findLayerVersion(resource, state)?.layer;
  return {
    action: `lambda:${action}`,
    resource,
    ...(found?.policy && {
      resourcePolicy: { document: policyDocument(found.policy.statements), id: found.layerName, type: 'resource' },
    }),
  };
}

const ofLayerVersion =
  (action: string) =>
  ({ LayerName, VersionNumber }: { LayerName: string; VersionNumber: number }, ctx: LambdaContext) =>
    onLayer(action, LayerName, ctx, VersionNumber);

const MAPPING = 'event-source-mapping:';

/** The permission for an action on an event source mapping. */
function onMapping(action: string, uuid: string, { state }: LambdaContext): AuthorizationRequest {
  const mapping = state.eventSourceMappings.get(uuid);
  return {
    action: `lambda:${action}`,
    resource: state.formatArn(MAPPING + uuid),
    condition: conditionOf(
      { 'lambda:functionarn': mapping && state.functionArn(mapping.functionName, mapping.qualifier) },
      { resource: mapping?.tags },
    ),
  };
}

const PROVIDER = 'capacity-provider:';

const ofProvider =
  (action: string) =>
  (
    { CapacityProviderName: name }: { CapacityProviderName: string },
    { state }: LambdaContext,
  ): AuthorizationRequest => ({
    action: `lambda:${action}`,
    resource: name.startsWith('arn:') ? name : state.formatArn(PROVIDER + name),
    condition: conditionOf({}, { resource: state.capacityProviders.get(name.split(':').at(-1)!)?.tags }),
  });

const ofCodeSigning =
  (action: string) =>
  ({ CodeSigningConfigArn: arn }: { CodeSigningConfigArn: string }): AuthorizationRequest => ({
    action: `lambda:${action}`,
    resource: arn,
  });

/** The tags of a resource that has some, whatever it is. */
function tagsOf(arn: string, state: LambdaState): Readonly<Record<string, string>> | undefined {
  const parsed = parseArn(arn);
  const owner = parsed && otherState(parsed.accountId, state);
  const [kind, name = ''] = parsed?.resource.split(':') ?? [];
  if (kind === 'function') return owner?.functions.get(name)?.tags;
  if (kind === 'event-source-mapping') return owner?.eventSourceMappings.get(name)?.tags;
  if (kind === 'capacity-provider') return owner?.capacityProviders.get(name)?.tags;
  return owner?.codeSigningConfigs.get(name)?.tags;
}

/** The permission for an action on a tagged resource; of a function its policy can give it. */
function onTagged(action: string, arn: string, ctx: LambdaContext, tags: TagFacts = {}): AuthorizationRequest {
  if (/^arn:[^:]+:lambda:[^:]+:\d{12}:function:[^:]+$/.test(arn) && parseArn(arn)?.region === ctx.region)
    return onFunction(action, { FunctionName: arn }, ctx, {}, tags);
  const condition = conditionOf({}, { resource: tagsOf(arn, ctx.state), ...tags });
  return { action: `lambda:${action}`, resource: arn, condition };
}

/** What giving a role to a function needs. */
const passRole = (role: string): AuthorizationRequest => ({
  action: 'iam:PassRole',
  resource: role,
  condition: conditionOf({ 'iam:passedtoservice': 'lambda.amazonaws.com' }),
});

/** What CreateFunction and UpdateFunctionConfiguration need: permissions for what they refer to, besides their own. */
function configuring(
  action: string,
  input: Pick<CreateFunctionRequest, 'FunctionName' | 'Layers' | 'VpcConfig' | 'CodeSigningConfigArn' | 'Tags'> & {
    Role?: string | undefined;
  },
  ctx: LambdaContext,
): AuthorizationRequest[] {
  const conditions: Conditions = {
    'lambda:layer': input.Layers,
    'lambda:subnetids': input.VpcConfig?.SubnetIds,
    'lambda:securitygroupids': input.VpcConfig?.SecurityGroupIds,
    'lambda:codesigningconfigarn': input.CodeSigningConfigArn,
  };
  const tags: TagFacts = input.Tags ? { request: input.Tags } : {};
  return [
    onFunction(action, input, ctx, conditions, tags),
    ...(input.Tags && Object.keys(input.Tags).length ? [onFunction('TagResource', input, ctx, {}, tags)] : []),
    ...(input.Role === undefined ? [] : [passRole(input.Role)]),
    ...(input.Layers ?? []).map((arn) => onLayer('GetLayerVersion', arn, ctx)),
  ];
}

/** The ARN of a mapping's function, for conditions. */
function mappedFunction(name: string | undefined, ctx: LambdaContext): string | undefined {
  if (name === undefined) return undefined;
  const { qualifier, accountId = ctx.accountId, name: bare } = parseFunctionName(name);
  const resource = `function:${bare}${qualifier === undefined ? '' : `:${qualifier}`}`;
  return formatArn({ service: 'lambda', region: ctx.region, accountId, resource });
}

const durable =
  (action: string) =>
  ({ DurableExecutionArn: arn }: { DurableExecutionArn: string }): AuthorizationRequest => ({
    action: `lambda:${action}`,
    resource: arn,
  });

/**
 * What the operations of Lambda need. An operation that is not listed needs the action of its name on its function or,
 * where it has none, on everything.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html
 */
export const authorization: ServiceAuthorization<LambdaOperations, LambdaState> = {
  operations: {
    Invoke: of('InvokeFunction'),
    InvokeWithResponseStream: of('InvokeFunction'),
    CreateFunction: (input, ctx) => configuring('CreateFunction', input, ctx),
    UpdateFunctionConfiguration: (input, ctx) => configuring('UpdateFunctionConfiguration', input, ctx),
    AddPermission: (input, ctx) =>
      onFunction('AddPermission', input, ctx, {
        'lambda:principal': input.Principal,
        'lambda:functionurlauthtype': input.FunctionUrlAuthType,
      }),
    RemovePermission: (input, ctx) => onFunction('RemovePermission', input, ctx, principalOfStatement(input, ctx)),
    CreateFunctionUrlConfig: (input, ctx) =>
      onFunction('CreateFunctionUrlConfig', input, ctx, { 'lambda:functionurlauthtype': input.AuthType }),
    UpdateFunctionUrlConfig: (input, ctx) =>
      onFunction('UpdateFunctionUrlConfig', input, ctx, { 'lambda:functionurlauthtype': input.AuthType }),
    CreateAlias: ({ FunctionName }, ctx) => onFunction('CreateAlias', { FunctionName }, ctx),
    PutFunctionCodeSigningConfig: (input, ctx) => [
      onFunction('PutFunctionCodeSigningConfig', input, ctx, {
        'lambda:codesigningconfigarn': input.CodeSigningConfigArn,
      }),
      ofCodeSigning('PutFunctionCodeSigningConfig')(input),
    ],
    GetLayerVersion: ofLayerVersion('GetLayerVersion'),
    GetLayerVersionByArn: ({ Arn }, ctx) => onLayer('GetLayerVersion', Arn, ctx),
    DeleteLayerVersion: ofLayerVersion('DeleteLayerVersion'),
    AddLayerVersionPermission: ofLayerVersion('AddLayerVersionPermission'),
    RemoveLayerVersionPermission: ofLayerVersion('RemoveLayerVersionPermission'),
    GetLayerVersionPolicy: ofLayerVersion('GetLayerVersionPolicy'),
    PublishLayerVersion: ({ LayerName }, ctx) => onLayer('PublishLayerVersion', LayerName, ctx),
    ListLayerVersions: () => anywhere('ListLayerVersions'),
    CreateEventSourceMapping: ({ FunctionName }, ctx) =>
      anywhere('CreateEventSourceMapping', { 'lambda:functionarn': mappedFunction(FunctionName, ctx) }),
    ListEventSourceMappings: () => anywhere('ListEventSourceMappings'),
    GetEventSourceMapping: ({ UUID }, ctx) => onMapping('GetEventSourceMapping', UUID, ctx),
    DeleteEventSourceMapping: ({ UUID }, ctx) => onMapping('DeleteEventSourceMapping', UUID, ctx),
    UpdateEventSourceMapping: ({ UUID }, ctx) => onMapping('UpdateEventSourceMapping', UUID, ctx),
    GetCodeSigningConfig: ofCodeSigning('GetCodeSigningConfig'),
    UpdateCodeSigningConfig: ofCodeSigning('UpdateCodeSigningConfig'),
    DeleteCodeSigningConfig: ofCodeSigning('DeleteCodeSigningConfig'),
    ListFunctionsByCodeSigningConfig: ofCodeSigning('ListFunctionsByCodeSigningConfig'),
    CreateCapacityProvider: (input, ctx) => [
      ofProvider('CreateCapacityProvider')(input, ctx),
      passRole(input.PermissionsConfig.CapacityProviderOperatorRoleArn),
    ],
    GetCapacityProvider: ofProvider('GetCapacityProvider'),
    UpdateCapacityProvider: ofProvider('UpdateCapacityProvider'),
    DeleteCapacityProvider: ofProvider('DeleteCapacityProvider'),
    ListFunctionVersionsByCapacityProvider: ofProvider('ListFunctionVersionsByCapacityProvider'),
    TagResource: ({ Resource, Tags }, ctx) => onTagged('TagResource', Resource, ctx, { request: Tags }),
    UntagResource: ({ Resource, TagKeys }, ctx) => onTagged('UntagResource', Resource, ctx, { keys: TagKeys }),
    ListTags: ({ Resource }, ctx) => onTagged('ListTags', Resource, ctx),
    CheckpointDurableExecution: durable('CheckpointDurableExecution'),
    GetDurableExecution: durable('GetDurableExecution'),
    GetDurableExecutionHistory: durable('GetDurableExecutionHistory'),
    GetDurableExecutionState: durable('GetDurableExecutionState'),
    StopDurableExecution: durable('StopDurableExecution'),
  },
  otherwise: (operation, input, ctx) => {
    const { FunctionName, Qualifier } = input as Partial<FunctionInput>;
    return FunctionName === undefined ? anywhere(operation) : onFunction(operation, { FunctionName, Qualifier }, ctx);
  },
};

/** Whom the statement allows that a request takes back. */
function principalOfStatement(input: LambdaOperations['RemovePermission']['input'], ctx: LambdaContext): Conditions {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  const policy = state.policies.get(`${name}:${qualifier ?? LATEST}`);
  const principal = policy?.statements.find(({ Sid }) => Sid === input.StatementId)?.Principal;
  if (principal === undefined || typeof principal === 'string') return { 'lambda:principal': principal };
  return { 'lambda:principal': principal.Service ?? principal.AWS };
}
