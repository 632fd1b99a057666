import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { createTestEmulator, type TestEmulator, type TestEmulatorOptions } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** An emulator with S3 alone, and a client of it. */
export async function s3Emulator(
  options: Partial<TestEmulatorOptions> & {
    client?: Partial<S3ClientConfig>;
    others?: TestEmulatorOptions['manifests'];
  } = {},
): Promise<{ emulator: TestEmulator; s3: S3Client; [Symbol.asyncDispose](): Promise<void> }> {
  const { client, others = [], ...rest } = options;
  const emulator = await createTestEmulator({ manifests: [manifest, ...others], ...rest });
  const s3 = new S3Client({ ...emulator.clientConfig(), forcePathStyle: true, ...client });
  return { emulator, s3, [Symbol.asyncDispose]: () => emulator.close() };
}

/** What an SDK call rejects with; fails where it does not. */
export async function errorOf(
  promise: Promise<unknown>,
): Promise<Error & { Code?: string; $metadata: { httpStatusCode?: number } }> {
  try {
    await promise;
  } catch (error) {
    return error as Error & { $metadata: { httpStatusCode?: number } };
  }
  throw new Error('the call did not fail');
}

/** Sends what no SDK would. @param chunks the body, as it comes in */
export async function sendRaw(
  emulator: TestEmulator,
  method: string,
  target: string,
  headers: Record<string, string>,
  chunks: readonly (string | Uint8Array)[] = [],
): Promise<{ status: number; code: string | undefined; text: string }> {
  const bytes = chunks.map((chunk) => Buffer.from(chunk));
  const response = await emulator.gateway.handle({
    method,
    target,
    headers: { host: 's3.us-east-1.amazonaws.com', ...headers },
    body: {
      bytes: async () => Buffer.concat(bytes),
      stream: async function* () {
        yield* bytes;
      },
    },
    remoteAddress: '127.0.0.1',
    localPort: 4566,
    secure: false,
    signal: () => new AbortController().signal,
  });
  let text = '';
  if (typeof response.body === 'string') text = response.body;
  else if (response.body instanceof Uint8Array) text = Buffer.from(response.body).toString();
  else for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  return { status: response.status, code: /<Code>(\w+)<\/Code>/.exec(text)?.[1], text };
}
