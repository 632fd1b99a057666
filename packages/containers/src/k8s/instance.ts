import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ContainerExit,
  type ContainerInstance,
  type ContainerSpec,
  type ExecOptions,
  type ExecResult,
  OUTPUT_LIMIT,
  type StopOptions,
  TailBuffer,
} from '@emu/core/service';
import type { V1PodStatus } from '@kubernetes/client-node';
import type { WebSocket } from 'ws';
import { openChannels, sendInput } from './channels.ts';
import { type Cluster, clusterWords, isGone } from './cluster.ts';
import { runInPod } from './exec.ts';
import { followLog } from './follow-log.ts';
import { exitOf, GONE } from './pod-state.ts';

/** Milliseconds between checks of a Pod whose output has ended, and between attempts while the API does not respond. */
const LOOK_INTERVAL = 100;
const RETRY_INTERVAL = 1000;
/** Additional milliseconds that a Pod may take to end. */
const PATIENCE = 10_000;

/** A Pod. Both outputs are combined. */
export class PodInstance implements ContainerInstance {
  readonly backend = 'k8s';
  readonly directory = undefined;
  readonly exited: Promise<ContainerExit>;
  private readonly output: TailBuffer;
  private readonly aborted = new AbortController();
  private input: Promise<WebSocket> | undefined;
  private ended = false;

  constructor(
    private readonly cluster: Cluster,
    /** Name of the Pod. */
    readonly id: string,
    readonly spec: ContainerSpec,
    private readonly status: V1PodStatus | undefined,
  ) {
    this.output = new TailBuffer(spec.limits?.output ?? OUTPUT_LIMIT);
    this.exited = this.untilExit();
  }

  /** IP addresses of the Pod and of its nodes, because traffic that leaves the cluster or a node may use the latter. */
  get addresses(): string[] {
    const { podIP, podIPs = [], hostIP, hostIPs = [] } = this.status ?? {};
    return [podIP, hostIP, ...[...podIPs, ...hostIPs].map(({ ip }) => ip)].filter((ip) => ip !== undefined);
  }

  peakMemory(): undefined {
    return undefined;
  }

  async address(port: number): Promise<{ host: string; port: number }> {
    if (!this.spec.ports?.some((spec) => spec.port === port)) throw new Error(`${this.spec.name} has no port ${port}`);
    const host = this.status?.podIP;
    if (host === undefined) throw new Error(`${this.spec.name} has no address`);
    return { host, port };
  }

  async logs(): Promise<Buffer> {
    return this.output.bytes();
  }

  async write(bytes: Uint8Array | string): Promise<void> {
    if (!this.spec.input || this.ended) throw new Error(`${this.spec.name} accepts no input`);
    this.input ??= this.attach();
    await sendInput(await this.input, Buffer.from(bytes));
  }

  exec(command: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return runInPod(this.cluster, this.id, command, options);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.ended) return;
    if (signal === 'SIGKILL') await this.delete(0);
    else await this.exec(['kill', '-s', signal.slice('SIG'.length), '1']);
  }

  async stop({ signal = 'SIGTERM', grace = 2000 }: StopOptions = {}): Promise<ContainerExit> {
    if (this.ended) return this.exited;
    // Deletion sends SIGTERM. Any other signal is sent by a program in the image, if present.
    if (grace > 0 && signal !== 'SIGTERM') await this.kill(signal).catch(() => undefined);
    // A cluster that does not respond must not block the end of the emulator. The Pod then remains and is removed
    // later.
    await this.delete(Math.ceil(grace / 1000)).catch(() => this.aborted.abort());
    const timer = setTimeout(() => this.aborted.abort(), grace + PATIENCE);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }

  private async delete(gracePeriodSeconds: number): Promise<void> {
    try {
      const { api, namespace } = this.cluster;
      await api.deleteNamespacedPod({ name: this.id, namespace, gracePeriodSeconds });
    } catch (error) {
      if (!isGone(error)) throw new Error(`${this.id} cannot be deleted: ${clusterWords(error)}`, { cause: error });
    }
  }

  /** Never rejects: polls again if the cluster does not respond. */
  private async untilExit(): Promise<ContainerExit> {
    const { signal } = this.aborted;
    let since: Date | undefined;
    let exit: ContainerExit | undefined;
    while (!exit && !signal.aborted) {
      const given = await followLog(this.cluster, this.id, {
        onData: (chunk) => {
          this.output.add(chunk);
          this.spec.onOutput?.(chunk, 'stdout');
        },
        ...(since && { since }),
        signal,
      });
      // The output ends shortly before the cluster reports the end of the container; or the connection broke.
      since = new Date();
      exit = await this.look();
      if (!exit) await sleep(given ? LOOK_INTERVAL : RETRY_INTERVAL);
    }
    this.ended = true;
    this.aborted.abort();
    await this.input?.then(
      (input) => input.terminate(),
      () => undefined,
    );
    await this.delete(0).catch(() => undefined);
    return exit ?? GONE;
  }

  private async look(): Promise<ContainerExit | undefined> {
    const { api, namespace } = this.cluster;
    try {
      return exitOf(await api.readNamespacedPod({ name: this.id, namespace }));
    } catch (error) {
      return isGone(error) ? GONE : undefined;
    }
  }

  private attach(): Promise<WebSocket> {
    const query = [['stdin', 'true'] as const];
    // Returned data is the output, which is followed separately.
    return openChannels(this.cluster, this.id, { action: 'attach', query }, () => undefined);
  }
}
