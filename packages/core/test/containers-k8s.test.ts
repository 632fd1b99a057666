import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Pod, V1PodStatus } from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openK8sRuntime } from '../src/containers/k8s/open.ts';
import type { ContainerRuntime, ContainerSpec } from '../src/containers/runtime.ts';
import { Containers, createLogger, defaultSettings } from '../src/index.ts';
import { ownIdentity } from '../src/process-identity.ts';
import { FakeCluster } from './support/fake-cluster.ts';

const log = createLogger({ level: 'error', format: 'text' });
const SELF = 'http://emu.tests.svc:4566';
const OWNER = JSON.stringify(ownIdentity());
let cluster: FakeCluster;
let home: string;
const opened: ContainerRuntime[] = [];

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

const settingsOf = (values: object = {}) => {
  const settings = defaultSettings();
  return { ...settings, values: { ...settings.values, EMULATOR_K8S_SELF_URL: SELF, ...values } };
};
async function open(values: object = {}): Promise<ContainerRuntime> {
  const runtime = await openK8sRuntime({ settings: settingsOf(values), log, run: 'run-1' });
  opened.push(runtime);
  return runtime;
}
const spec = (more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  service: 'lambda',
  name: 'test',
  image: 'busybox',
  environment: {},
  ...more,
});
/** The only Pod of the cluster. */
function onlyPod(): V1Pod {
  expect(cluster.pods.size).toBe(1);
  return [...cluster.pods.values()][0]!;
}

