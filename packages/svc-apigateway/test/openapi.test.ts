import type { APIGateway } from '@aws-sdk/client-api-gateway';
import type { TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, errorOf, start } from './support.ts';

let emulator: TestEmulator;
let api: APIGateway;

beforeAll(async () => {
  ({ emulator, api } = await start());
});
afterAll(() => emulator.close());

const authorizerUri =
  'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:123456789012:function:a/invocations';

const V3 = `
openapi: 3.0.1
info: { title: pets, version: '7', description: all of them }
servers:
  - url: https://x.example.com/{basePath}
    variables: { basePath: { default: base/path } }
x-amazon-apigateway-request-validators: { body: { validateRequestBody: true, validateRequestParameters: false } }
x-amazon-apigateway-binary-media-types: [image/png]
x-amazon-apigateway-gateway-responses:
  MISSING_AUTHENTICATION_TOKEN: { statusCode: 404 }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    post:
      operationId: putPet
      x-amazon-apigateway-request-validator: body
      parameters: [{ name: q, in: query, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses:
        '200': { description: ok, headers: { X-H: { schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      x-amazon-apigateway-integration:
        type: mock
        requestTemplates: { application/json: '{"statusCode": 200}' }
        responses: { default: { statusCode: 200, responseParameters: { method.response.header.X-H: "'h'" }, responseTemplates: { application/json: '{"id": "$input.params(''id'')"}' } } }
  /closed:
    x-amazon-apigateway-any-method:
      security: [{ own: [] }, { api_key: [] }]
      responses: {}
      x-amazon-apigateway-integration: { type: mock }
components:
  schemas:
    Name: { type: string, minLength: 2 }
    Pet: { type: object, required: [name], properties: { name: { $ref: '#/components/schemas/Name' } } }
  securitySchemes:
    api_key: { type: apiKey, name: x-api-key, in: header }
    own: { type: apiKey, name: Authorization, in: header, x-amazon-apigateway-authtype: custom, x-amazon-apigateway-authorizer: { type: token, authorizerUri: '${authorizerUri}', authorizerResultTtlInSeconds: 60 } }
`;

const paths = async (restApiId: string) =>
  (await api.getResources({ restApiId })).items!.map(({ path }) => path).sort();

it('an OpenAPI document becomes a working API', async () => {
  const { id, name, version, binaryMediaTypes } = await api.importRestApi({ body: Buffer.from(V3) });
  const restApiId = id!;
  expect([name, version, binaryMediaTypes]).toEqual(['pets', '7', ['image/png']]);
  expect(await paths(restApiId)).toEqual(['/', '/closed', '/pets', '/pets/{id}']);
  const { items } = await api.getAuthorizers({ restApiId });
  expect(items).toMatchObject([
    {
      name: 'own',
      type: 'TOKEN',
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: 60,
    },
  ]);
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const post = (body: string) =>
    ask(emulator, { method: 'POST', path: `/_aws/execute-api/${restApiId}/dev/pets/7`, body });
  const good = await post('{"name": "ab"}');
  expect([good.status, good.json, good.headers['x-h']]).toEqual([200, { id: '7' }, 'h']);
  expect((await post('{"name": "a"}')).status).toBe(400);
  expect((await ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/closed` })).status).toBe(401);
  expect((await ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/none` })).status).toBe(404);
});

it.each(['swagger', 'oas30'])('an export as %s, imported again, is the same API', async (exportType) => {
  const { id: restApiId } = await api.importRestApi({ body: Buffer.from(V3) });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const exported = async (id: string, accepts: string) =>
    Buffer.from(
      (
        await api.getExport({
          restApiId: id,
          stageName: 'dev',
          exportType,
          accepts,
          parameters: { extensions: 'apigateway' },
        })
      ).body!,
    ).toString();
  const first = await exported(restApiId!, 'application/json');
  const again = await api.importRestApi({ body: Buffer.from(await exported(restApiId!, 'application/yaml')) });
  await api.createDeployment({ restApiId: again.id, stageName: 'dev' });
  const second = await exported(again.id!, 'application/json');
  expect(JSON.parse(second.replaceAll(again.id!, restApiId!))).toEqual(JSON.parse(first));
  expect(JSON.parse(first).paths['/closed']['x-amazon-apigateway-any-method'].security).toEqual([
    { own: [] },
    { api_key: [] },
  ]);
});

