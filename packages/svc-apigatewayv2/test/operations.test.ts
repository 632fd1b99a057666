import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiTest, failureOf, functionArn, functionUri, startApis } from './support.ts';

const LISTENER = 'arn:aws:elasticloadbalancing:us-east-1:000000000000';
/** Members of an integration with a VPC link. */
const PRIVATE = {
  IntegrationType: 'HTTP_PROXY',
  IntegrationMethod: 'GET',
  ConnectionType: 'VPC_LINK',
  ConnectionId: 'x',
};
let test: ApiTest;
let ApiId: string;
let socketApi: string;

beforeAll(async () => {
  test = await startApis();
  ApiId = await test.create();
  ({ ApiId: socketApi } = (await test.api.createApi({
    Name: 'socket',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  })) as { ApiId: string });
});
afterAll(() => test[Symbol.asyncDispose]());

const CORS = { AllowOrigins: ['*'], AllowCredentials: true };

describe('APIs', () => {
  it('have the id in their tag, defaults by protocol, and pagination', async () => {
    const made = await test.api.createApi({ Name: 'named', ProtocolType: 'HTTP', Tags: { _custom_id_: 'my-api' } });
    expect(made).toMatchObject({
      ApiId: 'my-api',
      ApiEndpoint: 'https://my-api.execute-api.us-east-1.amazonaws.com',
      RouteSelectionExpression: '$request.method $request.path',
      ApiKeySelectionExpression: '$request.header.x-api-key',
      DisableExecuteApiEndpoint: false,
      IpAddressType: 'ipv4',
      CreatedDate: new Date('2026-01-01T00:00:00Z'),
    });
    const twice = test.api.createApi({ Name: 'named', ProtocolType: 'HTTP', Tags: { _custom_id_: 'my-api' } });
    expect(await failureOf(twice)).toContain('ConflictException');
    const { Items, NextToken } = await test.api.getApis({ MaxResults: '1' });
    expect(Items).toHaveLength(1);
    const rest = await test.api.getApis({ NextToken });
    expect(rest.Items!.map((api) => api.ApiId)).not.toContain(Items![0]!.ApiId);
    expect(await failureOf(test.api.getApis({ NextToken: 'x' }))).toContain('BadRequestException');
    expect(await failureOf(test.api.getApis({ MaxResults: 'x' }))).toContain('BadRequestException');
    await test.api.deleteApi({ ApiId: 'my-api' });
    expect(await failureOf(test.api.getApi({ ApiId: 'my-api' }))).toBe(
      'NotFoundException: Invalid API identifier specified 000000000000:my-api',
    );
    expect(await failureOf(test.api.deleteApi({ ApiId: 'my-api' }))).toContain('NotFoundException');
  });

  it.each([
    [{ ProtocolType: 'WEBSOCKET' }, 'RouteSelectionExpression'],
    [{ ProtocolType: 'HTTP', RouteSelectionExpression: '$request.body.a' }, 'RouteSelectionExpression'],
    [{ ProtocolType: 'HTTP', ApiKeySelectionExpression: 'x' }, 'ApiKeySelectionExpression'],
    [{ ProtocolType: 'HTTP', CorsConfiguration: CORS }, 'AllowCredentials'],
    [{ ProtocolType: 'HTTP', CorsConfiguration: { AllowOrigins: ['a.example'] } }, 'origin'],
    [{ ProtocolType: 'HTTP', RouteKey: '$default' }, 'Target'],
    [{ ProtocolType: 'HTTP', Target: 'ftp://x' }, 'Target'],
    [{ ProtocolType: 'HTTP', Tags: { 'aws:a': 'b' } }, 'aws:'],
  ])('rejects %j', async (input, word) => {
    const failure = await failureOf(test.api.createApi({ Name: 'bad', ...input } as never));
    expect(failure).toMatch(/^BadRequestException: /);
    expect(failure).toContain(word);
  });
});

