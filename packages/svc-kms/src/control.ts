import type { DeclareRoute, KmsUsageRecord } from '@emu/control-client';
import { type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { KmsState } from './state.ts';

const route: DeclareRoute<ServiceHandle<KmsState>, ControlRoute<KmsState>> = controlRoute;

/** Lists the uses of keys of every account and region, oldest first. */
const listUsage = route('GET /_emulator/kms/usage', (_request, service) => {
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
});

/** Control routes of KMS: the uses of keys. */
export const control: readonly ControlRoute<KmsState>[] = [listUsage];
