import { routeResponses } from '../resources/route-responses.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses.html#CreateRouteResponse */
export const CreateRouteResponse = routeResponses.createHandler('CreateRouteResponse', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses-routeresponseid.html#GetRouteResponse */
export const GetRouteResponse = routeResponses.getHandler('GetRouteResponse', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses.html#GetRouteResponses */
export const GetRouteResponses = routeResponses.listHandler('GetRouteResponses', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses-routeresponseid.html#UpdateRouteResponse */
export const UpdateRouteResponse = routeResponses.updateHandler('UpdateRouteResponse', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses-routeresponseid.html#DeleteRouteResponse */
export const DeleteRouteResponse = routeResponses.deleteHandler('DeleteRouteResponse', {});
