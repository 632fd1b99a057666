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

const WRONG = 'wrong_op';
const NO_API = 'api_id';

let names = 0;
/** Returns a unique name. */
const newName = (): string => `refused-${names++}`;

async function newApi(): Promise<{ restApiId: string; resourceId: string }> {
  const made = await api.createRestApi({ name: newName(), description: 'this is my api' });
  return { restApiId: made.id!, resourceId: made.rootResourceId! };
}

/** Creates a method at the root of a new API. */
async function newMethod(more: Partial<sdk.PutMethodCommandInput> = {}) {
  const place = { ...(await newApi()), httpMethod: 'GET' };
  await api.putMethod({ ...place, authorizationType: 'NONE', ...more });
  return place;
}

/** Creates a mock method. */
async function newMock() {
  const place = await newMethod();
  await api.putIntegration({ ...place, type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode": 200}' } });
  return place;
}

const PROPERTIES = '{"description":"Sample API description"}';
const HEADER = 'method.response.header.my-header';
const MODEL = '/responseModels/application~1json';

const PROGRAMS: Programs = {
  async 'TestApiGatewayApiRestApi::test_list_and_delete_apis'(step) {
    for (const { id: restApiId } of (await api.getRestApis({ limit: 500 })).items ?? [])
      await api.deleteRestApi({ restApiId });
    const one = await step('create-rest-api-1', api.createRestApi({ name: newName(), description: 'this is my api' }));
    await step('create-rest-api-2', api.createRestApi({ name: newName(), description: 'this is my api2' }));
    const ordered = async () => {
      const answer = await api.getRestApis({});
      return { ...answer, items: answer.items?.toSorted((a, b) => (a.description! < b.description! ? -1 : 1)) };
    };
    await step('get-rest-api-before-delete', ordered());
    await step('delete-rest-api', api.deleteRestApi({ restApiId: one.id }));
    await step('get-rest-api-after-delete', ordered());
  },
  async 'TestApiGatewayApiRestApi::test_create_rest_api_private_type'(step) {
    const create = (ipAddressType: string, more = {}) =>
      api.createRestApi({
        name: newName(),
        endpointConfiguration: { types: ['PRIVATE'], ipAddressType: ipAddressType as sdk.IpAddressType },
        ...more,
      });
    await step('create-with-private-type-and-ipv4-ip-address-type', create('ipv4'));
    await step('create-with-private-type-and-wrong-ip-address-type', create('wrong'));
    await step(
      'create-with-private-type-and-ipv4-ip-address-type-and-empty-description',
      create('ipv4', { description: '' }),
    );
  },
  async 'TestApiGatewayApiResource::test_delete_resource'(step) {
    const { restApiId, resourceId: parentId } = await newApi();
    const { id } = await api.createResource({ restApiId, parentId, pathPart: 'pets' });
    const child = await api.createResource({ restApiId, parentId: id, pathPart: 'subpets' });
    await step('delete-resource', api.deleteResource({ restApiId, resourceId: id }));
    await step('get-resources', api.getResources({ restApiId }));
    await step('delete-subresource', api.deleteResource({ restApiId, resourceId: child.id }));
  },
  async 'TestApiGatewayApiResource::test_create_resource_parent_invalid'(step) {
    const { restApiId } = await newApi();
    const made = api.createResource({ restApiId, parentId: 'fake-resource-id', pathPart: 'subpets' });
    await step('wrong-resource-parent-id', made);
  },
  async 'TestApiGatewayApiModels::test_model_lifecycle'(step) {
    const { restApiId } = await newApi();
    const number = { type: 'number' };
    const op = { description: 'operation of +, -, * or /', type: 'string' };
    const schema = JSON.stringify({
      title: 'Calc output',
      type: 'object',
      properties: { a: number, b: number, op, c: number },
      required: ['a', 'b', 'op'],
    });
    const model = { restApiId, modelName: 'CalcOutput' };
    await step(
      'create-model',
      api.createModel({
        restApiId,
        name: 'CalcOutput',
        contentType: 'application/json',
        description: 'Calc output model',
        schema,
      }),
    );
    const ordered = async () => {
      const answer = await api.getModels({ restApiId });
      return { ...answer, items: answer.items?.toSorted((a, b) => (a.name! < b.name! ? -1 : 1)) };
    };
    await step('get-models', ordered());
    await step('get-model', api.getModel(model));
    await step('del-model', api.deleteModel(model));
  },
  async 'TestApiGatewayApiRequestValidator::test_validators_crud_no_api'(step) {
    const restApiId = 'test-fake-rest-id';
    await step('wrong-rest-api-id-create-validator', api.createRequestValidator({ restApiId, name: 'v' }));
    await step('wrong-rest-api-id-get-validators', api.getRequestValidators({ restApiId }));
  },
  async 'TestApiGatewayApiRequestValidator::test_invalid_get_request_validator'(step) {
    const { restApiId } = await newApi();
    const { id: requestValidatorId } = await api.createRequestValidator({ restApiId, name: 'v' });
    const get = (more: object) => api.getRequestValidator({ restApiId, requestValidatorId, ...more });
    await step('get-request-validators-invalid-api-id', get({ restApiId: NO_API }));
    await step('get-request-validators-invalid-validator-id', get({ requestValidatorId: 'validator_id' }));
  },
  async 'TestApiGatewayApiRequestValidator::test_invalid_get_request_validators'(step) {
    await step('get-invalid-request-validators', api.getRequestValidators({ restApiId: NO_API }));
  },
  async 'TestApiGatewayApiRequestValidator::test_invalid_delete_request_validator'(step) {
    const { restApiId } = await newApi();
    const { id: requestValidatorId } = await api.createRequestValidator({ restApiId, name: 'v' });
    const drop = (more: object) => api.deleteRequestValidator({ restApiId, requestValidatorId, ...more });
    await step('delete-request-validator-invalid-api-id', drop({ restApiId: NO_API }));
    await step('delete-request-validator-invalid-validator-id', drop({ requestValidatorId: 'validator_id' }));
  },
  async 'TestApiGatewayApiRequestValidator::test_create_request_validator_invalid_api_id'(step) {
    await step('invalid-create-request-validator', api.createRequestValidator({ restApiId: NO_API, name: 'v' }));
  },
  async 'TestApiGatewayGatewayResponse::test_update_gateway_response'(step) {
    const { restApiId } = await newApi();
    const four = { restApiId, responseType: 'DEFAULT_4XX' as const };
    const update = (patchOperations: Patch, responseType: sdk.GatewayResponseType = 'DEFAULT_4XX') =>
      api.updateGatewayResponse({ restApiId, responseType, patchOperations });
    await step('update-gateway-response-not-set', update(patch('replace', '/statusCode', '444')));
    await step('default-get-gateway-response', api.getGatewayResponse(four));
    const origin = 'gatewayresponse.header.Access-Control-Allow-Origin';
    await step(
      'put-gateway-response',
      api.putGatewayResponse({
        ...four,
        statusCode: '404',
        responseParameters: {
          [origin]: "'a.b.c'",
          'gatewayresponse.header.x-request-header': 'method.request.header.Accept',
          'gatewayresponse.header.x-request-path': 'method.request.path.petId',
          'gatewayresponse.header.x-request-query': 'method.request.querystring.q',
        },
        responseTemplates: {
          'application/json': JSON.stringify({ 'application/json': '{"message":$context.error.messageString}' }),
        },
      }),
    );
    const xml =
      '<gatewayResponse><message>$context.error.messageString</message><type>$context.error.responseType</type></gatewayResponse>';
    const changes = [
      ...patch('replace', '/statusCode', '444'),
      ...patch('replace', `/responseParameters/${origin}`, "'example.com'"),
      ...patch('add', '/responseTemplates/application~1xml', xml),
    ];
    await step('update-gateway-response', update(changes));
    await step('get-gateway-response', api.getGatewayResponse(four));
    await step('update-gateway-add-status-code', update(patch('add', '/statusCode', '444')));
    await step('update-gateway-remove-status-code', update(patch('remove', '/statusCode')));
    const missing = patch('replace', `/responseParameters/${origin}`, "'example.com'");
    await step('update-gateway-replace-invalid-parameter', update(missing, 'DEFAULT_5XX'));
    await step('update-gateway-no-path', update([{ op: 'add', value: "'example.com'" }]));
    await step('update-gateway-wrong-op', update(patch('wrong-op', '/statusCode', "'example.com'")));
    await step('update-gateway-wrong-path', update(patch('add', '/wrongPath', "'example.com'")));
    const empty = (path: string) => update(patch('replace', path));
    await step('update-gateway-replace-invalid-parameter-0-none', empty('/responseTemplates/application~1xml'));
    await step('update-gateway-replace-invalid-parameter-1-none', empty(`/responseParameters/${origin}`));
  },
  async 'TestApigatewayIntegration::test_put_integration_wrong_type'(step) {
    const put = api.putIntegration({
      ...(await newMethod()),
      type: 'HTTPS_PROXY' as sdk.IntegrationType,
      uri: 'https://example.com',
      integrationHttpMethod: 'ANY',
    });
    await step('put-integration-wrong-type', put);
  },
  async 'TestApigatewayIntegration::test_put_integration_response_validation'(step) {
    const place = await newMock();
    const put = (more: object) => api.putIntegration({ ...place, type: 'MOCK', ...more });
    await step('put-integration-wrong-method', put({ httpMethod: 'POST' }));
    await step('put-integration-wrong-resource', put({ resourceId: 'badresource' }));
    const respond = (more: object) => api.putIntegrationResponse({ ...place, statusCode: '200', ...more });
    await step('put-integration-response-wrong-method', respond({ httpMethod: 'POST' }));
    await step('put-integration-response-wrong-resource', respond({ resourceId: 'badresource' }));
  },
  async 'TestApigatewayIntegration::test_put_integration_request_parameter_bool_type'(step) {
    const { restApiId, resourceId: parentId } = await newApi();
    const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: 'test' });
    const place = { restApiId, resourceId, httpMethod: 'GET' };
    const requestParameters = { 'method.request.path.testPath': true };
    await step('bool-method', api.putMethod({ ...place, authorizationType: 'NONE', requestParameters }));
    const put = (value: string) =>
      api.putIntegration({
        ...place,
        type: 'HTTP',
        uri: 'https://example.com',
        integrationHttpMethod: 'GET',
        requestParameters: { 'integration.request.path.testPath': value },
      });
    await step('put-method-request-param-wrong-type', put('true'));
  },
  async 'TestApiGatewayApiDocumentationPart::test_doc_parts_crud_no_api'(step) {
    const restApiId = 'test-fake-rest-id';
    const made = api.createDocumentationPart({ restApiId, location: { type: 'API' }, properties: PROPERTIES });
    await step('wrong-rest-api-id-create-doc-part', made);
    await step('wrong-rest-api-id-get-doc-parts', api.getDocumentationParts({ restApiId }));
  },
  async 'TestApiGatewayApiDocumentationPart::test_invalid_get_documentation_part'(step) {
    const part = await newPart();
    const get = (more: object) => api.getDocumentationPart({ ...part, ...more });
    await step('get-documentation-part-invalid-api-id', get({ restApiId: NO_API }));
    await step('get-documentation-part-invalid-doc-id', get({ documentationPartId: 'documentation_part_id' }));
  },
  async 'TestApiGatewayApiDocumentationPart::test_invalid_get_documentation_parts'(step) {
    await step('get-inavlid-documentation-parts', api.getDocumentationParts({ restApiId: NO_API }));
  },
  async 'TestApiGatewayApiDocumentationPart::test_invalid_update_documentation_part'(step) {
    const part = await newPart();
    const update = (patchOperations: Patch, more = {}) =>
      api.updateDocumentationPart({ ...part, patchOperations, ...more });
    const fine = patch('replace', '/properties', PROPERTIES);
    await step('update-documentation-part-invalid-api-id', update(fine, { restApiId: NO_API }));
    await step('update-documentation-part-invalid-add-operation', update(patch('add', '/properties', PROPERTIES)));
    await step('update-documentation-part-invalid-path', update(patch('replace', '/invalidPath', PROPERTIES)));
  },
  async 'TestApiGatewayApiDocumentationPart::test_invalid_create_documentation_part_operations'(step) {
    const { restApiId } = await newApi();
    const create = (type: string, more = {}) =>
      api.createDocumentationPart({
        restApiId,
        location: { type: type as sdk.DocumentationPartType },
        properties: PROPERTIES,
        ...more,
      });
    await step('create_documentation_part_invalid_api_id', create('API', { restApiId: NO_API }));
    await step('create_documentation_part_invalid_location_type', create('INVALID'));
  },
  async 'TestApiGatewayApiDocumentationPart::test_invalid_delete_documentation_part'(step) {
    const part = await newPart();
    const drop = (more = {}) => api.deleteDocumentationPart({ ...part, ...more });
    await step('delete_documentation_part_wrong_api_id', drop({ restApiId: NO_API }));
    await step('delete_documentation_part', drop());
    await step('delete_already_deleted_documentation_part', drop());
  },
  async 'TestApiGatewayApiDocumentationPart::test_import_documentation_parts_bad_file'(step) {
    const { restApiId } = await newApi();
    const put = (body: string) =>
      api.importDocumentationParts({ restApiId, body: Buffer.from(body), mode: 'overwrite' });
    await step('import-documentation-parts-bad-yaml-file', put('swagger: "2.0"\n  wrong: : :'));
    await step('import-documentation-parts-bad-json-file', put('{"swagger": "2.0"'));
  },
  async 'TestApigatewayIntegrationResponse::test_integration_response_wrong_api'(step) {
    await integrationResponse(step, 'wrong-api', { restApiId: 'wrong' });
  },
  async 'TestApigatewayIntegrationResponse::test_integration_response_wrong_resource'(step) {
    await integrationResponse(step, 'wrong-resource', { resourceId: 'wrong' });
  },
  async 'TestApigatewayIntegrationResponse::test_integration_response_wrong_method'(step) {
    await integrationResponse(step, 'wrong-method', { httpMethod: 'POST' });
  },
  async 'TestApigatewayIntegrationResponse::test_integration_response_invalid_statuscode'(step) {
    await integrationResponse(step, 'invalid-statusCode', { statusCode: 'wrong' });
  },
  async 'TestApigatewayIntegrationResponse::test_integration_response_invalid_responsetemplates'(step) {
    const place = { ...(await newMock()), statusCode: '200' };
    const put = (responseTemplates: object) =>
      api.putIntegrationResponse({ ...place, responseTemplates: responseTemplates as Record<string, string> });
    await step('put-integration-response-invalid-responseTemplates-2', put({ 123: '' }));
  },
  async 'TestApigatewayIntegrationResponse::test_integration_response_invalid_integration'(step) {
    const get = api.getIntegrationResponse({ ...(await newMethod()), statusCode: '200' });
    await step('get-integration-response-without-integration', get);
  },
  async 'TestApigatewayIntegrationResponse::test_integration_response_wrong_status_code'(step) {
    const place = await newMock();
    await api.putIntegrationResponse({ ...place, statusCode: '200' });
    await step(
      'get-integration-response-wrong-status-code',
      api.getIntegrationResponse({ ...place, statusCode: '201' }),
    );
  },
  async 'TestApigatewayMethodResponse::test_update_method_response'(step) {
    const one = { ...(await newMethod()), statusCode: '200' };
    await api.putMethodResponse({
      ...one,
      responseParameters: { [HEADER]: true },
      responseModels: { 'application/json': 'Empty' },
    });
    const update = (patchOperations: Patch) => api.updateMethodResponse({ ...one, patchOperations });
    const parameter = `/responseParameters/${HEADER}`;
    const removed = [...patch('remove', parameter), ...patch('remove', MODEL)];
    await step('remove-update-method-response', update(removed));
    const added = [...patch('add', parameter, 'true'), ...patch('add', MODEL, 'Empty')];
    await step('add-update-method-response', update(added));
  },
  async 'TestApigatewayMethodResponse::test_update_method_response_wrong_operations'(step) {
    const one = { ...(await newMethod()), statusCode: '200' };
    await api.putMethodResponse(one);
    const [wrong] = patch(WRONG, `/responseParameters/${HEADER}`, 'true') as [sdk.PatchOperation];
    const [fine] = patch('add', `/responseParameters/${HEADER}`, 'true') as [sdk.PatchOperation];
    const lists = [[wrong], [wrong, fine], [wrong, wrong], [wrong, wrong, wrong, wrong], [wrong, fine, wrong]];
    for (const [at, patchOperations] of lists.entries())
      await step(
        `update-method-response-wrong-operation-${at + 1}`,
        api.updateMethodResponse({ ...one, patchOperations }),
      );
  },
  async 'TestApigatewayMethodResponse::test_update_method_response_negative_tests'(step) {
    const one = { ...(await newMethod()), statusCode: '200' };
    await api.putMethodResponse(one);
    const update = (more: object, op = 'add') =>
      api.updateMethodResponse({
        ...one,
        patchOperations: patch(op, `/responseParameters/${HEADER}`, 'true'),
        ...more,
      });
    await step('update-method-response-wrong-statuscode', update({ statusCode: '201' }));
    await step('update-method-response-invalid-statuscode', update({ statusCode: 'wrong' }));
    await step('update-method-response-invalid-statuscode-and-wrong-op', update({ statusCode: 'wrong' }, WRONG));
    await step('update-method-response-wrong-resource', update({ resourceId: 'wrong' }));
    await step('update-method-response-wrong-method', update({ httpMethod: 'POST' }));
  },
  async 'TestApigatewayMethodResponse::test_update_method_lack_response_parameters_and_models'(step) {
    const one = { ...(await newMethod()), statusCode: '200' };
    await api.putMethodResponse(one);
    const update = (patchOperations: Patch) => api.updateMethodResponse({ ...one, patchOperations });
    const name = 'update-method-response-operation';
    await step(
      `${name}-without-response-parameters`,
      update(patch('replace', `/responseParameters/${HEADER}`, 'true')),
    );
    await step(`${name}-without-response-models`, update(patch('replace', MODEL, 'Empty')));
    await step(`${name}-with-wrong-path`, update(patch('add', `/wrong/${HEADER}`, 'true')));
  },
  async 'TestApigatewayMethodResponse::test_update_method_wrong_param_names'(step) {
    const one = { ...(await newMethod()), statusCode: '200' };
    await api.putMethodResponse({
      ...one,
      responseParameters: { [HEADER]: true },
      responseModels: { 'application/json': 'Empty' },
    });
    const update = (patchOperations: Patch) => api.updateMethodResponse({ ...one, patchOperations });
    const name = 'update-method-response-operation-with-wrong-param-name';
    const parameter = '/responseParameters/method.response.header.wrong';
    await step(`${name}-1`, update(patch('replace', parameter, 'true')));
    await step(`${name}-2`, update(patch('remove', parameter)));
    await step(`${name}-3`, update(patch('replace', '/responseModels/wrong~1type', 'Empty')));
    await step(`${name}-4`, update(patch('remove', '/responseModels/wrong~1type')));
  },
  async 'TestApiGatewayVpcLink::test_create_vpc_link_invalid_parameters'(step) {
    await step(
      'create_vpc_link_invalid_target_arn',
      api.createVpcLink({ name: newName(), targetArns: ['invalid-arn'] }),
    );
    const arn = `arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:loadbalancer/net/a/0123456789abcdef`;
    await step('create_vpc_link_empty_name', api.createVpcLink({ name: '', targetArns: [arn] }));
  },
  async 'TestApiGatewayVpcLink::test_get_vpc_link_invalid_id'(step) {
    await step('get_vpc_link_invalid_id', api.getVpcLink({ vpcLinkId: 'invalid-id' }));
  },
  async 'TestApiGatewayVpcLink::test_delete_vpc_link_invalid_id'(step) {
    await step('delete_vpc_link_invalid_id', api.deleteVpcLink({ vpcLinkId: 'invalid-id' }));
  },
  async 'TestApiGatewayVpcLink::test_update_vpc_link_invalid_id'(step) {
    const patchOperations = patch('replace', '/name', 'new');
    await step('update_vpc_link_invalid_id', api.updateVpcLink({ vpcLinkId: 'invalid-id', patchOperations }));
  },
  async 'TestApiGatewayStage::test_stage_access_log_settings_validation'(step) {
    const { restApiId } = await newMock();
    const { id: deploymentId } = await step('create-deployment', api.createDeployment({ restApiId }));
    const stage = { restApiId, stageName: 'dev' };
    await step('create-stage', api.createStage({ ...stage, deploymentId, description: 'dev stage' }));
    const update = (patchOperations: Patch) => api.updateStage({ ...stage, patchOperations });
    const root = '/accessLogSettings';
    await step('invalid-path-add', update(patch('add', `${root}/randomValue`, 'test')));
    await step('invalid-path-remove', update(patch('remove', `${root}/randomValue`)));
    await step('invalid-path-replace', update(patch('replace', `${root}/randomValue`, 'test')));
    await step('star-and-add', update(patch('add', `${root}/*`, 'test')));
    await step('star-and-remove', update(patch('remove', `${root}/*`)));
    await step('star-and-replace', update(patch('replace', `${root}/*`, 'test')));
    await step('root-and-add', update(patch('add', root, 'test')));
    await step('root-and-replace', update(patch('replace', root, 'test')));
    const arn = `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:test`;
    await step('update-stage-access-log-dest-add', update(patch('add', `${root}/destinationArn`, arn)));
    await step('update-stage-access-log-destinationArn-empty', update(patch('add', `${root}/destinationArn`, '')));
    await step('update-stage-access-log-format-empty', update(patch('add', `${root}/format`, '')));
    await step('update-stage-access-log-dest-remove', update(patch('remove', `${root}/destinationArn`)));
  },
};

/** Creates a documentation part in a new API. */
async function newPart() {
  const { restApiId } = await newApi();
  const made = await api.createDocumentationPart({ restApiId, location: { type: 'API' }, properties: PROPERTIES });
  return { restApiId, documentationPartId: made.id };
}

/** Puts and gets an invalid integration response. */
async function integrationResponse(step: Parameters<Programs[string]>[0], name: string, wrong: object): Promise<void> {
  const place = { ...(await newMock()), statusCode: '200', ...wrong };
  await step(`put-integration-response-${name}`, api.putIntegrationResponse(place));
  await step(`get-integration-response-${name}`, api.getIntegrationResponse(place));
}

describeRecorded(PROGRAMS);