describe('Pods', () => {
  it('are made with nothing but what the spec asks for', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec());
    const { status: _, ...manifest } = onlyPod();
    expect(instance.id).toMatch(/^emulator-test-[0-9a-f]{12}$/);
    expect(manifest).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: instance.id,
        namespace: 'default',
        labels: {
          'app.kubernetes.io/managed-by': 'emulator',
          'emulator-run': 'run-1',
          'emulator-service': 'lambda',
        },
        annotations: { 'emulator-owner': OWNER },
      },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        containers: [{ name: 'main', image: 'busybox', imagePullPolicy: 'IfNotPresent', env: [] }],
      },
    });
  });

  it('are made with everything that the spec and the settings ask for, those of the service first', async () => {
    const runtime = await open({
      EMULATOR_K8S_NAMESPACE: 'tests',
      EMULATOR_K8S_PULL_SECRET: 'registry',
      EMULATOR_K8S_ECR_URL: 'registry.svc:5000',
      EMULATOR_K8S_NODE_SELECTOR: { disk: 'ssd' },
      EMULATOR_LAMBDA_K8S_NODE_SELECTOR: { pool: 'functions' },
      EMULATOR_K8S_TOLERATIONS: [{ key: 'ci', operator: 'Exists', effect: 'NoSchedule' }],
      EMULATOR_K8S_ANNOTATIONS: { team: 'all' },
      EMULATOR_LAMBDA_K8S_ANNOTATIONS: { team: 'functions' },
    });
    const instance = await runtime.start(
      spec({
        image: '123456789012.dkr.ecr.us-east-1.amazonaws.com/app:1',
        pull: 'always',
        entrypoint: ['/run', '$(HOME)'],
        command: ['index.handler'],
        workingDirectory: '/var/task',
        environment: { COLOR: 'blue', LITERAL: 'a $(COLOR) one' },
        mounts: [
          {
            type: 'directory',
            source: '/here',
            target: '/var/task',
            readOnly: true,
            archives: ['/code.zip?region=eu-1'],
          },
          { type: 'directory', source: '/there', target: '/opt', archives: ['/one.zip', '/two.zip'] },
          { type: 'tmpfs', target: '/tmp', size: 1024 },
        ],
        ports: [{ port: 8080 }, { port: 53, protocol: 'udp', hostPort: 5353 }],
        labels: { 'emulator-function': 'my-function', path: '/a path that is no label' },
        limits: { memory: 134_217_728, cpus: 0.5, processes: 100 },
        user: '993:990',
        hostname: 'inside',
        hosts: { a: '10.0.0.1', b: '10.0.0.1', c: '10.0.0.2' },
        capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
        privileged: true,
        input: true,
      }),
    );
    const { status: _, ...manifest } = onlyPod();
    const volumeMounts = [
      { name: 'files-0', mountPath: '/var/task' },
      { name: 'files-1', mountPath: '/opt' },
    ];
    expect(manifest).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: instance.id,
        namespace: 'tests',
        labels: {
          'app.kubernetes.io/managed-by': 'emulator',
          'emulator-run': 'run-1',
          'emulator-service': 'lambda',
          'emulator-function': 'my-function',
        },
        annotations: { team: 'functions', path: '/a path that is no label', 'emulator-owner': OWNER },
      },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        nodeSelector: { pool: 'functions' },
        tolerations: [{ key: 'ci', operator: 'Exists', effect: 'NoSchedule' }],
        imagePullSecrets: [{ name: 'registry' }],
        hostname: 'inside',
        hostAliases: [
          { ip: '10.0.0.1', hostnames: ['a', 'b'] },
          { ip: '10.0.0.2', hostnames: ['c'] },
        ],
        volumes: [
          { name: 'files-0', emptyDir: {} },
          { name: 'files-1', emptyDir: {} },
          { name: 'memory-2', emptyDir: { medium: 'Memory', sizeLimit: '1024' } },
        ],
        initContainers: [
          {
            name: 'fetch',
            image: 'public.ecr.aws/docker/library/alpine:3.20',
            command: ['/bin/sh', '-c', expect.stringContaining('unzip -oq /tmp/archive.zip -d "$1"'), 'fetch'],
            args: [
              ...['/var/task', `${SELF}/code.zip?region=eu-1`],
              ...['/opt', `${SELF}/one.zip`, '/opt', `${SELF}/two.zip`],
            ],
            volumeMounts,
          },
        ],
        containers: [
          {
            name: 'main',
            image: 'registry.svc:5000/app:1',
            imagePullPolicy: 'Always',
            command: ['/run', '$$(HOME)'],
            args: ['index.handler'],
            workingDir: '/var/task',
            env: [
              { name: 'COLOR', value: 'blue' },
              { name: 'LITERAL', value: 'a $$(COLOR) one' },
            ],
            ports: [
              { containerPort: 8080, protocol: 'TCP' },
              { containerPort: 53, protocol: 'UDP', hostPort: 5353 },
            ],
            resources: { limits: { memory: '134217728', cpu: '500m' } },
            volumeMounts: [...volumeMounts, { name: 'memory-2', mountPath: '/tmp' }],
            securityContext: {
              capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
              privileged: true,
              runAsUser: 993,
              runAsGroup: 990,
            },
            stdin: true,
          },
        ],
      },
    });
    expect(await instance.address(8080)).toEqual({ host: '10.1.2.3', port: 8080 });
    await expect(instance.address(1)).rejects.toThrow('has no port 1');
  });

  it('of other services have the settings of all', async () => {
    const runtime = await open({
      EMULATOR_K8S_NODE_SELECTOR: { disk: 'ssd' },
      EMULATOR_LAMBDA_K8S_NODE_SELECTOR: { pool: 'functions' },
      EMULATOR_RDS_K8S_TOLERATIONS: [{ key: 'db', operator: 'Exists' }],
    });
    await runtime.start(spec({ service: 'rds', image: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/db' }));
    expect(onlyPod().spec).toMatchObject({
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'db', operator: 'Exists' }],
      containers: [{ image: 'emu.tests.svc:4566/db' }],
    });
  });

  it.each([
    [{ image: undefined }, 'there is no image to run test from'],
    [{ user: 'somebody' }, 'test cannot be started as a Pod: its user must be a number, not somebody'],
    [{ networks: [{ network: 'n' }] }, 'test cannot be started as a Pod: Pods share one network'],
    [
      { mounts: [{ type: 'volume', volume: 'v', target: '/data' }] },
      'test cannot be started as a Pod: it asks for the volume v, which Pods cannot be given',
    ],
    [
      { mounts: [{ type: 'directory', source: '/here', target: '/data' }] },
      "test cannot be started as a Pod: Pods do not see the directory /here of the emulator's machine",
    ],
  ] as [Partial<ContainerSpec>, string][])('are refused for what they do not have: %j', async (more, message) => {
    const runtime = await open();
    await expect(runtime.start(spec(more))).rejects.toThrow(message);
    expect(cluster.pods.size).toBe(0);
  });
});

