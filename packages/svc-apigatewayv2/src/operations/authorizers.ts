import type { InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest } from '../errors.ts';
import { apis } from '../resources/apis.ts';
import { authorizers } from '../resources/authorizers.ts';
import { stages } from '../resources/stages.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers.html#CreateAuthorizer */
export const CreateAuthorizer = authorizers.createHandler('CreateAuthorizer', {
  defaults: ({ input, owner }) =>
    input.AuthorizerType === 'REQUEST' && owner.ProtocolType === 'HTTP'
      ? { AuthorizerResultTtlInSeconds: 0, EnableSimpleResponses: false }
      : {},
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers-authorizerid.html#GetAuthorizer */
export const GetAuthorizer = authorizers.getHandler('GetAuthorizer', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers.html#GetAuthorizers */
export const GetAuthorizers = authorizers.listHandler('GetAuthorizers', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers-authorizerid.html#UpdateAuthorizer */
export const UpdateAuthorizer = authorizers.updateHandler('UpdateAuthorizer', {
  members: {
    AuthorizerType: {
      rule(type, { before }) {
        if (type !== before?.AuthorizerType) throw badRequest('The type of an authorizer cannot be changed');
      },
    },
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers-authorizerid.html#DeleteAuthorizer */
export const DeleteAuthorizer = authorizers.deleteHandler('DeleteAuthorizer', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename-cache-authorizers.html#ResetAuthorizersCache */
export function ResetAuthorizersCache(
  input: InputOf<'ResetAuthorizersCache'>,
  ctx: Apigatewayv2Context,
): OutputOf<'ResetAuthorizersCache'> {
  if (apis.find(input, ctx).ProtocolType !== 'HTTP')
    throw badRequest('The cache of authorizers is supported only for HTTP APIs');
  const { StageName } = stages.find(input, ctx);
  ctx.state.runtime.resetAuthorizers(input.ApiId, StageName);
  return {};
}
