import { randomUUID } from 'node:crypto';
import {
  type Backend,
  ContainerError,
  type ContainerRuntime,
  type Containers,
  type ContainersOptions,
  callbackPeers,
  type RuntimeOptions,
  type VolumeScope,
} from '@emu/core/service';
import type { DriverOptions, OpenDriver } from './driver.ts';
import { CONTAINER_OPTIONS, containerSettings } from './options.ts';
import { Relay } from './relay.ts';
import { openVolumeScope } from './volume-scope.ts';

/** Returns the available drivers, each loaded when first needed. */
const DRIVERS: Partial<Record<Backend, () => Promise<OpenDriver>>> = {
  docker: async () => (await import('./docker/open.ts')).openDockerRuntime,
  k8s: async () => (await import('./k8s/open.ts')).openK8sRuntime,
  process: async () => (await import('./process/runtime.ts')).openProcessRuntime,
};

/** Returns the container runtimes of an emulator for the given drivers. */
export class DriverContainers implements Containers {
  private readonly opened = new Map<Backend, Promise<ContainerRuntime>>();
  private readonly chosen = new Map<string, Promise<ContainerRuntime>>();
  private closed = false;
  private readonly options: Omit<DriverOptions, 'lost'>;
  /** Runtimes whose engine no longer responds. */
  private readonly discarded = new Set<ContainerRuntime>();
  private readonly relays = new Map<string, Promise<Relay>>();
  private scope: Promise<VolumeScope> | undefined;

  constructor(
    { settings, log }: ContainersOptions,
    private readonly drivers: Partial<Record<Backend, () => Promise<OpenDriver>>> = DRIVERS,
  ) {
    this.options = { settings, log, run: randomUUID() };
  }

  volumeScope(): Promise<VolumeScope> {
    this.scope ??= openVolumeScope(this.options.settings, this.options.run);
    this.scope.catch(() => {
      this.scope = undefined;
    });
    return this.scope;
  }

  of(service: string, options: RuntimeOptions = {}): Promise<ContainerRuntime> {
    let runtime = this.chosen.get(service);
    if (!runtime) {
      runtime = this.choose(service, options);
      this.chosen.set(service, runtime);
      runtime.catch(() => this.chosen.delete(service));
    }
    return runtime;
  }

  async urlInside(runtime: ContainerRuntime, url: string): Promise<string> {
    if (!runtime.isolated) return url;
    // Pods reach the emulator by its name in the cluster. The driver has checked that it is set.
    if (runtime.backend === 'k8s') return this.options.settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_SELF_URL!;
    const { hostname, port, protocol } = new URL(url);
    const callback = await runtime.callback();
    const { bind, host } = callback;
    const key = `${bind} ${hostname}:${port}`;
    let relay = this.relays.get(key);
    if (!relay) {
      const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
      relay = callbackPeers(callback, this.options.settings).then((peers) =>
        Relay.open(bind, target, peers, (address) => this.options.log.warn(refusal(address))),
      );
      this.relays.set(key, relay);
      relay.catch(() => this.relays.delete(key));
    }
    return `${protocol}//${host}:${(await relay).port}`;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const relay of await Promise.allSettled(this.relays.values()))
      if (relay.status === 'fulfilled') relay.value.close();
    const runtimes = await Promise.allSettled(this.opened.values());
    await Promise.all(runtimes.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)));
    // Their engine may still be gone.
    await Promise.allSettled([...this.discarded].map((runtime) => runtime.close()));
  }

  private async choose(service: string, { processes = false }: RuntimeOptions): Promise<ContainerRuntime> {
    const { backend } = containerSettings(this.options.settings, service);
    if (backend) return this.open(backend);
    if (!processes) return this.open('docker');
    try {
      const runtime = await this.open('docker');
      this.options.log.info(
        `a container engine responds: ${service} runs code in containers; EMULATOR_${service.toUpperCase()}_BACKEND=process runs it as processes of this machine`,
      );
      return runtime;
    } catch (error) {
      if (!(error instanceof ContainerError) || error.reason !== 'unavailable') throw error;
      this.options.log.info(`${error.message}; ${service} runs code as processes of this machine`);
      return this.open('process');
    }
  }

  private open(backend: Backend): Promise<ContainerRuntime> {
    if (this.closed) return Promise.reject(new ContainerError('unavailable', 'the emulator is closing'));
    let runtime = this.opened.get(backend);
    if (!runtime) {
      runtime = this.load(backend);
      this.opened.set(backend, runtime);
      runtime.catch(() => this.opened.delete(backend));
    }
    return runtime;
  }

  /** Discards a runtime whose engine no longer responds, so that its services choose again. */
  private discard(backend: Backend, runtime: ContainerRuntime): void {
    if (this.closed || this.discarded.has(runtime)) return;
    this.discarded.add(runtime);
    this.opened.delete(backend);
    for (const [service, chosen] of this.chosen)
      void chosen.then(
        (one) => {
          if (one === runtime && this.chosen.get(service) === chosen) this.chosen.delete(service);
        },
        () => undefined,
      );
    this.options.log.warn(`the ${backend} backend no longer responds; it is chosen again at the next use`);
  }

  private async load(backend: Backend): Promise<ContainerRuntime> {
    const driver = this.drivers[backend];
    if (!driver)
      throw new ContainerError('unavailable', `this version of emu has no driver for the ${backend} backend`);
    let opened: ContainerRuntime | undefined;
    const lost = (): void => {
      if (opened) this.discard(backend, opened);
    };
    const runtime = await (await driver())({ ...this.options, lost });
    opened = runtime;
    // Remove the leftovers of a killed emulator before they interfere with new instances.
    await runtime.removeLeftovers();
    return runtime;
  }
}

/** Log message for the first connection that a relay rejects. */
const refusal = (address: string | undefined): string =>
  `a connection from ${address} was refused by the port through which containers reach emu: none of them is there. Where they do come from there, start emu with --allow-remote (EMULATOR_ALLOW_REMOTE).`;