it('documents replace others or are merged', async () => {
  const { id: restApiId } = await api.importRestApi({ body: Buffer.from(V3) });
  const other = {
    swagger: '2.0',
    info: { title: 'other' },
    basePath: '/one/two',
    paths: { '/x': { get: { responses: {}, 'x-amazon-apigateway-integration': { type: 'mock' } } } },
  };
  const put = (mode: 'merge' | 'overwrite', basepath: string) =>
    api.putRestApi({ restApiId, mode, parameters: { basepath }, body: Buffer.from(JSON.stringify(other)) });
  await put('merge', 'prepend');
  expect(await paths(restApiId!)).toEqual(['/', '/closed', '/one', '/one/two', '/one/two/x', '/pets', '/pets/{id}']);
  expect((await put('overwrite', 'split')).name).toBe('other');
  expect(await paths(restApiId!)).toEqual(['/', '/two', '/two/x']);
});

// SAM passes the number of a template's `swagger: 2.0` on: `globals_for_api` of the translator.
it('accepts a version in JSON that is a number', async () => {
  for (const version of [{ swagger: 2 }, { openapi: 3 }]) {
    const body = Buffer.from(JSON.stringify({ ...version, info: { title: 'numbers' }, paths: {} }));
    expect((await api.importRestApi({ body })).name).toBe('numbers');
  }
});

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/import-api-aws-variables.html */
it('resolves the AWS variables of a document', async () => {
  const variable = (name: string) => ['$', `{AWS::${name}}`].join('');
  const uri = `arn:${variable('Partition')}:apigateway:${variable('Region')}:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${variable('AccountId')}:function:a/invocations`;
  const integration = { type: 'aws_proxy', httpMethod: 'POST', uri };
  const document = {
    swagger: '2.0',
    info: { title: 'v' },
    paths: { '/a': { get: { 'x-amazon-apigateway-integration': integration } } },
  };
  const { id: restApiId } = await api.importRestApi({ body: Buffer.from(JSON.stringify(document)) });
  const { items } = await api.getResources({ restApiId, embed: ['methods'] });
  const { resourceMethods } = items!.find(({ path }) => path === '/a')!;
  expect(resourceMethods!.GET!.methodIntegration!.uri).toBe(authorizerUri);
});

it('a document without a title leaves the name of the API', async () => {
  const { id: restApiId } = await api.createRestApi({ name: 'kept' });
  const body = Buffer.from(JSON.stringify({ swagger: '2.0', paths: { '/a': {} } }));
  expect((await api.putRestApi({ restApiId, mode: 'overwrite', body })).name).toBe('kept');
});

