import type { ContainerSpec } from '@emu/core/service';
import type { V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { OWNER, open, SELF, spec, useCluster } from './support/k8s.ts';

const cluster = useCluster();
/** Returns the only Pod of the cluster. */
function onlyPod(): V1Pod {
  expect(cluster().pods.size).toBe(1);
  return [...cluster().pods.values()][0]!;
}

describe('Pods', () => {
  it('contain nothing beyond the spec', async () => {
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

  it("contain everything from the spec and the settings, and prefer the service's own settings", async () => {
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
            command: ['/bin/sh', '-c', expect.stringContaining('unzip -oq "$archive" -d "$1"'), 'fetch'],
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
    expect(instance.addresses).toEqual(['10.1.2.3', '192.168.1.2']);
    await expect(instance.address(1)).rejects.toThrow('has no port 1');
  });

  it('of other services use the common settings', async () => {
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
    [{ image: undefined }, 'no image to run test'],
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
  ] as [Partial<ContainerSpec>, string][])('are rejected for unsupported features: %j', async (more, message) => {
    const runtime = await open();
    await expect(runtime.start(spec(more))).rejects.toThrow(message);
    expect(cluster().pods.size).toBe(0);
  });
});
