import { defineCollection } from '@emu/core/service';
import type {
  Api,
  ApiMapping,
  Authorizer,
  Deployment,
  DisplayContentOverrides,
  DomainName,
  Integration,
  IntegrationResponse,
  Model,
  PortalSummary,
  ProductPageSummaryNoBody,
  ProductRestEndpointPageSummaryNoBody,
  Route,
  RouteResponse,
  RoutingRule,
  Stage,
  UpdatePortalProductResponse,
  VpcLink,
} from '@emu/service-types/apigatewayv2';
import type { PortalSignIn, PortalSite } from './portals/portal-site.ts';

/** Record form of a model shape, with required members, and times as numbers. */
type Kept<Shape, Required extends keyof Shape, Left extends keyof Shape = never> = Omit<Shape, Required | Left> & {
  [Name in Required]-?: NonNullable<Shape[Name]>;
};

/** An API by id. `createdAt` is in epoch milliseconds. */
export type ApiRecord = Kept<Api, 'ApiId' | 'Tags', 'CreatedDate' | 'ApiEndpoint'> & { createdAt: number };
/** A route, by the ids of its API and its own. */
export type RouteRecord = Kept<Route, 'RouteId' | 'AuthorizationType'>;
/** An integration, by the ids of its API and its own. */
export type IntegrationRecord = Kept<Integration, 'IntegrationId' | 'IntegrationType' | 'TimeoutInMillis'>;
/** An authorizer, by the ids of its API and its own. */
export type AuthorizerRecord = Kept<Authorizer, 'AuthorizerId' | 'AuthorizerType' | 'IdentitySource'>;
/** A model, by the ids of its API and its own. */
export type ModelRecord = Kept<Model, 'ModelId' | 'Schema'>;
/** A route response, by the ids of its API, its route and its own. */
export type RouteResponseRecord = Kept<RouteResponse, 'RouteResponseId'>;
/** An integration response, by the ids of its API, its integration and its own. */
export type IntegrationResponseRecord = Kept<IntegrationResponse, 'IntegrationResponseId'>;
/** A stage, by API id and name. Times are epoch milliseconds. */
export type StageRecord = Kept<Stage, 'Tags', 'CreatedDate' | 'LastUpdatedDate'> & {
  createdAt: number;
  updatedAt: number;
};

/** The parts of an API that a deployment fixes. */
export interface Configuration {
  readonly cors?: Api['CorsConfiguration'];
  readonly routeSelectionExpression: string;
  readonly routes: readonly RouteRecord[];
  readonly integrations: readonly IntegrationRecord[];
  readonly authorizers: readonly AuthorizerRecord[];
  readonly models: readonly ModelRecord[];
  /** Route responses by route id. */
  readonly routeResponses: Readonly<Record<string, readonly RouteResponseRecord[]>>;
  /** Integration responses by integration id. */
  readonly integrationResponses: Readonly<Record<string, readonly IntegrationResponseRecord[]>>;
}

/** A deployment, by the ids of its API and its own. `createdAt` is in epoch milliseconds. */
export type DeploymentRecord = Kept<Deployment, 'DeploymentId' | 'AutoDeployed', 'CreatedDate'> & {
  createdAt: number;
  /** Deployed configuration; absent for automatic deployments, which serve the current one. */
  configuration?: Configuration;
};

/** A custom domain name. */
export type DomainNameRecord = Kept<DomainName, 'Tags' | 'DomainNameConfigurations', 'DomainNameArn'> & {
  /** PEM certificates of the trusted client certificate authorities. */
  truststore?: string | undefined;
};
/** A mapping of a domain name's path to a stage, by domain name and id. */
export type ApiMappingRecord = Kept<ApiMapping, 'ApiMappingId' | 'ApiMappingKey'>;
/** A routing rule, by domain name and id. */
export type RoutingRuleRecord = Kept<
  RoutingRule,
  'RoutingRuleId' | 'Priority' | 'Actions' | 'Conditions',
  'RoutingRuleArn'
>;

/** A VPC link by id. `createdAt` is in epoch milliseconds. */
export type VpcLinkRecord = Kept<
  VpcLink,
  'VpcLinkId' | 'Tags',
  'CreatedDate' | 'VpcLinkStatus' | 'VpcLinkStatusMessage' | 'VpcLinkVersion'
> & { createdAt: number };

