import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { createLogger } from '@emu/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'bucket';
const MIB = 1024 * 1024;
const WHOLE = Buffer.alloc(300_000, 'whole');
const PARTS = [Buffer.alloc(5 * MIB, 'one'), Buffer.from('two')];

let dataPath: string;
beforeAll(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'emu-test-'));
});
afterAll(() => rm(dataPath, { recursive: true }));

const fileOf = (body: Buffer): string => {
  const id = createHash('sha256').update(body).digest('hex');
  return join(dataPath, 's3', 'bodies', id.slice(0, 2), id);
};

async function start() {
  const lines: string[] = [];
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void lines.push(line) });
  return Object.assign(await s3Emulator({ dataPath, log }), { lines });
}

/** Damages a file, like a disk error. */
const DAMAGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'a flipped byte': async (path) => {
    const bytes = await readFile(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(path, bytes);
  },
  truncation: (path) => truncate(path, 2),
  'emptying the file': (path) => truncate(path, 0),
  'additional bytes': (path) => appendFile(path, 'x'),
  'a missing file': (path) => unlink(path),
};

describe.each(Object.keys(DAMAGES))('an object damaged by %s', (damage) => {
  it('fails every read, HEAD and copy; other objects are intact', async () => {
    {
      await using env = await start();
      const { s3 } = env;
      await s3.send(new CreateBucketCommand({ Bucket }));
      await s3.send(new PutObjectCommand({ Bucket, Key: 'damaged', Body: WHOLE }));
      await s3.send(new PutObjectCommand({ Bucket, Key: 'whole', Body: 'another' }));
      const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }));
      const Parts = [];
      for (const [at, Body] of PARTS.entries()) {
        const { ETag } = await s3.send(
          new UploadPartCommand({ Bucket, Key: 'parts', UploadId, PartNumber: at + 1, Body }),
        );
        Parts.push({ PartNumber: at + 1, ETag });
      }
      await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key: 'parts', UploadId, MultipartUpload: { Parts } }));
    }
    for (const body of [WHOLE, PARTS[1]!]) await DAMAGES[damage]!(fileOf(body));

    await using env = await start();
    const { s3, lines } = env;
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'copy' }));
    for (const Key of ['damaged', 'parts']) {
      const CopySource = `${Bucket}/${Key}`;
      const calls = [
        s3.send(new GetObjectCommand({ Bucket, Key })),
        s3.send(new GetObjectCommand({ Bucket, Key, Range: 'bytes=0-1' })).then(async ({ Body }) => {
          // The first part of the two-part object is intact.
          if (Key === 'parts' && (await Body!.transformToString()) === 'on') throw new Error('is whole');
        }),
        s3.send(new HeadObjectCommand({ Bucket, Key })),
        s3.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource })),
        s3.send(new UploadPartCopyCommand({ Bucket, Key: 'copy', UploadId, PartNumber: 1, CopySource })),
      ];
      const errors = await Promise.all(calls.map((call) => errorOf(call)));
      const wrong = errors.map(({ message, $metadata }) =>
        message === 'is whole' ? message : `${$metadata?.httpStatusCode} ${message}`,
      );
      const path = fileOf(Key === 'parts' ? PARTS[1]! : WHOLE);
      const expected = `500 The stored content is damaged: ${path} ${damage === 'a missing file' ? 'is missing' : 'does not hold what was written'}.`;
      expect(wrong).toEqual([
        expected,
        Key === 'parts' ? 'is whole' : expected,
        // A HEAD response has no body.
        expect.stringMatching(/^500 /),
        expected,
        expected,
      ]);
      expect(errors[0]!.name).toBe('InternalError');
      expect(lines.filter((line) => line.includes(`a stored body is lost: ${path}`))).toHaveLength(1);
    }
    expect((await errorOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'copy' })))).$metadata.httpStatusCode).toBe(404);
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'whole' }));
    expect(await Body!.transformToString()).toBe('another');

    // A new write repairs all objects with the same content.
    await s3.send(new PutObjectCommand({ Bucket, Key: 'again', Body: WHOLE }));
    const mended = await s3.send(new GetObjectCommand({ Bucket, Key: 'damaged' }));
    expect(Buffer.from(await mended.Body!.transformToByteArray()).equals(WHOLE)).toBe(true);
    await s3.send(new HeadObjectCommand({ Bucket, Key: 'damaged' }));
  });
});

it('detects damage after an earlier read', async () => {
  await using env = await start();
  const { s3 } = env;
  const read = async (): Promise<string> =>
    (await s3.send(new GetObjectCommand({ Bucket, Key: 'whole' }))).Body!.transformToString();
  expect(await read()).toBe('another');
  await s3.send(new HeadObjectCommand({ Bucket, Key: 'whole' }));
  await writeFile(fileOf(Buffer.from('another')), 'an other');
  expect((await errorOf(read())).$metadata.httpStatusCode).toBe(500);
  expect((await errorOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'whole' })))).$metadata.httpStatusCode).toBe(500);
});
