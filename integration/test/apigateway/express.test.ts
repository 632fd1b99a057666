import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Lambda } from '@aws-sdk/client-lambda';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** An application as its authors wrote it, with the adapter for a function. */
const APPLICATION = `
import express from 'express';
import serverless from 'serverless-http';
const app = express();
app.use(express.json());
app.get('/hello/:name', (request, response) => {
  response.cookie('a', '1').cookie('b', '2').json({ hello: request.params.name, q: request.query.q });
});
app.post('/echo', (request, response) => response.status(201).set('X-Sent', request.get('X-Sent')).send(request.body));
export const handler = serverless(app);
`;

let emulator: TestEmulator;
let listener: Awaited<ReturnType<TestEmulator['gateway']['listen']>>;
let base: string;
let logs: CloudWatchLogs;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [apigateway, lambdaManifest, logsManifest] });
  const { outputFiles } = await build({
    stdin: { contents: APPLICATION, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  });
  const { FunctionArn } = await new Lambda(emulator.clientConfig()).createFunction({
    FunctionName: 'express',
    Runtime: 'nodejs20.x',
    Role: 'arn:aws:iam::123456789012:role/any',
    Handler: 'index.handler',
    Timeout: 20,
    Code: { ZipFile: zipOf({ 'index.js': outputFiles[0]!.text }) },
  });
  const api = new APIGateway(emulator.clientConfig());
  const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'express' });
  const { id: resourceId } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart: '{proxy+}' });
  const place = { restApiId, resourceId, httpMethod: 'ANY' };
  await api.putMethod({ ...place, authorizationType: 'NONE' });
  await api.putIntegration({
    ...place,
    type: 'AWS_PROXY',
    integrationHttpMethod: 'POST',
    uri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FunctionArn}/invocations`,
  });
  await api.createDeployment({ restApiId, stageName: 'live' });
  logs = new CloudWatchLogs(emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: 'access' });
  const replace = (path: string, value: string) => ({ op: 'replace' as const, path, value });
  await api.updateStage({
    restApiId,
    stageName: 'live',
    patchOperations: [
      replace('/accessLogSettings/destinationArn', 'arn:aws:logs:us-east-1:123456789012:log-group:access'),
      replace('/accessLogSettings/format', '$context.integration.requestId'),
    ],
  });
  listener = await emulator.gateway.listen({ port: 0 });
  base = `http://127.0.0.1:${listener.port}/_aws/execute-api/${restApiId}/live`;
});
afterAll(async () => {
  await listener.close();
  await emulator.close();
});

it('an Express application responds through its adapter as by itself', async () => {
  const hello = await fetch(`${base}/hello/J%C3%A4ne?q=1`);
  expect([hello.status, await hello.json()]).toEqual([200, { hello: 'Jäne', q: '1' }]);
  expect(hello.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/']);
  const body = JSON.stringify({ n: [1, 'ü'] });
  const headers = { 'content-type': 'application/json', 'x-sent': 'yes' };
  const echo = await fetch(`${base}/echo`, { method: 'POST', headers, body });
  expect([echo.status, echo.headers.get('x-sent'), await echo.text()]).toEqual([201, 'yes', body]);
  expect((await fetch(`${base}/none`)).status).toBe(404);
});

it("the access log contains the invocation id of the function's log", async () => {
  const { events: accesses = [] } = await logs.filterLogEvents({ logGroupName: 'access' });
  const logGroupName = '/aws/lambda/express';
  const started = async () => {
    const { events = [] } = await logs.filterLogEvents({ logGroupName, filterPattern: '"START RequestId"' });
    return events.map(({ message }) => /^START RequestId: (\S+)/.exec(message!)?.[1]).sort();
  };
  expect(accesses).toHaveLength(3);
  await expect.poll(started).toEqual(accesses.map(({ message }) => message).sort());
});
