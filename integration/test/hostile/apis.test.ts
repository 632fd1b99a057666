import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import {
  bodyOf,
  describeHostileInputs,
  type HostileCase,
  type HostileClient,
  nestedArrays,
  nestedObjects,
  type Outcome,
} from './support.ts';

const importRest = (client: HostileClient, document: object | string) =>
  client.signed('apigateway', 'POST', '/restapis?mode=import', document);

const importHttp = (client: HostileClient, document: object | string) =>
  client.signed('apigatewayv2', 'PUT', '/v2/apis', {
    body: typeof document === 'string' ? document : JSON.stringify(document),
  });

const response = { 200: { description: 'OK' } };
const info = { title: 'hostile', version: '1' };

/** Tests POST / of an imported API. @returns the method's response */
async function testInvoke(client: HostileClient, document: object, body: string): Promise<Outcome> {
  const { id } = bodyOf<{ id: string }>(await importRest(client, document));
  const resources = await client.signed('apigateway', 'GET', `/restapis/${id}/resources`);
  const [root] = bodyOf<{ item: { id: string; path: string }[] }>(resources).item.filter(({ path }) => path === '/');
  const path = `/restapis/${id}/resources/${root!.id}/methods/POST`;
  const tested = await client.signed('apigateway', 'POST', path, { body });
  if (tested.status !== 200) return tested;
  const result = JSON.parse(tested.text) as { status: number; body: string };
  return { status: result.status, text: result.body };
}

/** Renders a mapping template for a request body. */
const render = (client: HostileClient, template: string, body = '{}') =>
  testInvoke(
    client,
    {
      openapi: '3.0.1',
      info,
      paths: {
        '/': {
          post: {
            responses: response,
            'x-amazon-apigateway-integration': {
              type: 'mock',
              requestTemplates: { 'application/json': `${template}{"statusCode":200}` },
              responses: { default: { statusCode: '200' } },
            },
          },
        },
      },
    },
    body,
  );

/** Validates a request body by a model. */
const validate = (client: HostileClient, schema: object, body: string) =>
  testInvoke(
    client,
    {
      openapi: '3.0.1',
      info,
      components: { schemas: { Model: schema } },
      'x-amazon-apigateway-request-validators': { body: { validateRequestBody: true } },
      'x-amazon-apigateway-request-validator': 'body',
      paths: {
        '/': {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Model' } } } },
            responses: response,
            'x-amazon-apigateway-integration': {
              type: 'mock',
              requestTemplates: { 'application/json': '{"statusCode":200}' },
              responses: { default: { statusCode: '200' } },
            },
          },
        },
      },
    },
    body,
  );

/** A template whose rendering fails: the API answers 500. */
const failing = (name: string, template: string, body?: string): HostileCase => ({
  name: `${name} in a mapping template`,
  send: (client) => render(client, template, body),
  fails: true,
  text: 'Internal server error',
});

const parentheses = (levels: number) => `${'('.repeat(levels)}1${')'.repeat(levels)}`;
const doubling = Array.from({ length: 6 }).reduce<object>((inner) => ({ anyOf: [inner, inner] }), { type: 'string' });
const yamlAliases = (levels: number) =>
  Array.from({ length: levels }, (_, at) => `x${at + 1}: &x${at + 1} [${`*x${at},`.repeat(9)}*x${at}]`).join('\n');

