import type { ControlRouteOf, KmsUsageRecord } from '@emu/control-client';
import type { ControlRoute, ServiceHandle } from '@emu/core/service';
import type { KmsState } from './state.ts';

/** Lists the uses of keys of every account and region, oldest first. */
const listUsage: ControlRouteOf<'GET /_emulator/kms/usage', ServiceHandle<KmsState>> = {
  method: 'GET',
  path: '/_emulator/kms/usage',
  handle(_request, service) {
    const uses = [...service.states()].flatMap(({ state }) => state.uses.list().map((use) => ({ use, state })));
    uses.sort((a, b) => a.use.at - b.use.at);
    const usage: KmsUsageRecord[] = uses.map(({ use: { at, ...use }, state }) => ({
      accountId: state.accountId,
      region: state.region,
      ...use,
      keyArn: state.arnOf(use.keyId),
      timestamp: new Date(at).toISOString(),
    }));
    return { json: { usage } };
  },
};

/** Control routes of KMS: the uses of keys. */
export const control: readonly ControlRoute<KmsState>[] = [listUsage];
