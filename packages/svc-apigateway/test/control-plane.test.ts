import type { APIGateway, PatchOperation } from '@aws-sdk/client-api-gateway';
import type { TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, mockApi, start } from './support.ts';

let emulator: TestEmulator;
let api: APIGateway;

beforeAll(async () => {
  ({ emulator, api } = await start());
});
afterAll(() => emulator.close());

const replace = (path: string, value?: string): PatchOperation => ({
  op: 'replace',
  path,
  ...(value !== undefined && { value }),
});
const account = '123456789012';

// Recordings of API Gateway have its errors.
describe('a REST API', () => {
  // The escapes: aws-answers/apigateway.json, flattenAPIPolicy of the Terraform provider. The ARN:
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-examples.html
  it('returns its policy with another level of escapes and complete ARNs', async () => {
    const statement = { Effect: 'Allow', Principal: '*', Action: 'execute-api:Invoke' };
    const policyOf = (Resource: string) => ({
      Version: '2012-10-17',
      Statement: [{ ...statement, Resource, Condition: { StringEquals: { 'aws:UserAgent': 'a"\\b' } } }],
    });
    const made = await api.createRestApi({
      name: 'p',
      policy: JSON.stringify(policyOf('execute-api:/*'), undefined, 2),
    });
    const restApiId = made.id!;
    const text = JSON.stringify(policyOf(`arn:aws:execute-api:us-east-1:${account}:${restApiId}/*`));
    expect(JSON.parse(`"${made.policy}"`)).toBe(text);
    expect(made.policy).toContain(String.raw`{\"Version\":\"2012-10-17\"`);
    expect(made.policy).toContain(String.raw`${restApiId}\/*\"`);
    expect((await api.getRestApi({ restApiId })).policy).toBe(made.policy);
    await api.deleteRestApi({ restApiId });
  });

  it('is created with defaults, changed and deleted', async () => {
    const made = await api.createRestApi({ name: 'a', policy: '', tags: { team: 'x', _custom_id_: 'mine' } });
    expect(made.policy).toBeUndefined();
    expect(made).toMatchObject({
      id: 'mine',
      apiKeySource: 'HEADER',
      disableExecuteApiEndpoint: false,
      endpointConfiguration: { ipAddressType: 'ipv4', types: ['EDGE'] },
    });
    const restApiId = 'mine';
    const update = (...patchOperations: PatchOperation[]) => api.updateRestApi({ restApiId, patchOperations });
    await update(
      { op: 'add', path: '/binaryMediaTypes/image~1png' },
      replace('/endpointConfiguration/types/EDGE', 'PRIVATE'),
    );
    expect(await api.getRestApi({ restApiId })).toMatchObject({
      binaryMediaTypes: ['image/png'],
      endpointConfiguration: { types: ['PRIVATE'], ipAddressType: 'dualstack' },
    });
    expect(await errorOf(update(replace('/name', 'b'), replace('/binaryMediaTypes', 'x')))).toEqual([
      'BadRequestException',
      'Invalid patch path /binaryMediaTypes',
    ]);
    expect((await api.getRestApi({ restApiId })).name).toBe('a');
    const refusals: [PatchOperation, string][] = [
      [
        replace('/endpointConfiguration/ipAddressType', 'ipv4'),
        'Only dualstack ipAddressType is supported for Private APIs.',
      ],
      [replace('/endpointConfiguration/ipAddressType', 'x'), 'ipAddressType must be either ipv4 or dualstack.'],
      [
        replace('/endpointConfiguration/types/PRIVATE', 'x'),
        'Invalid EndpointTypes specified. Valid options are REGIONAL,EDGE,PRIVATE',
      ],
      [replace('/minimumCompressionSize', '-1'), 'Invalid minimum compression size, must be between 0 and 10485760'],
      [
        { op: 'add', path: '/minimumCompressionSize', value: '1' },
        'Invalid patch operation specified. Must be one of: [replace]',
      ],
      [replace('/description', ''), 'Description cannot be an empty string'],
    ];
    for (const [operation, message] of refusals)
      expect(await errorOf(update(operation))).toEqual(['BadRequestException', message]);
    expect((await api.getModels({ restApiId })).items!.map(({ name }) => name)).toEqual(['Empty', 'Error']);
    await api.deleteRestApi({ restApiId });
    expect(await errorOf(api.getRestApi({ restApiId }))).toEqual([
      'NotFoundException',
      `Invalid API identifier specified ${account}:mine`,
    ]);
  });

  it('is cloned with all of its parts', async () => {
    const { restApiId } = await mockApi(api, { name: 'source', part: 'cats' });
    const { id } = await api.createRestApi({ name: 'copy', cloneFrom: restApiId });
    const { items } = await api.getResources({ restApiId: id, embed: ['methods'] });
    expect(items!.map(({ path }) => path).sort()).toEqual(['/', '/cats']);
    expect(items!.find(({ path }) => path === '/cats')!.resourceMethods!.GET!.methodIntegration!.type).toBe('MOCK');
  });

  it('is listed in pages', async () => {
    const names = new Set<string>();
    let position: string | undefined;
    do {
      const page = await api.getRestApis({ limit: 1, position });
      for (const { id } of page.items ?? []) names.add(id!);
      position = page.position;
    } while (position);
    expect(names.size).toBeGreaterThan(1);
    expect(await errorOf(api.getRestApis({ position: 'x' }))).toEqual([
      'BadRequestException',
      'Invalid position parameter specified',
    ]);
  });
});

