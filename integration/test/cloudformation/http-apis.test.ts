import { createTestEmulator, fakeService, testProvider } from '@emu/gateway/testing';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const CALLED = 'arn:aws:lambda:us-east-1:000000000000:function:called';
const OTHER = 'arn:aws:lambda:us-east-1:000000000000:function:other';
const ROLE = 'arn:aws:iam::000000000000:role/caller';
const uriOf = (arn: string) => `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${arn}/invocations`;

const apiOf = async (env: Env, ProtocolType = 'HTTP') =>
  (
    await env.make('AWS::ApiGatewayV2::Api', {
      Name: 'api',
      ProtocolType,
      ...(ProtocolType === 'WEBSOCKET' && { RouteSelectionExpression: '$request.body.action' }),
    })
  ).id;

async function integrated(env: Env) {
  const ApiId = await apiOf(env);
  const properties = { ApiId, IntegrationType: 'AWS_PROXY', IntegrationUri: CALLED, PayloadFormatVersion: '2.0' };
  const first = await env.make('AWS::ApiGatewayV2::Integration', properties);
  const second = await env.make('AWS::ApiGatewayV2::Integration', { ...properties, IntegrationUri: OTHER });
  const authorizer = await env.make('AWS::ApiGatewayV2::Authorizer', {
    ApiId,
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Audience: ['a'], Issuer: 'https://issuer.example.com' },
    Name: 'jwt',
  });
  return {
    ApiId,
    first: `integrations/${first.attributes.IntegrationId}`,
    second: `integrations/${second.attributes.IntegrationId}`,
    AuthorizerId: authorizer.attributes.AuthorizerId,
  };
}

async function routed(env: Env) {
  const { ApiId, first } = await integrated(env);
  await env.make('AWS::ApiGatewayV2::Route', { ApiId, RouteKey: 'GET /things', Target: first });
  return ApiId;
}

const definition = (path: string) => ({
  openapi: '3.0.1',
  info: { title: 'defined', version: '1' },
  paths: {
    [path]: {
      get: {
        responses: {},
        'x-amazon-apigateway-integration': {
          type: 'aws_proxy',
          httpMethod: 'POST',
          payloadFormatVersion: '2.0',
          uri: CALLED,
        },
      },
    },
  },
});

const elsewhere = 'only of WebSocket APIs, or refused by emu';
const ONE_CALL = 'becomes an integration and a route';

