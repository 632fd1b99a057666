import { createTestEmulator, testProvider } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { generate } from 'selfsigned';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const POOL = (id: string) => `arn:aws:cognito-idp:us-east-1:123456789012:userpool/us-east-1_${id}`;
const CERTIFICATE = (id: string) => `arn:aws:acm:us-east-1:123456789012:certificate/${id}`;
const POLICY = (action: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: action, Resource: '*' }],
});

const apiOf = async (env: Env) => (await env.make('AWS::ApiGateway::RestApi', { Name: 'api' })).id;
const apisOf = async (env: Env) => [await apiOf(env), await apiOf(env)] as const;

async function stageOf(env: Env) {
  const RestApiId = await apiOf(env);
  const { RootResourceId } = (
    (await env.call('apigateway', 'GetResources', { restApiId: RestApiId })) as unknown as { items: { id: string }[] }
  ).items.map(({ id }) => ({ RootResourceId: id }))[0]!;
  await env.make('AWS::ApiGateway::Method', {
    RestApiId,
    ResourceId: RootResourceId,
    HttpMethod: 'GET',
    Integration: { Type: 'MOCK' },
  });
  await env.make('AWS::ApiGateway::Deployment', { RestApiId, StageName: 'test' });
  return { RestApiId, StageName: 'test' };
}

let domains = 0;
const domainOf = async (env: Env) =>
  (
    await env.make('AWS::ApiGateway::DomainName', {
      DomainName: `d${++domains}.example.com`,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: CERTIFICATE('a'),
    })
  ).id;
const privateDomainOf = async (env: Env) =>
  (
    await env.make('AWS::ApiGateway::DomainNameV2', {
      DomainName: `p${++domains}.example.com`,
      CertificateArn: CERTIFICATE('a'),
    })
  ).id;

