import type * as sdk from '@aws-sdk/client-api-gateway';
import type { TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll } from 'vitest';
import { describeRecorded, type Programs, recordedAnswers, type Step, startRecorded } from './recorded-answers.ts';
import { type DocumentFacts, documentOf, filled } from './recorded-documents.ts';
import type { Api } from './support.ts';

let emulator: TestEmulator;
let api: sdk.APIGateway & Api;
beforeAll(async () => {
  ({ emulator, api } = await startRecorded());
});
afterAll(() => emulator.close());

let names = 0;
/** Returns a unique name. */
const newName = (): string => `imported-${names++}`;
const bodyOf = (document: object): Buffer => Buffer.from(JSON.stringify(document));

/** Returns a list sorted by a member, as recorded; AWS sorts by random ids. */
async function sorted<Item>(listing: Promise<{ items?: Item[] | undefined }>, member: keyof Item): Promise<object> {
  const { items = [], ...rest } = await listing;
  return { ...rest, items: items.toSorted((a, b) => (String(a[member]) < String(b[member]) ? -1 : 1)) };
}

/** Returns a list of authorizers in the order of the recorded one, as a list or its items. */
async function authorizersLike(recorded: unknown, listing: Promise<sdk.Authorizers>): Promise<object> {
  const names = ((recorded as { items?: unknown[] }).items ?? (recorded as unknown[])).map(
    (one) => filled(one as { name: string }).name,
  );
  const { items = [], ...rest } = await listing;
  const ordered = items.toSorted((a, b) => names.indexOf(a.name!) - names.indexOf(b.name!));
  return Array.isArray(recorded) ? ordered : { ...rest, items: ordered };
}

/** Runs the steps that show each method of an API, with its response and integration. */
async function methods(
  step: Step,
  restApiId: string,
  { prefix = '', resources = 'resources' }: DocumentFacts,
  test: string,
) {
  const { items = [] } = await api.getResources({ restApiId, limit: 500 });
  await step(resources, sorted(api.getResources({ restApiId, limit: 500 }), 'path'));
  const answers = recordedAnswers(test);
  for (const { id: resourceId, path = '', resourceMethods = {} } of items.toSorted((a, b) =>
    a.path! < b.path! ? -1 : 1,
  ))
    for (const httpMethod of Object.keys(resourceMethods).toSorted()) {
      const name = `${path === '/' ? 'root' : path.slice(1)}-${httpMethod.toLowerCase()}`;
      const place = { restApiId, resourceId, httpMethod };
      await step(`${prefix}method-${name}`, api.getMethod(place));
      const response = { ...place, statusCode: '200' };
      const steps = {
        [`${prefix}method-response-${name}`]: () => api.getMethodResponse(response),
        [`${prefix}integration-${name}`]: () => api.getIntegration(place),
        [`${prefix}integration-response-${name}`]: () => api.getIntegrationResponse(response),
      };
      for (const [one, run] of Object.entries(steps)) if (answers[one] !== undefined) await step(one, run());
    }
}

/** Imports the API of a test's recorded responses and shows it. */
async function imported(
  step: Step,
  test: string,
  made: string | undefined,
  info: object,
  facts: DocumentFacts = {},
): Promise<string> {
  const answers = recordedAnswers(test);
  const document = documentOf(answers, { ...facts, more: { info, ...facts.more } });
  const running = api.importRestApi({ body: bodyOf(document) });
  const { id } = made === undefined ? await running : await step(made, running);
  const restApiId = id!;
  const listings = {
    'get-authorizers': () => authorizersLike(answers['get-authorizers'], api.getAuthorizers({ restApiId })),
    'get-models': () => sorted(api.getModels({ restApiId }), 'name'),
    'request-validators': () => api.getRequestValidators({ restApiId }),
  };
  for (const [name, run] of Object.entries(listings)) if (answers[name] !== undefined) await step(name, run());
  await methods(step, restApiId, facts, test);
  return restApiId;
}

/** Replaces an API by documents with and without a base path. */
async function basePaths(step: Step, test: string, basepath: string): Promise<void> {
  const { id } = await api.createRestApi({ name: newName() });
  const restApiId = id!;
  const answers = recordedAnswers(test);
  const put = (document: object) =>
    api.putRestApi({ restApiId, mode: 'overwrite', parameters: { basepath }, body: bodyOf(document) });
  const first: DocumentFacts = {
    resources: 'get-resources-swagger-json',
    prepended: basepath === 'prepend' ? '/base' : '',
    more: { info: { title: newName(), version: '2' }, basePath: '/base' },
  };
  await step('put-rest-api-swagger-json', put(documentOf(answers, first)));
  await methods(step, restApiId, first, test);
  const second: DocumentFacts = {
    resources: 'get-resources-no-base-path-swagger',
    more: { info: { title: newName(), version: '1' } },
  };
  await put(documentOf(answers, second));
  await methods(step, restApiId, second, test);
}

