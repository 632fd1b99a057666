import { type Benchmark, besideBare, type Prepare } from './compare.ts';
import { call, type LoadRequest } from './processes.ts';
import { kinesis } from './requests.ts';

const StreamName = 'bench';
const PUT = { StreamName, PartitionKey: 'key', Data: Buffer.alloc(100, 'x').toString('base64') };
const ANSWERED = JSON.stringify({
  ShardId: 'shardId-000000000000',
  SequenceNumber: '49680472915913318453011133095663920614041524212642873346',
});

/** A stream of one shard, with a record; made for the first round. */
const prepared = (request: (iterator: string) => LoadRequest) => (): Prepare => {
  let iterator: string | undefined;
  return async (server) => {
    if (iterator === undefined) {
      await call(server, kinesis('CreateStream', { StreamName }));
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

const READ = JSON.stringify({
  Records: [{ ...JSON.parse(ANSWERED), ApproximateArrivalTimestamp: 1795388129.123, ...PUT, StreamName: undefined }],
  NextShardIterator: 'AAAAAAAAAAE'.padEnd(100, 'x'),
  MillisBehindLatest: 0,
});

/** What putting and getting records costs, by name. */
export const kinesisBenchmarks: Readonly<Record<string, Benchmark>> = {
  'kinesis-put': besideBare('Kinesis PutRecord', ANSWERED, put, 0.45),
  'kinesis-get': besideBare('Kinesis GetRecords of one record', READ, get, 0.45),
};
