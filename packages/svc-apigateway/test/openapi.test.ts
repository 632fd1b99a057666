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

it('an OpenAPI document becomes an API that answers', async () => {
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

it.each(['swagger', 'oas30'])('what is exported as %s and imported again is the same API', async (exportType) => {
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

it('documents are put over others, or beside them', async () => {
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

it('what is no document changes nothing', async () => {
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

it('documentation is imported by itself', async () => {
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

it('how an integration hands its answer over comes back', async () => {
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