describeHostileInputs(
  [apigateway, apigatewayv2],
  [
    failing('a list that contains itself', '#set($l = [1])#set($x = $l.add($l))$l'),
    failing('a map that contains itself', '#set($m = {})#set($x = $m.put("a", $m))$m'),
    failing(
      'maps that contain each other and are compared',
      '#set($m = {})#set($n = {"a": $m})#set($x = $m.put("a", $n))#if($m == $n)1#end',
    ),
    failing('5,000 parentheses', `#set($a = ${parentheses(5000)})`),
    failing('5,000 nested lists', `#set($a = ${'['.repeat(5000)}1${']'.repeat(5000)})$a`),
    failing('5,000 nested conditions', `${'#if(true)'.repeat(5000)}1${'#end'.repeat(5000)}`),
    failing('10,000 additions', `#set($a = 1${' + 1'.repeat(10_000)})`),
    failing('loops of 1,000 turns in each other', `${'#foreach($a in [1..1000])'.repeat(4)}$a${'#end'.repeat(4)}`),
    failing('a list that doubles', '#set($l = ["aaaaaaaa"])#foreach($i in [1..100])#set($x = $l.addAll($l))#end'),
    failing(
      'lists that double by reference',
      '#set($l = ["aaaaaaaa"])#foreach($i in [1..100])#set($l = [$l, $l])#end$l',
    ),
    failing('a text that doubles', '#set($s = "aaaaaaaa")#foreach($i in [1..100])#set($s = "$s$s")#end'),
    failing(
      'searches in a long list',
      '#set($l = [])#foreach($i in [1..1000])#foreach($j in [1..99])#set($x = $l.add("$i-$j"))#end#end#foreach($i in [1..1000])#set($x = $l.contains("no"))#end',
    ),
    failing(
      'prints of a long text',
      '#set($s = "aaaaaaaa")#foreach($i in [1..20])#set($s = "$s$s")#end#foreach($i in [1..1000])#foreach($i in [1..1000])#set($t = $s.replace("a", "b"))#end#end',
    ),
    failing('strings parsed as templates', '#set($s = "aaaaaaaa")#foreach($i in [1..1000])#set($s = "$s$s$s")#end'),
    failing('a macro that calls itself', '#macro(m)#m()#end#m()'),
    failing(
      'a document of nested arrays that is parsed',
      '#set($a = $util.parseJson($input.body))$a',
      nestedArrays(100_000),
    ),
    {
      name: 'a body of nested objects searched by a JSONPath with ..',
      send: (client) => render(client, "#set($a = $input.path('$..b'))", nestedObjects(20_000)),
    },
    failing(
      'JSONPaths with regular expressions that a template creates',
      `#foreach($i in [1..1000])#set($a = $input.path("$.a[?(@ =~ /(a{1,$i}b?){4}/)]"))#end`,
      JSON.stringify({ a: ['a'.repeat(1000)] }),
    ),
    {
      name: 'a JSONPath of many ..',
      send: (client) =>
        render(client, `#set($a = $input.path('$${'..a'.repeat(20)}'))`, nestedObjects(100, nestedArrays(10))),
    },
    {
      name: 'a JSONPath of many wildcards',
      send: (client) =>
        render(
          client,
          `#set($a = $input.path('$${'..*'.repeat(12)}'))`,
          `[${Array.from({ length: 10 }).reduce<string>((inner) => `[${inner},${inner}]`, '1')}]`,
        ),
    },
    {
      name: 'a model that refers to itself',
      send: (client) => validate(client, { $ref: '#/components/schemas/Model' }, '{}'),
      text: 'Invalid request body',
    },
    {
      name: 'a recursive model and a body of nested objects',
      send: (client) =>
        validate(
          client,
          { type: 'object', properties: { a: { $ref: '#/components/schemas/Model' } } },
          nestedObjects(20_000),
        ),
    },
    {
      name: 'a model of 64 alternatives',
      send: (client) => validate(client, doubling, '{}'),
    },
    {
      name: 'a model that compares all of 20,000 elements',
      send: (client) =>
        validate(
          client,
          { type: 'array', uniqueItems: true },
          JSON.stringify(Array.from({ length: 20_000 }, (_, a) => ({ a }))),
        ),
    },
    {
      name: 'an OpenAPI document of nested arrays',
      send: (client) => importRest(client, nestedArrays(50_000)),
      code: 'BadRequestException',
    },
    {
      name: 'an OpenAPI document in YAML of nested lists',
      send: (client) => importRest(client, `openapi: 3.0.1\nx: ${nestedArrays(5000)}`),
      code: 'BadRequestException',
    },
    {
      name: 'an OpenAPI document in YAML of many aliases',
      send: (client) => importRest(client, `openapi: 3.0.1\nx0: &x0 a\n${yamlAliases(9)}\npaths: {}`),
      code: 'BadRequestException',
    },
    {
      name: 'OpenAPI references in a circle',
      send: (client) =>
        importRest(client, {
          openapi: '3.0.1',
          info,
          components: {
            schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
            parameters: { P: { $ref: '#/components/parameters/P' } },
          },
          paths: {
            '/': {
              post: {
                parameters: [{ $ref: '#/components/parameters/P' }],
                requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
                responses: response,
              },
            },
          },
        }),
    },
    {
      name: 'an OpenAPI document of nested arrays for an HTTP API',
      send: (client) => importHttp(client, nestedArrays(50_000)),
      code: 'BadRequestException',
    },
    {
      name: 'an OpenAPI document in YAML of many aliases for an HTTP API',
      send: (client) => importHttp(client, `openapi: 3.0.1\nx0: &x0 a\n${yamlAliases(9)}\npaths: {}`),
      code: 'BadRequestException',
    },
    {
      name: 'an OpenAPI document for an HTTP API whose references form a circle',
      send: (client) =>
        importHttp(client, {
          openapi: '3.0.1',
          info,
          paths: { '/': { $ref: '#/paths/~1' } },
        }),
      code: 'BadRequestException',
    },
  ],
);