it('a base path has one level, and a domain name is created once', async () => {
  const { id: restApiId } = await api.createRestApi({ name: 'mapped' });
  const domain = {
    domainName: 'levels.example.com',
    regionalCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/c',
    endpointConfiguration: { types: ['REGIONAL' as const] },
  };
  await api.createDomainName(domain);
  expect(await errorOf(api.createDomainName(domain))).toEqual([
    'BadRequestException',
    'The domain name you provided already exists.',
  ]);
  // https://github.com/hashicorp/terraform-provider-aws/issues/21986
  for (const basePath of ['v1/shop', '/v1'])
    expect(await errorOf(api.createBasePathMapping({ domainName: domain.domainName, basePath, restApiId }))).toEqual([
      'BadRequestException',
      "API Gateway V1 doesn't support the slash character (/) in base path mappings. To create a multi-level base path mapping, use API Gateway V2.",
    ]);
});

describe('a resource', () => {
  it('moves with its descendants and rejects duplicates', async () => {
    const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'tree' });
    const create = (parentId: string | undefined, pathPart: string) =>
      api.createResource({ restApiId, parentId, pathPart });
    const pets = await create(rootResourceId, 'pets');
    const one = await create(pets.id, '{id}');
    const update = (resourceId: string | undefined, ...patchOperations: PatchOperation[]) =>
      api.updateResource({ restApiId, resourceId, patchOperations });
    await update(pets.id, replace('/pathPart', 'dogs'));
    expect((await api.getResource({ restApiId, resourceId: one.id })).path).toBe('/dogs/{id}');
    const proxy = await create(rootResourceId, '{proxy+}');
    const refusals: [Promise<unknown>, string, string][] = [
      [
        create(rootResourceId, 'dogs'),
        'ConflictException',
        'Another resource with the same parent already has this name: dogs',
      ],
      [
        create(rootResourceId, '{other}'),
        'BadRequestException',
        'A sibling ({proxy+}) of this resource already has a variable path part -- only one is allowed',
      ],
      [
        create(proxy.id, 'x'),
        'BadRequestException',
        'Cannot create a child of a resource with a greedy path variable: {proxy+}',
      ],
      [create('none', 'x'), 'NotFoundException', 'Invalid Resource identifier specified'],
      // https://github.com/getmoto/moto/issues/6148
      ...['a b', '~a', 'a+', '{a', '{a}.json', ''].map((part): [Promise<unknown>, string, string] => [
        create(rootResourceId, part),
        'BadRequestException',
        "Resource's path part only allow a-zA-Z0-9._-: or a valid greedy path variable and curly braces at the beginning and the end.",
      ]),
      [update(pets.id, replace('/parentId', one.id)), 'BadRequestException', 'Resources cannot be cyclical.'],
      [
        update(rootResourceId, replace('/pathPart', 'x')),
        'BadRequestException',
        'Root resource cannot update its pathPart.',
      ],
      [
        update(pets.id, replace('/invalid', 'x')),
        'BadRequestException',
        "Invalid patch path  '/invalid' specified for op 'replace'. Must be one of: [/parentId, /pathPart]",
      ],
      [
        update(pets.id, { op: 'remove', path: '/pathPart' }),
        'BadRequestException',
        "Invalid patch path  '/pathPart' specified for op 'remove'. Please choose supported operations",
      ],
    ];
    const errors = await Promise.all(refusals.map(([running]) => errorOf(running)));
    expect(errors).toEqual(refusals.map(([, code, message]) => [code, message]));
    await api.deleteResource({ restApiId, resourceId: pets.id });
    expect(await errorOf(api.getResource({ restApiId, resourceId: one.id }))).toEqual([
      'NotFoundException',
      'Invalid Resource identifier specified',
    ]);
  });
});