it('an invalid document changes nothing', async () => {
  const { id: restApiId } = await api.importRestApi({ body: Buffer.from(V3) });
  const before = await paths(restApiId!);
  const count = (await api.getRestApis({ limit: 500 })).items!.length;
  for (const body of ['no: [yaml', '{"swagger": "1.2"}', '[1]']) {
    expect(await errorOf(api.importRestApi({ body: Buffer.from(body) }))).toEqual([
      'BadRequestException',
      'Invalid OpenAPI input.',
    ]);
    expect(await errorOf(api.putRestApi({ restApiId, body: Buffer.from(body) }))).toEqual([
      'BadRequestException',
      'Invalid OpenAPI input.',
    ]);
  }
  const broken = {
    swagger: '2.0',
    info: { title: 'x' },
    paths: { '/new': { get: { 'x-amazon-apigateway-integration': { type: 'http', uri: 'x', httpMethod: 'GET' } } } },
  };
  expect((await errorOf(api.putRestApi({ restApiId, body: Buffer.from(JSON.stringify(broken)) })))[0]).toBe(
    'BadRequestException',
  );
  expect((await errorOf(api.importRestApi({ body: Buffer.from(JSON.stringify(broken)) })))[0]).toBe(
    'BadRequestException',
  );
  expect(await paths(restApiId!)).toEqual(before);
  expect((await api.getRestApis({ limit: 500 })).items!.length).toBe(count);
  const odd = { swagger: '2.0', info: { title: 'x' }, paths: {}, definitions: { 'not-a-name': { type: 'object' } } };
  expect((await api.importRestApi({ body: Buffer.from(JSON.stringify(odd)) })).warnings).toHaveLength(1);
  expect((await errorOf(api.importRestApi({ body: Buffer.from(JSON.stringify(odd)), failOnWarnings: true })))[0]).toBe(
    'BadRequestException',
  );
});

// Acceptance tests of the Terraform provider: testAccRestAPIConfig_failOnWarnings.
it('warns about unknown schemas of responses', async () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/ModelThatDoesNotExist' } } };
  const get = { responses: { 200: { description: 'd', content } } };
  const body = Buffer.from(JSON.stringify({ openapi: '3.0.1', info: { title: 'x' }, paths: { '/update': { get } } }));
  const warning =
    "Parse issue: attribute paths.'/update'(get).responses.200.content.schema.#/components/schemas/ModelThatDoesNotExist is missing";
  expect((await api.importRestApi({ body })).warnings).toEqual([warning]);
  expect(await errorOf(api.importRestApi({ body, failOnWarnings: true }))).toEqual([
    'BadRequestException',
    `Warnings found during import:\n\t${warning}`,
  ]);
});

it('reports every invalid path', async () => {
  // https://github.com/serverless/blog/issues/629
  const words =
    "Resource's path part only allow a-zA-Z0-9._-: or a valid greedy path variable and curly braces at the beginning and the end.";
  const body = { swagger: '2.0', info: { title: 'x' }, paths: { '/\\leads': {}, '/ok/{id}': {}, '/\\leads/{id}': {} } };
  expect(await errorOf(api.importRestApi({ body: Buffer.from(JSON.stringify(body)) }))).toEqual([
    'BadRequestException',
    `Errors found during import:\n\tUnable to create resource at path '/\\leads': ${words}`,
  ]);
});

it('reports every invalid integration', async () => {
  const requestParameters = {
    'integration.request.path.id': 'method.request.path.id',
    'integration.request.querystring.all': 'method.request.multivaluequerystring.page',
  };
  const get = (parameters: readonly object[]) => ({
    parameters,
    'x-amazon-apigateway-integration': { type: 'mock', requestParameters },
  });
  const query = { name: 'page', in: 'query', type: 'string' };
  const body = (parameters: readonly object[], more = {}) =>
    Buffer.from(
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'x' },
        paths: { '/pets/{id}': { get: get(parameters), ...more } },
      }),
    );
  const prefix = (method: string) => `Unable to put integration on '${method}' for resource at path '/pets/{id}': `;
  const put = { 'x-amazon-apigateway-integration': { type: 'http', uri: 'x', httpMethod: 'GET' } };
  // https://github.com/amazon-archives/aws-apigateway-importer/issues/197
  expect(await errorOf(api.importRestApi({ body: body([query], { put }) }))).toEqual([
    'BadRequestException',
    [
      'Errors found during import:',
      `${prefix('GET')}Invalid mapping expression specified: Validation Result: warnings : [], errors : [Invalid mapping expression parameter specified: method.request.path.id]`,
      `${prefix('PUT')}Invalid HTTP endpoint specified for URI`,
    ].join('\n\t'),
  ]);
  const path = { name: 'id', in: 'path', required: true, type: 'string' };
  const { id: restApiId } = await api.importRestApi({ body: body([query, path]) });
  const { items = [] } = await api.getResources({ restApiId });
  const resourceId = items.find((item) => item.path === '/pets/{id}')!.id;
  const integration = await api.getIntegration({ restApiId, resourceId, httpMethod: 'GET' });
  expect(integration.requestParameters).toEqual(requestParameters);
  const patchOperations = [
    { op: 'add' as const, path: '/requestParameters/integration.request.header.X', value: 'method.request.header.X' },
  ];
  expect(
    (await errorOf(api.updateIntegration({ restApiId, resourceId, httpMethod: 'GET', patchOperations })))[1],
  ).toContain('Invalid mapping expression parameter specified: method.request.header.X');
});