describeTypes(
  [apigateway],
  [
    typeCase({
      type: 'AWS::ApiGateway::Authorizer',
      needs: apisOf,
      least: ([one]) => ({
        RestApiId: one,
        Name: 'one',
        Type: 'COGNITO_USER_POOLS',
        IdentitySource: 'method.request.header.Authorization',
        ProviderARNs: [POOL('one')],
      }),
      most: () => ({
        AuthType: 'cognito_user_pools',
        AuthorizerResultTtlInSeconds: 60,
        IdentitySource: 'method.request.header.Token',
        IdentityValidationExpression: 'a.*',
        Name: 'two',
        ProviderARNs: [POOL('one'), POOL('two')],
      }),
      other: ([, two]) => ({ RestApiId: two }),
      kept: { AuthorizerResultTtlInSeconds: 'is returned from then on' },
      untried: {
        AuthorizerCredentials: 'is for functions',
        AuthorizerUri: 'is for functions',
      },
    }),
    typeCase({
      type: 'AWS::ApiGateway::Model',
      needs: apisOf,
      least: ([one]) => ({ RestApiId: one, Schema: { type: 'object' } }),
      most: () => ({ Description: 'described', Schema: { type: 'array', items: { type: 'string' } } }),
      other: ([, two]) => ({ RestApiId: two, Name: 'named', ContentType: 'application/xml' }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::RequestValidator',
      needs: apisOf,
      least: ([one]) => ({ RestApiId: one }),
      most: () => ({ ValidateRequestBody: true, ValidateRequestParameters: true }),
      other: ([, two]) => ({ RestApiId: two, Name: 'named' }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::GatewayResponse',
      needs: apisOf,
      least: ([one]) => ({ RestApiId: one, ResponseType: 'UNAUTHORIZED' }),
      most: () => ({
        ResponseParameters: { 'gatewayresponse.header.X-A': "'1'" },
        ResponseTemplates: { 'application/json': '{"a": 1}' },
        StatusCode: '403',
      }),
      other: ([, two]) => ({ RestApiId: two, ResponseType: 'ACCESS_DENIED' }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::DocumentationPart',
      needs: apisOf,
      least: ([one]) => ({ RestApiId: one, Location: { Type: 'API' }, Properties: '{"description":"one"}' }),
      most: () => ({ Properties: '{"description":"two"}' }),
      other: ([, two]) => ({ RestApiId: two, Location: { Type: 'METHOD', Path: '/', Method: 'GET' } }),
      unread: { Location: 'with the defaults of what is left out' },
    }),
    typeCase({
      type: 'AWS::ApiGateway::DocumentationVersion',
      needs: async (env) => {
        const [one, two] = await apisOf(env);
        for (const RestApiId of [one, two])
          await env.make('AWS::ApiGateway::DocumentationPart', {
            RestApiId,
            Location: { Type: 'API' },
            Properties: '{"description":"one"}',
          });
        return [one, two] as const;
      },
      least: ([one]) => ({ RestApiId: one, DocumentationVersion: '1' }),
      most: () => ({ Description: 'described' }),
      other: ([, two]) => ({ RestApiId: two, DocumentationVersion: '2' }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::ApiKey',
      needs: stageOf,
      least: () => ({}),
      most: (stage) => ({
        CustomerId: 'customer',
        Description: 'described',
        Enabled: true,
        StageKeys: [stage],
        Tags: TAGS,
      }),
      other: () => ({ Name: 'named', Value: 'a-value-of-more-than-twenty-characters', GenerateDistinctId: true }),
      unread: { GenerateDistinctId: 'says only how the key is made' },
    }),
    typeCase({
      type: 'AWS::ApiGateway::UsagePlan',
      needs: stageOf,
      least: () => ({ UsagePlanName: 'one' }),
      most: ({ RestApiId, StageName }) => ({
        ApiStages: [{ ApiId: RestApiId, Stage: StageName, Throttle: { '//GET': { RateLimit: 2, BurstLimit: 3 } } }],
        Description: 'described',
        Quota: { Limit: 10, Offset: 1, Period: 'WEEK' },
        Tags: TAGS,
        Throttle: { RateLimit: 5, BurstLimit: 6 },
        UsagePlanName: 'two',
      }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::UsagePlanKey',
      needs: async (env) => ({
        plan: (await env.make('AWS::ApiGateway::UsagePlan')).id,
        one: (await env.make('AWS::ApiGateway::ApiKey')).id,
        two: (await env.make('AWS::ApiGateway::ApiKey')).id,
      }),
      least: ({ plan, one }) => ({ KeyId: one, KeyType: 'API_KEY', UsagePlanId: plan }),
      other: ({ two }) => ({ KeyId: two }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::ClientCertificate',
      least: () => ({}),
      most: () => ({ Description: 'described', Tags: TAGS }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::VpcLink',
      least: () => ({
        Name: 'one',
        TargetArns: ['arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/a/1'],
      }),
      most: () => ({ Name: 'two', Description: 'described', Tags: TAGS }),
      other: () => ({ TargetArns: ['arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/b/2'] }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::DomainName',
      least: () => ({
        DomainName: 'one.example.com',
        EndpointConfiguration: { Types: ['REGIONAL'] },
        RegionalCertificateArn: CERTIFICATE('a'),
      }),
      most: () => ({
        OwnershipVerificationCertificateArn: CERTIFICATE('c'),
        RegionalCertificateArn: CERTIFICATE('b'),
        RoutingMode: 'BASE_PATH_MAPPING_ONLY',
        SecurityPolicy: 'TLS_1_0',
        Tags: TAGS,
      }),
      other: () => ({
        DomainName: 'two.example.com',
        CertificateArn: CERTIFICATE('a'),
        EndpointConfiguration: { Types: ['EDGE'] },
      }),
      untried: {
        EndpointAccessMode: 'is of the newer security policies',
        MutualTlsAuthentication: 'needs an object with certificates; see below',
      },
    }),
    typeCase({
      type: 'AWS::ApiGateway::BasePathMapping',
      needs: async (env) => ({ domain: await domainOf(env), apis: await apisOf(env), stage: await stageOf(env) }),
      least: ({ domain, apis: [one] }) => ({ DomainName: domain, RestApiId: one }),
      most: ({ stage }) => ({ RestApiId: stage.RestApiId, Stage: stage.StageName }),
      other: () => ({ BasePath: 'named' }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::DomainNameV2',
      least: () => ({ DomainName: 'one.private.com', CertificateArn: CERTIFICATE('a') }),
      most: () => ({
        CertificateArn: CERTIFICATE('b'),
        Policy: POLICY('execute-api:Invoke'),
        RoutingMode: 'BASE_PATH_MAPPING_ONLY',
        Tags: TAGS,
      }),
      other: () => ({
        DomainName: 'two.private.com',
        EndpointConfiguration: { Types: ['PRIVATE'] },
        SecurityPolicy: 'TLS_1_2',
      }),
      untried: { EndpointAccessMode: 'is of the newer security policies' },
    }),
    typeCase({
      type: 'AWS::ApiGateway::BasePathMappingV2',
      needs: async (env) => ({
        domain: await privateDomainOf(env),
        apis: await apisOf(env),
        stage: await stageOf(env),
      }),
      least: ({ domain, apis: [one] }) => ({ DomainNameArn: domain, RestApiId: one }),
      most: ({ stage }) => ({ RestApiId: stage.RestApiId, Stage: stage.StageName }),
      other: () => ({ BasePath: 'named' }),
    }),
    typeCase({
      type: 'AWS::ApiGateway::DomainNameAccessAssociation',
      needs: privateDomainOf,
      least: (domain) => ({
        AccessAssociationSource: 'vpce-1a2b3c4d5e6f7a8b9',
        AccessAssociationSourceType: 'VPCE',
        DomainNameArn: domain,
      }),
      other: () => ({ AccessAssociationSource: 'vpce-9a2b3c4d5e6f7a8b9', Tags: TAGS }),
    }),
  ],
);

test('domain names get a trust store, lose it, and get it again', async () => {
  await using emulator = await createTestEmulator({ manifests: [apigateway, s3] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::ApiGateway::DomainName');
  const { cert } = await generate([{ name: 'commonName', value: 'ours' }], {
    extensions: [{ name: 'basicConstraints', cA: true }],
  });
  await ctx.call('s3', 'CreateBucket', { Bucket: 'certificates' });
  await ctx.callJson('s3', 'PutObject', {
    Bucket: 'certificates',
    Key: 'store.pem',
    Body: Buffer.from(cert).toString('base64'),
  });
  const plain = {
    DomainName: 'mutual.example.com',
    EndpointConfiguration: { Types: ['REGIONAL'] },
    RegionalCertificateArn: CERTIFICATE('a'),
  };
  const mutual = { ...plain, MutualTlsAuthentication: { TruststoreUri: 's3://certificates/store.pem' } };
  const { identifier } = await provider.create(mutual, ctx);
  const told = async () => (await provider.read(identifier, ctx))!.properties.MutualTlsAuthentication;
  expect(await told()).toEqual(mutual.MutualTlsAuthentication);
  await provider.update!(identifier, mutual, plain, ctx);
  expect(await told()).toBeUndefined();
  await provider.update!(identifier, plain, mutual, ctx);
  expect(await told()).toEqual(mutual.MutualTlsAuthentication);
});
