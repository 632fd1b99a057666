import { defineCollection } from '@emu/core/service';

/** Status of an access request, without expiry. */
export type AccessStatus = 'Pending' | 'Approved' | 'Rejected' | 'Revoked';

/** A request for just-in-time access to nodes. It has the same id as its OpsItem; times are epoch milliseconds. */
export interface AccessRequestRecord {
  id: string;
  /** ARN and unique id of the requester. */
  requester: string;
  requesterId: string;
  nodes: string[];
  status: AccessStatus;
  /** Name of the policy that decided; undefined if several policies conflict. */
  policy?: string;
  /** Id of the execution of the policy's steps; undefined if no approval is required. */
  automationId?: string;
  /** Approvers as named in the policy. */
  approvers: string[];
  /** Seconds of access after the approval. */
  accessDuration: number;
  /** Name or ARN of the role with which access is granted. */
  tokenRole: string;
  createdAt: number;
  /** End of the access; undefined if it has not begun. */
  endsAt?: number;
}

export const accessRequestCollection = defineCollection<AccessRequestRecord>('accessRequests', 'region');
