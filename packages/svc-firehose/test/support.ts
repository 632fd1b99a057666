import { type ExtendedS3DestinationConfiguration, Firehose } from '@aws-sdk/client-firehose';
import type { ServiceManifest } from '@emu/core/service';
import { createTestEmulator, fakeService, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/firehose`;
export const BUCKET = 'arn:aws:s3:::bucket';
export const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:transform`;
/** ARN of a delivery stream in the default account and region. */
export const arnOf = (name: string): string => `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/${name}`;

/** A written object. */
export interface WrittenObject {
  Bucket: string;
  Key: string;
  Body: Buffer;
  ServerSideEncryption?: string;
  SSEKMSKeyId?: string;
}

/** Fixture of Firehose tests. Time stands still unless the test advances it; streams are active at once. */
export interface FirehoseTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly firehose: Firehose;
  /** Objects written to buckets, in order. */
  readonly objects: WrittenObject[];
  /** Error that S3 returns instead of storing objects. */
  refuse: Error | undefined;
  /** Creates a delivery stream to a bucket. */
  stream(name: string, more?: Partial<ExtendedS3DestinationConfiguration>): Promise<void>;
  put(name: string, ...texts: string[]): Promise<void>;
  /** Advances the clock by seconds, running due timers. */
  advance(seconds: number): Promise<void>;
  /** Texts of the objects of a delivery stream or prefix. */
  texts(part: string): string[];
}

/** Starts an emulator with Firehose, a single bucket, and optional further services. */
export async function startFirehose(manifests: readonly ServiceManifest[] = []): Promise<FirehoseTest> {
  const objects: WrittenObject[] = [];
  const s3 = fakeService('s3', {
    PutObject: (input) => {
      if (t.refuse) throw t.refuse;
      objects.push({ ...input, Body: Buffer.from(input.Body as Uint8Array) } as WrittenObject);
      return {};
    },
  });
  const emulator = await createTestEmulator({
    manifests: [manifest, s3, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION },
  });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.set(Date.UTC(2030, 1, 3, 4, 5, 6));
  const firehose = new Firehose(emulator.clientConfig());
  const t: FirehoseTest = {
    emulator,
    firehose,
    objects,
    refuse: undefined,
    stream: async (DeliveryStreamName, more) => {
      const config = { RoleARN: ROLE, BucketARN: BUCKET, ...more };
      await firehose.createDeliveryStream({ DeliveryStreamName, ExtendedS3DestinationConfiguration: config });
    },
    put: async (DeliveryStreamName, ...texts) => {
      await firehose.putRecordBatch({
        DeliveryStreamName,
        Records: texts.map((text) => ({ Data: Buffer.from(text) })),
      });
    },
    advance: (seconds) => emulator.kernel.clock.advance(seconds * 1000),
    texts: (part) => objects.filter(({ Key }) => Key.includes(part)).map(({ Body }) => Body.toString()),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
  return t;
}

/** Code and message of a request that must fail without side effects, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
