import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { manifest as secretsManifest } from '@emu/svc-secretsmanager/manifest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, arn, type EventsTest, failureOf, plain, REGION, startEvents } from './support.ts';

let run: EventsTest;
let secrets: SecretsManager;
let server: Server;
let url: string;
/** Received requests, and the next responses; 200 by default. */
let requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[];
let answers: { status?: number; json?: object; headers?: Record<string, string> }[];

beforeEach(async () => {
  run = await startEvents({ manifests: [secretsManifest] });
  secrets = new SecretsManager(run.emulator.clientConfig());
  requests = [];
  answers = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      requests.push({ method: request.method!, path: request.url!, headers: request.headers, body });
      const { status = 200, json = {}, headers = {} } = answers.shift() ?? {};
      response.writeHead(status, headers).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await run[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const BASIC = { BasicAuthParameters: { Username: 'user', Password: 'pass' } };
const create = (input: object = {}) =>
  run.events.createConnection({ Name: 'c', AuthorizationType: 'BASIC', AuthParameters: BASIC, ...input });
const describeIt = async (Name = 'c') => plain(await run.events.describeConnection({ Name }));
const oauth = (OAuthParameters: object = {}) => ({
  AuthorizationType: 'OAUTH_CLIENT_CREDENTIALS' as const,
  AuthParameters: {
    OAuthParameters: {
      ClientParameters: { ClientID: 'client_id', ClientSecret: 'client_secret' },
      AuthorizationEndpoint: `${url}/token`,
      HttpMethod: 'POST' as const,
      ...OAuthParameters,
    },
  },
});
const secretOf = async (SecretId: string | undefined) =>
  JSON.parse((await secrets.getSecretValue({ SecretId })).SecretString!) as unknown;
const deliveries = async () => {
  const { json } = await run.emulator.control('GET', '/_emulator/events/history');
  return (json as { deliveries: { status: string; attempts: number; error?: { code: string } }[] }).deliveries;
};

describe('connections', () => {
  test('store their credentials in a secret of the account', async () => {
    const made = plain(await create({ Description: 'to the shop' }));
    expect(made).toEqual({
      ConnectionArn: expect.stringMatching(new RegExp(`^${arn('connection/c/')}[0-9a-f-]{36}$`)),
      ConnectionState: 'AUTHORIZED',
      CreationTime: expect.any(Date),
      LastModifiedTime: expect.any(Date),
    });
    const described = await describeIt();
    expect(described).toEqual({
      ...made,
      Name: 'c',
      Description: 'to the shop',
      AuthorizationType: 'BASIC',
      AuthParameters: { BasicAuthParameters: { Username: 'user' } },
      LastAuthorizedTime: expect.any(Date),
      SecretArn: expect.stringMatching(
        new RegExp(`^arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:events!connection/c/[0-9a-f-]{36}-\\w{6}$`),
      ),
    });
    expect(await secretOf(described.SecretArn)).toEqual({ username: 'user', password: 'pass' });
    expect((await secrets.describeSecret({ SecretId: described.SecretArn })).OwningService).toBe('events');
    const Filters = [{ Key: 'owning-service' as const, Values: ['events'] }];
    expect((await secrets.listSecrets({ Filters })).SecretList).toHaveLength(1);
  });

  test('are updated in part, and return no secrets', async () => {
    const header = { Key: 'X-Shop', Value: '7', IsValueSecret: false };
    const query = { Key: 'token', Value: 'hidden', IsValueSecret: true };
    await create({
      AuthParameters: {
        ...BASIC,
        InvocationHttpParameters: { HeaderParameters: [header], QueryStringParameters: [query] },
      },
    });
    const { AuthParameters, SecretArn } = await describeIt();
    expect(AuthParameters).toEqual({
      BasicAuthParameters: { Username: 'user' },
      InvocationHttpParameters: {
        HeaderParameters: [header],
        QueryStringParameters: [{ Key: 'token', IsValueSecret: true }],
      },
    });
    const updated = await run.events.updateConnection({
      Name: 'c',
      AuthParameters: { BasicAuthParameters: { Password: 'new' }, InvocationHttpParameters: {} },
    });
    expect(updated.ConnectionState).toBe('AUTHORIZED');
    expect(updated.LastAuthorizedTime).toBeInstanceOf(Date);
    expect(await secretOf(SecretArn)).toEqual({ username: 'user', password: 'new', invocation_http_parameters: {} });
    await run.events.updateConnection({
      Name: 'c',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'x-key', ApiKeyValue: 'k' } },
    });
    expect(await secretOf(SecretArn)).toMatchObject({ api_key_name: 'x-key', api_key_value: 'k' });
    expect((await describeIt()).AuthParameters).toMatchObject({ ApiKeyAuthParameters: { ApiKeyName: 'x-key' } });
  });

  test('of OAuth are authorized once they have a token', async () => {
    answers.push({ json: { access_token: 't', expires_in: 60 } });
    expect((await create(oauth())).ConnectionState).toBe('AUTHORIZING');
    await expect.poll(async () => (await describeIt()).ConnectionState).toBe('AUTHORIZED');
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/token' });
    expect(Object.fromEntries(new URLSearchParams(requests[0]!.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client_id',
      client_secret: 'client_secret',
    });
    const { SecretArn, AuthParameters } = await describeIt();
    expect(await secretOf(SecretArn)).toEqual({
      client_id: 'client_id',
      client_secret: 'client_secret',
      authorization_endpoint: `${url}/token`,
      http_method: 'POST',
    });
    expect(AuthParameters).toEqual({
      OAuthParameters: {
        ClientParameters: { ClientID: 'client_id' },
        AuthorizationEndpoint: `${url}/token`,
        HttpMethod: 'POST',
      },
    });
  });

  test('of OAuth without a token are deauthorized with a reason', async () => {
    answers.push({ status: 403 });
    await create(oauth());
    await expect.poll(async () => (await describeIt()).ConnectionState).toBe('DEAUTHORIZED');
    expect((await describeIt()).StateReason).toContain('status 403');
  });

  test('lose their secret when deauthorized or deleted', async () => {
    await create();
    const { SecretArn } = await describeIt();
    const { ConnectionState } = await run.events.deauthorizeConnection({ Name: 'c' });
    expect(ConnectionState).toBe('DEAUTHORIZING');
    expect(await describeIt()).toMatchObject({ ConnectionState: 'DEAUTHORIZED', AuthParameters: {} });
    expect(await failureOf(secrets.getSecretValue({ SecretId: SecretArn }))).toMatch(/^ResourceNotFoundException/);
    await run.events.updateConnection({ Name: 'c', AuthParameters: BASIC });
    const again = await describeIt();
    expect(again.ConnectionState).toBe('AUTHORIZED');
    expect(await secretOf(again.SecretArn)).toEqual({ username: 'user', password: 'pass' });
    expect((await run.events.deleteConnection({ Name: 'c' })).ConnectionState).toBe('DELETING');
    expect(await failureOf(describeIt())).toBe(
      "ResourceNotFoundException: Failed to describe the connection(s). Connection 'c' does not exist.",
    );
    expect((await secrets.listSecrets({})).SecretList).toEqual([]);
  });

  test('are listed by prefix and state', async () => {
    answers.push({ status: 403 });
    await create({ Name: 'a1' });
    await create({ Name: 'a2' });
    await create({ Name: 'b1', ...oauth() });
    await expect.poll(async () => (await describeIt('b1')).ConnectionState).toBe('DEAUTHORIZED');
    const names = async (input: object) =>
      (await run.events.listConnections(input)).Connections!.map(({ Name }) => Name);
    expect(await names({ NamePrefix: 'a' })).toEqual(['a1', 'a2']);
    expect(await names({ ConnectionState: 'DEAUTHORIZED' })).toEqual(['b1']);
    const { NextToken } = await run.events.listConnections({ Limit: 2 });
    expect(await names({ NextToken })).toEqual(['b1']);
  });

  test('reject invalid parameters', async () => {
    expect(await failureOf(create({ Name: 'Invalid Name With Spaces!' }))).toBe(
      "ValidationException: 1 validation error detected: Value 'Invalid Name With Spaces!' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+",
    );
    expect(await failureOf(create({ AuthorizationType: 'NONE' }))).toBe(
      "ValidationException: 1 validation error detected: Value 'NONE' at 'authorizationType' failed to satisfy constraint: Member must satisfy enum value set: [BASIC, OAUTH_CLIENT_CREDENTIALS, API_KEY]",
    );
    expect(await failureOf(create({ AuthorizationType: 'API_KEY' }))).toMatch(/^ValidationException: .*ApiKeyAuth/);
    await create();
    expect(await failureOf(create())).toBe('ResourceAlreadyExistsException: Connection c already exists.');
    expect((await secrets.listSecrets({})).SecretList).toHaveLength(1);
    for (const request of [
      run.events.updateConnection({ Name: 'none' }),
      run.events.deleteConnection({ Name: 'none' }),
      run.events.deauthorizeConnection({ Name: 'none' }),
    ])
      expect(await failureOf(request)).toMatch(/^ResourceNotFoundException: .*'none' does not exist\.$/);
  });
});

describe('API destinations', () => {
  const destination = async (input: object = {}, ConnectionArn?: string) => {
    const connection = ConnectionArn ?? (await describeIt()).ConnectionArn;
    return plain(
      await run.events.createApiDestination({
        Name: 'd',
        ConnectionArn: connection,
        InvocationEndpoint: `${url}/orders/*`,
        HttpMethod: 'POST',
        ...input,
      }),
    );
  };
  const target = async (made: { ApiDestinationArn?: string | undefined }, more: object = {}) =>
    run.rule('r', { source: ['app'] }, [
      { Arn: made.ApiDestinationArn!, RoleArn: `arn:aws:iam::${ACCOUNT}:role/r`, ...more },
    ]);

  /** Returns the credentials of requests to destinations. */
  const authorizations = () =>
    requests.filter(({ path }) => path !== '/token').map(({ headers }) => headers.authorization);

  test('are created, updated, listed and deleted', async () => {
    await create();
    const made = await destination({ Description: 'orders' });
    expect(made).toEqual({
      ApiDestinationArn: expect.stringMatching(new RegExp(`^${arn('api-destination/d/')}[0-9a-f-]{36}$`)),
      ApiDestinationState: 'ACTIVE',
      CreationTime: expect.any(Date),
      LastModifiedTime: expect.any(Date),
    });
    const described = plain(await run.events.describeApiDestination({ Name: 'd' }));
    expect(described).toEqual({
      ...made,
      Name: 'd',
      Description: 'orders',
      ConnectionArn: (await describeIt()).ConnectionArn,
      InvocationEndpoint: `${url}/orders/*`,
      HttpMethod: 'POST',
      InvocationRateLimitPerSecond: 300,
    });
    await run.events.updateApiDestination({ Name: 'd', HttpMethod: 'PUT', InvocationRateLimitPerSecond: 2 });
    expect(await run.events.describeApiDestination({ Name: 'd' })).toMatchObject({
      HttpMethod: 'PUT',
      InvocationRateLimitPerSecond: 2,
      InvocationEndpoint: `${url}/orders/*`,
    });
    await destination({ Name: 'e' });
    const names = async (input: object) =>
      (await run.events.listApiDestinations(input)).ApiDestinations!.map(({ Name }) => Name);
    expect(await names({})).toEqual(['d', 'e']);
    expect(await names({ NamePrefix: 'e' })).toEqual(['e']);
    expect(await names({ ConnectionArn: described.ConnectionArn })).toEqual(['d', 'e']);
    await run.events.deleteConnection({ Name: 'c' });
    expect((await run.events.describeApiDestination({ Name: 'd' })).ApiDestinationState).toBe('INACTIVE');
    await run.events.deleteApiDestination({ Name: 'd' });
    expect(await failureOf(run.events.describeApiDestination({ Name: 'd' }))).toBe(
      "ResourceNotFoundException: Failed to describe the api-destination(s). An api-destination 'd' does not exist.",
    );
    expect(await failureOf(run.events.deleteApiDestination({ Name: 'd' }))).toMatch(/^ResourceNotFoundException/);
    expect(await failureOf(run.events.updateApiDestination({ Name: 'd' }))).toMatch(/^ResourceNotFoundException/);
  });

  test('reject invalid parameters', async () => {
    await create();
    const none = arn('connection/none/00000000-0000-4000-8000-000000000000');
    expect(await failureOf(destination({}, none))).toMatch(/^ResourceNotFoundException: .*'none' does not exist/);
    expect(await failureOf(destination({ HttpMethod: 'INVALID_METHOD' }, 'invalid-connection-arn'))).toBe(
      "ValidationException: 2 validation errors detected: Value 'invalid-connection-arn' at 'connectionArn' failed to satisfy constraint: Member must satisfy regular expression pattern: ^arn:aws([a-z]|\\-)*:events:([a-z]|\\d|\\-)*:([0-9]{12})?:connection\\/[\\.\\-_A-Za-z0-9]+\\/[\\-A-Za-z0-9]+$; Value 'INVALID_METHOD' at 'httpMethod' failed to satisfy constraint: Member must satisfy enum value set: [POST, GET, HEAD, OPTIONS, PUT, PATCH, DELETE]",
    );
    expect(await failureOf(destination({ InvocationEndpoint: 'ftp://127.0.0.1/' }))).toBe(
      'ValidationException: Parameter InvocationEndpoint is not valid.',
    );
    await destination();
    expect(await failureOf(destination())).toMatch(/^ResourceAlreadyExistsException/);
  });

  test('receive events with the parameters of rule and connection', async () => {
    await create({
      AuthParameters: {
        ...BASIC,
        InvocationHttpParameters: {
          HeaderParameters: [{ Key: 'X-Both', Value: 'connection' }],
          QueryStringParameters: [{ Key: 'shop', Value: '7' }],
          BodyParameters: [{ Key: 'added', Value: 'yes' }],
        },
      },
    });
    await target(await destination(), {
      InputPath: '$.detail',
      HttpParameters: {
        PathParameterValues: ['$.detail.n'],
        HeaderParameters: { 'X-Both': 'rule', 'X-Rule': '$.source', 'User-Agent': 'mine', Range: 'bytes=0-1' },
        QueryStringParameters: { from: 'rule' },
      },
    });
    await run.put({ n: 1 });
    await expect.poll(() => requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/orders/1?from=rule&shop=7',
    });
    expect(requests[0]!.headers).toEqual({
      'accept-encoding': 'gzip,deflate',
      authorization: `Basic ${Buffer.from('user:pass').toString('base64')}`,
      connection: 'close',
      'content-length': String(Buffer.byteLength(requests[0]!.body)),
      'content-type': 'application/json; charset=utf-8',
      host: new URL(url).host,
      range: 'bytes=0-1048575',
      'user-agent': 'Amazon/EventBridge/ApiDestinations',
      'x-both': 'connection',
      'x-rule': 'app',
    });
    expect(JSON.parse(requests[0]!.body)).toEqual({ n: 1, added: 'yes' });
    await expect.poll(deliveries).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  test('fetch another token after a rejection, and retry', async () => {
    answers.push({ json: { access_token: 'first', expires_in: 600 } });
    await create(oauth());
    await expect.poll(async () => (await describeIt()).ConnectionState).toBe('AUTHORIZED');
    await target(await destination());
    answers.push({ status: 401 }, { json: { access_token: 'second' } }, { status: 200 });
    await run.put({});
    await expect.poll(() => requests).toHaveLength(2);
    await expect
      .poll(async () => {
        await run.advance(60_000);
        return requests.length;
      })
      .toBe(4);
    expect(authorizations()).toEqual(['Bearer first', 'Bearer second']);
    await expect.poll(deliveries).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test('share one token, fetched at the creation of the connection, until it expires', async () => {
    answers.push({ json: { access_token: 'first', expires_in: 600 } });
    await create(oauth());
    await target(await destination());
    await Promise.all([run.put({}), run.put({}), run.put({})]);
    await expect.poll(authorizations).toEqual(Array(3).fill('Bearer first'));
    expect(requests).toHaveLength(4);
    await expect.poll(deliveries).toHaveLength(3);
    await run.advance(600_000);
    answers.push({ json: { access_token: 'second' } });
    await run.put({});
    await expect.poll(() => requests).toHaveLength(6);
    expect(authorizations()).toContain('Bearer second');
  });

  test('follow no redirects', async () => {
    await create();
    await target(await destination());
    answers.push({ status: 302, headers: { location: `${url}/elsewhere` } });
    await run.put({});
    await expect.poll(deliveries).toMatchObject([{ status: 'failed', attempts: 1 }]);
    expect(requests).toHaveLength(1);
  });

  test('that reject an event receive it once; failing ones receive it again', async () => {
    await create();
    await target(await destination());
    answers.push({ status: 400 });
    await run.put({});
    await expect
      .poll(deliveries)
      .toMatchObject([{ status: 'failed', attempts: 1, error: { code: 'SDK_CLIENT_ERROR' } }]);
    answers.push({ status: 503, headers: { 'retry-after': '30' } });
    await run.put({});
    await expect.poll(() => requests).toHaveLength(2);
    await run.advance(29_000);
    expect(requests).toHaveLength(2);
    await expect
      .poll(async () => {
        await run.advance(1000);
        return requests.length;
      })
      .toBe(3);
  });
});
