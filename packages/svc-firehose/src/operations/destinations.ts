import type { InputOf, OutputOf, UpdateDestinationInput } from '@emu/service-types/firehose';
import type { FirehoseContext } from '../context.ts';
import type { ServiceFamily } from '../destinations/families.ts';
import { type ServiceUpdate, updateHttp, updateS3, updateService } from '../destinations/updates.ts';
import { firehoseError, invalidArgument } from '../errors.ts';
import { activeStreamOf } from '../lookup.ts';
import type { DestinationRecord } from '../records.ts';
import type { DeliveryStream } from '../registry.ts';
import { DESTINATION_ID } from '../streams/describe.ts';
import { checkProcessors } from './streams.ts';

const UPDATES = [
  'S3DestinationUpdate',
  'ExtendedS3DestinationUpdate',
  'HttpEndpointDestinationUpdate',
  'RedshiftDestinationUpdate',
  'ElasticsearchDestinationUpdate',
  'AmazonopensearchserviceDestinationUpdate',
  'AmazonOpenSearchServerlessDestinationUpdate',
  'SplunkDestinationUpdate',
  'SnowflakeDestinationUpdate',
  'IcebergDestinationUpdate',
] as const;

function updated({ destination }: DeliveryStream, input: UpdateDestinationInput): DestinationRecord {
  const given = UPDATES.filter((name) => input[name] !== undefined);
  if (given.length !== 1) throw invalidArgument('Exactly one destination update is supported for a Firehose');
  const s3 = input.ExtendedS3DestinationUpdate ?? input.S3DestinationUpdate;
  if (s3) return updateS3(destination, s3);
  if (input.HttpEndpointDestinationUpdate) return updateHttp(destination, input.HttpEndpointDestinationUpdate);
  const family = given[0]!.replace('DestinationUpdate', '') as ServiceFamily;
  return updateService(destination, family, input[given[0]!] as unknown as ServiceUpdate);
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_UpdateDestination.html */
export async function UpdateDestination(
  input: InputOf<'UpdateDestination'>,
  ctx: FirehoseContext,
): Promise<OutputOf<'UpdateDestination'>> {
  const { name } = activeStreamOf(input.DeliveryStreamName, ctx);
  await checkProcessors(changed(input, ctx), ctx.state.arnOf(name));
  // It may have changed while the query was validated.
  const destination = changed(input, ctx);
  const after = ctx.state.updateStream(name, (draft) => {
    draft.destination = destination;
    draft.version++;
    draft.updatedAt = Math.floor(ctx.clock.now());
  });
  ctx.state.buffers.rearrange(after);
  return {};
}

/**
 * Returns the destination after a request's change.
 * @throws AwsError for an invalid change
 */
function changed(input: UpdateDestinationInput, ctx: FirehoseContext): DestinationRecord {
  const stream = activeStreamOf(input.DeliveryStreamName, ctx);
  const { name, version } = stream;
  const { CurrentDeliveryStreamVersionId: current, DestinationId: id } = input;
  if (Number(current) !== version)
    throw firehoseError(
      'ConcurrentModificationException',
      `Cannot update firehose: ${name} since the current version id: ${version} and specified version id: ${current} do not match`,
    );
  if (id !== DESTINATION_ID) throw invalidArgument(`Destination Id ${id} not found`);
  return updated(stream, input);
}
