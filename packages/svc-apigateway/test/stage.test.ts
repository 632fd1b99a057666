import { APIGateway, type PatchOperation, type PutIntegrationCommandInput } from '@aws-sdk/client-api-gateway';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ask, errorOf } from './support.ts';

const ACCOUNT = '123456789012';
const URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:f/invocations`;
const DAY = 86_400_000;
const SIGNED = `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0`;

let emulator: TestEmulator;
let api: APIGateway;
/** Number of calls of the function, which it returns. */
let calls: number;
let answer: (event: Record<string, never>) => unknown;

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    Invoke({ Payload }) {
      calls++;
      const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as Record<string, never>;
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer(event))) };
    },
  });
  emulator = await createTestEmulator({ manifests: [manifest, lambda] });
  emulator.kernel.clock.freeze();
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
});
afterAll(() => emulator.close());
beforeEach(() => {
  calls = 0;
  answer = () => ({ statusCode: 200, body: String(calls) });
});

const replace = (path: string, value: string): PatchOperation => ({ op: 'replace', path, value });

interface Settings {
  parts?: string[];
  methods?: string[];
  method?: object;
  integration?: Partial<PutIntegrationCommandInput>;
  stage?: object;
}

/** Creates an API whose resources all call the function, deployed to `dev`. */
async function made({ parts = ['p'], methods = ['GET'], method = {}, integration = {}, stage = {} }: Settings = {}) {
  const { id, rootResourceId } = await api.createRestApi({ name: 'stage' });
  const restApiId = id!;
  let parentId = rootResourceId!;
  for (const pathPart of parts) {
    const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart });
    parentId = resourceId!;
    for (const httpMethod of methods) {
      const place = { restApiId, resourceId, httpMethod };
      await api.putMethod({ ...place, authorizationType: 'NONE', ...method });
      await api.putIntegration({
        ...place,
        ...{ type: 'AWS_PROXY', uri: URI, integrationHttpMethod: 'POST' },
        ...integration,
      } as never);
    }
  }
  const { id: deploymentId } = await api.createDeployment({ restApiId });
  await api.createStage({ restApiId, stageName: 'dev', deploymentId, ...stage });
  const update = (...patchOperations: PatchOperation[]) =>
    api.updateStage({ restApiId, stageName: 'dev', patchOperations });
  const get = (path: string, headers: Record<string, string> = {}, httpMethod = 'GET') =>
    ask(emulator, { method: httpMethod, path: `/_aws/execute-api/${restApiId}/dev/${path}`, headers });
  return { restApiId, resourceId: parentId, update, get };
}

const cache = { cacheClusterEnabled: true, cacheClusterSize: '0.5' };

describe('the cache of a stage', () => {
  it('is keyed by its parameters only', async () => {
    const keys = [
      'method.request.querystring.q',
      'method.request.header.X-H',
      'method.request.path.id',
      'method.request.multivaluequerystring.m',
    ];
    const { get, update } = await made({
      parts: ['{id}'],
      method: { requestParameters: Object.fromEntries(keys.map((key) => [key, false])) },
      integration: { cacheKeyParameters: keys },
      stage: cache,
    });
    await update(replace('/*/*/caching/enabled', 'true'));
    const text = async (path: string, headers = {}) => (await get(path, headers)).text;
    const first = await text('1?q=1&m=1&m=2', { 'x-h': 'h' });
    expect(await text('1?q=1&other=2&m=1&m=2', { 'X-H': 'h', 'x-other': 'o' })).toBe(first);
    for (const [path, headers] of [
      ['2?q=1&m=1&m=2', { 'x-h': 'h' }],
      ['1?q=2&m=1&m=2', { 'x-h': 'h' }],
      ['1?q=1&m=1&m=2', { 'x-h': 'i' }],
      ['1?q=1&m=2', { 'x-h': 'h' }],
    ] as const) {
      const before = calls;
      await text(path, headers);
      expect([path, calls]).toEqual([path, before + 1]);
    }
  });

  it('caches successful GET responses only, for the TTL of the method', async () => {
    const { get, update } = await made({ methods: ['GET', 'POST'], stage: cache });
    await get('p');
    await get('p');
    expect(calls).toBe(2);
    await update(replace('/~1p/GET/caching/enabled', 'true'), replace('/~1p/GET/caching/ttlInSeconds', '10'));
    await get('p');
    await get('p');
    expect(calls).toBe(3);
    await get('p', {}, 'POST');
    await get('p', {}, 'POST');
    expect(calls).toBe(5);
    await emulator.kernel.clock.advance(10_000);
    answer = () => ({ statusCode: 500 });
    await get('p');
    await get('p');
    expect(calls).toBe(7);
    await update(replace('/~1p/GET/caching/ttlInSeconds', '0'));
    answer = () => ({ statusCode: 200 });
    await get('p');
    await get('p');
    expect(calls).toBe(9);
    await update(replace('/cacheClusterEnabled', 'false'), replace('/~1p/GET/caching/ttlInSeconds', '10'));
    await get('p');
    await get('p');
    expect(calls).toBe(11);
  });

  it('is flushed completely', async () => {
    const { get, update, restApiId } = await made({ stage: cache });
    await update(replace('/*/*/caching/enabled', 'true'));
    await get('p');
    await api.flushStageCache({ restApiId, stageName: 'dev' });
    await get('p');
    expect(calls).toBe(2);
    expect(await errorOf(api.flushStageCache({ restApiId, stageName: 'none' }))).toEqual([
      'NotFoundException',
      'Invalid stage identifier specified',
    ]);
  });

  // Source:
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-caching.html#invalidate-method-caching
  it.each<[strategy: string | undefined, signed: boolean, fresh: boolean, status: number, warning: string | undefined]>(
    [
      [undefined, false, false, 200, '199 - Unauthorized Cache-Control Header'],
      ['SUCCEED_WITH_RESPONSE_HEADER', false, false, 200, '199 - Unauthorized Cache-Control Header'],
      ['SUCCEED_WITHOUT_RESPONSE_HEADER', false, false, 200, undefined],
      ['FAIL_WITH_403', false, false, 403, undefined],
      ['FAIL_WITH_403', true, true, 200, undefined],
      ['not required', false, true, 200, undefined],
    ],
  )('under %s, signed %s, is invalidated: %s', async (strategy, signed, fresh, status, warning) => {
    const { get, update } = await made({
      stage: cache,
      ...(signed && { method: { authorizationType: 'AWS_IAM' } }),
    });
    await update(
      replace('/*/*/caching/enabled', 'true'),
      ...(strategy === 'not required'
        ? [replace('/*/*/caching/requireAuthorizationForCacheControl', 'false')]
        : strategy
          ? [replace('/*/*/caching/unauthorizedCacheControlHeaderStrategy', strategy)]
          : []),
    );
    const headers: Record<string, string> = signed ? { Authorization: SIGNED } : {};
    await get('p', headers);
    const again = await get('p', { ...headers, 'Cache-Control': 'max-age=0' });
    expect([again.status, again.headers.warning, calls]).toEqual([status, warning, fresh ? 2 : 1]);
  });

  it('is separate for a canary unless it uses the stage’s', async () => {
    const { get, update, restApiId } = await made({ stage: cache });
    await update(replace('/*/*/caching/enabled', 'true'));
    const text = async () => (await get('p')).text;
    const first = await text();
    await api.createDeployment({ restApiId, stageName: 'dev', canarySettings: { percentTraffic: 100 } });
    const own = await text();
    expect([own === first, await text()]).toEqual([false, own]);
    await update(replace('/canarySettings/useStageCache', 'true'));
    expect(await text()).toBe(first);
  });
});

// Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
describe('throttling', () => {
  const statuses = async (times: number, get: () => Promise<{ status: number }>) => {
    const found: number[] = [];
    for (let at = 0; at < times; at++) found.push((await get()).status);
    return found;
  };

  it('is by method, otherwise by stage, and refills over time', async () => {
    const { get, update } = await made({ parts: ['p', 'q'] });
    await update(
      replace('/*/*/throttling/burstLimit', '2'),
      replace('/*/*/throttling/rateLimit', '1'),
      replace('/~1p~1q/GET/throttling/burstLimit', '1'),
    );
    expect(await statuses(3, () => get('p'))).toEqual([200, 200, 429]);
    expect(await statuses(2, () => get('p/q'))).toEqual([200, 429]);
    await emulator.kernel.clock.advance(1000);
    const refused = [await get('p'), await get('p')];
    expect(refused.map(({ status }) => status)).toEqual([200, 429]);
    expect([refused[1]!.json, refused[1]!.headers['x-amzn-errortype']]).toEqual([
      { message: 'Too Many Requests' },
      'TooManyRequestsException',
    ]);
  });

  it('is by method of a usage plan and by the plan, for each key', async () => {
    const { get, restApiId } = await made({ parts: ['p', 'q'], method: { apiKeyRequired: true } });
    const keys = await Promise.all(['a', 'b'].map((name) => api.createApiKey({ name, enabled: true })));
    const { id: usagePlanId } = await api.createUsagePlan({
      name: 'p',
      throttle: { burstLimit: 3, rateLimit: 1 },
      apiStages: [{ apiId: restApiId, stage: 'dev', throttle: { '/p/q/GET': { burstLimit: 1, rateLimit: 1 } } }],
    });
    for (const { id: keyId } of keys) await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    const [a, b] = keys.map(({ value }) => ({ 'x-api-key': value! }));
    expect(await statuses(2, () => get('p/q', a))).toEqual([200, 429]);
    expect(await statuses(3, () => get('p', a))).toEqual([200, 200, 429]);
    expect(await statuses(2, () => get('p/q', b))).toEqual([200, 429]);
  });
});

describe('a quota', () => {
  it.each([
    // 2026-11-23 is a Monday.
    ['DAY', 0, 1],
    ['WEEK', 3, 7],
    ['MONTH', 10, 31],
  ] as const)('of a %s restarts after an offset of %d days', async (period, offset, longest) => {
    const { get, restApiId } = await made({ method: { apiKeyRequired: true } });
    const { id: keyId, value } = await api.createApiKey({ name: 'k', enabled: true });
    const { id: usagePlanId } = await api.createUsagePlan({
      name: 'p',
      quota: { limit: 1, period, offset },
      apiStages: [{ apiId: restApiId, stage: 'dev' }],
    });
    await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    const status = async () => (await get('p', { 'x-api-key': value! })).status;
    expect([await status(), await status()]).toEqual([200, 429]);
    const { clock } = emulator.kernel;
    let days = 0;
    do {
      await clock.advance(DAY - (clock.now() % DAY));
      days++;
    } while ((await status()) === 429);
    const begun = new Date(clock.now());
    expect(days).toBeLessThanOrEqual(longest);
    if (period === 'WEEK') expect(begun.getUTCDay()).toBe(offset);
    if (period === 'MONTH') expect(begun.getUTCDate()).toBe(1 + offset);
    expect(await status()).toBe(429);
  });

  it('reports its exhaustion, and its remainder can be set', async () => {
    const { get, restApiId } = await made({ method: { apiKeyRequired: true } });
    const { id: keyId, value } = await api.createApiKey({ name: 'k', enabled: true });
    const { id: usagePlanId } = await api.createUsagePlan({
      name: 'p',
      quota: { limit: 1, period: 'DAY' },
      apiStages: [{ apiId: restApiId, stage: 'dev' }],
    });
    await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    const ask1 = () => get('p', { 'x-api-key': value! });
    await ask1();
    expect(await ask1()).toMatchObject({
      status: 429,
      json: { message: 'Limit Exceeded' },
      headers: { 'x-amzn-errortype': 'LimitExceededException' },
    });
    const day = new Date(emulator.kernel.clock.now()).toISOString().slice(0, 10);
    const usage = async () => (await api.getUsage({ usagePlanId, startDate: day, endDate: day })).items![keyId!];
    expect(await usage()).toEqual([[1, 0]]);
    await api.updateUsage({ usagePlanId, keyId, patchOperations: [replace('/remaining', '2')] });
    expect(await usage()).toEqual([[1, 2]]);
    expect([(await ask1()).status, (await ask1()).status, (await ask1()).status]).toEqual([200, 200, 429]);
    expect(await usage()).toEqual([[3, 0]]);
  });
});

describe('API keys', () => {
  it('are listed newest first, in pages', async () => {
    const names = ['x1', 'x2', 'x3', 'x4', 'x5'];
    for (const name of names) await api.createApiKey({ name });
    const found: string[] = [];
    let position: string | undefined;
    do {
      const page = await api.getApiKeys({ nameQuery: 'x', limit: 2, position });
      found.push(...page.items!.map(({ name }) => name!));
      position = page.position;
    } while (position);
    expect(found).toEqual(names.toReversed());
  });

  // Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-key-file-format.html
  it('are imported with their plans, with warnings for invalid ones', async () => {
    const { id: plan } = await api.createUsagePlan({ name: 'p' });
    const file = (...rows: string[]) => Buffer.from(`Name,key,description,Enabled,usageplanIds\n${rows.join('\n')}\n`);
    const key = (letter: string) => letter.repeat(20);
    const { ids, warnings } = await api.importApiKeys({
      format: 'csv',
      body: file(`one,${key('a')},"with, comma",TRUE,"${plan}"`, `two,${key('b')},,FALSE,none`),
    });
    expect([ids!.length, warnings!.length]).toEqual([2, 1]);
    expect(await api.getApiKey({ apiKey: ids![0], includeValue: true })).toMatchObject({
      name: 'one',
      value: key('a'),
      description: 'with, comma',
      enabled: true,
    });
    expect(await api.getApiKey({ apiKey: ids![1] })).toMatchObject({ name: 'two', enabled: false });
    expect((await api.getUsagePlanKeys({ usagePlanId: plan })).items!.map(({ id }) => id)).toEqual([ids![0]]);
    const again = await api.importApiKeys({ format: 'csv', body: file(`one,${key('a')},,TRUE,`) });
    expect([again.ids, again.warnings!.length]).toEqual([[], 1]);
    const failing = api.importApiKeys({
      format: 'csv',
      failOnWarnings: true,
      body: file(`three,${key('c')},,TRUE,none`),
    });
    expect((await errorOf(failing))[0]).toBe('BadRequestException');
    expect((await api.getApiKeys({ nameQuery: 'three' })).items).toEqual([]);
    expect((await errorOf(api.importApiKeys({ format: 'csv', body: file('four,short,,TRUE,') })))[0]).toBe(
      'BadRequestException',
    );
  });
});
