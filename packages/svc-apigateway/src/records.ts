import { defineCollection } from '@emu/core/service';
import type {
  AccessAssociationSourceType,
  ApiKeySourceType,
  Authorizer,
  DocumentationPart,
  EndpointAccessMode,
  EndpointConfiguration,
  GatewayResponse,
  Method,
  Model,
  MutualTlsAuthentication,
  QuotaSettings,
  RequestValidator,
  RoutingMode,
  SecurityPolicy,
  Stage,
  ThrottleSettings,
  UsagePlan,
} from '@emu/service-types/apigateway';

/** Tags by key. */
export type Tags = Record<string, string>;

/** A REST API. Times in this file are epoch milliseconds. */
export interface ApiRecord {
  id: string;
  name: string;
  description?: string | undefined;
  createdAt: number;
  version?: string | undefined;
  warnings?: string[] | undefined;
  binaryMediaTypes?: string[] | undefined;
  minimumCompressionSize?: number | undefined;
  apiKeySource: ApiKeySourceType;
  endpointConfiguration: EndpointConfiguration;
  policy?: string | undefined;
  tags?: Tags | undefined;
  disableExecuteApiEndpoint: boolean;
  rootResourceId: string;
  securityPolicy?: SecurityPolicy | undefined;
  endpointAccessMode?: EndpointAccessMode | undefined;
}

/** A resource of an API with its methods. */
export interface ResourceRecord {
  id: string;
  parentId?: string | undefined;
  pathPart?: string | undefined;
  path: string;
  methods: Record<string, Method>;
}

/** A model of an API. */
export type ModelRecord = Model & { id: string; name: string };
/** An authorizer of an API. */
export type AuthorizerRecord = Authorizer & { id: string };
/** A request validator of an API. */
export type ValidatorRecord = RequestValidator & { id: string };
/** A configured gateway response. */
export type GatewayResponseRecord = GatewayResponse;
/** A documentation part of an API. */
export type DocumentationPartRecord = DocumentationPart & { id: string };

/** An immutable API definition, as stored in a deployment and used by requests. */
export interface ApiDefinition {
  binaryMediaTypes: string[];
  minimumCompressionSize?: number | undefined;
  apiKeySource: ApiKeySourceType;
  policy?: string | undefined;
  resources: ResourceRecord[];
  models: ModelRecord[];
  authorizers: AuthorizerRecord[];
  validators: ValidatorRecord[];
  gatewayResponses: GatewayResponseRecord[];
}

/** A deployment. */
export interface DeploymentRecord {
  id: string;
  description?: string | undefined;
  createdAt: number;
  definition: ApiDefinition;
}

/** A stage. */
export type StageRecord = Omit<Stage, 'createdDate' | 'lastUpdatedDate' | 'stageName' | 'deploymentId'> & {
  stageName: string;
  deploymentId: string;
  createdAt: number;
  updatedAt: number;
};

/** A version of an API's documentation, with a copy of its parts. */
export interface DocumentationVersionRecord {
  version: string;
  description?: string | undefined;
  createdAt: number;
  parts: DocumentationPartRecord[];
}

/** An API key. */
export interface ApiKeyRecord {
  id: string;
  value: string;
  name?: string | undefined;
  customerId?: string | undefined;
  description?: string | undefined;
  enabled: boolean;
  stageKeys: string[];
  tags?: Tags | undefined;
  createdAt: number;
  updatedAt: number;
}

/** A usage plan. */
export type UsagePlanRecord = UsagePlan & {
  id: string;
  name: string;
  throttle?: ThrottleSettings | undefined;
  quota?: QuotaSettings | undefined;
};

/** A key in a usage plan, with its usage. */
export interface PlanKeyRecord {
  planId: string;
  keyId: string;
  /** Time of its addition. */
  at: number;
  /** Requests used and remaining by day, e.g. `2026-11-23`. */
  days: Record<string, [used: number, remaining: number]>;
  /** First day of the quota's current period. */
  period?: string | undefined;
  /** Requests in the current period. */
  used: number;
  /** Increase of the quota in the current period. */
  extra: number;
}