describe('routes and integrations', () => {
  it.each([
    ['pets', 'not formatted properly'],
    ['FETCH /pets', 'not formatted properly'],
    ['GET /a/{b', 'invalid path'],
    ['GET /{all+}/more', 'invalid path'],
    ['GET /{a}/{a}', 'more than once'],
  ])('rejects the key %s', async (RouteKey, words) => {
    expect(await failureOf(test.api.createRoute({ ApiId, RouteKey }))).toContain(words);
  });

  it('have unique keys and existing targets', async () => {
    const { routeId, integrationId } = await test.route(ApiId, 'GET /one', 'f');
    expect(await failureOf(test.api.createRoute({ ApiId, RouteKey: 'GET /one' }))).toBe(
      'ConflictException: Route with key GET /one already exists for this API',
    );
    expect(await failureOf(test.api.createRoute({ ApiId, RouteKey: 'GET /two', Target: 'integrations/none' }))).toBe(
      'NotFoundException: Invalid Integration identifier specified',
    );
    expect(await failureOf(test.api.deleteIntegration({ ApiId, IntegrationId: integrationId }))).toContain(
      'ConflictException',
    );
    expect(await test.api.updateRoute({ ApiId, RouteId: routeId, OperationName: 'one' })).toMatchObject({
      RouteKey: 'GET /one',
      OperationName: 'one',
    });
    expect(await test.api.getRoute({ ApiId, RouteId: routeId })).toMatchObject({ OperationName: 'one' });
    await test.api.deleteRoute({ ApiId, RouteId: routeId });
    expect(await failureOf(test.api.getRoute({ ApiId, RouteId: routeId }))).toBe(
      'NotFoundException: Invalid Route identifier specified',
    );
    const changed = await test.api.updateIntegration({ ApiId, IntegrationId: integrationId, TimeoutInMillis: 100 });
    expect(changed).toMatchObject({ TimeoutInMillis: 100, IntegrationMethod: 'POST' });
    await test.api.deleteIntegration({ ApiId, IntegrationId: integrationId });
    expect(await failureOf(test.api.getIntegration({ ApiId, IntegrationId: integrationId }))).toContain(
      'NotFoundException',
    );
  });

  it.each([
    [{ IntegrationType: 'MOCK' }, 'BadRequestException'],
    [
      { IntegrationType: 'AWS_PROXY', IntegrationUri: functionArn('f') },
      'PayloadFormatVersion is a required parameter',
    ],
    [{ IntegrationType: 'HTTP_PROXY', IntegrationUri: 'nowhere', IntegrationMethod: 'GET' }, 'Invalid HTTP endpoint'],
    [{ IntegrationType: 'HTTP_PROXY', IntegrationUri: 'https://a' }, 'IntegrationMethod'],
    [{ IntegrationType: 'AWS_PROXY', IntegrationSubtype: 'SQS-SendMessage' }, 'CredentialsArn'],
    [{ IntegrationType: 'AWS_PROXY', IntegrationSubtype: 'Nothing-Here' }, 'IntegrationSubtype'],
    [{ IntegrationType: 'HTTP_PROXY', ConnectionType: 'VPC_LINK' }, 'ConnectionId is a required parameter'],
    [
      { ...PRIVATE, IntegrationUri: 'http://10.0.0.1' },
      'For VpcLink, IntegrationUri should be a valid ELB listener ARN or a valid Cloud Map service ARN.',
    ],
    [{ ...PRIVATE, IntegrationUri: `${LISTENER}:listener/app/a/b/c` }, 'NotImplemented'],
    [{ ...PRIVATE, IntegrationType: 'AWS_PROXY' }, 'supported only for HTTP integrations'],
    [{ IntegrationType: 'HTTP_PROXY', TlsConfig: { ServerNameToVerify: 'a' } }, 'only with ConnectionType VPC_LINK'],
    [
      {
        IntegrationType: 'HTTP_PROXY',
        IntegrationUri: 'https://a',
        IntegrationMethod: 'GET',
        RequestParameters: { 'append:header.authorization': 'x' },
      },
      'Invalid mapping expression',
    ],
  ])('rejects the integration %j', async (input, words) => {
    expect(await failureOf(test.api.createIntegration({ ApiId, ...input } as never))).toContain(words);
  });
});

