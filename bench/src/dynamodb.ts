import { bytesPerChange } from './change-bytes.ts';
import { type Benchmark, besideBare, compareLoad, type Prepare, withServers } from './compare.ts';
import { alternate } from './measure.ts';
import { call, type LoadRequest, type Server, startDynalite, startEmu } from './processes.ts';
import { dynamodb } from './requests.ts';

const TableName = 'bench';
const TEXT = 'x'.repeat(150);
const itemOf = (pk: string, sk: string) => ({
  pk: { S: pk },
  sk: { S: sk },
  text: { S: TEXT },
  count: { N: '7' },
});
const ITEM = itemOf('order', '1');
const SHAPE = {
  TableName,
  AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
};
const PUT = dynamodb('PutItem', { TableName, Item: ITEM });
const GET = dynamodb('GetItem', { TableName, Key: { pk: ITEM.pk, sk: ITEM.sk } });

/** Creates the table with one item in the first round. */
const prepared = (request: LoadRequest) => (): Prepare => {
  let made = false;
  return async (server) => {
    if (!made) {
      await call(server, dynamodb('CreateTable', SHAPE));
      // Other servers need some time until the table is active.
      for (let status = ''; status !== 'ACTIVE'; ) {
        const { Table } = (await call(server, dynamodb('DescribeTable', { TableName }))) as {
          Table?: { TableStatus: string };
        };
        status = Table?.TableStatus ?? 'ACTIVE';
      }
      await call(server, PUT);
    }
    made = true;
    return [request];
  };
};

/** Reads an item repeatedly. */
export const getItem: () => Prepare = prepared(GET);

/** Requests per second compared with dynalite. */
const besideDynalite =
  (name: string, request: LoadRequest): Benchmark =>
  (effort) =>
    withServers([startEmu(), startDynalite()], async (emu, dynalite) => {
      const prepare = prepared(request);
      const figures = await compareLoad(effort, [emu!, prepare()], [dynalite!, prepare()]);
      return [{ name: `${name} beside dynalite`, unit: 'req/s', target: { atLeast: 1.5 }, ...figures }];
    });

const both =
  (...benchmarks: Benchmark[]): Benchmark =>
  async (effort) => {
    const figures = [];
    for (const benchmark of benchmarks) figures.push(...(await benchmark(effort)));
    return figures;
  };

/** Writes items of a partition, 25 at a time. */
async function fillPartition(server: Server, pk: string, items: number): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < items) {
      const from = next;
      next += 25;
      const puts = Array.from({ length: Math.min(25, items - from) }, (_, n) => ({
        PutRequest: { Item: itemOf(pk, String(from + n).padStart(9, '0')) },
      }));
      await call(server, dynamodb('BatchWriteItem', { RequestItems: { [TableName]: puts } }));
    }
  };
  await Promise.all(Array.from({ length: 16 }, writer));
}

const PARTITION = 100_000;
const QUERY = dynamodb('Query', {
  TableName,
  KeyConditionExpression: 'pk = :pk AND sk > :sk',
  ExpressionAttributeValues: { ':pk': { S: 'mine' }, ':sk': { S: '000050000' } },
  Limit: 100,
});

/** A page of a large partition, in a table that contains nothing else and in one several times larger. */
const query: Benchmark = (effort) =>
  withServers([startEmu(), startEmu()], async (large, small) => {
    for (const [server, others] of [
      [large!, effort.messages],
      [small!, 0],
    ] as const) {
      await call(server, dynamodb('CreateTable', SHAPE));
      await fillPartition(server, 'mine', PARTITION);
      for (let n = 0; n < others; n += PARTITION) await fillPartition(server, `other-${n}`, PARTITION);
    }
    const figures = await compareLoad(effort, [large!, async () => [QUERY]], [small!, async () => [QUERY]]);
    const total = (PARTITION + effort.messages).toLocaleString('en-US');
    const name = `DynamoDB Query of 100 items of a partition of 100,000, in a table of ${total} items beside one of 100,000`;
    return [{ name, unit: 'req/s', target: { atLeast: 0.8 }, ...figures }];
  });

const MILLION = 1_000_000;
const GIGABYTE = 1000 ** 3;

/** Resident memory with a million items of about 200 bytes, compared with a gigabyte. */
const memory: Benchmark = () =>
  withServers([startEmu()], async (emu) => {
    await call(emu!, dynamodb('CreateTable', SHAPE));
    for (let n = 0; n < 100; n++) await fillPartition(emu!, `p${n}`, MILLION / 100);
    const resident = emu!.memory() / 1e6;
    const name = 'resident memory with 1,000,000 DynamoDB items of 200 bytes, beside 1 GB';
    const reference = GIGABYTE / 1e6;
    return [
      { name, unit: 'MB', target: { atMost: 1 }, value: resident, reference, ratio: resident / reference, rounds: 1 },
    ];
  });

const bytesOf = (items: number): Promise<number> =>
  bytesPerChange(async (emu) => {
    await call(emu, dynamodb('CreateTable', SHAPE));
    await fillPartition(emu, 'p', items);
    // Putting an identical item is no change, so each item differs.
    return (change) => dynamodb('PutItem', { TableName, Item: itemOf('new', String(change)) });
  });

/** Journal bytes of one PutItem, independent of the table's size. */
const changeSize: Benchmark = async (effort) => {
  const figure = await alternate(
    1,
    () => bytesOf(effort.messages),
    () => bytesOf(1000),
  );
  const name = `bytes written by one PutItem, with ${effort.messages.toLocaleString('en-US')} items beside 1,000`;
  return [{ name, unit: 'bytes', target: { atMost: 1.1 }, ...figure }];
};

/** Benchmarks of DynamoDB. */
export const dynamodbBenchmarks: Readonly<Record<string, Benchmark>> = {
  'dynamodb-put': both(besideBare('DynamoDB PutItem', '{}', prepared(PUT), 0.55), besideDynalite('PutItem', PUT)),
  'dynamodb-get': both(
    besideBare('DynamoDB GetItem', JSON.stringify({ Item: ITEM }), prepared(GET), 0.57),
    besideDynalite('GetItem', GET),
  ),
  'dynamodb-query': query,
  'dynamodb-memory': memory,
  'dynamodb-change-size': changeSize,
};
