import { once } from 'node:events';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { createTestEmulator, refusal, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as restManifest } from '@emu/svc-apigateway/manifest';
import { manifest as httpManifest } from '@emu/svc-apigatewayv2/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';

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

it('a domain name of API Gateway v2 routes to REST APIs through multi-level mappings and rules', async () => {
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
  // Beside an HTTP API, and not after the deletion of the stage.
  const { ApiId } = await http.createApi({ Name: 'h', ProtocolType: 'HTTP', Target: 'http://127.0.0.1:1' });
  await http.createApiMapping({ DomainName, ApiId, Stage: '$default', ApiMappingKey: 'http' });
  await rest.deleteStage({ restApiId, stageName: 'prod' });
  expect((await get(DomainName, '/v1/shop/pets')).status).toBe(404);
});

it('both kinds of APIs share the names of domains', async () => {
  await http.createDomainName({ DomainName: 'a.example.com', DomainNameConfigurations: [{ CertificateArn }] });
  const regional = { regionalCertificateArn: CertificateArn, endpointConfiguration: { types: ['REGIONAL' as const] } };
  const message = 'The domain name you provided already exists.';
  expect(await refusal(rest.createDomainName({ domainName: 'a.example.com', ...regional }))).toMatchObject({
    name: 'BadRequestException',
    message,
  });
  await rest.createDomainName({ domainName: 'b.example.com', ...regional });
  const again = http.createDomainName({ DomainName: 'b.example.com', DomainNameConfigurations: [{ CertificateArn }] });
  expect(await refusal(again)).toMatchObject({ name: 'BadRequestException', message });
});

it('a domain name is one resource of both APIs', async () => {
  const domainName = 'both.example.com';
  const regional = { regionalCertificateArn: CertificateArn, endpointConfiguration: { types: ['REGIONAL' as const] } };
  const made = await rest.createDomainName({ domainName, ...regional, tags: { a: '1' } });
  const seen = await http.getDomainName({ DomainName: domainName });
  expect(seen).toMatchObject({
    ApiMappingSelectionExpression: '$request.basepath',
    DomainNameConfigurations: [
      {
        ApiGatewayDomainName: made.regionalDomainName,
        CertificateArn,
        EndpointType: 'REGIONAL',
        HostedZoneId: made.regionalHostedZoneId,
        SecurityPolicy: 'TLS_1_2',
      },
    ],
    RoutingMode: 'API_MAPPING_ONLY',
    Tags: { a: '1' },
  });
  const ResourceArn = seen.DomainNameArn!;
  await http.tagResource({ ResourceArn, Tags: { b: '2' } });
  await http.untagResource({ ResourceArn, TagKeys: ['a'] });
  expect((await rest.getTags({ resourceArn: ResourceArn })).tags).toEqual({ b: '2' });
  expect((await http.getTags({ ResourceArn })).Tags).toEqual({ b: '2' });
  const other = { CertificateArn: `${CertificateArn}2` };
  await http.updateDomainName({
    DomainName: domainName,
    DomainNameConfigurations: [other],
    RoutingMode: 'ROUTING_RULE_THEN_API_MAPPING',
  });
  expect(await rest.getDomainName({ domainName })).toMatchObject({
    regionalCertificateArn: other.CertificateArn,
    regionalDomainName: made.regionalDomainName,
    routingMode: 'ROUTING_RULE_THEN_BASE_PATH_MAPPING',
  });
  await http.deleteDomainName({ DomainName: domainName });
  expect((await refusal(rest.getDomainName({ domainName }))).name).toBe('NotFoundException');

  await http.createDomainName({
    DomainName: domainName,
    DomainNameConfigurations: [{ CertificateArn }],
    Tags: { c: '3' },
  });
  const described = await rest.getDomainName({ domainName });
  expect(described).toMatchObject({
    domainNameStatus: 'AVAILABLE',
    endpointConfiguration: { types: ['REGIONAL'], ipAddressType: 'ipv4' },
    regionalCertificateArn: CertificateArn,
    routingMode: 'BASE_PATH_MAPPING_ONLY',
    securityPolicy: 'TLS_1_2',
    tags: { c: '3' },
  });
  expect((await rest.getDomainNames({})).items!.map((one) => one.domainName)).toContain(domainName);
  expect((await http.getDomainNames({})).Items!.map((one) => one.DomainName)).toContain('b.example.com');
  await rest.tagResource({ resourceArn: ResourceArn, tags: { d: '4' } });
  await rest.untagResource({ resourceArn: ResourceArn, tagKeys: ['c'] });
  expect((await http.getDomainName({ DomainName: domainName })).Tags).toEqual({ d: '4' });
  const patched = await rest.updateDomainName({
    domainName,
    patchOperations: [
      { op: 'replace', path: '/regionalCertificateArn', value: other.CertificateArn },
      { op: 'replace', path: '/routingMode', value: 'ROUTING_RULE_ONLY' },
    ],
  });
  expect(patched).toMatchObject({ regionalCertificateArn: other.CertificateArn, routingMode: 'ROUTING_RULE_ONLY' });
  expect((await http.getDomainName({ DomainName: domainName })).RoutingMode).toBe('ROUTING_RULE_ONLY');
  await rest.deleteDomainName({ domainName });
  expect((await refusal(http.getDomainName({ DomainName: domainName }))).name).toBe('NotFoundException');
});

