import { randomUUID } from 'node:crypto';
import type { Backend } from '../config/container-options.ts';
import type { Logger } from '../log.ts';
import type { EmulatorSettings } from '../plugin.ts';
import { LocalPeers } from './local-peers.ts';
import { Relay } from './relay.ts';
import { ContainerError, type ContainerRuntime } from './runtime.ts';
import { openVolumeScope, type VolumeScope } from './volume-scope.ts';

/** What a driver is made with. */
export interface DriverOptions {
  settings: EmulatorSettings;
  log: Logger;
  /** Tells this run of the emulator from every other. */
  run: string;
}

/**
 * Opens a driver.
 * @throws ContainerError `unavailable` where no engine answers, or a setting that it needs is missing
 */
export type OpenDriver = (options: DriverOptions) => Promise<ContainerRuntime>;

/** Loads the drivers emu has, each when it is first needed. */
const DRIVERS: Partial<Record<Backend, () => Promise<OpenDriver>>> = {
  docker: async () => (await import('./docker/open.ts')).openDockerRuntime,
  k8s: async () => (await import('./k8s/open.ts')).openK8sRuntime,
  process: async () => (await import('./process-runtime.ts')).openProcessRuntime,
};

/** Services that may run as processes where no container engine is found. */
const PROCESS_BY_DEFAULT: ReadonlySet<string> = new Set(['lambda']);

/** The runtimes of one emulator: which backend a service has, and one runtime per backend. */
export class Containers {
  private readonly opened = new Map<Backend, Promise<ContainerRuntime>>();
  private readonly chosen = new Map<string, Promise<ContainerRuntime>>();
  private closed = false;
  private readonly options: DriverOptions;
  private readonly relays = new Map<string, Promise<Relay>>();
  private scope: Promise<VolumeScope> | undefined;

  constructor(
    { settings, log }: Omit<DriverOptions, 'run'>,
    private readonly drivers: Partial<Record<Backend, () => Promise<OpenDriver>>> = DRIVERS,
  ) {
    this.options = { settings, log, run: randomUUID() };
  }

  /** How the volumes of this emulator are named and labelled. */
  volumeScope(): Promise<VolumeScope> {
    this.scope ??= openVolumeScope(this.options.settings, this.options.run);
    this.scope.catch(() => {
      this.scope = undefined;
    });
    return this.scope;
  }

  /**
   * The runtime of a service: what `EMULATOR_<SERVICE>_BACKEND` or `EMULATOR_CONTAINER_BACKEND` names, else `docker`;
   * functions run as processes where no engine answers, which is said once.
   * @param service a service with container settings, e.g. `lambda`
   * @throws ContainerError `unavailable` where the backend cannot be used; asked again, it is tried again
   */
  of(service: string): Promise<ContainerRuntime> {
    let runtime = this.chosen.get(service);
    if (!runtime) {
      runtime = this.choose(service);
      this.chosen.set(service, runtime);
      runtime.catch(() => this.chosen.delete(service));
    }
    return runtime;
  }

  /**
   * The emulator's URL as the instances of a service reach it.
   * @param url at which programs of this machine reach it
   */
  async urlInside(service: string, url: string): Promise<string> {
    const runtime = await this.of(service);
    if (!runtime.isolated) return url;
    // Pods find the emulator by its name in the cluster; the driver has made sure that there is one.
    if (runtime.backend === 'k8s') return this.options.settings.values.EMULATOR_K8S_SELF_URL!;
    const { hostname, port, protocol } = new URL(url);
    const { bind, host, ofMachine } = await runtime.callback();
    const key = `${bind} ${hostname}:${port}`;
    let relay = this.relays.get(key);
    if (!relay) {
      relay = Relay.open(
        bind,
        { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) },
        ofMachine ? new LocalPeers() : undefined,
      );
      this.relays.set(key, relay);
      relay.catch(() => this.relays.delete(key));
    }
    return `${protocol}//${host}:${(await relay).port}`;
  }

  /** Ends everything that runs. */
  async close(): Promise<void> {
    this.closed = true;
    for (const relay of await Promise.allSettled(this.relays.values()))
      if (relay.status === 'fulfilled') relay.value.close();
    const runtimes = await Promise.allSettled(this.opened.values());
    await Promise.all(runtimes.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)));
  }

  private async choose(service: string): Promise<ContainerRuntime> {
    const word = service.toUpperCase();
    const values = this.options.settings.values as unknown as Record<string, Backend | undefined>;
    const configured = values[`EMULATOR_${word}_BACKEND`] ?? values.EMULATOR_CONTAINER_BACKEND;
    if (configured) return this.open(configured);
    if (!PROCESS_BY_DEFAULT.has(service)) return this.open('docker');
    try {
      const runtime = await this.open('docker');
      this.options.log.info(
        `a container engine answers: ${service} runs code in containers; EMULATOR_${word}_BACKEND=process runs it as processes of this machine`,
      );
      return runtime;
    } catch (error) {
      if (!(error instanceof ContainerError) || error.reason !== 'unavailable') throw error;
      this.options.log.info(`no container engine answers: ${service} runs code as processes of this machine`);
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

  private async load(backend: Backend): Promise<ContainerRuntime> {
    const driver = this.drivers[backend];
    if (!driver)
      throw new ContainerError('unavailable', `this version of emu has no driver for the ${backend} backend`);
    const runtime = await (await driver())(this.options);
    // What an emulator that was killed left behind must not compete with what starts now.
    await runtime.removeLeftovers();
    return runtime;
  }
}
