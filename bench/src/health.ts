import { Worker } from 'node:worker_threads';
import { call, type Server } from './processes.ts';
import { dynamodb } from './requests.ts';

/** Latency of emu's health route during some work. */
export interface HealthFigure {
  /** Name of the work. */
  during: string;
  /** Its duration in seconds. */
  seconds: number;
  /** Latency of the health route in milliseconds. */
  p50: number;
  p99: number;
  max: number;
  /** Limit of the 99th percentile in milliseconds; undefined without a target. */
  limit: number | undefined;
}

/** Interval of requests in milliseconds. */
const EVERY = 5;
/** Limit of the health route's latency in milliseconds. */
const LIMIT = 50;
/** Number of items that are restored, indexed and expire. */
const ITEMS = 100_000;
const BATCH = 25;
const SENDERS = 8;
const DAY = 86_400;

/** Measures emu's health route during some work. */
export async function healthWhile(
  { url }: Pick<Server, 'url'>,
  during: string,
  work: () => Promise<unknown>,
  excepted = false,
): Promise<HealthFigure> {
  const worker = new Worker(new URL('./health-probe.mjs', import.meta.url), { workerData: { url, every: EVERY } });
  const answered = new Promise<number[]>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await new Promise((resolve) => worker.once('online', resolve));
  const start = performance.now();
  try {
    await work();
  } finally {
    worker.postMessage('end');
  }
  const seconds = (performance.now() - start) / 1000;
  const latencies = (await answered).sort((a, b) => a - b);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
  return { during, seconds, p50: at(0.5), p99: at(0.99), max: latencies.at(-1)!, limit: excepted ? undefined : LIMIT };
}

/** Figures of large work: 100,000 items restored, indexed and expired; thirty days; the largest body. */
export async function healthFigures(emu: Server): Promise<HealthFigure[]> {
  const figures: HealthFigure[] = [];
  const measure = async (during: string, work: () => Promise<unknown>, excepted = false): Promise<void> => {
    figures.push(await healthWhile(emu, during, work, excepted));
  };
  const ask = (operation: string, input: Record<string, unknown>) => call(emu, dynamodb(operation, input));
  await ask('CreateTable', {
    TableName: 'health',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  await ask('UpdateTimeToLive', {
    TableName: 'health',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  });
  const expires = Math.floor(Date.now() / 1000) + 10 * DAY;
  await measure(`${ITEMS} items are written`, () => writeItems(emu, expires), true);
  const { BackupDetails } = (await ask('CreateBackup', { TableName: 'health', BackupName: 'health' })) as {
    BackupDetails: { BackupArn: string };
  };
  await measure(`${ITEMS} items are restored`, () =>
    ask('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn: BackupDetails.BackupArn }),
  );
  await measure('an index is backfilled', () =>
    ask('UpdateTable', {
      TableName: 'health',
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'group', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'groups',
            KeySchema: [
              { AttributeName: 'group', KeyType: 'HASH' },
              { AttributeName: 'id', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    }),
  );
  await measure(`the clock passes 30 days, ${ITEMS} items expire`, () =>
    call(emu, {
      path: '/_emulator/clock',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: '30d' }),
    }),
  );
  await measure('a table is deleted', () => ask('DeleteTable', { TableName: 'restored' }));
  await measure('a JSON body of 16 MB is refused', () => refused(emu), true);
  return figures;
}

async function writeItems(emu: Server, expires: number): Promise<void> {
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < ITEMS) {
      const first = next;
      next += BATCH;
      const put = (index: number) => ({
        PutRequest: {
          Item: {
            id: { S: `item-${index}` },
            group: { S: `group-${index % 100}` },
            expires: { N: String(expires + (index % 1000)) },
            text: { S: 'x'.repeat(100) },
          },
        },
      });
      const health = Array.from({ length: BATCH }, (_, offset) => put(first + offset));
      await call(emu, dynamodb('BatchWriteItem', { RequestItems: { health } }));
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}

/**
 * Sends the maximum number of attributes that DynamoDB accepts in bytes, all of which it decodes before rejecting the
 * item as too large.
 */
async function refused(emu: Server): Promise<void> {
  const attributes = Array.from({ length: 900_000 }, (_, index) => `"${index.toString(36)}":{"S":""}`).join(',');
  const { headers } = dynamodb('PutItem', {});
  const body = `{"TableName":"health","Item":{${attributes}}}`;
  const response = await fetch(emu.url, { method: 'POST', headers, body });
  if (response.status !== 400) throw new Error(`an item of ${body.length} bytes was answered ${response.status}`);
}
