import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, defaultSettings, ownIdentity } from '@emu/core';
import type { ContainerRuntime, ContainerSpec } from '@emu/core/service';
import { afterEach, beforeEach, vi } from 'vitest';
import { openK8sRuntime } from '../../src/k8s/open.ts';
import { FakeCluster } from './fake-cluster.ts';

export const log = createLogger({ level: 'error', format: 'text' });
/** `EMULATOR_K8S_SELF_URL` in these tests. */
export const SELF = 'http://emu.tests.svc:4566';
/** Annotation of Pods of this process. */
export const OWNER = JSON.stringify(ownIdentity());

const opened: ContainerRuntime[] = [];

/** Creates a cluster for each test and sets `KUBECONFIG`. @returns the current one */
export function useCluster(): () => FakeCluster {
  let cluster: FakeCluster;
  let home: string;
  beforeEach(async () => {
    cluster = new FakeCluster();
    home = await mkdtemp(join(tmpdir(), 'emu-test-'));
    const config = join(home, 'config');
    const named = (kind: string, value: object) => [{ name: 'test', [kind]: value }];
    await writeFile(
      config,
      JSON.stringify({
        'current-context': 'test',
        clusters: named('cluster', { server: await cluster.listen(), 'insecure-skip-tls-verify': true }),
        users: named('user', { token: 'secret' }),
        contexts: named('context', { cluster: 'test', user: 'test' }),
      }),
    );
    vi.stubEnv('KUBECONFIG', config);
  });
  afterEach(async () => {
    for (const runtime of opened.splice(0)) await runtime.close();
    cluster.close();
    vi.unstubAllEnvs();
    await rm(home, { recursive: true });
  });
  return () => cluster;
}

/** Settings with the URL that the driver needs. */
export const settingsOf = (values: object = {}) => {
  const settings = defaultSettings();
  return { ...settings, values: { ...settings.values, EMULATOR_K8S_SELF_URL: SELF, ...values } };
};

/** Opens the driver and closes it with the test. */
export async function open(values: object = {}): Promise<ContainerRuntime> {
  const runtime = await openK8sRuntime({ settings: settingsOf(values), log, run: 'run-1', lost: () => undefined });
  opened.push(runtime);
  return runtime;
}

/** The minimal spec that can be started. */
export const spec = (more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  service: 'lambda',
  name: 'test',
  image: 'busybox',
  environment: {},
  ...more,
});
