import type { Logger } from '../base/log.ts';
import type { EmulatorSettings } from '../config/settings.ts';

/** Backends of containers. */
export const BACKENDS = ['docker', 'k8s', 'process'] as const;
export type Backend = (typeof BACKENDS)[number];

/** Default limit of kept output, in bytes. */
export const OUTPUT_LIMIT = 256 * 1024;
/** Default limit of each kept output of a command, in bytes. */
export const EXEC_LIMIT = 1024 * 1024;
/** Default timeout of an `exec` command, in milliseconds. */
export const EXEC_TIMEOUT = 60_000;

/** A directory or a volume mounted in an instance. */
export type ContainerMount =
  | {
      type: 'directory';
      /** Directory on the emulator's machine. */
      source: string;
      /** Absolute path inside the instance. */
      target: string;
      readOnly?: boolean;
      /**
       * Paths of the emulator, below its own URL, that serve the same content as ZIP files; later ones overwrite
       * earlier ones. A driver whose instances do not share the emulator's disk (`k8s`) fetches and unpacks them
       * instead.
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
  /** Number on the emulator's machine; by default any free port. */
  hostPort?: number;
}

/** Limits of an instance. */
export interface ContainerLimits {
  /** Bytes of memory; an instance that exceeds it is killed. */
  memory?: number;
  /** Processors, e.g. 0.5. */
  cpus?: number;
  /** Number of processes and threads. */
  processes?: number;
  /** Bytes of output that `logs` keeps; the oldest are dropped. */
  output?: number;
}

