import { Kinesis } from '@aws-sdk/client-kinesis';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Creates persistent state of each kind. */
async function act(config: TestClientConfig): Promise<void> {
  const kinesis = new Kinesis(config);
  const StreamName = 's';
  await kinesis.createStream({ StreamName, ShardCount: 2, Tags: { team: 'orders' } });
  const { StreamDescription } = await kinesis.describeStream({ StreamName });
  await kinesis.registerStreamConsumer({ StreamARN: StreamDescription!.StreamARN, ConsumerName: 'c' });
  await kinesis.putRecords({
    StreamName,
    Records: ['a', 'b', 'ü'].map((text) => ({ PartitionKey: text, Data: Buffer.from([0, 255, ...Buffer.from(text)]) })),
  });
  await kinesis.updateShardCount({ StreamName, TargetShardCount: 3, ScalingType: 'UNIFORM_SCALING' });
  await kinesis.putRecord({ StreamName, PartitionKey: 'later', Data: Buffer.from('later') });
  await kinesis.updateAccountSettings({ MinimumThroughputBillingCommitment: { Status: 'ENABLED' } });
}

async function observeStream(kinesis: Kinesis, StreamName: string) {
  const { StreamDescription } = await kinesis.describeStream({ StreamName });
  const { StreamARN, Shards } = StreamDescription!;
  const { Tags } = await kinesis.listTagsForStream({ StreamName });
  const { Consumers } = await kinesis.listStreamConsumers({ StreamARN });
  const records = [];
  for (const { ShardId } of Shards!) {
    const { ShardIterator } = await kinesis.getShardIterator({
      StreamName,
      ShardId,
      ShardIteratorType: 'TRIM_HORIZON',
    });
    records.push((await kinesis.getRecords({ ShardIterator })).Records);
  }
  return { StreamDescription, Tags, Consumers, records };
}

/** The visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const kinesis = new Kinesis(config);
  const streams = [];
  for (const name of (await kinesis.listStreams({})).StreamNames!) streams.push(await observeStream(kinesis, name));
  return { streams, settings: (await kinesis.describeAccountSettings({})).MinimumThroughputBillingCommitment };
}

const options = { settings: { values: { EMULATOR_KINESIS_LATENCY: 0 } } };
describeServiceContract({ manifest, scope: 'region', options, act, observe });
