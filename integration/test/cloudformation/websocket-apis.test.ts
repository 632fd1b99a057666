import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { describeTypes, type Env, typeCase } from './support.ts';

const CERTIFICATE = (id: string) => `arn:aws:acm:us-east-1:123456789012:certificate/${id}`;

async function apiOf(env: Env) {
  const { id: ApiId } = await env.make('AWS::ApiGatewayV2::Api', {
    Name: 'api',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  const integration = await env.make('AWS::ApiGatewayV2::Integration', { ApiId, IntegrationType: 'MOCK' });
  const { IntegrationId } = integration.attributes;
  const route = await env.make('AWS::ApiGatewayV2::Route', {
    ApiId,
    RouteKey: '$default',
    RouteResponseSelectionExpression: '$default',
    Target: `integrations/${IntegrationId}`,
  });
  return { ApiId, IntegrationId: IntegrationId!, RouteId: route.attributes.RouteId! };
}

async function stageOf(env: Env) {
  const { id: ApiId } = await env.make('AWS::ApiGatewayV2::Api', { Name: 'http', ProtocolType: 'HTTP' });
  const stage = await env.make('AWS::ApiGatewayV2::Stage', { ApiId, StageName: 'test', AutoDeploy: true });
  return { ApiId, Stage: stage.id.split('|')[1]! };
}

let domains = 0;
async function domainOf(env: Env, RoutingMode = 'API_MAPPING_ONLY') {
  const { id, attributes } = await env.make('AWS::ApiGatewayV2::DomainName', {
    DomainName: `d${++domains}.example.com`,
    DomainNameConfigurations: [{ CertificateArn: CERTIFICATE('a'), EndpointType: 'REGIONAL' }],
    RoutingMode,
  });
  return { name: id, arn: attributes.DomainNameArn! };
}

describeTypes(
  [apigateway, apigatewayv2],
  [
    typeCase({
      type: 'AWS::ApiGatewayV2::Model',
      needs: async (env) => [(await apiOf(env)).ApiId, (await apiOf(env)).ApiId] as const,
      least: ([one]) => ({ ApiId: one, Name: 'one', Schema: { type: 'object' } }),
      most: () => ({
        ContentType: 'application/xml',
        Description: 'described',
        Name: 'two',
        Schema: { type: 'array', items: { type: 'string' } },
      }),
      other: ([, two]) => ({ ApiId: two }),
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::IntegrationResponse',
      needs: async (env) => [await apiOf(env), await apiOf(env)] as const,
      least: ([{ ApiId, IntegrationId }]) => ({ ApiId, IntegrationId, IntegrationResponseKey: '/200/' }),
      most: () => ({
        IntegrationResponseKey: '/400/',
        ResponseTemplates: { one: '{"a": 1}' },
        TemplateSelectionExpression: 'one',
      }),
      other: ([, { ApiId, IntegrationId }]) => ({ ApiId, IntegrationId }),
      untried: { ResponseParameters: 'not of the answers of WebSocket APIs' },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::RouteResponse',
      needs: async (env) => [await apiOf(env), await apiOf(env)] as const,
      least: ([{ ApiId, RouteId }]) => ({ ApiId, RouteId, RouteResponseKey: '$default' }),
      most: () => ({ ModelSelectionExpression: 'one' }),
      other: ([, { ApiId, RouteId }]) => ({ ApiId, RouteId }),
      untried: { ResponseModels: 'names models', ResponseParameters: 'not of the answers of WebSocket APIs' },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::VpcLink',
      least: () => ({ Name: 'one', SubnetIds: ['subnet-1234567890abcdef0'] }),
      most: () => ({ Name: 'two', Tags: { a: '1' } }),
      other: () => ({ SecurityGroupIds: ['sg-1234567890abcdef0'], SubnetIds: ['subnet-1234567890abcdef1'] }),
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::PortalProduct',
      least: () => ({ DisplayName: 'one' }),
      most: () => ({ Description: 'described', DisplayName: 'two', Tags: [{ Key: 'a', Value: '1' }] }),
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::DomainName',
      least: () => ({
        DomainName: 'one.example.com',
        DomainNameConfigurations: [{ CertificateArn: CERTIFICATE('a'), EndpointType: 'REGIONAL' }],
      }),
      most: () => ({
        DomainNameConfigurations: [{ CertificateArn: CERTIFICATE('b'), EndpointType: 'REGIONAL' }],
        RoutingMode: 'ROUTING_RULE_THEN_API_MAPPING',
        Tags: { a: '1' },
      }),
      other: () => ({ DomainName: 'two.example.com' }),
      untried: { MutualTlsAuthentication: 'needs an object with certificates' },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::ApiMapping',
      needs: async (env) => ({
        one: await domainOf(env),
        two: await domainOf(env),
        first: await stageOf(env),
        second: await stageOf(env),
      }),
      least: ({ one, first }) => ({ DomainName: one.name, ...first }),
      most: ({ second }) => ({ ...second, ApiMappingKey: 'named' }),
      other: ({ two }) => ({ DomainName: two.name }),
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::RoutingRule',
      needs: async (env) => ({
        one: await domainOf(env, 'ROUTING_RULE_ONLY'),
        two: await domainOf(env, 'ROUTING_RULE_ONLY'),
        first: await stageOf(env),
        second: await stageOf(env),
      }),
      least: ({ one, first }) => ({
        DomainNameArn: one.arn,
        Actions: [{ InvokeApi: first }],
        Conditions: [{ MatchBasePaths: { AnyOf: ['one'] } }],
        Priority: 10,
      }),
      most: ({ second }) => ({
        Actions: [{ InvokeApi: second }],
        Conditions: [{ MatchHeaders: { AnyOf: [{ Header: 'X-A', ValueGlob: '1*' }] } }],
        Priority: 20,
      }),
      other: ({ two }) => ({ DomainNameArn: two.arn }),
    }),
  ],
);
