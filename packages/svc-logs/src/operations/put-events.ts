import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { cutoffOf } from '../groups/retention.ts';
import { admit, checkBatch } from '../ingestion/batch.ts';
import { ingest } from '../ingestion/ingestion.ts';
import { groupNamed, streamOf } from '../lookup.ts';

/** Sequence tokens have no meaning any more; AWS still returns one in places, where emu returns this. */
export const SEQUENCE_TOKEN = '49039859602149139213398013612013291264345633458023546546';

/**
 * Stores events of a stream; responds after they are committed. A sequence token is accepted and ignored.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html
 */
export async function PutLogEvents(
  input: InputOf<'PutLogEvents'>,
  ctx: LogsContext,
): Promise<OutputOf<'PutLogEvents'>> {
  const target = streamOf(groupNamed(input.logGroupName, ctx), input.logStreamName);
  checkBatch(input.logEvents);
  const now = ctx.clock.now();
  const { events, rejected } = admit(input.logEvents, now, cutoffOf(target.group.record, now));
  target.state.retention.enforce();
  await ingest(target, events, () => ctx.requestId);
  return {
    nextSequenceToken: SEQUENCE_TOKEN,
    ...(rejected && { rejectedLogEventsInfo: rejected }),
  };
}
