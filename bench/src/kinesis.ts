import { type Benchmark, besideBare, compareLoad, type Prepare, withServers } from './compare.ts';
import { alternate } from './measure.ts';
import { call, type LoadRequest, load, startEmu, startKinesalite } from './processes.ts';
import { kinesis } from './requests.ts';

const StreamName = 'bench';
const PUT = { StreamName, PartitionKey: 'key', Data: Buffer.alloc(100, 'x').toString('base64') };
const ANSWERED = JSON.stringify({
  ShardId: 'shardId-000000000000',
  SequenceNumber: '49680472915913318453011133095663920614041524212642873346',
});

/** A stream of one shard with a record, created for the first round. */
const prepared = (request: (iterator: string) => LoadRequest) => (): Prepare => {
  let iterator: string | undefined;
  return async (server) => {
    if (iterator === undefined) {
      await call(server, kinesis('CreateStream', { StreamName, ShardCount: 1 }));
      const status = async () => {
        const { StreamDescriptionSummary } = await call(server, kinesis('DescribeStreamSummary', { StreamName }));
        return (StreamDescriptionSummary as { StreamStatus: string }).StreamStatus;
      };
      while ((await status()) !== 'ACTIVE') await new Promise((resolve) => setTimeout(resolve, 20));
      await call(server, kinesis('PutRecord', PUT));
    }
    const input = { StreamName, ShardId: 'shardId-000000000000', ShardIteratorType: 'TRIM_HORIZON' };
    iterator = (await call(server, kinesis('GetShardIterator', input))).ShardIterator as string;
    return [request(iterator)];
  };
};

const put = prepared(() => kinesis('PutRecord', PUT));
const get = prepared((ShardIterator) => kinesis('GetRecords', { ShardIterator, Limit: 1 }));

/** Requests per second compared with kinesalite, which emu must exceed. */
const besideKinesalite =
  (name: string, prepare: () => Prepare): Benchmark =>
  (effort) =>
    withServers([startEmu(), startKinesalite()], async (emu, kinesalite) => {
      const figures = await compareLoad(effort, [emu!, prepare()], [kinesalite!, prepare()]);
      return [{ name: `${name} beside kinesalite`, unit: 'req/s', target: { atLeast: 1 }, ...figures }];
    });

const READ = JSON.stringify({
  Records: [{ ...JSON.parse(ANSWERED), ApproximateArrivalTimestamp: 1795388129.123, ...PUT, StreamName: undefined }],
  NextShardIterator: 'AAAAAAAAAAE'.padEnd(100, 'x'),
  MillisBehindLatest: 0,
});

const BATCH = 500;
const Records = Array.from({ length: BATCH }, (_, index) => ({ PartitionKey: `key ${index}`, Data: PUT.Data }));
const putBatch = kinesis('PutRecords', { StreamName, Records });
/** Target of records per second in batches. */
const RECORDS_PER_SECOND = 100_000;

/** Records per second with PutRecords of 500 records, 100 bytes each. */
const batches: Benchmark = ({ rounds, seconds }) =>
  withServers([startEmu()], async (emu) => {
    await put()(emu!);
    const measure = async (): Promise<number> => (await load(emu!, [putBatch], { seconds })).perSecond * BATCH;
    await measure();
    const figures = await alternate(rounds, measure, async () => RECORDS_PER_SECOND);
    const name = 'Kinesis records by PutRecords of 500, beside the figure aimed at';
    return [{ name, unit: 'records/s', target: { atLeast: 1 }, ...figures }];
  });

const MANY = 1_000_000;
/** Limit in mebibytes for a million records of 100 bytes. */
const MEMORY = 300;

/** Memory of a million records of 100 bytes. */
const memory: Benchmark = () =>
  withServers([startEmu()], async (emu) => {
    await put()(emu!);
    const before = emu!.memory();
    for (let count = 0; count < MANY; count += BATCH) await call(emu!, putBatch);
    const value = (emu!.memory() - before) / 2 ** 20;
    const name = 'memory of 1,000,000 Kinesis records of 100 bytes, beside the limit';
    const ratio = value / MEMORY;
    return [{ name, unit: 'MiB', target: { atMost: 1 }, value, reference: MEMORY, ratio, rounds: 1 }];
  });

/** Benchmarks of putting and getting records by name. */
export const kinesisBenchmarks: Readonly<Record<string, Benchmark>> = {
  'kinesis-put': besideBare('Kinesis PutRecord', ANSWERED, put, 0.45),
  'kinesis-get': besideBare('Kinesis GetRecords of one record', READ, get, 0.45),
  'kinesis-put-kinesalite': besideKinesalite('Kinesis PutRecord', put),
  'kinesis-get-kinesalite': besideKinesalite('Kinesis GetRecords of one record', get),
  'kinesis-batches': batches,
  'kinesis-memory': memory,
};
