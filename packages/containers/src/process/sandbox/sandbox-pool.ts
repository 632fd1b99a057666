import { readFileSync } from 'node:fs';
import { ContainerError, type ContainerSandboxes, type SandboxSpec } from '@emu/core/service';
import { Holder, type HolderOptions } from './holder.ts';
import { MachineMounts } from './machine-mounts.ts';
import { baseMounts, planMounts, refused } from './mount-plan.ts';
import { processLimit } from './process-limit.ts';
import { Sandbox, trial } from './sandbox.ts';

/** Milliseconds after the start of a sandbox when the next one is prepared. */
const PREPARE_DELAY = 250;

/** Whether a machine has sandboxes. */
export class MachineSupport {
  /** The reason why it has none, if any; undefined before the first attempt. */
  known: { readonly reason: string | undefined } | undefined;
}

/** What is known about this machine. */
const machine = new MachineSupport();

/** A holder that waits for the mounts of a sandbox. */
interface Prepared {
  readonly holder: Holder;
  readonly options: HolderOptions;
  /** Mounts of the machine that it has. */
  readonly mounts: MachineMounts;
}

/** Sandboxes of one run. One is prepared in advance, because a cold start waits for it. */
export class SandboxPool implements ContainerSandboxes {
  private readonly opened = new Set<Sandbox>();
  private next: Promise<Prepared> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param options returns the options of a holder, or the reason why there can be none
   * @param support what is known about the machine
   */
  constructor(
    private readonly options: () => Promise<HolderOptions | string>,
    private readonly support: MachineSupport = machine,
  ) {}

  async refusal(): Promise<string | undefined> {
    this.support.known ??= { reason: await this.attempt() };
    return this.support.known.reason;
  }

  async open(spec: SandboxSpec): Promise<Sandbox> {
    const mounts = MachineMounts.read();
    const { holder, options } = await this.take(mounts);
    try {
      await options.skeleton.refresh();
      const plan = await planMounts(spec, options.skeleton, mounts);
      const limit = processLimit(spec.processes);
      await holder.finish(plan, limit);
      const sandbox = new Sandbox(holder, plan, options.tools, limit);
      this.opened.add(sandbox);
      void sandbox.ended.then(() => this.opened.delete(sandbox));
      if (this.closed) throw closing();
      this.prepareLater();
      return sandbox;
    } catch (error) {
      await holder.close();
      throw error;
    }
  }

  /** Ends all sandboxes. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    const next = await this.next?.catch(() => undefined);
    await Promise.all([next?.holder.close(), ...[...this.opened].map((sandbox) => sandbox.close())]);
  }

  /** Prepares a sandbox and runs a program in it. */
  private async attempt(): Promise<string | undefined> {
    this.next ??= this.prepare(MachineMounts.read());
    try {
      const { holder, options } = await this.next;
      const reason = await trial(holder, options.tools, options.mark);
      return reason === undefined ? undefined : `${reason}${hint()}`;
    } catch (error) {
      this.next = undefined;
      if (error instanceof ContainerError && error.reason === 'engine') return `${error.message}${hint()}`;
      throw error;
    }
  }

  /** Returns a holder: the prepared one, unless the machine's mounts have changed since. */
  private async take(mounts: MachineMounts): Promise<Prepared> {
    const { next } = this;
    this.next = undefined;
    const prepared = await next?.catch(() => undefined);
    if (prepared?.mounts.text === mounts.text && prepared.holder.isRunning) return prepared;
    await prepared?.holder.close();
    return this.prepare(mounts);
  }

  private prepareLater(): void {
    if (this.timer || this.next) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.closed) return;
      this.next ??= this.prepare(MachineMounts.read());
      // The next start of a sandbox reports the error.
      this.next.catch(() => undefined);
    }, PREPARE_DELAY);
    this.timer.unref();
  }

  /** @throws ContainerError `engine` with the reason if the machine refuses */
  private async prepare(mounts: MachineMounts): Promise<Prepared> {
    const options = await this.options();
    if (typeof options === 'string') throw refused(options);
    if (this.closed) throw closing();
    const holder = await Holder.start(await baseMounts(options.skeleton, mounts), options);
    return { holder, options, mounts };
  }
}

const closing = (): ContainerError => new ContainerError('unavailable', 'the emulator is closing');

/** Returns the setting that restricts sandboxes on Ubuntu; empty if it does not. */
function hint(): string {
  try {
    const setting = readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim();
    return setting === '1' ? ' (kernel.apparmor_restrict_unprivileged_userns is 1)' : '';
  } catch {
    return '';
  }
}
