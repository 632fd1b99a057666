import * as sdk from '@aws-sdk/client-apigatewayv2';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-apigatewayv2/model/apigatewayv2.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import { buckets, restApis } from './apigateway-others.ts';

const place = 'us-east-1:123456789012';
const FUNCTION = `arn:aws:lambda:${place}:function:f`;
const FUNCTION_URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`;
const ROLE = 'arn:aws:iam::123456789012:role/gateway';
const CERTIFICATE = `arn:aws:acm:${place}:certificate/c`;
const OTHER_CERTIFICATE = `arn:aws:acm:${place}:certificate/d`;
const LOG = { DestinationArn: `arn:aws:logs:${place}:log-group:access`, Format: '$context.requestId' };
const OTHER_LOG = {
  DestinationArn: `arn:aws:logs:${place}:log-group:other`,
  Format: '$context.requestId $context.status',
};
const DomainName = 'api.example.com';
const STAGE = '$default';
/** An OpenAPI document with a route without an integration. */
const BODY = JSON.stringify({
  openapi: '3.0.1',
  info: { title: 'imported' },
  servers: [{ url: 'https://x.example/base' }],
  paths: { '/a': { get: {} } },
});

const SUBNET = 'subnet-0123456789abcdef0';
const PORTAL = {
  Authorization: { None: {} },
  EndpointConfiguration: { None: {} },
  PortalContent: {
    DisplayName: 'portal',
    Theme: {
      CustomColors: {
        AccentColor: '#111111',
        BackgroundColor: '#222222',
        ErrorValidationColor: '#333333',
        HeaderColor: '#444444',
        NavigationColor: '#555555',
        TextColor: '#666666',
      },
    },
  },
};
const COGNITO = {
  AppClientId: 'client',
  UserPoolArn: `arn:aws:cognito-idp:${place}:userpool/us-east-1_abc123`,
  UserPoolDomain: 'https://pool.auth.us-east-1.amazoncognito.com',
};
const ACM = { CertificateArn: CERTIFICATE, DomainName: 'portal.example.com' };
const METHOD = { RestApiId: 'api', Stage: 'prod', Method: 'GET' };
const policyOf = (Resource: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 'apigateway:GET', Resource }],
  });

type Input = Record<string, unknown>;

const http = ({ api }: Facts): Input => ({ ApiId: api });
const socket = ({ socketApi }: Facts): Input => ({ ApiId: socketApi });
const integration = (facts: Facts): Input => ({ ...http(facts), IntegrationId: facts.integration });
const route = (facts: Facts): Input => ({ ...http(facts), RouteId: facts.route });
const authorizer = (facts: Facts): Input => ({ ...http(facts), AuthorizerId: facts.authorizer });
const stage = (facts: Facts): Input => ({ ...http(facts), StageName: 'dev' });
const model_ = (facts: Facts): Input => ({ ...socket(facts), ModelId: facts.model });
const socketRoute = (facts: Facts): Input => ({ ...socket(facts), RouteId: facts.socketRoute });
const routeResponse = (facts: Facts): Input => ({ ...socketRoute(facts), RouteResponseId: facts.routeResponse });
const socketIntegration = (facts: Facts): Input => ({ ...socket(facts), IntegrationId: facts.socketIntegration });
const integrationResponse = (facts: Facts): Input => ({
  ...socketIntegration(facts),
  IntegrationResponseId: facts.integrationResponse,
});
const mapping = ({ mapping: ApiMappingId }: Facts): Input => ({ DomainName, ApiMappingId });
const rule = ({ rule: RoutingRuleId }: Facts): Input => ({ DomainName, RoutingRuleId });
const ruleOf = ({ api }: Facts, base: string): Input => ({
  DomainName,
  Conditions: [{ MatchBasePaths: { AnyOf: [base] } }],
  Actions: [{ InvokeApi: { ApiId: api, Stage: STAGE } }],
});
const jwt = (Name: string): Input => ({
  Name,
  AuthorizerType: 'JWT',
  IdentitySource: ['$request.header.Authorization'],
  JwtConfiguration: { Issuer: 'https://issuer.example', Audience: ['a'] },
});
const lambdaAuthorizer = (Name: string): Input => ({
  Name,
  AuthorizerType: 'REQUEST',
  AuthorizerUri: FUNCTION_URI,
  AuthorizerPayloadFormatVersion: '2.0',
  IdentitySource: ['$request.header.token'],
});
const link = ({ link: VpcLinkId }: Facts): Input => ({ VpcLinkId });
const portal = ({ portal: PortalId }: Facts): Input => ({ PortalId });
const product = ({ product: PortalProductId }: Facts): Input => ({ PortalProductId });
const page = (facts: Facts): Input => ({ ...product(facts), ProductPageId: facts.page });
const endpointPage = (facts: Facts): Input => ({ ...product(facts), ProductRestEndpointPageId: facts.endpointPage });
const arn = ({ api }: Facts): Input => ({ ResourceArn: `arn:aws:apigateway:us-east-1::/apis/${api}` });

/** Creates an HTTP API and a WebSocket API with parts of every kind, and a domain name. */
async function setUp(send: Send): Promise<Facts> {
  const made = async (operation: string, input: Input, member: string): Promise<string> =>
    (await send(operation, input))[member] as string;
  const api = await made('CreateApi', { Name: 'http', ProtocolType: 'HTTP', Tags: { team: 'a' } }, 'ApiId');
  const cors = { AllowOrigins: ['https://a.example'] };
  await send('UpdateApi', { ApiId: api, CorsConfiguration: cors });
  const integrationId = await made(
    'CreateIntegration',
    { ApiId: api, IntegrationType: 'HTTP_PROXY', IntegrationMethod: 'GET', IntegrationUri: 'https://a.example' },
    'IntegrationId',
  );
  const unused = await made(
    'CreateIntegration',
    { ApiId: api, IntegrationType: 'AWS_PROXY', IntegrationUri: FUNCTION, PayloadFormatVersion: '2.0' },
    'IntegrationId',
  );
  const routeId = await made(
    'CreateRoute',
    { ApiId: api, RouteKey: 'GET /known', Target: `integrations/${integrationId}` },
    'RouteId',
  );
  const authorizerId = await made('CreateAuthorizer', { ApiId: api, ...jwt('known') }, 'AuthorizerId');
  const asking = await made('CreateAuthorizer', { ApiId: api, ...lambdaAuthorizer('asking') }, 'AuthorizerId');
  await send('CreateStage', { ApiId: api, StageName: STAGE, AutoDeploy: true });
  const deployment = await made('CreateDeployment', { ApiId: api, Description: 'known' }, 'DeploymentId');
  await send('CreateStage', {
    ApiId: api,
    StageName: 'dev',
    AccessLogSettings: LOG,
    RouteSettings: { 'GET /known': { ThrottlingBurstLimit: 1 } },
  });
  const socketApi = await made(
    'CreateApi',
    { Name: 'socket', ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.action' },
    'ApiId',
  );
  const socketIntegrationId = await made(
    'CreateIntegration',
    { ApiId: socketApi, IntegrationType: 'MOCK' },
    'IntegrationId',
  );
  const inSocketIntegration = { ApiId: socketApi, IntegrationId: socketIntegrationId };
  const integrationResponseId = await made(
    'CreateIntegrationResponse',
    { ...inSocketIntegration, IntegrationResponseKey: '$default' },
    'IntegrationResponseId',
  );
  const socketRouteId = await made('CreateRoute', { ApiId: socketApi, RouteKey: '$default' }, 'RouteId');
  const RequestParameters = { 'route.request.header.known': { Required: true } };
  const connectRoute = await made(
    'CreateRoute',
    { ApiId: socketApi, RouteKey: '$connect', RequestParameters },
    'RouteId',
  );
  const routeResponseId = await made(
    'CreateRouteResponse',
    { ApiId: socketApi, RouteId: socketRouteId, RouteResponseKey: '$default' },
    'RouteResponseId',
  );
  const modelId = await made(
    'CreateModel',
    { ApiId: socketApi, Name: 'Known', Schema: '{"type":"object"}' },
    'ModelId',
  );
  await send('CreateDomainName', { DomainName, DomainNameConfigurations: [{ CertificateArn: CERTIFICATE }] });
  const mappingId = await made(
    'CreateApiMapping',
    { DomainName, ApiId: api, Stage: STAGE, ApiMappingKey: 'known' },
    'ApiMappingId',
  );
  const facts = { api, socketApi };
  const ruleId = await made('CreateRoutingRule', { ...ruleOf(facts, 'known'), Priority: 1 }, 'RoutingRuleId');
  const linkId = await made('CreateVpcLink', { Name: 'known', SubnetIds: [SUBNET] }, 'VpcLinkId');
  const portalId = await made('CreatePortal', PORTAL, 'PortalId');
  const shown = await made('CreatePortal', PORTAL, 'PortalId');
  await send('PublishPortal', { PortalId: shown });
  const { PortalProductId, PortalProductArn } = await send('CreatePortalProduct', { DisplayName: 'known' });
  const pageId = await made(
    'CreateProductPage',
    { PortalProductId, DisplayContent: { Title: 'known', Body: 'known' } },
    'ProductPageId',
  );
  const identifier = { IdentifierParts: { ...METHOD, Path: '/known' } };
  const endpointPageId = await made(
    'CreateProductRestEndpointPage',
    { PortalProductId, RestEndpointIdentifier: identifier },
    'ProductRestEndpointPageId',
  );
  await send('PutPortalProductSharingPolicy', { PortalProductId, PolicyDocument: policyOf(String(PortalProductArn)) });
  return {
    ...facts,
    link: linkId,
    portal: portalId,
    shown,
    product: String(PortalProductId),
    page: pageId,
    endpointPage: endpointPageId,
    integration: integrationId,
    unused,
    route: routeId,
    authorizer: authorizerId,
    asking,
    deployment,
    socketIntegration: socketIntegrationId,
    integrationResponse: integrationResponseId,
    socketRoute: socketRouteId,
    connectRoute,
    routeResponse: routeResponseId,
    model: modelId,
    mapping: mappingId,
    rule: ruleId,
  };
}

/** Returns every API with its parts, and every domain name. */
async function observe(send: Send): Promise<unknown> {
  const answer = async (operation: string, input: Input): Promise<unknown> => {
    const { $metadata: _, ...rest } = await send(operation, input);
    return rest;
  };
  const { Items: apis = [] } = (await send('GetApis', {})) as { Items?: { ApiId: string }[] };
  const parts = apis.map(async ({ ApiId }) => {
    const { Items: routes = [] } = (await send('GetRoutes', { ApiId })) as { Items?: { RouteId: string }[] };
    const { Items: integrations = [] } = (await send('GetIntegrations', { ApiId })) as {
      Items?: { IntegrationId: string }[];
    };
    const socketOnly = async (run: () => Promise<unknown>) => run().catch(() => undefined);
    return [
      routes,
      integrations,
      await Promise.all(
        ['GetStages', 'GetDeployments', 'GetAuthorizers', 'GetModels'].map((operation) => answer(operation, { ApiId })),
      ),
      await Promise.all(routes.map(({ RouteId }) => socketOnly(() => answer('GetRouteResponses', { ApiId, RouteId })))),
      await Promise.all(
        integrations.map(({ IntegrationId }) =>
          socketOnly(() => answer('GetIntegrationResponses', { ApiId, IntegrationId })),
        ),
      ),
    ];
  });
  const { Items: domains = [] } = (await send('GetDomainNames', {})) as { Items?: { DomainName: string }[] };
  const mapped = domains.map((domain) =>
    Promise.all(
      ['GetApiMappings', 'ListRoutingRules'].map((operation) => answer(operation, { DomainName: domain.DomainName })),
    ),
  );
  const { Items: products = [] } = (await send('ListPortalProducts', {})) as { Items?: { PortalProductId: string }[] };
  const pages = products.map(({ PortalProductId }) =>
    Promise.all(
      ['GetPortalProduct', 'ListProductPages', 'ListProductRestEndpointPages', 'GetPortalProductSharingPolicy'].map(
        (operation) => answer(operation, { PortalProductId }).catch(() => undefined),
      ),
    ),
  );
  const others = ['GetVpcLinks', 'ListPortals'].map((operation) => answer(operation, {}));
  return [
    apis,
    await Promise.all(parts),
    domains,
    await Promise.all(mapped),
    await Promise.all(pages),
    await Promise.all(others),
  ];
}

const changedApi = (send: Send, facts: Facts) => send('UpdateApi', { ...http(facts), Description: 'changed' });
const changedRoute = (send: Send, facts: Facts) => send('UpdateRoute', { ...route(facts), OperationName: 'changed' });

/** Values of members common to creation and update. */
const values = (...operations: string[]): Record<string, unknown[]> =>
  Object.fromEntries(
    operations.flatMap((operation) => [
      [`${operation}.AccessLogSettings`, [LOG, OTHER_LOG]],
      [`${operation}.ApiKeySelectionExpression`, ['$context.authorizer.usageIdentifierKey']],
      [`${operation}.CorsConfiguration`, [{ AllowOrigins: ['*'] }]],
      [`${operation}.CorsConfiguration.AllowMethods`, [['GET'], ['POST']]],
      [`${operation}.CorsConfiguration.AllowOrigins`, [['https://a.example'], ['https://b.example']]],
      [`${operation}.CredentialsArn`, [ROLE]],
      [`${operation}.IntegrationMethod`, ['POST', 'PUT']],
      [`${operation}.IntegrationUri`, ['https://b.example', 'https://c.example']],
      [`${operation}.PayloadFormatVersion`, ['1.0', '2.0']],
      [`${operation}.RequestParameters`, [{ 'append:header.a': 'b' }, { 'append:header.a': 'c' }]],
      [`${operation}.ResponseParameters`, [{ 200: { 'append:header.a': 'b' } }]],
      [`${operation}.RouteSettings`, [{ 'GET /known': { ThrottlingBurstLimit: 2 } }]],
      [`${operation}.Schema`, ['{"type":"string"}']],
      [`${operation}.Tags`, [{ b: 'c' }]],
      [`${operation}.DomainNameConfigurations`, [[{ CertificateArn: OTHER_CERTIFICATE }]]],
      [`${operation}.RouteKey`, ['GET /new', 'POST /new']],
    ]),
  );

/** Amazon API Gateway: HTTP and WebSocket APIs. */
export const apigatewayv2: Scenario = {
  service: 'apigatewayv2',
  model: model as unknown as ServiceModel,
  fakes: [restApis, buckets],
  client: (emulator) =>
    sender(new sdk.ApiGatewayV2Client({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CreateApi: () => ({ Name: 'new', ProtocolType: 'HTTP' }),
    CreateApiMapping: (facts) => ({ ...http(facts), DomainName, Stage: STAGE, ApiMappingKey: 'new' }),
    CreateAuthorizer: (facts) => ({ ...http(facts), ...jwt('new') }),
    CreateDeployment: http,
    CreateDomainName: () => ({
      DomainName: 'new.example.com',
      DomainNameConfigurations: [{ CertificateArn: CERTIFICATE }],
    }),
    CreateIntegration: (facts) => ({
      ...http(facts),
      IntegrationType: 'HTTP_PROXY',
      IntegrationMethod: 'GET',
      IntegrationUri: 'https://a.example',
    }),
    CreateIntegrationResponse: (facts) => ({ ...socketIntegration(facts), IntegrationResponseKey: '/200/' }),
    CreateModel: (facts) => ({ ...socket(facts), Name: 'New', Schema: '{"type":"object"}' }),
    CreatePortal: () => PORTAL,
    CreatePortalProduct: () => ({ DisplayName: 'new' }),
    CreateProductPage: (facts) => ({ ...product(facts), DisplayContent: { Title: 'new', Body: 'new' } }),
    CreateProductRestEndpointPage: (facts) => ({
      ...product(facts),
      RestEndpointIdentifier: { IdentifierParts: { ...METHOD, Path: '/new' } },
    }),
    CreateRoute: (facts) => ({ ...http(facts), RouteKey: 'GET /new' }),
    CreateRouteResponse: (facts) => ({ ...socket(facts), RouteId: facts.connectRoute, RouteResponseKey: '$default' }),
    CreateRoutingRule: (facts) => ({ ...ruleOf(facts, 'new'), Priority: 2 }),
    CreateStage: (facts) => ({ ...http(facts), StageName: 'new' }),
    CreateVpcLink: () => ({ Name: 'new', SubnetIds: [SUBNET] }),
    DeleteAccessLogSettings: stage,
    DeleteApi: socket,
    DeleteApiMapping: mapping,
    DeleteAuthorizer: authorizer,
    DeleteCorsConfiguration: http,
    DeleteDeployment: (facts) => ({ ...http(facts), DeploymentId: facts.deployment }),
    DeleteDomainName: () => ({ DomainName }),
    DeleteIntegration: (facts) => ({ ...http(facts), IntegrationId: facts.unused }),
    DeleteIntegrationResponse: integrationResponse,
    DeleteModel: model_,
    DeletePortal: portal,
    DeletePortalProduct: product,
    DeletePortalProductSharingPolicy: product,
    DeleteProductPage: page,
    DeleteProductRestEndpointPage: endpointPage,
    DeleteRoute: route,
    DeleteRouteRequestParameter: (facts) => ({
      ...socket(facts),
      RouteId: facts.connectRoute,
      RequestParameterKey: 'route.request.header.known',
    }),
    DeleteRouteResponse: routeResponse,
    DeleteRouteSettings: (facts) => ({ ...stage(facts), RouteKey: 'GET /known' }),
    DeleteRoutingRule: rule,
    DeleteStage: stage,
    DeleteVpcLink: link,
    DisablePortal: (facts) => ({ PortalId: facts.shown }),
    ExportApi: (facts) => ({ ...http(facts), OutputType: 'JSON', Specification: 'OAS30' }),
    GetApi: http,
    GetApiMapping: mapping,
    GetApiMappings: () => ({ DomainName }),
    GetAuthorizer: authorizer,
    GetAuthorizers: http,
    GetDeployment: (facts) => ({ ...http(facts), DeploymentId: facts.deployment }),
    GetDeployments: http,
    GetDomainName: () => ({ DomainName }),
    GetIntegration: integration,
    GetIntegrationResponse: integrationResponse,
    GetIntegrationResponses: socketIntegration,
    GetIntegrations: http,
    GetModel: model_,
    GetModelTemplate: model_,
    GetModels: socket,
    GetPortal: portal,
    GetPortalProduct: product,
    GetPortalProductSharingPolicy: product,
    GetProductPage: page,
    GetProductRestEndpointPage: endpointPage,
    GetRoute: route,
    GetRouteResponse: routeResponse,
    GetRouteResponses: socketRoute,
    GetRoutes: http,
    GetRoutingRule: rule,
    GetStage: stage,
    GetStages: http,
    GetTags: arn,
    GetVpcLink: link,
    ImportApi: () => ({ Body: BODY }),
    ListProductPages: product,
    ListProductRestEndpointPages: product,
    ListRoutingRules: () => ({ DomainName }),
    PreviewPortal: portal,
    PublishPortal: portal,
    PutPortalProductSharingPolicy: (facts) => ({ ...product(facts), PolicyDocument: policyOf('*') }),
    PutRoutingRule: (facts) => ({ ...ruleOf(facts, 'other'), ...rule(facts), Priority: 3 }),
    ReimportApi: (facts) => ({ ...http(facts), Body: BODY }),
    ResetAuthorizersCache: (facts) => ({ ...http(facts), StageName: STAGE }),
    TagResource: (facts) => ({ ...arn(facts), Tags: { new: 'x' } }),
    UntagResource: (facts) => ({ ...arn(facts), TagKeys: ['team'] }),
    UpdateApi: (facts) => ({ ...http(facts), Name: 'changed' }),
    UpdateApiMapping: (facts) => ({ ...mapping(facts), ApiId: facts.api, ApiMappingKey: 'changed' }),
    UpdateAuthorizer: (facts) => ({ ...authorizer(facts), Name: 'changed' }),
    UpdateDeployment: (facts) => ({ ...http(facts), DeploymentId: facts.deployment, Description: 'changed' }),
    UpdateDomainName: () => ({ DomainName, RoutingMode: 'ROUTING_RULE_ONLY' }),
    UpdateIntegration: (facts) => ({ ...integration(facts), IntegrationUri: 'https://changed.example' }),
    UpdateIntegrationResponse: (facts) => ({ ...integrationResponse(facts), IntegrationResponseKey: '/500/' }),
    UpdateModel: (facts) => ({ ...model_(facts), Name: 'Changed' }),
    UpdatePortal: (facts) => ({ ...portal(facts), RumAppMonitorName: 'changed' }),
    UpdatePortalProduct: (facts) => ({ ...product(facts), DisplayName: 'changed' }),
    UpdateProductPage: (facts) => ({ ...page(facts), DisplayContent: { Title: 'changed', Body: 'changed' } }),
    UpdateProductRestEndpointPage: (facts) => ({ ...endpointPage(facts), TryItState: 'ENABLED' }),
    UpdateRoute: (facts) => ({ ...route(facts), OperationName: 'changed' }),
    UpdateRouteResponse: (facts) => ({ ...routeResponse(facts), ModelSelectionExpression: 'changed' }),
    UpdateStage: (facts) => ({ ...stage(facts), Description: 'changed' }),
    UpdateVpcLink: (facts) => ({ ...link(facts), Name: 'changed' }),
  },
  also: {
    CreateApi: [
      () => ({ Name: 'new', ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.do' }),
      () => ({ Name: 'new', ProtocolType: 'HTTP', Target: FUNCTION }),
    ],
    CreateAuthorizer: [(facts) => ({ ...http(facts), ...lambdaAuthorizer('new') })],
    CreateIntegration: [
      (facts) => ({
        ...http(facts),
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: FUNCTION,
        PayloadFormatVersion: '2.0',
      }),
      (facts) => ({ ...socket(facts), IntegrationType: 'MOCK' }),
      (facts) => ({
        ...http(facts),
        IntegrationType: 'AWS_PROXY',
        IntegrationSubtype: 'SQS-PurgeQueue',
        CredentialsArn: ROLE,
        RequestParameters: { QueueUrl: 'https://q/1' },
      }),
    ],
    CreatePortal: [
      () => ({ ...PORTAL, Authorization: { CognitoConfig: COGNITO } }),
      () => ({ ...PORTAL, EndpointConfiguration: { AcmManaged: ACM } }),
    ],
    CreateRoute: [
      (facts) => ({ ...socket(facts), RouteKey: 'new' }),
      (facts) => ({ ...http(facts), RouteKey: 'GET /new', AuthorizationType: 'JWT', AuthorizerId: facts.authorizer }),
    ],
    UpdateAuthorizer: [(facts) => ({ ...http(facts), AuthorizerId: facts.asking, Name: 'changed' })],
    UpdateIntegration: [
      (facts) => ({ ...http(facts), IntegrationId: facts.unused, IntegrationUri: FUNCTION }),
      (facts) => ({ ...socketIntegration(facts), Description: 'changed' }),
    ],
    UpdateRoute: [
      (facts) => ({ ...socketRoute(facts), OperationName: 'changed' }),
      (facts) => ({ ...route(facts), AuthorizationType: 'JWT', AuthorizerId: facts.authorizer }),
    ],
  },
  values: {
    ...values(
      'CreateApi',
      'UpdateApi',
      'CreateIntegration',
      'UpdateIntegration',
      'CreateStage',
      'UpdateStage',
      'CreateModel',
      'UpdateModel',
      'CreateDomainName',
      'UpdateDomainName',
    ),
    ...Object.fromEntries(
      ['CreatePortal', 'UpdatePortal'].flatMap((operation) => [
        [`${operation}.Authorization`, [{ CognitoConfig: COGNITO }, { None: {} }]],
        [`${operation}.EndpointConfiguration`, [{ AcmManaged: ACM }, { None: {} }]],
        [`${operation}.LogoUri`, ['s3://b/logo.png']],
        [`${operation}.PortalContent`, [{ ...PORTAL.PortalContent, DisplayName: 'other' }]],
        [`${operation}.IncludedPortalProductArns`, [[]]],
        [`${operation}.Tags`, [{ b: 'c' }]],
      ]),
    ),
    ...Object.fromEntries(
      ['CreateDomainName', 'UpdateDomainName'].map((operation) => [
        `${operation}.MutualTlsAuthentication`,
        [{ TruststoreUri: 's3://b/store.pem' }, { TruststoreUri: 's3://b/store.pem', TruststoreVersion: 'v' }],
      ]),
    ),
    'CreatePortalProduct.Tags': [{ b: 'c' }],
    'CreateVpcLink.Tags': [{ b: 'c' }],
    'CreateVpcLink.SubnetIds': [[SUBNET], ['subnet-0123456789abcdef1']],
    'CreateVpcLink.SecurityGroupIds': [['sg-0123456789abcdef0'], ['sg-0123456789abcdef1']],
    'CreateProductRestEndpointPage.DisplayContent': [{ Overrides: { Body: 'a' } }, { None: {} }],
    'UpdateProductRestEndpointPage.DisplayContent': [{ Overrides: { Body: 'a' } }, { None: {} }],
    'CreateProductRestEndpointPage.RestEndpointIdentifier': [{ IdentifierParts: { ...METHOD, Path: '/other' } }],
    'UpdatePortalProduct.DisplayOrder': [{ Contents: [{ SectionName: 'a', ProductRestEndpointPageArns: [] }] }],
    'PutPortalProductSharingPolicy.PolicyDocument': [policyOf('*')],
    'GetPortalProduct.ResourceOwnerAccountId': ['123456789012'],
    'GetProductPage.ResourceOwnerAccountId': ['123456789012'],
    'GetProductRestEndpointPage.ResourceOwnerAccountId': ['123456789012'],
    'ListProductPages.ResourceOwnerAccountId': ['123456789012'],
    'ListProductRestEndpointPages.ResourceOwnerAccountId': ['123456789012'],
    'ListPortalProducts.ResourceOwner': ['SELF', 'OTHER_ACCOUNTS'],
    'GetProductRestEndpointPage.IncludeRawDisplayContent': ['true'],
    'CreateAuthorizer.AuthorizerCredentialsArn': [ROLE],
    'ExportApi.StageName': [STAGE],
    'ExportApi.OutputType': ['YAML'],
    'ImportApi.Basepath': ['prepend', 'split'],
    'ReimportApi.Basepath': ['prepend', 'split'],
    'CreateDeployment.StageName': ['dev'],
    'CreateRoute.AuthorizationScopes': [['a'], ['b']],
    'UpdateRoute.AuthorizationScopes': [['a'], ['b']],
    'CreateApi.RouteKey': ['GET /new', 'POST /new'],
  },
  reads: {
    ExportApi: changedRoute,
    GetApi: changedApi,
    GetApiMapping: (send, facts) =>
      send('UpdateApiMapping', { ...mapping(facts), ApiId: facts.api, ApiMappingKey: 'x' }),
    GetApiMappings: (send, facts) => send('DeleteApiMapping', mapping(facts)),
    GetApis: changedApi,
    GetAuthorizer: (send, facts) => send('UpdateAuthorizer', { ...authorizer(facts), Name: 'x' }),
    GetAuthorizers: (send, facts) => send('DeleteAuthorizer', authorizer(facts)),
    GetDeployment: (send, facts) =>
      send('UpdateDeployment', { ...http(facts), DeploymentId: facts.deployment, Description: 'x' }),
    GetDeployments: (send, facts) => send('CreateDeployment', http(facts)),
    GetDomainName: (send) => send('UpdateDomainName', { DomainName, RoutingMode: 'ROUTING_RULE_ONLY' }),
    GetDomainNames: (send) => send('DeleteDomainName', { DomainName }),
    GetIntegration: (send, facts) => send('UpdateIntegration', { ...integration(facts), Description: 'x' }),
    GetIntegrationResponse: (send, facts) =>
      send('UpdateIntegrationResponse', { ...integrationResponse(facts), IntegrationResponseKey: '/500/' }),
    GetIntegrationResponses: (send, facts) => send('DeleteIntegrationResponse', integrationResponse(facts)),
    GetIntegrations: (send, facts) => send('UpdateIntegration', { ...integration(facts), Description: 'x' }),
    GetModel: (send, facts) => send('UpdateModel', { ...model_(facts), Name: 'X' }),
    GetModelTemplate: (send, facts) =>
      send('UpdateModel', { ...model_(facts), Schema: '{"type":"object","properties":{"a":{"type":"string"}}}' }),
    GetModels: (send, facts) => send('DeleteModel', model_(facts)),
    GetRoute: changedRoute,
    GetRouteResponse: (send, facts) =>
      send('UpdateRouteResponse', { ...routeResponse(facts), ModelSelectionExpression: 'x' }),
    GetRouteResponses: (send, facts) => send('DeleteRouteResponse', routeResponse(facts)),
    GetRoutes: changedRoute,
    GetRoutingRule: (send, facts) => send('PutRoutingRule', { ...ruleOf(facts, 'x'), ...rule(facts), Priority: 9 }),
    GetStage: (send, facts) => send('UpdateStage', { ...stage(facts), Description: 'x' }),
    GetStages: (send, facts) => send('DeleteStage', stage(facts)),
    GetTags: (send, facts) => send('TagResource', { ...arn(facts), Tags: { x: 'y' } }),
    ListRoutingRules: (send, facts) => send('DeleteRoutingRule', rule(facts)),
    GetPortal: (send, facts) => send('UpdatePortal', { ...portal(facts), RumAppMonitorName: 'x' }),
    GetPortalProduct: (send, facts) => send('UpdatePortalProduct', { ...product(facts), Description: 'x' }),
    GetPortalProductSharingPolicy: (send, facts) =>
      send('PutPortalProductSharingPolicy', { ...product(facts), PolicyDocument: policyOf('*') }),
    GetProductPage: (send, facts) =>
      send('UpdateProductPage', { ...page(facts), DisplayContent: { Title: 'x', Body: 'x' } }),
    GetProductRestEndpointPage: (send, facts) =>
      send('UpdateProductRestEndpointPage', { ...endpointPage(facts), TryItState: 'ENABLED' }),
    GetVpcLink: (send, facts) => send('UpdateVpcLink', { ...link(facts), Name: 'x' }),
    GetVpcLinks: (send, facts) => send('DeleteVpcLink', link(facts)),
    ListPortalProducts: (send, facts) => send('DeletePortalProduct', product(facts)),
    ListPortals: (send, facts) => send('DeletePortal', portal(facts)),
    ListProductPages: (send, facts) => send('DeleteProductPage', page(facts)),
    ListProductRestEndpointPages: (send, facts) => send('DeleteProductRestEndpointPage', endpointPage(facts)),
  },
};
