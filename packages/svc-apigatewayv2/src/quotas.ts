import { type AnyQuota, defineQuotas, listedQuotas, type OwnQuota, PER_SECOND } from '@emu/core/service';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';
import { tooManyRequests } from './errors.ts';
import type { Apigatewayv2State } from './state.ts';

const WEBSOCKET_PAGE =
  'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html';

const facts = (code: string, name: string, defaultValue: number, page: string) => ({
  serviceCode: 'apigateway',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: `https://docs.aws.amazon.com/apigateway/latest/developerguide/${page}.html`,
  error: (limit: number) => tooManyRequests(`The limit of ${limit} is reached: ${name}`),
});

/** New connections per second to all WebSocket APIs of an account in a region. */
export const NEW_CONNECTIONS: OwnQuota<Apigatewayv2State> = {
  serviceCode: 'apigateway',
  code: 'L-9ED1E49A',
  name: 'WebSocket new connections rate',
  defaultValue: 500,
  adjustable: true,
  period: PER_SECOND,
  page: WEBSOCKET_PAGE,
  own: true,
};
/** Burst of new connections, as in AWS. */
export const CONNECTION_BURST = 500;

/** Quotas of HTTP and WebSocket APIs and those shared with REST APIs; parts created by imports are not counted. */
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
  NEW_CONNECTIONS,
  ...listedQuotas({ serviceCode: 'apigateway', page: WEBSOCKET_PAGE }, [
    ['L-E1465507', 'WebSocket new connections burst rate', CONNECTION_BURST],
    ['L-A6CCE716', 'Connection duration for WebSocket API', 7200, { unit: 'Seconds' }],
    ['L-60AC41CD', 'WebSocket Idle Connection Timeout', 600, { unit: 'Seconds' }],
    ['L-FD0EB744', 'WebSocket message payload size', 128, { unit: 'Kilobytes' }],
    ['L-E11F7D5D', 'WebSocket frame size', 32, { unit: 'Kilobytes' }],
  ]),
]);
