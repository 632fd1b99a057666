import type { ServiceModel } from '@emu/wire';
import { notImplemented } from '../base/not-implemented.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import type { AnyServicePlugin } from '../plugin/plugin.ts';
import { withAdvice } from '../storage/damage.ts';
import { Slices } from '../time/slices.ts';
import type { Environment } from './environment.ts';
import type { LoadedService } from './loaded-service.ts';
import type { ServiceStorage } from './service-storage.ts';

/** The services of an emulator; each is loaded at its first use. */
export class ServiceRegistry {
  private readonly loading = new Map<string, Promise<LoadedService>>();
  private readonly loaded = new Map<string, LoadedService>();
  /** See `beforeLoading`. */
  private beforeFirst: (() => void) | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly storage: ServiceStorage,
    /** Creates a service from its plugin; `owner` is the service whose state it uses, if any. */
    private readonly make: (plugin: AnyServicePlugin, owner: LoadedService | undefined) => Promise<LoadedService>,
  ) {}

  /** Returns the names of all services, loaded or not, in order. */
  get names(): string[] {
    return this.environment.manifests.map(({ name }) => name).sort();
  }

  /** Returns the service if it is loaded. */
  loadedService(name: string): LoadedService | undefined {
    return this.loaded.get(name);
  }

  /** Returns the loaded services. */
  loadedServices(): LoadedService[] {
    return [...this.loaded.values()];
  }

  /**
   * Returns the service with a resource that has a host name. Services with resources are loaded when the emulator
   * starts. @param name in lower case, without a port
   */
  ownerOfHost(name: string): ServiceManifest | undefined {
    return this.environment.manifests.find((manifest) => {
      const service = this.loaded.get(manifest.name);
      return service?.plugin.ownsHost?.(name, service as never) ?? false;
    });
  }

  /** See `ServiceHandle.pathOfHost`. */
  pathOfHost(name: string): string | undefined {
    const owner = this.ownerOfHost(name);
    const service = owner && this.loaded.get(owner.name);
    return service?.plugin.pathOfHost?.(name, service as never);
  }

  /** Returns a service, loaded at its first use. @throws AwsError `NotImplemented` for an unknown service */
  service(name: string): Promise<LoadedService> {
    let service = this.loading.get(name);
    if (!service) {
      service = this.load(name);
      this.loading.set(name, service);
      // The next request retries a failed load.
      service.catch(() => this.loading.delete(name));
    }
    return service;
  }

  /** Calls `action` before the first service is loaded, or at once if one has been. */
  beforeLoading(action: () => void): void {
    if (this.loading.size > 0) action();
    else this.beforeFirst = action;
  }

  /** Resolves when no service is being loaded. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.loading.values());
  }

  /** See `ServiceHandle.modelOf`. */
  async modelOf(name: string): Promise<ServiceModel | undefined> {
    return this.environment.manifestOf(name) ? (await this.service(name)).plugin.model : undefined;
  }

  private async load(name: string): Promise<LoadedService> {
    const { dataDirectory, persistent } = this.environment;
    const manifest = this.environment.manifestOf(name);
    if (!manifest) throw notImplemented(name);
    this.beforeFirst?.();
    this.beforeFirst = undefined;
    const plugin = await manifest.load();
    const owner = plugin.stateOf === undefined ? undefined : await this.service(plugin.stateOf);
    const service = await this.make(plugin, owner);
    await this.storage.open(service.store);
    const place = this.storage.dataPlaceOf(name, () => service.committed());
    await service.openData(place).catch((error: unknown) => {
      throw dataDirectory === undefined ? error : withAdvice(error, dataDirectory);
    });
    try {
      (await service.makeStates(new Slices()))();
    } catch (error) {
      // Running workers must not continue next to those of the next attempt.
      service.dropStates(undefined);
      await service.data?.close();
      if (persistent) await this.storage.closeBodiesOf(name);
      throw error;
    }
    this.loaded.set(name, service);
    return service;
  }
}
