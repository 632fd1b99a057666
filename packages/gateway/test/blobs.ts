import { createHash } from 'node:crypto';
import { type AnyServicePlugin, definePlugin, type OperationContext } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** A fictitious REST service whose bodies stream. */
const model: ServiceModel = {
  service: 'blobs',
  source: { botocore: '0', path: 'none' },
  metadata: {
    apiVersion: '2020-02-02',
    endpointPrefix: 'blobs',
    signingName: 'blobs',
    serviceId: 'Blobs',
    protocols: ['restJson1'],
  },
  operations: {
    PutBlob: {
      http: { method: 'PUT', uri: '/blobs/{Name}' },
      input: { shape: 'PutBlobInput' },
      output: { shape: 'PutBlobOutput' },
    },
    GetBlob: {
      http: { method: 'GET', uri: '/blobs/{Name}' },
      input: { shape: 'GetBlobInput' },
      output: { shape: 'GetBlobOutput' },
    },
  },
  shapes: {
    PutBlobInput: {
      type: 'structure',
      members: {
        Name: { shape: 'Text', location: 'uri', locationName: 'Name' },
        Body: { shape: 'Body', streaming: true },
      },
      required: ['Name'],
      payload: 'Body',
    },
    PutBlobOutput: {
      type: 'structure',
      members: { Size: { shape: 'Long' }, Hash: { shape: 'Text' }, Checksum: { shape: 'Text' } },
    },
    GetBlobInput: {
      type: 'structure',
      members: { Name: { shape: 'Text', location: 'uri', locationName: 'Name' } },
      required: ['Name'],
    },
    GetBlobOutput: { type: 'structure', members: { Body: { shape: 'Body', streaming: true } }, payload: 'Body' },
    Text: { type: 'string' },
    Long: { type: 'long' },
    Body: { type: 'blob', streaming: true },
  },
};

interface BlobOperations {
  PutBlob: {
    input: { Name: string; Body?: AsyncIterable<Uint8Array> };
    output: { Size: number; Hash: string; Checksum: string | undefined };
  };
  GetBlob: { input: { Name: string }; output: { Body: AsyncIterable<Uint8Array> } };
}

/** Number of chunks that `GetBlob` has made so far, and of its streams that have ended in any way. */
export const produced = { chunks: 0, ended: 0 };

/** Returns a body with as many chunks as its name says; `broken` fails after the first. */
async function* bodyOf(name: string): AsyncGenerator<Uint8Array> {
  try {
    const count = name === 'broken' ? Number.POSITIVE_INFINITY : Number(name);
    for (let index = 0; index < count; index++) {
      if (name === 'broken' && index > 0) throw new Error('the source broke');
      produced.chunks++;
      yield CHUNK;
    }
  } finally {
    produced.ended++;
  }
}

async function putBlob({ Body }: BlobOperations['PutBlob']['input'], ctx: OperationContext<undefined>) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of Body ?? []) {
    hash.update(chunk);
    size += chunk.length;
  }
  // Checksums in trailers are available at the end of the body.
  const checksum = ctx.http?.headers['x-amz-checksum-crc32'];
  return { Size: size, Hash: hash.digest('hex'), Checksum: typeof checksum === 'string' ? checksum : undefined };
}

export const blobsPlugin: AnyServicePlugin = definePlugin<BlobOperations, undefined>({
  name: 'blobs',
  model,
  stateScope: 'global',
  collections: [],
  operations: [{ PutBlob: putBlob, GetBlob: ({ Name }) => ({ Body: bodyOf(Name) }) }],
});
