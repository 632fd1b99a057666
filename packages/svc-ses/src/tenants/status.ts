import type { SendingStatus } from '@emu/service-types/sesv2';
import { tenantType } from '../resources.ts';
import type { SesState } from '../state.ts';

/** Returns whether a tenant may send, from its reputation record. */
export const tenantStatus = (
  state: SesState,
  { name, id }: { readonly name: string; readonly id: string },
): SendingStatus => state.reputation.get(tenantType.arn({ name, id }, state))?.status ?? 'ENABLED';