/** Creates a WebSocket API with an integration and a model. */
async function socketsOf(env: Env) {
  const { id: ApiId } = await env.make('AWS::ApiGatewayV2::Api', {
    Name: 'sockets',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  const integration = await env.make('AWS::ApiGatewayV2::Integration', { ApiId, IntegrationType: 'MOCK' });
  await env.make('AWS::ApiGatewayV2::Model', { ApiId, Name: 'message', Schema: { type: 'object' } });
  return { ApiId, target: `integrations/${integration.attributes.IntegrationId}` };
}

/** Properties set by an import. */
const IMPORTED = [
  'CorsConfiguration',
  'Description',
  'DisableExecuteApiEndpoint',
  'Name',
  'Version',
  'IpAddressType',
  'Tags',
];

/** S3 with definitions of one route, whose path is the key. */
const definitions = fakeService('s3', {
  GetObject: ({ Key }) => ({ Body: JSON.stringify(definition(`/${Key}`)) }),
});

describeTypes(
  [definitions, apigatewayv2],
  [
    typeCase({
      type: 'AWS::ApiGatewayV2::Api',
      deployed: { drifts: Object.fromEntries(IMPORTED.map((name) => [name, 'what is imported says it'])) },
      least: () => ({ Name: 'first', ProtocolType: 'HTTP' }),
      most: () => ({
        CorsConfiguration: { AllowOrigins: ['https://a.example.com'], AllowMethods: ['GET'], MaxAge: 5 },
        Description: 'what it is for',
        DisableExecuteApiEndpoint: true,
        IpAddressType: 'dualstack',
        Name: 'second',
        Tags: { a: '1' },
        Version: '7',
      }),
      other: () => ({ Body: definition('/things'), FailOnWarnings: true, BasePath: 'ignore' }),
      unread: { Body: 'it becomes routes', FailOnWarnings: 'only of imports', BasePath: 'only of imports' },
      kept: { Version: 'UpdateApi cannot take it away' },
      variants: {
        'defined in S3': typeVariant({
          least: () => ({ BodyS3Location: { Bucket: 'b', Key: 'first' } }),
          most: () => ({ BodyS3Location: { Bucket: 'b', Key: 'second', Version: '1', Etag: 'e' } }),
          unread: { BodyS3Location: 'it becomes routes' },
          deployed: { drifts: Object.fromEntries(IMPORTED.map((name) => [name, 'what is imported says it'])) },
        }),
        'WebSocket APIs': typeVariant({
          least: () => ({
            Name: 'sockets',
            ProtocolType: 'WEBSOCKET',
            RouteSelectionExpression: '$request.body.action',
          }),
          most: () => ({
            ApiKeySelectionExpression: '$context.authorizer.usageIdentifierKey',
            DisableSchemaValidation: true,
            RouteSelectionExpression: '$request.body.kind',
          }),
          other: () => ({ Name: 'others' }),
          kept: { DisableSchemaValidation: 'returned once it was changed' },
        }),
        'made in one call': typeVariant({
          least: () => ({ Name: 'quick', ProtocolType: 'HTTP', Target: 'https://example.com' }),
          most: () => ({ CredentialsArn: ROLE, RouteKey: 'GET /only', Target: CALLED }),
          other: () => ({ Name: 'quicker' }),
          unread: { CredentialsArn: ONE_CALL, RouteKey: ONE_CALL, Target: ONE_CALL },
          deployed: { drifts: { CredentialsArn: ONE_CALL, RouteKey: ONE_CALL, Target: ONE_CALL } },
        }),
      },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::ApiGatewayManagedOverrides',
      needs: async (env) => {
        const quick = async (): Promise<string> =>
          (
            await env.make('AWS::ApiGatewayV2::Api', {
              Name: 'quick',
              ProtocolType: 'HTTP',
              Target: 'https://example.com',
            })
          ).id;
        return { api: await quick(), other: await quick() };
      },
      least: ({ api }) => ({ ApiId: api, Stage: { Description: 'what it is for' } }),
      most: () => ({
        Integration: {
          Description: 'calls it',
          IntegrationMethod: 'GET',
          PayloadFormatVersion: '1.0',
          TimeoutInMillis: 1000,
        },
        Route: { AuthorizationType: 'AWS_IAM', OperationName: 'everything' },
        Stage: {
          AutoDeploy: false,
          DefaultRouteSettings: { DetailedMetricsEnabled: true },
          StageVariables: { color: 'red' },
        },
      }),
      other: ({ other }) => ({ ApiId: other }),
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::Stage',
      needs: async (env) => ({ api: await routed(env), other: await routed(env) }),
      least: ({ api }) => ({ ApiId: api, StageName: 'live' }),
      most: () => ({
        AutoDeploy: true,
        DefaultRouteSettings: { DetailedMetricsEnabled: true },
        Description: 'what it is for',
        RouteSettings: { 'GET /things': { ThrottlingBurstLimit: 5, ThrottlingRateLimit: 2 } },
        StageVariables: { color: 'red' },
        Tags: { a: '1' },
      }),
      other: ({ other }) => ({ ApiId: other, StageName: 'next' }),
      kept: { DeploymentId: 'what was deployed automatically stays' },
      untried: {
        AccessLogSettings: 'their destination is a log group',
        DeploymentId: 'not with AutoDeploy',
      },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::Integration',
      needs: async (env) => ({ api: await apiOf(env), other: await apiOf(env) }),
      least: ({ api }) => ({
        ApiId: api,
        IntegrationType: 'HTTP_PROXY',
        IntegrationMethod: 'GET',
        IntegrationUri: 'https://one.example.com',
        PayloadFormatVersion: '1.0',
      }),
      most: () => ({
        Description: 'what it is for',
        IntegrationMethod: 'POST',
        IntegrationUri: 'https://other.example.com',
        RequestParameters: { 'append:header.a': '1' },
        ResponseParameters: { '200': { ResponseParameters: [{ Destination: 'overwrite:statuscode', Source: '202' }] } },
        TimeoutInMillis: 1000,
      }),
      other: ({ other }) => ({ ApiId: other }),
      variants: {
        'of WebSocket APIs': typeVariant({
          needs: async (env) => [(await socketsOf(env)).ApiId, (await socketsOf(env)).ApiId] as const,
          least: ([one]) => ({ ApiId: one, IntegrationType: 'MOCK', ConnectionType: 'INTERNET' }),
          most: () => ({
            ContentHandlingStrategy: 'CONVERT_TO_TEXT',
            PassthroughBehavior: 'WHEN_NO_TEMPLATES',
            RequestTemplates: { '200': '{"statusCode":200}' },
            TemplateSelectionExpression: '200',
          }),
          other: ([, two]) => ({ ApiId: two }),
          kept: { ContentHandlingStrategy: 'UpdateIntegration cannot take it away' },
        }),
        'of operations of services': typeVariant({
          needs: async (env) => ({ api: await apiOf(env), other: await apiOf(env) }),
          least: ({ api }) => ({
            ApiId: api,
            IntegrationType: 'AWS_PROXY',
            IntegrationSubtype: 'SQS-SendMessage',
            PayloadFormatVersion: '1.0',
            CredentialsArn: ROLE,
            RequestParameters: { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/1/q', MessageBody: '$request.body' },
          }),
          most: () => ({ CredentialsArn: `${ROLE}2` }),
          other: ({ other }) => ({ ApiId: other }),
        }),
      },
      untried: {
        ConnectionId: elsewhere,
        TlsConfig: elsewhere,
      },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::Route',
      needs: integrated,
      least: ({ ApiId, first }) => ({ ApiId, RouteKey: 'GET /a', Target: first }),
      most: ({ second, AuthorizerId }) => ({
        AuthorizationScopes: ['read'],
        AuthorizationType: 'JWT',
        AuthorizerId,
        OperationName: 'GetB',
        RouteKey: 'GET /b',
        Target: second,
      }),
      other: () => ({ RouteKey: 'GET /c' }),
      kept: { OperationName: 'UpdateRoute cannot take it away' },
      variants: {
        'of WebSocket APIs': typeVariant({
          needs: socketsOf,
          least: ({ ApiId, target }) => ({ ApiId, RouteKey: 'send', Target: target }),
          most: () => ({
            ModelSelectionExpression: '$request.body.kind',
            RequestModels: { $default: 'message' },
            RouteResponseSelectionExpression: '$default',
          }),
          other: () => ({ RouteKey: 'other' }),
          kept: {
            ModelSelectionExpression: 'UpdateRoute cannot take it away',
            RouteResponseSelectionExpression: 'UpdateRoute cannot take it away',
          },
        }),
        'on connect': typeVariant({
          needs: socketsOf,
          least: ({ ApiId }) => ({ ApiId, RouteKey: '$connect' }),
          most: () => ({
            ApiKeyRequired: true,
            RequestParameters: { 'route.request.querystring.token': { Required: true } },
          }),
          single: true,
        }),
      },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::Authorizer',
      needs: (env) => apiOf(env),
      least: (ApiId) => ({
        ApiId,
        AuthorizerPayloadFormatVersion: '2.0',
        AuthorizerType: 'REQUEST',
        AuthorizerUri: uriOf(CALLED),
        IdentitySource: ['$request.header.Authorization'],
        Name: 'first',
      }),
      most: () => ({
        AuthorizerResultTtlInSeconds: 60,
        AuthorizerUri: uriOf(OTHER),
        EnableSimpleResponses: true,
        IdentitySource: ['$request.querystring.token'],
        Name: 'second',
      }),
      other: () => ({ AuthorizerCredentialsArn: ROLE, Name: 'third' }),
      untried: { JwtConfiguration: 'of the other kind of authorizers' },
    }),
    typeCase({
      type: 'AWS::ApiGatewayV2::Deployment',
      needs: async (env) => ({ api: await routed(env), other: await routed(env) }),
      least: ({ api }) => ({ ApiId: api }),
      most: () => ({ Description: 'what it is for' }),
      other: ({ other }) => ({ ApiId: other }),
    }),
  ],
);

test('AWS::ApiGatewayV2::Api without a title in its definition has its name in the properties', async () => {
  await using emulator = await createTestEmulator({ manifests: [apigatewayv2] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::ApiGatewayV2::Api');
  const { info: _, ...Body } = definition('/things');
  const first = { Name: 'mine', Body };
  const { identifier: ApiId } = await provider.create(first as never, ctx);
  const found = async () => {
    const { Name } = await ctx.call('apigatewayv2', 'GetApi', { ApiId });
    const { Items } = await ctx.call('apigatewayv2', 'GetRoutes', { ApiId });
    return [Name, ...Items!.map(({ RouteKey }) => RouteKey)];
  };
  expect(await found()).toEqual(['mine', 'GET /things']);
  const { info: __, ...other } = definition('/others');
  await provider.update!(ApiId, first as never, { ...first, Body: other } as never, ctx);
  expect(await found()).toEqual(['mine', 'GET /others']);
  await expect(provider.create({ Body } as never, ctx)).rejects.toThrow('The API definition has no title');
});
