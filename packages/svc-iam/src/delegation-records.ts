import { defineCollection } from '@emu/core/service';
import type { DelegationPermission, stateType } from '@emu/service-types/iam';

/** A request for temporary access, in the account that makes it. Points in time are epoch milliseconds. */
export interface DelegationRequestRecord {
  id: string;
  requestorId: string;
  workflowId: string;
  description: string;
  message?: string;
  permissions: DelegationPermission;
  /** ARN of the SNS topic that is told of changes. */
  channel: string;
  redirectUrl?: string;
  /** Seconds. */
  sessionDuration: number;
  onlySendByOwner: boolean;
  /** Whom it is for; undefined as long as nobody is associated. */
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

/** By id. */
export const delegationRequestCollection = defineCollection<DelegationRequestRecord>('delegation-requests', 'account');
