import { apiPathOfHost, noSuchApi } from '@emu/apigateway-common';
import { definePlugin, provide, restApis } from '@emu/core/service';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import type { ServiceModel } from '@emu/wire';
import model from '../model/apigateway.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { asksClients, ownsHost, restApisOf, serve } from './data-plane/serve.ts';
import { upgrade } from './data-plane/shared-domains.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as accessAssociations from './operations/access-associations.ts';
import * as account from './operations/account.ts';
import * as apiKeys from './operations/api-keys.ts';
import * as apis from './operations/apis.ts';
import * as authorizers from './operations/authorizers.ts';
import * as basePaths from './operations/base-paths.ts';
import * as clientCertificates from './operations/client-certificates.ts';
import * as deployments from './operations/deployments.ts';
import * as documentation from './operations/documentation.ts';
import * as domains from './operations/domains.ts';
import * as gatewayResponses from './operations/gateway-responses.ts';
import * as importExport from './operations/import-export.ts';
import * as integrations from './operations/integrations.ts';
import * as methods from './operations/methods.ts';
import * as models from './operations/models.ts';
import * as resourcesOperations from './operations/resources.ts';
import * as stages from './operations/stages.ts';
import { tags } from './operations/tags.ts';
import * as tests from './operations/tests.ts';
import * as usagePlans from './operations/usage-plans.ts';
import * as vpcLinks from './operations/vpc-links.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { type ApiGatewayState, createState } from './state.ts';
import { refuse } from './validation.ts';

/** Amazon API Gateway: REST APIs. */
export const plugin = definePlugin<ApigatewayOperations, ApiGatewayState>({
  name: 'apigateway',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  serve,
  unserved: noSuchApi,
  upgrade,
  ownsHost,
  pathOfHost: apiPathOfHost,
  provides: [provide(restApis, restApisOf)],
  asksClients,
  authorization: authorization as never,
  validationError: refuse,
  control,
  paging,
  resources,
  // Only its permission exists: see `data-plane/authorizers/iam.ts`.
  internal: { InvokeMethod: () => undefined },
  ignoredIfEmpty,
  operations: [
    accessAssociations,
    account,
    apiKeys,
    apis,
    authorizers,
    basePaths,
    clientCertificates,
    deployments,
    documentation,
    domains,
    gatewayResponses,
    importExport,
    integrations,
    methods,
    models,
    resourcesOperations,
    stages,
    tags,
    tests,
    usagePlans,
    vpcLinks,
  ],
});
