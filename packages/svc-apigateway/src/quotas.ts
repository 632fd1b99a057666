import { ACCOUNT_RATE } from '@emu/apigateway-common';
import { type AnyQuota, defineQuotas } from '@emu/core';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import { limitExceeded } from './errors.ts';
import type { DomainRecord } from './records.ts';
import type { ApiGatewayState } from './state.ts';

const facts = (code: string, name: string, defaultValue: number, things: string, ofApi = false) => ({
  serviceCode: 'apigateway',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
  error: () =>
    limitExceeded(
      `Maximum number of ${things}${ofApi ? ' for this API' : ''} has been reached.  Please contact AWS if you need additional ${things}.`,
    ),
});

const isPublic = ({ domainNameId }: Pick<DomainRecord, 'domainNameId'>): boolean => domainNameId === undefined;

function countOf<T>(all: Iterable<T>, counts: (one: T) => boolean): number {
  let count = 0;
  for (const one of all) if (counts(one)) count++;
  return count;
}

/** Quotas of REST APIs that can be enforced; resources that an import makes are not counted against them. */
export const quotas: readonly AnyQuota[] = defineQuotas<ApigatewayOperations, ApiGatewayState>([
  {
    ...facts('L-01C8A9E0', 'Resources/Routes per REST/WebSocket API', 300, 'Resources', true),
    grows: { CreateResource: ({ restApiId }, state) => state.resources.count(restApiId) + 1 },
  },
  {
    ...facts('L-379E48B0', 'Stages per API', 10, 'Stages', true),
    grows: {
      CreateStage: ({ restApiId }, state) => state.stages.count(restApiId) + 1,
      CreateDeployment: ({ restApiId, stageName }, state) =>
        stageName === undefined || stageName === '' || state.stages.get(restApiId, stageName)
          ? undefined
          : state.stages.count(restApiId) + 1,
    },
  },
  ACCOUNT_RATE,
  {
    ...facts('L-A93447B8', 'Public custom domain names per account per Region', 120, 'Custom Domain Names'),
    grows: {
      CreateDomainName: ({ domainName, endpointConfiguration }, { domains }) =>
        domains.has(domainName.toLowerCase()) || endpointConfiguration?.types?.includes('PRIVATE')
          ? undefined
          : countOf(domains.values(), isPublic) + 1,
    },
  },
  {
    ...facts('L-24E7E662', 'Private custom domain names per account per Region', 50, 'Custom Domain Names'),
    grows: {
      CreateDomainName: ({ domainName, endpointConfiguration }, { domains }) =>
        domains.has(domainName.toLowerCase()) || !endpointConfiguration?.types?.includes('PRIVATE')
          ? undefined
          : countOf(domains.values(), (domain) => !isPublic(domain)) + 1,
    },
  },
  {
    ...facts('L-4D98A8A5', 'Domain name access associations per account', 100, 'Domain Name Access Associations'),
    usage: ({ associations }) => associations.size,
    grows: { CreateDomainNameAccessAssociation: (_input, { associations }) => associations.size + 1 },
  },
  {
    ...facts('L-E8693075', 'Usage plans', 300, 'Usage Plans'),
    usage: (state) => state.usagePlans.size,
    grows: { CreateUsagePlan: (_input, state) => state.usagePlans.size + 1 },
  },
  {
    ...facts('L-A4C7274F', 'VPC links', 20, 'VPC Links'),
    usage: (state) => state.vpcLinks.size,
    grows: { CreateVpcLink: (_input, state) => state.vpcLinks.size + 1 },
  },
  {
    ...facts('L-824C9E42', 'Client certificates', 60, 'Client Certificates'),
    usage: (state) => state.certificates.size,
    grows: { GenerateClientCertificate: (_input, state) => state.certificates.size + 1 },
  },
]);
