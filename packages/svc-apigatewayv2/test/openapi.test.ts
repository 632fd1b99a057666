import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiTest, failureOf, functionArn, functionUri, startApis } from './support.ts';

let test: ApiTest;
beforeAll(async () => {
  test = await startApis();
  test.functions.set('name', ({ routeKey }) => ({ statusCode: 200, body: routeKey }));
});
afterAll(() => test[Symbol.asyncDispose]());

const DOCUMENT = `
openapi: 3.0.1
info: { title: pets, version: '7', description: All pets }
servers: [{ url: 'https://x.example/base/v1' }]
tags: [{ name: team, x-amazon-apigateway-tag-value: zoo }]
x-amazon-apigateway-cors: { allowOrigins: ['https://a.example'], allowMethods: [GET], maxAge: 5 }
paths:
  /pets/{id}:
    get:
      operationId: GetPet
      security: [{ jwt: [read] }]
      x-amazon-apigateway-integration: { $ref: '#/components/x-amazon-apigateway-integrations/pets' }
    post:
      security: [{ custom: [] }]
      x-amazon-apigateway-integration: { $ref: '#/components/x-amazon-apigateway-integrations/pets' }
    delete:
      security: [{ iam: [] }]
      x-amazon-apigateway-integration: { $ref: '#/components/x-amazon-apigateway-integrations/pets' }
  /$default:
    x-amazon-apigateway-any-method:
      isDefaultRoute: true
      x-amazon-apigateway-integration: { $ref: '#/components/x-amazon-apigateway-integrations/pets' }
components:
  x-amazon-apigateway-integrations:
    pets: { type: aws_proxy, httpMethod: POST, uri: '${functionArn('name')}', payloadFormatVersion: '2.0', timeoutInMillis: 5000 }
  securitySchemes:
    jwt:
      type: oauth2
      flows: {}
      x-amazon-apigateway-authorizer:
        type: jwt
        identitySource: $request.header.Authorization
        jwtConfiguration: { audience: [app], issuer: 'https://issuer.example' }
    custom:
      type: apiKey
      name: Unused
      in: header
      x-amazon-apigateway-authorizer:
        type: request
        identitySource: $request.header.x-token
        authorizerUri: '${functionUri('name')}'
        authorizerPayloadFormatVersion: '2.0'
        authorizerResultTtlInSeconds: 0
        enableSimpleResponses: true
    iam: { type: apiKey, name: Authorization, in: header, x-amazon-apigateway-authtype: awsSigv4 }
`;

/** Returns the parts of an API without ids, which differ for each import. */
async function partsOf(ApiId: string): Promise<unknown> {
  const { Items: integrations = [] } = await test.api.getIntegrations({ ApiId });
  const { Items: authorizers = [] } = await test.api.getAuthorizers({ ApiId });
  const { Items: routes = [] } = await test.api.getRoutes({ ApiId });
  const nameOf = (id?: string) => authorizers.find(({ AuthorizerId }) => AuthorizerId === id)?.Name;
  const integration = (target = '') => {
    const found = integrations.find(({ IntegrationId }) => target === `integrations/${IntegrationId}`);
    return { ...found, IntegrationId: undefined };
  };
  return {
    routes: routes
      .map(({ RouteId: _, AuthorizerId, Target, ...route }) => ({
        ...route,
        authorizer: nameOf(AuthorizerId),
        integration: integration(Target),
      }))
      .sort((a, b) => (a.RouteKey! < b.RouteKey! ? -1 : 1)),
    authorizers: authorizers.map(({ AuthorizerId: _, ...rest }) => rest).sort((a, b) => (a.Name! < b.Name! ? -1 : 1)),
  };
}

const exported = async (ApiId: string, OutputType: string, more = {}): Promise<string> => {
  const { body } = await test.api.exportApi({ ApiId, OutputType, Specification: 'OAS30', ...more });
  return Buffer.from(body!).toString();
};

