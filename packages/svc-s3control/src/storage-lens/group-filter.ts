import type { DeepReadonly } from '@emu/core/service';
import type { MeasuredObject } from '@emu/service-types/internal/s3';
import type { StorageLensGroupAndOperator, StorageLensGroupFilter } from '@emu/service-types/s3control';

const DAY = 86_400_000;

type Conditions = DeepReadonly<StorageLensGroupAndOperator>;

/** Whether an object meets all given conditions. */
function results(conditions: Conditions, { key, size, lastModified, tags }: MeasuredObject, now: number): boolean[] {
  const { MatchAnyPrefix, MatchAnySuffix, MatchAnyTag, MatchObjectAge, MatchObjectSize } = conditions;
  const days = Math.floor((now - lastModified) / DAY);
  const met: boolean[] = [];
  if (MatchAnyPrefix) met.push(MatchAnyPrefix.some((prefix) => key.startsWith(prefix)));
  if (MatchAnySuffix) met.push(MatchAnySuffix.some((suffix) => key.endsWith(suffix)));
  if (MatchAnyTag)
    met.push(MatchAnyTag.some(({ Key, Value }) => tags.some((tag) => tag.Key === Key && tag.Value === Value)));
  if (MatchObjectAge) met.push(within(days, MatchObjectAge.DaysGreaterThan, MatchObjectAge.DaysLessThan));
  if (MatchObjectSize) met.push(within(size, MatchObjectSize.BytesGreaterThan, MatchObjectSize.BytesLessThan));
  return met;
}

const within = (value: number, above = -1, below = Number.POSITIVE_INFINITY): boolean => value > above && value < below;

/**
 * Whether an object belongs to a Storage Lens group.
 * @param now epoch milliseconds
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-lens-groups.html
 */
export function isInGroup(
  { And, Or, ...single }: DeepReadonly<StorageLensGroupFilter>,
  object: MeasuredObject,
  now: number,
): boolean {
  if (Or) return results(Or, object, now).some(Boolean);
  return results(And ?? single, object, now).every(Boolean);
}
