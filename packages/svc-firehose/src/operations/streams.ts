import type { CreateDeliveryStreamInput, InputOf, OutputOf } from '@emu/service-types/firehose';
import type { FirehoseContext } from '../context.ts';
import type { ServiceFamily } from '../destinations/families.ts';
import {
  httpDestination,
  type ServiceConfiguration,
  s3Destination,
  serviceDestination,
} from '../destinations/settings.ts';
import { inUse, invalidArgument } from '../errors.ts';
import { activeStreamOf, streamOf } from '../lookup.ts';
import { queryOf } from '../processing/processors.ts';
import { checkQuery } from '../processing/queries.ts';
import type { DeliveryStreamRecord, DestinationRecord } from '../records.ts';
import { DESTINATION_ID, describeStream } from '../streams/describe.ts';
import { newEncryption } from '../streams/encryption.ts';
import { tagging } from '../tags.ts';

const DEFAULT_STREAMS = 10;

const DESTINATIONS = [
  'S3DestinationConfiguration',
  'ExtendedS3DestinationConfiguration',
  'HttpEndpointDestinationConfiguration',
  'RedshiftDestinationConfiguration',
  'ElasticsearchDestinationConfiguration',
  'AmazonopensearchserviceDestinationConfiguration',
  'AmazonOpenSearchServerlessDestinationConfiguration',
  'SplunkDestinationConfiguration',
  'SnowflakeDestinationConfiguration',
  'IcebergDestinationConfiguration',
] as const;

function newDestination(input: CreateDeliveryStreamInput): DestinationRecord {
  const given = DESTINATIONS.filter((name) => input[name] !== undefined);
  if (given.length !== 1) throw invalidArgument('Exactly one destination configuration is supported for a Firehose');
  const { S3DestinationConfiguration: s3, ExtendedS3DestinationConfiguration: extended } = input;
  const { HttpEndpointDestinationConfiguration: http } = input;
  if (s3 ?? extended) return s3Destination((s3 ?? extended)!);
  if (http) return httpDestination(http);
  const family = given[0]!.replace('DestinationConfiguration', '') as ServiceFamily;
  return serviceDestination(family, input[given[0]!] as unknown as ServiceConfiguration);
}

const mismatch = (configuration: string, type: string) =>
  invalidArgument(`${configuration} is required for the type ${type}, and for no other.`);

/**
 * @param owner ARN of the delivery stream
 * @throws AwsError `InvalidArgumentException` for an invalid query
 */
export async function checkProcessors({ settings }: DestinationRecord, owner: string): Promise<void> {
  const query = queryOf(settings.ProcessingConfiguration);
  if (query !== undefined) await checkQuery(query, owner);
}

/** Returns the source of a delivery stream's records. */
function newSource(
  input: CreateDeliveryStreamInput,
  now: number,
): Pick<DeliveryStreamRecord, 'type' | 'source' | 'kept' | 'throughputHintMB'> {
  const { DeliveryStreamType: type = 'DirectPut', KinesisStreamSourceConfiguration: kinesis } = input;
  const { MSKSourceConfiguration: msk, DatabaseSourceConfiguration: database } = input;
  if ((type === 'MSKAsSource') !== (msk !== undefined)) throw mismatch('MSKSourceConfiguration', 'MSKAsSource');
  if ((type === 'DatabaseAsSource') !== (database !== undefined))
    throw mismatch('DatabaseSourceConfiguration', 'DatabaseAsSource');
  if (msk) {
    const { ReadFromTimestamp: from, ...settings } = msk;
    if (from && from.getTime() > now) throw invalidArgument('ReadFromTimestamp must not be in the future.');
    return { type, kept: { kind: 'msk', settings, startedAt: now, ...(from && { from: from.getTime() }) } };
  }
  if (database) return { type, kept: { kind: 'database', settings: database } };
  if (type === 'KinesisStreamAsSource') {
    if (!kinesis)
      throw invalidArgument('KinesisStreamSourceConfiguration is required for the type KinesisStreamAsSource.');
    return { type, source: { streamArn: kinesis.KinesisStreamARN, roleArn: kinesis.RoleARN, startedAt: now } };
  }
  if (kinesis) throw invalidArgument('KinesisStreamSourceConfiguration is only for the type KinesisStreamAsSource.');
  const hint = input.DirectPutSourceConfiguration?.ThroughputHintInMBs;
  return { type, ...(hint !== undefined && { throughputHintMB: hint }) };
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_CreateDeliveryStream.html */
export async function CreateDeliveryStream(
  input: InputOf<'CreateDeliveryStream'>,
  ctx: FirehoseContext,
): Promise<OutputOf<'CreateDeliveryStream'>> {
  const { DeliveryStreamName: name, DeliveryStreamEncryptionConfigurationInput: encryption } = input;
  const { state } = ctx;
  const checkFree = (): void => {
    if (state.stream(name)) throw inUse(`Firehose ${name} under accountId ${ctx.accountId} already exists`);
  };
  checkFree();
  const destination = newDestination(input);
  await checkProcessors(destination, state.arnOf(name));
  const now = Math.floor(ctx.clock.now());
  const source = newSource(input, now);
  if (encryption && source.type !== 'DirectPut') throw encryptionOfSource();
  const tags = tagging.merge(undefined, input.Tags);
  const encrypted = encryption ? await newEncryption(encryption, name, ctx) : ({ status: 'DISABLED' } as const);
  checkFree();
  state.createStream({
    name,
    status: 'CREATING',
    version: 1,
    createdAt: now,
    ...source,
    destination,
    encryption: encrypted,
    tags,
  });
  if (source.source) state.sources.begin();
  state.transitions.later(name);
  return { DeliveryStreamARN: state.arnOf(name) };
}

/** Creates the error for encrypting a stream whose source encrypts it. */
export const encryptionOfSource = () =>
  invalidArgument('Server-side encryption can only be enabled for delivery streams of the type DirectPut.');

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_DeleteDeliveryStream.html */
export function DeleteDeliveryStream(
  input: InputOf<'DeleteDeliveryStream'>,
  ctx: FirehoseContext,
): OutputOf<'DeleteDeliveryStream'> {
  const { name } = activeStreamOf(input.DeliveryStreamName, ctx);
  ctx.state.updateStream(name, (draft) => {
    draft.status = 'DELETING';
  });
  ctx.state.transitions.later(name);
  return {};
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_DescribeDeliveryStream.html */
export function DescribeDeliveryStream(
  input: InputOf<'DescribeDeliveryStream'>,
  ctx: FirehoseContext,
): OutputOf<'DescribeDeliveryStream'> {
  const description = describeStream(streamOf(input.DeliveryStreamName, ctx), ctx.state);
  const { ExclusiveStartDestinationId: after } = input;
  const Destinations = description.Destinations.filter(() => after === undefined || DESTINATION_ID > after);
  return { DeliveryStreamDescription: { ...description, Destinations } };
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_ListDeliveryStreams.html */
export function ListDeliveryStreams(
  input: InputOf<'ListDeliveryStreams'>,
  ctx: FirehoseContext,
): OutputOf<'ListDeliveryStreams'> {
  const { Limit = DEFAULT_STREAMS, DeliveryStreamType: type, ExclusiveStartDeliveryStreamName: after } = input;
  const names = ctx.state
    .listStreams()
    .filter((stream) => (type === undefined || stream.type === type) && (after === undefined || stream.name > after))
    .map(({ name }) => name);
  return { DeliveryStreamNames: names.slice(0, Limit), HasMoreDeliveryStreams: names.length > Limit };
}
