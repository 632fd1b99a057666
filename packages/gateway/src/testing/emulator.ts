import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '@emu/core';
import type { AnyServicePlugin, FileSystem, Logger, ServiceManifest } from '@emu/core/service';
import { collect } from '../body/payload.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { type InProcessHandler, inProcessHandler } from '../http/in-process.ts';
import type { GatewayOptions } from '../options.ts';

/** Options of a test emulator. */
export interface TestEmulatorOptions extends GatewayOptions {
  manifests?: readonly ServiceManifest[];
  /** Plugins without a manifest, which is made from their model. */
  plugins?: readonly AnyServicePlugin[];
  /** Opens a data directory: persistent mode. */
  dataPath?: string;
  /** The file system under `dataPath`, for tests of its failures. */
  fs?: FileSystem;
  /** Size in bytes from which a journal is folded into the snapshot. */
  foldSize?: number;
  /** Settings that differ from the defaults; functions run as processes by default. */
  settings?: Parameters<typeof defaultSettings>[0];
  /** Makes ids reproducible. */
  seed?: string;
  /** By default only errors are logged. */
  log?: Logger;
}

/** Configuration of an SDK v3 client of a test emulator. */
export interface TestClientConfig {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  requestHandler: InProcessHandler;
  maxAttempts: number;
}

/** Caller of a test client. A 12-digit access key id stands for that account. */
export interface TestClientOptions {
  accessKeyId?: string;
  secretAccessKey?: string;
  sessionToken?: string;
  region?: string;
}

/** An emulator inside the test's process, without sockets. */
export interface TestEmulator extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly gateway: Gateway;
  /** Configuration of an SDK v3 client: `new SQSClient(emulator.clientConfig())`. */
  clientConfig(options?: TestClientOptions): TestClientConfig;
  /**
   * Calls a control route, e.g. `control('POST', '/_reset')`, with JSON or the bytes of a file; `json` is undefined for a
   * response other than JSON.
   */
  control(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  close(): Promise<void>;
}

const HOST = 'localhost:4566';
/** Bytes of recently used bodies in memory, for a test emulator with a data directory. */
const BODY_CACHE_SIZE = 2 ** 28;
const running = new Set<TestEmulator>();

/** The test emulators of this process that are not closed. */
export const runningEmulators = (): Iterable<TestEmulator> => running;

/** Starts an emulator for a test. Close it, or declare it with `await using`. */
export async function createTestEmulator(options: TestEmulatorOptions = {}): Promise<TestEmulator> {
  // Functions run as processes on machines with and without a container engine.
  const values = { EMULATOR_LAMBDA_BACKEND: 'process' as const, ...options.settings?.values };
  const settings = defaultSettings({ ...options.settings, values });
  const log = options.log ?? createLogger({ level: 'error', format: 'text' });
  const { dataPath: path, fs, foldSize } = options;
  const persistence =
    path === undefined
      ? undefined
      : await openDiskPersistence({ path, sync: false, version: '0.0.0', log, fs, foldSize });
  const bodies = createBodyStores({
    log,
    fs,
    ...(persistence && {
      disk: { path: path!, sync: false, cacheSize: BODY_CACHE_SIZE, persistence },
    }),
  });
  const kernel = new Kernel({
    manifests: [...(options.manifests ?? []), ...(options.plugins ?? []).map(manifestOf)],
    settings,
    log,
    bodies: (service) => bodies.open(service),
    ...(persistence && { persistence }),
    ...(options.seed !== undefined && { seed: options.seed }),
  });
  const gateway = createGateway(kernel, options);
  await kernel.start();
  await kernel.resume();
  const requestHandler = inProcessHandler(gateway);
  const close = async (): Promise<void> => {
    running.delete(emulator);
    await kernel.close();
    await bodies.close();
  };
  const emulator: TestEmulator = {
    kernel,
    gateway,
    clientConfig: (client = {}) => ({
      endpoint: `http://${HOST}`,
      region: client.region ?? settings.region,
      credentials: {
        accessKeyId: client.accessKeyId ?? 'test',
        secretAccessKey: client.secretAccessKey ?? 'test',
        ...(client.sessionToken !== undefined && { sessionToken: client.sessionToken }),
      },
      requestHandler,
      maxAttempts: 1,
    }),
    control: (method, path, body) => callControl(gateway, method, path, body),
    close,
    [Symbol.asyncDispose]: close,
  };
  running.add(emulator);
  return emulator;
}

/** Makes the manifest of a plugin from its model. */
export function manifestOf(plugin: AnyServicePlugin): ServiceManifest {
  const { signingName, endpointPrefix, targetPrefix, apiVersion } = plugin.model.metadata;
  return {
    name: plugin.name,
    signingNames: [signingName],
    hostNames: [endpointPrefix],
    ...(targetPrefix !== undefined && { targetPrefixes: [targetPrefix] }),
    queryVersions: [apiVersion],
    ...(plugin.provides && { provides: plugin.provides.map(({ capability }) => capability) }),
    load: async () => plugin,
  };
}

async function callControl(
  gateway: Gateway,
  method: string,
  path: string,
  body: unknown,
): Promise<{ status: number; json: unknown }> {
  const isFile = body instanceof Uint8Array;
  const bytes = isFile ? body : body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body));
  const response = await gateway.handle({
    method,
    target: path,
    headers: { host: HOST, ...(body !== undefined && !isFile && { 'content-type': 'application/json' }) },
    body: { bytes: async () => bytes, stream: () => streamOf(bytes) },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  });
  const text =
    typeof response.body === 'string'
      ? response.body
      : Buffer.from(
          response.body instanceof Uint8Array ? response.body : await collect(response.body, Number.POSITIVE_INFINITY),
        ).toString();
  return { status: response.status, json: parseJson(text) };
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
