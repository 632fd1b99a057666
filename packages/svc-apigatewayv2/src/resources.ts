import { defineResource, formatArn, type Place, type ResourceAddress } from '@emu/core';
import type { ApiRegistry } from './registry.ts';

type Input = Readonly<Record<string, unknown>>;

const SERVICE = 'apigateway';

/** Path of a resource, as IAM's permissions on it have it. */
export const pathArn = (path: string, { region }: Pick<Place, 'region'>): string =>
  formatArn({ service: SERVICE, region, accountId: '', resource: path }, region);

/** What policies on invocations name. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-control-access-using-iam-policies-to-invoke-api.html */
export const executionArn = (resource: string, { accountId, region }: Place): string =>
  formatArn({ service: 'execute-api', region, accountId, resource }, region);

/** An address from members that are all there. */
function named<const Names extends Readonly<Record<string, string>>>(
  input: Input,
  place: Place,
  members: Names,
): ResourceAddress<{ [Name in keyof Names]: string }> | undefined {
  const key: Record<string, string> = {};
  for (const [name, member] of Object.entries(members)) {
    const value = input[member];
    if (typeof value !== 'string') return undefined;
    key[name] = value;
  }
  return { key: key as { [Name in keyof Names]: string }, place };
}

/** Stages, which have tags of their own. */
export const stageType = defineResource({
  name: 'Stage',
  service: SERVICE,
  scope: 'region-only',
  format: '/apis/{api}/stages/{stage}',
  cloudFormation: 'AWS::ApiGatewayV2::Stage',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { api: 'ApiId', stage: 'StageName' }),
  find: (registry: ApiRegistry, { api, stage }) => (registry.stages.get(api, stage) ? { api, stage } : undefined),
  list: (registry) =>
    [...registry.apis.keys()].flatMap((api) =>
      registry.stages.list(api).map(({ StageName }) => ({ api, stage: StageName })),
    ),
  tags: (registry, { api, stage }) => registry.stages.get(api, stage)?.Tags,
});

/** HTTP and WebSocket APIs. */
export const apiType = defineResource({
  name: 'Api',
  service: SERVICE,
  scope: 'region-only',
  format: '/apis/{api}',
  cloudFormation: 'AWS::ApiGatewayV2::Api',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { api: 'ApiId' }),
  find: (registry: ApiRegistry, { api }) => (registry.apis.has(api) ? { api } : undefined),
  list: (registry) => [...registry.apis.keys()].map((api) => ({ api })),
  count: (registry) => registry.apis.size,
  tags: (registry, { api }) => registry.apis.get(api)?.Tags,
});

/** Custom domain names. */
export const domainNameType = defineResource({
  name: 'DomainName',
  service: SERVICE,
  scope: 'region-only',
  format: '/domainnames/{name}',
  cloudFormation: 'AWS::ApiGatewayV2::DomainName',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { name: 'DomainName' }),
  find: (registry: ApiRegistry, { name }) => (registry.domainNames.has(name) ? { name } : undefined),
  list: (registry) => [...registry.domainNames.keys()].map((name) => ({ name })),
  count: (registry) => registry.domainNames.size,
  tags: (registry, { name }) => registry.domainNames.get(name)?.Tags,
});

/** Every type of resources with an ARN. */
export const resources = [stageType, apiType, domainNameType];

/** ARN of a routing rule of a domain name. */
export const routingRuleArn = (domainName: string, id: string, { accountId, region }: Place): string =>
  formatArn({ service: SERVICE, region, accountId, resource: `/domainnames/${domainName}/routingrules/${id}` }, region);
