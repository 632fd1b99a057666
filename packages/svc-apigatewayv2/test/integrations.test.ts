import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT, type ApiTest, failureOf, functionArn, startApis } from './support.ts';

let test: ApiTest;
let apiId: string;
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === '/fail') response.statusCode = 418;
    response.setHeader('x-upstream', 'yes');
    response.setHeader('content-type', 'application/json');
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test = await startApis();
  apiId = await test.create();
  test.functions.set('echo', (event) => ({ statusCode: 200, body: JSON.stringify(event) }));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function proxy(RouteKey: string, uri: string, more: object = {}): Promise<void> {
  const { IntegrationId } = await test.api.createIntegration({
    ApiId: apiId,
    IntegrationType: 'HTTP_PROXY',
    IntegrationMethod: 'ANY',
    IntegrationUri: uri,
    PayloadFormatVersion: '1.0',
    ...more,
  });
  await test.api.createRoute({ ApiId: apiId, RouteKey, Target: `integrations/${IntegrationId}` });
}

const ROLE = `arn:aws:iam::${ACCOUNT}:role/gateway`;

it('HTTP integrations receive the request with its path variables', async () => {
  await proxy('ANY /http/{proxy+}', `${base}/base/{proxy}`);
  const { status, body, headers } = await test.fetch(apiId, '/http/a/b?x=1', { method: 'PUT', body: 'text' });
  expect([status, headers['x-upstream']]).toEqual([200, 'yes']);
  expect(JSON.parse(body)).toMatchObject({ method: 'PUT', url: '/base/a/b?x=1', body: 'text' });
  await proxy('GET /fail', `${base}/fail`);
  expect((await test.fetch(apiId, '/fail')).status).toBe(418);
  await proxy('GET /down', 'http://127.0.0.1:1/');
  expect(await test.fetch(apiId, '/down')).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
});

it('mappings change requests and responses', async () => {
  await proxy('POST /map/{id}', `${base}/x`, {
    RequestParameters: {
      'append:header.x-id': '$request.path.id',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
      'overwrite:header.x-mixed': 'a-${request.querystring.q}-${context.stage}',
      'overwrite:querystring.name': '$request.body.user.name',
      'remove:querystring.q': "''",
      'overwrite:path': '/other',
    },
    ResponseParameters: {
      200: {
        'overwrite:statuscode': '201',
        'append:header.x-method': '$response.body.method',
        'remove:header.x-upstream': "''",
      },
    },
  });
  const answer = await test.fetch(apiId, '/map/7?q=v', { method: 'POST', body: '{"user":{"name":"Jo"}}' });
  expect([answer.status, answer.headers['x-method'], answer.headers['x-upstream']]).toEqual([201, 'POST', undefined]);
  const seen = JSON.parse(answer.body);
  expect(seen).toMatchObject({ url: '/other?name=Jo', headers: { 'x-id': '7', 'x-mixed': 'a-v-$default' } });
});

