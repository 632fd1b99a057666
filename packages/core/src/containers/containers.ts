import type { Logger } from '../base/log.ts';
import type { EmulatorSettings } from '../config/settings.ts';

/** What containers run on. */
export const BACKENDS = ['docker', 'k8s', 'process'] as const;
export type Backend = (typeof BACKENDS)[number];

/** Bytes of output kept by default. */
export const OUTPUT_LIMIT = 256 * 1024;
/** Bytes of either output of a command that are kept by default. */
export const EXEC_LIMIT = 1024 * 1024;
/** Milliseconds a command of `exec` may take. */
export const EXEC_TIMEOUT = 60_000;

/** A directory or a volume that an instance sees. */
export type ContainerMount =
  | {
      type: 'directory';
      /** Directory of the emulator's machine. */
      source: string;
      /** Absolute path inside the instance. */
      target: string;
      readOnly?: boolean;
      /**
       * Paths of the emulator, below its own URL, that serve the same content as ZIP files, a later one over an earlier:
       * what a driver whose instances do not share the emulator's disk (`k8s`) fetches and unpacks instead.
       */
      archives?: readonly string[];
    }
  | {
      type: 'volume';
      /** Name of a volume, see `ContainerVolumes`. */
      volume: string;
      target: string;
      readOnly?: boolean;
    }
  | {
      type: 'tmpfs';
      target: string;
      /** Bytes. */
      size?: number;
    };

/** A port that an instance listens on. */
export interface ContainerPort {
  /** Number inside the instance. */
  port: number;
  protocol?: 'tcp' | 'udp';
  /** Number on the emulator's machine; by default any free one. */
  hostPort?: number;
}

/** How much an instance may use. */
export interface ContainerLimits {
  /** Bytes of memory; an instance that uses more is killed. */
  memory?: number;
  /** Processors, e.g. 0.5. */
  cpus?: number;
  /** Processes and threads. */
  processes?: number;
  /** Bytes of output that `logs` keeps; the oldest give way. */
  output?: number;
}

