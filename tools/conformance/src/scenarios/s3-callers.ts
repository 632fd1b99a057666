import * as sdk from '@aws-sdk/client-s3';
import type { EmbeddedEmulator } from '@emu/emulator';
import type { Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

/** An account that owns no bucket. */
const STRANGER = '000000000002';

/**
 * Options for sending a request that are not part of its input: by another account, unsigned, with a damaged document
 * checksum, or with the customer key digest of the input, which the SDK otherwise computes.
 */
export type Via = 'stranger' | 'nobody' | 'damaged' | 'own digests';

/** An input with such options. */
export const via = (how: Via, input: Record<string, unknown>): Record<string, unknown> => ({ ...input, Via: how });

interface SignedRequest {
  headers: Record<string, string>;
}

/** Replaces the first character of a checksum. */
const damage = (value: string): string => (value.startsWith('A') ? 'B' : 'A') + value.slice(1);

/** Damages the checksum of a document, for any algorithm. */
function damageChecksums(client: sdk.S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as SignedRequest;
      for (const [name, value] of Object.entries(headers))
        if (/^x-amz-checksum-(?!algorithm|type)/.test(name)) headers[name] = damage(value);
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
}

/** Sends requests with any of these options. */
export function callers(emulator: EmbeddedEmulator): Send {
  const client = (options: sdk.S3ClientConfig, accountId?: string): sdk.S3Client =>
    new sdk.S3Client({
      ...emulator.clientConfig(accountId === undefined ? {} : { accountId }),
      maxAttempts: 1,
      // Requested checksums are in the input only.
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...options,
    });
  const send = (one: sdk.S3Client): Send => sender(one as never, sdk);
  const damaged = client({});
  damageChecksums(damaged);
  const ownDigests = client({});
  ownDigests.middlewareStack.remove('ssecMiddleware');
  const ways: Readonly<Record<Via, Send>> = {
    stranger: send(client({}, STRANGER)),
    nobody: send(client({ signer: { sign: (request) => Promise.resolve(request) } })),
    damaged: send(damaged),
    'own digests': send(ownDigests),
  };
  const general = send(client({}));
  const directory = send(client({ disableS3ExpressSessionAuth: true }));
  return (operation, { Via: how, ...input }) => {
    if (how !== undefined) return ways[how as Via](operation, input);
    return (String(input.Bucket).endsWith('--x-s3') ? directory : general)(operation, input);
  };
}
