import { lowerId } from '@emu/core/descriptors';
import { descriptor } from '../descriptor.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { DEFAULT_ROUTE } from '../runtime/route-key.ts';
import { checkWebSocketApi } from '../validation/websocket-only.ts';
import { RESPONSE_TARGET } from '../websocket/parameters.ts';
import { apis } from './apis.ts';
import { routes } from './routes.ts';

/** Route responses of WebSocket APIs. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses-routeresponseid.html */
export const routeResponses = descriptor({
  name: 'RouteResponse',
  records: 'routeResponses',
  owner: routes,
  key: 'RouteResponseId',
  id: lowerId(7),
  before: (input, ctx) => checkWebSocketApi(apis.find(input, ctx), 'Route responses'),
  missing: () => notFound('Invalid RouteResponse identifier specified'),
  rules: [
    ({ RouteResponseKey }) => {
      if (RouteResponseKey !== DEFAULT_ROUTE) throw badRequest('The route response key must be $default');
    },
    {
      unique: ['RouteResponseKey'],
      error: ({ RouteResponseKey: key }) => conflict(`Route response with key ${key} already exists for this route`),
    },
    ({ ResponseParameters = {} }) => {
      for (const target of Object.keys(ResponseParameters))
        if (!RESPONSE_TARGET.test(target)) throw badRequest(`Invalid mapping expression specified: ${target}`);
    },
    // As in AWS, models and parameters document the response and are not enforced.
    ({ ResponseModels = {} }, { at, ctx }) => {
      const models = ctx.state.models.list(at.ApiId);
      for (const name of Object.values(ResponseModels))
        if (!models.some((model) => model.Name === name)) throw badRequest(`Invalid model name ${name} specified`);
    },
  ],
  changed: (_response, { at, ctx }) => ctx.state.changed(at.ApiId),
});
