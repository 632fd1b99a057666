import type * as sdk from '@aws-sdk/client-api-gateway';
import type { TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll } from 'vitest';
import {
  ACCOUNT,
  describeRecorded,
  type Patch,
  type Programs,
  patch,
  type Step,
  startRecorded,
} from './recorded-answers.ts';
import type { Api } from './support.ts';

let emulator: TestEmulator;
let api: sdk.APIGateway & Api;
beforeAll(async () => {
  ({ emulator, api } = await startRecorded());
});
afterAll(() => emulator.close());

const copy = (from: string, path: string): Patch => [{ op: 'copy', from, path }];

let names = 0;
/** Returns a unique name. */
const newName = (): string => `lived-${names++}`;

/** Creates an API with a mock method at its root. */
async function newMock() {
  const made = await api.createRestApi({ name: newName() });
  const place = { restApiId: made.id!, resourceId: made.rootResourceId!, httpMethod: 'GET' };
  await api.putMethod({ ...place, authorizationType: 'NONE' });
  await api.putIntegration({ ...place, type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode": 200}' } });
  return place;
}

/** Creates a mock API with a stage; returns its ids including the deployment's. */
async function newStage(stageName: string, more: Partial<sdk.CreateDeploymentCommandInput> = {}) {
  const { restApiId } = await newMock();
  const { id } = await api.createDeployment({ restApiId, stageName, ...more });
  return { stage: { restApiId, stageName }, deploymentId: id! };
}

/** Deletes all API keys, so that lists contain those of one program. */
async function noKeys(): Promise<void> {
  for (const { id } of (await api.getApiKeys({})).items ?? []) await api.deleteApiKey({ apiKey: id });
}

/** Runs deployments of a stage that moves to the next one before the previous one is deleted. */
async function deployments(step: Step, byName: boolean): Promise<void> {
  const { restApiId } = await newMock();
  const stageName = 's1';
  const deploy = () => api.createDeployment({ restApiId, ...(byName && { stageName }) });
  let last = await deploy();
  if (!byName) await api.createStage({ restApiId, stageName, deploymentId: last.id });
  await step('get-deployment', api.getDeployment({ restApiId, deploymentId: last.id }));
  await step('get-stages', api.getStages({ restApiId }));
  for (const turn of [0, 1, 2]) {
    const old = { restApiId, deploymentId: last.id };
    await step(`delete-deployment-error-${turn}`, api.deleteDeployment(old));
    last = await deploy();
    const patchOperations = patch('replace', '/deploymentId', last.id);
    if (!byName) await api.updateStage({ restApiId, stageName, patchOperations });
    await api.deleteDeployment(old);
    await step(`get-deployments-${turn}`, api.getDeployments({ restApiId }));
    await step(`get-stages-${turn}`, api.getStages({ restApiId }));
  }
}

/** Exports two resources with an HTTP endpoint, without and with extensions. */
async function exported(step: Step, exportType: string): Promise<void> {
  const { id: restApiId, rootResourceId } = await api.createRestApi({
    name: 'Simple PetStore (Swagger)',
    version: '1.0.0',
    binaryMediaTypes: ['image/png', 'image/jpg'],
  });
  for (const { name } of (await api.getModels({ restApiId })).items ?? [])
    await api.deleteModel({ restApiId, modelName: name });
  const answers = async (resourceId: string | undefined, uri: string, requestParameters?: Record<string, string>) => {
    const one = { restApiId, resourceId, httpMethod: 'GET', statusCode: '200' };
    const known = requestParameters && { requestParameters: { 'method.request.path.petId': true } };
    await api.putMethod({ ...one, authorizationType: 'NONE', ...known });
    await api.putMethodResponse(one);
    await api.putIntegration({
      ...one,
      type: 'HTTP',
      integrationHttpMethod: 'GET',
      uri,
      ...(requestParameters && { requestParameters }),
    });
    await api.putIntegrationResponse(one);
  };
  const endpoint = 'http://petstore-demo-endpoint.execute-api.com/petstore/pets';
  const { id: pets } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart: 'pets' });
  await answers(pets, endpoint);
  const { id: pet } = await api.createResource({ restApiId, parentId: pets, pathPart: '{petId}' });
  await answers(pet, `${endpoint}/{id}`, { 'integration.request.path.id': 'method.request.path.petId' });
  await api.createDeployment({ restApiId, stageName: 'local' });
  const get = (parameters?: Record<string, string>) =>
    api.getExport({ restApiId, stageName: 'local', exportType, ...(parameters && { parameters }) });
  await step('get-export', get());
  await step('get-export-with-extensions', get({ extensions: 'apigateway' }));
}

