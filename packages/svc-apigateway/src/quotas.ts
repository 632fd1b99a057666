import { ACCOUNT_RATE } from '@emu/apigateway-common';
import { type AnyQuota, defineQuotas, listedQuotas, type NumberQuota } from '@emu/core/service';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import { endpointKindOf } from './apis/endpoint-kind.ts';
import { limitExceeded } from './errors.ts';
import type { ApiGatewayState } from './state.ts';

const PAGE = 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html';

const facts = (code: string, name: string, defaultValue: number, things: string, ofApi = false) => ({
  serviceCode: 'apigateway',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: PAGE,
  error: () =>
    limitExceeded(
      `Maximum number of ${things}${ofApi ? ' for this API' : ''} has been reached.  Please contact AWS if you need additional ${things}.`,
    ),
});

/** Kinds of APIs that AWS counts separately. */
const KINDS = [
  ['REGIONAL', 'L-AA0FF27B', 'Regional APIs', 600],
  ['EDGE', 'L-B97207D0', 'Edge-optimized APIs', 120],
  ['PRIVATE', 'L-A966AB5C', 'Private APIs', 600],
] as const;

/** Returns the quota on REST APIs of a kind in an account and region. */
const apis = ([kind, code, name, most]: (typeof KINDS)[number]): NumberQuota<ApigatewayOperations, ApiGatewayState> => {
  const count = ({ apiNumbers }: ApiGatewayState) => apiNumbers.of(kind);
  return {
    ...facts(code, name, most, 'REST APIs'),
    adjustable: false,
    usage: count,
    grows: {
      CreateRestApi: ({ endpointConfiguration }, state) =>
        endpointKindOf(endpointConfiguration?.types) === kind ? count(state) + 1 : undefined,
      ImportRestApi: ({ parameters }, state) =>
        endpointKindOf(parameters?.endpointConfigurationTypes?.split(',')) === kind ? count(state) + 1 : undefined,
    },
  };
};

/** Quotas of REST APIs; resources and keys created by imports are not counted. */
export const quotas: readonly AnyQuota[] = defineQuotas<ApigatewayOperations, ApiGatewayState>([
  ...KINDS.map(apis),
  {
    ...facts('L-1D180A63', 'API keys', 10_000, 'API Keys'),
    adjustable: false,
    usage: ({ apiKeys }) => apiKeys.size,
    grows: { CreateApiKey: (_input, { apiKeys }) => apiKeys.size + 1 },
  },
  {
    ...facts('L-985EB478', 'Usage plans per API key', 10, 'Usage Plans'),
    grows: { CreateUsagePlanKey: ({ keyId }, state) => state.plansOf(keyId).length + 1 },
  },
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
      CreateDomainName: ({ domainName, endpointConfiguration }, { domains, domainNumbers }) =>
        domains.has(domainName.toLowerCase()) || endpointConfiguration?.types?.includes('PRIVATE')
          ? undefined
          : domainNumbers.of('public') + 1,
    },
  },
  {
    ...facts('L-24E7E662', 'Private custom domain names per account per Region', 50, 'Custom Domain Names'),
    grows: {
      CreateDomainName: ({ domainName, endpointConfiguration }, { domains, domainNumbers }) =>
        domains.has(domainName.toLowerCase()) || !endpointConfiguration?.types?.includes('PRIVATE')
          ? undefined
          : domainNumbers.of('private') + 1,
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
  ...listedQuotas({ serviceCode: 'apigateway', page: PAGE }, [
    ['L-CDF5615A', 'Throttle burst rate', 5000],
    ['L-46624B39', 'API Payload Size', 10, { unit: 'Megabytes' }],
    ['L-E5AE38E3', 'Maximum integration timeout in milliseconds', 29_000, { adjustable: true, unit: 'Milliseconds' }],
    ['L-8B81B02C', 'Maximum resource policy size in bytes', 8192, { adjustable: true }],
    ['L-95BA6EA5', 'Stage variables per stage', 100],
    ['L-3A613F94', 'Stage Variable Key Length', 64],
    ['L-B2CF62DC', 'Stage Variable Value Length', 512],
    ['L-A9DBC573', 'API Stage throttles in a usage plan', 100],
    ['L-FB4F0270', 'Tags Per Stage', 50],
    ['L-5244589D', 'Method ARN Length', 1600, { unit: 'Bytes' }],
    ['L-8E6A5A87', 'Maximum Iterations In Mapping Template', 1000],
    ['L-20859C74', 'AWS Lambda authorizer result size', 8, { unit: 'Kilobytes' }],
    ['L-E9EEB922', 'Maximum Combined Header Size', 10_240, { unit: 'Bytes' }],
    ['L-A7033131', 'Regional API URL Length', 10_240],
    ['L-9C147DE4', 'Edge API URL Length', 8192],
    ['L-CC2525B6', 'Maximum Cached Response Size', 1_048_576, { unit: 'Bytes' }],
    ['L-8C2F9A1D', 'Maximum API caching TTL', 3600, { unit: 'Seconds' }],
  ]),
]);
