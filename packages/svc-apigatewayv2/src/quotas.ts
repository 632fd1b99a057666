import { type AnyQuota, defineQuotas } from '@emu/core';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';
import { tooMany } from './errors.ts';
import type { Apigatewayv2State } from './state.ts';

const facts = (code: string, name: string, defaultValue: number, page: string) => ({
  serviceCode: 'apigateway',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: `https://docs.aws.amazon.com/apigateway/latest/developerguide/${page}.html`,
  error: (limit: number) => tooMany(`The limit of ${limit} is reached: ${name}`),
});

/** Quotas of HTTP APIs and of what they share with REST APIs that can be enforced; what an import makes is not counted. */
export const quotas: readonly AnyQuota[] = defineQuotas<Apigatewayv2Operations, Apigatewayv2State>([
  {
    ...facts('L-65B5C802', 'Routes per API', 300, 'http-api-quotas'),
    grows: {
      CreateRoute: ({ ApiId }, { apis, routes }) =>
        apis.get(ApiId)?.ProtocolType === 'HTTP' ? routes.count(ApiId) + 1 : undefined,
    },
  },
  {
    ...facts('L-608BDCD4', 'VPC links per account per Region', 10, 'http-api-quotas'),
    usage: ({ vpcLinks }) => vpcLinks.size,
    grows: { CreateVpcLink: (_input, { vpcLinks }) => vpcLinks.size + 1 },
  },
  {
    ...facts('L-668C9B28', 'Subnets per VPC link', 10, 'http-api-quotas'),
    grows: { CreateVpcLink: ({ SubnetIds }) => SubnetIds.length },
  },
  {
    ...facts('L-68B79FF0', 'Routing rules per domain', 50, 'api-gateway-execution-service-limits-table'),
    grows: {
      CreateRoutingRule: ({ DomainName }, { domainNames, routingRules }) =>
        domainNames.has(DomainName) ? routingRules.count(DomainName) + 1 : undefined,
    },
  },
]);
