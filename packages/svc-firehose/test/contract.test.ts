import { Firehose } from '@aws-sdk/client-firehose';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { BUCKET, ROLE } from './support.ts';

/** Creates persistent state of each kind. */
async function act(config: TestClientConfig): Promise<void> {
  const firehose = new Firehose(config);
  const DeliveryStreamName = 'd';
  await firehose.createDeliveryStream({
    DeliveryStreamName,
    ExtendedS3DestinationConfiguration: { RoleARN: ROLE, BucketARN: BUCKET, Prefix: 'p/' },
    DeliveryStreamEncryptionConfigurationInput: { KeyType: 'AWS_OWNED_CMK' },
    Tags: [{ Key: 'team', Value: 'orders' }],
  });
  await firehose.putRecord({ DeliveryStreamName, Record: { Data: Buffer.from([0, 255]) } });
}

/** The visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const firehose = new Firehose(config);
  const { DeliveryStreamNames } = await firehose.listDeliveryStreams({});
  const streams = DeliveryStreamNames!.map(async (DeliveryStreamName) => [
    (await firehose.describeDeliveryStream({ DeliveryStreamName })).DeliveryStreamDescription,
    (await firehose.listTagsForDeliveryStream({ DeliveryStreamName })).Tags,
  ]);
  return Promise.all(streams);
}

const options = { settings: { values: { EMULATOR_FIREHOSE_LATENCY: 0 } } };
describeServiceContract({ manifest, scope: 'region', options, act, observe });