/** Same as `basePaths` with servers of OpenAPI 3, with and without a variable. */
async function servers(step: Step, test: string, basepath: string): Promise<void> {
  const { id } = await api.createRestApi({ name: newName() });
  const restApiId = id!;
  const answers = recordedAnswers(test);
  const title = newName();
  const of = (url: string, base: string, server: object, above = ''): DocumentFacts => ({
    version: '3.0.1',
    prefix: `srv-${url}-`,
    resources: `get-resources-oas30-srv-${url}`,
    prepended: basepath === 'prepend' ? base : basepath === 'split' ? above : '',
    more: { info: { title, version: '2.0' }, servers: [server] },
    change: (operation, _, method) => {
      // Invalid parts of a document produce warnings.
      if (url === 'url' && method === 'GET')
        operation['x-amazon-apigateway-integration'].requestParameters['integration.request.header.nothing'] = true;
    },
  });
  const variables = { basePath: { default: 'base-var' } };
  for (const facts of [
    of('var', '/base-var', { url: 'https://any.example.com/{basePath}', variables }),
    of('url', '/base-url/part', { url: 'https://any.example.com/base-url/part' }, '/part'),
  ]) {
    const body = bodyOf(documentOf(answers, facts));
    const name = `put-rest-api-oas30-${facts.prefix!.slice(0, -1)}`;
    await step(name, api.putRestApi({ restApiId, mode: 'overwrite', parameters: { basepath }, body }));
    await methods(step, restApiId, facts, test);
  }
}

/** Imports an export with all extensions and exports it again. */
async function exportedAgain(step: Step, test: string, exportType: string): Promise<void> {
  const answers = recordedAnswers(test);
  const { body } = answers['get-export-with-extensions'] as { body: object };
  const { host, servers, schemes, basePath, ...document } = filled(body) as Record<string, object>;
  // An API without version is exported with the time of its deployment.
  const { version } = answers['import-api'] as { version?: string };
  if (version === undefined) delete (document.info as { version?: string }).version;
  const { id } = await step('import-api', api.importRestApi({ body: bodyOf(document) }));
  const restApiId = id!;
  await api.createDeployment({ restApiId, stageName: 'local' });
  const get = async (parameters?: Record<string, string>) => {
    const given = { restApiId, stageName: 'local', exportType, ...(parameters && { parameters }) };
    const { body: exported, contentDisposition, ...rest } = await api.getExport(given);
    // Times are recorded as a placeholder.
    const dated = (text: string) => (version === undefined ? text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'date') : text);
    return { ...rest, body: dated(Buffer.from(exported!).toString()), contentDisposition: dated(contentDisposition!) };
  };
  await step('get-export', get());
  await step('get-export-with-extensions', get({ extensions: 'apigateway' }));
}

const named = (name: string, program: (step: Step, name: string) => Promise<unknown>): Programs => ({
  [name]: (step) => program(step, name),
});

