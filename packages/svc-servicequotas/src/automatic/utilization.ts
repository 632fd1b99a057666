import type { DeclaredQuota, Place, QuotaDirectory } from '@emu/core';

/** How much of a quota is used. */
export interface Utilization {
  readonly quota: DeclaredQuota;
  readonly usage: number;
  readonly defaultValue: number;
  readonly appliedValue: number;
  /** Of the applied value. */
  readonly percent: number;
}

/** The quotas of an account and region whose usage is counted, with how much of them is used. */
export async function utilizations(directory: QuotaDirectory, place: Place): Promise<Utilization[]> {
  return (await directory.list()).flatMap((quota) => {
    const { usage, defaultValue, appliedValue } = directory.state(quota, place.accountId, place.region);
    if (usage === undefined) return [];
    const percent = appliedValue > 0 ? (usage / appliedValue) * 100 : usage > 0 ? 100 : 0;
    return [{ quota, usage, defaultValue, appliedValue, percent }];
  });
}
