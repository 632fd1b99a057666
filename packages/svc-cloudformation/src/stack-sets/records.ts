import { defineCollection } from '@emu/core/service';
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

/** Results of the last drift detection on a stack set. Times are epoch milliseconds. */
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

/** A stack set, keyed by its id `<name>:<uuid>`. Times are epoch milliseconds. */
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
  /** Whether concurrent operations are queued instead of rejected. */
  managed: boolean;
  createdAt: number;
  token?: string;
  drift?: SetDriftRecord;
}

/** An instance of a stack set, keyed by the set's id, account and region. Times are epoch milliseconds. */
export interface StackInstanceRecord {
  set: string;
  account: string;
  region: string;
  /** Name of its stack. */
  stackName: string;
  stackId?: string;
  status: StackInstanceStatus;
  detailed: StackInstanceDetailedStatus;
  reason?: string;
  overrides: Parameter[];
  lastOperation?: string;
  drift?: { status: StackDriftStatus; checkedAt: number };
}

/** Result of an operation in one account and region. */
export interface ResultRecord {
  account: string;
  region: string;
  status: StackSetOperationResultStatus;
  reason?: string;
  gate?: AccountGateResult;
  /** The imported stack. */
  stackId?: string;
}

/** An operation on a stack set, keyed by the set's id and its own. Times are epoch milliseconds. */
export interface StackSetOperationRecord {
  set: string;
  id: string;
  action: StackSetOperationAction;
  status: StackSetOperationStatus;
  reason?: string;
  /** The original request, to recognise a repeated one. */
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
  /** Whether roles must trust the principal that assumes them. */
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
