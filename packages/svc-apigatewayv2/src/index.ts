import { apiOfHost, apiPathOfHost, noSuchApi } from '@emu/apigateway-common';
import { definePlugin, httpApis, provide } from '@emu/core/service';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2InternalOperations } from '@emu/service-types/internal/apigatewayv2';
import type { ServiceModel } from '@emu/wire';
import model from '../model/apigatewayv2.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { asksClients, findDomain } from './domains/entrance.ts';
import { badRequest } from './errors.ts';
import { httpApisOf } from './http-apis.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as apiMappings from './operations/api-mappings.ts';
import * as apis from './operations/apis.ts';
import * as authorizers from './operations/authorizers.ts';
import * as deployments from './operations/deployments.ts';
import * as domainNames from './operations/domain-names.ts';
import * as endpointPages from './operations/endpoint-pages.ts';
import * as integrationResponses from './operations/integration-responses.ts';
import * as integrations from './operations/integrations.ts';
import * as models from './operations/models.ts';
import * as openapi from './operations/openapi.ts';
import * as portalProducts from './operations/portal-products.ts';
import * as portals from './operations/portals.ts';
import * as productPages from './operations/product-pages.ts';
import * as routeResponses from './operations/route-responses.ts';
import * as routes from './operations/routes.ts';
import * as routingRules from './operations/routing-rules.ts';
import * as stages from './operations/stages.ts';
import { tags } from './operations/tags.ts';
import * as vpcLinks from './operations/vpc-links.ts';
import { paging } from './paging.ts';
import { portalOfHost, servePortal } from './portals/serve.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { findApi } from './runtime/find-api.ts';
import { serve } from './serve.ts';
import { type Apigatewayv2State, createState } from './state.ts';
import { upgrade } from './websocket/upgrade.ts';

/** Amazon API Gateway: HTTP and WebSocket APIs. */
export const plugin = definePlugin<Apigatewayv2Operations, Apigatewayv2State>({
  name: 'apigatewayv2',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization: authorization as never,
  control,
  paging,
  resources,
  provides: [provide(httpApis, httpApisOf)],
  serve: async (request, handle) => (await servePortal(request, handle)) ?? serve(request, handle),
  unserved: noSuchApi,
  upgrade,
  // As in AWS, pages of all origins may open WebSockets, which have no CORS: authorizers can check the origin.
  admitsPage: ({ upgrade }) => (upgrade ? true : undefined),
  ownsHost(name, handle) {
    const host = apiOfHost(name);
    const owner = host
      ? findApi(handle, host.apiId, host.region)
      : (findDomain(name, handle) ?? portalOfHost(name, handle));
    return owner !== undefined;
  },
  pathOfHost: apiPathOfHost,
  asksClients,
  onReset(handle, accountId) {
    for (const scope of handle.states())
      if (accountId === undefined || scope.accountId === accountId)
        scope.state.runtime.connections.closeAll(() => true);
  },
  validationError: ([failure]) => (failure ? badRequest(failure.message) : undefined),
  internal: {
    // Only its permission exists.
    InvokeRoute: (_input: Apigatewayv2InternalOperations['InvokeRoute']['input']) => ({}),
  },
  ignoredIfEmpty,
  operations: [
    apiMappings,
    apis,
    authorizers,
    deployments,
    domainNames,
    endpointPages,
    integrationResponses,
    integrations,
    models,
    openapi,
    portalProducts,
    portals,
    productPages,
    routeResponses,
    routes,
    routingRules,
    stages,
    tags,
    vpcLinks,
  ],
});
