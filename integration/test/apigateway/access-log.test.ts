import { createServer, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import type { Listener } from '@emu/gateway';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../../packages/svc-apigateway/test/support.ts';

const ACCOUNT = '123456789012';
const uriOf = (name: string): string =>
  `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}/invocations`;
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
const VARIABLES = [
  ...['accountId', 'apiId', 'authenticate.error', 'authenticate.latency', 'authenticate.status', 'authorize.error'],
  ...['authorize.latency', 'authorize.status', 'authorizer.claims.sub', 'authorizer.error', 'authorizer.principalId'],
  ...['authorizer.integrationLatency', 'authorizer.integrationStatus', 'authorizer.latency', 'authorizer.own'],
  ...['authorizer.requestId', 'authorizer.status', 'awsEndpointRequestId', 'cipherSuite', 'deploymentId'],
  ...['customDomain.basePathMatched', 'customDomain.routingRuleIdMatched', 'domainName', 'domainPrefix'],
  ...['endpointType', 'error.message', 'error.messageString', 'error.responseType', 'error.validationErrorString'],
  ...['extendedRequestId', 'httpMethod', 'identity.accessKey', 'identity.accountId', 'identity.apiKey'],
  ...['identity.apiKeyId', 'identity.caller', 'identity.clientCert.subjectDN', 'identity.sourceIp', 'identity.user'],
  ...['identity.cognitoAuthenticationProvider', 'identity.cognitoAuthenticationType', 'identity.cognitoIdentityId'],
  ...['identity.cognitoIdentityPoolId', 'identity.principalOrgId', 'identity.userAgent', 'identity.userArn'],
  ...['identity.vpcId', 'identity.vpceId', 'integration.error', 'integration.integrationStatus'],
  ...['integration.latency', 'integration.requestId', 'integration.responseTransferMode', 'integration.status'],
  ...['integration.timeToAllHeaders', 'integration.timeToFirstContent', 'integrationErrorMessage'],
  ...['integrationLatency', 'integrationStatus', 'isCanaryRequest', 'path', 'protocol', 'requestId'],
  ...['requestOverride.header.a', 'requestTime', 'requestTimeEpoch', 'resourceId', 'resourcePath', 'responseLatency'],
  ...['responseLength', 'responseOverride.status', 'stage', 'status', 'tlsVersion', 'waf.error', 'waf.latency'],
  ...['waf.status', 'wafResponseCode', 'webaclArn', 'xrayTraceId'],
];

let emulator: TestEmulator;
let listener: Listener;
let api: APIGateway;
let logs: CloudWatchLogs;
let server: Server;
let endpoint: string;
/** Ids of the function invocations, from their logs. */
const invocations: string[] = [];

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    Invoke({ Payload }, { requestId }) {
      invocations.push(requestId);
      const { type, methodArn } = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as Record<string, string>;
      const Statement = [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: methodArn }];
      const answer =
        type === undefined
          ? { statusCode: 201, body: 'body' }
          : { principalId: 'who', context: { own: 1 }, policyDocument: { Version: '2012-10-17', Statement } };
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer)) };
    },
  });
  emulator = await createTestEmulator({ manifests: [apigateway, logsManifest, lambda] });
  emulator.kernel.clock.freeze();
  listener = await emulator.gateway.listen({ port: 0 });
  api = new APIGateway(emulator.clientConfig());
  logs = new CloudWatchLogs(emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: 'access' });
  server = createServer((_request, response) => {
    response.writeHead(202, { 'x-amzn-requestid': 'endpoint-id' });
    response.end('body');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await listener.close(100);
  await emulator.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Creates an API with `GET /a` whose stage logs every variable. */
async function logged(method: object = {}, integration: object = {}, authorizer?: object) {
  const { id, rootResourceId: parentId } = await api.createRestApi({
    name: 'logged',
    endpointConfiguration: { types: ['REGIONAL'] },
  });
  const restApiId = id!;
  const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: 'a' });
  const place = { restApiId, resourceId, httpMethod: 'GET' };
  const made = authorizer && (await api.createAuthorizer({ restApiId, name: 'a', ...authorizer } as never));
  await api.putMethod({ ...place, authorizationType: 'NONE', ...method, ...(made && { authorizerId: made.id }) });
  await api.putIntegration({
    ...place,
    ...{ type: 'HTTP_PROXY', integrationHttpMethod: 'GET', uri: endpoint },
    ...integration,
  } as never);
  const { id: deploymentId } = await api.createDeployment({ restApiId });
  await api.createStage({ restApiId, stageName: 'dev', deploymentId });
  const format = JSON.stringify(Object.fromEntries(VARIABLES.map((name) => [name, `$context.${name}`])));
  const replace = (path: string, value: string) => ({ op: 'replace' as const, path, value });
  await api.updateStage({
    restApiId,
    stageName: 'dev',
    patchOperations: [
      replace('/accessLogSettings/destinationArn', `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:access`),
      replace('/accessLogSettings/format', format),
    ],
  });
  return { restApiId, resourceId: resourceId!, deploymentId: deploymentId! };
}

