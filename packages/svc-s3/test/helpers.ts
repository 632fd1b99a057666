import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import {
  createTestEmulator,
  refusal,
  sendRaw as send,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** An emulator with only S3, and a client. */
export async function s3Emulator(
  options: Partial<TestEmulatorOptions> & {
    client?: Partial<S3ClientConfig>;
    others?: TestEmulatorOptions['manifests'];
  } = {},
): Promise<{ emulator: TestEmulator; s3: S3Client; [Symbol.asyncDispose](): Promise<void> }> {
  const { client, others = [], ...rest } = options;
  const emulator = await createTestEmulator({ manifests: [manifest, ...others], ...rest });
  const s3 = new S3Client({ ...emulator.clientConfig(), ...client });
  return { emulator, s3, [Symbol.asyncDispose]: () => emulator.close() };
}

/**
 * Error of an SDK call without side effects; fails if it succeeds.
 * @param of `rejection` for calls with side effects
 */
export async function errorOf(
  promise: Promise<unknown>,
  of = refusal,
): Promise<Error & { Code?: string; $metadata: { httpStatusCode?: number } }> {
  return (await of(promise)) as Error & { $metadata: { httpStatusCode?: number } };
}

/** Authorization header for requests whose signature is not verified. */
export const SIGNED = {
  authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0',
};

/**
 * Sends a raw request to S3's host, signed by the default account.
 * @param chunks body chunks
 */
export async function sendRaw(
  emulator: TestEmulator,
  method: string,
  target: string,
  headers: Record<string, string>,
  chunks: readonly (string | Uint8Array)[] = [],
): Promise<{ status: number; code: string | undefined; text: string }> {
  const toS3 = { host: 's3.us-east-1.amazonaws.com', ...SIGNED, ...headers };
  const { status, text } = await send(emulator, { method, target, headers: toS3, chunks });
  return { status, code: /<Code>(\w+)<\/Code>/.exec(text)?.[1], text };
}

/** Returns the error of a call. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const { name, message } = await errorOf(promise);
  return `${name}: ${message}`;
}
