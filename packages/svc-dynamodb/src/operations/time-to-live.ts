import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { namedTable } from '../context.ts';
import { invalid } from '../errors.ts';
import { isStrong } from './strong-consistency.ts';

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html */
export function UpdateTimeToLive(
  input: InputOf<'UpdateTimeToLive'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateTimeToLive'> {
  const table = namedTable(ctx, input.TableName);
  const { AttributeName: attribute, Enabled: enabled } = input.TimeToLiveSpecification;
  const current = table.record.ttl;
  if (enabled && isStrong(table))
    throw invalid('Time to Live is not supported for global tables with MultiRegionConsistency set to STRONG.');
  if (enabled && current?.enabled) {
    if (current.attribute === attribute) throw invalid('TimeToLive is already enabled');
    throw invalid(`TimeToLive is active on a different AttributeName: current AttributeName is ${current.attribute}`);
  }
  if (!enabled && !current?.enabled) throw invalid('TimeToLive is already disabled');
  if (!enabled && current!.attribute !== attribute)
    throw invalid(`TimeToLive is active on a different AttributeName: current AttributeName is ${current!.attribute}`);
  const ttl = { attribute, enabled, changedAt: ctx.clock.now() };
  // Replicas of a global table share the setting.
  for (const region of table.record.replication?.regions ?? [parseArn(table.record.arn)!.region]) {
    const state = ctx.handle.state(ctx.accountId, region);
    const replica = state.table(table.name);
    replica?.update((draft) => {
      draft.ttl = ttl;
    });
    replica?.refreshExpiry();
    state.scheduleSweep();
  }
  return { TimeToLiveSpecification: { AttributeName: attribute, Enabled: enabled } };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTimeToLive.html */
export function DescribeTimeToLive(
  input: InputOf<'DescribeTimeToLive'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeTimeToLive'> {
  const { ttl } = namedTable(ctx, input.TableName).record;
  return {
    TimeToLiveDescription: ttl?.enabled
      ? { TimeToLiveStatus: 'ENABLED', AttributeName: ttl.attribute }
      : { TimeToLiveStatus: 'DISABLED' },
  };
}
