import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { describeFaults } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const Bucket = 'work';

describeFaults('S3', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  storesBodies: true,
  connect: (config) => {
    const s3 = new S3Client(config);
    return {
      prepare: async () => {
        await s3.send(new CreateBucketCommand({ Bucket }));
      },
      write: (piece) => s3.send(new PutObjectCommand({ Bucket, Key: String(piece), Body: `body of ${piece}` })),
      read: async () => {
        const found: number[] = [];
        let token: string | undefined;
        do {
          const page = await s3.send(new ListObjectsV2Command({ Bucket, ContinuationToken: token }));
          for (const { Key } of page.Contents ?? []) {
            const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
            if ((await Body!.transformToString()) === `body of ${Key}`) found.push(Number(Key));
          }
          token = page.NextContinuationToken;
        } while (token);
        return found;
      },
      destroy: () => s3.destroy(),
    };
  },
});