it('exports an import such that importing it again gives the same API', async () => {
  const { ApiId, ...api } = await test.api.importApi({ Body: DOCUMENT });
  expect(api).toMatchObject({
    Name: 'pets',
    Description: 'All pets',
    Version: '7',
    ProtocolType: 'HTTP',
    Tags: { team: 'zoo' },
    CorsConfiguration: { AllowOrigins: ['https://a.example'], AllowMethods: ['GET'], MaxAge: 5 },
  });
  const parts = await partsOf(ApiId!);
  expect(parts).toMatchObject({
    routes: [
      { RouteKey: '$default', AuthorizationType: 'NONE', integration: { TimeoutInMillis: 5000 } },
      { RouteKey: 'DELETE /pets/{id}', AuthorizationType: 'AWS_IAM' },
      {
        RouteKey: 'GET /pets/{id}',
        OperationName: 'GetPet',
        AuthorizationType: 'JWT',
        AuthorizationScopes: ['read'],
        authorizer: 'jwt',
      },
      { RouteKey: 'POST /pets/{id}', AuthorizationType: 'CUSTOM', authorizer: 'custom' },
    ],
    authorizers: [
      { Name: 'custom', AuthorizerType: 'REQUEST' },
      { Name: 'jwt', AuthorizerType: 'JWT' },
    ],
  });
  for (const type of ['JSON', 'YAML']) {
    const { ApiId: again } = await test.api.importApi({ Body: await exported(ApiId!, type) });
    expect(await partsOf(again!)).toEqual(parts);
  }
  const plain = await exported(ApiId!, 'JSON', { IncludeExtensions: false });
  expect(plain).not.toContain('"x-amazon-apigateway-integration"');
  await test.api.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
  expect(await test.fetch(ApiId!, '/any')).toMatchObject({ status: 200, body: '$default' });
  expect(
    JSON.parse(await exported(ApiId!, 'JSON', { StageName: '$default' })).paths['/pets/{id}'].get.operationId,
  ).toBe('GetPet');
});

it('keeps the text of versions in YAML that look like numbers', async () => {
  const Body = `openapi: 3.0.1
info: { title: numbers, version: 10.0 }
paths:
  /a:
    get:
      x-amazon-apigateway-integration: { type: aws_proxy, uri: "${functionArn('name')}", payloadFormatVersion: 1.0 }
`;
  const { ApiId, Version } = await test.api.importApi({ Body });
  expect(Version).toBe('10.0');
  const { Items } = await test.api.getIntegrations({ ApiId });
  expect(Items).toMatchObject([{ PayloadFormatVersion: '1.0' }]);
});

