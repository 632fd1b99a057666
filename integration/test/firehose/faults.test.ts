import { join } from 'node:path';
import { Firehose } from '@aws-sdk/client-firehose';
import { S3 } from '@aws-sdk/client-s3';
import { describeKill } from '@emu/gateway/testing';
import { manifest as firehoseManifest } from '@emu/svc-firehose/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { expect } from 'vitest';

const Bucket = 'work';
const DeliveryStreamName = 'work';
const MARK = -1;

// An accepted record is delivered at least once.
describeKill('Firehose', {
  manifests: [firehoseManifest, s3Manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const firehose = new Firehose(config);
    const s3 = new S3(config);
    const write = (piece: number) =>
      firehose.putRecord({ DeliveryStreamName, Record: { Data: Buffer.from(`${piece}\n`) } });
    const delivered = async (): Promise<number[]> => {
      const found: number[] = [];
      const { Contents = [] } = await s3.listObjectsV2({ Bucket });
      for (const { Key } of Contents) {
        const { Body } = await s3.getObject({ Bucket, Key: Key! });
        found.push(...(await Body!.transformToString()).trim().split('\n').map(Number));
      }
      return found;
    };
    return {
      prepare: async () => {
        await s3.createBucket({ Bucket });
        await firehose.createDeliveryStream({
          DeliveryStreamName,
          ExtendedS3DestinationConfiguration: {
            RoleARN: 'arn:aws:iam::123456789012:role/firehose',
            BucketARN: `arn:aws:s3:::${Bucket}`,
            BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 1 },
          },
        });
        const status = async () =>
          (await firehose.describeDeliveryStream({ DeliveryStreamName })).DeliveryStreamDescription!
            .DeliveryStreamStatus;
        await expect.poll(status).toBe('ACTIVE');
      },
      write,
      read: async () => {
        // The last record is delivered last.
        await write(MARK);
        await expect.poll(delivered, { timeout: 20_000 }).toContain(MARK);
        return [...new Set(await delivered())].filter((piece) => piece !== MARK);
      },
      destroy: () => {
        firehose.destroy();
        s3.destroy();
      },
    };
  },
});