/** Settings of an account. */
export interface AccountRecord {
  cloudwatchRoleArn?: string | undefined;
}

/** A VPC link. */
export interface VpcLinkRecord {
  id: string;
  name: string;
  description?: string | undefined;
  targetArns: string[];
  tags?: Tags | undefined;
  createdAt: number;
}

/** A client certificate with its private key. */
export interface ClientCertificateRecord {
  id: string;
  description?: string | undefined;
  certificate: string;
  key: string;
  createdAt: number;
  expiresAt: number;
  tags?: Tags | undefined;
}

/** A custom domain name. */
export interface DomainRecord {
  domainName: string;
  domainNameId?: string | undefined;
  certificateName?: string | undefined;
  certificateArn?: string | undefined;
  certificateUploadedAt?: number | undefined;
  regionalCertificateName?: string | undefined;
  regionalCertificateArn?: string | undefined;
  regionalDomainName?: string | undefined;
  distributionDomainName?: string | undefined;
  endpointConfiguration: EndpointConfiguration;
  securityPolicy: SecurityPolicy;
  endpointAccessMode?: EndpointAccessMode | undefined;
  mutualTlsAuthentication?: MutualTlsAuthentication | undefined;
  /** PEM certificates of the trusted client certificate authorities. */
  truststore?: string | undefined;
  ownershipVerificationCertificateArn?: string | undefined;
  policy?: string | undefined;
  routingMode: RoutingMode;
  tags?: Tags | undefined;
}

/** A base path of a domain name. */
export interface BasePathRecord {
  /** Mapping id in the version 2 API; absent in records of older versions of emu. */
  id?: string | undefined;
  basePath: string;
  restApiId: string;
  stage?: string | undefined;
}

/** An access association of a private domain name. */
export interface AccessAssociationRecord {
  arn: string;
  domainNameArn: string;
  sourceType: AccessAssociationSourceType;
  source: string;
  tags?: Tags | undefined;
}

export const apiCollection = defineCollection<ApiRecord>('apis', 'region');
export const resourceCollection = defineCollection<ResourceRecord>('resources', 'region');
export const modelCollection = defineCollection<ModelRecord>('models', 'region', { content: ['schema'] });
export const authorizerCollection = defineCollection<AuthorizerRecord>('authorizers', 'region');
export const validatorCollection = defineCollection<ValidatorRecord>('request-validators', 'region');
export const gatewayResponseCollection = defineCollection<GatewayResponseRecord>('gateway-responses', 'region');
export const partCollection = defineCollection<DocumentationPartRecord>('documentation-parts', 'region', {
  content: ['properties'],
});
export const versionCollection = defineCollection<DocumentationVersionRecord>('documentation-versions', 'region');
export const deploymentCollection = defineCollection<DeploymentRecord>('deployments', 'region');
export const stageCollection = defineCollection<StageRecord>('stages', 'region');
export const apiKeyCollection = defineCollection<ApiKeyRecord>('api-keys', 'region');
export const usagePlanCollection = defineCollection<UsagePlanRecord>('usage-plans', 'region');
export const planKeyCollection = defineCollection<PlanKeyRecord>('usage-plan-keys', 'region');
export const accountCollection = defineCollection<AccountRecord>('account', 'region');
export const vpcLinkCollection = defineCollection<VpcLinkRecord>('vpc-links', 'region');
export const certificateCollection = defineCollection<ClientCertificateRecord>('client-certificates', 'region');
export const domainCollection = defineCollection<DomainRecord>('domain-names', 'region');
export const basePathCollection = defineCollection<BasePathRecord>('base-paths', 'region');
export const associationCollection = defineCollection<AccessAssociationRecord>('access-associations', 'region');

/** All collections of API Gateway's REST APIs. */
export const collections = [
  apiCollection,
  resourceCollection,
  modelCollection,
  authorizerCollection,
  validatorCollection,
  gatewayResponseCollection,
  partCollection,
  versionCollection,
  deploymentCollection,
  stageCollection,
  apiKeyCollection,
  usagePlanCollection,
  planKeyCollection,
  accountCollection,
  vpcLinkCollection,
  certificateCollection,
  domainCollection,
  basePathCollection,
  associationCollection,
];