describe('instances', () => {
  it('hand out their output as it comes and tell how they ended; then their Pod goes', async () => {
    const runtime = await open();
    let seen = '';
    const instance = await runtime.start(
      spec({
        onOutput: (chunk) => {
          seen += chunk;
        },
      }),
    );
    cluster.write(instance.id, 'first\n');
    await expect.poll(() => seen).toBe('first\n');
    cluster.write(instance.id, 'second\n');
    cluster.end(instance.id, { exitCode: 3 });
    expect(await instance.exited).toEqual({ code: 3, signal: undefined, outOfMemory: false });
    expect(seen).toBe('first\nsecond\n');
    expect((await instance.logs()).toString()).toBe('first\nsecond\n');
    expect(cluster.deletions).toEqual([{ name: instance.id, grace: '0' }]);
    await expect(instance.write('x')).rejects.toThrow('takes no input');
  });

  it('go on being followed when the connection breaks', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec());
    cluster.write(instance.id, 'before\n');
    await expect.poll(async () => (await instance.logs()).toString()).toBe('before\n');
    cluster.breakConnections();
    await expect.poll(() => cluster.requests.some((line) => line.includes('sinceTime')), { timeout: 5000 }).toBe(true);
    cluster.write(instance.id, 'after\n');
    cluster.end(instance.id, { exitCode: 137, reason: 'OOMKilled' });
    expect(await instance.exited).toEqual({ code: undefined, signal: 'SIGKILL', outOfMemory: true });
    expect((await instance.logs()).toString()).toBe('before\nafter\n');
  });

  it('are stopped by deleting their Pod', async () => {
    const runtime = await open();
    const one = await runtime.start(spec());
    expect(await one.stop({ grace: 1500 })).toMatchObject({ signal: 'SIGKILL' });
    const other = await runtime.start(spec());
    await other.kill('SIGKILL');
    expect(await other.stop()).toMatchObject({ signal: 'SIGKILL' });
    expect(cluster.deletions).toEqual([
      { name: one.id, grace: '2' },
      { name: other.id, grace: '0' },
    ]);
  });

  it('run commands over a WebSocket', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec());
    cluster.onExec = (exec) => {
      exec.write('stderr', exec.command.join('|'));
      exec.onInput((text) => {
        exec.write('stdout', `got ${text}`);
        exec.end({
          status: 'Failure',
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: '4' }] },
        });
      });
      if (!exec.stdin) exec.end({ status: 'Success' });
    };
    const plain = await instance.exec(['ls', '-l']);
    expect([plain.code, plain.stderr.toString()]).toEqual([0, 'ls|-l']);
    const full = await instance.exec(['cat'], { input: 'text', environment: { A: '1' }, workingDirectory: '/tmp' });
    expect([full.code, full.stdout.toString(), full.stderr.toString()]).toEqual([
      4,
      'got text',
      '/bin/sh|-c|head -c "$0" | "$@"|4|/bin/sh|-c|cd "$0" && exec "$@"|/tmp|env|A=1|cat',
    ]);
    cluster.onExec = (exec) => exec.end({ status: 'Failure', message: 'no such container' });
    await expect(instance.exec(['x'])).rejects.toThrow('x cannot be started: no such container');
    const sent: string[] = [];
    cluster.onExec = ({ command, end }) => {
      sent.push(command.join(' '));
      end({ status: 'Success' });
    };
    await instance.kill('SIGTERM');
    expect(sent).toEqual(['kill -s TERM 1']);
  });

  it('take input', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec({ input: true }));
    let got = '';
    cluster.onExec = (exec) =>
      exec.onInput((text) => {
        got += text;
      });
    await instance.write('one ');
    await instance.write('two');
    await expect.poll(() => got).toBe('one two');
    expect(cluster.requests).toContain(`UPGRADE /api/v1/namespaces/default/pods/${instance.id}/attach`);
  });

  const waiting = (reason: string, message?: string): V1PodStatus => ({
    phase: 'Pending',
    containerStatuses: [
      {
        name: 'main',
        image: 'busybox',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason, message } },
      },
    ],
  });
  it.each([
    ['image', waiting('ErrImagePull', 'not found'), 'busybox cannot be fetched: not found'],
    ['image', waiting('ImagePullBackOff'), 'busybox cannot be fetched: ImagePullBackOff'],
    ['command', waiting('RunContainerError', 'exec: no such file'), 'test cannot be started: exec: no such file'],
    ['engine', waiting('CreateContainerConfigError', 'no secret'), 'test cannot be started: no secret'],
    ['engine', { phase: 'Failed', message: 'evicted' }, 'test cannot be started: evicted'],
    [
      'engine',
      {
        phase: 'Pending',
        initContainerStatuses: [
          {
            name: 'fetch',
            image: 'a',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { terminated: { exitCode: 1 } },
          },
        ],
      },
      'test cannot be started: its files cannot be fetched from EMULATOR_K8S_SELF_URL (exit status 1)',
    ],
  ] as [string, V1PodStatus, string][])(
    'that do not start say why, and leave no Pod: %s',
    async (reason, status, message) => {
      const runtime = await open();
      cluster.onCreate = () => status;
      await expect(runtime.start(spec())).rejects.toMatchObject({ reason, message });
      expect(cluster.pods.size).toBe(0);
    },
  );
});