/** Specification of an instance. */
export interface ContainerSpec {
  /** Service of the instance, e.g. `lambda`; selects per-service settings. */
  service: string;
  /** Prefix of the instance's name: lower-case letters, digits and hyphens. Drivers make the name unique. */
  name: string;
  /** Image; required by `docker` and `k8s`, ignored by `process`. */
  image?: string;
  /** When to fetch the image; `missing` by default. */
  pull?: 'always' | 'missing' | 'never';
  /** E.g. `linux/arm64`. */
  platform?: string;
  /** Replaces the image's entry point; `process` runs it with `command`. */
  entrypoint?: readonly string[];
  /** Replaces the image's command; the arguments of an entry point. */
  command?: readonly string[];
  /** Working directory of the command; with `process` a directory of its own by default. */
  workingDirectory?: string;
  /** The whole environment; of the emulator's own, only what a driver needs to find leftovers is added. */
  environment: Readonly<Record<string, string>>;
  /** Ignored by `process`, whose instances see the machine's file system or that of their `sandbox`. */
  mounts?: readonly ContainerMount[];
  /** Sandbox that the instance runs in, with paths inside it; `process` only. */
  sandbox?: ContainerSandbox;
  ports?: readonly ContainerPort[];
  /** Stored by `docker` and `k8s` with the instance, so that `list` finds it after a restart. */
  labels?: Readonly<Record<string, string>>;
  limits?: ContainerLimits;
  /** User inside the instance, e.g. `993:990`. */
  user?: string;
  hostname?: string;
  /** Networks of `ContainerNetworks` to join, in addition to the engine's default or instead of it. */
  networks?: readonly { network: string; aliases?: readonly string[] }[];
  /** Additional names by address, as in `/etc/hosts`. */
  hosts?: Readonly<Record<string, string>>;
  capabilities?: { add?: readonly string[]; drop?: readonly string[] };
  privileged?: boolean;
  /** Whether standard input is a pipe for `ContainerInstance.write`; closed at once otherwise. */
  input?: boolean;
  /** Receives each piece of output as it arrives, from the start; may be a part of a line. */
  onOutput?(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void;
}

/** Exit of an instance. */
export interface ContainerExit {
  /** Exit status; undefined after a signal. */
  code: number | undefined;
  /** E.g. `SIGKILL`. */
  signal: NodeJS.Signals | undefined;
  /** Whether it was killed for exceeding its memory limit. */
  outOfMemory: boolean;
}

/** Result of a command inside an instance. */
export interface ExecResult {
  code: number;
  stdout: Buffer;
  stderr: Buffer;
}

/** Options for stopping an instance. */
export interface StopOptions {
  /** First signal; `SIGTERM` by default. */
  signal?: NodeJS.Signals;
  /** Milliseconds until `SIGKILL`; 0 kills at once, 2,000 by default. */
  grace?: number;
}

/** A running container, Pod or process. */
export interface ContainerInstance {
  /** Id of the container or Pod, or `process-<pid>`. */
  readonly id: string;
  readonly backend: Backend;
  readonly spec: ContainerSpec;
  /** Resolves when it has ended and all its output was delivered; never rejects. */
  readonly exited: Promise<ContainerExit>;
  /** Its own directory on the emulator's machine, removed when it ends; `process` only. */
  readonly directory: string | undefined;
  /** Returns the peak memory in bytes, as sampled so far; undefined if the driver does not measure it. */
  peakMemory(): number | undefined;
  /** Source addresses of its connections; undefined if the driver does not report them. */
  readonly addresses?: readonly string[];
  /** Returns the address of one of its ports for the emulator. @throws Error for a port missing in its spec */
  address(port: number): Promise<{ host: string; port: number }>;
  /** Returns kept output, oldest first, up to `limits.output`. */
  logs(): Promise<Buffer>;
  /** Writes to its standard input. @throws Error if its spec requests no pipe, or it has ended */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Runs a command inside. @throws Error if it cannot be started */
  exec(command: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Sends a signal to all of its processes. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /**
   * Stops it with all its processes, and removes it; has no effect after it has ended. Resolves when nothing is left.
   */
  stop(options?: StopOptions): Promise<ContainerExit>;
}

/** Options of a command inside an instance. */
export interface ExecOptions {
  environment?: Readonly<Record<string, string>>;
  workingDirectory?: string;
  input?: Uint8Array | string;
  /** Limit of each kept output in bytes; 1 MiB by default. */
  limit?: number;
}

/** An instance as reported by the engine, including those of an earlier emulator. */
export interface ContainerSummary {
  id: string;
  name: string;
  labels: Readonly<Record<string, string>>;
  running: boolean;
}

/** Named volumes, for engines that support them. */
export interface ContainerVolumes {
  /** Creates a volume unless it exists. */
  ensure(name: string, labels?: Readonly<Record<string, string>>): Promise<void>;
  exists(name: string): Promise<boolean>;
  /** Lists volumes that have every given label. */
  list(
    labels?: Readonly<Record<string, string>>,
  ): Promise<{ name: string; labels: Readonly<Record<string, string>> }[]>;
  /** Removes a volume; succeeds for a missing one. */
  remove(name: string): Promise<void>;
}

/** Networks shared by instances, for engines that support them. */
export interface ContainerNetworks {
  ensure(name: string, options?: { labels?: Readonly<Record<string, string>>; subnet?: string }): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Images, for engines that support them. */
export interface ContainerImages {
  /** Returns the id of a local image; undefined for a missing one. */
  find(image: string): Promise<string | undefined>;
  /** Pulls an image. @throws Error with the registry's message */
  pull(image: string, options?: { platform?: string }): Promise<void>;
  /** Builds an image from files by path, including a `Dockerfile`. @throws Error with the last lines of the build */
  build(image: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
}

/**
 * Addresses for connections from instances to listeners of the emulator: a listener on `bind` is reachable as
 * `http://<host>:<port>`.
 */
export interface Callback {
  /** Address to listen on. */
  bind: string;
  /** Host name or address for instances. */
  host: string;
  /** Whether instances connect from this machine or its bridges, so that a listener can reject all others. */
  ofMachine?: boolean;
  /** Name or address of the machine of the instances, if it is another one. */
  machine?: string;
  /** Whether every connection of an instance comes from one of its `addresses`, so that all others can be rejected. */
  ofInstances?: boolean;
}

/** Specification of a sandbox. */
export interface SandboxSpec {
  /** Directories and tmpfs that it contains. */
  mounts: readonly ContainerMount[];
  /** Files and directories of the machine that it contains at their own paths, read-only. */
  visible: readonly string[];
  /** Maximum number of processes and threads, if the kernel has such limits. */
  processes?: number;
}

/**
 * Environment of instances of the `process` backend that share it: a file system with the programs of the machine, the
 * mounts, and nothing else, and process ids and IPC of their own. The network is the machine's.
 */
export interface ContainerSandbox {
  /** Kills all of its processes. Resolves when neither processes nor mounts are left. */
  close(): Promise<void>;
}

/** Sandboxes of the machine. */
export interface ContainerSandboxes {
  /** Returns the reason why this machine has no sandboxes; undefined if it has. */
  refusal(): Promise<string | undefined>;
  /** Opens a sandbox. @throws ContainerError `engine` if the machine refuses one of its mounts */
  open(spec: SandboxSpec): Promise<ContainerSandbox>;
}

/**
 * Runs instances: containers of an engine, Pods, or processes of this machine. `close` stops everything that it
 * started.
 */
export interface ContainerRuntime {
  readonly backend: Backend;
  /**
   * Whether instances have file systems and networks of their own. If true, paths are the mounts' targets, otherwise
   * their sources.
   */
  readonly isolated: boolean;
  /** Undefined if unsupported. */
  readonly volumes: ContainerVolumes | undefined;
  readonly networks: ContainerNetworks | undefined;
  readonly images: ContainerImages | undefined;
  /** Undefined if unsupported. */
  readonly sandboxes?: ContainerSandboxes;
  /** Addresses for connections from instances to the emulator. */
  callback(): Promise<Callback>;
  /**
   * Directory on the emulator's machine for files shared by instances. It is removed with the runtime or, after a
   * crash, by the next emulator.
   */
  scratch(): Promise<string>;
  /** Starts an instance. @throws ContainerError if it cannot be started */
  start(spec: ContainerSpec): Promise<ContainerInstance>;
  /** Lists instances that have every given label, running or not, of any emulator. */
  list(labels?: Readonly<Record<string, string>>): Promise<ContainerSummary[]>;
  /** Removes instances of emulators that no longer run. @returns their number */
  removeLeftovers(): Promise<number>;
  /** Stops everything that it started. */
  close(): Promise<void>;
}

/** Error for an instance that could not be started, or an engine that does not respond. */
export class ContainerError extends Error {
  override readonly name = 'ContainerError';
  constructor(
    /** `unavailable`: no engine; `image`: not available; `command`: not executable; `engine`: refused. */
    readonly reason: 'unavailable' | 'image' | 'command' | 'engine',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A resource whose volume was named by an older version, without a scope. */
export interface VolumeClaim<Resource> {
  resource: Resource;
  /** Volume name of the older version. */
  volume: string;
}

/** Names and labels of an emulator's data volumes, unique for a data directory, or for a run in memory mode. */
export interface VolumeScope {
  /** Identifies the data directory, or the run in memory mode. */
  readonly hash: string;
  /** Labels of every volume in this scope. */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether volumes outlive the process. */
  readonly persistent: boolean;
  /**
   * Returns the name of a volume: `emulator-<kind>-data-<hash>-<key>`.
   * @param kind e.g. `rds`
   * @param key unique key of the resource, also compared with later ones of the same name. Unusual characters become
   * hyphens; then a hash of the whole key is appended
   */
  name(kind: string, key: string): string;
  /** Creates a volume unless it exists. @returns its name */
  ensure(volumes: ContainerVolumes, kind: string, key: string): Promise<string>;
  /** Lists the volumes in this scope. */
  list(volumes: ContainerVolumes): Promise<string[]>;
  /**
   * Returns the resources of an older data directory that keep a volume named without a scope: those whose volume still
   * exists and has no other claimant. The caller stores the result with the resource.
   * @param warn receives a message about a volume with several claimants; none of them gets it
   * @returns the volume of each resource that keeps its own
   * @throws Error if the engine cannot list its volumes: the caller must not touch these resources until it can
   */
  adopt<Resource>(
    volumes: ContainerVolumes,
    claims: readonly VolumeClaim<Resource>[],
    warn: (message: string) => void,
  ): Promise<Map<Resource, string>>;
}

/** A service's requirements on its backend. */
export interface RuntimeOptions {
  /**
   * Whether processes of this machine are an acceptable fallback if no engine responds and no setting names a backend.
   */
  processes?: boolean;
}

/** Runtimes of one emulator, one for each backend. */
export interface Containers {
  /**
   * Returns the runtime of a service: the backend of `EMULATOR_<SERVICE>_BACKEND` or `EMULATOR_CONTAINER_BACKEND`, else
   * `docker`.
   * @param service a service with container settings, e.g. `lambda`
   * @throws ContainerError `unavailable` if the backend cannot be used; the next call tries again
   */
  of(service: string, options?: RuntimeOptions): Promise<ContainerRuntime>;
  /**
   * Returns the emulator's URL for the instances of a runtime.
   * @param url URL for programs of this machine
   */
  urlInside(runtime: ContainerRuntime, url: string): Promise<string>;
  /** Names and labels of this emulator's volumes. */
  volumeScope(): Promise<VolumeScope>;
  /** Stops all instances. */
  close(): Promise<void>;
}

/** Dependencies of the runtimes of an emulator. */
export interface ContainersOptions {
  settings: EmulatorSettings;
  log: Logger;
}

/** Creates the runtimes of an emulator; called at the first use. */
export type OpenContainers = (options: ContainersOptions) => Promise<Containers>;
