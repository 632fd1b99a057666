import { createTestEmulator, fakeService, testProvider } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const ROLE = 'arn:aws:iam::000000000000:role/logs';

async function apiOf(env: Env) {
  const { id, attributes } = await env.make('AWS::ApiGateway::RestApi', { Name: 'api' });
  return { RestApiId: id, root: attributes.RootResourceId! };
}

async function methodOf(env: Env) {
  const { RestApiId, root } = await apiOf(env);
  await env.make('AWS::ApiGateway::Method', {
    RestApiId,
    ResourceId: root,
    HttpMethod: 'GET',
    Integration: { Type: 'MOCK' },
  });
  return { RestApiId, root };
}

async function deployed(env: Env) {
  const { RestApiId } = await methodOf(env);
  const first = await env.make('AWS::ApiGateway::Deployment', { RestApiId });
  const second = await env.make('AWS::ApiGateway::Deployment', { RestApiId });
  return { RestApiId, first: first.attributes.DeploymentId!, second: second.attributes.DeploymentId! };
}

/** S3 with one definition: its title is the key. */
const definitions = fakeService('s3', {
  GetObject: ({ Key }) => ({
    Body: `swagger: 2.0
info: { title: ${Key}, version: 1.0 }
paths: { "/things": { get: { x-amazon-apigateway-integration: { type: mock } } } }
`,
  }),
});

