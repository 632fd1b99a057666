import type * as sdk from '@aws-sdk/client-api-gateway';
import type { TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll } from 'vitest';
import { ACCOUNT, describeRecorded, type Patch, type Programs, patch, startRecorded } from './recorded-answers.ts';
import type { Api } from './support.ts';

let emulator: TestEmulator;
let api: sdk.APIGateway & Api;
beforeAll(async () => {
  ({ emulator, api } = await startRecorded());
});
afterAll(() => emulator.close());

let names = 0;
/** Returns a unique name. */
const newName = (): string => `recorded-${names++}`;

async function newApi(more: Partial<sdk.CreateRestApiCommandInput> = {}) {
  const made = await api.createRestApi({ name: newName(), description: 'this is my api', ...more });
  return { restApiId: made.id!, root: made.rootResourceId! };
}

const replace = (path: string, value?: string): Patch => patch('replace', path, value);
const add = (path: string, value?: string): Patch => patch('add', path, value);
const remove = (path: string, value?: string): Patch => patch('remove', path, value);

const WRONG_OP = 'wrong' as sdk.Op;
const TEMPLATE = `{
     "message": $context.error.messageString,
     "type":  "$context.error.responseType",
     "stage":  "$context.stage",
     "resourcePath":  "$context.resourcePath",
     "stageVariables.a":  "$stageVariables.a",
     "statusCode": "'404'"
}`;
const HEADERS = {
  'gatewayresponse.header.Access-Control-Allow-Origin': "'a.b.c'",
  'gatewayresponse.header.x-request-query': 'method.request.querystring.q',
  'gatewayresponse.header.x-request-path': 'method.request.path.petId',
  'gatewayresponse.header.x-request-header': 'method.request.header.Accept',
};

/** Returns the resources of an API in recorded order. */
async function resources(restApiId: string) {
  const answer = await api.getResources({ restApiId });
  return { ...answer, items: answer.items?.toSorted((a, b) => (a.path! < b.path! ? -1 : 1)) };
}

