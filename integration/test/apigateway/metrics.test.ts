import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../../packages/svc-apigateway/test/support.ts';

const URI =
  'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:123456789012:function:f/invocations';

let emulator: TestEmulator;
let api: APIGateway;
let metrics: CloudWatch;

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    Invoke({ Payload }) {
      const { queryStringParameters: query } = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as {
        queryStringParameters: { status?: string } | null;
      };
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify({ statusCode: query?.status ?? 200 })) };
    },
  });
  emulator = await createTestEmulator({ manifests: [apigateway, cloudwatch, lambda] });
  emulator.kernel.clock.freeze();
  api = new APIGateway(emulator.clientConfig());
  metrics = new CloudWatch(emulator.clientConfig());
  // Metrics are recorded once they have been read.
  await metrics.listMetrics({ Namespace: 'AWS/ApiGateway' });
});
afterAll(() => emulator.close());

/** Returns sums and sample counts of the metrics of some dimensions. */
async function sums(dimensions: Record<string, string>): Promise<Record<string, [sum: number, count: number]>> {
  const found: Record<string, [number, number]> = {};
  const now = emulator.kernel.clock.now();
  for (const MetricName of [
    ...['Count', '4XXError', '5XXError', 'Latency', 'IntegrationLatency', 'CacheHitCount', 'CacheMissCount'],
  ]) {
    const { Datapoints = [] } = await metrics.getMetricStatistics({
      Namespace: 'AWS/ApiGateway',
      MetricName,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      StartTime: new Date(now - 3_600_000),
      EndTime: new Date(now + 60_000),
      Period: 86_400,
      Statistics: ['Sum', 'SampleCount'],
    });
    const [point] = Datapoints;
    if (point) found[MetricName] = [point.Sum!, point.SampleCount!];
  }
  return found;
}

// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
it('requests are counted by API, by stage and, if enabled, by method', async () => {
  const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'counted' });
  const { id: resourceId } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart: 'p' });
  const place = { restApiId, resourceId, httpMethod: 'GET' };
  await api.putMethod({ ...place, authorizationType: 'NONE' });
  await api.putIntegration({ ...place, type: 'AWS_PROXY', uri: URI, integrationHttpMethod: 'POST' });
  await api.createDeployment({ restApiId, stageName: 'one' });
  await api.createDeployment({
    restApiId,
    stageName: 'two',
    cacheClusterEnabled: true,
    cacheClusterSize: '0.5',
  });
  await api.updateStage({
    restApiId,
    stageName: 'two',
    patchOperations: ['metrics', 'caching'].map((what) => ({
      op: 'replace' as const,
      path: `/*/*/${what}/enabled`,
      value: 'true',
    })),
  });
  const get = (path: string) => ask(emulator, { path: `/_aws/execute-api/${restApiId}/${path}` });
  for (const path of ['one/p', 'one/p?status=404', 'one/p?status=500', 'one/none', 'two/p', 'two/p']) await get(path);
  const ApiName = 'counted';
  expect(await sums({ ApiName })).toEqual({
    Count: [6, 6],
    '4XXError': [2, 6],
    '5XXError': [1, 6],
    Latency: [0, 6],
    IntegrationLatency: [0, 4],
    CacheHitCount: [1, 1],
    CacheMissCount: [1, 1],
  });
  expect(await sums({ ApiName, Stage: 'one' })).toMatchObject({
    Count: [4, 4],
    '4XXError': [2, 4],
    '5XXError': [1, 4],
  });
  const method = { ApiName, Method: 'GET', Resource: '/p' };
  expect(await sums({ ...method, Stage: 'two' })).toMatchObject({ Count: [2, 2], CacheHitCount: [1, 1] });
  expect(await sums({ ...method, Stage: 'one' })).toEqual({});
});
