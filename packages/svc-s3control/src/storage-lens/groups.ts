import type { DeepReadonly } from '@emu/core/service';
import type { StorageLensGroupAndOperator, StorageLensGroupFilter } from '@emu/service-types/s3control';
import type { AwsError } from '@emu/wire';
import type { S3controlContext } from '../context.ts';
import { invalidRequest, s3controlError } from '../errors.ts';
import type { StorageLensGroupRecord } from './records.ts';

/** Maximum prefixes, suffixes or tags of a filter. */
const MAX_VALUES = 10;

const noSuchGroup = (): AwsError =>
  s3controlError('NoSuchConfiguration', 'The specified Storage Lens group does not exist.', { status: 404 });

/** @throws AwsError `NoSuchConfiguration` */
export function findGroup(ctx: S3controlContext, name: string): DeepReadonly<StorageLensGroupRecord> {
  const found = ctx.state.storageLensGroups.get(name);
  if (!found) throw noSuchGroup();
  return found;
}

/**
 * Validates a group's filter: one condition, or several joined by one operator.
 * @throws AwsError `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-lens-groups.html
 */
export function checkFilter({ And: and, Or: or, ...single }: StorageLensGroupFilter): void {
  const own = conditionsOf(single);
  if (own.length + (and ? 1 : 0) + (or ? 1 : 0) !== 1)
    throw invalidRequest('The filter of a Storage Lens group must have exactly one condition or logical operator.');
  for (const operator of [and, or])
    if (operator && conditionsOf(operator).length < 2)
      throw invalidRequest('A logical operator needs at least two conditions.');
  for (const conditions of [single, and, or]) if (conditions) checkConditions(conditions);
}

const conditionsOf = (conditions: StorageLensGroupAndOperator): unknown[] =>
  Object.values(conditions).filter((value) => value !== undefined);

function checkConditions(conditions: StorageLensGroupAndOperator): void {
  const { MatchAnyPrefix: prefixes, MatchAnySuffix: suffixes, MatchAnyTag: tags } = conditions;
  for (const list of [prefixes, suffixes, tags])
    if (list && (list.length === 0 || list.length > MAX_VALUES))
      throw invalidRequest(`A condition of a Storage Lens group has from 1 to ${MAX_VALUES} values.`);
  const { DaysGreaterThan: older, DaysLessThan: younger } = conditions.MatchObjectAge ?? {};
  const { BytesGreaterThan: larger, BytesLessThan: smaller } = conditions.MatchObjectSize ?? {};
  checkRange('age', conditions.MatchObjectAge !== undefined, older, younger);
  checkRange('size', conditions.MatchObjectSize !== undefined, larger, smaller);
}

function checkRange(what: string, given: boolean, above: number | undefined, below: number | undefined): void {
  if (!given) return;
  const wrong = above === undefined && below === undefined;
  if (wrong || (above ?? 0) < 0 || (below ?? 0) < 0 || (above ?? -1) >= (below ?? Number.POSITIVE_INFINITY))
    throw invalidRequest(`The range of the object ${what} is not valid.`);
}