/** Creates a mock method at the root. */
async function mock(restApiId: string, resourceId: string) {
  const place = { restApiId, resourceId, httpMethod: 'GET' };
  await api.putMethod({ ...place, authorizationType: 'NONE' });
  await api.putIntegration({ ...place, type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode": 200}' } });
  return place;
}

/** Creates a deployment of an API with a method. */
async function deployed(more: Partial<sdk.CreateDeploymentCommandInput> = {}) {
  const { restApiId, root } = await newApi();
  await mock(restApiId, root);
  return { restApiId, deployment: () => api.createDeployment({ restApiId, ...more }) };
}

/** Requests of recorded tests, reimplemented, by test name. */
const PROGRAMS: Programs = {
  async 'TestApiGatewayApiRestApi::test_create_rest_api_with_optional_params'(step) {
    await step('create-only-name', api.createRestApi({ name: newName() }));
    await step('create-empty-desc', api.createRestApi({ name: newName(), description: '' }));
    await step('create-with-version', api.createRestApi({ name: newName(), version: 'v1' }));
    await step('create-with-empty-binary-media', api.createRestApi({ name: newName(), binaryMediaTypes: [] }));
  },
  async 'TestApiGatewayApiRestApi::test_create_rest_api_with_binary_media_types'(step) {
    await step('create-with-binary-media', api.createRestApi({ name: newName(), binaryMediaTypes: ['image/png'] }));
  },
  async 'TestApiGatewayApiRestApi::test_create_rest_api_with_tags'(step) {
    const tags = { MY_TAG1: 'MY_VALUE1' };
    const made = api.createRestApi({ name: newName(), description: 'this is my api', tags });
    const { id: restApiId } = await step('create-rest-api-w-tags', made);
    await step('get-rest-api-w-tags', api.getRestApi({ restApiId }));
  },
  async 'TestApiGatewayApiRestApi::test_update_rest_api_operation_add_remove'(step) {
    const { restApiId } = await newApi();
    const update = (patchOperations: Patch) => api.updateRestApi({ restApiId, patchOperations });
    const path = (type: string) => `/binaryMediaTypes/image~1${type}`;
    await step('update-rest-api-add', update([...add(path('png')), ...add(path('jpeg'))]));
    await step('update-rest-api-replace', update(replace(path('png'), 'image/gif')));
    await step('update-rest-api-remove', update([...remove(path('gif')), ...remove('/description')]));
  },
  async 'TestApiGatewayApiRestApi::test_update_rest_api_compression'(step) {
    const { restApiId } = await newApi();
    const set = (value: string, op: sdk.Op = 'replace') =>
      api.updateRestApi({ restApiId, patchOperations: [{ op, path: '/minimumCompressionSize', value }] });
    await step('enable-compression', set('10'));
    await step(
      'disable-compression',
      api.updateRestApi({ restApiId, patchOperations: replace('/minimumCompressionSize') }),
    );
    await step('set-compression-zero', set('0'));
    await step('set-negative-compression', set('-1'));
    await step('set-string-compression', set('test'));
    await step('unsupported-operation', set('10', 'add'));
  },
  async 'TestApiGatewayApiRestApi::test_update_rest_api_behaviour'(step) {
    const { restApiId } = await newApi();
    const update = (patchOperations: Patch) => api.updateRestApi({ restApiId, patchOperations });
    await step('update-rest-api-array', update(add('/binaryMediaTypes/-', 'image/jpeg')));
    await step('update-rest-api-add-base-path', update(add('/binaryMediaTypes', 'image/jpeg')));
    await step('update-rest-api-replace-base-path', update(replace('/binaryMediaTypes', 'image/jpeg')));
    await step('update-rest-api-remove-base-path', update(remove('/binaryMediaTypes', 'image/jpeg')));
  },
  async 'TestApiGatewayApiRestApi::test_update_rest_api_invalid_api_id'(step) {
    const update = api.updateRestApi({ restApiId: 'api_id', patchOperations: add('/tags/a', 'b') });
    await step('not-found-update-rest-api', update);
  },
  async 'TestApiGatewayApiRestApi::test_create_rest_api_verify_defaults'(step) {
    const create = (endpointConfiguration: sdk.EndpointConfiguration) =>
      api.createRestApi({ name: newName(), endpointConfiguration });
    await step('create-with-edge-default', create({ types: ['EDGE'] }));
    await step('create-with-regional-default', create({ types: ['REGIONAL'] }));
    await step('create-with-private-default', create({ types: ['PRIVATE'] }));
    await step('create-with-empty-default', api.createRestApi({ name: newName() }));
  },
  async 'TestApiGatewayApiRestApi::test_create_rest_api_with_endpoint_configuration'(step) {
    const create = (endpointConfiguration: object, more = {}) =>
      api.createRestApi({ name: newName(), endpointConfiguration, ...more } as sdk.CreateRestApiCommandInput);
    await step('create-with-empty-types', create({ types: [] }));
    await step('create-with-invalid-ip-address-type', create({ ipAddressType: 'wrong' }));
    await step('create-with-two-types', create({ types: ['EDGE', 'REGIONAL'] }));
    await step('create-with-endpoint-config-dualstack', create({ types: ['EDGE'], ipAddressType: 'dualstack' }));
    await step('create-with-endpoint-config-regional', create({ types: ['REGIONAL'], ipAddressType: 'ipv4' }));
  },
  async 'TestApiGatewayApiRestApi::test_update_rest_api_ip_address_type'(step) {
    const { id: restApiId } = await api.createRestApi({
      name: newName(),
      endpointConfiguration: { types: ['REGIONAL'], ipAddressType: 'ipv4' },
    });
    const update = (patchOperations: Patch) => api.updateRestApi({ restApiId, patchOperations });
    const address = '/endpointConfiguration/ipAddressType';
    const type = '/endpointConfiguration/types/0';
    await step('update-rest-api-replace-type', update(replace(type, 'PRIVATE')));
    await step('update-rest-api-replace-to-ipv4-within-private-type', update(replace(address, 'ipv4')));
    await step('update-rest-api-wrong-ipAddressType', update(replace(address, 'wrong')));
    await step('update-rest-api-wrong-type', update(replace(type, 'wrong')));
    await step('update-rest-api-invalid-operation-on-ipAddressType', update(add(address, 'dualstack')));
    await step('update-rest-api-replace-ip-address-type', update(replace(address, 'dualstack')));
  },
  async 'TestApiGatewayApiRestApi::test_update_rest_api_concatenation_of_errors'(step) {
    const { restApiId } = await newApi();
    const address = { op: WRONG_OP, path: '/endpointConfiguration/ipAddressType', value: 'dualstack' };
    const type = { op: WRONG_OP, path: '/endpointConfiguration/types/0', value: 'PRIVATE' };
    const update = (...patchOperations: Patch) => api.updateRestApi({ restApiId, patchOperations });
    await step('update-rest-api-wrong-operations-on-ipAddressType', update(address, address));
    await step('update-rest-api-wrong-operations-on-type', update(type, type));
    await step('update-rest-api-wrong-operations-on-type-and-on-ip-address-type', update(type, address, type));
  },
  async 'TestApiGatewayApiResource::test_resource_lifecycle'(step) {
    const { restApiId, root } = await newApi();
    const create = (parentId: string, pathPart: string) => api.createResource({ restApiId, parentId, pathPart });
    await step('rest-api-root-resource', resources(restApiId));
    const { id } = await step('create-resource', create(root, 'pets'));
    await step('rest-api-resources-after-create', resources(restApiId));
    await step('create-subresource', create(id!, 'subpets'));
    await step('rest-api-resources-after-create-sub', resources(restApiId));
    const update = api.updateResource({ restApiId, resourceId: id, patchOperations: replace('/pathPart', 'dogs') });
    await step('update-path-part', update);
    await step('get-resp-after-update-path-part', api.getResource({ restApiId, resourceId: id }));
    await step('del-resource', api.deleteResource({ restApiId, resourceId: id }));
    await step('rest-api-resources-after-delete', resources(restApiId));
  },
  async 'TestApiGatewayApiResource::test_update_resource_behaviour'(step) {
    const { restApiId, root } = await newApi();
    const { id: pets } = await api.createResource({ restApiId, parentId: root, pathPart: 'pets' });
    const update = (resourceId: string, patchOperations: Patch) =>
      api.updateResource({ restApiId, resourceId, patchOperations });
    await step('nonexistent-resource', update('fake-resource', replace('/pathPart', 'dogs')));
    await step('invalid-path-part', update(pets!, replace('/invalid', 'dogs')));
    await step('invalid-parent-id', update(pets!, replace('/parentId', 'fake-parent-id')));
    const sub = await step(
      'create-subresource',
      api.createResource({ restApiId, parentId: pets, pathPart: 'subpets' }),
    );
    const made = api.createResource({ restApiId, parentId: sub.id, pathPart: 'pets' });
    const child = await step('create-subresource-child', made);
    await step('existing-future-sibling-path', update(child.id!, replace('/parentId', root)));
    await step('update-parent-id-to-subresource-id', update(pets!, replace('/parentId', sub.id)));
    await step('update-parent-id-to-root-id', update(sub.id!, replace('/parentId', root)));
    await step('update-path-already-exists', update(sub.id!, replace('/pathPart', 'pets')));
    await step('remove-unsupported', update(sub.id!, remove('/pathPart', 'dogs')));
    await step('add-unsupported', update(sub.id!, add('/pathPart', 'dogs')));
  },
  async 'TestApiGatewayApiResource::test_update_resource_on_root'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const update = (patchOperations: Patch) => api.updateResource({ restApiId, resourceId, patchOperations });
    await step('update-root-path-part', update(replace('/pathPart', 'newpath')));
    await step('update-root-parent', update(replace('/parentId', resourceId)));
  },
  async 'TestApiGatewayApiResource::test_create_proxy_resource_validation'(step) {
    const { restApiId, root } = await newApi();
    const create = (parentId: string, pathPart: string) => api.createResource({ restApiId, parentId, pathPart });
    const { id } = await step('create-base-proxy-resource', create(root, '{proxy+}'));
    await step('create-proxy-dynamic-sibling-resource', create(root, '{dynamic}'));
    await step('create-proxy-static-child-resource', create(id!, 'static'));
    await step('create-proxy-dynamic-child-resource', create(id!, '{dynamic}'));
    const { id: parent } = await create(root, 'parent');
    await step('create-greedy-child-resource', create(parent!, '{child+}'));
  },
  async 'TestApiGatewayApiAuthorizer::test_authorizer_crud_no_api'(step) {
    const restApiId = 'test-fake-rest-id';
    await step('wrong-rest-api-id-create-authorizer', api.createAuthorizer({ restApiId, name: 'f', type: 'TOKEN' }));
    await step('wrong-rest-api-id-get-authorizers', api.getAuthorizers({ restApiId }));
  },
  async 'TestApiGatewayApiMethod::test_method_lifecycle'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'ANY' };
    await step('put-base-method-response', api.putMethod({ ...place, authorizationType: 'NONE' }));
    await step('get-base-method-response', api.getMethod(place));
    await step('del-base-method-response', api.deleteMethod(place));
    await step('get-deleted-method-response', api.getMethod(place));
    await step('delete-deleted-method-response', api.deleteMethod(place));
  },
  async 'TestApiGatewayApiMethod::test_method_request_parameters'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'ANY', authorizationType: 'NONE' };
    const requestParameters = {
      'method.request.querystring.q_optional': false,
      'method.request.querystring.q_required': true,
      'method.request.header.h_optional': false,
      'method.request.header.h_required': true,
    };
    await step('put-method-request-params-response', api.putMethod({ ...place, requestParameters }));
    await step('get-method-request-params-response', api.getMethod(place));
    await api.deleteMethod(place);
    const same = { 'method.request.querystring.same': true, 'method.request.header.same': true };
    await step('req-params-same-name', api.putMethod({ ...place, requestParameters: same }));
  },
  async 'TestApiGatewayApiMethod::test_put_method_model'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const name = 'MySchema';
    const model = (one: string) =>
      api.createModel({
        restApiId,
        name: one,
        contentType: 'application/json',
        schema: JSON.stringify({ title: one, type: 'object' }),
      });
    await step('create-model', model(name));
    await step('create-model-2', model(`${name}Two`));
    const place = { restApiId, resourceId, httpMethod: 'ANY' };
    const put = (id: string, one: string) =>
      api.putMethod({
        ...place,
        resourceId: id,
        authorizationType: 'NONE',
        requestModels: { 'application/json': one },
      });
    const drop = (modelName: string) => api.deleteModel({ restApiId, modelName });
    const update = (id: string, patchOperations: Patch) =>
      api.updateMethod({ ...place, resourceId: id, patchOperations });
    await step('put-method-request-models', put(resourceId, name));
    await step('delete-model-used', drop(name));
    await step('update-method-model', update(resourceId, replace('/requestModels/application~1json', `${name}Two`)));
    await step('delete-model-unused', drop(name));
    await step('delete-model-used-2', drop(`${name}Two`));
    const { id } = await api.createResource({ restApiId, parentId: resourceId, pathPart: 'test' });
    await step('put-method-2-request-models', put(id!, `${name}Two`));
    await step('update-method-model-2', update(id!, remove('/requestModels/application~1json')));
    await step('delete-model-used-by-method-1', drop(`${name}Two`));
    await step('delete-method-using-model-2', api.deleteMethod(place));
    await step('delete-model-unused-2', drop(`${name}Two`));
  },
  async 'TestApiGatewayApiMethod::test_put_method_validation'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'GET', authorizationType: 'NONE' };
    await step('wrong-api', api.putMethod({ ...place, restApiId: 'fake-api' }));
    await step('wrong-resource', api.putMethod({ ...place, resourceId: 'fake-resource-id' }));
    await step('wrong-method', api.putMethod({ ...place, httpMethod: 'TEST' }));
    await step('missing-authorizer-id', api.putMethod({ ...place, authorizationType: 'CUSTOM' }));
    await step('invalid-request-validator', api.putMethod({ ...place, requestValidatorId: 'fake-validator' }));
    const requestModels = { 'application/json': 'petModel' };
    await step('invalid-model-name', api.putMethod({ ...place, requestModels }));
  },
  async 'TestApiGatewayApiMethod::test_update_method'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'ANY' };
    const update = (...patchOperations: Patch) => api.updateMethod({ ...place, patchOperations });
    await step('put-method-response', api.putMethod({ ...place, authorizationType: 'none' }));
    const parameter = '/requestParameters/method.request.querystring.optional';
    const model = '/requestModels/application~1json';
    await step('update-method-add', update(...add(parameter, 'true'), ...add(model, 'Empty')));
    await step(
      'update-method-replace',
      update(
        ...replace('/operationName', 'ReplacedOperationName'),
        ...replace('/apiKeyRequired', 'true'),
        ...replace('/authorizationType', 'AWS_IAM'),
        ...replace(parameter, 'false'),
      ),
    );
    const { id } = await api.createAuthorizer({
      restApiId,
      name: 'a',
      type: 'TOKEN',
      identitySource: 'method.request.header.Authorization',
      authorizerUri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:f/invocations`,
    });
    await step(
      'update-method-replace-authorizer',
      update(...replace('/authorizationType', 'CUSTOM'), ...replace('/authorizerId', id)),
    );
    await step('update-method-remove', update(...remove(parameter), ...remove(model)));
  },
  async 'TestApiGatewayApiMethod::test_update_method_validation'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'ANY' };
    const update = (patchOperations: Patch, more = {}) => api.updateMethod({ ...place, patchOperations, ...more });
    const key = replace('/apiKeyRequired', 'true');
    await step('wrong-rest-api', update(key, { restApiId: 'fake-rest-api' }));
    await step('wrong-resource-id', update(key, { resourceId: 'fake-resource-id' }));
    await step('method-does-not-exist', update(key));
    const put = api.putMethod({ ...place, authorizationType: 'none', apiKeyRequired: true });
    await step('put-method-response', put);
    await step('unsupported-operation', update(remove('/apiKeyRequired')));
    await step('unsupported-operation-2', update(add('/authorizationType', 'CUSTOM')));
    await step('unsupported-path', update(replace('/httpMethod', 'POST')));
    await step('wrong-path-request-parameters', update(replace('/requestParameters', 'method.request.header.a')));
    await step('wrong-path-request-models', update(replace('/requestModels/application/json', 'Empty')));
    await step('wrong-value-type', update(replace('/apiKeyRequired', 'whatever')));
    await step('wrong-auth-type', update(replace('/authorizationType', 'CUSTOM')));
    await step('skip-auth-id-with-wrong-type', update(replace('/authorizerId', 'abc123')));
    const wrong = [...replace('/authorizationType', 'CUSTOM'), ...replace('/authorizerId', 'abc123')];
    await step('wrong-auth-id', update(wrong));
    await step('wrong-req-validator-id', update(replace('/requestValidatorId', 'abc123')));
  },
  async 'TestApiGatewayApiModels::test_model_validation'(step) {
    const { restApiId } = await newApi();
    const wrong = 'abcde0';
    const create = (name: string, schema: string | undefined, more = {}) =>
      api.createModel({ restApiId, name, contentType: 'application/json', schema, ...more });
    await step('create-model-wrong-id', create('MySchema', '{}', { restApiId: wrong }));
    await step('get-models-wrong-id', api.getModels({ restApiId: wrong }));
    await step('get-model-wrong-id', api.getModel({ restApiId: wrong, modelName: 'MySchema' }));
    await step('del-model-wrong-id', api.deleteModel({ restApiId: wrong, modelName: 'MySchema' }));
    await create('MySchema', '{"type":"object","title":"a"}');
    await step('create-model-already-exists', create('MySchema', '{"type":"object","title":"a"}'));
    await step('create-model-empty-name', create('', '{"type":"object","title":"a"}'));
    await step('create-model-empty-schema', create('Empty2', ''));
    await step('create-model-no-schema-json', create('None', undefined));
    await step('create-model-no-schema-xml', create('NoneXml', undefined, { contentType: 'application/xml' }));
  },
  async 'TestApiGatewayApiModels::test_update_model'(step) {
    const { restApiId } = await newApi();
    const modelName = 'MySchema';
    const update = (patchOperations: Patch, name = modelName) =>
      api.updateModel({ restApiId, modelName: name, patchOperations });
    await step('update-model-wrong-id', update(replace('/schema', 'x'), 'mySchema'));
    const schema = JSON.stringify({ title: modelName, type: 'object' });
    const model = api.createModel({ restApiId, name: modelName, contentType: 'application/json', schema });
    await step('create-model', model);
    await step('update-model', update(replace('/schema', '{"title":"Updated schema","type":"object"}')));
    await step('update-model-invalid-op', update(add('/wrong-path', 'not supported op')));
    await step('update-model-invalid-path', update(replace('/name', 'invalid')));
    await step('update-model-empty-schema', update(replace('/schema', '')));
  },
  async 'TestApiGatewayApiRequestValidator::test_request_validator_lifecycle'(step) {
    const made = await step('create-rest-api', api.createRestApi({ name: newName(), description: 'my api' }));
    const restApiId = made.id!;
    const name = newName();
    const validator = await step('create-request-validator', api.createRequestValidator({ restApiId, name }));
    const one = { restApiId, requestValidatorId: validator.id };
    const update = (patchOperations: Patch) => api.updateRequestValidator({ ...one, patchOperations });
    await step('get-request-validator', api.getRequestValidator(one));
    await step('get-request-validators', api.getRequestValidators({ restApiId }));
    await step('update-request-validator-with-value', update(replace('/validateRequestBody', 'true')));
    await step('update-request-validator-without-value', update(replace('/validateRequestBody')));
    await step('get-request-validators-after-update-operation', api.getRequestValidator(one));
    await step('delete-request-validator', api.deleteRequestValidator(one));
    await step('get-deleted-request-validator', api.getRequestValidator(one));
    await step('get-request-validators-after-delete', api.getRequestValidators({ restApiId }));
  },
  async 'TestApiGatewayApiRequestValidator::test_invalid_update_request_validator_operations'(step) {
    const made = await step('create-rest-api', api.createRestApi({ name: newName(), description: 'my api' }));
    const restApiId = made.id!;
    const validator = await step(
      'create-request-validator',
      api.createRequestValidator({ restApiId, name: newName() }),
    );
    const update = (patchOperations: Patch) =>
      api.updateRequestValidator({ restApiId, requestValidatorId: validator.id, patchOperations });
    await step('update-request-validator-invalid-add-operation', update(add('/validateRequestBody', 'true')));
    await step('update-request-validator-invalid-remove-operation', update(remove('/validateRequestBody', 'true')));
    await step('update-request-validator-invalid-path', update(replace('/invalidPath', 'true')));
    await step('update-request-validator-empty-name-value', update(replace('/name', '')));
  },
  async 'TestApiGatewayGatewayResponse::test_gateway_response_crud'(step) {
    const { restApiId } = await newApi();
    const one = { restApiId, responseType: 'MISSING_AUTHENTICATION_TOKEN' as const };
    await step('get-gateway-response-default', api.getGatewayResponse(one));
    const put = api.putGatewayResponse({
      ...one,
      statusCode: '404',
      responseParameters: HEADERS,
      responseTemplates: { 'application/json': TEMPLATE },
    });
    await step('put-gateway-response', put);
    await step('get-gateway-responses', api.getGatewayResponses({ restApiId }));
    await step('get-gateway-response', api.getGatewayResponse(one));
    await step('delete-gateway-response', api.deleteGatewayResponse(one));
    await step('get-deleted-gw-response', api.getGatewayResponse(one));
  },
  async 'TestApiGatewayGatewayResponse::test_gateway_response_put'(step) {
    const { restApiId } = await newApi();
    const put = (more: object, responseType: sdk.GatewayResponseType = 'MISSING_AUTHENTICATION_TOKEN') =>
      api.putGatewayResponse({ restApiId, responseType, ...more });
    const responseTemplates = { 'application/json': TEMPLATE };
    const header = { 'gatewayresponse.header.x-request-header': 'method.request.header.Accept' };
    const all = { statusCode: '404', responseParameters: HEADERS, responseTemplates };
    await step('put-gateway-response-all-value', put(all));
    await step('put-gateway-response-status-only', put({ statusCode: '404' }));
    await step('put-gateway-response-response-parameters-only', put({ responseParameters: header }));
    await step('put-gateway-response-response-templates-only', put({ responseTemplates }));
    const general = { statusCode: '599', responseParameters: header, responseTemplates };
    await step('put-gateway-response-default-5xx', put(general, 'DEFAULT_5XX'));
    const ignored = { responseParameters: { 'gatewayresponse.header.foo': "'bar'" } };
    await step('put-gateway-response-default-ignored', put(ignored, 'AUTHORIZER_FAILURE'));
    await step('get-gateway-responses', api.getGatewayResponses({ restApiId }));
  },
  async 'TestApiGatewayGatewayResponse::test_gateway_response_validation'(step) {
    const restApiId = 'fake-api-id';
    const responseType = 'MISSING_AUTHENTICATION_TOKEN' as const;
    await step('get-gateway-responses-no-api', api.getGatewayResponses({ restApiId }));
    await step('get-gateway-response-no-api', api.getGatewayResponse({ restApiId, responseType }));
    await step('delete-gateway-response-no-api', api.deleteGatewayResponse({ restApiId, responseType }));
    await step('update-gateway-response-no-api', api.updateGatewayResponse({ restApiId, responseType }));
    const own = (await newApi()).restApiId;
    await step('delete-gateway-response-not-set', api.deleteGatewayResponse({ restApiId: own, responseType }));
  },
  async 'TestApigatewayTestInvoke::test_invoke_test_method'(step) {
    const { restApiId, root } = await newApi();
    const answers = async (resourceId: string, httpMethod: string, template: string) => {
      const place = { restApiId, resourceId, httpMethod };
      await api.putMethod({ ...place, authorizationType: 'NONE' });
      await api.putMethodResponse({ ...place, statusCode: '200' });
      const requestTemplates = { 'application/json': '{"statusCode": 200}' };
      await api.putIntegration({ ...place, type: 'MOCK', requestTemplates });
      const responseTemplates = { 'application/json': template };
      await api.putIntegrationResponse({ ...place, statusCode: '200', responseTemplates });
    };
    const { id: pets } = await api.createResource({ restApiId, parentId: root, pathPart: 'pets' });
    const { id: pet } = await api.createResource({ restApiId, parentId: pets, pathPart: '{petId}' });
    await answers(pets!, 'GET', '{"pets": "all the pets"}');
    await answers(pet!, 'GET', '{"petId": "$input.params(\'petId\')"}');
    await answers(pet!, 'POST', '{"petId": "$input.params(\'petId\')"}');
    const test = (resourceId: string, more: object = {}) =>
      api.testInvokeMethod({ restApiId, resourceId, httpMethod: 'GET', ...more });
    const wrong = { pathWithQueryString: '/random/test' };
    await step('test-invoke-method-get-pets', test(pets!));
    await step('test-invoke-method-get-pets-bad-path', test(pets!, wrong));
    await step('test-invoke-method-get-pets-id', test(pet!, { pathWithQueryString: '/pets/123' }));
    await step('test-invoke-method-get-pets-id-no-path', test(pet!));
    await step('test-invoke-method-get-pets-id-bad-path', test(pet!, wrong));
    await step('test-invoke-method-get-with-qs', test(pet!, { pathWithQueryString: '/pets/123?foo=bar' }));
    const post = { httpMethod: 'POST', pathWithQueryString: '/pets/123', body: '{"foo": "bar"}' };
    await step('test-invoke-method-post-with-body', test(pet!, post));
    await step('resource-method-not-found', test(pets!, { httpMethod: 'POST' }));
    await step('resource-id-not-found', test('unknown'));
    await step('rest-api-not-found', test(pets!, { restApiId: 'unknown' }));
  },
  async 'TestApigatewayTestInvoke::test_failed_invoke_test_method'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'GET' };
    await api.putMethod({ ...place, authorizationType: 'NONE' });
    await api.putIntegration({
      ...place,
      type: 'HTTP_PROXY',
      integrationHttpMethod: 'GET',
      uri: `\${stageVariables.missing}`,
    });
    await step('test-invoke-failure', api.testInvokeMethod(place));
  },
  async 'TestApiGatewayApiDocumentationPart::test_documentation_part_lifecycle'(step) {
    const { restApiId } = await newApi();
    const properties = '{"description":"Sample API description"}';
    const part = await step(
      'create-documentation-part',
      api.createDocumentationPart({ restApiId, location: { type: 'API' }, properties }),
    );
    const one = { restApiId, documentationPartId: part.id };
    await step('get-documentation-part', api.getDocumentationPart(one));
    await step('get-documentation-parts', api.getDocumentationParts({ restApiId }));
    const changed = replace('/properties', '{"description":"Updated Sample API description"}');
    await step('update-documentation-part', api.updateDocumentationPart({ ...one, patchOperations: changed }));
    await step('get-documentation-part-after-update', api.getDocumentationPart(one));
    await step('delete_documentation_part', api.deleteDocumentationPart(one));
  },
  async 'TestApigatewayIntegrationResponse::test_lifecycle_integration_response'(step) {
    const { restApiId, root } = await newApi();
    const place = await mock(restApiId, root);
    const one = { ...place, statusCode: '200' };
    const put = (selectionPattern: string, template: string) =>
      api.putIntegrationResponse({ ...one, selectionPattern, responseTemplates: { 'application/json': template } });
    await step('put-integration-response', put('', '"created"'));
    await step('get-integration-response', api.getIntegrationResponse(one));
    const update = { ...one, patchOperations: replace('/selectionPattern', 'updated-pattern') };
    await step('update-integration-response', api.updateIntegrationResponse(update));
    await step('overwrite-integration-response', put('overwrite-pattern', 'overwrite'));
    await step('get-method', api.getMethod(place));
    await step('delete-integration-response', api.deleteIntegrationResponse(one));
  },
  async 'TestApigatewayIntegrationResponse::test_delete_integration_response_errors'(step) {
    const { restApiId, root } = await newApi();
    const one = { ...(await mock(restApiId, root)), statusCode: '200' };
    const responseTemplates = { 'application/json': '"created"' };
    await step(
      'put-integration-response',
      api.putIntegrationResponse({ ...one, selectionPattern: '', responseTemplates }),
    );
    const drop = (more: object) => api.deleteIntegrationResponse({ ...one, ...more });
    await step('non-existent-resource', drop({ resourceId: 'badresource' }));
    await step('non-existent-api-id', drop({ restApiId: 'badapi' }));
    await step('non-existent-method', drop({ httpMethod: 'POST' }));
    await step('non-existent-status-code', drop({ statusCode: '201' }));
    await step('bad-method', drop({ httpMethod: 'bad-method' }));
  },
  async 'TestApigatewayMethodResponse::test_lifecycle_method_response'(step) {
    const { restApiId, root } = await newApi();
    const place = await mock(restApiId, root);
    const one = { ...place, statusCode: '200' };
    await step('put-method-response', api.putMethodResponse({ ...one, responseParameters: {}, responseModels: {} }));
    await step('get-integration-response', api.getMethodResponse(one));
    const update = (patchOperations: Patch) => api.updateMethodResponse({ ...one, patchOperations });
    const header = '/responseParameters/method.response.header.my-header';
    const model = '/responseModels/application~1json';
    await step('add-method-responses', update([...add(header, 'true'), ...add(model, 'Empty')]));
    await step('update-method-responses', update([...replace(header, 'true'), ...replace(model, 'Empty')]));
    await step('get-method', api.getMethod(place));
  },
  async 'TestApigatewayIntegration::test_create_integration_with_vpc_link'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'GET' };
    await api.putMethod({ ...place, authorizationType: 'NONE' });
    const put = api.putIntegration({
      ...place,
      type: 'HTTP_PROXY',
      integrationHttpMethod: 'GET',
      uri: 'http://my-vpclink-test-nlb-1234567890abcdef.us-east-1.amazonaws.com',
      connectionType: 'VPC_LINK',
      connectionId: `\${stageVariables.vpcLinkId}`,
    });
    await step('put-integration-vpc-link', put);
    await step('get-integration-vpc-link', api.getIntegration(place));
    const patchOperations = replace('/connectionId', `\${stageVariables.vpcLinkIdBeta}`);
    await step('update-integration-vpc-link', api.updateIntegration({ ...place, patchOperations }));
    await step('get-integration-update-vpc-link', api.getIntegration(place));
  },
  async 'TestApigatewayIntegration::test_get_integration_non_existent'(step) {
    const { restApiId, root: resourceId } = await newApi();
    const place = { restApiId, resourceId, httpMethod: 'GET' };
    await step('get-integration-no-api', api.getIntegration({ ...place, restApiId: 'badapi' }));
    await step('get-integration-no-resource', api.getIntegration({ ...place, resourceId: 'badresource' }));
    await step('get-integration-no-method', api.getIntegration(place));
    await api.putMethod({ ...place, authorizationType: 'NONE' });
    await step('get-integration-no-integration', api.getIntegration(place));
  },
  async 'TestApiGatewayVpcLink::test_vpc_link_lifecycle'(step) {
    const arn = `arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:loadbalancer/net/a/0123456789abcdef`;
    const made = await step('create_vpc_link', api.createVpcLink({ name: newName(), targetArns: [arn] }));
    const one = { vpcLinkId: made.id };
    await step('get_vpc_link', api.getVpcLink(one));
    await step('get_vpc_links', api.getVpcLinks({}));
    const patchOperations = replace('/name', `${made.name}-updated`);
    await step('update_vpc_link', api.updateVpcLink({ ...one, patchOperations }));
    await step('delete_vpc_link', api.deleteVpcLink(one));
  },
  async 'TestApiGatewayStage::test_get_stages_filters_by_deployment_id'(step) {
    const { restApiId, deployment } = await deployed();
    const [first, second] = [await deployment(), await deployment()];
    await api.createStage({ restApiId, stageName: 'stage1', deploymentId: first.id });
    await api.createStage({ restApiId, stageName: 'stage2', deploymentId: second.id });
    await step('all-stages', api.getStages({ restApiId }));
    await step('stages-deploy1', api.getStages({ restApiId, deploymentId: first.id }));
    await step('stages-deploy2', api.getStages({ restApiId, deploymentId: second.id }));
  },
  async 'TestApiGatewayStage::test_stage_access_log_settings'(step) {
    const { restApiId, deployment } = await deployed();
    const { id } = await step('create-deployment', deployment());
    const stage = { restApiId, stageName: 'dev' };
    await step('create-stage', api.createStage({ ...stage, deploymentId: id, description: 'dev stage' }));
    const update = (patchOperations: Patch) => api.updateStage({ ...stage, patchOperations });
    const arn = `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:test`;
    const destination = '/accessLogSettings/destinationArn';
    await step('update-stage-access-log-dest-add', update(add(destination, arn)));
    await step('update-stage-access-log-dest-replace', update(replace(destination, `${arn}a`)));
    const format = add('/accessLogSettings/format', '$context.requestId $context.identity.sourceIp');
    await step('update-stage-access-log-format-add', update(format));
    await step('update-stage-access-log-remove-all', update(remove('/accessLogSettings')));
  },
  async 'TestStageCrudCanary::test_create_update_stages'(step) {
    const { restApiId, deployment } = await deployed();
    const first = await step('create-deployment-1', deployment());
    const second = await step('create-deployment-2', deployment());
    const stage = { restApiId, stageName: 'dev' };
    await step(
      'create-stage',
      api.createStage({
        ...stage,
        deploymentId: first.id,
        description: 'dev stage',
        variables: { testVar: 'default' },
        canarySettings: {
          deploymentId: second.id,
          percentTraffic: 50,
          stageVariableOverrides: { testVar: 'canary' },
        },
      }),
    );
    await step('get-stage', api.getStage(stage));
    const update = (patchOperations: Patch) => api.updateStage({ ...stage, patchOperations });
    const overrides = replace('/canarySettings/stageVariableOverrides/testVar', 'updated');
    await step('update-stage-canary-settings-overrides', update(overrides));
    await step('update-stage-remove-canary-settings', update(remove('/canarySettings')));
    await step('get-stage-after-remove', api.getStage(stage));
  },
  async 'TestStageCrudCanary::test_create_canary_deployment_with_stage'(step) {
    const { restApiId, deployment } = await deployed();
    const { id } = await step('create-deployment', deployment());
    const stage = { restApiId, stageName: 'dev' };
    const variables = { testVar: 'default' };
    await step('create-stage', api.createStage({ ...stage, deploymentId: id, description: 'dev stage', variables }));
    const canarySettings = { percentTraffic: 50, stageVariableOverrides: { testVar: 'canary' } };
    await step('create-canary-deployment', api.createDeployment({ ...stage, canarySettings }));
    await step('get-stage', api.getStage(stage));
  },
  async 'TestStageCrudCanary::test_create_canary_deployment_by_stage_update'(step) {
    const { restApiId, deployment } = await deployed();
    const first = await step('create-deployment', deployment());
    const second = await step('create-deployment-2', deployment());
    const stage = { restApiId, stageName: 'dev' };
    const variables = { testVar: 'default' };
    const made = api.createStage({ ...stage, deploymentId: first.id, description: 'dev stage', variables });
    await step('create-stage', made);
    const update = (patchOperations: Patch) => api.updateStage({ ...stage, patchOperations });
    await step('update-stage-with-deployment', update(replace('/canarySettings/deploymentId', second.id)));
    await step('remove-stage-canary', update(remove('/canarySettings')));
    await step('update-stage-with-percent', update(replace('/canarySettings/percentTraffic', '50')));
    await step('get-stage', api.getStage(stage));
  },
  async 'TestStageCrudCanary::test_create_canary_deployment_validation'(step) {
    const { restApiId } = await deployed();
    const create = (stageName?: string) =>
      api.createDeployment({ restApiId, stageName, canarySettings: { percentTraffic: 50 } });
    await step('create-canary-deployment-no-stage', create());
    await step('create-canary-deployment-empty-stage', create(''));
    await step('create-canary-deployment-non-existing-stage', create('non-existing'));
  },
};

describeRecorded(PROGRAMS);
