import { claimsApi } from '@emu/apigateway-common/address';
import { restApis, type ServiceManifest } from '@emu/core/service';

/**
 * Maximum bytes of a request to the control plane.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const MAX_BODY = 8 * 1024 * 1024;

/** Facts by which the gateway recognises requests for Amazon API Gateway's REST APIs before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'apigateway',
  signingNames: ['apigateway'],
  hostNames: ['apigateway'],
  dataHostNames: ['execute-api'],
  pathPrefixes: [
    '/restapis',
    '/apikeys',
    '/usageplans',
    '/clientcertificates',
    '/domainnames',
    '/sdktypes',
    '/vpclinks',
  ],
  claims: claimsApi,
  // The largest input is an OpenAPI file of 6 MB, which is never Base64.
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  provides: [restApis],
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::ApiGateway::Account',
      'AWS::ApiGateway::ApiKey',
      'AWS::ApiGateway::Authorizer',
      'AWS::ApiGateway::BasePathMapping',
      'AWS::ApiGateway::BasePathMappingV2',
      'AWS::ApiGateway::ClientCertificate',
      'AWS::ApiGateway::Deployment',
      'AWS::ApiGateway::DocumentationPart',
      'AWS::ApiGateway::DocumentationVersion',
      'AWS::ApiGateway::DomainName',
      'AWS::ApiGateway::DomainNameAccessAssociation',
      'AWS::ApiGateway::DomainNameV2',
      'AWS::ApiGateway::GatewayResponse',
      'AWS::ApiGateway::Method',
      'AWS::ApiGateway::Model',
      'AWS::ApiGateway::RequestValidator',
      'AWS::ApiGateway::Resource',
      'AWS::ApiGateway::RestApi',
      'AWS::ApiGateway::Stage',
      'AWS::ApiGateway::UsagePlan',
      'AWS::ApiGateway::UsagePlanKey',
      'AWS::ApiGateway::VpcLink',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