it('documentation is imported separately', async () => {
  const { id: restApiId } = await api.createRestApi({ name: 'd' });
  const parts = (text: string) =>
    Buffer.from(
      JSON.stringify({ documentationParts: [{ location: { type: 'API' }, properties: { description: text } }] }),
    );
  const { ids } = await api.importDocumentationParts({ restApiId, body: parts('one') });
  const { ids: same } = await api.importDocumentationParts({ restApiId, body: parts('two') });
  expect(same).toEqual(ids);
  expect((await api.getDocumentationPart({ restApiId, documentationPartId: ids![0] })).properties).toBe(
    '{"description":"two"}',
  );
  expect(await errorOf(api.importDocumentationParts({ restApiId, body: Buffer.from('- x: [') }))).toEqual([
    'BadRequestException',
    'Unable to build importer with provided input.',
  ]);
});

it('the response transfer mode survives export and import', async () => {
  const integration = {
    type: 'http_proxy',
    httpMethod: 'GET',
    uri: 'https://a.example',
    responseTransferMode: 'STREAM',
  };
  const operation = { responses: {}, 'x-amazon-apigateway-integration': integration };
  const document = { openapi: '3.0.1', info: { title: 's', version: '1' }, paths: { '/': { get: operation } } };
  const { id: restApiId, rootResourceId: resourceId } = await api.importRestApi({
    body: Buffer.from(JSON.stringify(document)),
  });
  expect(await api.getIntegration({ restApiId, resourceId, httpMethod: 'GET' })).toMatchObject({
    responseTransferMode: 'STREAM',
  });
  await api.createDeployment({ restApiId, stageName: 's' });
  const exported = await api.getExport({
    restApiId,
    stageName: 's',
    exportType: 'oas30',
    parameters: { extensions: 'integrations' },
  });
  const { paths: told } = JSON.parse(Buffer.from(exported.body!).toString());
  expect(told['/'].get['x-amazon-apigateway-integration']).toMatchObject(integration);
});

// Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
const EXTENSIONS = {
  'x-amazon-apigateway-api-key-source': 'AUTHORIZER',
  'x-amazon-apigateway-binary-media-types': ['image/png', 'application/x-own'],
  'x-amazon-apigateway-endpoint-access-mode': 'STRICT',
  'x-amazon-apigateway-gateway-responses': {
    UNAUTHORIZED: {
      statusCode: '418',
      responseParameters: { 'gatewayresponse.header.a': "'b'" },
      responseTemplates: { 'application/json': '{}' },
    },
  },
  'x-amazon-apigateway-minimum-compression-size': 100,
  'x-amazon-apigateway-policy': {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/*' }],
  },
  'x-amazon-apigateway-request-validators': {
    all: { validateRequestBody: true, validateRequestParameters: true },
    none: { validateRequestBody: false, validateRequestParameters: false },
  },
  'x-amazon-apigateway-security-policy': 'TLS_1_2',
};
const ENDPOINT = { disableExecuteApiEndpoint: true, vpcEndpointIds: ['vpce-1', 'vpce-2'] };
const INTEGRATION = {
  type: 'http',
  httpMethod: 'POST',
  uri: 'https://a.example/{id}',
  credentials: 'arn:aws:iam::123456789012:role/any',
  connectionType: 'VPC_LINK',
  connectionId: 'link',
  contentHandling: 'CONVERT_TO_TEXT',
  passthroughBehavior: 'when_no_templates',
  timeoutInMillis: 1000,
  cacheNamespace: 'space',
  cacheKeyParameters: ['method.request.path.id', 'method.request.querystring.q'],
  tlsConfig: { insecureSkipVerification: true },
  requestParameters: { 'integration.request.path.id': 'method.request.path.id' },
  requestTemplates: { 'application/json': '{"a": $input.json("$")}' },
  responses: {
    default: {
      statusCode: '200',
      contentHandling: 'CONVERT_TO_BINARY',
      responseParameters: { 'method.response.header.X-H': "'h'" },
      responseTemplates: { 'application/json': 'ok' },
    },
    '4\\d\\d': { statusCode: '404' },
  },
};
const AUTHORIZERS = {
  token: { type: 'token', authorizerUri, authorizerResultTtlInSeconds: 60, identityValidationExpression: '^x' },
  request: {
    type: 'request',
    authorizerUri,
    authorizerCredentials: 'arn:aws:iam::123456789012:role/any',
    authorizerResultTtlInSeconds: 0,
    identitySource: 'method.request.header.A,method.request.querystring.b',
  },
  pool: {
    type: 'cognito_user_pools',
    providerARNs: ['arn:aws:cognito-idp:us-east-1:123456789012:userpool/us-east-1_a'],
  },
};

function everyExtension(isV3: boolean): object {
  const schema = { $ref: isV3 ? '#/components/schemas/Pet' : '#/definitions/Pet' };
  const typed = isV3 ? { schema: { type: 'string' } } : { type: 'string' };
  const operation = (security: object[], more: object = {}) => ({
    responses: { '200': { description: '200 response' } },
    security,
    'x-amazon-apigateway-integration': { type: 'mock', passthroughBehavior: 'when_no_match' },
    ...more,
  });
  const schemes: Record<string, object> = {
    api_key: { type: 'apiKey', name: 'x-api-key', in: 'header' },
    sigv4: { type: 'apiKey', name: 'Authorization', in: 'header', 'x-amazon-apigateway-authtype': 'awsSigv4' },
  };
  for (const [name, authorizer] of Object.entries(AUTHORIZERS))
    schemes[name] = {
      type: 'apiKey',
      name: name === 'request' ? 'A' : 'Authorization',
      in: 'header',
      'x-amazon-apigateway-authtype': name === 'pool' ? 'cognito_user_pools' : 'custom',
      'x-amazon-apigateway-authorizer': authorizer,
    };
  const schemas = { Pet: { type: 'object', properties: { name: { type: 'string', minLength: 2 } } } };
  const body = isV3
    ? { requestBody: { content: { 'application/json': { schema } } } }
    : { consumes: ['application/json'], produces: ['application/json'] };
  const answer = isV3 ? { content: { 'application/json': { schema } } } : { schema };
  const endpoint = { 'x-amazon-apigateway-endpoint-configuration': ENDPOINT };
  const info = { title: 'every', version: '1', description: 'all of it' };
  return {
    ...(isV3
      ? { openapi: '3.0.1', servers: [{ url: 'https://x.example', ...endpoint }] }
      : { swagger: '2.0', ...endpoint }),
    info,
    paths: {
      '/pets/{id}': {
        post: {
          operationId: 'put',
          'x-amazon-apigateway-request-validator': 'all',
          parameters: [
            { name: 'id', in: 'path', required: true, ...typed },
            { name: 'q', in: 'query', required: true, ...typed },
            { name: 'X-R', in: 'header', required: false, ...typed },
            ...(isV3 ? [] : [{ name: 'Pet', in: 'body', required: true, schema }]),
          ],
          ...body,
          responses: {
            '200': { description: '200 response', headers: { 'X-H': typed }, ...answer },
            '404': { description: '404 response' },
          },
          security: [{ token: [] }, { api_key: [] }],
          'x-amazon-apigateway-integration': INTEGRATION,
        },
        get: operation([{ pool: ['a/b', 'c'] }]),
        put: operation([{ sigv4: [] }]),
        delete: operation([{ request: [] }]),
        'x-amazon-apigateway-any-method': operation([], { 'x-amazon-apigateway-auth': { type: 'AWS_IAM' } }),
      },
    },
    ...(isV3
      ? { components: { schemas, securitySchemes: schemes } }
      : { definitions: schemas, securityDefinitions: schemes }),
    'x-amazon-apigateway-documentation': {
      documentationParts: [{ location: { type: 'API' }, properties: { info: { description: 'documented' } } }],
    },
    ...EXTENSIONS,
  };
}

/** Returns the content of an API without its ids. */
async function contentOf(restApiId: string): Promise<object> {
  const { items: resources } = await api.getResources({ restApiId, embed: ['methods'], limit: 500 });
  const authorizers = (await api.getAuthorizers({ restApiId })).items ?? [];
  const validators = (await api.getRequestValidators({ restApiId })).items ?? [];
  const nameOf = new Map([...authorizers, ...validators].map(({ id, name }) => [id!, name!]));
  const without = <T extends object>(value: T, ...names: string[]): object =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  const { id, rootResourceId, createdDate, policy, $metadata, ...own } = await api.getRestApi({ restApiId });
  const methods = resources!.flatMap(({ path, resourceMethods = {} }) =>
    Object.entries(resourceMethods).map(
      ([name, { authorizerId, requestValidatorId, methodIntegration, ...method }]) => ({
        path,
        name,
        ...method,
        authorizer: authorizerId && nameOf.get(authorizerId),
        validator: requestValidatorId && nameOf.get(requestValidatorId),
        // The default namespace is the id of the resource.
        integration: methodIntegration!.cacheKeyParameters!.length
          ? methodIntegration
          : without(methodIntegration!, 'cacheNamespace'),
      }),
    ),
  );
  return {
    own,
    // Complete ARNs contain the id.
    policy: policy?.replaceAll(restApiId, 'id'),
    methods: methods.sort((a, b) => (`${a.path}${a.name}` < `${b.path}${b.name}` ? -1 : 1)),
    authorizers: authorizers
      .map((one) => without(one, 'id'))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    validators: validators
      .map((one) => without(one, 'id'))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    responses: (await api.getGatewayResponses({ restApiId })).items!.filter(({ defaultResponse }) => !defaultResponse),
    // AWS omits the dialect of a schema.
    models: (await api.getModels({ restApiId })).items!.map(({ name, schema }) => [
      name,
      without(JSON.parse(schema!), '$schema'),
    ]),
    parts: (await api.getDocumentationParts({ restApiId })).items!.map((one) => without(one, 'id')),
  };
}

it.each([
  ['swagger', 'application/json'],
  ['swagger', 'application/yaml'],
  ['oas30', 'application/json'],
  ['oas30', 'application/yaml'],
])('imports and exports every extension: %s as %s', async (exportType, accepts) => {
  const isV3 = exportType === 'oas30';
  const document = everyExtension(isV3);
  const parameters = { endpointConfigurationTypes: 'PRIVATE' };
  const made = await api.importRestApi({ body: Buffer.from(JSON.stringify(document)), parameters });
  const restApiId = made.id!;
  expect(made.warnings).toBeUndefined();
  await api.createDocumentationVersion({ restApiId, documentationVersion: '1' });
  const { id: deploymentId } = await api.createDeployment({ restApiId });
  await api.createStage({ restApiId, stageName: 'dev', deploymentId, documentationVersion: '1' });
  const { body } = await api.getExport({
    restApiId,
    stageName: 'dev',
    exportType,
    accepts,
    parameters: { extensions: 'apigateway' },
  });
  const again = await api.importRestApi({ body: body!, parameters });
  expect(await contentOf(again.id!)).toEqual(await contentOf(restApiId));
  if (accepts === 'application/yaml') return;
  const told = JSON.parse(Buffer.from(body!).toString());
  expect(told).toMatchObject(EXTENSIONS);
  expect((isV3 ? told.servers[0] : told)['x-amazon-apigateway-endpoint-configuration']).toEqual(ENDPOINT);
  expect(told['x-amazon-apigateway-documentation']).toEqual(
    (document as Record<string, unknown>)['x-amazon-apigateway-documentation'],
  );
  const { post } = told.paths['/pets/{id}'];
  expect(post['x-amazon-apigateway-integration']).toEqual(INTEGRATION);
  expect(post['x-amazon-apigateway-request-validator']).toBe('all');
  const schemes = isV3 ? told.components.securitySchemes : told.securityDefinitions;
  for (const [name, authorizer] of Object.entries(AUTHORIZERS))
    expect(schemes[name]['x-amazon-apigateway-authorizer']).toEqual(authorizer);
});

it.each([
  ['', ['paths']],
  ['integrations', ['integration']],
  ['authorizers', ['authorizer']],
  ['integrations,authorizers', ['integration', 'authorizer']],
])('exports the requested extensions: %s', async (extensions) => {
  const { id: restApiId } = await api.importRestApi({ body: Buffer.from(V3) });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const { body } = await api.getExport({
    restApiId,
    stageName: 'dev',
    exportType: 'oas30',
    ...(extensions && { parameters: { extensions } }),
  });
  const text = Buffer.from(body!).toString();
  const has = (name: string) => text.includes(`"x-amazon-apigateway-${name}"`);
  expect([has('integration'), has('authorizer'), has('request-validators')]).toEqual([
    extensions.includes('integrations'),
    extensions.includes('authorizers'),
    false,
  ]);
});

it('inline schemas become models', async () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { $ref: '#/components/schemas/A' } } };
  const document = {
    openapi: '3.0.1',
    info: { title: 'inline', version: '1' },
    paths: {
      '/': {
        post: {
          'x-amazon-apigateway-request-validator': 'body',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { '200': { description: 'ok', content: { 'application/json': { schema: { type: 'array' } } } } },
          'x-amazon-apigateway-integration': {
            type: 'mock',
            requestTemplates: { 'application/json': '{"statusCode": 200}' },
            responses: { default: { statusCode: 200 } },
          },
        },
      },
    },
    components: { schemas: { A: { type: 'string' } } },
    'x-amazon-apigateway-request-validators': { body: { validateRequestBody: true } },
  };
  const { id: restApiId, rootResourceId: resourceId } = await api.importRestApi({
    body: Buffer.from(JSON.stringify(document)),
  });
  const { requestModels, methodResponses } = await api.getMethod({ restApiId, resourceId, httpMethod: 'POST' });
  const name = requestModels!['application/json']!;
  expect([name, methodResponses!['200']!.responseModels!['application/json']]).toEqual([
    expect.stringMatching(/^MODEL[0-9a-f]{6}$/),
    expect.stringMatching(/^MODEL[0-9a-f]{6}$/),
  ]);
  const model = await api.getModel({ restApiId, modelName: name });
  expect(JSON.parse(model.schema!)).toMatchObject({ required: ['a'] });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const post = async (body: string) =>
    (await ask(emulator, { method: 'POST', path: `/_aws/execute-api/${restApiId}/dev/`, body })).status;
  expect([await post('{"a": "b"}'), await post('{"a": 1}'), await post('{}')]).toEqual([200, 400, 400]);
});
