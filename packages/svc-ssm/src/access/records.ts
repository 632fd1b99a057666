import { defineCollection } from '@emu/core';

/** What has become of an access request, besides the time that runs out. */
export type AccessStatus = 'Pending' | 'Approved' | 'Rejected' | 'Revoked';

/** A request for just-in-time access to nodes. Its id is that of its OpsItem; times are epoch milliseconds. */
export interface AccessRequestRecord {
  id: string;
  /** ARN and unique id of who asks. */
  requester: string;
  requesterId: string;
  nodes: string[];
  status: AccessStatus;
  /** Name of the policy that decides; undefined where several do, which is no policy. */
  policy?: string;
  /** The execution of the policy's steps; undefined where nobody has to approve. */
  automationId?: string;
  /** Who may approve, as the policy names them. */
  approvers: string[];
  /** Seconds for which the access is good once it is approved. */
  accessDuration: number;
  /** Name or ARN of the role that the access is given by. */
  tokenRole: string;
  createdAt: number;
  /** When the access ends; undefined where it has not begun. */
  endsAt?: number;
}

export const accessRequestCollection = defineCollection<AccessRequestRecord>('accessRequests', 'region');