/** Returns the variables with a value in the last log line. */
async function values(): Promise<Record<string, string>> {
  const { events = [] } = await logs.filterLogEvents({ logGroupName: 'access' });
  const line = JSON.parse(events.at(-1)!.message!) as Record<string, string>;
  expect(Object.keys(line)).toEqual(VARIABLES);
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== '-'));
}

/** Variables known for every request. */
const always = (made: Awaited<ReturnType<typeof logged>>) => ({
  accountId: ACCOUNT,
  apiId: made.restApiId,
  deploymentId: made.deploymentId,
  domainName: `${made.restApiId}.execute-api.us-east-1.amazonaws.com`,
  domainPrefix: made.restApiId,
  endpointType: 'REGIONAL',
  extendedRequestId: expect.stringMatching(/^[\w-]{14}=$/) as string,
  httpMethod: 'GET',
  'identity.sourceIp': '127.0.0.1',
  isCanaryRequest: 'false',
  path: '/dev/a',
  protocol: 'HTTP/1.1',
  requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  requestTime: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/) as string,
  requestTimeEpoch: String(emulator.kernel.clock.now()),
  resourceId: made.resourceId,
  resourcePath: '/a',
  responseLatency: '0',
  responseLength: '4',
  stage: 'dev',
  xrayTraceId: expect.stringMatching(/^Root=1-/) as string,
});

const pathOf = (restApiId: string): string => `/_aws/execute-api/${restApiId}/dev/a`;

it('of an endpoint integration', async () => {
  const made = await logged();
  await ask(emulator, { path: pathOf(made.restApiId), headers: { 'user-agent': 'agent' } });
  expect(await values()).toEqual({
    ...always(made),
    awsEndpointRequestId: 'endpoint-id',
    'identity.userAgent': 'agent',
    'integration.integrationStatus': '202',
    'integration.latency': '0',
    'integration.requestId': 'endpoint-id',
    'integration.responseTransferMode': 'BUFFERED',
    'integration.status': '202',
    integrationLatency: '0',
    integrationStatus: '202',
    status: '202',
  });
});

it('of a function behind a Lambda authorizer', async () => {
  const made = await logged(
    { authorizationType: 'CUSTOM' },
    { type: 'AWS_PROXY', uri: uriOf('f'), integrationHttpMethod: 'POST' },
    { type: 'TOKEN', authorizerUri: uriOf('authorizer'), identitySource: 'method.request.header.Authorization' },
  );
  await ask(emulator, { path: pathOf(made.restApiId), headers: { Authorization: 'token' } });
  const [authorizer, integration] = invocations.slice(-2);
  expect(authorizer).not.toBe(integration);
  expect(await values()).toEqual({
    ...always(made),
    awsEndpointRequestId: integration,
    'authorizer.integrationLatency': '0',
    'authorizer.integrationStatus': '200',
    'authorizer.latency': '0',
    'authorizer.own': '1',
    'authorizer.principalId': 'who',
    'authorizer.requestId': authorizer,
    'authorizer.status': '200',
    'integration.integrationStatus': '200',
    'integration.latency': '0',
    'integration.requestId': integration,
    'integration.responseTransferMode': 'BUFFERED',
    'integration.status': '201',
    integrationLatency: '0',
    integrationStatus: '200',
    status: '201',
  });
});

