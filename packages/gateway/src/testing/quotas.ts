import type { Place } from '@emu/core/service';
import type { TestEmulator } from './emulator.ts';

/**
 * Enforces a quota from the next request on.
 * @param id `<service code>/<quota code>`
 * @param value its value in a place; AWS's default if undefined
 * @param place by default the default account and region
 * @throws Error for a quota that no service of the emulator declares
 */
export async function enforceQuota(
  { kernel }: Pick<TestEmulator, 'kernel'>,
  id: string,
  value?: number,
  place: Partial<Place> = {},
): Promise<void> {
  const [serviceCode = '', quotaCode = ''] = id.split('/');
  const quota = await kernel.quotas.find(serviceCode, quotaCode);
  if (!quota) throw new Error(`no service declares the quota ${id}`);
  const { accountId, region } = { ...kernel.settings, ...place };
  await kernel.quotas.setValue(quota, accountId, region, value);
  await kernel.quotas.override(quota, undefined, true);
}
