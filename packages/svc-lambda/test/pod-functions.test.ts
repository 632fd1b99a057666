import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startRunning } from './running.ts';

/** The examined part of a Pod. */
interface Pod {
  metadata: { name: string; labels: Record<string, string>; namespace: string };
  spec: { containers: Record<string, unknown>[]; initContainers?: { args: string[] }[]; hostAliases: unknown };
  status?: unknown;
}

const SELF = 'http://emu.tests.svc:4566';
const values = {
  EMULATOR_LAMBDA_BACKEND: 'k8s' as const,
  EMULATOR_K8S_SELF_URL: SELF,
  EMULATOR_K8S_ECR_URL: 'registry.svc:5000',
};
let server: Server;
let home: string;
let made: Pod[];

/** A cluster that accepts Pods and never schedules them. */
beforeEach(async () => {
  made = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const status = { phase: 'Failed', message: 'there is no node for it' };
    if (request.method === 'POST') made.push({ ...(JSON.parse(Buffer.concat(chunks).toString()) as Pod), status });
    const isList = request.method === 'GET' && request.url!.includes('?');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isList ? { kind: 'PodList', items: [], metadata: {} } : made.at(-1)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  home = await mkdtemp(join(tmpdir(), 'emu-test-'));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server: address, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  await writeFile(join(home, 'config'), JSON.stringify(config));
  vi.stubEnv('KUBECONFIG', join(home, 'config'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
  await rm(home, { recursive: true });
});

describe('functions in Pods', () => {
  it("run in AWS's images and fetch package and layers from the emulator", async () => {
    await using test = await startRunning({ settings: { values } });
    const { LayerVersionArn } = await test.lambda.publishLayerVersion({
      LayerName: 'tools',
      Content: { ZipFile: zipOf({ 'bin/tool': 'x' }) },
    });
    const name = await test.define(
      { 'index.js': 'exports.handler = async () => 1;' },
      { Runtime: 'nodejs22.x', Layers: [LayerVersionArn!], MemorySize: 256 },
    );
    await expect(test.invoke(name)).rejects.toMatchObject({
      name: 'InvalidRuntimeException',
      message: `emu cannot run ${name} (nodejs22.x): lambda-${name} cannot be started: there is no node for it.`,
    });
    const [pod] = made;
    expect(pod!.metadata.labels).toMatchObject({ 'emulator-function': name, 'emulator-service': 'lambda' });
    expect(pod!.spec.initContainers![0]!.args).toEqual([
      ...['/var/task', `${SELF}/_emulator/lambda/function-code/000000000000/${name}/latest.zip?region=us-east-1`],
      ...['/opt', `${SELF}/_emulator/lambda/layer-content/000000000000/tools/1.zip?region=us-east-1`],
    ]);
    const [main] = pod!.spec.containers;
    expect(main).toMatchObject({
      image: 'public.ecr.aws/lambda/nodejs:22',
      args: ['index.handler'],
      workingDir: '/var/task',
      resources: { limits: { memory: String(256 * 1024 * 1024) } },
    });
    expect(main!.command).toBeUndefined();
    expect(main!.env).toEqual(
      expect.arrayContaining([
        { name: 'AWS_ENDPOINT_URL', value: SELF },
        { name: 'AWS_LAMBDA_RUNTIME_API', value: expect.stringMatching(/^emu\.tests\.svc:\d+$/) },
        { name: 'LAMBDA_TASK_ROOT', value: '/var/task' },
      ]),
    );
    // The fetched URL is one that the emulator serves.
    const served = await test.emulator.control('GET', new URL(pod!.spec.initContainers![0]!.args[1]!).pathname);
    expect(served.status).toBe(200);
  });

  it('do not start if their package or a layer leads outside of its directory', async () => {
    await using test = await startRunning({ settings: { values } });
    const files = { 'index.js': 'exports.handler = async () => 1;' };
    const leading = { ...files, out: { content: '../../tmp', mode: 0o120777 } };
    const { LayerVersionArn } = await test.lambda.publishLayerVersion({
      LayerName: 'tools',
      Content: { ZipFile: zipOf(leading) },
    });
    for (const name of [
      await test.define(leading, { Runtime: 'nodejs22.x' }),
      await test.define(files, { Runtime: 'nodejs22.x', Layers: [LayerVersionArn!] }),
    ])
      await expect(test.invoke(name)).rejects.toMatchObject({
        name: 'InvalidZipFileException',
        message: 'Lambda could not unzip the deployment package: out leads out of the package.',
      });
    expect(made).toEqual([]);
  });

  it('run versions as published, and images from the emulated registry', async () => {
    await using test = await startRunning({ settings: { values } });
    const name = await test.define(
      { bootstrap: { content: '#!/bin/sh', mode: 0o755 } },
      { Runtime: 'provided.al2023' },
    );
    await test.lambda.publishVersion({ FunctionName: name });
    await expect(test.invoke(`${name}:1`)).rejects.toThrow('there is no node for it');
    expect(made[0]!.spec.initContainers![0]!.args[1]).toContain(`/${name}/1.zip?`);
    expect(made[0]!.spec.containers[0]).toMatchObject({
      image: 'public.ecr.aws/lambda/provided:al2023',
      command: ['/var/task/bootstrap'],
    });
    await test.lambda.createFunction({
      FunctionName: 'own',
      Role: 'arn:aws:iam::000000000000:role/lambda',
      PackageType: 'Image',
      Code: { ImageUri: '123456789012.dkr.ecr.us-east-1.amazonaws.com/app:1' },
      ImageConfig: { Command: ['app.handler'] },
    });
    await expect(test.invoke('own')).rejects.toThrow('there is no node for it');
    expect(made[1]!.spec.initContainers).toBeUndefined();
    expect(made[1]!.spec.containers[0]).toMatchObject({ image: 'registry.svc:5000/app:1', args: ['app.handler'] });
  });
});
