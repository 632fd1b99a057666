import type { InputOf, OutputOf } from '@emu/service-types/logs';
import { violationText } from '@emu/wire';
import type { LogsContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { RETENTION_DAYS } from '../groups/retention.ts';
import { groupNamed } from '../lookup.ts';

/**
 * Sets the retention of a group in days.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
 */
export async function PutRetentionPolicy(
  input: InputOf<'PutRetentionPolicy'>,
  ctx: LogsContext,
): Promise<OutputOf<'PutRetentionPolicy'>> {
  const { retentionInDays } = input;
  if (!RETENTION_DAYS.includes(retentionInDays))
    throw invalidParameter(
      violationText(
        'retentionInDays',
        `Member must satisfy enum value set: [${RETENTION_DAYS.join(', ')}]`,
        String(retentionInDays),
      ),
    );
  const { state, group } = groupNamed(input.logGroupName, ctx);
  checkClass(group.record.class);
  state.groups.update(group, (draft) => {
    draft.retentionInDays = retentionInDays;
  });
  state.retention.enforce();
  await state.store.committed();
  return {};
}

/**
 * Removes the retention of a group, so that events never expire.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteRetentionPolicy.html
 */
export function DeleteRetentionPolicy(
  input: InputOf<'DeleteRetentionPolicy'>,
  ctx: LogsContext,
): OutputOf<'DeleteRetentionPolicy'> {
  const { state, group } = groupNamed(input.logGroupName, ctx);
  checkClass(group.record.class);
  // Events that have already expired stay deleted.
  state.retention.enforce();
  state.groups.update(group, (draft) => {
    draft.retentionInDays = undefined;
  });
  return {};
}

function checkClass(groupClass: string): void {
  if (groupClass === 'DELIVERY')
    throw invalidParameter('The retention of log groups of the DELIVERY log class cannot be changed.');
}