it('API Gateway v2 returns edge-optimized domain names and does not change them', async () => {
  const DomainName = 'edge.example.com';
  await rest.createDomainName({ domainName: DomainName, certificateArn: CertificateArn });
  expect((await http.getDomainName({ DomainName })).DomainNameConfigurations![0]!.EndpointType).toBe('EDGE');
  const message =
    'Only REGIONAL domain names can be managed through the API Gateway V2 API. For EDGE domain names, please use the API Gateway V1 API. Also note that only REST APIs can be attached to EDGE domain names.';
  const refused = { name: 'BadRequestException', message };
  expect(await refusal(http.deleteDomainName({ DomainName }))).toMatchObject(refused);
  const mapping = { DomainName, ApiId: restApiId, Stage: 'prod' };
  expect(await refusal(http.createApiMapping(mapping))).toMatchObject(refused);
  const edge = {
    DomainName: 'e.example.com',
    DomainNameConfigurations: [{ CertificateArn, EndpointType: 'EDGE' as const }],
  };
  expect((await refusal(http.createDomainName(edge))).message).toBe(
    'EDGE endpoint type is not supported for APIGatewayV2 domainName',
  );
});

it('mappings and rules of a domain name of REST APIs route to every kind of API', async () => {
  const domainName = 'rest.example.com';
  await rest.createDeployment({ restApiId, stageName: 'prod' });
  await rest.createDomainName({
    domainName,
    regionalCertificateArn: CertificateArn,
    endpointConfiguration: { types: ['REGIONAL'] },
    routingMode: 'ROUTING_RULE_THEN_BASE_PATH_MAPPING',
  });
  await rest.createBasePathMapping({ domainName, restApiId, stage: 'prod', basePath: 'a' });
  await rest.createBasePathMapping({ domainName, restApiId });
  const DomainName = domainName;
  const { Items = [] } = await http.getApiMappings({ DomainName });
  expect(Items).toEqual(
    [
      { ApiId: restApiId, ApiMappingId: expect.any(String), ApiMappingKey: '', Stage: '' },
      { ApiId: restApiId, ApiMappingId: expect.any(String), ApiMappingKey: 'a', Stage: 'prod' },
    ].toSorted((x) => (x.ApiMappingKey === Items[0]!.ApiMappingKey ? -1 : 1)),
  );
  const { ApiMappingId } = Items.find(({ ApiMappingKey }) => ApiMappingKey === 'a')!;
  await http.updateApiMapping({ DomainName, ApiId: restApiId, ApiMappingId, ApiMappingKey: 'a/b' });
  expect((await http.getApiMapping({ DomainName, ApiMappingId })).ApiMappingKey).toBe('a/b');
  expect((await rest.getBasePathMapping({ domainName, basePath: 'a/b' })).stage).toBe('prod');
  const { ApiId } = await http.createApi({ Name: 'h', ProtocolType: 'HTTP', Target: 'http://127.0.0.1:1' });
  await http.createApiMapping({ DomainName, ApiId, Stage: '$default', ApiMappingKey: 'http' });
  expect((await rest.getBasePathMappings({ domainName })).items!.map(({ basePath }) => basePath).toSorted()).toEqual([
    '(none)',
    'a/b',
    'http',
  ]);
  await http.createRoutingRule({
    DomainName,
    Priority: 1,
    Conditions: [{ MatchHeaders: { AnyOf: [{ Header: 'x-rule', ValueGlob: 'y*' }] } }],
    Actions: [{ InvokeApi: { ApiId: restApiId, Stage: 'prod' } }],
  });
  const ruled = await sendRaw(emulator, {
    method: 'GET',
    target: '/pets',
    headers: { host: domainName, 'x-rule': 'yes' },
  });
  expect(JSON.parse(ruled.text)).toEqual({ path: '/pets', stage: 'prod', domain: domainName });
  expect(JSON.parse((await get(domainName, '/a/b/pets')).text).path).toBe('/a/b/pets');
  expect(JSON.parse((await get(domainName, '/prod/pets')).text).path).toBe('/prod/pets');
  // Nothing listens at the HTTP API's endpoint.
  expect((await get(domainName, '/http/x')).text).toBe('{"message":"Service Unavailable"}');
  expect((await refusal(http.deleteApi({ ApiId }))).name).toBe('BadRequestException');
  const { Items: left = [] } = await http.getApiMappings({ DomainName });
  for (const one of left) await http.deleteApiMapping({ DomainName, ApiMappingId: one.ApiMappingId });
  expect((await rest.getBasePathMappings({ domainName })).items ?? []).toEqual([]);
  await rest.deleteDomainName({ domainName });
  await rest.createDomainName({
    domainName,
    regionalCertificateArn: CertificateArn,
    endpointConfiguration: { types: ['REGIONAL'] },
    routingMode: 'ROUTING_RULE_ONLY',
  });
  expect((await http.listRoutingRules({ DomainName })).RoutingRules).toEqual([]);
});