// SAM writes versions of its templates as numbers into definitions: `http_api_lambda_auth_full` of the translator.
it('accepts versions in JSON that are numbers', async () => {
  const uri = functionArn('name');
  const authorizerUri = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${uri}/invocations`;
  const extension = { type: 'request', authorizerUri, authorizerPayloadFormatVersion: 2 };
  const scheme = { type: 'apiKey', name: 'Unused', in: 'header', 'x-amazon-apigateway-authorizer': extension };
  const integration = { type: 'aws_proxy', uri, payloadFormatVersion: 1 };
  const { ApiId } = await test.api.importApi({
    Body: JSON.stringify({
      openapi: '3.0.1',
      info: { title: 'numbers' },
      components: { securitySchemes: { mine: scheme } },
      paths: { '/a': { get: { 'x-amazon-apigateway-integration': integration } } },
    }),
  });
  const { Items } = await test.api.getIntegrations({ ApiId });
  expect(Items).toMatchObject([{ PayloadFormatVersion: '1.0' }]);
  expect((await test.api.getAuthorizers({ ApiId })).Items).toMatchObject([{ AuthorizerPayloadFormatVersion: '2.0' }]);
});

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/import-api-aws-variables.html */
it('resolves the AWS variables of a definition, and keeps the name of the API without a title', async () => {
  const variable = (name: string) => ['$', `{AWS::${name}}`].join('');
  const [, , , region, accountId] = functionArn('name').split(':');
  const uri = `arn:${variable('Partition')}:lambda:${variable('Region')}:${variable('AccountId')}:function:name`;
  const integration = { type: 'aws_proxy', uri, payloadFormatVersion: '2.0' };
  const paths = { '/a': { get: { 'x-amazon-apigateway-integration': integration } } };
  const { ApiId } = await test.api.importApi({
    Body: JSON.stringify({ openapi: 3, info: { title: 'kept' }, paths }),
  });
  const { Items } = await test.api.getIntegrations({ ApiId });
  expect(Items![0]!.IntegrationUri).toBe(`arn:aws:lambda:${region}:${accountId}:function:name`);
  const again = await test.api.reimportApi({ ApiId, Body: JSON.stringify({ openapi: '3.0.1', paths }) });
  expect(again.Name).toBe('kept');
});

it("replaces a definition, optionally below its server's path", async () => {
  const { ApiId } = await test.api.importApi({ Body: DOCUMENT });
  await test.api.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
  const integration = { type: 'aws_proxy', uri: functionArn('name'), payloadFormatVersion: '2.0' };
  const Body = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'new' },
    servers: [{ url: 'https://x.example/base/v1' }],
    paths: { '/a': { get: { 'x-amazon-apigateway-integration': integration } } },
  });
  for (const [Basepath, path] of [
    ['ignore', '/a'],
    ['prepend', '/base/v1/a'],
    ['split', '/v1/a'],
  ] as const) {
    expect(await test.api.reimportApi({ ApiId, Body, Basepath })).toMatchObject({ ApiId, Name: 'new' });
    expect(await test.fetch(ApiId!, path)).toMatchObject({ status: 200, body: `GET ${path}` });
    expect((await test.api.getRoutes({ ApiId })).Items).toHaveLength(1);
  }
  expect((await test.api.getApi({ ApiId })).CorsConfiguration).toBeUndefined();
});

it('rejects invalid definitions and creates nothing from them', async () => {
  const refusal = (Body: string, more = {}) => failureOf(test.api.importApi({ Body, ...more }));
  expect(await refusal('{')).toContain('BadRequestException: Unable to parse the API definition');
  expect(await refusal('a: [')).toContain('BadRequestException: Unable to parse the API definition');
  expect(await refusal('{"swagger":"2.0"}')).toContain('BadRequestException: Invalid OpenAPI version');
  expect(await refusal(DOCUMENT.replaceAll('/pets/{id}', 'pets'))).toContain('BadRequestException');
  expect(await refusal(DOCUMENT.replace('type: aws_proxy', 'type: aws'))).toContain('BadRequestException');
  const bare = JSON.stringify({ openapi: '3.0.1', info: { title: 't' }, paths: { '/a': { get: {} } } });
  expect(await refusal(bare, { FailOnWarnings: true })).toContain('Warnings found during import');
  expect((await test.api.importApi({ Body: bare })).Warnings).toHaveLength(1);
  // Acceptance tests of the Terraform provider: testAccAPIConfig_failOnWarnings.
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/ModelThatDoesNotExist' } } };
  const integration = { type: 'HTTP_PROXY', httpMethod: 'GET', payloadFormatVersion: '1.0', uri: 'https://a.example' };
  const get = { 'x-amazon-apigateway-integration': integration, responses: { 200: { description: 'd', content } } };
  const Body = JSON.stringify({ openapi: '3.0.1', info: { title: 't' }, paths: { '/update': { get } } });
  const warning =
    "Parse issue: attribute paths.'/update'(get).responses.200.content.schema.#/components/schemas/ModelThatDoesNotExist is missing";
  expect(await refusal(Body, { FailOnWarnings: true })).toContain(`Warnings found during import:\n\t${warning}`);
  expect((await test.api.importApi({ Body })).Warnings).toEqual([warning]);
  const ApiId = await test.create();
  const bad = { ApiId, OutputType: 'XML', Specification: 'OAS30' };
  expect(await failureOf(test.api.exportApi(bad))).toContain('Invalid output type');
});
