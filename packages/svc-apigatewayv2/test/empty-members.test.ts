import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiTest, functionArn, functionUri, startApis } from './support.ts';

const ROLE = 'arn:aws:iam::123456789012:role/caller';
const HTTP = { IntegrationType: 'HTTP_PROXY', IntegrationUri: 'https://a.example', IntegrationMethod: 'GET' } as const;
const REQUEST = {
  Name: 'request',
  AuthorizerType: 'REQUEST' as const,
  AuthorizerUri: functionUri('f'),
  IdentitySource: [],
};
let apis: ApiTest;
let ApiId: string;
let socketApi: string;

beforeAll(async () => {
  apis = await startApis();
  ApiId = await apis.create();
  const RouteSelectionExpression = '$request.body.action';
  const socket = { Name: 'socket', ProtocolType: 'WEBSOCKET', RouteSelectionExpression } as const;
  socketApi = (await apis.api.createApi(socket)).ApiId!;
});
afterAll(() => apis[Symbol.asyncDispose]());

test('empty members of APIs are absent at creation and removed by updates', async () => {
  const api = { Name: 'empty', ProtocolType: 'HTTP', Target: functionArn('f') } as const;
  const made = await apis.api.createApi({ ...api, Version: '', CorsConfiguration: {}, CredentialsArn: '' });
  expect([made.Version, made.CorsConfiguration]).toEqual([undefined, undefined]);
  const [integration] = (await apis.api.getIntegrations({ ApiId: made.ApiId })).Items!;
  expect(integration!.CredentialsArn).toBeUndefined();
  const full = { Version: 'v1', CorsConfiguration: { AllowOrigins: ['*'] }, CredentialsArn: ROLE };
  expect(await apis.api.updateApi({ ApiId: made.ApiId, ...full })).toMatchObject({ Version: 'v1' });
  const { Items } = await apis.api.getIntegrations({ ApiId: made.ApiId });
  expect(Items![0]!.CredentialsArn).toBe(ROLE);
  await apis.api.updateApi({ ApiId: made.ApiId, Version: '', CorsConfiguration: {}, CredentialsArn: '' });
  const after = await apis.api.getApi({ ApiId: made.ApiId });
  expect([after.Version, after.CorsConfiguration]).toEqual([undefined, undefined]);
  const [changed] = (await apis.api.getIntegrations({ ApiId: made.ApiId })).Items!;
  expect(changed!.CredentialsArn).toBeUndefined();
  // Terraform sends both to APIs with a definition.
  expect((await apis.api.updateApi({ ApiId, CredentialsArn: '', Version: '' })).Version).toBeUndefined();
});

test('empty members of integrations are absent at creation and removed by updates', async () => {
  const empty = { ConnectionId: '', CredentialsArn: '', TlsConfig: {} };
  const { IntegrationId } = await apis.api.createIntegration({ ApiId, ...HTTP, ...empty });
  await apis.api.updateIntegration({ ApiId, IntegrationId, CredentialsArn: ROLE });
  await apis.api.updateIntegration({ ApiId, IntegrationId, ...empty });
  const { ConnectionId, CredentialsArn, TlsConfig } = await apis.api.getIntegration({ ApiId, IntegrationId });
  expect([ConnectionId, CredentialsArn, TlsConfig]).toEqual([undefined, undefined, undefined]);
});

test('empty members of routes are absent at creation and removed by updates', async () => {
  const { IntegrationId } = await apis.api.createIntegration({ ApiId: socketApi, ...HTTP });
  const { AuthorizerId } = await apis.api.createAuthorizer({ ApiId: socketApi, ...REQUEST });
  const empty = {
    AuthorizerId: '',
    ModelSelectionExpression: '',
    OperationName: '',
    RouteResponseSelectionExpression: '',
    Target: '',
  };
  const route = { ApiId: socketApi, RouteKey: '$connect' };
  const { RouteId } = await apis.api.createRoute({ ...route, ...empty });
  const full = { AuthorizationType: 'CUSTOM', AuthorizerId, OperationName: 'connect' } as const;
  await apis.api.updateRoute({ ApiId: socketApi, RouteId, ...full, Target: `integrations/${IntegrationId}` });
  // Terraform removes an authorizer so.
  await apis.api.updateRoute({ ApiId: socketApi, RouteId, AuthorizationType: 'NONE', ...empty });
  const after = await apis.api.getRoute({ ApiId: socketApi, RouteId });
  for (const name of Object.keys(empty) as (keyof typeof empty)[])
    expect([name, after[name]]).toEqual([name, undefined]);
  await apis.api.deleteAuthorizer({ ApiId: socketApi, AuthorizerId });
});

test('empty members of authorizers are absent at creation and removed by updates', async () => {
  const empty = {
    AuthorizerCredentialsArn: '',
    AuthorizerPayloadFormatVersion: '',
    IdentityValidationExpression: '',
    JwtConfiguration: {},
  };
  const { AuthorizerId } = await apis.api.createAuthorizer({ ApiId: socketApi, ...REQUEST, ...empty });
  await apis.api.updateAuthorizer({ ApiId: socketApi, AuthorizerId, AuthorizerCredentialsArn: ROLE });
  const updated = await apis.api.updateAuthorizer({ ApiId: socketApi, AuthorizerId, ...empty });
  for (const name of Object.keys(empty) as (keyof typeof empty)[])
    expect([name, updated[name]]).toEqual([name, undefined]);
});

test('empty members of stages are absent at creation and removed by updates', async () => {
  const empty = { AccessLogSettings: {}, ClientCertificateId: '' };
  const stage = { ApiId, StageName: 'empty' };
  const made = await apis.api.createStage({ ...stage, ...empty });
  expect([made.AccessLogSettings, made.ClientCertificateId]).toEqual([undefined, undefined]);
  const DestinationArn = 'arn:aws:logs:us-east-1:123456789012:log-group:x';
  await apis.api.updateStage({ ...stage, AccessLogSettings: { DestinationArn, Format: '$context.requestId' } });
  // Terraform removes access logs so.
  await apis.api.updateStage({ ...stage, ...empty });
  const { AccessLogSettings, ClientCertificateId } = await apis.api.getStage(stage);
  expect([AccessLogSettings, ClientCertificateId]).toEqual([undefined, undefined]);
});