const PROGRAMS: Programs = {
  'test_export_swagger_openapi[TEST_IMPORT_PETS]': (step) => exported(step, 'swagger'),
  'test_export_oas30_openapi[TEST_IMPORT_PETS]': (step) => exported(step, 'oas30'),
  'TestDeployments::test_create_delete_deployments[True]': (step) => deployments(step, true),
  'TestDeployments::test_create_delete_deployments[False]': (step) => deployments(step, false),
  async 'TestDeployments::test_create_update_deployments'(step) {
    const { stage, deploymentId } = await newStage('s1');
    const { restApiId } = stage;
    const first = { restApiId, deploymentId };
    await step('get-deployment-1', api.getDeployment(first));
    await step('get-stages', api.getStages({ restApiId }));
    await step('delete-deployment-error', api.deleteDeployment(first));
    const second = { restApiId, deploymentId: (await api.createDeployment(stage)).id };
    await step('get-deployment-1-after-update', api.getDeployment(first));
    await step('get-deployment-2', api.getDeployment(second));
    await step('get-stages-after-update', api.getStages({ restApiId }));
    await step('delete-deployment-1', api.deleteDeployment(first));
    await step('delete-deployment-2-error', api.deleteDeployment(second));
  },
  async 'TestStages::test_update_stage_remove_wildcard'(step) {
    const { restApiId } = await newMock();
    const { id: deploymentId } = await api.createDeployment({ restApiId });
    const location = { type: 'API' as const };
    await api.createDocumentationPart({ restApiId, location, properties: '{"foo":"bar"}' });
    await api.createDocumentationVersion({ restApiId, documentationVersion: 'v123' });
    const stage = { restApiId, stageName: 's1' };
    await step(
      'create-stage',
      api.createStage({ ...stage, deploymentId, description: 'my stage', documentationVersion: 'v123' }),
    );
    await step('get-stage', api.getStage(stage));
    const update = (patchOperations: Patch) => api.updateStage({ ...stage, patchOperations });
    await step('delete-error', update(patch('remove', '/*/*')));
    await step('update-stage', update(patch('replace', '/*/*/caching/enabled', 'true')));
    await step('update-stage-reset', update(patch('remove', '/*/*')));
    await step('get-stage-after-reset', api.getStage(stage));
  },
  async 'TestStageCrudCanary::test_update_stage_canary_deployment_validation'(step) {
    const { stage } = await newStage('dev');
    await step('get-stage', api.getStage(stage));
    const canarySettings = { percentTraffic: 50, stageVariableOverrides: { testVar: 'canary' } };
    await api.createDeployment({ ...stage, canarySettings });
    const update = (patchOperations: Patch, stageName = 'dev') =>
      api.updateStage({ ...stage, stageName, patchOperations });
    const name = 'update-stage-canary-settings';
    await step(`${name}-remove-overrides`, update(patch('remove', '/canarySettings/stageVariableOverrides')));
    await step(`${name}-bad-path`, update(patch('remove', '/canarySettings/badPath')));
    await step(`${name}-bad-path-2`, update(patch('replace', '/canarySettings', 'test')));
    await step(`${name}-replace-bad-path`, update(patch('replace', '/canarySettings/badPath', 'badPath')));
    const { id } = await api.createDeployment({ ...stage, stageName: 'dev2' });
    const path = '/canarySettings/deploymentId';
    await step('update-stage-add-deployment', update(patch('add', path, id), 'dev2'));
    await step('update-stage-no-deployment', update(patch('replace', path, 'deploy'), 'dev2'));
  },
  async 'TestStageCrudCanary::test_update_stage_with_copy_ops'(step) {
    const { restApiId } = await newMock();
    const stage = { restApiId, stageName: 'dev' };
    const variables = { testVar: 'test', testVar2: 'test2' };
    await step('deployment-1', api.createDeployment({ ...stage, variables }));
    const update = (patchOperations: Patch) => api.updateStage({ ...stage, patchOperations });
    const [deployment, overrides] = ['/canarySettings/deploymentId', '/canarySettings/stageVariableOverrides'];
    await step(
      'copy-with-bad-statement',
      update([...copy('/variables', overrides), ...copy('/deploymentId', deployment)]),
    );
    const promoted = [...copy(overrides, '/variables'), ...copy(deployment, '/deploymentId')];
    await step('copy-with-no-replace', update(promoted));
    const replaced = [
      ...patch('replace', '/canarySettings/percentTraffic', '0.0'),
      ...copy(deployment, '/deploymentId'),
      ...copy(overrides, '/variables'),
    ];
    await step('update-stage-with-copy', update(replaced));
    const canarySettings = { percentTraffic: 50, stageVariableOverrides: { testVar: 'override' } };
    await step('deployment-canary', api.createDeployment({ ...stage, canarySettings }));
    await step('get-stage', api.getStage(stage));
    await step('update-stage-with-copy-2', update(replaced));
  },
  async 'TestDocumentations::test_documentation_parts_and_versions'(step) {
    const { restApiId } = await newMock();
    const part = { restApiId, location: { type: 'API' as const }, properties: '{"foo":"bar"}' };
    await step('create-part-response', api.createDocumentationPart(part));
    await step('get-parts-response', api.getDocumentationParts({ restApiId }));
    const version = { restApiId, documentationVersion: 'v123' };
    await step('create-version-response', api.createDocumentationVersion(version));
    const patchOperations = patch('replace', '/description', 'doc version new');
    await step('update-version-response', api.updateDocumentationVersion({ ...version, patchOperations }));
    await step('get-version-response', api.getDocumentationVersion(version));
  },
  async 'TestUsagePlans::test_api_key_required_for_methods'(step) {
    const { stage } = await newStage('dev');
    const plan = await step(
      'create-usage-plan',
      api.createUsagePlan({
        name: newName(),
        description: 'Test Usage Plan for API key',
        quota: { limit: 10, offset: 0, period: 'DAY' },
        throttle: { rateLimit: 2, burstLimit: 1 },
        apiStages: [{ apiId: stage.restApiId, stage: 'dev' }],
        tags: { tag_key: 'tag_value' },
      }),
    );
    const key = await step('create-api-key', api.createApiKey({ name: newName(), enabled: true }));
    const planKey = { usagePlanId: plan.id, keyId: key.id, keyType: 'API_KEY' };
    await step('create-usage-plan-key', api.createUsagePlanKey(planKey));
    const patchOperations = patch('replace', '/enabled', 'false');
    await step('update-api-key-disabled', api.updateApiKey({ apiKey: key.id, patchOperations }));
  },
  async 'TestUsagePlans::test_usage_plan_crud'(step) {
    for (const { id } of (await api.getUsagePlans({})).items ?? []) {
      const { apiStages = [] } = await api.getUsagePlan({ usagePlanId: id });
      const patchOperations = apiStages.flatMap((one) => patch('remove', '/apiStages', `${one.apiId}:${one.stage}`));
      await api.updateUsagePlan({ usagePlanId: id, patchOperations });
      await api.deleteUsagePlan({ usagePlanId: id });
    }
    const { stage } = await newStage('dev');
    const { restApiId: apiId } = stage;
    const apiStages = [{ apiId, stage: 'dev' }];
    const plan = api.createUsagePlan({ name: newName(), description: newName(), apiStages });
    const { id: usagePlanId } = await step('create-usage-plan', plan);
    await step('get-usage-plan', api.getUsagePlan({ usagePlanId }));
    await step('get-usage-plans', api.getUsagePlans({}));
    const update = (patchOperations: Patch, id = usagePlanId) =>
      api.updateUsagePlan({ usagePlanId: id, patchOperations });
    const changes = [
      ...patch('replace', '/throttle/burstLimit', '100'),
      ...patch('replace', '/throttle/rateLimit', '200'),
      ...patch('replace', '/quota/limit', '5000'),
      ...patch('replace', '/quota/period', 'MONTH'),
    ];
    await step('update-usage-plan', update(changes));
    await step('update-wrong-id', update(patch('replace', '/throttle/burstLimit', '100'), 'doesnotexist'));
    const name = 'update-wrong-api-stages';
    await step(`${name}-no-value`, update(patch('add', '/apiStages')));
    await step(`${name}-wrong-api`, update(patch('add', '/apiStages', `${apiId}b:dev`)));
    await step(`${name}-wrong-stage`, update(patch('add', '/apiStages', `${apiId}:fakestagename`)));
    await step(`${name}-wrong-value`, update(patch('add', '/apiStages', 'fakevalue')));
    await step('get-usage-plan-after-update', api.getUsagePlan({ usagePlanId }));
    await step('get-usage-plans-after-update', api.getUsagePlans({}));
  },
  async 'TestApigatewayApiKeysCrud::test_get_api_keys'(step) {
    await noKeys();
    const list = (more = {}) => api.getApiKeys(more);
    const create = (name: string) => api.createApiKey({ name });
    await step('get-api-keys', list());
    const name = newName();
    await step('create-api-key', create(`${name}-one`));
    await step('get-api-keys-after-create-1', list());
    const by = (nameQuery: string) => list({ nameQuery });
    await step('get-api-keys-wrong-name-query', by('wrongname'));
    await step('get-api-keys-prefix-name-query', by(name));
    await step('get-api-keys-prefix-name-query-cased', by(name.toUpperCase()));
    await step('get-api-keys-postfix-name-query', by('one'));
    await step('get-api-keys-infix-name-query', by(name.slice(2)));
    await step('create-api-key-2', create(`${name}-two`));
    await step('get-api-keys-after-create-2', list());
    await step('get-api-keys-name-query', by(`${name}-two`));
    await step('get-api-keys-prefix-name-query-2', by(name));
    const { position } = (await step('get-apis-keys-pagination', list({ limit: 1 }))) as { position?: string };
    await step('get-apis-keys-pagination-2', list({ limit: 1, position }));
  },
  async 'TestApigatewayApiKeysCrud::test_get_usage_plan_api_keys'(step) {
    await noKeys();
    const name = newName();
    await step('get-api-keys', api.getApiKeys({}));
    const one = await step('create-api-key', api.createApiKey({ name: `${name}-one` }));
    const two = await step('create-api-key-2', api.createApiKey({ name: `${name}-two` }));
    await step('get-api-keys-after-create-1', api.getApiKeys({}));
    const { id: usagePlanId } = await step('create-usage-plan', api.createUsagePlan({ name: newName() }));
    const list = (nameQuery?: string) => api.getUsagePlanKeys({ usagePlanId, ...(nameQuery && { nameQuery }) });
    await step('get-up-keys-before-create', list());
    const add = (keyId?: string) => api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    await step('create-up-key', add(one.id));
    await step('create-up-key-2', add(two.id));
    await step('get-up-keys', list());
    await step('get-up-keys-name-query', list(name));
    await step('get-up-keys-name-query-cased', list(name.toUpperCase()));
    await step('get-up-keys-name-query-key-name', list(one.name));
    await step('get-up-keys-bad-query', list('bad'));
    for (const { id: apiKey } of [one, two]) await api.deleteApiKey({ apiKey });
    await step('get-up-keys-after-delete', list());
    await step('get-up-keys-bad-usage-plan', api.getUsagePlanKeys({ usagePlanId: 'badid' }));
  },
  async 'TestApigatewayApiKeysCrud::test_negative_get_usage_plan_api_keys'(step) {
    await noKeys();
    await step('get-api-keys-invalid-limit', api.getApiKeys({ limit: -1 }));
    const key = await step('create-api-key', api.createApiKey({ name: newName(), enabled: false }));
    const patchOperations = patch('replace', '/name', newName());
    await step('update-api-key-name', api.updateApiKey({ apiKey: key.id, patchOperations }));
  },
  async 'TestApigatewayApiKeysCrud::test_create_api_key_with_invalid_name'(step) {
    await step('create-api-key-name-too-long', api.createApiKey({ name: 'a'.repeat(1025) }));
    await step('create-api-key-empty-name', api.createApiKey({ name: '' }));
    await step('create-api-key-no-name', api.createApiKey({}));
  },
  async 'TestApigatewayApiKeysCrud::test_create_api_key_with_invalid_value'(step) {
    await step('create-api-key-short-value', api.createApiKey({ value: 'a'.repeat(19) }));
    await step('create-api-key-invalid-value-too-long', api.createApiKey({ value: 'a'.repeat(129) }));
    await step('create-api-key-empty-value', api.createApiKey({ value: '' }));
  },
  async 'TestApigatewayApiKeysCrud::test_update_api_key_invalid_description_length'(step) {
    const description = 'a'.repeat(125_001);
    await step('create-api-key-description-too-long', api.createApiKey({ description }));
    const { id: apiKey } = await api.createApiKey({});
    const patchOperations = patch('replace', '/description', description);
    await step('update-api-key-description-too-long', api.updateApiKey({ apiKey, patchOperations }));
  },
  async 'TestApigatewayApiKeysCrud::test_update_api_key_invalid_enabled_type'(step) {
    const { id: apiKey } = await api.createApiKey({});
    const patchOperations = patch('replace', '/enabled', 'not-a-boolean');
    await step('update-api-key-invalid-enabled-type', api.updateApiKey({ apiKey, patchOperations }));
  },
  async 'TestApigatewayApiKeysCrud::test_update_api_key_immutable_field'(step) {
    const { id: apiKey } = await api.createApiKey({});
    const patchOperations = patch('replace', '/id', 'other');
    await step('update-api-key-immutable-field', api.updateApiKey({ apiKey, patchOperations }));
  },
  async 'TestApigatewayApiKeysCrud::test_create_usage_plan_with_throttle'(step) {
    const throttle = { burstLimit: 20, rateLimit: 10 };
    await step('create-usage-plan-burst-gt-rate', api.createUsagePlan({ name: newName(), throttle }));
  },
  async test_put_integration_validation(step) {
    const place = await newMock();
    const put = (type: string, more: object) =>
      api.putIntegration({ ...place, type: type as sdk.IntegrationType, ...more });
    const http = 'http://example.com';
    const s3 = 'arn:aws:apigateway:us-east-1:s3:path/b/k';
    const lambda = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:MyLambda/invocations`;
    const role = `arn:aws:iam::${ACCOUNT}:role/service-role/testfunction-role-oe783psq`;
    const integrationHttpMethod = 'POST';
    for (const type of ['HTTP', 'HTTP_PROXY']) {
      await step(`required-integration-method-${type}`, put(type, { uri: http }));
      await step(`http-method-${type}`, put(type, { uri: http, integrationHttpMethod }));
      await step(`invalid-uri-${type}`, put(type, { uri: 'non-valid-http', integrationHttpMethod }));
    }
    await step('required-integration-method-AWS', put('AWS', { uri: s3 }));
    await step('not-required-integration-method-MOCK', put('MOCK', {}));
    await step('aws-integration-AWS', put('AWS', { uri: s3, integrationHttpMethod, credentials: role }));
    for (const type of ['AWS', 'AWS_PROXY'])
      await step(`aws-integration-type-${type}`, put(type, { uri: lambda, integrationHttpMethod }));
    await step('no-s3-support-AWS_PROXY', put('AWS_PROXY', { uri: s3, integrationHttpMethod, credentials: role }));
    await step('invalid-uri-not-an-arn', put('AWS', { uri: http, integrationHttpMethod }));
    await step(
      'invalid-uri-invalid-arn',
      put('AWS', { uri: 'arn:aws:apigateway:us-east-1:s3:b/k', integrationHttpMethod }),
    );
  },
  async test_put_integration_response_with_response_template(step) {
    const one = { ...(await newMock()), statusCode: '200' };
    const responseTemplates = { 'application/json': '{"data":"test"}' };
    await api.putIntegrationResponse({ ...one, selectionPattern: 'foobar', responseTemplates });
    await step('get-integration-response', api.getIntegrationResponse(one));
  },
  async test_put_integration_responses(step) {
    const { id: restApiId, rootResourceId: resourceId } = await api.createRestApi({ name: newName() });
    const integration = { type: 'HTTP' as const, uri: 'http://httpbin.org/robots.txt', integrationHttpMethod: 'POST' };
    const get = { restApiId, resourceId, httpMethod: 'GET', statusCode: '200' };
    await step('put-method-get', api.putMethod({ ...get, authorizationType: 'none' }));
    await step('put-method-response-get', api.putMethodResponse(get));
    await step('put-integration-get', api.putIntegration({ ...get, ...integration }));
    const selectionPattern = '2\\d{2}';
    const first = api.putIntegrationResponse({ ...get, selectionPattern, responseTemplates: {} });
    await step('put-integration-response-get', first);
    await step('get-integration-response-get', api.getIntegrationResponse(get));
    await step('get-method-get', api.getMethod(get));
    await step('deploy', api.createDeployment({ restApiId, stageName: 'local' }));
    await step('delete-integration-response-get', api.deleteIntegrationResponse(get));
    await step('get-method-get-after-int-resp-delete', api.getMethod(get));
    const put = { ...get, httpMethod: 'PUT' };
    await step('put-method-put', api.putMethod({ ...put, authorizationType: 'none' }));
    await step('put-method-response-put', api.putMethodResponse(put));
    await step('put-integration-put', api.putIntegration({ ...put, ...integration }));
    const binary = api.putIntegrationResponse({ ...put, selectionPattern, contentHandling: 'CONVERT_TO_BINARY' });
    await step('put-integration-response-put', binary);
    await step('get-integration-response-put', api.getIntegrationResponse(put));
  },
  async test_put_integration_aws_proxy_uri(step) {
    const place = await newMock();
    const put = (uri: string) =>
      api.putIntegration({ ...place, type: 'AWS_PROXY', integrationHttpMethod: 'POST', uri });
    const prefix = 'arn:aws:apigateway:us-east-1';
    const arn = `arn:aws:lambda:us-east-1:${ACCOUNT}:function:f`;
    await step('put-integration-lambda-uri', put(arn));
    await step(
      'put-integration-wrong-arn',
      put(`arn:aws:apigateway:us-east-1-lambda-path/${arn}`.replaceAll(':', '-')),
    );
    await step('put-integration-wrong-type', put(`${prefix}:lambda:test/2015-03-31/functions/${arn}/invocations`));
    await step('put-integration-wrong-firehose', put(`${prefix}:firehose:path/PutRecord`));
    await step('put-integration-bad-lambda-arn', put(`${prefix}:lambda:path/2015-03-31/functions/badarn/invocations`));
  },
};

describeRecorded(PROGRAMS);