/** A portal by id. Times are epoch milliseconds. */
export type PortalRecord = Pick<PortalSummary, 'Authorization' | 'PortalId' | 'RumAppMonitorName'> & {
  content: Omit<PortalSummary['PortalContent'], 'Theme'>;
  colors: PortalSummary['PortalContent']['Theme']['CustomColors'];
  /** Custom domain name with its certificate. */
  endpoint?: { CertificateArn: string; DomainName: string } | undefined;
  productArns: string[];
  logoAt?: number | undefined;
  /** `s3://<bucket>/<key>`. */
  logoUri?: string | undefined;
  /** Published state and time of publication. */
  published?:
    | { site: PortalSite; at: number; description?: string | undefined; signIn?: PortalSignIn | undefined }
    | undefined;
  /** Preview with its secret token and expiry. */
  preview?: { site: PortalSite; token: string; until: number } | undefined;
  modifiedAt: number;
  Tags: Record<string, string>;
};
/** A portal product by id. `modifiedAt` is in epoch milliseconds. */
export type PortalProductRecord = Pick<UpdatePortalProductResponse, 'Description' | 'DisplayOrder'> & {
  PortalProductId: string;
  DisplayName: string;
  /** Resource policy that shares the product. */
  policy?: string | undefined;
  modifiedAt: number;
  Tags: Record<string, string>;
};
/** A page of a product, by the ids of both. `modifiedAt` is in epoch milliseconds. */
export type ProductPageRecord = Pick<ProductPageSummaryNoBody, 'ProductPageId'> & {
  title: string;
  body: string;
  modifiedAt: number;
};
/** A page about a REST API method, by the ids of its product and its own. `modifiedAt` is in epoch milliseconds. */
export type EndpointPageRecord = Pick<
  ProductRestEndpointPageSummaryNoBody,
  'ProductRestEndpointPageId' | 'RestEndpointIdentifier' | 'TryItState'
> & {
  /** Operation name of the method. */
  operationName?: string | undefined;
  overrides: DisplayContentOverrides;
  modifiedAt: number;
};

export const apiCollection = defineCollection<ApiRecord>('apis', 'region', { content: ['Description', 'Tags'] });
export const routeCollection = defineCollection<RouteRecord>('routes', 'region');
export const integrationCollection = defineCollection<IntegrationRecord>('integrations', 'region', {
  content: ['RequestTemplates', 'Description'],
});
export const authorizerCollection = defineCollection<AuthorizerRecord>('authorizers', 'region');
export const modelCollection = defineCollection<ModelRecord>('models', 'region', { content: ['Schema'] });
export const routeResponseCollection = defineCollection<RouteResponseRecord>('route-responses', 'region');
export const integrationResponseCollection = defineCollection<IntegrationResponseRecord>(
  'integration-responses',
  'region',
  { content: ['ResponseTemplates'] },
);
export const stageCollection = defineCollection<StageRecord>('stages', 'region', {
  content: ['Description', 'Tags', 'StageVariables'],
});
export const deploymentCollection = defineCollection<DeploymentRecord>('deployments', 'region', {
  content: ['Description', 'Schema', 'RequestTemplates', 'ResponseTemplates'],
});
export const domainNameCollection = defineCollection<DomainNameRecord>('domain-names', 'region', {
  content: ['Tags'],
});
export const apiMappingCollection = defineCollection<ApiMappingRecord>('api-mappings', 'region');
export const routingRuleCollection = defineCollection<RoutingRuleRecord>('routing-rules', 'region');
export const vpcLinkCollection = defineCollection<VpcLinkRecord>('vpc-links', 'region', { content: ['Tags'] });
export const portalCollection = defineCollection<PortalRecord>('portals', 'region', {
  content: ['content', 'published', 'preview', 'Tags'],
});
export const portalProductCollection = defineCollection<PortalProductRecord>('portal-products', 'region', {
  content: ['Description', 'policy', 'Tags'],
});
export const productPageCollection = defineCollection<ProductPageRecord>('product-pages', 'region', {
  content: ['title', 'body'],
});
export const endpointPageCollection = defineCollection<EndpointPageRecord>('product-endpoint-pages', 'region', {
  content: ['overrides'],
});

/** All collections of HTTP and WebSocket APIs. */
export const collections = [
  apiCollection,
  routeCollection,
  integrationCollection,
  authorizerCollection,
  modelCollection,
  routeResponseCollection,
  integrationResponseCollection,
  stageCollection,
  deploymentCollection,
  domainNameCollection,
  apiMappingCollection,
  routingRuleCollection,
  vpcLinkCollection,
  portalCollection,
  portalProductCollection,
  productPageCollection,
  endpointPageCollection,
] as const;
