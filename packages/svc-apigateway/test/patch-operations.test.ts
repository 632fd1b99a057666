import { APIGateway, type Op, type PatchOperation } from '@aws-sdk/client-api-gateway';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { errorOf, mockApi } from './support.ts';

const ACCOUNT = '123456789012';
const OPS: readonly Op[] = ['add', 'replace', 'remove', 'copy', 'move', 'test'];
const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;
const POOL = `arn:aws:cognito-idp:us-east-1:${ACCOUNT}:userpool/us-east-1_a`;
const FUNCTION = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:f/invocations`;
const CERTIFICATE = `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/1`;
const POLICY = '{"Version":"2012-10-17","Statement":[]}';

let emulator: TestEmulator;
let api: APIGateway;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest] });
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
});
afterAll(() => emulator.close());

/** A patched resource: its update operation and its description. */
interface Patched {
  update(patchOperations: PatchOperation[]): Promise<unknown>;
  get(): Promise<unknown>;
  /** Ids used in paths and values. */
  readonly names?: Readonly<Record<string, string>>;
}

/** A path of AWS's page, a value for it, and its allowed operations. */
type Row = readonly [path: string, value: string | undefined, ops: string];

interface Resource {
  readonly name: string;
  make(): Promise<Patched>;
  readonly rows: readonly Row[];
  /** Error for an unknown path. */
  readonly unknown: (op: Op) => string;
}

const listed =
  (replace: string, add = 'Please choose supported operations') =>
  (op: Op): string => {
    const told = op === 'replace' ? `Must be one of: [${replace}]` : op === 'copy' ? undefined : add;
    return `Invalid patch path  '/none' specified for op '${op}'. ${told ?? 'Please choose supported operations'}`;
  };
const invalid = (): string => 'Invalid patch path /none';

async function stagedApi() {
  const place = await mockApi(api);
  const { id: deploymentId } = await api.createDeployment({ restApiId: place.restApiId });
  const stage = { restApiId: place.restApiId, stageName: 'dev' };
  await api.createStage({ ...stage, deploymentId });
  return { place, stage, deploymentId: deploymentId! };
}

// Source: https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html, a row for each path.
const RESOURCES: readonly Resource[] = [
  {
    name: 'Account',
    make: async () => ({
      update: (patchOperations) => api.updateAccount({ patchOperations }),
      get: () => api.getAccount({}),
    }),
    rows: [
      ['/cloudwatchRoleArn', ROLE, 'replace'],
      ['/features', 'UsagePlans', 'add'],
    ],
    unknown: listed('/cloudwatchRoleArn', 'Must be one of: [/features]'),
  },
  {
    name: 'ApiKey',
    async make() {
      const { stage } = await stagedApi();
      const { id: apiKey } = await api.createApiKey({ name: 'k' });
      return {
        update: (patchOperations) => api.updateApiKey({ apiKey, patchOperations }),
        get: () => api.getApiKey({ apiKey }),
        names: { stage: `${stage.restApiId}/dev` },
      };
    },
    rows: [
      ['/customerId', 'c', 'replace'],
      ['/description', 'd', 'replace'],
      ['/enabled', 'true', 'replace'],
      ['/name', 'n', 'replace'],
      ['/stages', '{stage}', 'add remove'],
    ],
    unknown: listed('/description, /enabled, /name, /customerId', 'Must be one of: [/stages, /labels]'),
  },
  {
    name: 'Authorizer',
    async make() {
      const { id: restApiId } = await api.createRestApi({ name: 'a' });
      const { id: authorizerId } = await api.createAuthorizer({
        restApiId,
        name: 'a',
        type: 'REQUEST',
        authorizerUri: FUNCTION,
        authorizerResultTtlInSeconds: 0,
        providerARNs: [`${POOL}b`],
      });
      return {
        update: (patchOperations) => api.updateAuthorizer({ restApiId, authorizerId, patchOperations }),
        get: () => api.getAuthorizer({ restApiId, authorizerId }),
      };
    },
    rows: [
      ['/authorizerUri', FUNCTION.replace('function:f', 'function:g'), 'replace'],
      ['/authorizerCredentials', ROLE, 'replace'],
      ['/authorizerResultTtlInSeconds', '0', 'replace'],
      ['/authType', 'custom', 'replace'],
      ['/identitySource', 'method.request.header.A', 'add replace remove'],
      ['/identityValidationExpression', '.*', 'replace'],
      ['/name', 'b', 'replace'],
      ['/providerARNs', POOL, 'add remove'],
      ['/type', 'COGNITO_USER_POOLS', 'replace'],
    ],
    unknown: invalid,
  },
  {
    name: 'BasePathMapping',
    async make() {
      const { stage } = await stagedApi();
      const other = await api.createRestApi({ name: 'other' });
      const domainName = `m${stage.restApiId}.example.com`;
      await api.createDomainName({
        domainName,
        regionalCertificateArn: CERTIFICATE,
        endpointConfiguration: { types: ['REGIONAL'] },
      });
      await api.createBasePathMapping({ domainName, restApiId: other.id, basePath: 'a' });
      return {
        update: (patchOperations) => api.updateBasePathMapping({ domainName, basePath: 'a', patchOperations }),
        get: () => api.getBasePathMapping({ domainName, basePath: 'a' }),
        names: { api: stage.restApiId },
      };
    },
    rows: [
      ['/restapiId', '{api}', 'replace'],
      ['/stage', 'dev', 'replace'],
      ['/basepath', 'a', 'replace'],
    ],
    unknown: invalid,
  },
  {
    name: 'ClientCertificate',
    async make() {
      const { clientCertificateId } = await api.generateClientCertificate({});
      return {
        update: (patchOperations) => api.updateClientCertificate({ clientCertificateId, patchOperations }),
        get: () => api.getClientCertificate({ clientCertificateId }),
      };
    },
    rows: [['/description', 'd', 'replace']],
    unknown: listed('/description'),
  },
  {
    name: 'Deployment',
    async make() {
      const { place, deploymentId } = await stagedApi();
      const one = { restApiId: place.restApiId, deploymentId };
      return {
        update: (patchOperations) => api.updateDeployment({ ...one, patchOperations }),
        get: () => api.getDeployment(one),
      };
    },
    rows: [['/description', 'd', 'replace']],
    unknown: listed('/description'),
  },
  {
    name: 'DocumentationPart',
    async make() {
      const { id: restApiId } = await api.createRestApi({ name: 'a' });
      const { id: documentationPartId } = await api.createDocumentationPart({
        restApiId,
        location: { type: 'API' },
        properties: '{"a":1}',
      });
      const one = { restApiId, documentationPartId };
      return {
        update: (patchOperations) => api.updateDocumentationPart({ ...one, patchOperations }),
        get: () => api.getDocumentationPart(one),
      };
    },
    rows: [['/properties', '{"b":1}', 'replace']],
    unknown: listed('/properties'),
  },
  {
    name: 'DocumentationVersion',
    async make() {
      const { id: restApiId } = await api.createRestApi({ name: 'a' });
      await api.createDocumentationPart({ restApiId, location: { type: 'API' }, properties: '{"a":1}' });
      const one = { restApiId, documentationVersion: '1' };
      await api.createDocumentationVersion(one);
      return {
        update: (patchOperations) => api.updateDocumentationVersion({ ...one, patchOperations }),
        get: () => api.getDocumentationVersion(one),
      };
    },
    rows: [['/description', 'd', 'replace']],
    unknown: listed('/description'),
  },
  {
    name: 'DomainName',
    async make() {
      const domainName = `d${emulator.kernel.clock.now()}.example.com`;
      await api.createDomainName({
        domainName,
        regionalCertificateArn: CERTIFICATE,
        endpointConfiguration: { types: ['REGIONAL'] },
      });
      return {
        update: (patchOperations) => api.updateDomainName({ domainName, patchOperations }),
        get: () => api.getDomainName({ domainName }),
      };
    },
    rows: [
      ['/certificateName', 'c', 'add replace remove'],
      ['/certificateArn', CERTIFICATE, 'add replace remove'],
      ['/endpointConfiguration/types', 'EDGE', 'add remove'],
      ['/endpointConfiguration/ipAddressType', 'dualstack', 'replace'],
      ['/endpointAccessMode', 'STRICT', 'replace'],
      ['/policy', POLICY, 'replace'],
      ['/regionalCertificateName', 'c', 'add replace remove'],
      ['/regionalCertificateArn', CERTIFICATE, 'add replace remove'],
      ['/routingMode', 'ROUTING_RULE_ONLY', 'replace'],
      ['/securityPolicy', 'TLS_1_2', 'replace'],
      ['/ownershipVerificationCertificateArn', CERTIFICATE, 'add replace remove'],
    ],
    unknown: invalid,
  },
  {
    name: 'GatewayResponse',
    async make() {
      const { id: restApiId } = await api.createRestApi({ name: 'a' });
      const one = { restApiId, responseType: 'UNAUTHORIZED' } as const;
      return {
        update: (patchOperations) => api.updateGatewayResponse({ ...one, patchOperations }),
        get: () => api.getGatewayResponse(one),
      };
    },
    rows: [
      ['/statusCode', '444', 'replace'],
      ['/responseParameters/gatewayresponse.header.A', "'a'", 'add replace remove'],
      ['/responseTemplates/text~1plain', 'a', 'add replace remove'],
    ],
    unknown: invalid,
  },
  {
    name: 'Integration',
    async make() {
      const { id: restApiId, rootResourceId: resourceId } = await api.createRestApi({ name: 'a' });
      const place = { restApiId, resourceId, httpMethod: 'GET' };
      const { id: link } = await api.createVpcLink({
        name: 'l',
        targetArns: [`arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:loadbalancer/net/a/b`],
      });
      await api.putMethod({ ...place, authorizationType: 'NONE' });
      await api.putIntegration({
        ...place,
        type: 'HTTP_PROXY',
        integrationHttpMethod: 'GET',
        uri: 'https://a.example',
      });
      return {
        update: (patchOperations) => api.updateIntegration({ ...place, patchOperations }),
        get: () => api.getIntegration(place),
        names: { link: link! },
      };
    },
    rows: [
      ['/cacheKeyParameters/method.request.querystring.q', undefined, 'add replace remove'],
      ['/cacheNamespace', 'n', 'replace'],
      ['/connectionId', '{link}', 'replace'],
      ['/connectionType', 'VPC_LINK', 'replace'],
      ['/contentHandling', 'CONVERT_TO_TEXT', 'replace'],
      ['/httpMethod', 'POST', 'replace'],
      ['/integrationTarget', `arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:listener/app/a/b/c`, 'replace'],
      ['/passthroughBehavior', 'NEVER', 'replace'],
      ['/requestParameters/integration.request.header.A', "'a'", 'add replace remove'],
      ['/requestTemplates/text~1plain', 'a', 'add replace remove'],
      ['/responseTransferMode', 'STREAM', 'replace'],
      ['/timeoutInMillis', '50', 'replace'],
      ['/tlsConfig/insecureSkipVerification', 'true', 'replace'],
      ['/type', 'HTTP', ''],
      ['/uri', 'https://b.example', 'replace'],
    ],
    unknown: invalid,
  },
  {
    name: 'IntegrationResponse',
    async make() {
      const place = { ...(await mockApi(api)), statusCode: '200' };
      const path = '/responseParameters/method.response.header.A';
      await api.updateMethodResponse({ ...place, patchOperations: [{ op: 'add', path, value: 'false' }] });
      return {
        update: (patchOperations) => api.updateIntegrationResponse({ ...place, patchOperations }),
        get: () => api.getIntegrationResponse(place),
      };
    },
    rows: [
      ['/contentHandling', 'CONVERT_TO_TEXT', 'replace'],
      ['/responseParameters/method.response.header.A', "'a'", 'add replace remove'],
      ['/responseTemplates/text~1plain', 'a', 'add replace remove'],
      ['/selectionPattern', '2..', 'replace'],
    ],
    unknown: invalid,
  },
  {
    name: 'Method',
    async make() {
      const place = await mockApi(api);
      const { restApiId } = place;
      const pool = await api.createAuthorizer({
        restApiId,
        name: 'a',
        type: 'COGNITO_USER_POOLS',
        providerARNs: [POOL],
      });
      const validator = await api.createRequestValidator({ restApiId, name: 'v' });
      await api.updateMethod({
        ...place,
        patchOperations: [
          { op: 'replace', path: '/authorizationType', value: 'COGNITO_USER_POOLS' },
          { op: 'replace', path: '/authorizerId', value: pool.id },
        ],
      });
      return {
        update: (patchOperations) => api.updateMethod({ ...place, patchOperations }),
        get: () => api.getMethod(place),
        names: { pool: pool.id!, validator: validator.id! },
      };
    },
    rows: [
      ['/authorizationScopes', 'a/b', 'add remove'],
      ['/authorizerId', '{pool}', 'replace'],
      ['/authorizationType', 'AWS_IAM', 'replace'],
      ['/apiKeyRequired', 'true', 'replace'],
      ['/operationName', 'o', 'replace'],
      ['/requestParameters/method.request.header.A', 'true', 'add replace remove'],
      ['/requestModels/text~1plain', 'Empty', 'add replace remove'],
      ['/requestValidatorId', '{validator}', 'replace'],
    ],
    unknown: invalid,
  },
  {
    name: 'MethodResponse',
    async make() {
      const place = { ...(await mockApi(api)), statusCode: '200' };
      return {
        update: (patchOperations) => api.updateMethodResponse({ ...place, patchOperations }),
        get: () => api.getMethodResponse(place),
      };
    },
    rows: [
      ['/responseModels/text~1plain', 'Empty', 'add replace remove'],
      ['/responseParameters/method.response.header.A', 'true', 'add replace remove'],
    ],
    unknown: invalid,
  },
  {
    name: 'Model',
    async make() {
      const { id: restApiId } = await api.createRestApi({ name: 'a' });
      const one = { restApiId, modelName: 'M' };
      await api.createModel({ restApiId, name: 'M', contentType: 'application/json', schema: '{"type":"object"}' });
      return {
        update: (patchOperations) => api.updateModel({ ...one, patchOperations }),
        get: () => api.getModel(one),
      };
    },
    rows: [
      ['/description', 'd', 'replace'],
      ['/schema', '{"type":"string"}', 'replace'],
    ],
    unknown: listed('/description, /schema'),
  },
  {
    name: 'RequestValidator',
    async make() {
      const { id: restApiId } = await api.createRestApi({ name: 'a' });
      const { id: requestValidatorId } = await api.createRequestValidator({ restApiId, name: 'v' });
      const one = { restApiId, requestValidatorId };
      return {
        update: (patchOperations) => api.updateRequestValidator({ ...one, patchOperations }),
        get: () => api.getRequestValidator(one),
      };
    },
    rows: [
      ['/name', 'n', 'replace'],
      ['/validateRequestBody', 'true', 'replace'],
      ['/validateRequestParameters', 'true', 'replace'],
    ],
    unknown: listed('/name, /validateRequestParameters, /validateRequestBody'),
  },
  {
    name: 'Resource',
    async make() {
      const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'a' });
      const { id: other } = await api.createResource({ restApiId, parentId, pathPart: 'other' });
      const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: 'one' });
      const one = { restApiId, resourceId };
      return {
        update: (patchOperations) => api.updateResource({ ...one, patchOperations }),
        get: () => api.getResource(one),
        names: { other: other! },
      };
    },
    rows: [
      ['/parentId', '{other}', 'replace'],
      ['/pathPart', 'two', 'replace'],
    ],
    unknown: listed('/parentId, /pathPart'),
  },
  {
    name: 'RestApi',
    async make() {
      const { id: restApiId } = await api.createRestApi({ name: 'a', endpointConfiguration: { types: ['PRIVATE'] } });
      return {
        update: (patchOperations) => api.updateRestApi({ restApiId, patchOperations }),
        get: () => api.getRestApi({ restApiId }),
      };
    },
    rows: [
      ['/apiKeySource', 'AUTHORIZER', 'replace'],
      ['/binaryMediaTypes/image~1png', undefined, 'add replace remove'],
      ['/description', 'd', 'add replace remove'],
      ['/disableExecuteApiEndpoint', 'true', 'replace'],
      ['/endpointConfiguration/vpcEndpointIds', 'vpce-1', 'add remove'],
      ['/endpointConfiguration/ipAddressType', 'dualstack', 'replace'],
      ['/endpointAccessMode', 'STRICT', 'replace'],
      ['/minimumCompressionSize', '10', 'replace'],
      ['/name', 'n', 'replace'],
      ['/policy', POLICY, 'replace'],
      ['/securityPolicy', 'TLS_1_0', 'replace'],
    ],
    unknown: invalid,
  },
  {
    name: 'Stage',
    async make() {
      const { stage, deploymentId } = await stagedApi();
      const { restApiId } = stage;
      await api.createDocumentationPart({ restApiId, location: { type: 'API' }, properties: '{"a":1}' });
      await api.createDocumentationVersion({ restApiId, documentationVersion: '1' });
      const { clientCertificateId } = await api.generateClientCertificate({});
      return {
        update: (patchOperations) => api.updateStage({ ...stage, patchOperations }),
        get: () => api.getStage(stage),
        names: { deployment: deploymentId, certificate: clientCertificateId! },
      };
    },
    rows: [
      // Recorded from AWS: neither may be removed alone, contrary to the page.
      ['/accessLogSettings/destinationArn', `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:a`, 'add replace'],
      ['/accessLogSettings/format', '$context.requestId', 'add replace'],
      ['/accessLogSettings', undefined, 'remove'],
      ['/cacheClusterEnabled', 'true', 'replace'],
      ['/cacheClusterSize', '1.6', 'replace'],
      ['/canarySettings/deploymentId', '{deployment}', 'replace'],
      ['/canarySettings/percentTraffic', '10.5', 'replace'],
      ['/canarySettings/stageVariableOverrides/v', '1', 'replace remove'],
      ['/canarySettings/useStageCache', 'true', 'replace'],
      ['/canarySettings', undefined, 'remove'],
      ['/clientCertificateId', '{certificate}', 'replace'],
      ['/deploymentId', '{deployment}', 'replace'],
      ['/description', 'd', 'replace'],
      ['/documentationVersion', '1', 'replace'],
      ['/variables/v', '1', 'replace remove'],
      ['/variables', undefined, 'remove'],
      ['/tracingEnabled', 'true', 'replace'],
      ...['/~1pets~1{id}/GET', '/*/*'].flatMap((method): Row[] => [
        [`${method}/metrics/enabled`, 'true', 'replace'],
        [`${method}/logging/dataTrace`, 'true', 'replace'],
        [`${method}/logging/loglevel`, 'INFO', 'replace'],
        [`${method}/throttling/burstLimit`, '3', 'replace'],
        [`${method}/throttling/rateLimit`, '1.5', 'replace'],
        [`${method}/caching/enabled`, 'true', 'replace'],
        [`${method}/caching/dataEncrypted`, 'true', 'replace'],
        [`${method}/caching/ttlInSeconds`, '1', 'replace'],
        [`${method}/caching/requireAuthorizationForCacheControl`, 'false', 'replace'],
        [`${method}/caching/unauthorizedCacheControlHeaderStrategy`, 'FAIL_WITH_403', 'replace'],
        [method, undefined, 'remove'],
      ]),
    ],
    unknown: (op) =>
      op === 'copy'
        ? 'Invalid copy operation with path: /none and from undefined. Valid copy:path are [/deploymentId, /variables] and valid copy:from are [/canarySettings/deploymentId, /canarySettings/stageVariableOverrides]'
        : op === 'remove'
          ? 'Cannot remove method setting none because there is no method setting for this method '
          : op === 'add'
            ? 'Invalid add operation with path: /none'
            : 'Invalid method setting path: /none. Must be one of: [/deploymentId, ',
  },
  {
    name: 'Usage',
    async make() {
      const { id: keyId } = await api.createApiKey({ name: 'k' });
      const { id: usagePlanId } = await api.createUsagePlan({ name: 'p', quota: { limit: 10, period: 'DAY' } });
      await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
      const day = new Date(emulator.kernel.clock.now()).toISOString().slice(0, 10);
      return {
        update: (patchOperations) => api.updateUsage({ usagePlanId, keyId, patchOperations }),
        get: () => api.getUsage({ usagePlanId, startDate: day, endDate: day }),
      };
    },
    rows: [['/remaining', '3', 'replace']],
    unknown: listed('/remaining'),
  },
  {
    name: 'UsagePlan',
    async make() {
      const { stage } = await stagedApi();
      const { restApiId } = stage;
      const { id: usagePlanId } = await api.createUsagePlan({ name: 'p', quota: { limit: 10, period: 'WEEK' } });
      return {
        update: (patchOperations) => api.updateUsagePlan({ usagePlanId, patchOperations }),
        get: () => api.getUsagePlan({ usagePlanId }),
        names: { stage: `${restApiId}:dev` },
      };
    },
    rows: [
      ['/apiStages', '{stage}', 'add'],
      ['/apiStages/{stage}/throttle/~1pets/GET/rateLimit', '1.5', 'add replace'],
      ['/apiStages/{stage}/throttle/~1pets/GET/burstLimit', '1', 'add replace'],
      // Terraform's provider sends methods of usage plans unescaped (resourceUsagePlanUpdate).
      ['/apiStages/{stage}/throttle//pets/GET/rateLimit', '1.5', 'add replace'],
      ['/apiStages/{stage}/throttle/~1pets/GET', undefined, 'remove'],
      ['/apiStages/{stage}/throttle', '{"/pets/GET":{"rateLimit":1,"burstLimit":2}}', 'add replace remove'],
      ['/apiStages', '{stage}', 'remove'],
      ['/description', 'd', 'replace'],
      ['/name', 'n', 'replace'],
      ['/productCode', 'p', 'add replace remove'],
      ['/quota/limit', '5', 'add replace'],
      ['/quota/offset', '1', 'add replace'],
      ['/quota/period', 'WEEK', 'add replace'],
      ['/quota', undefined, 'remove'],
      ['/throttle/burstLimit', '5', 'add replace'],
      ['/throttle/rateLimit', '5.5', 'add replace'],
      ['/throttle', undefined, 'remove'],
    ],
    unknown: (op) => `Invalid patch path  '/none' specified for op '${op}'. `,
  },
  {
    name: 'VpcLink',
    async make() {
      const { id: vpcLinkId } = await api.createVpcLink({
        name: 'l',
        targetArns: [`arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:loadbalancer/net/a/b`],
      });
      return {
        update: (patchOperations) => api.updateVpcLink({ vpcLinkId, patchOperations }),
        get: () => api.getVpcLink({ vpcLinkId }),
      };
    },
    rows: [
      ['/name', 'n', 'replace'],
      ['/description', 'd', 'replace'],
    ],
    unknown: listed('/name, /description', 'Please choose supported operations'),
  },
];

const known = (reply: unknown): unknown => ({ ...(reply as object), $metadata: undefined });

const PROMOTED = /\/(?:deploymentId|variables)$/;

describe.each(RESOURCES)('a patch of $name', ({ make, rows, unknown }) => {
  it('accepts the paths and operations that AWS lists, and rejects all others without effect', async () => {
    const { update, get, names = {} } = await make();
    const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
    for (const [written, value, allowed] of rows) {
      const path = filled(written);
      const operation = (op: Op): PatchOperation => ({ op, path, ...(value && { value: filled(value) }) });
      const good = OPS.filter((op) => allowed.split(' ').includes(op));
      const before = known(await get());
      for (const op of OPS) {
        // Canary promotion is covered by other tests.
        const allows = rows.some(([one, , ops]) => one === written && ops.split(' ').includes(op));
        if (allows || (op === 'copy' && PROMOTED.test(path))) continue;
        expect([op, path, ...(await errorOf(update([operation(op)]))).slice(0, 1)]).toEqual([
          op,
          path,
          'BadRequestException',
        ]);
      }
      const none: PatchOperation = { op: 'replace', path: '/none', value: 'x' };
      const [code, message] = await errorOf(update([...good.map(operation), none]));
      expect([path, code, message]).toEqual([
        path,
        'BadRequestException',
        expect.stringContaining(unknown('replace')) as string,
      ]);
      expect(known(await get())).toEqual(before);
      for (const op of good) {
        const done = await update([operation(op)]).then(
          () => 'done',
          (error: Error) => error.message,
        );
        expect([op, path, done]).toEqual([op, path, 'done']);
      }
    }
    for (const op of ['add', 'replace', 'remove', 'copy'] as const)
      expect((await errorOf(update([{ op, path: '/none', value: 'x' }])))[1]).toContain(unknown(op));
  });
});
