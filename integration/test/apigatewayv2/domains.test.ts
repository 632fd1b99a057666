import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { createTestEmulator, refusal, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as restManifest } from '@emu/svc-apigateway/manifest';
import { manifest as httpManifest } from '@emu/svc-apigatewayv2/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CertificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/c';

let emulator: TestEmulator;
let rest: APIGateway;
let http: ApiGatewayV2;
let restApiId: string;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [restManifest, httpManifest] });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  rest = new APIGateway(config);
  http = new ApiGatewayV2(config);
  const { id, rootResourceId } = await rest.createRestApi({ name: 'mapped' });
  restApiId = id!;
  const { id: resourceId } = await rest.createResource({ restApiId, parentId: rootResourceId, pathPart: 'pets' });
  const place = { restApiId, resourceId, httpMethod: 'GET' };
  await rest.putMethod({ ...place, authorizationType: 'NONE' });
  await rest.putMethodResponse({ ...place, statusCode: '200' });
  await rest.putIntegration({
    ...place,
    type: 'MOCK',
    requestTemplates: { 'application/json': '{"statusCode": 200}' },
  });
  const template = '{"path": "$context.path", "stage": "$context.stage", "domain": "$context.domainName"}';
  await rest.putIntegrationResponse({
    ...place,
    statusCode: '200',
    responseTemplates: { 'application/json': template },
  });
  await rest.createDeployment({ restApiId, stageName: 'prod' });
});
afterAll(() => emulator.close());

const get = (host: string, target: string) => sendRaw(emulator, { method: 'GET', target, headers: { host } });

it('a domain name of API Gateway v2 leads to REST APIs by mappings of several levels and by rules', async () => {
  const DomainName = 'shop.example.com';
  await http.createDomainName({
    DomainName,
    DomainNameConfigurations: [{ CertificateArn }],
    RoutingMode: 'ROUTING_RULE_THEN_API_MAPPING',
  });
  const mapping = { DomainName, ApiId: restApiId, Stage: 'prod', ApiMappingKey: 'v1/shop' };
  expect((await refusal(http.createApiMapping({ ...mapping, Stage: 'none' }))).name).toBe('NotFoundException');
  const { ApiMappingId } = await http.createApiMapping(mapping);
  expect((await http.getApiMapping({ DomainName, ApiMappingId })).ApiId).toBe(restApiId);
  expect(JSON.parse((await get(DomainName, '/v1/shop/pets')).text)).toEqual({
    path: '/v1/shop/pets',
    stage: 'prod',
    domain: DomainName,
  });
  expect(await get(DomainName, '/v1/shop/none')).toMatchObject({
    status: 403,
    text: '{"message":"Missing Authentication Token"}',
  });
  const InvokeApi = { ApiId: restApiId, Stage: 'prod', StripBasePath: true };
  await http.createRoutingRule({
    DomainName,
    Priority: 1,
    Conditions: [{ MatchBasePaths: { AnyOf: ['ruled'] } }],
    Actions: [{ InvokeApi }],
  });
  expect((await get(DomainName, '/ruled/pets')).status).toBe(200);
  // Beside an HTTP API, and not where the stage has gone.
  const { ApiId } = await http.createApi({ Name: 'h', ProtocolType: 'HTTP', Target: 'http://127.0.0.1:1' });
  await http.createApiMapping({ DomainName, ApiId, Stage: '$default', ApiMappingKey: 'http' });
  await rest.deleteStage({ restApiId, stageName: 'prod' });
  expect((await get(DomainName, '/v1/shop/pets')).status).toBe(404);
});

it('both kinds of APIs have one name space of domain names', async () => {
  await http.createDomainName({ DomainName: 'a.example.com', DomainNameConfigurations: [{ CertificateArn }] });
  const regional = { regionalCertificateArn: CertificateArn, endpointConfiguration: { types: ['REGIONAL' as const] } };
  const message = 'The domain name you provided already exists.';
  expect(await refusal(rest.createDomainName({ domainName: 'a.example.com', ...regional }))).toMatchObject({
    name: 'ConflictException',
    message,
  });
  await rest.createDomainName({ domainName: 'b.example.com', ...regional });
  const again = http.createDomainName({ DomainName: 'b.example.com', DomainNameConfigurations: [{ CertificateArn }] });
  expect(await refusal(again)).toMatchObject({ name: 'ConflictException', message });
});