describe('a method', () => {
  it('is changed by patches of every kind', async () => {
    const place = await mockApi(api);
    const { restApiId } = place;
    const method = await api.updateMethod({
      ...place,
      patchOperations: [
        { op: 'add', path: '/requestParameters/method.request.header.X', value: 'true' },
        { op: 'add', path: '/requestModels/application~1json', value: 'Empty' },
        replace('/apiKeyRequired', 'true'),
        replace('/operationName', 'list'),
      ],
    });
    expect(method).toMatchObject({
      requestParameters: { 'method.request.header.X': true },
      requestModels: { 'application/json': 'Empty' },
      apiKeyRequired: true,
      operationName: 'list',
    });
    const refusals: [Promise<unknown>, string, string][] = [
      [
        api.putMethod({ ...place, authorizationType: 'NONE' }),
        'ConflictException',
        'Method already exists for this resource',
      ],
      [
        api.putMethod({ ...place, httpMethod: 'WRONG', authorizationType: 'NONE' }),
        'BadRequestException',
        'Invalid HttpMethod specified. Valid options are GET,PUT,POST,DELETE,PATCH,OPTIONS,HEAD,ANY',
      ],
      [
        api.putMethod({ ...place, httpMethod: 'PUT', authorizationType: 'CUSTOM' }),
        'BadRequestException',
        'Invalid authorizer ID specified. Setting the authorization type to CUSTOM or COGNITO_USER_POOLS requires a valid authorizer.',
      ],
      [
        api.putMethod({
          ...place,
          httpMethod: 'PUT',
          authorizationType: 'NONE',
          requestModels: { 'application/json': 'None' },
        }),
        'BadRequestException',
        'Invalid model identifier specified: None',
      ],
      [
        api.updateMethod({ ...place, patchOperations: [replace('/httpMethod', 'PUT')] }),
        'BadRequestException',
        'Invalid patch path /httpMethod',
      ],
      [
        api.updateMethod({
          ...place,
          patchOperations: [{ op: 'add', path: '/requestModels/application/json', value: 'x' }],
        }),
        'BadRequestException',
        'Invalid patch path /requestModels/application/json',
      ],
      [
        api.deleteModel({ restApiId, modelName: 'Empty' }),
        'ConflictException',
        "Cannot delete model 'Empty', is referenced in method request: /pets/GET",
      ],
      [
        api.putMethodResponse({ ...place, statusCode: '200' }),
        'ConflictException',
        'Response already exists for this resource',
      ],
      [
        api.getMethodResponse({ ...place, statusCode: '500' }),
        'NotFoundException',
        'Invalid Response status code specified',
      ],
      [api.getMethod({ ...place, httpMethod: 'PUT' }), 'NotFoundException', 'Invalid Method identifier specified'],
    ];
    const errors = await Promise.all(refusals.map(([running]) => errorOf(running)));
    expect(errors).toEqual(refusals.map(([, code, message]) => [code, message]));
    await api.updateMethodResponse({
      ...place,
      statusCode: '200',
      patchOperations: [{ op: 'add', path: '/responseParameters/method.response.header.Y', value: 'true' }],
    });
    expect((await api.getMethodResponse({ ...place, statusCode: '200' })).responseParameters).toEqual({
      'method.response.header.Y': true,
    });
    await api.deleteMethodResponse({ ...place, statusCode: '200' });
    await api.deleteMethod(place);
    expect((await api.getResource({ restApiId, resourceId: place.resourceId })).resourceMethods).toBeUndefined();
  });

  it('validates its integration', async () => {
    const place = await mockApi(api);
    const put = (input: object) => api.putIntegration({ ...place, type: 'HTTP', ...input } as never);
    const responseParameters = { 'method.response.header.X': "'x'" };
    const respond = (statusCode: string) => api.putIntegrationResponse({ ...place, statusCode, responseParameters });
    const lambda =
      'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:1:function:f/invocations';
    const refusals: [Promise<unknown>, string, string][] = [
      [put({ uri: 'http://a' }), 'BadRequestException', 'Enumeration value for HttpMethod must be non-empty'],
      [
        put({ integrationHttpMethod: 'GET', uri: 'non-sense' }),
        'BadRequestException',
        'Invalid HTTP endpoint specified for URI',
      ],
      [
        put({ type: 'AWS', integrationHttpMethod: 'POST', uri: 'x' }),
        'BadRequestException',
        'Invalid ARN specified in the request',
      ],
      [
        put({ type: 'AWS', integrationHttpMethod: 'POST', uri: 'arn:aws:iam::0:role/x' }),
        'BadRequestException',
        'AWS ARN for integration must contain path or action',
      ],
      [
        put({ type: 'AWS', integrationHttpMethod: 'POST', uri: 'arn:aws:apigateway:us-east-1:s3:path/b/k' }),
        'BadRequestException',
        'Role ARN must be specified for AWS integrations',
      ],
      [
        put({ type: 'AWS_PROXY', integrationHttpMethod: 'POST', uri: 'arn:aws:apigateway:us-east-1:s3:path/b/k' }),
        'BadRequestException',
        "Integrations of type 'AWS_PROXY' currently only supports Lambda function and Firehose stream invocations.",
      ],
      [
        put({
          type: 'AWS_PROXY',
          integrationHttpMethod: 'POST',
          uri: 'arn:aws:apigateway:us-east-1:firehose:action/PutRecord',
        }),
        'NotImplemented',
        'emu does not implement proxy integrations with Firehose streams.',
      ],
      [
        put({ type: 'MOCK', requestParameters: { 'integration.request.header.X': 'true' } }),
        'BadRequestException',
        'Invalid mapping expression specified: Validation Result: warnings : [], errors : [Invalid mapping expression specified: true]',
      ],
      // https://github.com/aws/aws-cdk/issues/17318
      [
        put({ type: 'MOCK', requestParameters: { 'integration.request.path.a': 'method.request.path.page' } }),
        'BadRequestException',
        'Invalid mapping expression specified: Validation Result: warnings : [], errors : [Invalid mapping expression parameter specified: method.request.path.page]',
      ],
      [
        api.getIntegrationResponse({ ...place, statusCode: '500' }),
        'NotFoundException',
        'Invalid Response status code specified',
      ],
      [
        api.putIntegrationResponse({ ...place, statusCode: '200', responseTemplates: { '123': 'x' } }),
        'BadRequestException',
        'Validation Result: warnings : [], errors : [Invalid content type specified: 123]',
      ],
      // https://github.com/awslabs/aws-solutions-constructs/issues/1130
      [
        respond('200'),
        'BadRequestException',
        'Invalid mapping expression specified: Validation Result: warnings : [], errors : [Invalid mapping expression parameter specified: method.response.header.X]',
      ],
      // https://github.com/amazon-archives/aws-apigateway-importer/issues/121
      [
        respond('401'),
        'BadRequestException',
        'Invalid mapping expression specified: Validation Result: warnings : [], errors : [No method response exists for method.]',
      ],
    ];
    const errors = await Promise.all(refusals.map(([running]) => errorOf(running)));
    expect(errors).toEqual(refusals.map(([, code, message]) => [code, message]));
    const integration = await put({ type: 'AWS_PROXY', integrationHttpMethod: 'POST', uri: lambda });
    expect(integration).toMatchObject({
      timeoutInMillis: 29_000,
      passthroughBehavior: 'WHEN_NO_MATCH',
      cacheNamespace: place.resourceId,
      cacheKeyParameters: [],
    });
    const changed = await api.updateIntegration({
      ...place,
      patchOperations: [
        replace('/timeoutInMillis', '50'),
        { op: 'add', path: '/cacheKeyParameters/method.request.querystring.q' },
      ],
    });
    expect(changed).toMatchObject({ timeoutInMillis: 50, cacheKeyParameters: ['method.request.querystring.q'] });
    await api.deleteIntegration(place);
    expect(await errorOf(api.getIntegration(place))).toEqual([
      'NotFoundException',
      'Invalid Integration identifier specified',
    ]);
  });
});

