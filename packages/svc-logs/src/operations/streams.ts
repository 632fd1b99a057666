import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { alreadyExists, invalidParameter } from '../errors.ts';
import { groupNamed, groupOf, streamOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { groupType, streamArn } from '../resources.ts';
import { checkUnprotected } from './groups.ts';
import { SEQUENCE_TOKEN } from './put-events.ts';

/**
 * Creates a log stream.
 * @throws AwsError `ResourceNotFoundException`, `ResourceAlreadyExistsException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogStream.html
 */
export function CreateLogStream(input: InputOf<'CreateLogStream'>, ctx: LogsContext): OutputOf<'CreateLogStream'> {
  const { state, group } = groupNamed(input.logGroupName, ctx);
  if (group.stream(input.logStreamName)) throw alreadyExists('The specified log stream already exists');
  state.groups.createStream(group, input.logStreamName, ctx.clock.now());
  state.retention.enforce();
  return {};
}

/**
 * Deletes a log stream with its events.
 * @throws AwsError `ResourceNotFoundException`, `ValidationException` if its group is protected
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteLogStream.html
 */
export async function DeleteLogStream(input: InputOf<'DeleteLogStream'>, ctx: LogsContext): Promise<void> {
  const { state, group, stream } = streamOf(groupNamed(input.logGroupName, ctx), input.logStreamName);
  checkUnprotected(group);
  state.groups.deleteStream(group, stream);
  state.retention.enforce();
  await state.store.committed();
}

/**
 * Lists the streams of a group by name or by last event time.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterException`, `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeLogStreams.html
 */
export function DescribeLogStreams(
  input: InputOf<'DescribeLogStreams'>,
  ctx: LogsContext,
): OutputOf<'DescribeLogStreams'> {
  const { logStreamNamePrefix: prefix, orderBy = 'LogStreamName', descending = false } = input;
  const { state, group } = groupOf(input, ctx);
  const byTime = orderBy === 'LastEventTime';
  if (byTime && prefix !== undefined)
    throw invalidParameter('Cannot order by LastEventTime with a logStreamNamePrefix.');
  const found = [...group.list()].filter(({ name }) => prefix === undefined || name.startsWith(prefix));
  const groupArn = groupType.arn({ name: group.name }, state);
  return paging
    .page(
      'DescribeLogStreams',
      input,
      found,
      ({ name, lastEventAt = 0 }) => (byTime ? `${numericKey(lastEventAt)} ${name}` : name),
      { descending },
    )
    .list(({ name, createdAt, firstEventAt, lastEventAt, lastIngestedAt }) => ({
      logStreamName: name,
      creationTime: createdAt,
      ...(firstEventAt !== undefined && { firstEventTimestamp: firstEventAt }),
      ...(lastEventAt !== undefined && { lastEventTimestamp: lastEventAt }),
      ...(lastIngestedAt !== undefined && { lastIngestionTime: lastIngestedAt, uploadSequenceToken: SEQUENCE_TOKEN }),
      arn: streamArn(groupArn, name),
      storedBytes: 0,
    }));
}