describe('stages and deployments', () => {
  it('deploy automatically or on request', async () => {
    const empty = await test.create();
    expect(await failureOf(test.api.createDeployment({ ApiId: empty }))).toBe(
      'BadRequestException: Unable to deploy API because no routes exist in this API',
    );
    await test.route(empty, 'GET /', 'f');
    const { DeploymentId, LastDeploymentStatusMessage } = await test.api.getStage({
      ApiId: empty,
      StageName: '$default',
    });
    expect(LastDeploymentStatusMessage).toBe(`Successfully deployed stage with deployment ID '${DeploymentId}'`);
    expect(await test.api.getDeployment({ ApiId: empty, DeploymentId })).toMatchObject({
      AutoDeployed: true,
      DeploymentStatus: 'DEPLOYED',
    });
    expect(await failureOf(test.api.deleteDeployment({ ApiId: empty, DeploymentId }))).toContain('Active stages');
    const made = await test.api.createDeployment({ ApiId: empty, Description: 'mine' });
    const point = { ApiId: empty, StageName: '$default', DeploymentId: made.DeploymentId };
    expect(await failureOf(test.api.updateStage(point))).toMatch(
      /Deployment ID cannot be set on this stage \d{12}:\w+ because AutoDeploy is enabled\.$/,
    );
    await test.api.updateStage({ ...point, AutoDeploy: false });
    expect(await test.api.getStage(point)).toMatchObject({ DeploymentId: made.DeploymentId });
    await test.api.updateDeployment({ ApiId: empty, DeploymentId: made.DeploymentId, Description: 'changed' });
    expect((await test.api.getDeployments({ ApiId: empty })).Items).toContainEqual(
      expect.objectContaining({ DeploymentId: made.DeploymentId, Description: 'changed', AutoDeployed: false }),
    );
    await test.api.deleteStage({ ApiId: empty, StageName: '$default' });
    await test.api.deleteDeployment({ ApiId: empty, DeploymentId: made.DeploymentId });
    expect(await failureOf(test.api.getDeployment({ ApiId: empty, DeploymentId: made.DeploymentId }))).toContain(
      'NotFoundException',
    );
  });

  // aws-answers/apigateway.json: GetStages
  it('of WebSocket APIs have route settings', async () => {
    const off = { DataTraceEnabled: false, DetailedMetricsEnabled: false, LoggingLevel: 'OFF' };
    const stage = { ApiId: socketApi, StageName: 'settings' };
    expect((await test.api.createStage(stage)).DefaultRouteSettings).toEqual(off);
    expect((await test.api.getStage(stage)).DefaultRouteSettings).toEqual(off);
    await test.api.deleteStage(stage);
  });

  it('validate names, variables and logs', async () => {
    expect(await failureOf(test.api.createStage({ ApiId, StageName: '$default' }))).toBe(
      'ConflictException: Stage already exists',
    );
    expect(await failureOf(test.api.createStage({ ApiId, StageName: 'a b' }))).toContain('Stage name only allows');
    const bad = (more: object) => failureOf(test.api.createStage({ ApiId, StageName: 'bad', ...more }));
    expect(await bad({ StageVariables: { 'a-b': 'c' } })).toContain('Stage variable name');
    expect(await bad({ DefaultRouteSettings: { LoggingLevel: 'INFO' } })).toContain('Execution logs are not supported');
    expect(await bad({ RouteSettings: { 'GET /none': {} } })).toContain('Unable to find Route by key GET /none');
    const DestinationArn = 'arn:aws:logs:us-east-1:000000000000:log-group:x';
    expect(await bad({ AccessLogSettings: { DestinationArn, Format: '$context.status' } })).toContain('requestId');
    expect(await bad({ AccessLogSettings: { DestinationArn: 'x', Format: '$context.requestId' } })).toContain(
      'Invalid ARN',
    );
    await test.api.updateStage({ ApiId, StageName: '$default', StageVariables: { a: 'b', c: 'd' } });
    const { StageVariables } = await test.api.updateStage({ ApiId, StageName: '$default', StageVariables: { a: '' } });
    expect(StageVariables).toEqual({ c: 'd' });
  });
});

