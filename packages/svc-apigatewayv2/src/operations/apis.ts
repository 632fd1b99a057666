import { domainMapping } from '../domains/shared.ts';
import { badRequest } from '../errors.ts';
import { changeQuickly, checkQuickChange, checkQuickTarget, createQuickly } from '../quick-create.ts';
import { apis } from '../resources/apis.ts';
import { KEY_SELECTION, routeSelection } from '../validation/api.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis.html#CreateApi */
export const CreateApi = apis.createHandler('CreateApi', {
  members: { Target: 'read', RouteKey: 'read', CredentialsArn: 'read' },
  defaults: ({ input: { ProtocolType, RouteSelectionExpression } }) => ({
    RouteSelectionExpression: routeSelection(ProtocolType, RouteSelectionExpression),
    ApiKeySelectionExpression: KEY_SELECTION,
    DisableExecuteApiEndpoint: false,
    IpAddressType: 'ipv4' as const,
  }),
  values({ input, ctx }) {
    const { ProtocolType, Target, RouteKey, CredentialsArn } = input;
    if (Target === undefined && (RouteKey !== undefined || CredentialsArn))
      throw badRequest('RouteKey and CredentialsArn can be given only with Target');
    if (Target !== undefined) checkQuickTarget(ProtocolType, Target, RouteKey);
    return { createdAt: ctx.clock.now() };
  },
  created({ ApiId }, { input, ctx }) {
    if (input.Target !== undefined) createQuickly(ApiId, input, ctx);
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html#GetApi */
export const GetApi = apis.getHandler('GetApi', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis.html#GetApis */
export const GetApis = apis.listHandler('GetApis', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html#UpdateApi */
export const UpdateApi = apis.updateHandler('UpdateApi', {
  members: { Target: 'read', RouteKey: 'read', CredentialsArn: 'read' },
  values({ before, input, ctx }) {
    checkQuickChange(before, input, ctx);
    return {};
  },
  updated: ({ ApiId }, { input, ctx }) => changeQuickly(ApiId, input, ctx),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html#DeleteApi */
export const DeleteApi = apis.deleteHandler('DeleteApi', {
  async check({ ApiId }, { ctx }) {
    const domain = await domainMapping(({ apiId }) => apiId === ApiId, ctx);
    if (domain !== undefined)
      throw badRequest(`Please remove all base path mappings related to the API from the domain ${domain} first`);
  },
  deleted: ({ ApiId }, { ctx }) => ctx.state.runtime.close(ApiId),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-cors.html#DeleteCorsConfiguration */
export const DeleteCorsConfiguration = apis.updateHandler('DeleteCorsConfiguration', {
  values: () => ({ CorsConfiguration: undefined }),
});
