import { defineCollection } from '@emu/core';
import type {
  AccountGateResult,
  Capability,
  Parameter,
  StackDriftStatus,
  StackInstanceDetailedStatus,
  StackInstanceStatus,
  StackSetDriftDetectionStatus,
  StackSetDriftStatus,
  StackSetOperationAction,
  StackSetOperationPreferences,
  StackSetOperationResultStatus,
  StackSetOperationStatus,
  StackSetStatus,
  Tag,
} from '@emu/service-types/cloudformation';

/** What is known of the drift of a stack set since it was looked at last. Times are epoch milliseconds. */
export interface SetDriftRecord {
  status: StackSetDriftStatus;
  detection: StackSetDriftDetectionStatus;
  checkedAt?: number;
  total: number;
  drifted: number;
  inSync: number;
  inProgress: number;
  failed: number;
}

/** A stack set, kept by its id, `<name>:<uuid>`. Times are epoch milliseconds. */
export interface StackSetRecord {
  id: string;
  name: string;
  uuid: string;
  status: StackSetStatus;
  description?: string;
  templateBody: string;
  parameters: Parameter[];
  capabilities: Capability[];
  tags: Tag[];
  administrationRoleArn: string;
  executionRoleName: string;
  /** Whether operations wait for one another instead of being refused. */
  managed: boolean;
  createdAt: number;
  token?: string;
  drift?: SetDriftRecord;
}

/** A stack of a stack set, kept by the set's id, its account and region. Times are epoch milliseconds. */
export interface StackInstanceRecord {
  set: string;
  account: string;
  region: string;
  /** Name of the stack that is made for it. */
  stackName: string;
  stackId?: string;
  status: StackInstanceStatus;
  detailed: StackInstanceDetailedStatus;
  reason?: string;
  overrides: Parameter[];
  lastOperation?: string;
  drift?: { status: StackDriftStatus; checkedAt: number };
}

/** What came of an operation in one account and region. */
export interface ResultRecord {
  account: string;
  region: string;
  status: StackSetOperationResultStatus;
  reason?: string;
  gate?: AccountGateResult;
  /** The stack that is imported. */
  stackId?: string;
}

/** An operation on a stack set, kept by the set's id and its own. Times are epoch milliseconds. */
export interface StackSetOperationRecord {
  set: string;
  id: string;
  action: StackSetOperationAction;
  status: StackSetOperationStatus;
  reason?: string;
  /** The request as it came, by which a repeated one is known. */
  request: string;
  preferences: StackSetOperationPreferences;
  retain?: boolean;
  imports?: true;
  administrationRoleArn: string;
  executionRoleName: string;
  createdAt: number;
  endedAt?: number;
  results: ResultRecord[];
  drift?: SetDriftRecord;
  /** Whether the roles have to trust whoever assumes them. */
  enforced: boolean;
  endpoint: string;
  cause?: string;
}

export const stackSetCollection = defineCollection<StackSetRecord>('stack-sets', 'region', {
  content: ['description', 'templateBody'],
});
export const stackInstanceCollection = defineCollection<StackInstanceRecord>('stack-instances', 'region');
export const stackSetOperationCollection = defineCollection<StackSetOperationRecord>('stack-set-operations', 'region', {
  content: ['request'],
});