describe('authorizers', () => {
  const jwt = {
    Name: 'jwt',
    AuthorizerType: 'JWT' as const,
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Issuer: 'https://issuer.example', Audience: ['a'] },
  };

  it('validate their authorization type and are kept while routes use them', async () => {
    const { AuthorizerId } = await test.api.createAuthorizer({ ApiId, ...jwt });
    expect(await failureOf(test.api.createAuthorizer({ ApiId, ...jwt }))).toContain('ConflictException');
    const route = { ApiId, RouteKey: 'GET /secret', AuthorizerId };
    expect(await failureOf(test.api.createRoute({ ...route, AuthorizationType: 'CUSTOM' }))).toContain(
      'BadRequestException',
    );
    expect(await failureOf(test.api.createRoute({ ...route, AuthorizationType: 'NONE' }))).toContain(
      'BadRequestException',
    );
    const { RouteId } = await test.api.createRoute({ ...route, AuthorizationType: 'JWT', AuthorizationScopes: ['a'] });
    expect(await failureOf(test.api.deleteAuthorizer({ ApiId, AuthorizerId }))).toContain('ConflictException');
    const open = await test.api.updateRoute({ ApiId, RouteId, AuthorizationType: 'NONE' });
    expect([open.AuthorizerId, open.AuthorizationScopes]).toEqual([undefined, undefined]);
    expect(await test.api.updateAuthorizer({ ApiId, AuthorizerId, Name: 'other' })).toMatchObject({ Name: 'other' });
    await test.api.deleteAuthorizer({ ApiId, AuthorizerId });
    expect(await failureOf(test.api.getAuthorizer({ ApiId, AuthorizerId }))).toBe(
      'NotFoundException: Invalid Authorizer identifier specified',
    );
  });

  it('validate their settings', async () => {
    const bad = (more: object) => failureOf(test.api.createAuthorizer({ ApiId, ...jwt, Name: 'bad', ...more }));
    expect(await bad({ JwtConfiguration: { Issuer: 'https://x' } })).toContain('Audience');
    expect(await bad({ IdentitySource: ['header'] })).toContain('Invalid mapping expression');
    const lambda = { AuthorizerType: 'REQUEST', JwtConfiguration: undefined, AuthorizerUri: functionUri('f') };
    expect(await bad(lambda)).toContain('AuthorizerPayloadFormatVersion');
    expect(await bad({ ...lambda, AuthorizerPayloadFormatVersion: '1.0', EnableSimpleResponses: true })).toContain(
      '2.0',
    );
    expect(await bad({ ...lambda, AuthorizerPayloadFormatVersion: '2.0', AuthorizerUri: 'x' })).toContain(
      'AuthorizerUri',
    );
    const socket = test.api.createAuthorizer({
      ...jwt,
      ApiId: socketApi,
      IdentitySource: ['route.request.header.Auth'],
    });
    expect(await failureOf(socket)).toContain('JWT authorizers are supported only for HTTP APIs');
  });
});

