import { notFound } from '../errors.ts';
import { routes } from '../resources/routes.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes.html#CreateRoute */
export const CreateRoute = routes.createHandler('CreateRoute', {
  defaults: () => ({ ApiKeyRequired: false, AuthorizationType: 'NONE' as const }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid.html#GetRoute */
export const GetRoute = routes.getHandler('GetRoute', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes.html#GetRoutes */
export const GetRoutes = routes.listHandler('GetRoutes', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid.html#UpdateRoute */
export const UpdateRoute = routes.updateHandler('UpdateRoute', {
  values({ before, input }) {
    const { AuthorizationType, AuthorizerId, AuthorizationScopes } = input;
    // A changed authorization type removes the previous authorizer.
    if (AuthorizationType === undefined || AuthorizationType === before.AuthorizationType) return {};
    return { AuthorizerId, AuthorizationScopes };
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid.html#DeleteRoute */
export const DeleteRoute = routes.deleteHandler('DeleteRoute', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-requestparameters-requestparameterkey.html#DeleteRouteRequestParameter */
export const DeleteRouteRequestParameter = routes.updateHandler('DeleteRouteRequestParameter', {
  members: { RequestParameterKey: 'read' },
  values({ before: { RequestParameters }, input: { RequestParameterKey: key } }) {
    if (!RequestParameters || !Object.hasOwn(RequestParameters, key))
      throw notFound('Invalid parameter name specified');
    return {
      RequestParameters: Object.fromEntries(Object.entries(RequestParameters).filter(([name]) => name !== key)),
    };
  },
});
