import { createRequire } from 'node:module';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SNS } from '@aws-sdk/client-sns';
import type { RequestRecord } from '@emu/control-client';
import { fetchFor } from '@emu/core/outgoing';
import { manifest as restManifest } from '@emu/svc-apigateway/manifest';
import { manifest as httpManifest } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cognitoManifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as eventsManifest } from '@emu/svc-events/manifest';
import { manifest as secretsManifest } from '@emu/svc-secretsmanager/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';
import { ACCOUNT, REGION } from '../../../packages/svc-lambda/test/support.ts';

const require = createRequire(import.meta.url);
let test: RunningTest;
/** URL of a function at AWS's domain, which returns its event. */
let url: string;
beforeAll(async () => {
  const manifests = [restManifest, httpManifest, eventsManifest, secretsManifest, snsManifest, stsManifest];
  test = await startRunning({ manifests, settings: { values: { EMULATOR_RECORD_REQUESTS: true } } });
  url = await urlOf('exports.handler = async (event) => event;');
});
afterAll(() => test[Symbol.asyncDispose]());

/** Creates a function with a public URL. @returns the URL at AWS's domain */
async function urlOf(code: string): Promise<string> {
  const FunctionName = await test.define({ 'index.js': code });
  const { FunctionUrl } = await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE' });
  const everybody = { FunctionName, Principal: '*' };
  const url = { StatementId: 'url', Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' } as const;
  await test.lambda.addPermission({ ...everybody, ...url });
  const invoke = { StatementId: 'function', Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true };
  await test.lambda.addPermission({ ...everybody, ...invoke });
  return `https://${new URL(FunctionUrl!).hostname.split('.')[0]}.lambda-url.${REGION}.on.aws/`;
}

/** Waits for an event of the function in the invocations that emu records. */
async function received(matches: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const { json } = await test.emulator.control('GET', '/_emulator/lambda/invocations');
    const { invocations } = json as { invocations: { payload: string }[] };
    for (const { payload } of invocations) {
      const event = JSON.parse(payload) as Record<string, unknown>;
      if (matches(event)) return event;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the function has received no such event');
}

const get = (address: string): Promise<Response> => fetchFor(test.emulator.kernel.names, address);

describe("requests that emu sends for users to AWS's host names reach emu", () => {
  it('of a REST API, and of an HTTP API to that API', async () => {
    const rest = new APIGateway(test.emulator.clientConfig());
    const { id: restApiId, rootResourceId: resourceId } = await rest.createRestApi({ name: 'rest' });
    const method = { restApiId: restApiId!, resourceId: resourceId!, httpMethod: 'GET' };
    await rest.putMethod({ ...method, authorizationType: 'NONE' });
    await rest.putIntegration({ ...method, type: 'HTTP_PROXY', integrationHttpMethod: 'GET', uri: `${url}from-rest` });
    await rest.createDeployment({ restApiId: restApiId!, stageName: 'prod' });
    const api = new ApiGatewayV2(test.emulator.clientConfig());
    const { ApiId } = await api.createApi({
      Name: 'http',
      ProtocolType: 'HTTP',
      Target: `https://${restApiId}.execute-api.${REGION}.amazonaws.com/prod`,
    });
    const answer = await get(`https://${ApiId}.execute-api.${REGION}.amazonaws.com/`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      rawPath: '/from-rest',
      headers: { host: new URL(url).host, 'x-forwarded-proto': 'https' },
    });
  });

  it('of SNS', async () => {
    const sns = new SNS(test.emulator.clientConfig());
    const { TopicArn } = await sns.createTopic({ Name: 'orders' });
    await sns.subscribe({ TopicArn, Protocol: 'https', Endpoint: `${url}from-sns` });
    const { body } = await received(({ rawPath }) => rawPath === '/from-sns');
    expect(JSON.parse(String(body))).toMatchObject({ Type: 'SubscriptionConfirmation', TopicArn });
  });

  it('of API destinations', async () => {
    const events = new EventBridge(test.emulator.clientConfig());
    const { ConnectionArn } = await events.createConnection({
      Name: 'own',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'x-key', ApiKeyValue: 'secret' } },
    });
    const { ApiDestinationArn } = await events.createApiDestination({
      Name: 'own',
      ConnectionArn,
      InvocationEndpoint: `${url}from-events`,
      HttpMethod: 'POST',
    });
    await events.putRule({ Name: 'all', EventPattern: '{"source":["shop"]}' });
    const RoleArn = `arn:aws:iam::${ACCOUNT}:role/events`;
    await events.putTargets({ Rule: 'all', Targets: [{ Id: 'own', Arn: ApiDestinationArn, RoleArn }] });
    await events.putEvents({ Entries: [{ Source: 'shop', DetailType: 'sold', Detail: '{}' }] });
    const { headers } = await received(({ rawPath }) => rawPath === '/from-events');
    expect(headers).toMatchObject({ 'x-key': 'secret' });
  });

  it('of fetch, with methods, bodies and redirects', async () => {
    const { names } = test.emulator.kernel;
    const sent = await fetchFor(names, `${url}posted`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    expect(await sent.json()).toMatchObject({
      rawPath: '/posted',
      requestContext: { http: { method: 'POST' } },
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    });
    await expect(fetchFor(names, url, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    const address = await urlOf("exports.handler = async () => ({ statusCode: 302, headers: { location: '/' } });");
    expect((await get(address)).status).toBe(302);
    await expect(fetchFor(names, address, { redirect: 'error' })).rejects.toThrow('redirect');
  });
});

it('a function calls APIs and URLs at their hosts of AWS, which the request tree shows', async () => {
  const name = await test.define({
    'index.js': `exports.handler = async () => (await fetch('${url}called')).json();`,
  });
  const { payload, $metadata } = await test.invoke(name);
  expect(payload).toMatchObject({ rawPath: '/called', requestContext: { domainName: new URL(url).host } });
  const { json } = await test.emulator.control('GET', '/_emulator/requests');
  const { requests } = json as { requests: RequestRecord[] };
  expect(requests.find(({ host }) => host === new URL(url).host)).toMatchObject({
    service: 'lambda',
    operation: '',
    status: 200,
    cause: $metadata.requestId,
    redirectedFrom: expect.stringMatching(new RegExp(`:function:${name}$`)),
  });
});

it('a function opens a WebSocket of an API at its host of AWS, which the request tree shows', async () => {
  const api = new ApiGatewayV2(test.emulator.clientConfig());
  const { ApiId } = await api.createApi({
    Name: 'socket',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  const { IntegrationId } = await api.createIntegration({
    ApiId,
    IntegrationType: 'MOCK',
    RequestTemplates: { 200: '{"statusCode":200}' },
  });
  await api.createRoute({ ApiId, RouteKey: '$default', Target: `integrations/${IntegrationId}` });
  await api.createStage({ ApiId, StageName: 'prod', AutoDeploy: true });
  const host = `${ApiId}.execute-api.${REGION}.amazonaws.com`;
  const name = await test.define(
    {
      'index.js': `
        const { WebSocket } = require(${JSON.stringify(require.resolve('ws'))});
        exports.handler = () => new Promise((resolve, reject) => {
          const socket = new WebSocket('wss://${host}/prod');
          socket.on('open', () => { socket.close(); resolve('open'); }).on('error', reject);
        });`,
    },
    { Timeout: 30 },
  );
  expect((await test.invoke(name)).payload).toBe('open');
  const { json } = await test.emulator.control('GET', '/_emulator/requests');
  const { requests } = json as { requests: RequestRecord[] };
  expect(requests.find((request) => request.host === host)).toMatchObject({ service: 'apigatewayv2', status: 101 });
});

it('an HTTP API finds the keys of a user pool, whatever the names lead to', async () => {
  const values = { EMULATOR_AWS_NAMES: false };
  await using own = await startRunning({ manifests: [httpManifest, cognitoManifest], settings: { values } });
  const cognito = new CognitoIdentityProvider(own.emulator.clientConfig());
  const UserPoolId = (await cognito.createUserPool({ PoolName: 'users' })).UserPool!.Id!;
  const ExplicitAuthFlows = ['ALLOW_ADMIN_USER_PASSWORD_AUTH' as const];
  const { UserPoolClient } = await cognito.createUserPoolClient({ UserPoolId, ClientName: 'app', ExplicitAuthFlows });
  const ClientId = UserPoolClient!.ClientId!;
  const login = { USERNAME: 'ann', PASSWORD: 'Pass-word-1' };
  await cognito.adminCreateUser({ UserPoolId, Username: login.USERNAME, MessageAction: 'SUPPRESS' });
  const password = { UserPoolId, Username: login.USERNAME, Password: login.PASSWORD, Permanent: true };
  await cognito.adminSetUserPassword(password);
  const AuthFlow = 'ADMIN_USER_PASSWORD_AUTH';
  const flow = { UserPoolId, ClientId, AuthFlow, AuthParameters: login } as const;
  const { AuthenticationResult } = await cognito.adminInitiateAuth(flow);
  const FunctionName = await own.define({ 'index.js': "exports.handler = async () => 'admitted';" });
  const api = new ApiGatewayV2(own.emulator.clientConfig());
  const { FunctionArn } = (await own.lambda.getFunction({ FunctionName })).Configuration!;
  const { ApiId } = await api.createApi({ Name: 'own', ProtocolType: 'HTTP' });
  await own.lambda.addPermission({
    FunctionName,
    StatementId: 'api',
    Action: 'lambda:InvokeFunction',
    Principal: 'apigateway.amazonaws.com',
  });
  const { AuthorizerId } = await api.createAuthorizer({
    ApiId,
    Name: 'pool',
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Issuer: `https://cognito-idp.${REGION}.amazonaws.com/${UserPoolId}`, Audience: [ClientId] },
  });
  const { IntegrationId } = await api.createIntegration({
    ApiId,
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: FunctionArn,
    PayloadFormatVersion: '2.0',
  });
  const Target = `integrations/${IntegrationId}`;
  await api.createRoute({ ApiId, RouteKey: 'GET /', AuthorizationType: 'JWT', AuthorizerId, Target });
  await api.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
  const listener = await own.emulator.gateway.listen();
  const address = `${listener.url}/_aws/execute-api/${ApiId}/$default/`;
  const status = async (authorization: string) => (await fetch(address, { headers: { authorization } })).status;
  expect(await status(`Bearer ${AuthenticationResult!.AccessToken}`)).toBe(200);
  expect(await status('Bearer x')).toBe(401);
  await listener.close(0);
});
