import { claimsApi } from '@emu/apigateway-common/address';
import { httpApis, type ServiceManifest } from '@emu/core/service';
import { APIGATEWAYV2_OPTIONS } from './options.ts';

/** Path of WebSocket handshakes for clients that cannot set the host. */
const SOCKETS = '/_emulator/apigatewayv2/ws/';
/** Path of portals for clients that cannot set the host. */
const PORTALS = '/_aws/apigw-portal/';
/**
 * Maximum body bytes; OpenAPI documents are the largest inputs.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const MAX_BODY = 6 * 1024 * 1024;

/** Facts by which the gateway recognises requests for HTTP and WebSocket APIs before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'apigatewayv2',
  signingNames: ['apigateway'],
  hostNames: ['apigateway'],
  pathPrefixes: ['/v2/'],
  dataHostNames: ['execute-api'],
  bodies: { bytes: MAX_BODY },
  resetWith: 'apigateway',
  claims: (method, path, host, headers) =>
    claimsApi(method, path, host) ||
    path.startsWith(PORTALS) ||
    (path.startsWith(SOCKETS) && headers.upgrade !== undefined),
  options: { table: APIGATEWAYV2_OPTIONS },
  provides: [httpApis],
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::ApiGatewayV2::Api',
      'AWS::ApiGatewayV2::ApiGatewayManagedOverrides',
      'AWS::ApiGatewayV2::ApiMapping',
      'AWS::ApiGatewayV2::Authorizer',
      'AWS::ApiGatewayV2::Deployment',
      'AWS::ApiGatewayV2::DomainName',
      'AWS::ApiGatewayV2::Integration',
      'AWS::ApiGatewayV2::IntegrationResponse',
      'AWS::ApiGatewayV2::Model',
      'AWS::ApiGatewayV2::PortalProduct',
      'AWS::ApiGatewayV2::Route',
      'AWS::ApiGatewayV2::RouteResponse',
      'AWS::ApiGatewayV2::RoutingRule',
      'AWS::ApiGatewayV2::Stage',
      'AWS::ApiGatewayV2::VpcLink',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