it('calls service operations with mapped parameters', async () => {
  const subtype = async (key: string, IntegrationSubtype: string, RequestParameters: Record<string, string>) => {
    const { IntegrationId } = await test.api.createIntegration({
      ApiId: apiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationSubtype,
      CredentialsArn: ROLE,
      PayloadFormatVersion: '1.0',
      RequestParameters,
    });
    await test.api.createRoute({ ApiId: apiId, RouteKey: key, Target: `integrations/${IntegrationId}` });
  };
  await subtype('POST /sqs', 'SQS-SendMessage', {
    QueueUrl: 'http://q/1',
    MessageBody: '$request.body.text',
    DelaySeconds: '5',
  });
  await subtype('POST /events', 'EventBridge-PutEvents', { Detail: '$request.body', DetailType: 'T', Source: 's' });
  await subtype('POST /kinesis', 'Kinesis-PutRecord', { StreamName: 's', Data: '$request.body', PartitionKey: 'p' });
  await subtype('POST /states', 'StepFunctions-StartExecution', { StateMachineArn: 'arn:m', Input: '$request.body' });
  const post = (path: string) => test.fetch(apiId, path, { method: 'POST', body: '{"text":"hi"}' });
  expect(JSON.parse((await post('/sqs')).body)).toMatchObject({ MessageId: 'm1' });
  expect((await post('/events')).status).toBe(200);
  expect((await post('/kinesis')).status).toBe(200);
  expect(JSON.parse((await post('/states')).body)).toEqual({ executionArn: 'arn:x', startDate: 0 });
  expect(test.calls.map(({ operation, input }) => [operation, input])).toEqual([
    ['SendMessage', { QueueUrl: 'http://q/1', MessageBody: 'hi', DelaySeconds: 5 }],
    ['PutEvents', { Entries: [{ Detail: '{"text":"hi"}', DetailType: 'T', Source: 's' }] }],
    ['PutRecord', { StreamName: 's', Data: Buffer.from('{"text":"hi"}').toString('base64'), PartitionKey: 'p' }],
    ['StartExecution', { stateMachineArn: 'arn:m', input: '{"text":"hi"}' }],
  ]);
  expect(test.calls[0]!.principal).toBe(`arn:aws:sts::${ACCOUNT}:assumed-role/gateway/BackplaneAssumeRoleSession`);
});

it('records requests for the control route and logs them if configured', async () => {
  await test.route(apiId, 'POST /seen', 'echo');
  await test.api.updateStage({
    ApiId: apiId,
    StageName: '$default',
    AccessLogSettings: {
      DestinationArn: `arn:aws:firehose:us-east-1:${ACCOUNT}:deliverystream/amazon-apigateway-log`,
      Format: '$context.requestId $context.routeKey $context.status $context.authorizer.error',
    },
  });
  const { headers } = await test.fetch(apiId, '/seen?a=1', { method: 'POST', body: 'b' });
  await expect.poll(() => test.calls.filter(({ service }) => service === 'firehose')).toHaveLength(1);
  const { Record } = test.calls.at(-1)!.input as { Record: { Data: Uint8Array } };
  expect(Buffer.from(Record.Data).toString()).toBe(`${headers['apigw-requestid']} POST /seen 200 -\n`);
  await test.api.deleteAccessLogSettings({ ApiId: apiId, StageName: '$default' });
  const { json } = await test.emulator.control('GET', '/_emulator/apigatewayv2/requests');
  expect((json as { requests: object[] }).requests.at(-1)).toMatchObject({
    apiId,
    stage: '$default',
    routeKey: 'POST /seen',
    method: 'POST',
    path: '/seen',
    queryString: 'a=1',
    statusCode: 200,
    timestamp: '2026-01-01T00:00:00.000Z',
  });
});

it('creates and changes an API by quick create', async () => {
  const { ApiId } = await test.api.createApi({ Name: 'quick', ProtocolType: 'HTTP', Target: functionArn('echo') });
  expect(JSON.parse((await test.fetch(ApiId!, '/any')).body)).toMatchObject({ version: '2.0', routeKey: '$default' });
  await test.api.updateApi({ ApiId, RouteKey: 'GET /only' });
  expect((await test.fetch(ApiId!, '/any')).status).toBe(404);
  expect((await test.fetch(ApiId!, '/only')).status).toBe(200);
  // It can be updated, but not deleted: https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid.html
  const { Items: [managed] = [] } = await test.api.getIntegrations({ ApiId });
  const { IntegrationId } = managed!;
  await test.api.updateIntegration({ ApiId, IntegrationId, TimeoutInMillis: 900 });
  expect(await test.api.getIntegration({ ApiId, IntegrationId })).toMatchObject({
    ApiGatewayManaged: true,
    TimeoutInMillis: 900,
  });
  expect(await failureOf(test.api.deleteIntegration({ ApiId, IntegrationId }))).toBe(
    `BadRequestException: Cannot delete Integration '${IntegrationId}', which API Gateway manages`,
  );
  const { ApiId: http } = await test.api.createApi({ Name: 'quick', ProtocolType: 'HTTP', Target: base });
  expect(JSON.parse((await test.fetch(http!, '/deep/path')).body)).toMatchObject({ url: '/deep/path' });
});

