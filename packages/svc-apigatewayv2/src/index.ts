import { noSuchApi } from '@emu/apigateway-common';
import { definePlugin, httpApis, provide } from '@emu/core';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2InternalOperations } from '@emu/service-types/internal/apigatewayv2';
import type { ServiceModel } from '@emu/wire';
import model from '../model/apigatewayv2.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { asksClients, findDomain } from './domains/entrance.ts';
import { httpApisOf } from './domains/offered.ts';
import { invalid } from './errors.ts';
import { serve } from './http/serve.ts';
import {
  CreateApiMapping,
  DeleteApiMapping,
  GetApiMapping,
  GetApiMappings,
  UpdateApiMapping,
} from './operations/api-mappings.ts';
import { CreateApi, DeleteApi, DeleteCorsConfiguration, GetApi, GetApis, UpdateApi } from './operations/apis.ts';
import {
  CreateAuthorizer,
  DeleteAuthorizer,
  GetAuthorizer,
  GetAuthorizers,
  ResetAuthorizersCache,
  UpdateAuthorizer,
} from './operations/authorizers.ts';
import {
  CreateDeployment,
  DeleteDeployment,
  GetDeployment,
  GetDeployments,
  UpdateDeployment,
} from './operations/deployments.ts';
import {
  CreateDomainName,
  DeleteDomainName,
  GetDomainName,
  GetDomainNames,
  UpdateDomainName,
} from './operations/domain-names.ts';
import {
  CreateProductRestEndpointPage,
  DeleteProductRestEndpointPage,
  GetProductRestEndpointPage,
  ListProductRestEndpointPages,
  UpdateProductRestEndpointPage,
} from './operations/endpoint-pages.ts';
import {
  CreateIntegrationResponse,
  DeleteIntegrationResponse,
  GetIntegrationResponse,
  GetIntegrationResponses,
  UpdateIntegrationResponse,
} from './operations/integration-responses.ts';
import {
  CreateIntegration,
  DeleteIntegration,
  GetIntegration,
  GetIntegrations,
  UpdateIntegration,
} from './operations/integrations.ts';
import { CreateModel, DeleteModel, GetModel, GetModels, GetModelTemplate, UpdateModel } from './operations/models.ts';
import { ExportApi, ImportApi, ReimportApi } from './operations/openapi.ts';
import {
  CreatePortalProduct,
  DeletePortalProduct,
  DeletePortalProductSharingPolicy,
  GetPortalProduct,
  GetPortalProductSharingPolicy,
  ListPortalProducts,
  PutPortalProductSharingPolicy,
  UpdatePortalProduct,
} from './operations/portal-products.ts';
import {
  CreatePortal,
  DeletePortal,
  DisablePortal,
  GetPortal,
  ListPortals,
  PreviewPortal,
  PublishPortal,
  UpdatePortal,
} from './operations/portals.ts';
import {
  CreateProductPage,
  DeleteProductPage,
  GetProductPage,
  ListProductPages,
  UpdateProductPage,
} from './operations/product-pages.ts';
import {
  CreateRouteResponse,
  DeleteRouteResponse,
  GetRouteResponse,
  GetRouteResponses,
  UpdateRouteResponse,
} from './operations/route-responses.ts';
import {
  CreateRoute,
  DeleteRoute,
  DeleteRouteRequestParameter,
  GetRoute,
  GetRoutes,
  UpdateRoute,
} from './operations/routes.ts';
import {
  CreateRoutingRule,
  DeleteRoutingRule,
  GetRoutingRule,
  ListRoutingRules,
  PutRoutingRule,
} from './operations/routing-rules.ts';
import {
  CreateStage,
  DeleteAccessLogSettings,
  DeleteRouteSettings,
  DeleteStage,
  GetStage,
  GetStages,
  UpdateStage,
} from './operations/stages.ts';
import { GetTags, TagResource, UntagResource } from './operations/tags.ts';
import { CreateVpcLink, DeleteVpcLink, GetVpcLink, GetVpcLinks, UpdateVpcLink } from './operations/vpc-links.ts';
import { paging } from './paging.ts';
import { portalOfHost, servePortal } from './portals/serve.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
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
  ownsHost: (name, handle) => (findDomain(name, handle) ?? portalOfHost(name, handle)) !== undefined,
  asksClients,
  onReset(handle, accountId) {
    for (const scope of handle.states())
      if (accountId === undefined || scope.accountId === accountId)
        scope.state.runtime.connections.closeAll(() => true);
  },
  validationError: ([failure]) => (failure ? invalid(failure.message) : undefined),
  internal: {
    // Its permission is all that it has.
    InvokeRoute: (_input: Apigatewayv2InternalOperations['InvokeRoute']['input']) => ({}),
  },
  operations: {
    CreateApi,
    CreateApiMapping,
    CreateAuthorizer,
    CreateDeployment,
    CreateDomainName,
    CreateIntegration,
    CreateIntegrationResponse,
    CreateModel,
    CreatePortal,
    CreatePortalProduct,
    CreateProductPage,
    CreateProductRestEndpointPage,
    CreateRoute,
    CreateRouteResponse,
    CreateRoutingRule,
    CreateStage,
    CreateVpcLink,
    DeleteAccessLogSettings,
    DeleteApi,
    DeleteApiMapping,
    DeleteAuthorizer,
    DeleteCorsConfiguration,
    DeleteDeployment,
    DeleteDomainName,
    DeleteIntegration,
    DeleteIntegrationResponse,
    DeleteModel,
    DeletePortal,
    DeletePortalProduct,
    DeletePortalProductSharingPolicy,
    DeleteProductPage,
    DeleteProductRestEndpointPage,
    DeleteRoute,
    DeleteRouteRequestParameter,
    DeleteRouteResponse,
    DeleteRouteSettings,
    DeleteRoutingRule,
    DeleteStage,
    DeleteVpcLink,
    DisablePortal,
    ExportApi,
    GetApi,
    GetApiMapping,
    GetApiMappings,
    GetApis,
    GetAuthorizer,
    GetAuthorizers,
    GetDeployment,
    GetDeployments,
    GetDomainName,
    GetDomainNames,
    GetIntegration,
    GetIntegrationResponse,
    GetIntegrationResponses,
    GetIntegrations,
    GetModel,
    GetModelTemplate,
    GetModels,
    GetPortal,
    GetPortalProduct,
    GetPortalProductSharingPolicy,
    GetProductPage,
    GetProductRestEndpointPage,
    GetRoute,
    GetRouteResponse,
    GetRouteResponses,
    GetRoutes,
    GetRoutingRule,
    GetStage,
    GetStages,
    GetTags,
    GetVpcLink,
    GetVpcLinks,
    ImportApi,
    ListPortalProducts,
    ListPortals,
    ListProductPages,
    ListProductRestEndpointPages,
    ListRoutingRules,
    PreviewPortal,
    PublishPortal,
    PutPortalProductSharingPolicy,
    PutRoutingRule,
    ReimportApi,
    ResetAuthorizersCache,
    TagResource,
    UntagResource,
    UpdateApi,
    UpdateApiMapping,
    UpdateAuthorizer,
    UpdateDeployment,
    UpdateDomainName,
    UpdateIntegration,
    UpdateIntegrationResponse,
    UpdateModel,
    UpdatePortal,
    UpdatePortalProduct,
    UpdateProductPage,
    UpdateProductRestEndpointPage,
    UpdateRoute,
    UpdateRouteResponse,
    UpdateStage,
    UpdateVpcLink,
  },
});