describe('parts of WebSocket APIs', () => {
  it('models have unique names and a template', async () => {
    const model = {
      ApiId: socketApi,
      Name: 'Pet',
      Schema: '{"type":"object","properties":{"name":{"type":"string"}}}',
    };
    const { ModelId } = await test.api.createModel(model);
    expect(await failureOf(test.api.createModel(model))).toContain('ConflictException');
    expect(await failureOf(test.api.createModel({ ...model, Name: 'Other', Schema: 'x' }))).toContain('JSON object');
    expect(await failureOf(test.api.createModel({ ...model, ApiId }))).toContain('only for WebSocket APIs');
    const { Value } = await test.api.getModelTemplate({ ApiId: socketApi, ModelId });
    expect(Value).toContain('"name" : "$inputRoot.name"');
    await test.api.updateModel({ ApiId: socketApi, ModelId, Description: 'd' });
    expect(await test.api.getModel({ ApiId: socketApi, ModelId })).toMatchObject({ Name: 'Pet', Description: 'd' });
    await test.api.deleteModel({ ApiId: socketApi, ModelId });
    expect((await test.api.getModels({ ApiId: socketApi })).Items).toEqual([]);
  });

  it('routes and integrations have responses', async () => {
    const { IntegrationId } = await test.api.createIntegration({ ApiId: socketApi, IntegrationType: 'MOCK' });
    const { RouteId } = await test.api.createRoute({ ApiId: socketApi, RouteKey: 'say' });
    const integration = { ApiId: socketApi, IntegrationId, IntegrationResponseKey: '$default' };
    const { IntegrationResponseId } = await test.api.createIntegrationResponse(integration);
    expect(await failureOf(test.api.createIntegrationResponse(integration))).toContain('ConflictException');
    const invalid = test.api.createIntegrationResponse({ ...integration, IntegrationResponseKey: '/(/' });
    expect(await failureOf(invalid)).toContain('Invalid regular expression');
    const inIntegration = { ApiId: socketApi, IntegrationId, IntegrationResponseId };
    await test.api.updateIntegrationResponse({ ...inIntegration, ResponseTemplates: { a: 'b' } });
    expect(await test.api.getIntegrationResponse(inIntegration)).toMatchObject({ ResponseTemplates: { a: 'b' } });
    await test.api.deleteIntegrationResponse(inIntegration);
    expect(await failureOf(test.api.getIntegrationResponse(inIntegration))).toContain('NotFoundException');
    const route = { ApiId: socketApi, RouteId, RouteResponseKey: '$default' };
    const { RouteResponseId } = await test.api.createRouteResponse(route);
    expect(await failureOf(test.api.createRouteResponse(route))).toContain('ConflictException');
    const inRoute = { ApiId: socketApi, RouteId, RouteResponseId };
    await test.api.updateRouteResponse({ ...inRoute, ModelSelectionExpression: 'x' });
    expect(await test.api.getRouteResponse(inRoute)).toMatchObject({ ModelSelectionExpression: 'x' });
    await test.api.deleteRouteResponse(inRoute);
    expect((await test.api.getRouteResponses({ ApiId: socketApi, RouteId })).Items).toEqual([]);
  });

  it('only $connect supports authorization, and unsupported settings are rejected', async () => {
    const bad = (more: object) => failureOf(test.api.createRoute({ ApiId: socketApi, RouteKey: 'bad', ...more }));
    expect(await bad({ AuthorizationType: 'AWS_IAM' })).toContain('restricted to the $connect route only');
    expect(await bad({ RouteKey: '$other' })).toContain('not valid');
    expect(await bad({ RequestModels: { a: 'None' } })).toContain('Invalid model name None');
    expect(await bad({ ModelSelectionExpression: '$context.stage' })).toContain('Invalid ModelSelectionExpression');
    const RequestParameters = { 'route.request.querystring.a': { Required: true } };
    expect(await bad({ RequestParameters })).toContain('only for the $connect route');
  });

  // Acceptance tests of the Terraform provider: testAccRouteConfig_simpleAttributes and testAccRouteConfig_model.
  it('any route may require an API key and select models by static text', async () => {
    const settings = { ApiKeyRequired: true, ModelSelectionExpression: 'action' };
    const { RouteId } = await test.api.createRoute({ ApiId: socketApi, RouteKey: 'keyed', ...settings });
    expect(await test.api.getRoute({ ApiId: socketApi, RouteId })).toMatchObject(settings);
    await test.api.deleteRoute({ ApiId: socketApi, RouteId });
  });

  it('removes parameters of $connect one by one', async () => {
    const { RouteId } = await test.api.createRoute({
      ApiId: socketApi,
      RouteKey: '$connect',
      RequestParameters: {
        'route.request.querystring.a': { Required: true },
        'route.request.header.b': { Required: false },
      },
    });
    const key = { ApiId: socketApi, RouteId, RequestParameterKey: 'route.request.querystring.a' };
    await test.api.deleteRouteRequestParameter(key);
    expect((await test.api.getRoute({ ApiId: socketApi, RouteId })).RequestParameters).toEqual({
      'route.request.header.b': { Required: false },
    });
    expect(await failureOf(test.api.deleteRouteRequestParameter(key))).toContain('NotFoundException');
    const wrong = { 'method.request.header.b': { Required: true } };
    const update = test.api.updateRoute({ ApiId: socketApi, RouteId, RequestParameters: wrong });
    expect(await failureOf(update)).toContain('Invalid mapping expression specified: method.request.header.b');
  });
});