it('domain names route to APIs by mappings and rules', async () => {
  const other = await test.create();
  await test.route(apiId, 'GET /mapped', 'echo');
  await test.route(other, 'GET /mapped', 'echo');
  const DomainName = 'api.example.com';
  const CertificateArn = `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/c`;
  await test.api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
  const { ApiMappingId } = await test.api.createApiMapping({ DomainName, ApiId: apiId, Stage: '$default' });
  await test.api.createApiMapping({ DomainName, ApiId: other, Stage: '$default', ApiMappingKey: 'v1/deep' });
  const get = async (path: string, headers = {}) => {
    const { status, body } = await test.fetchHost(DomainName, path, { headers });
    return status === 200 ? [JSON.parse(body).requestContext.apiId, JSON.parse(body).rawPath] : status;
  };
  expect(await get('/mapped')).toEqual([apiId, '/mapped']);
  expect(await get('/v1/deep/mapped')).toEqual([other, '/v1/deep/mapped']);
  expect(await get('/v1/mapped')).toBe(404);
  expect(await failureOf(test.api.deleteApi({ ApiId: other }))).toContain('BadRequestException');
  await test.api.updateDomainName({ DomainName, RoutingMode: 'ROUTING_RULE_THEN_API_MAPPING' });
  const rule = {
    DomainName,
    Priority: 10,
    Conditions: [{ MatchHeaders: { AnyOf: [{ Header: 'X-Version', ValueGlob: 'beta*' }] } }],
    Actions: [{ InvokeApi: { ApiId: other, Stage: '$default' } }],
  };
  const { RoutingRuleId } = await test.api.createRoutingRule(rule);
  expect(await get('/mapped', { 'x-version': 'beta-2' })).toEqual([other, '/mapped']);
  expect(await get('/mapped', { 'x-version': 'stable' })).toEqual([apiId, '/mapped']);
  expect(await failureOf(test.api.createRoutingRule(rule))).toContain('ConflictException');
  await test.api.putRoutingRule({
    ...rule,
    RoutingRuleId,
    Conditions: [{ MatchBasePaths: { AnyOf: ['beta'] } }],
    Actions: [{ InvokeApi: { ApiId: other, Stage: '$default', StripBasePath: true } }],
  });
  expect(await get('/beta/mapped')).toEqual([other, '/beta/mapped']);
  expect((await test.api.listRoutingRules({ DomainName })).RoutingRules).toHaveLength(1);
  expect(await test.api.getRoutingRule({ DomainName, RoutingRuleId })).toMatchObject({ Priority: 10 });
  await test.api.deleteRoutingRule({ DomainName, RoutingRuleId });
  expect(await get('/beta/mapped')).toBe(404);
  await test.api.updateApiMapping({ DomainName, ApiMappingId, ApiMappingKey: 'v2', ApiId: apiId });
  expect(await get('/v2/mapped')).toEqual([apiId, '/v2/mapped']);
  expect((await test.api.getApiMappings({ DomainName })).Items).toHaveLength(2);
  expect(await test.api.getApiMapping({ DomainName, ApiMappingId })).toMatchObject({ ApiMappingKey: 'v2' });
  await test.api.deleteApiMapping({ DomainName, ApiMappingId });
  expect(await get('/v2/mapped')).toBe(404);
  const info = await test.emulator.control('GET', `/_emulator/apigatewayv2/domain-names/${DomainName}/mtls-info`);
  expect(info.json).toMatchObject({ domainName: DomainName, truststoreWarnings: [] });
  await test.api.deleteDomainName({ DomainName });
  expect((await test.fetchHost(DomainName, '/mapped')).status).toBe(403);
});
