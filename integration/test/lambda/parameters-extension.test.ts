import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SSM } from '@aws-sdk/client-ssm';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { manifest as secretsManifest } from '@emu/svc-secretsmanager/manifest';
import { manifest as ssmManifest } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NODE_BOOTSTRAP } from '../../../packages/svc-lambda/src/generated/bootstraps.ts';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';

// The account that publishes it in us-east-1; emu ignores the account of a region.
const LAYER = 'arn:aws:lambda:us-east-1:177933569100:layer:AWS-Parameters-and-Secrets-Lambda-Extension:11';

/** Sends the request in the event to the extension, as clients do. */
const ASKS = {
  'index.mjs': `
    const base = () => 'http://localhost:' + (process.env.PARAMETERS_SECRETS_EXTENSION_HTTP_PORT || 2773);
    const ask = async (path, token = process.env.AWS_SESSION_TOKEN, method = 'GET') => {
      const headers = token === '' ? {} : { 'X-Aws-Parameters-Secrets-Token': token };
      const response = await fetch(base() + path, { headers, method });
      return { status: response.status, body: await response.text() };
    };
    const early = await ask('/systemsmanager/parameters/get?name=/app/host');
    export const handler = async ({ path, token, method }) => (path ? ask(path, token, method) : early);
  `,
};

let t: RunningTest;
let ssm: SSM;
let secrets: SecretsManager;
beforeAll(async () => {
  t = await startRunning({ manifests: [ssmManifest, secretsManifest, kmsManifest] });
  ssm = new SSM(t.emulator.clientConfig());
  secrets = new SecretsManager(t.emulator.clientConfig());
});
afterAll(() => t[Symbol.asyncDispose]());

let reader: string;
const define = (Variables: Record<string, string> = {}) =>
  t.define(ASKS, { Layers: [LAYER], Environment: { Variables } });
beforeAll(async () => {
  reader = await define();
  await ssm.putParameter({ Name: '/app/host', Value: 'one', Type: 'String' });
  await ssm.putParameter({ Name: '/app/key', Value: 'hidden', Type: 'SecureString' });
  await secrets.createSecret({ Name: 'login', SecretString: 'first' });
});
beforeEach(async () => {
  await ssm.putParameter({ Name: '/app/host', Value: 'one', Overwrite: true });
});

interface Answer {
  status: number;
  body: string;
}
const ask = async (name: string, path?: string, more: object = {}) =>
  (await t.invoke(name, { path, ...more })).payload as Answer;
const parameter = async (name: string, query: string) => {
  const { status, body } = await ask(name, `/systemsmanager/parameters/get${query}`);
  expect(status, body).toBe(200);
  return (JSON.parse(body) as { Parameter: Record<string, unknown> }).Parameter;
};

test('a function with the layer reads parameters and secrets', async () => {
  const { Layers } = await t.lambda.getFunctionConfiguration({ FunctionName: reader });
  expect(Layers).toMatchObject([{ Arn: LAYER }]);
  const { Parameter } = await ssm.getParameter({ Name: '/app/host' });
  expect(await parameter(reader, '?name=%2Fapp%2Fhost')).toEqual({
    ...Parameter,
    LastModifiedDate: Parameter!.LastModifiedDate!.toISOString(),
    Selector: null,
    SourceResult: null,
  });
  expect((await parameter(reader, '/?name=/app/key&withDecryption=true')).Value).toBe('hidden');
  expect((await parameter(reader, '?name=/app/key')).Value).not.toBe('hidden');
  expect(await parameter(reader, '?name=/app/host&version=1')).toMatchObject({ Version: 1, Selector: ':1' });
  const secret = await ask(reader, '/secretsmanager/get?secretId=login');
  const { VersionId } = await secrets.getSecretValue({ SecretId: 'login' });
  expect(JSON.parse(secret.body)).toMatchObject({
    Name: 'login',
    SecretString: 'first',
    VersionId,
    SecretBinary: null,
  });
  const { body } = await ask(
    reader,
    `/secretsmanager/get?secretId=login&versionId=${VersionId}&versionStage=AWSCURRENT`,
  );
  expect(JSON.parse(body)).toMatchObject({ SecretString: 'first' });
});

test("values are cached for the function's configured time", async () => {
  const [long, none] = [
    await define({ SSM_PARAMETER_STORE_TTL: '60' }),
    await define({ SSM_PARAMETER_STORE_TTL: '0' }),
  ];
  const value = async (name: string) => (await parameter(name, '?name=/app/host')).Value;
  expect([await value(long), await value(none)]).toEqual(['one', 'one']);
  await ssm.putParameter({ Name: '/app/host', Value: 'two', Overwrite: true });
  expect([await value(long), await value(none)]).toEqual(['one', 'two']);
  await t.emulator.kernel.clock.advance(61_000);
  expect(await value(long)).toBe('two');
});

test("the function's configured number of items is cached, least recently used evicted first", async () => {
  const name = await define({ PARAMETERS_SECRETS_EXTENSION_CACHE_SIZE: '1' });
  const value = async (query: string) => (await parameter(name, query)).Value;
  expect(await value('?name=/app/host')).toBe('one');
  await value('?name=/app/host&version=1');
  await ssm.putParameter({ Name: '/app/host', Value: 'two', Overwrite: true });
  expect(await value('?name=/app/host')).toBe('two');
});

