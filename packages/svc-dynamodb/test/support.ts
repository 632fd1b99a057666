import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { createTestEmulator, leavesNoTrace, type TestEmulator, type TestEmulatorOptions } from '@emu/gateway/testing';
import { manifest, streamsManifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** HTTP response of a request. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
}

/** Test environment of DynamoDB. */
export interface DynamoTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly db: DynamoDB;
  readonly streams: DynamoDBStreams;
  client(options?: { accessKeyId?: string; region?: string }): DynamoDB;
  /** Sends JSON unchanged, bypassing the SDK's validation. */
  send(operation: string, input: unknown): Promise<Answer>;
  /**
   * Returns the error message of a request that must fail without effect, with its code unless that is
   * `ValidationException`.
   */
  refusal(operation: string, input: unknown): Promise<string>;
  advance(seconds: number): Promise<void>;
}

/** Starts an emulator with DynamoDB and its streams, with a fixed clock by default. */
export async function startDynamo(options: TestEmulatorOptions = {}): Promise<DynamoTest> {
  const emulator = await createTestEmulator({
    settings: { accountId: ACCOUNT, region: REGION },
    ...options,
    manifests: [manifest, streamsManifest, ...(options.manifests ?? [])],
  });
  emulator.kernel.clock.freeze();
  const send = async (operation: string, input: unknown): Promise<Answer> => {
    const bytes = Buffer.from(typeof input === 'string' ? input : JSON.stringify(input));
    const { status, body } = await emulator.gateway.handle({
      method: 'POST',
      target: '/',
      headers: {
        host: 'localhost:4566',
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        authorization: `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/${REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: {
        bytes: async () => bytes,
        async *stream() {
          yield bytes;
        },
      },
      remoteAddress: undefined,
      localPort: undefined,
      secure: false,
      signal: () => new AbortController().signal,
    });
    return { status, json: JSON.parse(Buffer.from(body as Uint8Array).toString()) };
  };
  return {
    emulator,
    db: new DynamoDB(emulator.clientConfig()),
    streams: new DynamoDBStreams(emulator.clientConfig()),
    client: (where) => new DynamoDB(emulator.clientConfig(where)),
    send,
    refusal: async (operation, input) => {
      const { status, json } = await leavesNoTrace(emulator, `${operation} ${JSON.stringify(input)}`, () =>
        send(operation, input),
      );
      if (status < 400) throw new Error(`${operation} was not refused: ${JSON.stringify(json)}`);
      const code = String(json.__type).split('#').at(-1);
      const message = json.message ?? json.Message;
      return code === 'ValidationException' ? message : `${code}: ${message}`;
    },
    advance: (seconds) => emulator.kernel.clock.advance(seconds * 1000),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns the key schema and definitions for `name:type` texts. */
export function keys(hash: string, range?: string) {
  const parts = [hash, ...(range ? [range] : [])].map((text) => text.split(':') as [string, 'S' | 'N' | 'B']);
  return {
    KeySchema: parts.map(([AttributeName], at) => ({
      AttributeName,
      KeyType: at ? ('RANGE' as const) : ('HASH' as const),
    })),
    AttributeDefinitions: parts.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
  };
}

/** Creates an on-demand table. */
export async function makeTable(t: DynamoTest, TableName: string, hash = 'id:S', range?: string): Promise<void> {
  await t.db.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...keys(hash, range) });
}

/**
 * Creates the tables `tab` (key `a`, a string), `rng` (keys `a`, a string, and `b`, a number) and `idx` (same keys,
 * with a local index `lsi` on `d` and a global one `gsi` on `c` and `d`), and items `a` = `c` and `u` in `tab`.
 */
export async function makeIndexed(t: DynamoTest): Promise<void> {
  const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
  await t.db.createTable({ TableName: 'tab', ProvisionedThroughput, ...keys('a:S') });
  await t.db.createTable({ TableName: 'rng', ProvisionedThroughput, ...keys('a:S', 'b:N') });
  await t.db.createTable({
    TableName: 'idx',
    ProvisionedThroughput,
    KeySchema: keys('a:S', 'b:N').KeySchema,
    AttributeDefinitions: [...keys('a:S', 'b:N').AttributeDefinitions, ...keys('c:S', 'd:N').AttributeDefinitions],
    LocalSecondaryIndexes: [
      { IndexName: 'lsi', KeySchema: keys('a:S', 'd:N').KeySchema, Projection: { ProjectionType: 'KEYS_ONLY' } },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'gsi',
        KeySchema: keys('c:S', 'd:N').KeySchema,
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['e'] },
        ProvisionedThroughput,
      },
    ],
  });
  await t.db.putItem({ TableName: 'tab', Item: { a: { S: 'c' }, n: { N: '1' } } });
  await t.db.putItem({
    TableName: 'tab',
    Item: {
      a: { S: 'u' },
      n: { N: '5' },
      s: { S: 'x' },
      l: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] },
      m: { M: { x: { N: '1' }, y: { M: {} } } },
      ss: { SS: ['a', 'b'] },
      ns: { NS: ['1', '2'] },
    },
  });
}
