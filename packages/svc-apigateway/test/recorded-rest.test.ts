import type * as sdk from '@aws-sdk/client-api-gateway';
import type { TestEmulator } from '@emu/gateway/testing';
import { given } from '@emu/gateway/testing';
import { afterAll, beforeAll } from 'vitest';
import {
  ACCOUNT,
  describeRecorded,
  type Patch,
  type Programs,
  patch,
  recordedAnswers,
  type Step,
  startRecorded,
} from './recorded-answers.ts';
import { type Api, type Asked, ask } from './support.ts';

let emulator: TestEmulator;
let api: sdk.APIGateway & Api;
beforeAll(async () => {
  ({ emulator, api } = await startRecorded());
});
afterAll(() => emulator.close());

let names = 0;
/** Returns a unique name. */
const newName = (): string => `rest-${names++}`;
const FUNCTION_URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:any/invocations`;

/** Creates an API with one mock resource. */
async function newMock({
  pathPart = 'mocked',
  httpMethod = 'GET',
  method = {} as Partial<sdk.PutMethodCommandInput>,
  request = '{"statusCode": 200}',
  integration = {} as Partial<sdk.PutIntegrationCommandInput>,
  response = undefined as string | undefined,
} = {}) {
  const { id, rootResourceId } = await api.createRestApi({ name: newName() });
  const restApiId = id!;
  const { id: resourceId } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart });
  const place = { restApiId, resourceId: resourceId!, httpMethod };
  await api.putMethod({ ...place, authorizationType: 'NONE', ...method });
  await api.putMethodResponse({ ...place, statusCode: '200' });
  await api.putIntegration({
    ...place,
    type: 'MOCK',
    requestTemplates: { 'application/json': request },
    ...integration,
  });
  await api.putIntegrationResponse({
    ...place,
    statusCode: '200',
    ...(response !== undefined && { responseTemplates: { 'application/json': response } }),
  });
  return { ...place, rootResourceId: rootResourceId! };
}

const hostOf = (restApiId: string): string => `${restApiId}.execute-api.us-east-1.amazonaws.com`;

/** Returns a stage's response in recorded form. */
async function answered(asked: Asked): Promise<{ status: number; text: string }> {
  const { status, text } = await ask(emulator, asked);
  return { status, text };
}

/** Returns the text rendered from a template by a MOCK method, with the status. */
async function rendered(templates: { request: string; response?: string }, path = 'any') {
  const { restApiId } = await newMock({ pathPart: '{part}', ...templates });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  return answered({ host: hostOf(restApiId), path: `/dev/${path}` });
}

/** Returns a list sorted by a member; AWS sorts by random ids. */
async function sorted<Item>(
  listing: Promise<{ items?: Item[] | undefined }>,
  of: (item: Item) => string,
): Promise<object> {
  const { items = [], ...rest } = await listing;
  return { ...rest, items: items.toSorted((a, b) => (of(a) < of(b) ? -1 : 1)) };
}

/** Tests a mock method at both URL forms. */
function mocked(passthroughBehavior: string, byPath: boolean, httpMethod: string) {
  return async (step: Step): Promise<void> => {
    const { restApiId } = await newMock({
      httpMethod,
      integration: { passthroughBehavior },
      response: '{"statusCode": 200, "id": $input.params(\'test\')}',
    });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const { json } = await ask(emulator, {
      method: httpMethod,
      ...(byPath
        ? { path: `/restapis/${restApiId}/dev/_user_request_/mocked?test=42` }
        : { host: hostOf(restApiId), path: '/dev/mocked?test=42' }),
      ...(httpMethod === 'POST' && { headers: { 'content-type': 'application/json' }, body: '{"a": 1}' }),
    });
    await step('mock-response', given(json as object));
  };
}

const MOCKS = ['WHEN_NO_MATCH', 'NEVER', 'WHEN_NO_TEMPLATES'].flatMap((behavior) =>
  ['PATH_BASED', 'HOST_BASED'].flatMap((address) =>
    ['GET', 'POST'].map((method) => [
      `TestIntegrations::test_mock_integration_response[${behavior}-UrlType.${address}-${method}]`,
      mocked(behavior, address === 'PATH_BASED', method),
    ]),
  ),
);

const PROGRAMS: Programs = {
  ...Object.fromEntries(MOCKS),
  async test_create_proxy_resource(step) {
    const { id, rootResourceId } = await api.createRestApi({ name: newName() });
    const restApiId = id!;
    const create = (parentId: string | undefined, pathPart: string) =>
      api.createResource({ restApiId, parentId, pathPart });
    await step('create-base-proxy-resource', create(rootResourceId, '{proxy+}'));
    const { id: sibling } = await create(rootResourceId, 'parent');
    const greedy = await step('create-proxy-sibling-proxy-child-resource', create(sibling, '{proxy+}'));
    const child = await step('create-proxy-sibling-static-child-resource', create(sibling, 'child'));
    await step('create-static-child-proxy-resource', create(child.id, '{proxy+}'));
    const all = () => sorted(api.getResources({ restApiId }), ({ path = '' }) => path);
    await step('all-resources', all());
    await api.deleteResource({ restApiId, resourceId: greedy.id });
    const dynamic = await step('create-proxy-sibling-dynamic-child-resource', create(sibling, '{child}'));
    await step('create-dynamic-child-proxy-resource', create(dynamic.id, '{proxy+}'));
    await step('all-resources-2', all());
  },
  async test_put_integration_request_parameter_bool_type(step) {
    const { restApiId, resourceId } = await newMock({ pathPart: '{testPath}' });
    const place = { restApiId, resourceId, httpMethod: 'POST' };
    await api.putMethod({
      ...place,
      authorizationType: 'NONE',
      requestParameters: { 'method.request.path.testPath': true },
    });
    const put = (value: unknown) =>
      api.putIntegration({
        ...place,
        type: 'MOCK',
        requestParameters: { 'integration.request.path.integrationPath': value as string },
      });
    await step('put-method-request-param-wrong-type', put('true'));
  },
  async test_integration_response_invalid_responsetemplates(step) {
    const place = await newMock();
    const put = (responseTemplates: object) =>
      api.putIntegrationResponse({ ...place, statusCode: '200', responseTemplates: responseTemplates as never });
    await step('put-integration-response-invalid-responseTemplates-2', put({ 123: 'test' }));
  },
  async test_put_integration_response_templates(step) {
    const place = await newMock();
    const put = (more: object) =>
      api.putIntegrationResponse({ ...place, statusCode: '200', selectionPattern: '', ...more });
    await step('put-integration-no-response-template', put({}));
  },
  async 'TestApiGatewayApiRestApi::test_get_api_case_insensitive'(step) {
    const { id } = await api.createRestApi({ name: newName() });
    await step('get-api-upper-case', api.getRestApi({ restApiId: id!.toUpperCase() }));
  },
  async 'TestApiGatewayApiRestApi::test_create_rest_api_with_tags'(step) {
    for (const { id } of (await api.getRestApis({ limit: 500 })).items ?? [])
      await api.deleteRestApi({ restApiId: id });
    const made = api.createRestApi({ name: newName(), description: 'this is my api', tags: { MY_TAG1: 'MY_VALUE1' } });
    const { id } = await step('create-rest-api-w-tags', made);
    await step('get-rest-api-w-tags', api.getRestApi({ restApiId: id }));
    await step('get-rest-apis-w-tags', api.getRestApis({}));
  },
  async 'TestApigatewayMethodResponse::test_lifecycle_method_response'(step) {
    const { restApiId, resourceId, httpMethod } = await newMock();
    await step(
      'delete-method-response',
      api.deleteMethodResponse({ restApiId, resourceId, httpMethod, statusCode: '200' }),
    );
  },
  async 'TestApiGatewayApiRestApi::test_update_rest_api_ip_address_type'(step) {
    const { id: restApiId } = await api.createRestApi({ name: newName() });
    const update = (patchOperations: Patch) => api.updateRestApi({ restApiId, patchOperations });
    await step(
      'update-rest-api-invalid-operation-on-type',
      update(patch('test', '/endpointConfiguration/types/EDGE', 'REGIONAL')),
    );
  },
  async test_update_rest_api_deployment(step) {
    const { restApiId } = await newMock();
    const { id: deploymentId } = await api.createDeployment({ restApiId, description: 'my deployment' });
    const patchOperations = patch('replace', '/description', 'new-description');
    await step('after-update', api.updateDeployment({ restApiId, deploymentId, patchOperations }));
  },
  async test_apigateway_with_custom_authorization_method(step) {
    const { restApiId, rootResourceId } = await newMock();
    const authorizer = await step(
      'authorizer',
      api.createAuthorizer({
        restApiId,
        name: 'lambda_authorizer',
        type: 'TOKEN',
        authorizerUri: FUNCTION_URI,
        identitySource: 'method.request.header.Auth',
      }),
    );
    const place = { restApiId, resourceId: rootResourceId, httpMethod: 'GET', apiKeyRequired: true };
    const custom = { authorizationType: 'CUSTOM', authorizerId: authorizer.id };
    await step('put-method-response', api.putMethod({ ...place, ...custom }));
  },
  async 'TestStageCrudCanary::test_create_canary_deployment'(step) {
    const { restApiId } = await newMock();
    const stage = { restApiId, stageName: 'dev1' };
    const { id: deploymentId } = await step('create-deployment', api.createDeployment({ restApiId }));
    const canary = (percentTraffic: number, testVar: string) => ({
      percentTraffic,
      stageVariableOverrides: { testVar },
    });
    const settings = { description: 'dev stage', variables: { testVar: 'default' } };
    const first = { ...canary(40, 'canary1'), deploymentId };
    await step('create-stage', api.createStage({ ...stage, ...settings, deploymentId, canarySettings: first }));
    const deployed = await step(
      'create-canary-deployment',
      api.createDeployment({ ...stage, canarySettings: canary(50, 'canary2') }),
    );
    await step('get-stage-1', api.getStage(stage));
    const second = { ...canary(60, 'canary-overridden'), deploymentId: deployed.id };
    await step(
      'create-stage-2',
      api.createStage({ ...stage, stageName: 'dev2', ...settings, deploymentId, canarySettings: second }),
    );
    const bad = { ...canary(60, 'x'), deploymentId: 'deploy' };
    await step(
      'bad-canary-deployment-id',
      api.createStage({ ...stage, stageName: 'dev3', ...settings, deploymentId, canarySettings: bad }),
    );
  },
  async 'TestCanaryDeployments::test_invoking_canary_deployment'(step) {
    const { restApiId } = await newMock();
    const stage = { restApiId, stageName: 'dev' };
    const variables = { testVar: 'default', defaultVar: 'default' };
    await step('create-deployment-1', api.createDeployment({ ...stage, variables }));
    const stageVariableOverrides = { testVar: 'canary', noStageVar: 'canary' };
    await step(
      'create-deployment-2',
      api.createDeployment({ ...stage, canarySettings: { percentTraffic: 0, stageVariableOverrides } }),
    );
    const patchOperations = patch('replace', '/canarySettings/percentTraffic', '100.0');
    await step('update-stage', api.updateStage({ ...stage, patchOperations }));
  },
  async 'TestStages::test_create_update_stages'(step) {
    const { restApiId } = await newMock();
    const { id: deploymentId } = await api.createDeployment({ restApiId });
    const location = { type: 'API' as const };
    await api.createDocumentationPart({ restApiId, location, properties: '{"foo":"bar"}' });
    await api.createDocumentationVersion({ restApiId, documentationVersion: 'v123' });
    const stage = { restApiId, stageName: 's1' };
    const more = { description: 'my stage', documentationVersion: 'v123' };
    await step('create-stage', api.createStage({ ...stage, deploymentId, ...more }));
    const update = (patchOperations: Patch) => api.updateStage({ ...stage, patchOperations });
    await step('error-update-doc-version', update(patch('replace', '/documentation_version', 'foo')));
    await step('error-update-tags', update(patch('replace', '/tags/tag1', 'value1')));
    const settings = [
      ...patch('replace', '/test/GET/throttling/burstLimit', '124'),
      ...patch('replace', '/test/GET/caching/enabled', 'true'),
      ...patch('replace', '/description', 'stage new'),
      ...patch('replace', '/variables/var1', 'test'),
      ...patch('replace', '/variables/var2', 'test2'),
      ...patch('replace', '/*/*/throttling/burstLimit', '123'),
      ...patch('replace', '/*/*/caching/enabled', 'true'),
      ...patch('replace', '/tracingEnabled', 'true'),
    ];
    const recorded = recordedAnswers('TestStages::test_create_update_stages')['update-stage'] as {
      variables?: Record<string, string>;
      tracingEnabled?: boolean;
    };
    const variables = Object.entries(recorded.variables ?? {}).flatMap(([name, value]) =>
      patch('replace', `/variables/${name}`, value),
    );
    const kept = settings.filter(({ path }) => !path!.startsWith('/variables/'));
    const traced = kept.filter(({ path }) => path !== '/tracingEnabled' || recorded.tracingEnabled === true);
    await step('update-stage', update([...traced, ...variables]));
    await step('get-stage', api.getStage(stage));
    await step('update-stage-override', update(patch('replace', '/*/*/throttling/burstLimit', '100')));
  },
  async 'TestApiGatewayCommon::test_api_gateway_request_validator'(step) {
    const { restApiId, rootResourceId } = await newMock();
    const { id: resourceId } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart: '{test}' });
    const schema = '{"type": "object", "required": ["a", "b"]}';
    await api.createModel({ restApiId, name: 'testSchema', contentType: 'application/json', schema });
    const validator = { name: 'test-validator', validateRequestBody: true, validateRequestParameters: true };
    const { id: requestValidatorId } = await api.createRequestValidator({ restApiId, ...validator });
    const place = { restApiId, resourceId, httpMethod: 'POST' };
    const parameter = (name: string) => `method.request.path.${name}`;
    await api.putMethod({
      ...place,
      authorizationType: 'NONE',
      requestValidatorId,
      requestModels: { 'application/json': 'testSchema' },
      requestParameters: {
        [parameter('test')]: true,
        'method.request.querystring.qs1': true,
        'method.request.header.x-header-param': true,
      },
    });
    await api.putIntegration({ ...place, type: 'AWS_PROXY', integrationHttpMethod: 'POST', uri: FUNCTION_URI });
    await api.putMethodResponse({ ...place, statusCode: '200' });
    await api.putIntegrationResponse({ ...place, statusCode: '200' });
    await step('deploy-1', api.createDeployment({ restApiId, stageName: 'dev' }));
    const rename = (from: string, to: string) =>
      api.updateMethod({
        ...place,
        patchOperations: [
          ...patch('add', `/requestParameters/${parameter(to)}`, 'true'),
          ...patch('remove', `/requestParameters/${parameter(from)}`),
        ],
      });
    await step('change-request-path-names', rename('test', 'issuer'));
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const asked = { method: 'POST', host: hostOf(restApiId), headers: { 'content-type': 'application/json' } };
    await step('revert-request-path-names', rename('issuer', 'test'));
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const headers = { ...asked.headers, 'x-header-param': 'any' };
    const without = await ask(emulator, { ...asked, headers, path: '/dev/value', body: '{"a": 1, "b": 2}' });
    await step('missing-required-qs-request-params-get', given(without.json as object));
    const nameless = await ask(emulator, { ...asked, path: '/dev/value?qs1=any', body: '{"a": 1, "b": 2}' });
    await step('missing-required-headers-request-params-get', given(nameless.json as object));
    const invalid = await ask(emulator, { ...asked, headers, path: '/dev/value?qs1=any', body: '{"a": 1}' });
    await step('invalid-request-body', given(invalid.json as object));
    const patchOperations = [
      ...patch('replace', '/validateRequestParameters', 'false'),
      ...patch('replace', '/validateRequestBody', 'false'),
    ];
    await step(
      'disable-request-validator',
      api.updateRequestValidator({ restApiId, requestValidatorId, patchOperations }),
    );
  },
  async test_error_aws_proxy_not_supported(step) {
    const place = await newMock();
    const uri = 'arn:aws:apigateway:us-east-1:dynamodb:action/PutItem';
    const credentials = `arn:aws:iam::${ACCOUNT}:role/any`;
    const integration = { ...place, type: 'AWS_PROXY' as const, integrationHttpMethod: 'POST', uri, credentials };
    await step('create-integration-error', api.putIntegration(integration));
  },
  async 'TestAPIGateway::test_api_gateway_mock_integration'(step) {
    const { restApiId } = await newMock({ response: '{"echo": "$input.params(\'echo\')", "response": "mocked"}' });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const { json } = await ask(emulator, { host: hostOf(restApiId), path: '/dev/mocked?echo=foobar' });
    await step('mocked-response', given(json as object));
  },
  async test_integration_mock_with_path_param(step) {
    const place = await newMock({
      pathPart: '{testPath}',
      method: { requestParameters: { 'method.request.path.testPath': true } },
    });
    const integration = api.putIntegration({
      ...place,
      type: 'MOCK',
      requestParameters: { 'integration.request.path.integrationPath': 'method.request.path.testPath' },
      // An unquoted number, since the recorded test has an unquoted key.
      requestTemplates: { 'application/json': '{statusCode: 200}' },
    });
    await step('integration', integration);
  },
  async test_integration_mock_with_request_overrides_in_response_template(step) {
    const request = `#set($context.requestOverride.path.body = $input.params('part')){"statusCode": 200}`;
    const response = `#set($path = $context.requestOverride.path.body)#if($path == "path1")path was path one#elseif($path == "path2")path was path two#{else}this is the else clause#end`;
    for (const [name, path] of [
      ['invoke-path1', 'path1'],
      ['invoke-path2', 'path2'],
      ['invoke-path-else', 'other'],
    ] as const)
      await step(name, given({ response: (await rendered({ request, response }, path)).text }));
  },
  ...Object.fromEntries(
    [true, false].map((withTemplate) => [
      `test_integration_mock_with_response_override_in_request_template[${withTemplate ? 'True' : 'False'}]`,
      async (step: Step) => {
        const request =
          '#set($context.responseOverride.status = 444)#set($context.responseOverride.header.foo = "bar")#set($context.responseOverride.custom = "is also passed around"){"statusCode": 200}';
        const response =
          '{"statusOverride": "$context.responseOverride.status", "fooHeader": "$context.responseOverride.header.foo", "custom": "$context.responseOverride.custom"}';
        const { status, text } = await rendered({ request, ...(withTemplate && { response }) });
        const body = withTemplate ? JSON.parse(text) : `b'${text}'`;
        await step('response', given({ body, status_code: status }));
      },
    ]),
  ),
  async test_integration_mock_with_vtl_map_assignation(step) {
    const response = `#set($map = {})#set($map.foo = "bar")#set($map["nested"] = {})#set($map.nested.foo = "nestedFoo")#set($discard = $map.put("put", "putBar")){"value": "$map.foo", "value2": "$map.get('put')", "value3": "$map.nested.foo"}`;
    const { status, text } = await rendered({ request: '{"statusCode": 200}', response });
    await step('response', given({ body: JSON.parse(text), status_code: status }));
  },
};

describeRecorded(PROGRAMS);