it('contain the signature and the API key', async () => {
  const made = await logged({ authorizationType: 'AWS_IAM', apiKeyRequired: true });
  const { id: keyId, value } = await api.createApiKey({ name: 'k', enabled: true });
  const { id: usagePlanId } = await api.createUsagePlan({
    name: 'p',
    apiStages: [{ apiId: made.restApiId, stage: 'dev' }],
  });
  await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
  const Authorization = `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0`;
  await ask(emulator, { path: pathOf(made.restApiId), headers: { Authorization, 'x-api-key': value! } });
  const root = `arn:aws:iam::${ACCOUNT}:root`;
  expect(await values()).toMatchObject({
    'authenticate.latency': '0',
    'authenticate.status': '200',
    'authorize.latency': '0',
    'authorize.status': '200',
    'identity.accessKey': ACCOUNT,
    'identity.accountId': ACCOUNT,
    'identity.apiKey': value,
    'identity.apiKeyId': keyId,
    'identity.caller': ACCOUNT,
    'identity.user': ACCOUNT,
    'identity.userArn': root,
    status: '202',
  });
});

it('contain errors', async () => {
  const { restApiId, ...made } = await logged({}, { uri: 'http://127.0.0.1:1/' });
  await ask(emulator, { path: pathOf(restApiId) });
  const message = 'Network error communicating with endpoint';
  expect(await values()).toEqual({
    ...always({ restApiId, ...made }),
    'error.message': message,
    'error.messageString': `"${message}"`,
    'error.responseType': 'INTEGRATION_FAILURE',
    'integration.error': expect.stringContaining('ECONNREFUSED') as string,
    'integration.latency': '0',
    'integration.responseTransferMode': 'BUFFERED',
    integrationErrorMessage: expect.stringContaining('ECONNREFUSED') as string,
    integrationLatency: '0',
    responseLength: String(JSON.stringify({ message }).length),
    status: '504',
  });
});

it('contain a body that violates its model', async () => {
  const made = await logged();
  const { restApiId, resourceId } = made;
  const place = { restApiId, resourceId, httpMethod: 'POST' };
  const validator = await api.createRequestValidator({ restApiId, name: 'v', validateRequestBody: true });
  await api.createModel({ restApiId, name: 'M', contentType: 'application/json', schema: '{"type":"array"}' });
  await api.putMethod({
    ...place,
    authorizationType: 'NONE',
    requestValidatorId: validator.id,
    requestModels: { 'application/json': 'M' },
  });
  await api.putIntegration({ ...place, type: 'HTTP_PROXY', integrationHttpMethod: 'POST', uri: endpoint });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  await ask(emulator, { method: 'POST', path: pathOf(restApiId), body: '{}' });
  expect(await values()).toMatchObject({
    'error.message': 'Invalid request body',
    'error.responseType': 'BAD_REQUEST_BODY',
    'error.validationErrorString': expect.stringContaining('instance type (object) does not match') as string,
    httpMethod: 'POST',
    status: '400',
  });
});

it('contain canaries, templates, custom domains and TLS', async () => {
  const request =
    '#set($context.responseOverride.status = 418)#set($context.requestOverride.header.a = "b"){"statusCode": 200}';
  const made = await logged({}, { type: 'MOCK', requestTemplates: { 'application/json': request } });
  const { restApiId, resourceId } = made;
  const place = { restApiId, resourceId, httpMethod: 'GET', statusCode: '200' };
  await api.putMethodResponse(place);
  await api.putIntegrationResponse(place);
  await api.createDeployment({ restApiId, stageName: 'dev', canarySettings: { percentTraffic: 100 } });
  const domainName = 'logged.example.com';
  await api.createDomainName({
    domainName,
    regionalCertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/1`,
    endpointConfiguration: { types: ['REGIONAL'] },
  });
  await api.createBasePathMapping({ domainName, restApiId, stage: 'dev', basePath: 'base' });
  const status = await new Promise((resolve, reject) => {
    const { port } = listener;
    const headers = { host: domainName };
    httpsRequest({ host: '127.0.0.1', port, path: '/base/a', headers, rejectUnauthorized: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(418);
  expect(await values()).toMatchObject({
    cipherSuite: expect.stringMatching(/^TLS_|^ECDHE-/) as string,
    'customDomain.basePathMatched': 'base',
    domainName,
    domainPrefix: 'logged',
    isCanaryRequest: 'true',
    path: '/base/a',
    'requestOverride.header.a': 'b',
    'responseOverride.status': '418',
    status: '418',
    tlsVersion: expect.stringMatching(/^TLSv1\.[23]$/) as string,
  });
});
