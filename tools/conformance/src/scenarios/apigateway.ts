import * as sdk from '@aws-sdk/client-api-gateway';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-apigateway/model/apigateway.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import { buckets } from './apigateway-others.ts';

const place = 'us-east-1:123456789012';
const authorizerUri = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:${place}:function:auth/invocations`;
const identitySource = 'method.request.header.Authorization';
const certificate = `arn:aws:acm:${place}:certificate/1`;
const target = `arn:aws:elasticloadbalancing:${place}:loadbalancer/net/a/b`;
const domainName = 'known.example.com';
const json = (text: string) => ({ 'application/json': text });
const document = {
  swagger: '2.0',
  info: { title: 'imported', version: '1' },
  paths: {
    '/a': {
      get: {
        responses: { '200': { description: 'x' } },
        'x-amazon-apigateway-integration': { type: 'mock', responses: { default: { statusCode: '200' } } },
      },
    },
  },
};
const encoded = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const replace = (path: string, value: string) => [{ op: 'replace', path, value }];

/** Creates an API with resources of every kind, keys, plans and a domain. */
async function setUp(send: Send): Promise<Facts> {
  const text = async (operation: string, input: object, member = 'id') =>
    String((await send(operation, input as Record<string, unknown>))[member]);
  const { id, rootResourceId } = await send('CreateRestApi', { name: 'known', tags: { team: 'a' } });
  const restApiId = String(id);
  const resourceId = await text('CreateResource', { restApiId, parentId: rootResourceId, pathPart: 'pets' });
  const method = { restApiId, resourceId, httpMethod: 'GET' };
  await send('PutMethod', {
    ...method,
    authorizationType: 'NONE',
    requestParameters: { 'method.request.querystring.q': false },
  });
  await send('PutMethodResponse', {
    ...method,
    statusCode: '200',
    responseParameters: { 'method.response.header.X': false },
  });
  await send('PutIntegration', { ...method, type: 'MOCK', requestTemplates: json('{"statusCode": 200}') });
  await send('PutIntegrationResponse', { ...method, statusCode: '200', responseTemplates: json('{}') });
  await send('PutMethodResponse', { ...method, statusCode: '400' });
  const other = await text('CreateResource', { restApiId, parentId: rootResourceId, pathPart: 'other' });
  const deploymentId = await text('CreateDeployment', { restApiId, stageName: 'dev' });
  const unused = await text('CreateDeployment', { restApiId });
  await send('CreateModel', {
    restApiId,
    name: 'Known',
    contentType: 'application/json',
    schema: '{"type":"object","properties":{"a":{"type":"string"}}}',
  });
  const validatorId = await text('CreateRequestValidator', { restApiId, name: 'known', validateRequestBody: false });
  const authorizerId = await text('CreateAuthorizer', {
    restApiId,
    name: 'known',
    type: 'TOKEN',
    authorizerUri,
    identitySource,
  });
  await send('PutGatewayResponse', { restApiId, responseType: 'DEFAULT_4XX', statusCode: '499' });
  const partId = await text('CreateDocumentationPart', {
    restApiId,
    location: { type: 'METHOD', path: '/pets' },
    properties: '{"a":1}',
  });
  await send('CreateDocumentationVersion', { restApiId, documentationVersion: '1' });
  const keyId = await text('CreateApiKey', { name: 'known', enabled: true, customerId: 'c', tags: { team: 'a' } });
  const spare = await text('CreateApiKey', { name: 'spare' });
  const planId = await text('CreateUsagePlan', { name: 'known', quota: { limit: 10, period: 'DAY' } });
  await send('CreateUsagePlanKey', { usagePlanId: planId, keyId, keyType: 'API_KEY' });
  const linkId = await text('CreateVpcLink', { name: 'known', targetArns: [target] });
  const certificateId = await text('GenerateClientCertificate', { description: 'known' }, 'clientCertificateId');
  await send('CreateDomainName', {
    domainName,
    regionalCertificateArn: certificate,
    endpointConfiguration: { types: ['REGIONAL'] },
  });
  await send('CreateBasePathMapping', { domainName, restApiId, stage: 'dev', basePath: 'v1' });
  const domainNameArn = await text(
    'CreateDomainName',
    { domainName: 'private.example.com', certificateArn: certificate, endpointConfiguration: { types: ['PRIVATE'] } },
    'domainNameArn',
  );
  const associationArn = await text(
    'CreateDomainNameAccessAssociation',
    { domainNameArn, accessAssociationSourceType: 'VPCE', accessAssociationSource: 'vpce-1' },
    'domainNameAccessAssociationArn',
  );
  return {
    restApiId,
    resourceId,
    other,
    rootResourceId: String(rootResourceId),
    deploymentId,
    unused,
    validatorId,
    authorizerId,
    partId,
    keyId,
    spare,
    planId,
    linkId,
    certificateId,
    domainNameArn,
    associationArn,
  };
}

/** Returns a day before or after today. */
const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the whole state as clients see it. */
async function observe(send: Send): Promise<unknown> {
  const list = async (operation: string, input: object = {}) => {
    const { items, item } = await send(operation, input as Record<string, unknown>);
    return (items ?? item ?? []) as Record<string, unknown>[];
  };
  const apis = await list('GetRestApis');
  const seen: unknown[] = [
    apis,
    (await send('GetAccount', {})).cloudwatchRoleArn,
    await list('GetApiKeys', { includeValues: true }),
  ];
  for (const { id: restApiId } of apis)
    for (const name of [
      'Authorizers',
      'Deployments',
      'DocumentationParts',
      'DocumentationVersions',
      'GatewayResponses',
      'Models',
      'RequestValidators',
      'Resources',
      'Stages',
    ])
      seen.push(await list(`Get${name}`, { restApiId, ...(name === 'Resources' && { embed: ['methods'] }) }));
  for (const plan of await list('GetUsagePlans')) {
    const { id: usagePlanId } = plan;
    seen.push(plan, await list('GetUsagePlanKeys', { usagePlanId }));
    const { items } = await send('GetUsage', { usagePlanId, startDate: dayFromNow(-1), endDate: dayFromNow(1) });
    seen.push(items);
  }
  seen.push(
    await list('GetVpcLinks'),
    await list('GetClientCertificates'),
    await list('GetDomainNameAccessAssociations'),
  );
  for (const domain of await list('GetDomainNames'))
    seen.push(domain, await list('GetBasePathMappings', { domainName: domain.domainName }));
  return seen;
}

const inApi = ({ restApiId }: Facts) => ({ restApiId });
const method = ({ restApiId, resourceId }: Facts) => ({ restApiId, resourceId, httpMethod: 'GET' });
const response = (facts: Facts) => ({ ...method(facts), statusCode: '200' });
const stage = (facts: Facts) => ({ ...inApi(facts), stageName: 'dev' });
const part = (facts: Facts) => ({ ...inApi(facts), documentationPartId: facts.partId });
const version = (facts: Facts) => ({ ...inApi(facts), documentationVersion: '1' });
const modelOf = (facts: Facts) => ({ ...inApi(facts), modelName: 'Known' });
const validator = (facts: Facts) => ({ ...inApi(facts), requestValidatorId: facts.validatorId });
const authorizer = (facts: Facts) => ({ ...inApi(facts), authorizerId: facts.authorizerId });
const deployment = (facts: Facts) => ({ ...inApi(facts), deploymentId: facts.deploymentId });
const resource = ({ restApiId, other }: Facts) => ({ restApiId, resourceId: other });
const gatewayResponse = (facts: Facts) => ({ ...inApi(facts), responseType: 'DEFAULT_4XX' });
const key = ({ keyId }: Facts) => ({ apiKey: keyId });
const plan = ({ planId }: Facts) => ({ usagePlanId: planId });
const planKey = ({ planId, keyId }: Facts) => ({ usagePlanId: planId, keyId });
const link = ({ linkId }: Facts) => ({ vpcLinkId: linkId });
const clientCertificate = ({ certificateId }: Facts) => ({ clientCertificateId: certificateId });
const domain = () => ({ domainName });
const basePath = () => ({ domainName, basePath: 'v1' });
const tagged = ({ restApiId }: Facts) => ({ resourceArn: `arn:aws:apigateway:us-east-1::/restapis/${restApiId}` });
const patched =
  (input: (facts: Facts) => object, path: string, value: string) =>
  (facts: Facts): Record<string, unknown> => ({ ...input(facts), patchOperations: replace(path, value) });
const days = { startDate: '2026-01-01', endDate: '2026-01-02' };

const inputs: Scenario['inputs'] = {
  CreateApiKey: () => ({ name: 'new' }),
  CreateAuthorizer: (facts) => ({ ...inApi(facts), name: 'new', type: 'TOKEN', authorizerUri, identitySource }),
  CreateBasePathMapping: ({ restApiId }) => ({ domainName, restApiId, basePath: 'new' }),
  CreateDeployment: inApi,
  CreateDocumentationPart: (facts) => ({ ...inApi(facts), location: { type: 'API' }, properties: '{}' }),
  CreateDocumentationVersion: (facts) => ({ ...inApi(facts), documentationVersion: 'new' }),
  CreateDomainName: () => ({
    domainName: 'new.example.com',
    regionalCertificateArn: certificate,
    endpointConfiguration: { types: ['REGIONAL'] },
  }),
  CreateDomainNameAccessAssociation: ({ domainNameArn }) => ({
    domainNameArn,
    accessAssociationSourceType: 'VPCE',
    accessAssociationSource: 'vpce-2',
  }),
  CreateModel: (facts) => ({
    ...inApi(facts),
    name: 'New',
    contentType: 'application/json',
    schema: '{"type":"object"}',
  }),
  CreateRequestValidator: inApi,
  CreateResource: ({ restApiId, rootResourceId }) => ({ restApiId, parentId: rootResourceId, pathPart: 'new' }),
  CreateRestApi: () => ({ name: 'new' }),
  CreateStage: (facts) => ({ ...inApi(facts), stageName: 'new', deploymentId: facts.deploymentId }),
  CreateUsagePlan: () => ({ name: 'new' }),
  CreateUsagePlanKey: ({ planId, spare }) => ({ usagePlanId: planId, keyId: spare, keyType: 'API_KEY' }),
  CreateVpcLink: () => ({ name: 'new', targetArns: [target] }),
  DeleteApiKey: key,
  DeleteAuthorizer: authorizer,
  DeleteBasePathMapping: basePath,
  DeleteClientCertificate: clientCertificate,
  DeleteDeployment: (facts) => ({ ...inApi(facts), deploymentId: facts.unused }),
  DeleteDocumentationPart: part,
  DeleteDocumentationVersion: version,
  DeleteDomainName: domain,
  DeleteDomainNameAccessAssociation: ({ associationArn }) => ({ domainNameAccessAssociationArn: associationArn }),
  DeleteGatewayResponse: gatewayResponse,
  DeleteIntegration: method,
  DeleteIntegrationResponse: response,
  DeleteMethod: method,
  DeleteMethodResponse: response,
  DeleteModel: modelOf,
  DeleteRequestValidator: validator,
  DeleteResource: resource,
  DeleteRestApi: ({ spareApi, restApiId }) => ({ restApiId: spareApi ?? restApiId }),
  DeleteStage: stage,
  DeleteUsagePlan: plan,
  DeleteUsagePlanKey: planKey,
  DeleteVpcLink: link,
  FlushStageAuthorizersCache: stage,
  FlushStageCache: stage,
  GetApiKey: key,
  GetAuthorizer: authorizer,
  GetAuthorizers: inApi,
  GetBasePathMapping: basePath,
  GetBasePathMappings: domain,
  GetClientCertificate: clientCertificate,
  GetDeployment: deployment,
  GetDeployments: inApi,
  GetDocumentationPart: part,
  GetDocumentationParts: inApi,
  GetDocumentationVersion: version,
  GetDocumentationVersions: inApi,
  GetDomainName: domain,
  GetExport: (facts) => ({ ...stage(facts), exportType: 'oas30' }),
  GetGatewayResponse: gatewayResponse,
  GetGatewayResponses: inApi,
  GetIntegration: method,
  GetIntegrationResponse: response,
  GetMethod: method,
  GetMethodResponse: response,
  GetModel: modelOf,
  GetModelTemplate: modelOf,
  GetModels: inApi,
  GetRequestValidator: validator,
  GetRequestValidators: inApi,
  GetResource: ({ restApiId, resourceId }) => ({ restApiId, resourceId }),
  GetResources: inApi,
  GetRestApi: inApi,
  GetSdkType: () => ({ id: 'java' }),
  GetStage: stage,
  GetStages: inApi,
  GetTags: tagged,
  GetUsage: (facts) => ({ ...plan(facts), ...days }),
  GetUsagePlan: plan,
  GetUsagePlanKey: planKey,
  GetUsagePlanKeys: plan,
  GetVpcLink: link,
  ImportApiKeys: () => ({ body: encoded('name,key,enabled\nnew,abcdefghijklmnopqrstuvwxyz,true\n'), format: 'csv' }),
  ImportDocumentationParts: (facts) => ({
    ...inApi(facts),
    body: encoded({ documentationParts: [{ location: { type: 'API' }, properties: { description: 'new' } }] }),
  }),
  ImportRestApi: () => ({ body: encoded(document) }),
  PutGatewayResponse: (facts) => ({ ...inApi(facts), responseType: 'THROTTLED', statusCode: '498' }),
  PutIntegration: (facts) => ({ ...method(facts), type: 'MOCK' }),
  PutIntegrationResponse: (facts) => ({ ...method(facts), statusCode: '400', selectionPattern: '4..' }),
  PutMethod: ({ restApiId, other }) => ({ restApiId, resourceId: other, httpMethod: 'GET', authorizationType: 'NONE' }),
  PutMethodResponse: (facts) => ({ ...method(facts), statusCode: '500' }),
  PutRestApi: (facts) => ({ ...inApi(facts), body: encoded(document) }),
  RejectDomainNameAccessAssociation: ({ associationArn, domainNameArn }) => ({
    domainNameAccessAssociationArn: associationArn,
    domainNameArn,
  }),
  TagResource: (facts) => ({ ...tagged(facts), tags: { new: 'x' } }),
  TestInvokeAuthorizer: authorizer,
  TestInvokeMethod: method,
  UntagResource: (facts) => ({ ...tagged(facts), tagKeys: ['team'] }),
  UpdateAccount: () => ({ patchOperations: replace('/cloudwatchRoleArn', 'arn:aws:iam::123456789012:role/r') }),
  UpdateApiKey: patched(key, '/description', 'changed'),
  UpdateAuthorizer: patched(authorizer, '/name', 'changed'),
  UpdateBasePathMapping: patched(basePath, '/basePath', 'changed'),
  UpdateClientCertificate: patched(clientCertificate, '/description', 'changed'),
  UpdateDeployment: patched(deployment, '/description', 'changed'),
  UpdateDocumentationPart: patched(part, '/properties', '{"changed":true}'),
  UpdateDocumentationVersion: patched(version, '/description', 'changed'),
  UpdateDomainName: patched(domain, '/regionalCertificateArn', `${certificate}2`),
  UpdateGatewayResponse: patched(gatewayResponse, '/statusCode', '498'),
  UpdateIntegration: patched(method, '/timeoutInMillis', '1000'),
  UpdateIntegrationResponse: patched(response, '/selectionPattern', '2..'),
  UpdateMethod: patched(method, '/operationName', 'changed'),
  UpdateMethodResponse: (facts) => ({
    ...response(facts),
    patchOperations: [{ op: 'add', path: '/responseModels/application~1json', value: 'Error' }],
  }),
  UpdateModel: patched(modelOf, '/description', 'changed'),
  UpdateRequestValidator: patched(validator, '/name', 'changed'),
  UpdateResource: patched(resource, '/pathPart', 'changed'),
  UpdateRestApi: patched(inApi, '/name', 'changed'),
  UpdateStage: patched(stage, '/description', 'changed'),
  UpdateUsage: patched(planKey, '/remaining', '5'),
  UpdateUsagePlan: patched(plan, '/name', 'changed'),
  UpdateVpcLink: patched(link, '/name', 'changed'),
};

/** Sends the input of a changing operation. */
const change = (operation: string) => (send: Send, facts: Facts) => send(operation, inputs[operation]!(facts));

/** Amazon API Gateway. */
export const apigateway: Scenario = {
  service: 'apigateway',
  fakes: [buckets],
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.APIGatewayClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs,
  before: {
    // An API without a domain.
    DeleteRestApi: async (send) => ({ spareApi: String((await send('CreateRestApi', { name: 'spare' })).id) }),
  },
  also: {
    CreateDeployment: [
      (facts) => ({
        ...inApi(facts),
        stageName: 'new',
        variables: { a: 'b' },
        cacheClusterEnabled: true,
        cacheClusterSize: '0.5',
      }),
      (facts) => ({
        ...stage(facts),
        canarySettings: { percentTraffic: 10, stageVariableOverrides: { a: 'b' }, useStageCache: true },
      }),
    ],
  },
  values: {
    'CreateDocumentationPart.location.statusCode': ['404'],
    'CreateDomainName.mutualTlsAuthentication': [
      { truststoreUri: 's3://b/store.pem' },
      { truststoreUri: 's3://b/store.pem', truststoreVersion: 'v' },
    ],
    'CreateStage.variables': [{ a: 'b' }],
    'CreateDeployment.variables': [{ a: 'b' }],
    'CreateDeployment.stageName': ['dev', 'new'],
    'GetApiKeys.nameQuery': ['sp'],
    'GetApiKeys.customerId': ['c'],
    'GetResources.embed': [['methods']],
    'GetResource.embed': [['methods']],
    'GetDeployment.embed': [['apisummary']],
    'GetExport.parameters': [{ extensions: 'apigateway' }],
    'GetExport.accepts': ['application/yaml'],
    'CreateRestApi.policy': ['{"Version":"2012-10-17","Statement":[]}'],
  },
  reads: {
    GetAccount: change('UpdateAccount'),
    GetApiKey: change('UpdateApiKey'),
    GetApiKeys: change('CreateApiKey'),
    GetAuthorizer: change('UpdateAuthorizer'),
    GetAuthorizers: change('CreateAuthorizer'),
    GetBasePathMapping: (send, { restApiId }) =>
      send('UpdateBasePathMapping', {
        domainName,
        basePath: 'v1',
        patchOperations: replace('/stage', ''),
        restApiId,
      }),
    GetBasePathMappings: change('CreateBasePathMapping'),
    GetClientCertificate: change('UpdateClientCertificate'),
    GetClientCertificates: change('UpdateClientCertificate'),
    GetDeployment: change('UpdateDeployment'),
    GetDeployments: change('CreateDeployment'),
    GetDocumentationPart: change('UpdateDocumentationPart'),
    GetDocumentationParts: change('CreateDocumentationPart'),
    GetDocumentationVersion: change('UpdateDocumentationVersion'),
    GetDocumentationVersions: change('CreateDocumentationVersion'),
    GetDomainName: change('UpdateDomainName'),
    GetDomainNameAccessAssociations: change('CreateDomainNameAccessAssociation'),
    GetDomainNames: change('CreateDomainName'),
    GetExport: change('UpdateRestApi'),
    GetGatewayResponse: change('UpdateGatewayResponse'),
    GetGatewayResponses: change('PutGatewayResponse'),
    GetIntegration: change('UpdateIntegration'),
    GetIntegrationResponse: change('UpdateIntegrationResponse'),
    GetMethod: change('UpdateMethod'),
    GetMethodResponse: change('UpdateMethodResponse'),
    GetModel: change('UpdateModel'),
    GetModelTemplate: (send, facts) =>
      send('UpdateModel', {
        ...modelOf(facts),
        patchOperations: replace('/schema', '{"type":"array","items":{"type":"string"}}'),
      }),
    GetModels: change('CreateModel'),
    GetRequestValidator: change('UpdateRequestValidator'),
    GetRequestValidators: change('CreateRequestValidator'),
    GetResource: (send, facts) =>
      send('UpdateResource', {
        restApiId: facts.restApiId,
        resourceId: facts.resourceId,
        patchOperations: replace('/pathPart', 'changed'),
      }),
    GetResources: change('CreateResource'),
    GetRestApi: change('UpdateRestApi'),
    GetRestApis: change('CreateRestApi'),
    // The list of SDKs is AWS's own.
    GetSdkType: undefined,
    GetSdkTypes: undefined,
    GetStage: change('UpdateStage'),
    GetStages: change('CreateStage'),
    GetTags: change('TagResource'),
    GetUsage: change('CreateUsagePlanKey'),
    GetUsagePlan: change('UpdateUsagePlan'),
    GetUsagePlanKey: undefined,
    GetUsagePlanKeys: change('CreateUsagePlanKey'),
    GetUsagePlans: change('CreateUsagePlan'),
    GetVpcLink: change('UpdateVpcLink'),
    GetVpcLinks: change('CreateVpcLink'),
    TestInvokeAuthorizer: undefined,
    TestInvokeMethod: undefined,
  },
};