describeTypes(
  [definitions, apigateway],
  [
    typeCase({
      type: 'AWS::ApiGateway::RestApi',
      least: () => ({ Name: 'first' }),
      most: () => ({
        ApiKeySourceType: 'AUTHORIZER',
        BinaryMediaTypes: ['image/png'],
        Description: 'what it is for',
        DisableExecuteApiEndpoint: true,
        EndpointConfiguration: { Types: ['REGIONAL'] },
        MinimumCompressionSize: 100,
        Name: 'second',
        Policy: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: '*', Action: 'execute-api:Invoke', Resource: '*' }],
        },
        Tags: TAGS,
      }),
      other: () => ({
        Body: { swagger: '2.0', info: { title: 'defined', version: '1' }, paths: {} },
        FailOnWarnings: true,
        Mode: 'overwrite',
        Parameters: { basepath: 'ignore' },
      }),
      unread: {
        Body: 'it becomes resources and methods',
        FailOnWarnings: 'only of imports',
        Mode: 'only of imports',
        Parameters: 'only of imports',
      },
      kept: { Description: 'UpdateRestApi cannot take it away' },
      untried: {
        CloneFrom: 'names another API',
        EndpointAccessMode: 'goes with security policies of later versions',
        SecurityPolicy: 'has no other value by default',
        Version: 'only at the creation',
      },
      variants: {
        'defined in S3': typeVariant({
          least: () => ({ BodyS3Location: { Bucket: 'b', Key: 'first' } }),
          most: () => ({ BodyS3Location: { Bucket: 'b', Key: 'second', Version: '1', ETag: 'e' } }),
          unread: { BodyS3Location: 'it becomes resources and methods' },
        }),
      },
    }),
    typeCase({
      type: 'AWS::ApiGateway::Resource',
      needs: apiOf,
      least: ({ RestApiId, root }) => ({ RestApiId, ParentId: root, PathPart: 'things' }),
      other: () => ({ PathPart: '{proxy+}' }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::Method',
      needs: apiOf,
      least: ({ RestApiId, root }) => ({
        RestApiId,
        ResourceId: root,
        HttpMethod: 'GET',
        Integration: { Type: 'MOCK' },
      }),
      most: () => ({
        ApiKeyRequired: true,
        AuthorizationType: 'AWS_IAM',
        Integration: {
          IntegrationHttpMethod: 'POST',
          IntegrationResponses: [
            {
              ResponseParameters: { 'method.response.header.X-A': "'b'" },
              ResponseTemplates: { 'application/json': '{}' },
              SelectionPattern: '2..',
              StatusCode: '200',
            },
          ],
          RequestParameters: { 'integration.request.querystring.q': 'method.request.querystring.q' },
          RequestTemplates: { 'application/json': '{"statusCode": 200}' },
          TimeoutInMillis: 1000,
          Type: 'HTTP',
          Uri: 'https://other.example.com',
        },
        MethodResponses: [
          {
            ResponseModels: { 'application/json': 'Empty' },
            ResponseParameters: { 'method.response.header.X-A': true },
            StatusCode: '200',
          },
        ],
        OperationName: 'GetAll',
        RequestModels: { 'application/json': 'Empty' },
        RequestParameters: { 'method.request.querystring.q': true },
      }),
      other: () => ({ HttpMethod: 'POST' }),
      variants: {
        'with an authorizer and a validator': typeVariant({
          needs: async (env) => {
            const { RestApiId, root } = await apiOf(env);
            const authorizer = await env.make('AWS::ApiGateway::Authorizer', {
              RestApiId,
              Name: 'pool',
              Type: 'COGNITO_USER_POOLS',
              IdentitySource: 'method.request.header.Authorization',
              ProviderARNs: ['arn:aws:cognito-idp:us-east-1:123456789012:userpool/us-east-1_abcdefghi'],
            });
            const validator = await env.make('AWS::ApiGateway::RequestValidator', { RestApiId, Name: 'validator' });
            return {
              RestApiId,
              root,
              authorizer: authorizer.attributes.AuthorizerId!,
              validator: validator.attributes.RequestValidatorId!,
            };
          },
          least: ({ RestApiId, root }) => ({
            RestApiId,
            ResourceId: root,
            HttpMethod: 'PUT',
            Integration: { Type: 'MOCK' },
          }),
          most: ({ authorizer, validator }) => ({
            AuthorizationScopes: ['read'],
            AuthorizationType: 'COGNITO_USER_POOLS',
            AuthorizerId: authorizer,
            RequestValidatorId: validator,
          }),
          other: () => ({ HttpMethod: 'DELETE' }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::ApiGateway::Deployment',
      deployed: { uncontrolled: 'its stage stays, and keeps it from being deleted' },
      needs: async (env) => ({ one: (await methodOf(env)).RestApiId, other: (await methodOf(env)).RestApiId }),
      least: ({ one }) => ({ RestApiId: one }),
      most: () => ({
        Description: 'what it is for',
        StageDescription: {
          Description: 'the stage',
          LoggingLevel: 'INFO',
          MethodSettings: [{ HttpMethod: 'GET', ResourcePath: '/things', ThrottlingBurstLimit: 5 }],
          ThrottlingRateLimit: 2.5,
          Variables: { Color: 'red' },
        },
        StageName: 'live',
      }),
      other: ({ other }) => ({ RestApiId: other }),
      untried: { DeploymentCanarySettings: 'of a stage that is there; see below' },
    }),
    typeCase({
      type: 'AWS::ApiGateway::Stage',
      needs: deployed,
      least: ({ RestApiId, first }) => ({ RestApiId, StageName: 'live', DeploymentId: first }),
      most: ({ first, second }) => ({
        CanarySetting: { DeploymentId: first, PercentTraffic: 10, StageVariableOverrides: { Color: 'blue' } },
        AccessLogSetting: {
          DestinationArn: 'arn:aws:logs:us-east-1:000000000000:log-group:calls',
          Format: '$context.requestId',
        },
        DeploymentId: second,
        Description: 'what it is for',
        MethodSettings: [
          { HttpMethod: '*', ResourcePath: '/*', LoggingLevel: 'INFO', MetricsEnabled: true },
          { HttpMethod: 'GET', ResourcePath: '/things/{id}', ThrottlingBurstLimit: 5, ThrottlingRateLimit: 2.5 },
        ],
        Tags: TAGS,
        TracingEnabled: true,
        Variables: { Color: 'red' },
      }),
      other: () => ({ StageName: 'next' }),
      untried: {
        CacheClusterEnabled: 'emu has no cache clusters',
        CacheClusterSize: 'emu has no cache clusters',
        ClientCertificateId: 'needs a certificate',
        DocumentationVersion: 'needs a documentation',
      },
    }),
  ],
);

test('AWS::ApiGateway::Account sets the role for logs, which remains when the resource is deleted', async () => {
  await using emulator = await createTestEmulator({ manifests: [apigateway] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::ApiGateway::Account');
  const { identifier } = await provider.create({ CloudWatchRoleArn: ROLE }, ctx);
  const role = async () => (await ctx.call('apigateway', 'GetAccount', {})).cloudwatchRoleArn;
  expect(await role()).toBe(ROLE);
  await provider.update!(identifier, { CloudWatchRoleArn: ROLE }, { CloudWatchRoleArn: `${ROLE}2` }, ctx);
  expect((await provider.read(identifier, ctx))!.properties).toEqual({ CloudWatchRoleArn: `${ROLE}2` });
  await provider.delete(identifier, { CloudWatchRoleArn: `${ROLE}2` }, ctx);
  expect(await role()).toBe(`${ROLE}2`);
});

test('AWS::ApiGateway::Deployment starts a canary on an existing stage, and changes the settings of its stage', async () => {
  await using emulator = await createTestEmulator({ manifests: [apigateway] });
  const make = async (type: string, properties: object) => {
    const { provider, ctx } = await testProvider(emulator, type);
    const { identifier } = await provider.create(properties as never, ctx);
    return { identifier, provider, ctx, attributes: (await provider.read(identifier, ctx))!.attributes };
  };
  const { identifier: RestApiId, attributes } = await make('AWS::ApiGateway::RestApi', { Name: 'api' });
  await make('AWS::ApiGateway::Method', {
    RestApiId,
    ResourceId: attributes.RootResourceId,
    HttpMethod: 'GET',
    Integration: { Type: 'MOCK' },
  });
  const first = { RestApiId, StageName: 'live', StageDescription: { Description: 'one', TracingEnabled: true } };
  const { identifier, provider, ctx } = await make('AWS::ApiGateway::Deployment', first);
  const stage = () => ctx.call('apigateway', 'GetStage', { restApiId: RestApiId, stageName: 'live' });
  expect(await stage()).toMatchObject({ description: 'one', tracingEnabled: true });
  const second = { ...first, StageDescription: { Description: 'two' } };
  await provider.update!(identifier, first, second, ctx);
  expect(await stage()).toMatchObject({ description: 'two', tracingEnabled: false });
  await make('AWS::ApiGateway::Deployment', {
    RestApiId,
    StageName: 'live',
    DeploymentCanarySettings: { PercentTraffic: 25, StageVariableOverrides: { Color: 'blue' } },
  });
  expect((await stage()).canarySettings).toMatchObject({
    percentTraffic: 25,
    stageVariableOverrides: { Color: 'blue' },
  });
});

test('AWS::ApiGateway::RestApi has the title of its definition, or its name in the properties', async () => {
  await using emulator = await createTestEmulator({ manifests: [definitions, apigateway] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::ApiGateway::RestApi');
  const made = async (properties: object) => {
    const { identifier: restApiId } = await provider.create(properties as never, ctx);
    const { name, version } = await ctx.call('apigateway', 'GetRestApi', { restApiId });
    const { items } = await ctx.call('apigateway', 'GetResources', { restApiId });
    return { name, version, paths: items!.map(({ path }) => path).sort() };
  };
  const paths = ['/', '/things'];
  const BodyS3Location = { Bucket: 'b', Key: 'orders' };
  expect(await made({ BodyS3Location })).toEqual({ name: 'orders', version: '1.0', paths });
  expect(await made({ BodyS3Location, Name: 'mine' })).toEqual({ name: 'mine', version: '1.0', paths });
  const things = { '/things': { get: { 'x-amazon-apigateway-integration': { type: 'mock' } } } };
  expect(await made({ Name: 'mine', Body: { swagger: 2, paths: things } })).toMatchObject({ name: 'mine', paths });
});