describe('a stage', () => {
  it('is changed by its valid patch paths only', async () => {
    const { restApiId } = await mockApi(api);
    const { id: deploymentId } = await api.createDeployment({ restApiId });
    const made = await api.createStage({ restApiId, stageName: 'dev', deploymentId });
    expect(made).toMatchObject({
      cacheClusterEnabled: false,
      cacheClusterStatus: 'NOT_AVAILABLE',
      methodSettings: {},
      tracingEnabled: false,
    });
    const update = (...patchOperations: PatchOperation[]) =>
      api.updateStage({ restApiId, stageName: 'dev', patchOperations });
    const stage = await update(
      replace('/*/*/throttling/burstLimit', '7'),
      replace('/~1pets/GET/caching/ttlInSeconds', '30'),
      { op: 'replace', path: '/variables/v', value: '1' },
    );
    expect(stage.methodSettings).toMatchObject({
      '*/*': { throttlingBurstLimit: 7, cacheTtlInSeconds: 300 },
      'pets/GET': { cacheTtlInSeconds: 30 },
    });
    expect(stage.variables).toEqual({ v: '1' });
    const none = (path: string) =>
      `Cannot remove method setting ${path} because there is no method setting for this method `;
    const refusals: [PatchOperation, string | RegExp][] = [
      [replace('/tags/tag1', 'x'), /^Invalid method setting path: \/tags\/tag1\. Must be one of: \[\/deploymentId, /],
      [{ op: 'remove', path: '/a/GET' }, none('a/GET')],
      [{ op: 'remove', path: '/accessLogSettings/*' }, none('accessLogSettings/*')],
      [
        replace('/accessLogSettings/x', 'x'),
        'Invalid accessLogSettings path. Must be one of : [/accessLogSettings/destinationArn, /accessLogSettings/format]',
      ],
      [replace('/accessLogSettings/format', ''), 'Access Log value must not be empty'],
      [replace('/deploymentId', 'none'), 'Deployment id does not exist'],
      [
        { op: 'add', path: '/canarySettings/deploymentId', value: deploymentId },
        'Invalid add operation with path: /canarySettings/deploymentId',
      ],
      [
        { op: 'copy', from: '/canarySettings/deploymentId', path: '/deploymentId' },
        'Promotion not available. Canary does not exist.',
      ],
    ];
    for (const [operation, message] of refusals) {
      const [code, said] = await errorOf(update(operation));
      expect([code, said]).toEqual([
        'BadRequestException',
        typeof message === 'string' ? message : expect.stringMatching(message),
      ]);
    }
    await update({ op: 'remove', path: '/*/*' });
    expect(Object.keys((await api.getStage({ restApiId, stageName: 'dev' })).methodSettings!)).toEqual(['pets/GET']);
    expect(await errorOf(api.deleteDeployment({ restApiId, deploymentId }))).toEqual([
      'BadRequestException',
      'Active stages pointing to this deployment must be moved or deleted',
    ]);
    await api.deleteStage({ restApiId, stageName: 'dev' });
    await api.deleteDeployment({ restApiId, deploymentId });
    expect((await api.getDeployments({ restApiId })).items).toEqual([]);
  });

  it('rejects an empty deployment', async () => {
    const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'empty' });
    expect(await errorOf(api.createDeployment({ restApiId }))).toEqual([
      'BadRequestException',
      "The REST API doesn't contain any methods",
    ]);
    await api.putMethod({ restApiId, resourceId: rootResourceId, httpMethod: 'GET', authorizationType: 'NONE' });
    expect(await errorOf(api.createDeployment({ restApiId }))).toEqual([
      'BadRequestException',
      'No integration defined for method',
    ]);
  });
});