const PROGRAMS: Programs = {
  ...Object.fromEntries(
    ['ignore', 'prepend', 'split'].flatMap((basepath) => [
      ...Object.entries(
        named(`test_import_rest_apis_with_base_path_swagger[${basepath}]`, (step, name) =>
          basePaths(step, name, basepath),
        ),
      ),
      ...Object.entries(
        named(`test_import_rest_api_with_base_path_oas30[${basepath}]`, (step, name) => servers(step, name, basepath)),
      ),
    ]),
  ),
  ...named('TestApiGatewayImportRestApi::test_import_swagger_api', (step, name) =>
    imported(step, name, 'import-swagger', {
      title: 'PetStore',
      version: '1.0',
      description: (recordedAnswers(name)['import-swagger'] as { description: string }).description,
    }),
  ),
  ...named('test_import_and_validate_rest_api[openapi.spec.tf.json]', (step, name) =>
    imported(step, name, 'import_tf_rest_api', { title: newName(), version: '1' }, { version: '3.0.1' }),
  ),
  ...named('test_import_and_validate_rest_api[swagger-mock-cors.json]', (step, name) =>
    imported(step, name, 'import_tf_rest_api', { title: newName(), version: '1.0' }),
  ),
  ...named('test_import_with_global_api_key_authorizer', (step, name) =>
    imported(
      step,
      name,
      'import-swagger',
      { title: newName(), version: '1.0' },
      { more: { 'x-amazon-apigateway-api-key-source': 'AUTHORIZER' } },
    ),
  ),
  ...named('test_import_with_circular_models', (step, name) =>
    imported(step, name, 'import-api', { title: 'Circular model reference', version: '1.0' }),
  ),
  ...named('test_import_with_circular_models_and_request_validation', (step, name) =>
    imported(step, name, 'import-api', { title: 'Circular model reference', version: '1.0' }),
  ),
  ...named('test_import_with_http_method_integration', (step, name) =>
    imported(step, name, undefined, { title: newName(), version: '1.0' }),
  ),
  ...named('test_import_with_cognito_auth_identity_source', (step, name) =>
    imported(step, name, 'import-swagger', {
      title: 'Example Pet Store',
      version: '1.0',
      description: 'A Pet Store API.',
    }),
  ),
  ...named('test_import_with_integer_http_status_code', (step, name) =>
    imported(
      step,
      name,
      undefined,
      { title: newName(), version: '1.0' },
      {
        change: (operation) => {
          const { responses } = operation['x-amazon-apigateway-integration'];
          for (const response of Object.values(responses) as { statusCode: unknown }[])
            response.statusCode = Number(response.statusCode);
        },
      },
    ),
  ),
  async test_import_rest_api(step) {
    const info = { title: newName(), version: '1.0' };
    const body = bodyOf({ swagger: '2.0', info, paths: {}, 'x-amazon-apigateway-binary-media-types': ['*/*'] });
    await step('import_rest_api', api.importRestApi({ body }));
  },
  ...Object.fromEntries(
    (['merge', 'overwrite'] as const).map((mode) => [
      `test_put_rest_api_mode_binary_media_types[${mode}]`,
      async (step: Step) => {
        const { id } = await step(
          'create-rest-api',
          api.createRestApi({ name: newName(), binaryMediaTypes: ['image/heif'] }),
        );
        await step('get-rest-api', api.getRestApi({ restApiId: id }));
        const info = { title: newName(), version: '1.0.0' };
        const types = { 'x-amazon-apigateway-binary-media-types': ['image/png', 'image/jpg'] };
        const body = bodyOf({ openapi: '3.0.1', info, paths: {}, ...types });
        await step('put-api', api.putRestApi({ restApiId: id, mode, body }));
      },
    ]),
  ),
  ...Object.fromEntries(
    [
      ['swagger', 'PETSTORE_SWAGGER'],
      ['oas30', 'PETSTORE_SWAGGER'],
      ['swagger', 'PETS'],
      ['oas30', 'PETS'],
    ].map(([exportType, document]) => [
      `test_export_${exportType}_openapi[TEST_IMPORT_${document}]`,
      (step: Step) => exportedAgain(step, `test_export_${exportType}_openapi[TEST_IMPORT_${document}]`, exportType!),
    ]),
  ),
  async test_import_documentation_parts(step) {
    const recorded = recordedAnswers('test_import_documentation_parts')['get-documentations-parts-after-import'];
    const parts = (recorded as { items: { location: object; properties: unknown }[] }).items;
    const documentationParts = parts.map(({ location, properties }) => ({ location, properties }));
    const document = {
      swagger: '2.0',
      info: { title: newName(), version: '1' },
      paths: {},
      'x-amazon-apigateway-documentation': { documentationParts },
    };
    const { id } = await api.importRestApi({ body: bodyOf(document) });
    const restApiId = id!;
    const typeOf = ({ location }: sdk.DocumentationPart) => parts.findIndex((one) => same(one.location, location!));
    const same = (a: object, b: object) =>
      JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());
    const listed = async () => {
      const { items = [], ...rest } = await api.getDocumentationParts({ restApiId });
      return { ...rest, items: items.toSorted((a, b) => typeOf(a) - typeOf(b)) };
    };
    await step('get-documentations-parts-after-api-imports', listed());
    const imported = api.importDocumentationParts({ restApiId, mode: 'overwrite', body: bodyOf(document) });
    await step('import-documentation-parts', imported);
    await step('get-documentations-parts-after-import', listed());
  },
  async test_import_api_bad_file(step) {
    const { id: restApiId } = await api.createRestApi({ name: newName() });
    const bad = { yaml: 'swagger: "2.0"\n  wrong: : :', json: '{"swagger": "2.0"' };
    for (const [type, text] of Object.entries(bad)) {
      const body = Buffer.from(text);
      await step(`import-api-bad-${type}-file`, api.importRestApi({ body }));
      await step(`put-rest-api-bad-${type}-file`, api.putRestApi({ restApiId, body }));
    }
  },
};

describeRecorded(PROGRAMS);
