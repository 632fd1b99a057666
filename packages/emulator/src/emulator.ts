import { type Checkpoint, type Config, ConfigError, createLogger, Kernel } from '@emu/core';
import type { EmulatorSettings, Logger, ServiceManifest } from '@emu/core/service';
import {
  createGateway,
  type Forwarder,
  type Gateway,
  type GatewayOptions,
  type InProcessHandler,
  inProcessHandler,
  type ListenAddress,
  type Listener,
} from '@emu/gateway';
import { type ClockControl, clockControl } from './clock.ts';
import { fetchInProcess } from './fetch.ts';
import { openStorage } from './storage.ts';

/** Credentials in the form of the AWS SDK for JavaScript. */
export interface ClientCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Account, region and credentials of a client. */
export interface ClientOptions {
  /** The emulator's region by default. */
  region?: string;
  /** Account of the client: 12 digits. By default the emulator's. */
  accountId?: string;
  /** Credentials of a user or session, which take precedence over `accountId`. */
  credentials?: ClientCredentials;
}

/** Configuration of any client of the AWS SDK for JavaScript v3 for requests to the emulator without a socket. */
export interface ClientConfig {
  endpoint: string;
  region: string;
  credentials: ClientCredentials;
  requestHandler: InProcessHandler;
}

/** A running emulator. */
export interface Emulator extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly gateway: Gateway;
  readonly clock: ClockControl;
  /**
   * Handles a request of the fetch API for any host name of emu: service APIs, data planes, control routes and
   * metadata, as a port does. Dot segments of a URL are resolved before emu receives it, so a key such as `a/../b`
   * requires `clientConfig()` or a port. Accepts the arguments of `fetch`.
   * @throws TypeError, as fetch does, for an invalid URL, and if an injected fault drops the connection
   * @throws DOMException `AbortError`, or the signal's own reason, when the request's signal is aborted
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Returns the configuration of a client: `new SQSClient(emulator.clientConfig())` uses the in-process emulator. */
  clientConfig(options?: ClientOptions): ClientConfig;
  /**
   * Opens a port for other clients; may be called several times.
   * @param address by default any free port of 127.0.0.1; with `remote: false` other machines receive 403
   * @throws Error of node's `listen`, e.g. with code `EADDRINUSE`, and after `close`
   */
  listen(address?: ListenAddress): Promise<Listener>;
  /**
   * Opens the link-local addresses of the metadata service and of container credentials. If an address cannot be bound,
   * a command that helps is logged.
   */
  listenLinkLocal(): Promise<Listener[]>;
  /**
   * Removes the state of one service or all, and of one account or all. In persistent mode it is deleted from disk when
   * the promise resolves.
   * @throws ControlError `InvalidRequest` for an invalid account id; AwsError `NotImplemented` for an unsupported
   * service
   */
  reset(service?: string, accountId?: string): Promise<void>;
  /**
   * Records the whole emulator for `restore`: state with the bodies of objects, credentials, time and position of the
   * seeded ids. It makes no copies and takes almost no time. Lists that only control routes return are excluded.
   * Complete all requests first: a running one is recorded in its intermediate state.
   */
  snapshot(): Checkpoint;
  /**
   * Returns to a checkpoint, any number of times. In persistent mode it is on disk when the promise resolves. Complete
   * all requests first: a running one may fail or be lost.
   * @throws Error for a checkpoint of another emulator, or a disposed one
   */
  restore(checkpoint: Checkpoint): Promise<void>;
  /**
   * Closes the ports and writes all state. Repeated calls wait for the first. Afterwards clients and other methods of
   * this emulator fail with an Error that says so.
   */
  close(): Promise<void>;
}

/** Parts of an emulator with resolved settings. */
export interface EmulatorParts {
  config: Config;
  manifests: readonly ServiceManifest[];
  /** Further services, whose requests fail because they are not mounted. */
  leftOut?: readonly ServiceManifest[];
  /** Version for the health route and the data directory. */
  version: string;
  /** By default created from the settings. */
  log?: Logger;
  /** Run-time facts for the gateway. */
  surroundings?: Pick<GatewayOptions, 'init' | 'afterReset' | 'container'>;
}

