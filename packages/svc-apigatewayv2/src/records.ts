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

/** What the model says of a resource, with the members that every one of its records has, and times as numbers. */
type Kept<Shape, Required extends keyof Shape, Left extends keyof Shape = never> = Omit<Shape, Required | Left> & {
  [Name in Required]-?: NonNullable<Shape[Name]>;
};

/** An API, kept by its id. `createdAt` is in epoch milliseconds. */
export type ApiRecord = Kept<Api, 'ApiId' | 'Tags', 'CreatedDate' | 'ApiEndpoint'> & { createdAt: number };
/** A route, kept by the ids of its API and its own. */
export type RouteRecord = Kept<Route, 'RouteId' | 'AuthorizationType'>;
/** An integration, kept by the ids of its API and its own. */
export type IntegrationRecord = Kept<Integration, 'IntegrationId' | 'IntegrationType' | 'TimeoutInMillis'>;
/** An authorizer, kept by the ids of its API and its own. */
export type AuthorizerRecord = Kept<Authorizer, 'AuthorizerId' | 'AuthorizerType' | 'IdentitySource'>;
/** A model, kept by the ids of its API and its own. */
export type ModelRecord = Kept<Model, 'ModelId' | 'Schema'>;
/** A response of a route, kept by the ids of its API and route and its own. */
export type RouteResponseRecord = Kept<RouteResponse, 'RouteResponseId'>;
/** A response of an integration, kept by the ids of its API and integration and its own. */
export type IntegrationResponseRecord = Kept<IntegrationResponse, 'IntegrationResponseId'>;
/** A stage, kept by the id of its API and its name. Times are epoch milliseconds. */
export type StageRecord = Kept<Stage, 'Tags', 'CreatedDate' | 'LastUpdatedDate'> & {
  createdAt: number;
  updatedAt: number;
};

/** Everything of an API that a deployment fixes. */
export interface Configuration {
  readonly cors?: Api['CorsConfiguration'];
  readonly routeSelectionExpression: string;
  readonly routes: readonly RouteRecord[];
  readonly integrations: readonly IntegrationRecord[];
  readonly authorizers: readonly AuthorizerRecord[];
  readonly models: readonly ModelRecord[];
  /** By the ids of routes. */
  readonly routeResponses: Readonly<Record<string, readonly RouteResponseRecord[]>>;
  /** By the ids of integrations. */
  readonly integrationResponses: Readonly<Record<string, readonly IntegrationResponseRecord[]>>;
}

/** A deployment, kept by the ids of its API and its own. `createdAt` is in epoch milliseconds. */
export type DeploymentRecord = Kept<Deployment, 'DeploymentId' | 'AutoDeployed', 'CreatedDate'> & {
  createdAt: number;
  /** What was deployed; absent where a stage that deploys by itself has the API as it is. */
  configuration?: Configuration;
};

/** A custom domain name, kept by the name. */
export type DomainNameRecord = Kept<DomainName, 'Tags' | 'DomainNameConfigurations', 'DomainNameArn'> & {
  /** Certificates in PEM of the authorities whose clients are let in. */
  truststore?: string | undefined;
};
/** A mapping of a path below a domain name to a stage, kept by the domain name and its id. */
export type ApiMappingRecord = Kept<ApiMapping, 'ApiMappingId' | 'ApiMappingKey'>;
/** A rule for requests to a domain name, kept by the domain name and its id. */
export type RoutingRuleRecord = Kept<
  RoutingRule,
  'RoutingRuleId' | 'Priority' | 'Actions' | 'Conditions',
  'RoutingRuleArn'
>;

/** A VPC link, kept by its id. `createdAt` is in epoch milliseconds. */
export type VpcLinkRecord = Kept<
  VpcLink,
  'VpcLinkId' | 'Tags',
  'CreatedDate' | 'VpcLinkStatus' | 'VpcLinkStatusMessage' | 'VpcLinkVersion'
> & { createdAt: number };

/** A portal, kept by its id. Times are epoch milliseconds. */
export type PortalRecord = Pick<PortalSummary, 'Authorization' | 'PortalId' | 'RumAppMonitorName'> & {
  content: Omit<PortalSummary['PortalContent'], 'Theme'>;
  colors: PortalSummary['PortalContent']['Theme']['CustomColors'];
  /** The domain name of the owner's own, with its certificate. */
  endpoint?: { CertificateArn: string; DomainName: string } | undefined;
  productArns: string[];
  logoAt?: number | undefined;
  /** `s3://<bucket>/<key>`. */
  logoUri?: string | undefined;
  /** What the public is shown, and since when. */
  published?:
    | { site: PortalSite; at: number; description?: string | undefined; signIn?: PortalSignIn | undefined }
    | undefined;
  /** What whoever knows the token is shown, and until when. */
  preview?: { site: PortalSite; token: string; until: number } | undefined;
  modifiedAt: number;
  Tags: Record<string, string>;
};
/** A product of portals, kept by its id. `modifiedAt` is in epoch milliseconds. */
export type PortalProductRecord = Pick<UpdatePortalProductResponse, 'Description' | 'DisplayOrder'> & {
  PortalProductId: string;
  DisplayName: string;
  /** Resource policy by which others may show the product. */
  policy?: string | undefined;
  modifiedAt: number;
  Tags: Record<string, string>;
};
/** A page of a product, kept by the ids of both. `modifiedAt` is in epoch milliseconds. */
export type ProductPageRecord = Pick<ProductPageSummaryNoBody, 'ProductPageId'> & {
  title: string;
  body: string;
  modifiedAt: number;
};
/** A page on a method of a REST API, kept by the ids of its product and its own. `modifiedAt` is in epoch milliseconds. */
export type EndpointPageRecord = Pick<
  ProductRestEndpointPageSummaryNoBody,
  'ProductRestEndpointPageId' | 'RestEndpointIdentifier' | 'TryItState'
> & {
  /** Name of the operation, as the method has it. */
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

/** Everything API Gateway keeps of HTTP and WebSocket APIs. */
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
