import { functionOfUri } from '@emu/apigateway-common';
import { WholeRegex } from '@emu/core/regex';
import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { Authorizer, InputOf, OutputOf } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { apiOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import {
  applyPatch,
  givenValue,
  integerOf,
  optionalText,
  type PatchTable,
  refusePath,
  text,
  wordOf,
} from '../patch/patch.ts';
import type { AuthorizerRecord } from '../records.ts';

const MAX_SECONDS = 3600;
const SOURCE = /^(?:method\.request\.(?:header|querystring)\.[^\s,]+|stageVariables\.[^\s,]+|context\.[^\s,]+)$/;

function authorizerOf(
  { restApiId, authorizerId }: { restApiId: string; authorizerId: string },
  ctx: ApigatewayContext,
): DeepReadonly<AuthorizerRecord> {
  apiOf(restApiId, ctx);
  const authorizer = ctx.state.authorizers.get(restApiId, authorizerId);
  if (!authorizer) throw notFound('Invalid Authorizer identifier specified');
  return authorizer;
}

/** Validates a complete authorizer. */
function check({ name, type, authorizerUri, identitySource, providerARNs, ...rest }: Authorizer): void {
  if (!name) throw badRequest('Authorizer name cannot be empty');
  const sources = (identitySource ?? '').split(',').filter((one) => one.trim() !== '');
  for (const source of sources)
    if (!SOURCE.test(source.trim())) throw badRequest(`Invalid identity source specified: ${source.trim()}`);
  const seconds = rest.authorizerResultTtlInSeconds ?? 300;
  if (seconds < 0 || seconds > MAX_SECONDS)
    throw badRequest('Authorizer result TTL must be between 0 and 3600 seconds');
  if (type === 'COGNITO_USER_POOLS') {
    if (!providerARNs?.length) throw badRequest('Invalid Cognito User Pool ARN specified');
    for (const arn of providerARNs)
      if (parseArn(arn)?.service !== 'cognito-idp') throw badRequest('Invalid ARN specified in the request');
    return;
  }
  if (!authorizerUri || functionOfUri(authorizerUri) === undefined)
    throw badRequest('Invalid Authorizer URI: ARN is not well formed');
  if (sources.length === 0 && (type === 'TOKEN' || seconds > 0))
    throw badRequest('Identity source is required for the authorizer');
  if (rest.identityValidationExpression === undefined) return;
  const problem = WholeRegex.problem(rest.identityValidationExpression);
  if (problem !== undefined) throw badRequest(`Invalid identity validation expression specified${problem}`);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateAuthorizer.html */
export function CreateAuthorizer(
  input: InputOf<'CreateAuthorizer'>,
  ctx: ApigatewayContext,
): OutputOf<'CreateAuthorizer'> {
  const { restApiId, ...given } = input;
  // Recorded response of AWS for an unknown API.
  if (!ctx.state.apis.has(restApiId))
    throw conflict('Unable to complete operation due to concurrent modification. Please try again later.');
  const authorizer: AuthorizerRecord = {
    id: ctx.state.newId(6),
    ...given,
    ...(given.type !== 'COGNITO_USER_POOLS' && { authType: given.authType ?? 'custom' }),
    ...(given.type === 'COGNITO_USER_POOLS' && { authType: given.authType ?? 'cognito_user_pools' }),
    ...(given.type === 'COGNITO_USER_POOLS' &&
      given.identitySource === undefined && { identitySource: 'method.request.header.Authorization' }),
  };
  check(authorizer);
  if (ctx.state.authorizers.list(restApiId).some(({ name }) => name === authorizer.name))
    throw conflict('Authorizer name must be unique. Authorizer with the name already exists in this API.');
  return structuredClone(ctx.state.authorizers.put(restApiId, authorizer.id, authorizer)) as Authorizer;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetAuthorizer.html */
export function GetAuthorizer(input: InputOf<'GetAuthorizer'>, ctx: ApigatewayContext): OutputOf<'GetAuthorizer'> {
  return structuredClone(authorizerOf(input, ctx)) as Authorizer;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetAuthorizers.html */
export function GetAuthorizers(input: InputOf<'GetAuthorizers'>, ctx: ApigatewayContext): OutputOf<'GetAuthorizers'> {
  apiOf(input.restApiId, ctx);
  const all = ctx.state.authorizers.list(input.restApiId);
  return paging.page('GetAuthorizers', input, all, ({ id }) => id).list((one) => structuredClone(one) as Authorizer);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html#UpdateAuthorizer-Patch */
const TABLE: PatchTable<AuthorizerRecord> = {
  rules: [
    text('/name', 'name'),
    text('/authType', 'authType'),
    text('/authorizerUri', 'authorizerUri'),
    optionalText('/authorizerCredentials', 'authorizerCredentials'),
    optionalText('/identitySource', 'identitySource', ['add', 'replace', 'remove']),
    optionalText('/identityValidationExpression', 'identityValidationExpression'),
    {
      path: '/type',
      ops: ['replace'],
      apply(draft, step) {
        draft.type = wordOf(step, ['TOKEN', 'REQUEST', 'COGNITO_USER_POOLS']);
      },
    },
    {
      path: '/authorizerResultTtlInSeconds',
      ops: ['replace'],
      apply(draft, step) {
        draft.authorizerResultTtlInSeconds = integerOf(step);
      },
    },
    {
      path: '/providerARNs',
      ops: ['add', 'remove'],
      apply(draft, step) {
        const others = (draft.providerARNs ?? []).filter((arn) => arn !== step.value);
        draft.providerARNs = step.op === 'remove' ? others : [...others, givenValue(step)];
      },
    },
  ],
  refuse: refusePath,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateAuthorizer.html */
export function UpdateAuthorizer(
  input: InputOf<'UpdateAuthorizer'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateAuthorizer'> {
  authorizerOf(input, ctx);
  const changed = ctx.state.authorizers.update(input.restApiId, input.authorizerId, (draft) => {
    applyPatch(TABLE, draft, input.patchOperations);
    check(draft);
  });
  return structuredClone(changed) as Authorizer;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteAuthorizer.html */
export function DeleteAuthorizer(
  input: InputOf<'DeleteAuthorizer'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteAuthorizer'> {
  const { restApiId, authorizerId } = input;
  authorizerOf(input, ctx);
  for (const { path, methods } of ctx.state.resources.list(restApiId))
    for (const [name, method] of Object.entries(methods))
      if (method.authorizerId === authorizerId)
        throw conflict(`Cannot delete authorizer '${authorizerId}', is referenced in method: ${path}/${name}`);
  ctx.state.authorizers.delete(restApiId, authorizerId);
  return {};
}
