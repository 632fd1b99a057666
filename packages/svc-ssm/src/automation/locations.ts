import { notEmulated } from '@emu/core/service';
import type { Target, TargetLocation } from '@emu/service-types/ssm';

/**
 * Rejects unsupported target locations.
 * @throws AwsError 501 for organizational units, and for targets to look up in other accounts
 */
export function checkLocations(locations: readonly TargetLocation[], targets: readonly Target[] = []): void {
  for (const { Accounts = [], Targets: own = [] } of locations) {
    const looked = [...own, ...targets].some(({ Key }) => Key !== 'ParameterValues');
    if (looked || Accounts.some((account) => !/^\d{12}$/.test(account)))
      throw notEmulated('organizational units, and targets other than ParameterValues, of TargetLocations');
  }
}
