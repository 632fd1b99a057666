import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Creates state of every persistent kind. */
async function act(config: TestClientConfig): Promise<void> {
  const api = new ApiGatewayV2(config);
  const { ApiId } = await api.createApi({ Name: 'http', ProtocolType: 'HTTP', Tags: { team: 'ü' }, Description: 'ü' });
  const { IntegrationId } = await api.createIntegration({
    ApiId,
    IntegrationType: 'HTTP_PROXY',
    IntegrationMethod: 'GET',
    IntegrationUri: 'https://example.com',
  });
  await api.createRoute({ ApiId, RouteKey: 'GET /', Target: `integrations/${IntegrationId}` });
  await api.createStage({ ApiId, StageName: '$default', AutoDeploy: true, StageVariables: { a: 'b' } });
  await api.createStage({ ApiId, StageName: 'dev' });
  await api.createDeployment({ ApiId, StageName: 'dev', Description: 'first' });
  await api.createAuthorizer({
    ApiId,
    Name: 'jwt',
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Issuer: 'https://issuer.example', Audience: ['a'] },
  });
  const DomainName = `${config.region}-${config.credentials.accessKeyId}.example.com`.toLowerCase();
  const CertificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/c';
  await api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
  await api.createApiMapping({ DomainName, ApiId, Stage: 'dev', ApiMappingKey: 'v1' });
  await api.createRoutingRule({
    DomainName,
    Priority: 1,
    Conditions: [{ MatchBasePaths: { AnyOf: ['x'] } }],
    Actions: [{ InvokeApi: { ApiId, Stage: 'dev' } }],
  });
  const socket = await api.createApi({
    Name: 'socket',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  const mock = await api.createIntegration({ ApiId: socket.ApiId, IntegrationType: 'MOCK' });
  await api.createIntegrationResponse({
    ApiId: socket.ApiId,
    IntegrationId: mock.IntegrationId,
    IntegrationResponseKey: '$default',
  });
  const route = await api.createRoute({ ApiId: socket.ApiId, RouteKey: '$default' });
  await api.createRouteResponse({ ApiId: socket.ApiId, RouteId: route.RouteId, RouteResponseKey: '$default' });
  await api.createModel({ ApiId: socket.ApiId, Name: 'Message', Schema: '{"type":"object"}' });
}

const items = async (list: Promise<{ Items?: object[] }>): Promise<object[]> => (await list).Items ?? [];

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const api = new ApiGatewayV2(config);
  const { Items: apis = [] } = await api.getApis({});
  const parts = apis.map(async ({ ApiId, ProtocolType }) => {
    const routes = (await api.getRoutes({ ApiId })).Items ?? [];
    const integrations = (await api.getIntegrations({ ApiId })).Items ?? [];
    const isSocket = ProtocolType === 'WEBSOCKET';
    return [
      routes,
      integrations,
      await items(api.getStages({ ApiId })),
      await items(api.getDeployments({ ApiId })),
      await items(api.getAuthorizers({ ApiId })),
      await items(api.getModels({ ApiId })),
      isSocket ? await items(api.getRouteResponses({ ApiId, RouteId: routes[0]!.RouteId })) : [],
      isSocket
        ? await items(api.getIntegrationResponses({ ApiId, IntegrationId: integrations[0]!.IntegrationId }))
        : [],
    ];
  });
  const { Items: domains = [] } = await api.getDomainNames({});
  const mappings = domains.map(async ({ DomainName }) => [
    await items(api.getApiMappings({ DomainName })),
    (await api.listRoutingRules({ DomainName })).RoutingRules,
  ]);
  return [apis, await Promise.all(parts), domains, await Promise.all(mappings)];
}

describeServiceContract({ manifest, scope: 'region', act, observe });