it('tags APIs, stages and domain names', async () => {
  const CertificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/c';
  const DomainName = 'tags.example.com';
  await test.api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
  for (const path of [`/apis/${ApiId}`, `/apis/${ApiId}/stages/$default`, `/domainnames/${DomainName}`]) {
    const ResourceArn = `arn:aws:apigateway:us-east-1::${path}`;
    await test.api.tagResource({ ResourceArn, Tags: { a: 'b', c: 'd' } });
    await test.api.untagResource({ ResourceArn, TagKeys: ['a'] });
    expect((await test.api.getTags({ ResourceArn })).Tags).toEqual({ c: 'd' });
  }
  expect((await test.api.getStage({ ApiId, StageName: '$default' })).Tags).toEqual({ c: 'd' });
  const of = (ResourceArn: string) => failureOf(test.api.getTags({ ResourceArn }));
  expect(await of('arn:aws:apigateway:us-east-1::/apis/none')).toContain('NotFoundException');
  expect(await of('arn:aws:sqs:us-east-1:000000000000:q')).toContain('BadRequestException');
});

it('domain names belong to one account, and unsupported settings are rejected', async () => {
  const CertificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/c';
  const made = await test.api.createDomainName({
    DomainName: 'One.Example.com',
    DomainNameConfigurations: [{ CertificateArn }],
  });
  expect(made).toMatchObject({
    DomainName: 'one.example.com',
    ApiMappingSelectionExpression: '$request.basepath',
    DomainNameConfigurations: [
      { DomainNameStatus: 'AVAILABLE', EndpointType: 'REGIONAL', HostedZoneId: 'Z1UJRXOUMOOFQ8' },
    ],
  });
  const create = (more: object) =>
    failureOf(
      test.api.createDomainName({
        DomainName: 'two.example.com',
        DomainNameConfigurations: [{ CertificateArn }],
        ...more,
      }),
    );
  // https://github.com/aws/serverless-application-model/issues/2208
  expect(await create({ DomainName: 'one.example.com' })).toBe(
    'BadRequestException: The domain name you provided already exists.',
  );
  expect(await create({ DomainName: 'one' })).toContain('BadRequestException');
  expect(await create({ DomainNameConfigurations: [{}] })).toContain('CertificateArn');
  expect(await create({ MutualTlsAuthentication: { TruststoreUri: 'k.pem' } })).toContain('BadRequestException');
  const DomainName = 'one.example.com';
  expect(await failureOf(test.api.createApiMapping({ DomainName, ApiId, Stage: 'none' }))).toContain(
    'NotFoundException',
  );
  for (const [ApiMappingKey, message] of [
    ['/a', "API mapping key should not start with a '/' or have consecutive '/'s."],
    ['a//b', "API mapping key should not start with a '/' or have consecutive '/'s."],
    ['a/', "API mapping key should not end with a '/'."],
    ['a b', "An ApiMapping key may contain only letters, numbers and one of $-_.+!*'(),"],
  ] as const) {
    const bad = test.api.createApiMapping({ DomainName, ApiId, Stage: '$default', ApiMappingKey });
    expect(await failureOf(bad)).toBe(`BadRequestException: ${message}`);
  }
  expect((await test.api.getDomainNames({})).Items!.map((one) => one.DomainName)).toContain(DomainName);
  await test.api.deleteDomainName({ DomainName });
  expect(await failureOf(test.api.getDomainName({ DomainName }))).toBe(
    'NotFoundException: The domain name resource specified in the request was not found.',
  );
});

it('lists local URLs of all stages', async () => {
  const { ApiId: chat } = await test.api.createApi({
    Name: 'urls',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  await test.api.createStage({ ApiId: chat, StageName: 'dev' });
  const { json } = await test.emulator.control('GET', '/_emulator/apigatewayv2/urls');
  const { apis } = json as { apis: Record<string, string>[] };
  expect(apis.find((one) => one.apiId === ApiId && one.stage === '$default')).toMatchObject({
    protocolType: 'HTTP',
    url: expect.stringMatching(new RegExp(`^http://${ApiId}\\.execute-api\\.us-east-1\\.localhost(:\\d+)?$`)),
    pathUrl: expect.stringMatching(new RegExp(`/_aws/execute-api/${ApiId}$`)),
  });
  expect(apis.find((one) => one.apiId === chat)!.url).toMatch(/^ws:.*\/dev$/);
});
