import { type Checkpoint, type Config, createLogger, Kernel } from '@emu/core';
import type { Logger, ServiceManifest } from '@emu/core/service';
import {
  createGateway,
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

/** Credentials as the AWS SDK for JavaScript takes them. */
export interface ClientCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** As whom, and where, a client acts. */
export interface ClientOptions {
  /** By default the emulator's region. */
  region?: string;
  /** Account to act in: 12 digits. By default the emulator's. */
  accountId?: string;
  /** Credentials of a user or session; they win over `accountId`. */
  credentials?: ClientCredentials;
}

/** What any client of the AWS SDK for JavaScript v3 is made with to talk to the emulator without a socket. */
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
   * Answers a request of the fetch API, by whatever host of emu's its URL names: the APIs of services, data planes, control
   * routes and metadata, as a port would. Dot segments of a URL are resolved before emu sees them, so that a key such as
   * `a/../b` needs `clientConfig()` or a port. Takes what `fetch` takes.
   * @throws TypeError, as fetch does, for a URL that is none, and where an injected fault cuts the connection
   * @throws DOMException `AbortError`, or the signal's own reason, as soon as the request's signal is aborted
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** `new SQSClient(emulator.clientConfig())` talks to the emulator inside the process. */
  clientConfig(options?: ClientOptions): ClientConfig;
  /**
   * Opens a port for clients elsewhere; may be called several times.
   * @param address by default any free port of 127.0.0.1; with `remote: false` other machines get 403 by it
   * @throws Error of node's `listen`, e.g. with code `EADDRINUSE`, and where the emulator is closed
   */
  listen(address?: ListenAddress): Promise<Listener>;
  /**
   * Opens the link-local addresses of the metadata service and of container credentials; an address that cannot be
   * bound is logged with the command that would help.
   */
  listenLinkLocal(): Promise<Listener[]>;
  /**
   * Removes the state of one service, or all; of one account, or all. In persistent mode it is gone from disk when the
   * promise resolves.
   * @throws ControlError `InvalidRequest` for what is no 12-digit account id; AwsError `NotImplemented` for a service that
   *   emu does not have
   */
  reset(service?: string, accountId?: string): Promise<void>;
  /**
   * Notes everything there is, for `restore`: state with the bodies of objects, credentials, the time and how far a seed's
   * ids have come. It takes no copies, and so next to no time. What only control routes list is not among it. Let requests
   * end first: one that still runs is noted as far as it has come.
   */
  snapshot(): Checkpoint;
  /**
   * Goes back to a checkpoint, as often as wanted; in persistent mode it is on disk when the promise resolves. Let requests
   * end first: one that still runs may fail, or be forgotten.
   * @throws Error for a checkpoint of another emulator, or one that was disposed of
   */
  restore(checkpoint: Checkpoint): Promise<void>;
  /**
   * Closes the ports and writes everything out; later calls wait for the first. Requests of clients of this emulator, and
   * everything else of it that acts, are refused from then on with an Error that says so.
   */
  close(): Promise<void>;
}

/** What an emulator is made of, once its settings are known. */
export interface EmulatorParts {
  config: Config;
  manifests: readonly ServiceManifest[];
  /** Services that exist besides, of which requests are told that this emulator is without them. */
  leftOut?: readonly ServiceManifest[];
  /** What the health route reports, and the data directory records. */
  version: string;
  /** By default one as the settings say. */
  log?: Logger;
  /** What its gateway is told of where it runs. */
  surroundings?: Pick<GatewayOptions, 'init' | 'afterReset' | 'container'>;
}

const CLOSED = 'the emulator is closed: close() was called, or the block of its "await using" has ended.';

/**
 * Starts an emulator from resolved settings, as the CLI and `createEmulator` do.
 * @throws Error naming the file, where the data directory cannot be used
 */
export async function startEmulator(parts: EmulatorParts): Promise<Emulator> {
  const { config, manifests, leftOut, version, log, surroundings } = parts;
  const { settings } = config;
  const { values } = settings;
  const logger = log ?? createLogger({ level: values.EMULATOR_LOG, format: values.EMULATOR_LOG_FORMAT });
  const storage = await openStorage(settings, version, logger);
  const kernel = new Kernel({ manifests, settings, log: logger, seed: values.EMULATOR_SEED, version, ...storage });
  // What goes on where it was left, as queues that functions read, may need to be reached at once.
  const gateway = createGateway(kernel, { version, ...(leftOut && { leftOut }), ...surroundings });
  try {
    await kernel.start();
  } catch (error) {
    // The data directory is free for others again.
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
      await kernel.close();
      await storage.close();
    })();
    return closing;
  };
  /** @throws Error where `close` was called: a client that outlives its emulator is to say so, not to hang or to forget. */
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