/** What to run. */
export interface ContainerSpec {
  /** Service it belongs to, e.g. `lambda`; picks per-service settings. */
  service: string;
  /** Begins the instance's name: lower-case letters, digits and hyphens. Drivers make it unique. */
  name: string;
  /** Image; required by `docker` and `k8s`, not looked at by `process`. */
  image?: string;
  /** When the image is fetched; `missing` by default. */
  pull?: 'always' | 'missing' | 'never';
  /** E.g. `linux/arm64`. */
  platform?: string;
  /** Replaces the image's entry point; with `process`, it and `command` are what is run. */
  entrypoint?: readonly string[];
  /** Replaces the image's command; arguments where there is an entry point. */
  command?: readonly string[];
  /** Directory the command starts in; with `process` a directory of its own by default. */
  workingDirectory?: string;
  /** The whole environment; nothing of the emulator's own is added but what a driver needs to find leftovers. */
  environment: Readonly<Record<string, string>>;
  /** `process` has no file system of its own: it leaves them out, see `ContainerRuntime.isolated`. */
  mounts?: readonly ContainerMount[];
  ports?: readonly ContainerPort[];
  /** `docker` and `k8s` keep them with the instance, so that `list` finds it after a restart. */
  labels?: Readonly<Record<string, string>>;
  limits?: ContainerLimits;
  /** User inside the instance, e.g. `993:990`. */
  user?: string;
  hostname?: string;
  /** Networks of `ContainerNetworks` to join, beside or instead of the engine's default. */
  networks?: readonly { network: string; aliases?: readonly string[] }[];
  /** Additional names by address, as in `/etc/hosts`. */
  hosts?: Readonly<Record<string, string>>;
  capabilities?: { add?: readonly string[]; drop?: readonly string[] };
  privileged?: boolean;
  /** Whether standard input is a pipe that `ContainerInstance.write` fills; closed at once otherwise. */
  input?: boolean;
  /** Told of each piece of output as it comes, from the start; may be a part of a line. */
  onOutput?(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void;
}

/** How an instance ended. */
export interface ContainerExit {
  /** Exit status; undefined where a signal ended it. */
  code: number | undefined;
  /** E.g. `SIGKILL`. */
  signal: NodeJS.Signals | undefined;
  /** Whether it was killed because it used more memory than its limit. */
  outOfMemory: boolean;
}

/** What a command run inside an instance came to. */
export interface ExecResult {
  code: number;
  stdout: Buffer;
  stderr: Buffer;
}

/** How an instance is ended. */
export interface StopOptions {
  /** First signal; `SIGTERM` by default. */
  signal?: NodeJS.Signals;
  /** Milliseconds until `SIGKILL` follows; 0 kills at once, 2,000 by default. */
  grace?: number;
}

/** Something that runs. */
export interface ContainerInstance {
  /** Id of the container or Pod, or `process-<pid>`. */
  readonly id: string;
  readonly backend: Backend;
  readonly spec: ContainerSpec;
  /** Resolves when it has ended and all its output has been handed out; never rejects. */
  readonly exited: Promise<ContainerExit>;
  /** A directory of its own on the emulator's machine, which goes when it ends; `process` only. */
  readonly directory: string | undefined;
  /** Most bytes of memory seen in use so far; undefined where the driver does not know. */
  peakMemory(): number | undefined;
  /** Addresses from which its connections come; undefined where the driver does not tell. */
  readonly addresses?: readonly string[];
  /** Where one of its ports is reached from the emulator. @throws Error for a port its spec does not have */
  address(port: number): Promise<{ host: string; port: number }>;
  /** Kept output, oldest first: as much as `limits.output` allows. */
  logs(): Promise<Buffer>;
  /** Writes to its standard input. @throws Error where the spec did not ask for it, or it has ended */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Runs a command inside. @throws Error where it cannot be started */
  exec(command: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Sends a signal to everything in it. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends it and everything it started, and removes it; harmless where it has ended. Resolves when nothing is left. */
  stop(options?: StopOptions): Promise<ContainerExit>;
}

/** How a command runs inside an instance. */
export interface ExecOptions {
  environment?: Readonly<Record<string, string>>;
  workingDirectory?: string;
  input?: Uint8Array | string;
  /** Most bytes kept of either output; 1 MiB by default. */
  limit?: number;
}

/** An instance as the engine knows it, also of an emulator that is gone. */
export interface ContainerSummary {
  id: string;
  name: string;
  labels: Readonly<Record<string, string>>;
  running: boolean;
}

/** Named volumes; engines that have them only. */
export interface ContainerVolumes {
  /** Makes a volume unless it exists. */
  ensure(name: string, labels?: Readonly<Record<string, string>>): Promise<void>;
  exists(name: string): Promise<boolean>;
  /** Volumes that carry every given label. */
  list(
    labels?: Readonly<Record<string, string>>,
  ): Promise<{ name: string; labels: Readonly<Record<string, string>> }[]>;
  /** Removes a volume; harmless where it does not exist. */
  remove(name: string): Promise<void>;
}

/** Networks that instances share; engines that have them only. */
export interface ContainerNetworks {
  ensure(name: string, options?: { labels?: Readonly<Record<string, string>>; subnet?: string }): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Images; engines that have them only. */
export interface ContainerImages {
  /** Id of an image that is here; undefined otherwise. */
  find(image: string): Promise<string | undefined>;
  /** Fetches an image. @throws Error with the registry's words */
  pull(image: string, options?: { platform?: string }): Promise<void>;
  /** Builds an image from files by path, among them a `Dockerfile`. @throws Error with the last lines of the build */
  build(image: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
}

/** How instances reach listeners of the emulator: one on `bind` is reached as `http://<host>:<port>`. */
export interface Callback {
  /** Address to listen on. */
  bind: string;
  /** Host name or address to give to instances. */
  host: string;
  /** Whether instances connect from this machine or its bridges, so that a listener need answer nobody else. */
  ofMachine?: boolean;
  /** The name or address of the machine that instances are on and connect from, where it is another one. */
  machine?: string;
  /** Whether every connection of an instance comes from one of its `addresses`, so that nobody else need be answered. */
  ofInstances?: boolean;
}

/** Runs instances: containers of an engine, Pods, or processes of this machine. Nothing it started outlives `close`. */
export interface ContainerRuntime {
  readonly backend: Backend;
  /**
   * Whether instances have file systems and networks of their own: paths are those of the mounts' targets then, and
   * those of their sources otherwise.
   */
  readonly isolated: boolean;
  /** Undefined where the driver has none. */
  readonly volumes: ContainerVolumes | undefined;
  readonly networks: ContainerNetworks | undefined;
  readonly images: ContainerImages | undefined;
  /** How instances reach listeners of the emulator. */
  callback(): Promise<Callback>;
  /**
   * A directory on the emulator's machine for files that several instances are given; it goes with the runtime, or
   * when the next emulator finds that this one was killed.
   */
  scratch(): Promise<string>;
  /** Starts an instance. @throws ContainerError where it cannot be started */
  start(spec: ContainerSpec): Promise<ContainerInstance>;
  /** Instances that carry every given label, running or not, of any emulator. */
  list(labels?: Readonly<Record<string, string>>): Promise<ContainerSummary[]>;
  /** Removes what emulators left that no longer run. @returns how many instances there were */
  removeLeftovers(): Promise<number>;
  /** Ends everything it started. */
  close(): Promise<void>;
}

/** An instance that could not be started, or an engine that does not answer. */
export class ContainerError extends Error {
  override readonly name = 'ContainerError';
  constructor(
    /** `unavailable`: no engine; `image`: not to be had; `command`: cannot be run; `engine`: refused. */
    readonly reason: 'unavailable' | 'image' | 'command' | 'engine',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A resource whose volume an older version named without a scope. */
export interface VolumeClaim<Resource> {
  resource: Resource;
  /** Name that the older version gave it. */
  volume: string;
}

/**
 * Names and labels of an emulator's data volumes: those of one data directory are never seen by another, nor those of
 * an emulator in memory mode by the next.
 */
export interface VolumeScope {
  /** Tells the data directory, or the run in memory mode. */
  readonly hash: string;
  /** Labels of every volume in this scope. */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether volumes outlive the process. */
  readonly persistent: boolean;
  /**
   * The name of a volume: `emulator-<kind>-data-<hash>-<key>`.
   * @param kind e.g. `rds`
   * @param key what tells the resource from every other, also from a later one of the same name; its unusual
   *   characters become hyphens, and a hash of the whole is added then
   */
  name(kind: string, key: string): string;
  /** Makes a volume unless it exists. @returns its name */
  ensure(volumes: ContainerVolumes, kind: string, key: string): Promise<string>;
  /** Every volume in this scope. */
  list(volumes: ContainerVolumes): Promise<string[]>;
  /**
   * Which resources of an older data directory keep the volumes that an older version named without a scope: those
   * whose volume still exists and is claimed by nobody else. The caller records the outcome with the resource.
   * @param warn told of a volume that several claim; none of them gets it
   * @returns the volume of each resource that keeps its own
   * @throws Error where the engine cannot list its volumes: the caller leaves these resources alone until it can
   */
  adopt<Resource>(
    volumes: ContainerVolumes,
    claims: readonly VolumeClaim<Resource>[],
    warn: (message: string) => void,
  ): Promise<Map<Resource, string>>;
}

/** What a service can do without. */
export interface RuntimeOptions {
  /** Whether processes of this machine will do where no engine answers and no setting names a backend. */
  processes?: boolean;
}

/** The runtimes of one emulator: which backend a service has, and one runtime per backend. */
export interface Containers {
  /**
   * The runtime of a service: what `EMULATOR_<SERVICE>_BACKEND` or `EMULATOR_CONTAINER_BACKEND` names, else `docker`.
   * @param service a service with container settings, e.g. `lambda`
   * @throws ContainerError `unavailable` where the backend cannot be used; asked again, it is tried again
   */
  of(service: string, options?: RuntimeOptions): Promise<ContainerRuntime>;
  /**
   * The emulator's URL as the instances of a runtime reach it.
   * @param url at which programs of this machine reach it
   */
  urlInside(runtime: ContainerRuntime, url: string): Promise<string>;
  /** How the volumes of this emulator are named and labelled. */
  volumeScope(): Promise<VolumeScope>;
  /** Ends everything that runs. */
  close(): Promise<void>;
}

/** What the runtimes of an emulator are made with. */
export interface ContainersOptions {
  settings: EmulatorSettings;
  log: Logger;
}

/** Makes the runtimes of an emulator; called when one is first needed. */
export type OpenContainers = (options: ContainersOptions) => Promise<Containers>;
