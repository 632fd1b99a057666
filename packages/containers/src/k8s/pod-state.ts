import { constants } from 'node:os';
import { ContainerError, type ContainerExit } from '@emu/core/service';
import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { FETCH, MAIN } from './manifest.ts';

const IMAGE = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
]);
const COMMAND = new Set(['RunContainerError', 'StartError', 'ContainerCannotRun']);
const ENGINE = new Set(['CreateContainerError', 'CreateContainerConfigError', 'CrashLoopBackOff']);

/** Whether a Pod's main container runs or has ended. @throws ContainerError if it cannot start */
export function hasStarted(name: string, pod: V1Pod): boolean {
  for (const status of [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])])
    checkWaiting(name, status);
  const state = statusOf(pod, MAIN)?.state;
  if (state?.terminated && COMMAND.has(state.terminated.reason ?? ''))
    throw new ContainerError(
      'command',
      `${name} cannot be started: ${state.terminated.message ?? 'no reason is given'}`,
    );
  if (state?.running || state?.terminated) return true;
  const fetched = pod.status?.initContainerStatuses?.find((status) => status.name === FETCH)?.state?.terminated;
  if (fetched && fetched.exitCode !== 0)
    throw new ContainerError(
      'engine',
      `${name} cannot be started: its files cannot be fetched from EMULATOR_K8S_SELF_URL (exit status ${fetched.exitCode})`,
    );
  const { phase, reason, message } = pod.status ?? {};
  if (phase === 'Failed')
    throw new ContainerError('engine', `${name} cannot be started: ${message ?? reason ?? 'its Pod failed'}`);
  return false;
}

function checkWaiting(name: string, { image, state }: V1ContainerStatus): void {
  const { reason = '', message = reason } = state?.waiting ?? {};
  if (IMAGE.has(reason)) throw new ContainerError('image', `${image} cannot be fetched: ${message}`);
  if (COMMAND.has(reason)) throw new ContainerError('command', `${name} cannot be started: ${message}`);
  if (ENGINE.has(reason)) throw new ContainerError('engine', `${name} cannot be started: ${message}`);
}

/** Returns the cluster's reason why a Pod has not started yet. */
export function pendingWords(pod: V1Pod): string {
  const condition = pod.status?.conditions?.find(({ status, message }) => status === 'False' && message);
  return condition?.message ?? `its Pod is ${pod.status?.phase ?? 'unknown'}`;
}

/** Returns how a Pod's main container ended; undefined while it runs. */
export function exitOf(pod: V1Pod): ContainerExit | undefined {
  const ended = statusOf(pod, MAIN)?.state?.terminated;
  if (!ended) return pod.status?.phase === 'Failed' ? GONE : undefined;
  const number = ended.signal || ended.exitCode - 128;
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  const signal = found?.[0] as NodeJS.Signals | undefined;
  return {
    code: signal === undefined ? ended.exitCode : undefined,
    signal,
    outOfMemory: ended.reason === 'OOMKilled',
  };
}

/** Exit of a container that no longer exists. */
export const GONE: ContainerExit = { code: undefined, signal: 'SIGKILL', outOfMemory: false };

const statusOf = (pod: V1Pod, name: string): V1ContainerStatus | undefined =>
  pod.status?.containerStatuses?.find((status) => status.name === name);
