import { type Capability, defineCapability } from '@emu/core';

/** How increase requests are decided, until somebody says otherwise; as the settings say at each start. */
export interface RequestApproval {
  mode: 'auto' | 'manual';
}

/** Whether increase requests are decided at once. Service Quotas' own: its handlers and its control routes share it. */
export const requestApproval: Capability<RequestApproval> = defineCapability('approval of quota increases');