describe('the k8s backend', () => {
  it('requires the URL at which Pods reach the emulator', async () => {
    const values = { EMULATOR_LAMBDA_BACKEND: 'k8s', EMULATOR_K8S_SELF_URL: undefined };
    const containers = new Containers({ settings: settingsOf(values) as never, log });
    await expect(containers.of('lambda')).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'the k8s backend requires EMULATOR_K8S_SELF_URL, the URL at which Pods reach emu',
    });
  });

  it('says what the cluster answers', async () => {
    cluster.refuse = 403;
    await expect(open()).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'no Kubernetes cluster answers: pods is forbidden',
    });
    cluster.close();
    await expect(open()).rejects.toThrow(/no Kubernetes cluster answers: .*ECONNREFUSED/);
  });

  it('tells Pods the host of the URL, or the address of its own Pod', async () => {
    const runtime = await open();
    expect(await runtime.callback()).toEqual({ bind: '0.0.0.0', host: 'emu.tests.svc' });
  });

  it('removes the Pods of emulators that are gone, and nobody else', async () => {
    const runtime = await open();
    const pod = (name: string, annotations: Record<string, string>, labels = { 'emulator-run': 'x' }): void => {
      cluster.pods.set(name, { metadata: { name, annotations, labels }, status: cluster.running() });
    };
    const elsewhere = JSON.stringify({ pid: 1, realm: 'another-machine x y', started: '1' });
    pod('killed', { 'emulator-owner': JSON.stringify({ ...ownIdentity(), pid: 2 ** 22 + 1 }) });
    pod('replaced', { 'emulator-owner': elsewhere, 'emulator-owner-pod': 'default/emu-1' });
    pod('emu-2', {}, {} as never);
    pod('kept', { 'emulator-owner': elsewhere, 'emulator-owner-pod': 'default/emu-2' });
    pod('unknown', { 'emulator-owner': elsewhere });
    const own = await runtime.start(spec({ labels: { color: 'blue' } }));
    expect(await runtime.removeLeftovers()).toBe(2);
    expect([...cluster.pods.keys()].sort()).toEqual([own.id, 'emu-2', 'kept', 'unknown'].sort());
    expect(await runtime.list({ color: 'blue' })).toMatchObject([{ id: own.id, running: true }]);
    await runtime.close();
    expect([...cluster.pods.keys()].sort()).toEqual(['emu-2', 'kept', 'unknown']);
    await expect(runtime.start(spec())).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('ends where the cluster answers no more', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec());
    cluster.close();
    await runtime.close();
    expect(await instance.exited).toMatchObject({ signal: 'SIGKILL' });
  });
});
