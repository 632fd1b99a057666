import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { createTestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ACCOUNT, type ApiTest, REGION, startApis } from './support.ts';

const API = 'addressed';
const PORT = ':4566';

let test: ApiTest;
beforeAll(async () => {
  test = await startApis();
  test.functions.set('path', ({ rawPath, requestContext: { stage, domainName, domainPrefix } }) => ({
    statusCode: 200,
    body: JSON.stringify([rawPath, stage, domainName, domainPrefix]),
  }));
  const ApiId = await test.create({ Tags: { _custom_id_: API } });
  await test.route(ApiId, 'GET /who', 'path');
  await test.api.createStage({ ApiId, StageName: 'dev', AutoDeploy: true });
});
afterAll(() => test[Symbol.asyncDispose]());

const AWS_HOST = `${API}.execute-api.${REGION}.amazonaws.com`;

describe('an HTTP API is reachable at', () => {
  it.each([
    [AWS_HOST, '', '', AWS_HOST],
    [AWS_HOST.toUpperCase(), '', '', AWS_HOST],
    [`${API}.execute-api.${REGION}.localhost${PORT}`, '', '', `${API}.execute-api.${REGION}.localhost`],
    [`${API}.execute-api.localhost${PORT}`, '', '', AWS_HOST],
    [`${API}.execute-api.${REGION}.localhost.localstack.cloud${PORT}`, '', '', undefined],
    [`${API}.execute-api.localhost.localstack.cloud${PORT}`, '', '', AWS_HOST],
    [`localhost${PORT}`, `/_aws/execute-api/${API}`, '', AWS_HOST],
    [`127.0.0.1${PORT}`, `/_aws/execute-api/${API}`, '', AWS_HOST],
    [`localhost${PORT}`, `/restapis/${API}/$default/_user_request_`, '', AWS_HOST],
    [AWS_HOST, '/dev', '/dev', AWS_HOST],
    [`${API}.execute-api.${REGION}.localhost${PORT}`, '/dev', '/dev', undefined],
    [`localhost${PORT}`, `/_aws/execute-api/${API}/dev`, '/dev', AWS_HOST],
    [`localhost${PORT}`, `/restapis/${API}/dev/_user_request_`, '/dev', AWS_HOST],
  ])('%s%s', async (host, base, stagePath, domainName) => {
    const { status, body } = await test.fetchHost(host, `${base}/who`);
    expect(status).toBe(200);
    const stage = stagePath === '' ? '$default' : 'dev';
    expect(JSON.parse(body)).toEqual([`${stagePath}/who`, stage, domainName ?? host.replace(PORT, ''), API]);
    expect((await test.fetchHost(host, `${base}/none`)).status).toBe(404);
  });

  it('custom domain names by their Host header, also with wildcards', async () => {
    const CertificateArn = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/c`;
    for (const DomainName of ['api.example.com', '*.wild.example.com']) {
      await test.api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
      await test.api.createApiMapping({ DomainName, ApiId: API, Stage: 'dev', ApiMappingKey: 'v1/deep/er' });
      await test.api.createApiMapping({ DomainName, ApiId: API, Stage: '$default', ApiMappingKey: 'v1' });
    }
    for (const host of ['api.example.com', `API.Example.com${PORT}`, 'any.wild.example.com']) {
      const name = host.replace(PORT, '').toLowerCase();
      const at = async (path: string) => {
        const { status, body } = await test.fetchHost(host, path);
        return status === 200 ? JSON.parse(body) : status;
      };
      expect(await at('/v1/who')).toEqual(['/v1/who', '$default', name, name.split('.')[0]]);
      expect(await at('/v1/deep/er/who')).toEqual(['/v1/deep/er/who', 'dev', name, name.split('.')[0]]);
      // Mappings match whole segments.
      expect(await at('/v1/deep/who')).toBe(404);
      expect(await at('/v11/who')).toBe(404);
      expect(await at('/who')).toBe(404);
    }
    expect((await test.fetchHost('a.b.wild.example.com', '/v1/who')).status).toBe(403);
  });
});

it('finds APIs by region and rejects unknown ones', async () => {
  for (const host of [AWS_HOST.replace(REGION, 'eu-west-1'), AWS_HOST.replace(API, 'nobody')])
    expect(await test.fetchHost(host, '/who')).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
});

it("ApiEndpoint is AWS's, or local if configured", async () => {
  expect(await test.api.getApi({ ApiId: API })).toMatchObject({ ApiEndpoint: `https://${AWS_HOST}` });
  await using emulator = await createTestEmulator({
    manifests: [manifest],
    settings: { region: REGION, values: { EMULATOR_APIGATEWAYV2_LOCAL_ENDPOINTS: true } },
  });
  const api = new ApiGatewayV2(emulator.clientConfig());
  const make = (ProtocolType: 'HTTP' | 'WEBSOCKET', id: string) =>
    api.createApi({
      Name: id,
      ProtocolType,
      Tags: { _custom_id_: id },
      ...(ProtocolType === 'WEBSOCKET' && { RouteSelectionExpression: '$request.body.do' }),
    });
  const local = (id: string) => `${id}.execute-api.${REGION}.localhost${PORT}`;
  expect((await make('HTTP', 'web')).ApiEndpoint).toBe(`http://${local('web')}`);
  expect((await make('WEBSOCKET', 'chat')).ApiEndpoint).toBe(`ws://${local('chat')}`);
  expect((await api.getApi({ ApiId: 'web' })).ApiEndpoint).toBe(`http://${local('web')}`);
});

it('control routes return requests, connections, certificates and URLs', async () => {
  await test.fetch(API, '/who?a=1');
  const get = async (path: string) => (await test.emulator.control('GET', `/_emulator/apigatewayv2/${path}`)).json;
  const { requests } = (await get('requests')) as { requests: object[] };
  expect(requests.at(-1)).toEqual({
    accountId: ACCOUNT,
    region: REGION,
    requestId: expect.any(String),
    apiId: API,
    stage: '$default',
    routeKey: 'GET /who',
    method: 'GET',
    path: '/who',
    queryString: 'a=1',
    headers: expect.objectContaining({ host: AWS_HOST }),
    isBase64Encoded: false,
    sourceIp: '127.0.0.1',
    statusCode: 200,
    timestamp: '2026-01-01T00:00:00.000Z',
  });
  expect(await get('connections')).toEqual({ connections: [] });
  expect(await get('domain-names/api.example.com/mtls-info')).toEqual({
    accountId: ACCOUNT,
    region: REGION,
    domainName: 'api.example.com',
    truststoreWarnings: [],
  });
  const { status } = await test.emulator.control('GET', '/_emulator/apigatewayv2/domain-names/none/mtls-info');
  expect(status).toBe(404);
  expect((await test.emulator.control('GET', `/_emulator/apigatewayv2/ws/${API}`)).status).toBe(426);
  const { apis } = (await get('urls')) as { apis: object[] };
  expect(apis).toContainEqual({
    apiId: API,
    name: 'test',
    protocolType: 'HTTP',
    stage: 'dev',
    accountId: ACCOUNT,
    region: REGION,
    url: expect.stringMatching(new RegExp(`^http://${API}\\.execute-api\\.${REGION}\\.localhost(:\\d+)?/dev$`)),
    pathUrl: expect.stringMatching(new RegExp(`/_aws/execute-api/${API}/dev$`)),
  });
});
