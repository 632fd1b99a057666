import { defineCollection } from '@emu/core';
import type {
  Api,
  ApiMapping,
  Authorizer,
  Deployment,
  DomainName,
  Integration,
  IntegrationResponse,
  Model,
  Route,
  RouteResponse,
  RoutingRule,
  Stage,
} from '@emu/service-types/apigatewayv2';

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
export type DomainNameRecord = Kept<DomainName, 'Tags' | 'DomainNameConfigurations', 'DomainNameArn'>;
/** A mapping of a path below a domain name to a stage, kept by the domain name and its id. */
export type ApiMappingRecord = Kept<ApiMapping, 'ApiMappingId' | 'ApiMappingKey'>;
/** A rule for requests to a domain name, kept by the domain name and its id. */
export type RoutingRuleRecord = Kept<
  RoutingRule,
  'RoutingRuleId' | 'Priority' | 'Actions' | 'Conditions',
  'RoutingRuleArn'
>;

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
] as const;
