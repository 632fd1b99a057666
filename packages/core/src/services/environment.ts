import { createIds, type IdSource } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import { EmulatorNames, type RedirectAccess } from '../names/aws-names.ts';
import type { Persistence } from '../persistence/persistence.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import { EmulatorClock } from '../time/clock.ts';
import { LazyContainers } from './lazy-containers.ts';
import { StoredCredentials } from './stored-credentials.ts';

/** Options of an environment. */
export interface EnvironmentOptions {
  manifests: readonly ServiceManifest[];
  settings: EmulatorSettings;
  log: Logger;
  /** The data directory; absent in memory mode. */
  persistence?: Persistence;
  /** Makes ids reproducible. */
  seed?: string;
  /** Version of the emulator, written to data directories. */
  version?: string;
}

/** The emulator's address for programs on this machine. */
export interface SelfAccess extends RedirectAccess {
  /** URL of a port that users have opened on the loopback interface; undefined without one. */
  readonly openUrl: string | undefined;
  /** Returns the URL of a port of the loopback interface; opens one if necessary. */
  url(): Promise<string>;
  /** Closes the port if `url` opened it. */
  close(): Promise<void>;
}

/** The shared parts of an emulator: its settings, log, clock, ids, credentials, containers and data directory. */
export class Environment {
  readonly manifests: readonly ServiceManifest[];
  readonly settings: EmulatorSettings;
  readonly log: Logger;
  readonly clock: EmulatorClock;
  readonly ids: IdSource;
  readonly credentials = new StoredCredentials();
  readonly containers: LazyContainers;
  /** Undefined in memory mode. */
  readonly persistence: Persistence | undefined;
  /** Version of the emulator. */
  readonly version: string;
  /** Whether permissions are enforced. */
  readonly enforces: boolean;
  /** AWS's host names, and the authority for their certificates. */
  readonly names: EmulatorNames;
  /** Set by the gateway. */
  self: SelfAccess | undefined;

  constructor(options: EnvironmentOptions) {
    this.manifests = options.manifests;
    this.settings = options.settings;
    this.log = options.log;
    this.clock = new EmulatorClock((error) => this.log.error('a scheduled task failed', { error }));
    this.ids = createIds(options.seed);
    this.containers = new LazyContainers(options, this.manifests.find(({ containers }) => containers)?.containers);
    this.persistence = options.persistence;
    this.version = options.version ?? '0.0.0';
    this.names = new EmulatorNames({
      settings: this.settings,
      selfUrl: () => this.selfUrl(),
      access: () => this.self,
    });
    this.enforces = options.settings.values.EMULATOR_ENFORCE_IAM;
  }

  /** Whether the emulator has a data directory. */
  get persistent(): boolean {
    return this.persistence !== undefined;
  }

  /** Path of the data directory; undefined in memory mode. */
  get dataDirectory(): string | undefined {
    return this.persistence?.directory;
  }

  /** Returns the manifest of a service; undefined for an unknown service. */
  manifestOf(service: string): ServiceManifest | undefined {
    return this.manifests.find(({ name }) => name === service);
  }

  /** Base URL in the answers of calls without a request, without a trailing slash. */
  get endpoint(): string {
    return this.settings.externalUrl ?? this.self?.openUrl ?? 'http://localhost';
  }

  /** See `ServiceHandle.selfUrl`. */
  async selfUrl(): Promise<string> {
    if (!this.self) throw new Error('the emulator has no gateway');
    return this.self.url();
  }
}
