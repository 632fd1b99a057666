import type { APIGateway } from '@aws-sdk/client-api-gateway';
import type { TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, mockApi, start } from './support.ts';

let emulator: TestEmulator;
let api: APIGateway;

beforeAll(async () => {
  ({ emulator, api } = await start());
});
afterAll(() => emulator.close());

describe('a deployed API', () => {
  it('responds at every endpoint, and with 403 for an unknown stage, method or API', async () => {
    const { restApiId } = await mockApi(api, {
      response: '{"pets": "$input.params(\'q\')", "stage": "$context.stage"}',
    });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const expected = { pets: 'all', stage: 'dev' };
    const host = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
    for (const asked of [
      { host, path: '/dev/pets?q=all' },
      { host: `${restApiId}.execute-api.us-east-1.localhost:4566`, path: '/dev/pets?q=all' },
      { path: `/_aws/execute-api/${restApiId}/dev/pets?q=all` },
      { path: `/restapis/${restApiId}/dev/_user_request_/pets?q=all` },
    ]) {
      const { status, json, headers } = await ask(emulator, asked);
      expect([asked.path, status, json]).toEqual([asked.path, 200, expected]);
      expect(headers['content-type']).toBe('application/json');
      expect(headers['x-amzn-requestid']).toMatch(/^[0-9a-f-]{36}$/);
    }
    // Recorded from AWS: test_routing_not_found.
    const unknown = await ask(emulator, { host, path: '/dev/nothing' });
    expect([unknown.status, unknown.json]).toEqual([403, { message: 'Missing Authentication Token' }]);
    expect(unknown.headers['x-amzn-errortype']).toBe('MissingAuthenticationTokenException');
    expect((await ask(emulator, { host, path: '/dev/pets', method: 'POST' })).status).toBe(403);
    expect((await ask(emulator, { host, path: '/prod/pets' })).json).toEqual({ message: 'Forbidden' });
    const nobody = await ask(emulator, { host: 'aaaaaaaaaa.execute-api.us-east-1.amazonaws.com', path: '/dev/pets' });
    expect([nobody.status, nobody.json]).toEqual([403, { message: 'Forbidden' }]);
  });

  it('keeps its deployed definition until the next deployment', async () => {
    const place = await mockApi(api, { response: 'one' });
    await api.createDeployment({ restApiId: place.restApiId, stageName: 'dev' });
    const path = `/_aws/execute-api/${place.restApiId}/dev/pets`;
    const template = '/responseTemplates/application~1json';
    await api.updateIntegrationResponse({
      ...place,
      statusCode: '200',
      patchOperations: [{ op: 'replace', path: template, value: 'two' }],
    });
    expect((await ask(emulator, { path })).text).toBe('one');
    await api.createDeployment({ restApiId: place.restApiId, stageName: 'dev' });
    expect((await ask(emulator, { path })).text).toBe('two');
  });

  it('prefers literal parts to variables, and variables to greedy ones', async () => {
    const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'routes' });
    const made: Record<string, string> = { '/': rootResourceId! };
    for (const [parent, part] of [
      ['/', '{proxy+}'],
      ['/', 'a'],
      ['/a', '{id}'],
      ['/a', 'b'],
      ['/a/{id}', 'c'],
    ] as const) {
      const { id, path } = await api.createResource({ restApiId, parentId: made[parent], pathPart: part });
      made[path!] = id!;
    }
    for (const path of ['/{proxy+}', '/a/{id}', '/a/b', '/a/{id}/c']) {
      const place = { restApiId, resourceId: made[path]!, httpMethod: 'ANY' };
      await api.putMethod({ ...place, authorizationType: 'NONE' });
      await api.putMethodResponse({ ...place, statusCode: '200' });
      await api.putIntegration({
        ...place,
        type: 'MOCK',
        requestTemplates: { 'application/json': '{statusCode: 200}' },
      });
      const text = '$context.resourcePath $input.params("id") $input.params("proxy")';
      await api.putIntegrationResponse({
        ...place,
        statusCode: '200',
        responseTemplates: { 'application/json': text },
      });
    }
    await api.createDeployment({ restApiId, stageName: 's' });
    const get = async (path: string) =>
      (await ask(emulator, { path: `/_aws/execute-api/${restApiId}/s${path}` })).text.trim();
    expect(await get('/a/b')).toBe('/a/b');
    expect(await get('/a/x')).toBe('/a/{id} x');
    expect(await get('/a/b/c')).toBe('/a/{id}/c b');
    expect(await get('/a/b/c/d')).toBe('/{proxy+}  a/b/c/d');
    expect(await get('/a')).toBe('/{proxy+}  a');
    expect(await get('/x%20y//z/')).toBe('/{proxy+}  x%20y//z');
  });

  it('maps templates, overrides, parameters and statuses of a mock', async () => {
    const place = await mockApi(api, {
      httpMethod: 'POST',
      request:
        '#set($context.responseOverride.header.X-Made = "yes")#if($input.path("$.fail")){"statusCode": 404}#else{"statusCode": 200}#end',
      response: '#set($context.responseOverride.status = 444){"is": "overridden"}',
    });
    await api.putMethodResponse({
      ...place,
      statusCode: '404',
      responseParameters: { 'method.response.header.X-Fixed': true },
    });
    await api.putIntegrationResponse({
      ...place,
      statusCode: '404',
      selectionPattern: '4\\d\\d',
      responseParameters: { 'method.response.header.X-Fixed': "'fixed'" },
    });
    await api.createDeployment({ restApiId: place.restApiId, stageName: 'dev' });
    const path = `/_aws/execute-api/${place.restApiId}/dev/pets`;
    const good = await ask(emulator, { path, method: 'POST', body: '{}' });
    expect([good.status, good.text, good.headers['x-made']]).toEqual([444, '{"is": "overridden"}', 'yes']);
    const bad = await ask(emulator, { path, method: 'POST', body: '{"fail": true}' });
    expect([bad.status, bad.headers['x-fixed']]).toEqual([404, 'fixed']);
  });

  it('responds to its own errors with gateway responses', async () => {
    const { restApiId } = await mockApi(api);
    await api.putGatewayResponse({
      restApiId,
      responseType: 'MISSING_AUTHENTICATION_TOKEN',
      statusCode: '404',
      responseParameters: {
        'gatewayresponse.header.X-Stage': 'context.stage',
        'gatewayresponse.header.X-Q': 'method.request.querystring.q',
      },
      responseTemplates: {
        'application/json': '{"why": $context.error.messageString, "type": "$context.error.responseType"}',
      },
    });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const { status, json, headers } = await ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/no?q=1` });
    expect([status, json]).toEqual([
      404,
      { why: 'Missing Authentication Token', type: 'MISSING_AUTHENTICATION_TOKEN' },
    ]);
    expect([headers['x-stage'], headers['x-q']]).toEqual(['dev', '1']);
  });

  it('validates parameters and bodies with models that refer to each other', async () => {
    const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'validated' });
    const base = `https://apigateway.amazonaws.com/restapis/${restApiId}/models`;
    await api.createModel({
      restApiId,
      name: 'Name',
      contentType: 'application/json',
      schema: '{"type":"string","minLength":2}',
    });
    const schema = JSON.stringify({
      type: 'object',
      required: ['name'],
      properties: { name: { $ref: `${base}/Name` } },
    });
    await api.createModel({ restApiId, name: 'Pet', contentType: 'application/json', schema });
    const { id } = await api.createRequestValidator({
      restApiId,
      name: 'all',
      validateRequestBody: true,
      validateRequestParameters: true,
    });
    const place = { restApiId: restApiId!, resourceId: rootResourceId!, httpMethod: 'POST' };
    await api.putMethod({
      ...place,
      authorizationType: 'NONE',
      requestValidatorId: id,
      requestModels: { 'application/json': 'Pet' },
      requestParameters: {
        'method.request.querystring.q': true,
        'method.request.header.x-h': true,
        'method.request.header.other': false,
      },
    });
    await api.putMethodResponse({ ...place, statusCode: '200' });
    await api.putIntegration({
      ...place,
      type: 'MOCK',
      requestTemplates: { 'application/json': '{"statusCode": 200}' },
    });
    await api.putIntegrationResponse({ ...place, statusCode: '200' });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const post = (query: string, body: string, headers = {}) =>
      ask(emulator, { method: 'POST', path: `/_aws/execute-api/${restApiId}/dev/${query}`, body, headers });
    expect((await post('', '{"name":"ab"}')).json).toEqual({
      message: 'Missing required request parameters: [q, x-h]',
    });
    const invalid = await post('?q=1', '{"name":"a"}', { 'x-h': '1' });
    expect([invalid.status, invalid.json]).toEqual([400, { message: 'Invalid request body' }]);
    expect((await post('?q=1', 'no json', { 'x-h': '1' })).status).toBe(400);
    expect((await post('?q=1', '{"name":"ab"}', { 'x-h': '1' })).status).toBe(200);
  });

  it('requires API keys and enforces the rate and quota of their plans', async () => {
    const { restApiId } = await mockApi(api, { method: { apiKeyRequired: true } });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const path = `/_aws/execute-api/${restApiId}/dev/pets`;
    const { id: keyId, value } = await api.createApiKey({ name: 'k', enabled: true });
    const get = async (key = value!) => (await ask(emulator, { path, headers: { 'x-api-key': key } })).status;
    expect((await ask(emulator, { path })).json).toEqual({ message: 'Forbidden' });
    expect(await get()).toBe(403);
    const { id: usagePlanId } = await api.createUsagePlan({
      name: 'p',
      apiStages: [{ apiId: restApiId, stage: 'dev' }],
      throttle: { burstLimit: 2, rateLimit: 1 },
      quota: { limit: 3, period: 'DAY' },
    });
    await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
    await emulator.kernel.clock.advance(5000);
    expect(await get()).toBe(200);
    const spent = await ask(emulator, { path, headers: { 'x-api-key': value! } });
    expect([spent.status, spent.json]).toEqual([429, { message: 'Limit Exceeded' }]);
    const day = new Date(emulator.kernel.clock.now()).toISOString().slice(0, 10);
    const usage = await api.getUsage({ usagePlanId, startDate: day, endDate: day });
    expect(usage.items).toEqual({ [keyId!]: [[3, 0]] });
    await api.updateUsage({ usagePlanId, keyId, patchOperations: [{ op: 'replace', path: '/remaining', value: '1' }] });
    await emulator.kernel.clock.advance(5000);
    expect([await get(), await get()]).toEqual([200, 429]);
    await api.updateApiKey({ apiKey: keyId, patchOperations: [{ op: 'replace', path: '/enabled', value: 'false' }] });
    expect(await get()).toBe(403);
  });

  it('throttles methods by stage settings, and caches responses', async () => {
    const { restApiId } = await mockApi(api, { response: '$context.requestId' });
    await api.createDeployment({ restApiId, stageName: 'dev', cacheClusterEnabled: true, cacheClusterSize: '0.5' });
    const set = (setting: string, value: string) =>
      api.updateStage({
        restApiId,
        stageName: 'dev',
        patchOperations: [{ op: 'replace', path: `/pets/GET/${setting}`, value }],
      });
    await set('caching/enabled', 'true');
    await set('caching/ttlInSeconds', '60');
    const path = `/_aws/execute-api/${restApiId}/dev/pets`;
    const get = async (headers = {}) => (await ask(emulator, { path, headers })).text;
    const first = await get();
    expect(await get()).toBe(first);
    expect((await ask(emulator, { path, headers: { 'cache-control': 'max-age=0' } })).headers.warning).toContain('199');
    await emulator.kernel.clock.advance(61_000);
    const second = await get();
    expect(second).not.toBe(first);
    await api.flushStageCache({ restApiId, stageName: 'dev' });
    expect(await get()).not.toBe(second);
    await set('throttling/rateLimit', '1');
    await set('throttling/burstLimit', '1');
    await get();
    expect((await ask(emulator, { path })).json).toEqual({ message: 'Too Many Requests' });
  });

  it('sends a share of requests to the canary until its promotion', async () => {
    const place = await mockApi(api, { response: 'old $stageVariables.v' });
    const { restApiId } = place;
    await api.createDeployment({ restApiId, stageName: 'dev', variables: { v: '1' } });
    await api.updateIntegrationResponse({
      ...place,
      statusCode: '200',
      patchOperations: [
        { op: 'replace', path: '/responseTemplates/application~1json', value: 'new $stageVariables.v' },
      ],
    });
    await api.createDeployment({
      restApiId,
      stageName: 'dev',
      canarySettings: { percentTraffic: 100, stageVariableOverrides: { v: '2' } },
    });
    const path = `/_aws/execute-api/${restApiId}/dev/pets`;
    expect((await ask(emulator, { path })).text).toBe('new 2');
    await api.updateStage({
      restApiId,
      stageName: 'dev',
      patchOperations: [{ op: 'replace', path: '/canarySettings/percentTraffic', value: '0.0' }],
    });
    expect((await ask(emulator, { path })).text).toBe('old 1');
    await api.updateStage({
      restApiId,
      stageName: 'dev',
      patchOperations: [
        { op: 'copy', from: '/canarySettings/stageVariableOverrides', path: '/variables' },
        { op: 'copy', from: '/canarySettings/deploymentId', path: '/deploymentId' },
        { op: 'remove', path: '/canarySettings' },
      ],
    });
    expect((await ask(emulator, { path })).text).toBe('new 2');
  });

  it('is reachable by a custom domain, and not by its own endpoint if disabled', async () => {
    const { restApiId } = await mockApi(api, { response: '$context.domainName $context.path' });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const domainName = 'shop.example.com';
    await api.createDomainName({
      domainName,
      endpointConfiguration: { types: ['REGIONAL'] },
      regionalCertificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/1',
    });
    await api.createBasePathMapping({ domainName, basePath: 'v1', restApiId, stage: 'dev' });
    expect((await ask(emulator, { host: domainName, path: '/v1/pets' })).text).toBe('shop.example.com /v1/pets');
    expect((await ask(emulator, { host: domainName, path: '/v2/pets' })).status).toBe(403);
    expect((await ask(emulator, { host: 'other.example.com', path: '/v1/pets' })).status).toBe(403);
    await api.updateRestApi({
      restApiId,
      patchOperations: [{ op: 'replace', path: '/disableExecuteApiEndpoint', value: 'true' }],
    });
    expect((await ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/pets` })).status).toBe(403);
    expect((await ask(emulator, { host: domainName, path: '/v1/pets' })).status).toBe(200);
  });

  it('enforces its resource policy and signatures', async () => {
    const { restApiId } = await mockApi(api, {
      method: { authorizationType: 'AWS_IAM' },
      response: '$context.identity.userArn',
    });
    const policy = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Deny', Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/blocked/*' }],
    };
    await api.updateRestApi({
      restApiId,
      patchOperations: [{ op: 'replace', path: '/policy', value: JSON.stringify(policy) }],
    });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    await api.createDeployment({ restApiId, stageName: 'blocked' });
    const authorization =
      'AWS4-HMAC-SHA256 Credential=000000000000/20261123/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0';
    const at = (stage: string, headers = {}) =>
      ask(emulator, { path: `/_aws/execute-api/${restApiId}/${stage}/pets`, headers });
    expect((await at('dev')).json).toEqual({ message: 'Missing Authentication Token' });
    expect((await at('dev', { authorization })).text).toBe('arn:aws:iam::000000000000:root');
    const blocked = await at('blocked', { authorization });
    expect(blocked.status).toBe(403);
    expect(blocked.text).toContain('with an explicit deny');
  });

  it('enforces the policy of a private domain name independently of the API', async () => {
    const { restApiId } = await mockApi(api, { response: 'in' });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const domainName = 'private.example.com';
    const endpointConfiguration = { types: ['PRIVATE' as const] };
    await expect(api.createDomainName({ domainName, endpointConfiguration, policy: '{' })).rejects.toThrow(
      'Invalid policy document. Please check the policy syntax and ensure that Principals are valid.',
    );
    const { domainNameId } = await api.createDomainName({ domainName, endpointConfiguration });
    const arn = `arn:aws:execute-api:us-east-1:123456789012:/domainnames/${domainName}+${domainNameId}`;
    await api.createBasePathMapping({ domainName, domainNameId, restApiId, stage: 'dev' });
    const enter = (headers = {}) => ask(emulator, { host: domainName, path: '/pets', headers });
    const ofArn = arn.replace(/\d{8}(\d{4}:)/, '********$1');
    const denial = `User: anonymous is not authorized to perform: execute-api:Invoke on resource: ${ofArn}`;
    const closed = await enter();
    const none = 'because no resource-based policy allows the execute-api:Invoke action';
    expect([closed.status, closed.json]).toEqual([403, { Message: `${denial} ${none}` }]);
    const set = (value: string) =>
      api.updateDomainName({
        domainName,
        domainNameId,
        patchOperations: [{ op: 'replace', path: '/policy', value }],
      });
    const statement = { Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/*' };
    const elsewhere = { StringNotEquals: { 'aws:SourceVpce': 'vpce-1' } };
    const Statement = [
      { Effect: 'Allow', ...statement },
      { Effect: 'Deny', ...statement, Condition: elsewhere },
    ];
    await set(JSON.stringify({ Version: '2012-10-17', Statement }));
    expect((await enter({ 'x-amzn-vpc-endpoint-id': 'vpce-1' })).text).toBe('in');
    const other = await enter({ 'x-amzn-vpc-endpoint-id': 'vpce-2' });
    expect(other.status).toBe(403);
    expect(other.text).toContain(`${denial} with an explicit deny`);
    expect((await ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/pets` })).text).toBe('in');
    const Resource = `${arn.slice(0, -1)}?`;
    await set(JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement, Resource }] }));
    expect((await enter()).text).toBe('in');
    const viaDomain = { StringNotEquals: { 'execute-api:viaDomainArn': arn } };
    const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement, Condition: viaDomain }] };
    await api.updateRestApi({
      restApiId,
      patchOperations: [{ op: 'replace', path: '/policy', value: JSON.stringify(policy) }],
    });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    expect((await enter()).status).toBe(403);
  });

  it('lists its local URLs', async () => {
    const { restApiId } = await mockApi(api);
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const { json } = await emulator.control('GET', '/_emulator/apigateway/urls');
    const { apis } = json as { apis: { apiId: string; pathUrl: string; url: string }[] };
    const found = apis.find(({ apiId }) => apiId === restApiId)!;
    expect(found.url).toContain(`://${restApiId}.execute-api.us-east-1.localhost`);
    expect(found.pathUrl).toContain(`/_aws/execute-api/${restApiId}/dev`);
  });
});