/** Loaded only with `--forward`. @throws ConfigError for an unusable service, and without credentials */
async function forwarderOf(
  settings: EmulatorSettings,
  manifests: readonly ServiceManifest[],
  log: Logger,
): Promise<Forwarder> {
  const {
    EMULATOR_FORWARD: names,
    EMULATOR_FORWARD_READ_ONLY: readOnly,
    EMULATOR_VERIFY_SIGV4: verifies,
  } = settings.values;
  if (verifies)
    throw new ConfigError(
      '--forward and --verify-sigv4 exclude each other: AWS verifies the requests that are forwarded.',
    );
  const { createForwarder } = await import('@emu/upstream');
  return createForwarder({ names, readOnly, manifests, settings, log });
}

const CLOSED = 'the emulator is closed: close() was called, or the block of its "await using" has ended.';

/**
 * Starts an emulator from resolved settings, as the CLI and `createEmulator` do.
 * @throws Error with the file name if the data directory cannot be used
 */
export async function startEmulator(parts: EmulatorParts): Promise<Emulator> {
  const { config, manifests, leftOut, version, log, surroundings } = parts;
  const { settings } = config;
  const { values } = settings;
  const logger = log ?? createLogger({ level: values.EMULATOR_LOG, format: values.EMULATOR_LOG_FORMAT });
  const forwarder = values.EMULATOR_FORWARD.length > 0 ? await forwarderOf(settings, manifests, logger) : undefined;
  const storage = await openStorage(settings, version, logger);
  const kernel = new Kernel({ manifests, settings, log: logger, seed: values.EMULATOR_SEED, version, ...storage });
  // Resumed work, such as event sources of functions, may have to be reachable immediately.
  const gateway = createGateway(kernel, {
    version,
    ...(leftOut && { leftOut }),
    ...(forwarder && { forwarder }),
    ...surroundings,
  });
  try {
    await kernel.start();
  } catch (error) {
    // The data directory can be used by another process again.
    await kernel.close();
    throw error;
  }
  const inProcess = inProcessHandler(gateway);
  const listeners = new Set<Listener>();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      kernel.endWaits();
      await Promise.all([...listeners].map((listener) => listener.close()));
      forwarder?.close();
      await kernel.close();
      await storage.close();
    })();
    return closing;
  };
  /** @throws Error after `close`, so that a remaining client fails instead of hanging or losing data */
  const refuseClosed = (): void => {
    if (closing) throw new Error(CLOSED);
  };
  const requestHandler: InProcessHandler = {
    ...inProcess,
    async handle(request, options) {
      refuseClosed();
      return inProcess.handle(request, options);
    },
  };
  return {
    kernel,
    gateway,
    clock: clockControl(kernel.clock),
    async fetch(input, init) {
      refuseClosed();
      return fetchInProcess(gateway, new Request(input, init));
    },
    clientConfig: ({ region = settings.region, accountId, credentials } = {}) => ({
      endpoint: 'http://localhost',
      region,
      credentials: credentials ?? { accessKeyId: accountId ?? 'test', secretAccessKey: 'test' },
      requestHandler,
    }),
    async listen({ host = '127.0.0.1', port = 0, remote = true } = {}) {
      refuseClosed();
      const listener = await gateway.listen({ host, port, remote });
      listeners.add(listener);
      return listener;
    },
    async listenLinkLocal() {
      const opened = await gateway.listenLinkLocal();
      for (const listener of opened) listeners.add(listener);
      return opened;
    },
    async reset(service, accountId) {
      refuseClosed();
      await kernel.reset(service, accountId);
    },
    snapshot() {
      refuseClosed();
      return kernel.snapshot();
    },
    async restore(checkpoint) {
      refuseClosed();
      await kernel.restore(checkpoint);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
