import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway, type PatchOperation } from '@aws-sdk/client-api-gateway';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../packages/svc-apigateway/test/support.ts';

const ACCOUNT = '123456789012';

let emulator: TestEmulator;
let api: APIGateway;
let logs: CloudWatchLogs;
let server: Server;
let endpoint: string;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [apigateway, logsManifest] });
  emulator.kernel.clock.freeze();
  api = new APIGateway(emulator.clientConfig());
  logs = new CloudWatchLogs(emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: 'access' });
  server = createServer((_request, response) => {
    response.writeHead(202, { 'x-amzn-requestid': 'endpoint-id' });
    response.end('body');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await emulator.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Creates an API that passes requests to the endpoint, with settings of its stage. */
async function make(method: object, patchOperations: PatchOperation[]): Promise<string> {
  const { id: restApiId, rootResourceId: resourceId } = await api.createRestApi({
    name: 'logged',
    endpointConfiguration: { types: ['REGIONAL'] },
  });
  const place = { restApiId, resourceId, httpMethod: 'GET' };
  await api.putMethod({ ...place, authorizationType: 'NONE', ...method });
  await api.putIntegration({ ...place, type: 'HTTP_PROXY', integrationHttpMethod: 'GET', uri: endpoint });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  await api.updateStage({ restApiId, stageName: 'dev', patchOperations });
  return restApiId!;
}

const replace = (path: string, value: string): PatchOperation => ({ op: 'replace', path, value });

const accessLog = (format: string): PatchOperation[] => [
  replace('/accessLogSettings/destinationArn', `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:access`),
  replace('/accessLogSettings/format', `$context.requestId ${format}`),
];

const get = (restApiId: string, headers = {}) => ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev`, headers });

/** Returns the lines of a log group without the request id. */
async function linesOf(logGroupName: string): Promise<string[]> {
  const { events = [] } = await logs.filterLogEvents({ logGroupName });
  return events.map(({ message }) => message!.replace(/^\S+ /, ''));
}

describe('access logs', () => {
  it('contain the outcome of the integration', async () => {
    const names = ['status', 'error', 'requestId', 'integrationStatus', 'latency'];
    const restApiId = await make(
      {},
      accessLog(
        `${names.map((name) => `$context.integration.${name}`).join(' ')} $context.integrationStatus $context.endpointType $context.awsEndpointRequestId $context.responseLength $context.customDomain.basePathMatched $context.authorizer.error`,
      ),
    );
    expect((await get(restApiId)).status).toBe(202);
    expect((await linesOf('access')).at(-1)).toBe('202 - endpoint-id 202 0 202 REGIONAL endpoint-id 4 - -');
  });

  it('contain the outcome of the signature check', async () => {
    const restApiId = await make(
      { authorizationType: 'AWS_IAM' },
      accessLog(
        '$context.authenticate.status $context.authenticate.error $context.authorize.status $context.identity.accountId',
      ),
    );
    expect((await get(restApiId)).status).toBe(403);
    expect((await linesOf('access')).at(-1)).toBe('403 Missing Authentication Token - -');
    const authorization = `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0`;
    expect((await get(restApiId, { authorization })).status).toBe(202);
    expect((await linesOf('access')).at(-1)).toBe(`200 - 200 ${ACCOUNT}`);
  });
});

describe('execution logs', () => {
  const groupOf = (restApiId: string): string => `API-Gateway-Execution-Logs_${restApiId}/dev`;

  it('contain headers and bodies with data tracing only', async () => {
    const restApiId = await make({}, [replace('/*/*/logging/loglevel', 'INFO')]);
    await get(restApiId);
    const usage = (id: string) => [
      expect.stringMatching(/^Extended Request Id: /),
      expect.stringMatching(new RegExp(`^Verifying Usage Plan for request: .*\\. API Key:  API Stage: ${id}/dev$`)),
      "API Key  authorized because method 'GET /' does not require API Key. Request will not contribute to throttle or quota limits",
      `Usage Plan check succeeded for API Key  and API Stage ${id}/dev`,
    ];
    const steps = [
      expect.stringMatching(/^Starting execution for request: /),
      'HTTP Method: GET, Resource Path: /',
      `Sending request to ${endpoint}`,
      'Received response. Status: 202, Integration latency: 0 ms',
      'Successfully completed execution',
      'Method completed with status: 202',
    ];
    expect(await linesOf(groupOf(restApiId))).toEqual([...usage(restApiId), ...steps]);
    const traced = await make({}, [
      replace('/*/*/logging/loglevel', 'INFO'),
      replace('/*/*/logging/dataTrace', 'true'),
    ]);
    await get(traced, { authorization: 'Bearer secret-token' });
    const lines = await linesOf(groupOf(traced));
    expect(lines).toEqual(
      expect.arrayContaining([
        ...steps,
        `Endpoint request URI: ${endpoint}`,
        expect.stringContaining('Authorization=*************-token'),
        'Endpoint response body before transformations: body',
        'Method response body after transformations: body',
      ]),
    );
  });

  it('contain errors only if the level is ERROR', async () => {
    const restApiId = await make({}, [replace('/*/*/logging/loglevel', 'ERROR')]);
    await get(restApiId);
    await expect(linesOf(groupOf(restApiId))).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
