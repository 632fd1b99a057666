import type { DeclaredQuota, Place, QuotaDirectory } from '@emu/core/service';

/** Usage of a quota. */
export interface Utilization {
  readonly quota: DeclaredQuota;
  readonly usage: number;
  readonly defaultValue: number;
  readonly appliedValue: number;
  /** Percentage of the applied value. */
  readonly percent: number;
}

/** Returns the quotas of an account and region with counted usage, and the usage. */
export async function utilizations(directory: QuotaDirectory, place: Place): Promise<Utilization[]> {
  return (await directory.list()).flatMap((quota) => {
    const { usage, defaultValue, appliedValue } = directory.state(quota, place.accountId, place.region);
    if (usage === undefined) return [];
    const percent = appliedValue > 0 ? (usage / appliedValue) * 100 : usage > 0 ? 100 : 0;
    return [{ quota, usage, defaultValue, appliedValue, percent }];
  });
}
