import { defineCollection } from '@emu/core/service';
import type { DelegationPermission, stateType } from '@emu/service-types/iam';

/** A request for temporary access, stored in the requesting account. Times are epoch milliseconds. */
export interface DelegationRequestRecord {
  id: string;
  requestorId: string;
  workflowId: string;
  description: string;
  message?: string;
  permissions: DelegationPermission;
  /** ARN of the SNS topic for notifications. */
  channel: string;
  redirectUrl?: string;
  /** Seconds. */
  sessionDuration: number;
  onlySendByOwner: boolean;
  /** Target account; undefined until one is associated. */
  ownerAccountId?: string;
  ownerArn?: string;
  approverArn?: string;
  state: stateType;
  notes?: string;
  rejectionReason?: string;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
}

/** Delegation requests by id. */
export const delegationRequestCollection = defineCollection<DelegationRequestRecord>('delegation-requests', 'account');
