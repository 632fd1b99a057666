import { type Capability, defineCapability } from '@emu/core/service';

/** Approval mode at a start, from the settings. */
export interface RequestApproval {
  mode: 'auto' | 'manual';
}

/** Whether increase requests are decided immediately. Shared by the handlers and control routes of Service Quotas. */
export const requestApproval: Capability<RequestApproval> = defineCapability('approval of quota increases');
