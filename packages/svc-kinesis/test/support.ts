import { Kinesis } from '@aws-sdk/client-kinesis';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Fixture of Kinesis tests. Time stands still unless the test advances it; streams are active at once. */
export interface KinesisTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** The default account and region. */
  readonly kinesis: Kinesis;
  client(options?: TestClientOptions): Kinesis;
  /**
   * Creates a stream.
   * @returns its ARN
   */
  stream(name: string, shards?: number): Promise<string>;
  /** Puts texts under one partition key each, or a common one. */
  put(StreamName: string, texts: readonly string[], PartitionKey?: string): Promise<void>;
  /** Returns an iterator. */
  iterator(StreamName: string, shard: number, more?: object): Promise<string>;
  /** Texts of a shard from its start. */
  texts(StreamName: string, shard: number): Promise<string[]>;
  /** Ids of the open shards. */
  open(StreamName: string): Promise<string[]>;
  /** Advances the clock by milliseconds, running due timers. */
  advance(milliseconds: number): Promise<void>;
}

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const HOUR = 3_600_000;

/** ARN of a stream in the default account and region. */
export const arnOf = (name: string): string => `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/${name}`;
/** Id of a shard. */
export const shard = (index: number): string => `shardId-${String(index).padStart(12, '0')}`;
export const textOf = (data: Uint8Array | undefined): string => Buffer.from(data!).toString();

/** Starts an emulator with Kinesis and optional further services. */
export async function startKinesis({
  manifests = [],
  latency = 0,
  ...options
}: TestEmulatorOptions & { latency?: number } = {}): Promise<KinesisTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_KINESIS_LATENCY: latency } },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new Kinesis(emulator.clientConfig(options));
  const kinesis = client();
  const iterator = async (StreamName: string, index: number, more: object = {}) => {
    const input = { StreamName, ShardId: shard(index), ShardIteratorType: 'TRIM_HORIZON' as const, ...more };
    return (await kinesis.getShardIterator(input)).ShardIterator!;
  };
  return {
    emulator,
    kinesis,
    client,
    stream: async (StreamName, ShardCount = 1) => {
      await kinesis.createStream({ StreamName, ShardCount });
      return arnOf(StreamName);
    },
    put: async (StreamName, texts, PartitionKey) => {
      const Records = texts.map((text) => ({ Data: Buffer.from(text), PartitionKey: PartitionKey ?? text }));
      await kinesis.putRecords({ StreamName, Records });
    },
    iterator,
    texts: async (StreamName, index) => {
      const { Records } = await kinesis.getRecords({ ShardIterator: await iterator(StreamName, index) });
      return Records!.map(({ Data }) => textOf(Data));
    },
    open: async (StreamName) => {
      const { Shards } = await kinesis.listShards({ StreamName, ShardFilter: { Type: 'AT_LATEST' } });
      return Shards!.map(({ ShardId }) => ShardId!);
    },
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Code and message of a request that must fail without side effects, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
