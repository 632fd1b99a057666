import type { Tags, Timestamp } from './common.ts';

/** A member account of an organization. */
export interface OrganizationsAccount {
  id: string;
  arn: string;
  name: string;
  email: string;
  /** Lifecycle state. */
  state: 'PENDING_ACTIVATION' | 'ACTIVE' | 'SUSPENDED' | 'PENDING_CLOSURE' | 'CLOSED';
  organizationId: string;
  /** Parent: the root or an organizational unit. */
  parentId: string;
  joinedMethod: 'INVITED' | 'CREATED';
  joinedTimestamp: Timestamp;
  tags: Tags;
  /** Ids of the service control policies attached directly to the account. */
  attachedPolicyIds: string[];
}

/** An organization in the summary. */
export interface OrganizationsSummary {
  id: string;
  arn: string;
  managementAccountId: string;
  featureSet: 'ALL' | 'CONSOLIDATED_BILLING';
  rootId: string;
  accountCount: number;
  organizationalUnitCount: number;
}

/** A transfer of responsibility between management accounts. */
export interface OrganizationsResponsibilityTransfer {
  id: string;
  arn: string;
  name: string;
  type: 'BILLING';
  /** e.g. `REQUESTED`. */
  status: string;
  direction: 'INBOUND' | 'OUTBOUND';
  sourceManagementAccountId: string;
  targetManagementAccountId: string;
  sourceManagementAccountEmail: string;
  targetManagementAccountEmail: string;
  startTimestamp: Timestamp;
  endTimestamp: Timestamp | null;
  activeHandshakeId: string | null;
}
