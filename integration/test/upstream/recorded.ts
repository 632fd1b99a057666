import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, defaultSettings } from '@emu/core';
import type { ServiceManifest } from '@emu/core/service';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { Masker, RecordingWriter, type RequestRecord } from '@emu/recording';
import { AwsServices, type CredentialProvider, RecordProxy } from '@emu/upstream';

/** Options of a test with a recording. */
export interface RecordedOptions {
  readonly manifests: readonly ServiceManifest[];
  readonly keepValues?: boolean;
  readonly readOnly?: boolean;
  /** Another server in the place of the emulator. */
  readonly url?: URL;
}

/** An emulator that verifies signatures, in the place of AWS, and a proxy that records requests to it. */
export interface Recorded extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly proxy: RecordProxy;
  /** URL of the proxy. */
  readonly url: string;
  /** URL of the emulator. */
  readonly upstream: string;
  /** Configuration of an SDK client of the proxy, which has no credentials of the emulator. */
  readonly config: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } };
  /** Completes the recording, and returns its records. */
  records(): Promise<RequestRecord[]>;
  /** Text of the recording so far. */
  text(): Promise<string>;
}

let services: Promise<AwsServices> | undefined;

/** Starts an emulator and a proxy in front of it. */
export async function recorded({
  manifests,
  keepValues = false,
  readOnly = false,
  url: other,
}: RecordedOptions): Promise<Recorded> {
  const emulator = await createTestEmulator({ manifests, verifySigv4: true });
  const listener = await emulator.gateway.listen();
  const { json } = await emulator.control('POST', '/_emulator/iam/create-admin', {
    accountId: '123456789012',
    userName: 'admin',
  });
  const key = json as { accessKeyId: string; secretAccessKey: string };
  const credentials: CredentialProvider = async () => key;
  const directory = await mkdtemp(join(tmpdir(), 'emu-record-'));
  const path = join(directory, 'recording.jsonl');
  const masker = new Masker(keepValues);
  masker.addSecret(key.secretAccessKey);
  const header = {
    recording: 1,
    startedAt: new Date().toISOString(),
    upstream: listener.url,
    region: 'eu-west-1',
  } as const;
  const writer = await RecordingWriter.create(path, { ...header, masked: !keepValues });
  services ??= AwsServices.load();
  const proxy = new RecordProxy({
    manifests,
    services: await services,
    settings: defaultSettings(),
    log: createLogger({ level: 'error', format: 'text' }),
    credentials,
    endpoints: { fips: false, dualStack: false },
    url: other ?? new URL(listener.url),
    region: 'eu-west-1',
    masker,
    writer,
    readOnly,
  });
  const url = await proxy.listen();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= proxy.close().then(() => writer.close());
    return closed;
  };
  const text = (): Promise<string> => readFile(path, 'utf8');
  return {
    emulator,
    proxy,
    url,
    upstream: listener.url,
    config: { endpoint: url, region: 'eu-west-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } },
    text,
    async records() {
      await close();
      const [, ...lines] = (await text()).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line) as RequestRecord).sort((a, b) => a.n - b.n);
    },
    async [Symbol.asyncDispose]() {
      await close();
      await listener.close();
      await emulator.close();
      await rm(directory, { recursive: true });
    },
  };
}