test.each([
  ['without its token', '/secretsmanager/get?secretId=login', { token: '' }, 401],
  ['with another token', '/secretsmanager/get?secretId=login', { token: 'no' }, 401],
  ['of another method', '/secretsmanager/get?secretId=login', { method: 'POST' }, 405],
  ['of another path', '/other', {}, 404],
  ['for no parameter', '/systemsmanager/parameters/get', {}, 400],
  ['for no secret', '/secretsmanager/get', {}, 400],
  ['for a version and a label', '/systemsmanager/parameters/get?name=a&version=1&label=b', {}, 400],
])('rejects a request %s', async (_what, path, more, status) => {
  expect((await ask(reader, path, more)).status).toBe(status);
});

test('an unknown parameter is logged', async () => {
  const path = '/systemsmanager/parameters/get?name=/nothing';
  const { payload, log } = await t.invoke(reader, { path });
  expect(payload).toEqual({ status: 400, body: 'an unexpected error occurred while executing request' });
  expect(log).toContain('[AWS Parameters and Secrets Lambda Extension] ERROR');
  expect(log).toContain('ParameterNotFound');
});

test('it serves invocations only', async () => {
  expect(await ask(await define())).toEqual({ status: 400, body: 'not ready to serve traffic, please wait' });
});

test('rejects a port in use if the function has configured it', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = String((other.address() as AddressInfo).port);
  const name = await define({ PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: port });
  await expect(t.invoke(name, {})).rejects.toMatchObject({
    name: 'InvalidRuntimeException',
    message: expect.stringContaining(`port ${port} of its Parameters and Secrets extension`),
  });
  await new Promise((resolve) => other.close(resolve));
  expect((await ask(name, '/secretsmanager/get?secretId=login')).status).toBe(200);
});

test('a layer with another name has no extension', async () => {
  const code = `
    export const handler = async ({ path }) => {
      const headers = { 'X-Aws-Parameters-Secrets-Token': process.env.AWS_SESSION_TOKEN };
      return fetch('http://localhost:2773' + path, { headers }).then(({ status }) => status, () => 'not connected');
    };
  `;
  const name = await t.define({ 'index.mjs': code }, { Layers: [LAYER.replace('Lambda-Extension', 'Other')] });
  // The port may be that of another function's extension.
  const { payload } = await t.invoke(name, { path: '/secretsmanager/get?secretId=login' });
  expect([401, 'not connected']).toContain(payload);
});

/** Returns the reason why containers cannot run; undefined if they can. */
async function noEngine(): Promise<string | undefined> {
  await using test = await startRunning({ settings: { values: CONTAINERS } });
  try {
    const { images } = await test.emulator.kernel.containers.of('lambda');
    return (await images!.find(IMAGE)) === undefined ? `there is no image ${IMAGE}` : undefined;
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  }
}

/** Image with a shell and node, created by `tools/container-host.sh`. */
const IMAGE = 'localhost/emu-test/node:latest';
const CONTAINERS = {
  EMULATOR_LAMBDA_BACKEND: 'docker' as const,
  EMULATOR_LAMBDA_RUNTIME_IMAGES: { 'provided.al2023': IMAGE, java21: 'localhost/emu-test/busybox:latest' },
};
const reason = await noEngine();
if (reason)
  console.log(`the extension in containers is not tested: ${reason} (tools/container-host.sh makes an engine)`);

describe.skipIf(reason !== undefined)('in a container', () => {
  const bootstrap = { content: '#!/bin/sh\nexec node /var/task/ric.cjs\n', mode: 0o755 };
  const handler = ASKS['index.mjs'];

  test('a function reaches it at its port, with its token', async () => {
    await using inside = await startRunning({
      settings: { values: CONTAINERS },
      manifests: [ssmManifest, secretsManifest, kmsManifest],
    });
    const clients = inside.emulator.clientConfig();
    await new SSM(clients).putParameter({ Name: '/app/key', Value: 'hidden', Type: 'SecureString' });
    await new SecretsManager(clients).createSecret({ Name: 'login', SecretString: 'first' });
    const name = await inside.define(
      { bootstrap, 'ric.cjs': NODE_BOOTSTRAP, 'index.mjs': handler },
      {
        Runtime: 'provided.al2023',
        Handler: 'index.handler',
        Timeout: 20,
        MemorySize: 512,
        Layers: [LAYER],
        Environment: { Variables: { PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: '2780' } },
      },
    );
    const answer = async (event: object) => (await inside.invoke(name, event)).payload as Answer;
    expect(await answer({})).toMatchObject({ status: 400 });
    const { status, body } = await answer({ path: '/systemsmanager/parameters/get?name=/app/key&withDecryption=true' });
    expect(status, body).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ Parameter: { Name: '/app/key', Value: 'hidden' } });
    const secret = await answer({ path: '/secretsmanager/get?secretId=login' });
    expect(JSON.parse(secret.body)).toMatchObject({ SecretString: 'first' });
    expect((await answer({ path: '/secretsmanager/get?secretId=login', token: 'no' })).status).toBe(401);
    expect((await answer({ path: '/other' })).status).toBe(404);
  });

  test('an image without an interpreter is reported', async () => {
    await using inside = await startRunning({ settings: { values: CONTAINERS } });
    const name = await inside.define(
      { 'a.txt': 'x' },
      { Runtime: 'java21', Handler: 'a.B', Timeout: 20, MemorySize: 512, Layers: [LAYER] },
    );
    const { payload, log } = await inside.invoke(name, {});
    expect(payload).toMatchObject({ errorType: 'Runtime.ExitError' });
    expect(log).toContain('the Parameters and Secrets extension needs node, python3 or ruby in the image');
  });
});
