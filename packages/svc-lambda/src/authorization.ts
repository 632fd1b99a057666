import {
  type AuthorizationRequest,
  type ContextValue,
  namedResource,
  type PassedRole,
  permissionOn,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { LambdaInternalOperations } from '@emu/service-types/internal/lambda';
import type { CreateFunctionRequest, InputOf, LambdaOperations } from '@emu/service-types/lambda';
import { loadLayers } from './code/layer-imports.ts';
import { layerVersionArn } from './code/layers.ts';
import { isOwnRole } from './configuration/role.ts';
import type { LambdaContext } from './context.ts';
import { parseCallbackId } from './durable/updates.ts';
import { LATEST, readFunctionName } from './function-name.ts';
import { targetOf } from './names.ts';
import { functionArn, resourceTypes } from './resources.ts';
import type { LambdaState } from './state.ts';

/** Lambda's own condition keys, in lower case. */
type Conditions = Readonly<Record<string, ContextValue | undefined>>;

/** Returns the permission for an action on the resource in an input, or on all resources if the input names none. */
function needs(action: string, input: object, ctx: LambdaContext, conditions: Conditions = {}): AuthorizationRequest {
  const named = namedResource(resourceTypes, { ...input }, ctx, ctx.operation);
  const request: AuthorizationRequest = named
    ? permissionOn(`lambda:${action}`, named.type, named.address, ctx.handle)
    : { action: `lambda:${action}`, resource: '*' };
  return { ...request, condition: (key) => conditions[key] ?? request.condition?.(key) };
}

/** Defines the permissions of operations whose action has a different name. */
const of =
  (action: string) =>
  (input: object, ctx: LambdaContext): AuthorizationRequest =>
    needs(action, input, ctx);

/** Defines the permissions of operations on an event source mapping. */
const ofMapping =
  (action: string) =>
  (input: { UUID: string }, ctx: LambdaContext): AuthorizationRequest => {
    const { state } = ctx;
    const mapping = state.eventSourceMappings.get(input.UUID);
    const mapped = mapping && state.functionArn(mapping.functionName, mapping.qualifier);
    return needs(action, { UUID: input.UUID }, ctx, { 'lambda:functionarn': mapped });
  };

/** Defines the permissions of operations on a callback of a durable execution. */
const ofCallback =
  (action: string) =>
  ({ CallbackId }: { CallbackId: string }, ctx: LambdaContext): AuthorizationRequest =>
    needs(action, { DurableExecutionArn: parseCallbackId(CallbackId)?.arn }, ctx);

/**
 * Returns the permissions of CreateFunction and UpdateFunctionConfiguration: their own, and those for resources they
 * refer to.
 */
async function configuring(
  action: string,
  input: Pick<CreateFunctionRequest, 'FunctionName' | 'Layers' | 'VpcConfig' | 'CodeSigningConfigArn'>,
  ctx: LambdaContext,
): Promise<AuthorizationRequest[]> {
  const { FunctionName, Layers = [] } = input;
  // Their policies allow everyone to use them.
  await loadLayers(Layers, ctx.state);
  const conditions: Conditions = {
    'lambda:layer': input.Layers,
    'lambda:subnetids': input.VpcConfig?.SubnetIds,
    'lambda:securitygroupids': input.VpcConfig?.SecurityGroupIds,
    'lambda:codesigningconfigarn': input.CodeSigningConfigArn,
  };
  return [
    needs(action, { FunctionName }, ctx, conditions),
    ...Layers.map((Arn) => needs('GetLayerVersion', { Arn }, ctx)),
  ];
}

/** Returns the ARN of a mapping's function, for conditions. */
function mappedFunction(name: string | undefined, ctx: LambdaContext): string | undefined {
  const parsed = name === undefined ? undefined : readFunctionName(name);
  if (!parsed) return undefined;
  const { qualifier, accountId = ctx.accountId, name: bare } = parsed;
  return functionArn({ accountId, region: ctx.region }, bare, qualifier);
}

/** A role of another account is rejected with its own error. */
const FUNCTION_ROLE: PassedRole<LambdaState> = {
  service: 'lambda',
  role: (arn, ctx) => (isOwnRole(arn, ctx) ? arn : undefined),
};

/**
 * Permissions of Lambda's operations. Other operations need the action of their name on the resource in their input.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html
 */
export const authorization: ServiceAuthorization<LambdaOperations & LambdaInternalOperations, LambdaState> = {
  roles: {
    CreateCapacityProvider: { 'PermissionsConfig.CapacityProviderOperatorRoleArn': 'lambda' },
    CreateFunction: { Role: FUNCTION_ROLE },
    UpdateFunctionConfiguration: { Role: FUNCTION_ROLE },
  },
  // The permission to tag has none of the operation's conditions.
  tagOnCreate: { CreateFunction: ({ FunctionName }, ctx) => needs('TagResource', { FunctionName }, ctx) },
  operations: {
    // https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
    InvokeUrl: (input, ctx) => [
      needs('InvokeFunctionUrl', input, ctx, { 'lambda:functionurlauthtype': 'AWS_IAM' }),
      needs('InvokeFunction', input, ctx, { 'lambda:invokedviafunctionurl': 'true' }),
    ],
    Invoke: of('InvokeFunction'),
    InvokeWithResponseStream: of('InvokeFunction'),
    CreateFunction: (input, ctx) => configuring('CreateFunction', input, ctx),
    UpdateFunctionConfiguration: (input, ctx) => configuring('UpdateFunctionConfiguration', input, ctx),
    AddPermission: (input, ctx) =>
      needs('AddPermission', input, ctx, {
        'lambda:principal': input.Principal,
        'lambda:functionurlauthtype': input.FunctionUrlAuthType,
      }),
    RemovePermission: (input, ctx) => needs('RemovePermission', input, ctx, principalOfStatement(input, ctx)),
    CreateFunctionUrlConfig: (input, ctx) =>
      needs('CreateFunctionUrlConfig', input, ctx, { 'lambda:functionurlauthtype': input.AuthType }),
    UpdateFunctionUrlConfig: (input, ctx) =>
      needs('UpdateFunctionUrlConfig', input, ctx, { 'lambda:functionurlauthtype': input.AuthType }),
    PutFunctionCodeSigningConfig: ({ FunctionName, CodeSigningConfigArn }, ctx) => [
      needs('PutFunctionCodeSigningConfig', { FunctionName }, ctx, {
        'lambda:codesigningconfigarn': CodeSigningConfigArn,
      }),
      needs('PutFunctionCodeSigningConfig', { CodeSigningConfigArn }, ctx),
    ],
    GetLayerVersion: async (input, ctx) => {
      await loadLayers([layerVersionArn(input.LayerName, input.VersionNumber, ctx.state)], ctx.state);
      return needs('GetLayerVersion', input, ctx);
    },
    GetLayerVersionByArn: async (input, ctx) => {
      await loadLayers([input.Arn], ctx.state);
      return needs('GetLayerVersion', input, ctx);
    },
    ListLayerVersions: (_input, ctx) => needs('ListLayerVersions', {}, ctx),
    CreateEventSourceMapping: ({ FunctionName }, ctx) =>
      needs('CreateEventSourceMapping', {}, ctx, { 'lambda:functionarn': mappedFunction(FunctionName, ctx) }),
    ListEventSourceMappings: (_input, ctx) => needs('ListEventSourceMappings', {}, ctx),
    GetEventSourceMapping: ofMapping('GetEventSourceMapping'),
    DeleteEventSourceMapping: ofMapping('DeleteEventSourceMapping'),
    UpdateEventSourceMapping: ofMapping('UpdateEventSourceMapping'),
    SendDurableExecutionCallbackFailure: ofCallback('SendDurableExecutionCallbackFailure'),
    SendDurableExecutionCallbackHeartbeat: ofCallback('SendDurableExecutionCallbackHeartbeat'),
    SendDurableExecutionCallbackSuccess: ofCallback('SendDurableExecutionCallbackSuccess'),
    TagResource: (input, ctx) => needs('TagResource', input, ctx),
    UntagResource: (input, ctx) => needs('UntagResource', input, ctx),
  },
};

/** Returns the principal of the statement that a request removes. */
function principalOfStatement(input: InputOf<'RemovePermission'>, ctx: LambdaContext): Conditions {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  const policy = state.policies.get(`${name}:${qualifier ?? LATEST}`);
  const principal = policy?.statements.find(({ Sid }) => Sid === input.StatementId)?.Principal;
  if (principal === undefined || typeof principal === 'string') return { 'lambda:principal': principal };
  return { 'lambda:principal': principal.Service ?? principal.AWS };
}
