import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { createTestEmulator, sendRaw } from '@emu/gateway/testing';
import { manifest as restManifest } from '@emu/svc-apigateway/manifest';
import { manifest as httpManifest } from '@emu/svc-apigatewayv2/manifest';
import { expect, it } from 'vitest';

const ACCOUNTS = ['111111111111', '222222222222'] as const;

it('a reset of API Gateway includes both kinds of APIs, for an account or all', async () => {
  await using emulator = await createTestEmulator({ manifests: [restManifest, httpManifest] });
  const clients = ACCOUNTS.map((accessKeyId) => {
    const config = { ...emulator.clientConfig({ accessKeyId }), maxAttempts: 1 };
    return { rest: new APIGateway(config), http: new ApiGatewayV2(config) };
  });
  const ids: string[] = [];
  for (const { rest, http } of clients) {
    await rest.createRestApi({ name: 'r' });
    ids.push((await http.createApi({ Name: 'h', ProtocolType: 'HTTP', Target: 'http://127.0.0.1:1' })).ApiId!);
  }
  const counts = () =>
    Promise.all(
      clients.map(async ({ rest, http }) => [
        (await rest.getRestApis({})).items?.length ?? 0,
        (await http.getApis({})).Items?.length ?? 0,
      ]),
    );
  const statusOf = async (id: string) =>
    (await sendRaw(emulator, { method: 'GET', target: `/_aws/execute-api/${id}/` })).status;
  expect([await counts(), await statusOf(ids[0]!)]).toEqual([
    [
      [1, 1],
      [1, 1],
    ],
    503,
  ]);
  await emulator.control('POST', `/_emulator/reset/apigateway/${ACCOUNTS[0]}`);
  expect(await counts()).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(await Promise.all(ids.map(statusOf))).toEqual([403, 503]);
  await emulator.control('POST', '/_emulator/reset/apigateway');
  expect(await counts()).toEqual([
    [0, 0],
    [0, 0],
  ]);
});
