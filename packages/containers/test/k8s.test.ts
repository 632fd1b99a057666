import { ownIdentity } from '@emu/core';
import type { V1PodStatus } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { DriverContainers } from '../src/backends.ts';
import { log, open, settingsOf, spec, useCluster } from './support/k8s.ts';

const cluster = useCluster();

describe('instances', () => {
  it('return their output as it arrives and report their exit; then their Pod is deleted', async () => {
    const runtime = await open();
    let seen = '';
    const instance = await runtime.start(
      spec({
        onOutput: (chunk) => {
          seen += chunk;
        },
      }),
    );
    cluster().write(instance.id, 'first\n');
    await expect.poll(() => seen).toBe('first\n');
    cluster().write(instance.id, 'second\n');
    cluster().end(instance.id, { exitCode: 3 });
    expect(await instance.exited).toEqual({ code: 3, signal: undefined, outOfMemory: false });
    expect(seen).toBe('first\nsecond\n');
    expect((await instance.logs()).toString()).toBe('first\nsecond\n');
    expect(cluster().deletions).toEqual([{ name: instance.id, grace: '0' }]);
    await expect(instance.write('x')).rejects.toThrow('accepts no input');
  });

  it('are followed again after a broken connection', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec());
    cluster().write(instance.id, 'before\n');
    await expect.poll(async () => (await instance.logs()).toString()).toBe('before\n');
    cluster().breakConnections();
    await expect
      .poll(() => cluster().requests.some((line) => line.includes('sinceTime')), { timeout: 5000 })
      .toBe(true);
    cluster().write(instance.id, 'after\n');
    cluster().end(instance.id, { exitCode: 137, reason: 'OOMKilled' });
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
    expect(cluster().deletions).toEqual([
      { name: one.id, grace: '2' },
      { name: other.id, grace: '0' },
    ]);
  });

  it('run commands over a WebSocket', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec());
    cluster().onExec = (exec) => {
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
    cluster().onExec = (exec) => exec.end({ status: 'Failure', message: 'no such container' });
    await expect(instance.exec(['x'])).rejects.toThrow('x cannot be started: no such container');
    const sent: string[] = [];
    cluster().onExec = ({ command, end }) => {
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
    cluster().onExec = (exec) =>
      exec.onInput((text) => {
        got += text;
      });
    await instance.write('one ');
    await instance.write('two');
    await expect.poll(() => got).toBe('one two');
    expect(cluster().requests).toContain(`UPGRADE /api/v1/namespaces/default/pods/${instance.id}/attach`);
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
    'that do not start report the reason and leave no Pod: %s',
    async (reason, status, message) => {
      const runtime = await open();
      cluster().onCreate = () => status;
      await expect(runtime.start(spec())).rejects.toMatchObject({ reason, message });
      expect(cluster().pods.size).toBe(0);
    },
  );
});

describe('the k8s backend', () => {
  it('requires the URL at which Pods reach the emulator', async () => {
    const values = { EMULATOR_LAMBDA_BACKEND: 'k8s', EMULATOR_K8S_SELF_URL: undefined };
    const containers = new DriverContainers({ settings: settingsOf(values) as never, log });
    await expect(containers.of('lambda')).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'the k8s backend requires EMULATOR_K8S_SELF_URL, the URL at which Pods reach emu',
    });
  });

  it('reports the message of the cluster', async () => {
    cluster().refuse = 403;
    await expect(open()).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'no Kubernetes cluster responds: pods is forbidden',
    });
    cluster().close();
    await expect(open()).rejects.toThrow(/no Kubernetes cluster responds: .*ECONNREFUSED/);
  });

  it('gives Pods the host of the URL, or the address of its own Pod', async () => {
    const runtime = await open();
    expect(await runtime.callback()).toEqual({ bind: '0.0.0.0', host: 'emu.tests.svc', ofInstances: true });
  });

  it('removes Pods of ended emulators only', async () => {
    const runtime = await open();
    const pod = (name: string, annotations: Record<string, string>, labels = { 'emulator-run': 'x' }): void => {
      cluster().pods.set(name, { metadata: { name, annotations, labels }, status: cluster().running() });
    };
    const elsewhere = JSON.stringify({ pid: 1, realm: 'another-machine x y', started: '1' });
    pod('killed', { 'emulator-owner': JSON.stringify({ ...ownIdentity(), pid: 2 ** 22 + 1 }) });
    pod('replaced', { 'emulator-owner': elsewhere, 'emulator-owner-pod': 'default/emu-1' });
    pod('emu-2', {}, {} as never);
    pod('kept', { 'emulator-owner': elsewhere, 'emulator-owner-pod': 'default/emu-2' });
    pod('unknown', { 'emulator-owner': elsewhere });
    const own = await runtime.start(spec({ labels: { color: 'blue' } }));
    expect(await runtime.removeLeftovers()).toBe(2);
    expect([...cluster().pods.keys()].sort()).toEqual([own.id, 'emu-2', 'kept', 'unknown'].sort());
    expect(await runtime.list({ color: 'blue' })).toMatchObject([{ id: own.id, running: true }]);
    await runtime.close();
    expect([...cluster().pods.keys()].sort()).toEqual(['emu-2', 'kept', 'unknown']);
    await expect(runtime.start(spec())).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('ends if the cluster no longer responds', async () => {
    const runtime = await open();
    const instance = await runtime.start(spec());
    cluster().close();
    await runtime.close();
    expect(await instance.exited).toMatchObject({ signal: 'SIGKILL' });
  });
});
