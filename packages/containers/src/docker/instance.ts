import type { Socket } from 'node:net';
import { constants } from 'node:os';
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
import type Docker from 'dockerode';
import { awaitWithin } from '../await-within.ts';
import { portKey } from './create-options.ts';
import type { Engine } from './engine.ts';
import { engineWords, isConflict, isMissing } from './errors.ts';
import { runCommand } from './exec.ts';
import { FrameReader } from './frames.ts';
import { MemoryWatch } from './memory-watch.ts';

/** Timeout in milliseconds for the output of an ended container. */
const OUTPUT_WAIT = 2000;

/** A container. */
export class DockerInstance implements ContainerInstance {
  readonly backend = 'docker';
  readonly directory = undefined;
  readonly exited: Promise<ContainerExit>;
  private readonly output: TailBuffer;
  private readonly outputEnded: Promise<void>;
  private readonly memory: MemoryWatch;
  private ended = false;
  /** Whether the emulator killed it. */
  private killed = false;

  /**
   * @param container started, or about to be started
   * @param attached stream of its output and input
   */
  constructor(
    private readonly engine: Engine,
    private readonly container: Docker.Container,
    readonly spec: ContainerSpec,
    private readonly attached: Socket,
  ) {
    this.output = new TailBuffer(spec.limits?.output ?? OUTPUT_LIMIT);
    const frames = new FrameReader((chunk, stream) => {
      this.output.add(chunk);
      spec.onOutput?.(chunk, stream);
    });
    attached.on('data', (chunk: Buffer) => frames.push(chunk));
    this.outputEnded = new Promise((resolve) => {
      attached.once('end', () => resolve());
      attached.once('close', () => resolve());
      // If the engine stops, its containers' output ends with it. How they ended is queried below.
      attached.on('error', () => resolve());
    });
    this.memory = new MemoryWatch(container);
    this.exited = this.untilExit();
  }

  get id(): string {
    return this.container.id;
  }

  peakMemory(): number | undefined {
    return this.memory.peak();
  }

  async address(port: number): Promise<{ host: string; port: number }> {
    const spec = this.spec.ports?.find((candidate) => candidate.port === port);
    if (!spec) throw new Error(`${this.spec.name} has no port ${port}`);
    const { NetworkSettings } = await this.container.inspect();
    const { endpoint, local } = this.engine;
    const remote = endpoint.host !== undefined;
    if (!local && !remote) {
      // A container in the same engine is reached by its own address.
      const addresses = Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
      const host = addresses.find((address) => address !== '');
      if (host === undefined) throw new Error(`${this.spec.name} has ended and has no address`);
      return { host, port };
    }
    const [published] = NetworkSettings.Ports[portKey(spec)] ?? [];
    if (!published) throw new Error(`${this.spec.name} has ended, so its port ${port} is no longer published`);
    return { host: local ? '127.0.0.1' : endpoint.host!, port: Number(published.HostPort) };
  }

  async logs(): Promise<Buffer> {
    return this.output.bytes();
  }

  async write(bytes: Uint8Array | string): Promise<void> {
    if (!this.spec.input || this.ended || !this.attached.writable)
      throw new Error(`${this.spec.name} accepts no input`);
    await new Promise<void>((resolve, reject) =>
      this.attached.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  }

  exec(command: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return runCommand(this.engine, this.container, command, options);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.ended) return;
    if (signal === 'SIGKILL') this.killed = true;
    try {
      await this.container.kill({ signal });
    } catch (error) {
      // It has ended or was removed meanwhile.
      if (
        !isMissing(error) &&
        !isConflict(error) &&
        !/not running|only kill running|already stopped/i.test(engineWords(error))
      )
        throw error;
    }
  }

  async stop({ signal = 'SIGTERM', grace = 2000 }: StopOptions = {}): Promise<ContainerExit> {
    if (this.ended) return this.exited;
    if (grace > 0) {
      await this.kill(signal);
      const timer = setTimeout(() => void this.kill('SIGKILL').catch(() => this.remove()), grace);
      try {
        return await this.exited;
      } finally {
        clearTimeout(timer);
      }
    }
    await this.kill('SIGKILL').catch(() => this.remove());
    return this.exited;
  }

  /** Removes the container, running or not. Never rejects: a container that remains is removed at the next start. */
  async remove(): Promise<void> {
    await this.container.remove({ force: true, v: true }).catch(() => undefined);
  }

  private async untilExit(): Promise<ContainerExit> {
    const status = await this.waitForEnd();
    await awaitWithin(this.outputEnded, OUTPUT_WAIT);
    this.ended = true;
    this.attached.destroy();
    this.memory.close();
    const signal = signalOf(status);
    // Queried while the container exists, because the engine deletes the status with it.
    const outOfMemory = await this.container.inspect().then(
      ({ State }) => State.OOMKilled === true || this.mustBeMemory(signal),
      () => false,
    );
    await this.remove();
    return { code: signal === undefined ? status : undefined, signal, outOfMemory };
  }

  /**
   * Whether the kernel killed the container for its memory usage, which podman may miss. Processes inside a container
   * cannot kill its first process, so a kill from neither the emulator nor outside came from the kernel.
   */
  private mustBeMemory(signal: NodeJS.Signals | undefined): boolean {
    return this.engine.podman && signal === 'SIGKILL' && !this.killed && this.spec.limits?.memory !== undefined;
  }

  /** Returns the exit status; that of a killed container if the engine cannot report one. */
  private async waitForEnd(): Promise<number> {
    try {
      const { StatusCode } = (await this.container.wait()) as { StatusCode: number };
      return StatusCode;
    } catch {
      // Removed by another program, or the engine stopped.
      return 128 + constants.signals.SIGKILL;
    }
  }
}

/** Returns the signal of an exit status in the convention of shells and engines. */
function signalOf(status: number): NodeJS.Signals | undefined {
  const found = Object.entries(constants.signals).find(([, number]) => number === status - 128);
  return found?.[0] as NodeJS.Signals | undefined;
}
