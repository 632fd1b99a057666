import { defineResource, formatArn, type Place, taggedRecord, taggedResource } from '@emu/core/service';
import type { ApiGatewayState } from './state.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Returns the ARN for calling an API.
 * @param path without leading slash
 */
export const executeApiArn = (
  { accountId, region }: Place,
  apiId: string,
  stage: string,
  method: string,
  path: string,
): string =>
  formatArn({ service: 'execute-api', region, accountId, resource: `${apiId}/${stage}/${method}/${path}` }, region);

/**
 * Returns the ARN for control plane permissions.
 * @param path with leading slash
 */
export const controlArn = ({ region }: Place, path: string): string =>
  formatArn({ service: 'apigateway', region, accountId: '', resource: path }, region);

/** Returns the ARN of a private custom domain name. */
export const domainArn = ({ accountId, region }: Place, name: string, id: string): string =>
  formatArn({ service: 'apigateway', region, accountId, resource: `/domainnames/${name}+${id}` }, region);

/** Returns the ARN of an invoked private custom domain name, as used in policies. */
export const invokedDomainArn = ({ accountId, region }: Place, name: string, id: string): string =>
  formatArn({ service: 'execute-api', region, accountId, resource: `/domainnames/${name}+${id}` }, region);

/** Returns the ARN of an access association. */
export const associationArn = ({ accountId, region }: Place, name: string, type: string, source: string): string =>
  formatArn(
    {
      service: 'apigateway',
      region,
      accountId,
      resource: `/domainnameaccessassociations/domainname/${name}/${type}/${source}`,
    },
    region,
  );

const member = (input: Input, name: string): string | undefined =>
  typeof input[name] === 'string' ? (input[name] as string) : undefined;

/** REST APIs. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/arn-format-reference.html */
export const apiType = defineResource({
  name: 'RestApi',
  service: 'apigateway',
  scope: 'region-only',
  format: '/restapis/{api}',
  cloudFormation: 'AWS::ApiGateway::RestApi',
  arnMembers: ['resourceArn'],
  identify(input, place) {
    const api = member(input, 'restApiId');
    return api === undefined || input.stageName !== undefined ? undefined : { key: { api }, place };
  },
  records: (state: ApiGatewayState) => state.apis,
  tagged: { tagging, find: ({ apis }, { api }) => taggedRecord(apis, api) },
});

/** Stages of REST APIs. */
export const stageType = defineResource({
  name: 'Stage',
  service: 'apigateway',
  scope: 'region-only',
  format: '/restapis/{api}/stages/{stage}',
  cloudFormation: 'AWS::ApiGateway::Stage',
  arnMembers: ['resourceArn'],
  identify(input, place) {
    const [api, stage] = [member(input, 'restApiId'), member(input, 'stageName')];
    return api === undefined || stage === undefined ? undefined : { key: { api, stage }, place };
  },
  find: (state: ApiGatewayState, { api, stage }) => (state.stages.get(api, stage) ? { api, stage } : undefined),
  list: (state) =>
    [...state.apis.keys()].flatMap((api) => state.stages.list(api).map(({ stageName }) => ({ api, stage: stageName }))),
  tagged: {
    tagging,
    find: ({ stages }, { api, stage }) =>
      taggedResource(
        () => stages.get(api, stage),
        (change) => stages.update(api, stage, change),
      ),
  },
  count: (state) => state.stages.size,
});

/** API keys. */
export const keyType = defineResource({
  name: 'ApiKey',
  service: 'apigateway',
  scope: 'region-only',
  format: '/apikeys/{id}',
  cloudFormation: 'AWS::ApiGateway::ApiKey',
  arnMembers: ['resourceArn'],
  identify(input, place) {
    const id = member(input, 'apiKey');
    return id === undefined ? undefined : { key: { id }, place };
  },
  records: (state: ApiGatewayState) => state.apiKeys,
  tagged: { tagging, find: ({ apiKeys }, { id }) => taggedRecord(apiKeys, id) },
});

/** Usage plans. */
export const planType = defineResource({
  name: 'UsagePlan',
  service: 'apigateway',
  scope: 'region-only',
  format: '/usageplans/{id}',
  cloudFormation: 'AWS::ApiGateway::UsagePlan',
  arnMembers: ['resourceArn'],
  identify(input, place) {
    const id = member(input, 'usagePlanId');
    return id === undefined ? undefined : { key: { id }, place };
  },
  records: (state: ApiGatewayState) => state.usagePlans,
  tagged: { tagging, find: ({ usagePlans }, { id }) => taggedRecord(usagePlans, id) },
});

/** VPC links. */
export const linkType = defineResource({
  name: 'VpcLink',
  service: 'apigateway',
  scope: 'region-only',
  format: '/vpclinks/{id}',
  cloudFormation: 'AWS::ApiGateway::VpcLink',
  arnMembers: ['resourceArn'],
  identify(input, place) {
    const id = member(input, 'vpcLinkId');
    return id === undefined ? undefined : { key: { id }, place };
  },
  records: (state: ApiGatewayState) => state.vpcLinks,
  tagged: { tagging, find: ({ vpcLinks }, { id }) => taggedRecord(vpcLinks, id) },
});

/** Client certificates. */
export const certificateType = defineResource({
  name: 'ClientCertificate',
  service: 'apigateway',
  scope: 'region-only',
  format: '/clientcertificates/{id}',
  cloudFormation: 'AWS::ApiGateway::ClientCertificate',
  arnMembers: ['resourceArn'],
  identify(input, place) {
    const id = member(input, 'clientCertificateId');
    return id === undefined ? undefined : { key: { id }, place };
  },
  records: (state: ApiGatewayState) => state.certificates,
  tagged: { tagging, find: ({ certificates }, { id }) => taggedRecord(certificates, id) },
});

/** Custom domain names. */
export const domainType = defineResource({
  name: 'DomainName',
  service: 'apigateway',
  scope: 'region-only',
  format: '/domainnames/{name}',
  cloudFormation: 'AWS::ApiGateway::DomainName',
  arnMembers: ['resourceArn'],
  identify(input, place) {
    const name = member(input, 'domainName');
    return name === undefined ? undefined : { key: { name }, place };
  },
  records: (state: ApiGatewayState) => state.domains,
  tagged: { tagging, find: ({ domains }, { name }) => taggedRecord(domains, name) },
});

/** Access associations of private custom domain names. */
export const associationType = defineResource({
  name: 'DomainNameAccessAssociation',
  service: 'apigateway',
  scope: 'region',
  format: '/domainnameaccessassociations/domainname/{name}/{type}/{source}',
  cloudFormation: 'AWS::ApiGateway::DomainNameAccessAssociation',
  arnMembers: ['domainNameAccessAssociationArn', 'resourceArn'],
  identify: () => undefined,
  find: (state: ApiGatewayState, key) => (state.associations.has(associationArnOf(state, key)) ? key : undefined),
  list: (state) =>
    [...state.associations.keys()].map((arn) => {
      const [name, type, source] = arn.split('/').slice(-3) as [string, string, string];
      return { name, type, source };
    }),
  tagged: { tagging, find: (state, key) => taggedRecord(state.associations, associationArnOf(state, key)) },
  count: (state) => state.associations.size,
});

const associationArnOf = (place: Place, key: { name: string; type: string; source: string }): string =>
  associationArn(place, key.name, key.type, key.source);

/** All resource types of API Gateway. */
export const resources = [
  apiType,
  stageType,
  keyType,
  planType,
  linkType,
  certificateType,
  domainType,
  associationType,
];