it('base paths can be created at domain names of API Gateway v2', async () => {
  const domainName = 'v2.example.com';
  await http.createDomainName({ DomainName: domainName, DomainNameConfigurations: [{ CertificateArn }] });
  await rest.createBasePathMapping({ domainName, restApiId, stage: 'prod', basePath: 'x' });
  expect(JSON.parse((await get(domainName, '/x/pets')).text).path).toBe('/x/pets');
  const again = rest.createBasePathMapping({ domainName, restApiId, stage: 'prod', basePath: 'x' });
  expect((await refusal(again)).name).toBe('ConflictException');
  const patchOperations = [
    { op: 'replace' as const, path: '/basePath', value: 'y' },
    { op: 'replace' as const, path: '/stage', value: '' },
  ];
  expect(await rest.updateBasePathMapping({ domainName, basePath: 'x', patchOperations })).toMatchObject({
    basePath: 'y',
    restApiId,
  });
  expect(JSON.parse((await get(domainName, '/y/prod/pets')).text).path).toBe('/y/prod/pets');
  expect((await refusal(rest.deleteRestApi({ restApiId }))).message).toBe(
    'Please remove all base path mappings related to the API in your domain first.',
  );
  await rest.deleteBasePathMapping({ domainName, basePath: 'y' });
  expect((await http.getApiMappings({ DomainName: domainName })).Items).toEqual([]);
});

it('rules of private domain names are stored by name and id', async () => {
  const made = await rest.createDomainName({
    domainName: 'private.example.com',
    certificateArn: CertificateArn,
    endpointConfiguration: { types: ['PRIVATE'] },
    routingMode: 'ROUTING_RULE_ONLY',
  });
  const one = { DomainName: made.domainName!, DomainNameId: made.domainNameId! };
  const rule = await http.createRoutingRule({
    ...one,
    Priority: 1,
    Conditions: [],
    Actions: [{ InvokeApi: { ApiId: restApiId, Stage: 'prod' } }],
  });
  expect((await http.getRoutingRule({ ...one, RoutingRuleId: rule.RoutingRuleId })).Priority).toBe(1);
  expect((await refusal(http.listRoutingRules({ ...one, DomainNameId: 'other' }))).name).toBe('NotFoundException');
  expect((await refusal(http.getDomainName(one))).name).toBe('NotFoundException');
  expect((await get(one.DomainName, '/pets')).status).toBe(403);
  const Statement = [{ Effect: 'Allow', Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/*' }];
  const value = JSON.stringify({ Version: '2012-10-17', Statement });
  await rest.updateDomainName({
    domainName: one.DomainName,
    domainNameId: one.DomainNameId,
    patchOperations: [{ op: 'replace', path: '/policy', value }],
  });
  expect((await get(one.DomainName, '/pets')).status).toBe(200);
});

it('a domain name of REST APIs routes to a WebSocket API', async () => {
  const domainName = 'socket.example.com';
  await rest.createDomainName({
    domainName,
    regionalCertificateArn: CertificateArn,
    endpointConfiguration: { types: ['REGIONAL'] },
  });
  const { ApiId } = await http.createApi({
    Name: 'socket',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  await http.createStage({ ApiId, StageName: 'dev', AutoDeploy: true });
  const { IntegrationId } = await http.createIntegration({ ApiId, IntegrationType: 'MOCK' });
  await http.createRoute({ ApiId, RouteKey: '$default', Target: `integrations/${IntegrationId}` });
  await http.createApiMapping({ DomainName: domainName, ApiId, Stage: 'dev' });
  const listener = await emulator.gateway.listen({ port: 0 });
  try {
    const socket = new WebSocket(listener.url.replace('http', 'ws'), { headers: { host: domainName } });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    socket.close();
    await closed;
    expect((await get(domainName, '/')).status).toBe(426);
  } finally {
    await listener.close(100);
  }
});