describe('other resources', () => {
  it('validators, models and documentation', async () => {
    const { id: restApiId } = await api.createRestApi({ name: 'parts' });
    const { id: requestValidatorId } = await api.createRequestValidator({ restApiId, name: 'v' });
    await api.updateRequestValidator({
      restApiId,
      requestValidatorId,
      patchOperations: [replace('/validateRequestBody', 'true')],
    });
    expect(await api.getRequestValidator({ restApiId, requestValidatorId })).toMatchObject({
      name: 'v',
      validateRequestBody: true,
      validateRequestParameters: false,
    });
    expect(
      await errorOf(
        api.updateRequestValidator({ restApiId, requestValidatorId, patchOperations: [replace('/name', '')] }),
      ),
    ).toEqual(['BadRequestException', 'Request Validator name cannot be blank']);
    await api.deleteRequestValidator({ restApiId, requestValidatorId });
    expect(await errorOf(api.getRequestValidator({ restApiId, requestValidatorId }))).toEqual([
      'NotFoundException',
      'Invalid Request Validator identifier specified',
    ]);
    const model = { restApiId, contentType: 'application/json' };
    expect(await errorOf(api.createModel({ ...model, name: 'M', schema: '' }))).toEqual([
      'BadRequestException',
      'Model schema must have at least 1 property or array items defined',
    ]);
    // https://docs.aws.amazon.com/apigateway/latest/api/API_CreateModel.html: "Must be alphanumeric", with the message
    // that an import shows.
    expect(await errorOf(api.createModel({ ...model, name: 'M_1', schema: '{}' }))).toEqual([
      'BadRequestException',
      'Model name must be alphanumeric: M_1',
    ]);
    await api.createModel({ ...model, name: 'M', schema: '{"type":"object","properties":{"a":{"type":"string"}}}' });
    const ref = JSON.stringify({
      type: 'array',
      items: { $ref: `https://apigateway.amazonaws.com/restapis/${restApiId}/models/M` },
    });
    await api.createModel({ ...model, name: 'L', schema: ref });
    expect(JSON.parse((await api.getModel({ restApiId, modelName: 'L', flatten: true })).schema!)).toMatchObject({
      items: { $ref: '#/definitions/M' },
      definitions: { M: { type: 'object' } },
    });
    expect((await api.getModelTemplate({ restApiId, modelName: 'M' })).value).toContain('"a" : "$inputRoot.a"');
    const part = await api.createDocumentationPart({
      restApiId,
      location: { type: 'METHOD', path: '/a' },
      properties: '{"d":1}',
    });
    expect(part.location).toEqual({ type: 'METHOD', path: '/a', method: '*' });
    const empty = { path: '', method: '', statusCode: '', name: '' };
    for (const [type, location] of [
      ['API', { type: 'API' }],
      ['RESPONSE', { type: 'RESPONSE', path: '/', method: '*', statusCode: '*' }],
    ] as const) {
      const made = await api.createDocumentationPart({ restApiId, location: { type, ...empty }, properties: '{}' });
      expect(made.location).toEqual(location);
      await api.deleteDocumentationPart({ restApiId, documentationPartId: made.id! });
    }
    await api.createDocumentationVersion({ restApiId, documentationVersion: '1' });
    await api.updateDocumentationVersion({
      restApiId,
      documentationVersion: '1',
      patchOperations: [replace('/description', 'd')],
    });
    expect((await api.getDocumentationVersion({ restApiId, documentationVersion: '1' })).description).toBe('d');
    expect((await api.getDocumentationParts({ restApiId, type: 'METHOD' })).items).toHaveLength(1);
    expect((await api.getDocumentationParts({ restApiId, type: 'API' })).items).toEqual([]);
  });

  it('gateway responses with their defaults', async () => {
    const { id: restApiId } = await api.createRestApi({ name: 'responses' });
    expect((await api.getGatewayResponses({ restApiId })).items).toHaveLength(21);
    const missing = { restApiId, responseType: 'MISSING_AUTHENTICATION_TOKEN' } as const;
    expect(await api.getGatewayResponse(missing)).toMatchObject({ defaultResponse: true, statusCode: '403' });
    await api.putGatewayResponse({ restApiId, responseType: 'DEFAULT_4XX', statusCode: '499' });
    expect(await api.getGatewayResponse(missing)).toMatchObject({ defaultResponse: true, statusCode: '499' });
    const update = (...patchOperations: PatchOperation[]) => api.updateGatewayResponse({ ...missing, patchOperations });
    expect(await update(replace('/statusCode', '401'))).toMatchObject({ defaultResponse: false, statusCode: '401' });
    expect(await errorOf(update({ op: 'add', path: '/statusCode', value: '1' }))).toEqual([
      'BadRequestException',
      'Invalid patch path /statusCode',
    ]);
    expect(await errorOf(update({ op: 'replace' }))).toEqual(['BadRequestException', 'Invalid patch path null']);
    expect(await errorOf(update(replace('/responseParameters/gatewayresponse.header.x', 'x')))).toEqual([
      'NotFoundException',
      'Invalid parameter name specified',
    ]);
    await api.deleteGatewayResponse(missing);
    expect(await errorOf(api.deleteGatewayResponse(missing))).toEqual([
      'NotFoundException',
      'Gateway response type not defined on api',
    ]);
  });

  it('keys, plans and their errors', async () => {
    const refusals: [Promise<unknown>, string, string][] = [
      [
        api.createApiKey({ name: 'x'.repeat(1025) }),
        'BadRequestException',
        'Invalid API Key name, can be at most 1024 characters.',
      ],
      [api.createApiKey({ value: 'short' }), 'BadRequestException', 'API Key value should be at least 20 characters'],
      [
        api.createApiKey({ value: 'x'.repeat(129) }),
        'BadRequestException',
        'API Key value exceeds maximum size of 128 characters',
      ],
      [
        api.updateUsagePlan({ usagePlanId: 'none', patchOperations: [] }),
        'NotFoundException',
        'Invalid Usage Plan ID specified',
      ],
    ];
    const errors = await Promise.all(refusals.map(([running]) => errorOf(running)));
    expect(errors).toEqual(refusals.map(([, code, message]) => [code, message]));
    const { ids } = await api.importApiKeys({
      format: 'csv',
      body: Buffer.from('Name,key,description,Enabled\n"a, b",aaaaaaaaaaaaaaaaaaaaaaaa,d,TRUE\n'),
    });
    expect(await api.getApiKey({ apiKey: ids![0], includeValue: true })).toMatchObject({
      name: 'a, b',
      value: 'aaaaaaaaaaaaaaaaaaaaaaaa',
      enabled: true,
    });
    const { id: usagePlanId } = await api.createUsagePlan({ name: 'p' });
    const update = (...patchOperations: PatchOperation[]) => api.updateUsagePlan({ usagePlanId, patchOperations });
    expect(
      await update(
        replace('/throttle/burstLimit', '100'),
        replace('/throttle/rateLimit', '200'),
        replace('/quota/limit', '5000'),
        replace('/quota/period', 'MONTH'),
      ),
    ).toMatchObject({
      quota: { limit: 5000, offset: 0, period: 'MONTH' },
      throttle: { burstLimit: 100, rateLimit: 200 },
    });
    expect(await errorOf(update({ op: 'add', path: '/apiStages' }))).toEqual([
      'BadRequestException',
      'Invalid API Stage specified',
    ]);
    expect(await errorOf(update({ op: 'add', path: '/apiStages', value: 'none:dev' }))).toEqual([
      'NotFoundException',
      `Invalid API Stage {api: none, stage: dev} specified for usageplan ${usagePlanId}`,
    ]);
    const apiKey = ids![0]!;
    expect(await errorOf(api.updateApiKey({ apiKey, patchOperations: [replace('/id', 'x')] }))).toEqual([
      'BadRequestException',
      "Invalid patch path  '/id' specified for op 'replace'. Must be one of: [/description, /enabled, /name, /customerId]",
    ]);
    await api.createUsagePlanKey({ usagePlanId, keyId: apiKey, keyType: 'API_KEY' });
    expect((await api.getUsagePlans({ keyId: apiKey })).items).toHaveLength(1);
    await api.deleteApiKey({ apiKey });
    expect((await api.getUsagePlanKeys({ usagePlanId })).items).toEqual([]);
  });

  it('tags all taggable resources', async () => {
    const { id } = await api.createRestApi({ name: 't', tags: { a: '1' } });
    const resourceArn = `arn:aws:apigateway:us-east-1::/restapis/${id}`;
    await api.tagResource({ resourceArn, tags: { b: '2' } });
    await api.untagResource({ resourceArn, tagKeys: ['a'] });
    expect((await api.getTags({ resourceArn })).tags).toEqual({ b: '2' });
    expect((await api.getRestApi({ restApiId: id })).tags).toEqual({ b: '2' });
    expect((await errorOf(api.getTags({ resourceArn: `${resourceArn}x` })))[0]).toBe('NotFoundException');
  });

  it('accepts the account of the caller and an empty region in ARNs of tagged resources', async () => {
    const { id } = await api.createRestApi({ name: 't', tags: { a: '1' } });
    const domainName = 'tags.example.com';
    const regionalCertificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
    const endpointConfiguration = { types: ['REGIONAL' as const] };
    await api.createDomainName({ domainName, regionalCertificateArn, endpointConfiguration, tags: { a: '1' } });
    for (const path of [`/restapis/${id}`, `/domainnames/${domainName}`]) {
      for (const place of ['us-east-1:', 'us-east-1:123456789012', ':', ':123456789012']) {
        const resourceArn = `arn:aws:apigateway:${place}:${path}`;
        await api.tagResource({ resourceArn, tags: { b: place } });
        expect((await api.getTags({ resourceArn })).tags).toEqual({ a: '1', b: place });
        await api.untagResource({ resourceArn, tagKeys: ['b'] });
      }
      for (const place of ['us-east-1:210987654321', 'eu-west-1:', 'eu-west-1:123456789012', ':210987654321'])
        expect(await errorOf(api.getTags({ resourceArn: `arn:aws:apigateway:${place}:${path}` }))).toEqual([
          'NotFoundException',
          'Invalid resource ARN specified',
        ]);
    }
  });

  it('VPC links, client certificates and associations', async () => {
    expect(await errorOf(api.createVpcLink({ name: '', targetArns: ['x'] }))).toEqual([
      'BadRequestException',
      'Name cannot be empty',
    ]);
    expect(await errorOf(api.createVpcLink({ name: 'x', targetArns: ['invalid-arn'] }))).toEqual([
      'BadRequestException',
      'Invalid ARN. ARN is not well formed invalid-arn',
    ]);
    const target = 'arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/a/b';
    expect(await errorOf(api.createVpcLink({ name: 'x', targetArns: [target, target] }))).toEqual([
      'BadRequestException',
      'More than one target arn specified for vpc link.',
    ]);
    const link = await api.createVpcLink({ name: 'x', targetArns: [target] });
    const patchOperations = [{ op: 'replace', path: '/targetArns/0', value: target }] as const;
    expect(await errorOf(api.updateVpcLink({ vpcLinkId: link.id, patchOperations: [...patchOperations] }))).toEqual([
      'BadRequestException',
      'Target arns are not allowed to be changed/added.',
    ]);
    await api.deleteVpcLink({ vpcLinkId: link.id });
    expect(await errorOf(api.getVpcLink({ vpcLinkId: 'none' }))).toEqual([
      'NotFoundException',
      'Invalid Vpc Link identifier specified',
    ]);
    const { clientCertificateId, pemEncodedCertificate } = await api.generateClientCertificate({});
    expect(pemEncodedCertificate).toContain('BEGIN CERTIFICATE');
    await api.deleteClientCertificate({ clientCertificateId });
    const { domainNameArn } = await api.createDomainName({
      domainName: 'p.example.com',
      endpointConfiguration: { types: ['PRIVATE'] },
    });
    const association = {
      domainNameArn,
      accessAssociationSourceType: 'VPCE',
      accessAssociationSource: 'vpce-1',
    } as const;
    const { domainNameAccessAssociationArn } = await api.createDomainNameAccessAssociation(association);
    expect((await api.getDomainNameAccessAssociations({})).items).toHaveLength(1);
    await api.rejectDomainNameAccessAssociation({ domainNameAccessAssociationArn, domainNameArn });
    expect((await api.getDomainNameAccessAssociations({})).items).toEqual([]);
  });
});

it('recorded errors of endpoints without types and of unknown response models', async () => {
  expect(await errorOf(api.createRestApi({ name: 'none', endpointConfiguration: { types: [] } }))).toEqual([
    'BadRequestException',
    'REGIONAL Configuration and EDGE Configuration cannot be both DISABLED.',
  ]);
  const place = { ...(await mockApi(api)), statusCode: '200' };
  const remove = (path: string) => api.updateMethodResponse({ ...place, patchOperations: [{ op: 'remove', path }] });
  expect(await errorOf(remove('/responseModels/application~1json'))).toEqual([
    'NotFoundException',
    'Content-Type specified was not found',
  ]);
  expect(await errorOf(remove('/responseParameters/method.response.header.a'))).toEqual([
    'NotFoundException',
    'Invalid parameter name specified',
  ]);
  expect(await errorOf(remove('/wrong/method.response.header.a'))).toEqual([
    'BadRequestException',
    'Invalid patch path /wrong/method.response.header.a',
  ]);
});
