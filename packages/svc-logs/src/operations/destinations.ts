import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { Destination, InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { checkDestinationPolicy } from '../policies.ts';
import type { DestinationRecord } from '../records.ts';
import { destinationType } from '../resources.ts';
import { checkRole, checkStream } from '../subscriptions/check.ts';
import { tagging } from '../tags.ts';

const STREAMS: Readonly<Record<string, string>> = { kinesis: 'Kinesis stream', firehose: 'Firehose stream' };

const destinationNotFound = () => notFound('The specified destination does not exist.');

/**
 * Creates or updates a destination for subscription filters of other accounts.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDestination.html
 */
export async function PutDestination(
  input: InputOf<'PutDestination'>,
  ctx: LogsContext,
): Promise<OutputOf<'PutDestination'>> {
  const { destinationName: name, targetArn, roleArn, tags } = input;
  const service = parseArn(targetArn)?.service ?? '';
  const stream = STREAMS[service];
  if (stream === undefined) throw invalidParameter(`Invalid target ARN: ${targetArn}`);
  checkRole(roleArn);
  await checkStream({ destinationArn: targetArn, roleArn }, service, stream, ctx);
  const existing = ctx.state.destinations.get(name);
  const record = ctx.state.destinations.put(name, {
    name,
    targetArn,
    roleArn,
    ...(existing?.accessPolicy !== undefined && { accessPolicy: existing.accessPolicy }),
    createdAt: existing?.createdAt ?? ctx.clock.now(),
    tags: tagging.merge(existing?.tags, tags),
  });
  return { destination: describe(record, ctx) };
}

/**
 * Sets which accounts may subscribe to a destination.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDestinationPolicy.html
 */
export function PutDestinationPolicy(
  input: InputOf<'PutDestinationPolicy'>,
  ctx: LogsContext,
): OutputOf<'PutDestinationPolicy'> {
  const { destinationName, accessPolicy } = input;
  if (!ctx.state.destinations.has(destinationName)) throw destinationNotFound();
  checkDestinationPolicy(accessPolicy);
  ctx.state.destinations.update(destinationName, (draft) => {
    draft.accessPolicy = accessPolicy;
  });
  return {};
}

/**
 * Deletes a destination; later events of its subscribers are lost.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteDestination.html
 */
export function DeleteDestination(
  input: InputOf<'DeleteDestination'>,
  ctx: LogsContext,
): OutputOf<'DeleteDestination'> {
  if (!ctx.state.destinations.delete(input.destinationName)) throw destinationNotFound();
  return {};
}

/**
 * Lists destinations by name prefix.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeDestinations.html
 */
export function DescribeDestinations(
  input: InputOf<'DescribeDestinations'>,
  ctx: LogsContext,
): OutputOf<'DescribeDestinations'> {
  const { DestinationNamePrefix: prefix = '' } = input;
  const found = [...ctx.state.destinations.values()].filter(({ name }) => name.startsWith(prefix));
  return paging
    .page('DescribeDestinations', input, found, ({ name }) => name)
    .list((destination) => describe(destination, ctx));
}

const describe = (record: DeepReadonly<DestinationRecord>, ctx: LogsContext): Destination => ({
  destinationName: record.name,
  targetArn: record.targetArn,
  roleArn: record.roleArn,
  ...(record.accessPolicy !== undefined && { accessPolicy: record.accessPolicy }),
  arn: destinationType.arn({ name: record.name }, ctx),
  creationTime: record.createdAt,
});
