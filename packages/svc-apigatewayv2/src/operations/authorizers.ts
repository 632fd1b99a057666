import type { DeepReadonly } from '@emu/core';
import type { Authorizer, InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { conflict, invalid } from '../errors.ts';
import { apiOf, authorizerOf, stageOf } from '../lookup.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { AuthorizerRecord } from '../records.ts';
import { checkAuthorizer } from '../validation/authorizer.ts';

const SETTINGS = [
  'AuthorizerCredentialsArn',
  'AuthorizerPayloadFormatVersion',
  'AuthorizerResultTtlInSeconds',
  'AuthorizerUri',
  'EnableSimpleResponses',
  'JwtConfiguration',
] as const;

const describe = (authorizer: DeepReadonly<AuthorizerRecord>): Authorizer => authorizer as Authorizer;

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers.html#CreateAuthorizer */
export function CreateAuthorizer(
  input: InputOf<'CreateAuthorizer'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreateAuthorizer'> {
  const { ApiId, ProtocolType } = apiOf(input, ctx);
  const { state } = ctx;
  const { AuthorizerType, IdentitySource, Name } = input;
  checkAuthorizer(ProtocolType, input);
  if (state.authorizers.list(ApiId).some((other) => other.Name === Name))
    throw conflict(`Authorizer with name ${Name} already exists for this API`);
  const AuthorizerId = state.newId().slice(0, 6);
  const authorizer = state.authorizers.put(ApiId, AuthorizerId, {
    ...(AuthorizerType === 'REQUEST' &&
      ProtocolType === 'HTTP' && { AuthorizerResultTtlInSeconds: 0, EnableSimpleResponses: false }),
    ...given(input, SETTINGS),
    AuthorizerId,
    AuthorizerType,
    IdentitySource,
    Name,
  });
  state.changed(ApiId);
  return describe(authorizer);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers-authorizerid.html#GetAuthorizer */
export function GetAuthorizer(input: InputOf<'GetAuthorizer'>, ctx: Apigatewayv2Context): OutputOf<'GetAuthorizer'> {
  return describe(authorizerOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers.html#GetAuthorizers */
export function GetAuthorizers(input: InputOf<'GetAuthorizers'>, ctx: Apigatewayv2Context): OutputOf<'GetAuthorizers'> {
  const { ApiId } = apiOf(input, ctx);
  return paging
    .page('GetAuthorizers', withLimit(input), ctx.state.authorizers.list(ApiId), ({ AuthorizerId }) => AuthorizerId)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers-authorizerid.html#UpdateAuthorizer */
export function UpdateAuthorizer(
  input: InputOf<'UpdateAuthorizer'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdateAuthorizer'> {
  const authorizer = authorizerOf(input, ctx) as AuthorizerRecord;
  const { ApiId, ProtocolType } = apiOf(input, ctx);
  const { AuthorizerId } = authorizer;
  if (input.AuthorizerType !== undefined && input.AuthorizerType !== authorizer.AuthorizerType)
    throw invalid('The type of an authorizer cannot be changed');
  const changed: AuthorizerRecord = {
    ...authorizer,
    ...given(input, [...SETTINGS, 'IdentitySource', 'IdentityValidationExpression', 'Name']),
  };
  checkAuthorizer(ProtocolType, changed);
  if (ctx.state.authorizers.list(ApiId).some((one) => one.Name === changed.Name && one.AuthorizerId !== AuthorizerId))
    throw conflict(`Authorizer with name ${changed.Name} already exists for this API`);
  const updated = ctx.state.authorizers.put(ApiId, AuthorizerId, changed);
  ctx.state.changed(ApiId);
  return describe(updated);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers-authorizerid.html#DeleteAuthorizer */
export function DeleteAuthorizer(
  input: InputOf<'DeleteAuthorizer'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteAuthorizer'> {
  const { AuthorizerId } = authorizerOf(input, ctx);
  const { ApiId } = input;
  const route = ctx.state.routes.list(ApiId).find((one) => one.AuthorizerId === AuthorizerId);
  if (route) throw conflict(`Cannot delete authorizer '${AuthorizerId}', is referenced by route '${route.RouteId}'`);
  ctx.state.authorizers.delete(ApiId, AuthorizerId);
  ctx.state.changed(ApiId);
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename-cache-authorizers.html#ResetAuthorizersCache */
export function ResetAuthorizersCache(
  input: InputOf<'ResetAuthorizersCache'>,
  ctx: Apigatewayv2Context,
): OutputOf<'ResetAuthorizersCache'> {
  if (apiOf(input, ctx).ProtocolType !== 'HTTP')
    throw invalid('The cache of authorizers is supported only for HTTP APIs');
  const { StageName } = stageOf(input, ctx);
  ctx.state.runtime.resetAuthorizers(input.ApiId, StageName);
  return {};
}
