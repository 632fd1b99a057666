import { defineCollection, type Principal } from '@emu/core/service';
import type {
  Capability,
  ChangeSetStatus,
  ChangeSetType,
  DeletionMode,
  DeploymentMode,
  ExecutionStatus,
  HookFailureMode,
  HookStatus,
  OnStackFailure,
  OperationType,
  ResourceStatus,
  ResourceToImport,
  RollbackConfiguration,
  StackDriftDetectionStatus,
  StackDriftStatus,
  StackResourceDriftStatus,
  StackStatus,
  Tag,
} from '@emu/service-types/cloudformation';
import type { ParameterRecord } from '../templates/parameters.ts';

/** A template as given, keyed by its own id. */
export interface TemplateRecord {
  /** Text of the request. */
  body: string;
  /** JSON of the template with macros expanded; absent without macros. */
  processed?: string;
}

/** An output of a stack. */
export interface OutputRecord {
  key: string;
  value: string;
  description?: string;
  exportName?: string;
  /** Whether its value is masked. */
  noEcho?: true;
}

/** Deployment of a stack, current or future: the inputs of its operations. */
export interface DeploymentRecord {
  templateId: string;
  parameters: ParameterRecord[];
  tags: Tag[];
  capabilities: Capability[];
  notificationArns: string[];
  rollbackConfiguration?: RollbackConfiguration;
  roleArn?: string;
  description?: string;
}

/** A stack, keyed by uuid. Times are epoch milliseconds. */
export interface StackRecord extends DeploymentRecord {
  uuid: string;
  name: string;
  status: StackStatus;
  reason?: string;
  createdAt: number;
  updatedAt?: number;
  deletedAt?: number;
  outputs: OutputRecord[];
  /** Names of exports imported by its resources and outputs. */
  imports: string[];
  disableRollback: boolean;
  terminationProtection: boolean;
  timeoutMinutes?: number;
  retainExceptOnCreate?: true;
  deletionMode?: DeletionMode;
  policy?: string;
  /** ARNs of the parent and root stacks. */
  parentId?: string;
  rootId?: string;
  /** Logical id in the parent, for a stack announced by a change set. */
  nestedAs?: string;
  changeSetId?: string;
  /** Recent client tokens with their requests. */
  tokens: { token: string; operation: string }[];
  drift?: { status: StackDriftStatus; checkedAt: number };
  /** The last operation, including its rollback. */
  lastOperations: { type: string; id: string }[];
}

/** State of a created resource. */
export interface PhysicalRecord {
  type: string;
  /** Values of the primary identifier, joined by `|`. */
  identifier: string;
  /** Result of Ref. */
  physicalId: string;
  attributes: Record<string, unknown>;
  /** Properties of the template, with dynamic references unresolved. */
  properties: Record<string, unknown>;
  /** Properties as events show them, if some values are masked. */
  shown?: Record<string, unknown>;
  /** Stack tags applied to it. */
  tags: Tag[];
  /** Seed of its generated name. */
  random: string;
  /** Whether its attributes are visible to other resources only. */
  noEcho?: true;
}

/** A resource of a stack, keyed by the stack's uuid and its logical id. Times are epoch milliseconds. */
export interface ResourceRecord {
  stack: string;
  logicalId: string;
  type: string;
  status: ResourceStatus;
  reason?: string;
  updatedAt: number;
  description?: string;
  metadata?: string;
  /** Its dependencies at creation. */
  dependsOn: string[];
  deletionPolicy: string;
  updateReplacePolicy: string;
  /** Undefined until it exists. */
  current?: PhysicalRecord;
  /** The last operation that has finished with it. */
  done?: string;
  /** State before the operation in progress; null if it did not exist. */
  before?: PhysicalRecord | null;
  /** Seed of the generated name, during creation. */
  making?: { random: string; identifier?: string };
  /** Requested properties of a custom resource until its update succeeds; a rollback sends them as the old ones. */
  asked?: Record<string, unknown>;
  drift?: { status: StackResourceDriftStatus; checkedAt: number; detail?: string };
}

/** Live state of a resource when a drift-aware change set was created. */
export interface LiveRecord {
  status: StackResourceDriftStatus;
  /** Time of reading in epoch milliseconds. */
  at: number;
  /** JSON of its properties; absent if it could not be read. */
  model?: string;
}

/** A superfluous resource, deleted at the end of an operation. */
export interface LeftoverRecord {
  logicalId: string;
  physical: PhysicalRecord;
  /** Whether it is retained in any case. */
  retain: boolean;
}

/** Kind of operation on a stack. */
export type OperationKind = 'create' | 'update' | 'delete' | 'import' | 'rollback' | 'continue-rollback';
/** Phase of an operation. */
export type OperationPhase = 'apply' | 'cleanup' | 'revert' | 'revert-cleanup' | 'delete';

/** An operation in progress on a stack, keyed by the stack's uuid. Times are epoch milliseconds. */
export interface OperationRecord {
  id: string;
  stack: string;
  kind: OperationKind;
  phase: OperationPhase;
  /** Target deployment. */
  target?: DeploymentRecord;
  /** Previous deployment. */
  previous?: DeploymentRecord;
  onFailure: 'rollback' | 'delete' | 'nothing';
  principal: Principal;
  endpoint: string;
  cause?: string;
  token?: string;
  startedAt: number;
  /** Deadline; the operation fails if it has not ended by then. */
  deadline?: number;
  /** End of the alarm monitoring, set once all resources are done. */
  monitorUntil?: number;
  /** Its rollback. */
  rollback?: { id: string; startedAt: number };
  leftovers: LeftoverRecord[];
  /** Resources to retain, or to skip in a rollback. */
  skip: string[];
  /** Identifiers of resources to import. */
  imports?: ResourceToImport[];
  policyDuringUpdate?: string;
  /** Failure found before any work. */
  problem?: string;
  retainExceptOnCreate?: boolean;
  force?: boolean;
  /** Live state of resources by logical id, if drift is reverted. */
  live?: Record<string, LiveRecord>;
  /** Uuid of the executed change set. */
  changeSet?: string;
}

/** An event of a stack, keyed by the stack's uuid and its number. */
export interface EventRecord {
  id: string;
  stack: string;
  operationId?: string;
  /** Kind and start of that operation. */
  operation?: { type: OperationType; startedAt: number };
  /** The change set of the event. */
  changeSet?: string;
  /** The hook of the event. */
  hook?: { id: string; type: string; status: HookStatus; reason: string; mode: HookFailureMode };
  logicalId: string;
  physicalId: string;
  type: string;
  at: number;
  status: ResourceStatus;
  reason?: string;
  properties?: string;
  token?: string;
}

/** A change set, keyed by the last part of its ARN. Times are epoch milliseconds. */
export interface ChangeSetRecord {
  uuid: string;
  name: string;
  stack: string;
  type: ChangeSetType;
  status: ChangeSetStatus;
  reason?: string;
  execution: ExecutionStatus;
  createdAt: number;
  description?: string;
  target: DeploymentRecord;
  /** Its changes as JSON. */
  changes: string;
  /** The changes with property values. */
  detailedChanges: string;
  /** Reason why property values are incomplete. */
  valuesWarning?: string;
  onStackFailure?: OnStackFailure;
  includeNested: boolean;
  /** Uuids of the parent's change set and stack, and the logical id in the parent. */
  parent?: { uuid: string; root: string; logicalId: string };
  importExisting: boolean;
  imports?: ResourceToImport[];
  deploymentMode?: DeploymentMode;
  /** Live state of resources by logical id, if drift is reverted. */
  live?: Record<string, LiveRecord>;
  token?: string;
  /** The operation that created it. */
  operationId?: string;
}

/** Messages that a resource waits for: a custom resource's response or signals. Keyed by the token in its URL. */
export interface SignalRecord {
  stack: string;
  logicalId: string;
  /** Received JSON texts by unique id. */
  received: Record<string, string>;
  /** Ends of the waits, in epoch milliseconds, by the token of the waiting step. */
  deadlines?: Record<string, number>;
}

/** A macro, keyed by name. */
export interface MacroRecord {
  functionName: string;
}

/** A drift detection of a stack, keyed by id. Times are epoch milliseconds. */
export interface DriftDetectionRecord {
  id: string;
  stack: string;
  /** Resources to compare; all if absent. */
  logicalIds?: string[];
  status: StackDriftDetectionStatus;
  reason?: string;
  /** Drift status of the stack; absent until the detection has ended. */
  found?: StackDriftStatus;
  drifted?: number;
  startedAt: number;
  principal: Principal;
  endpoint: string;
  cause?: string;
}

export const stackCollection = defineCollection<StackRecord>('stacks', 'region', {
  content: ['description', 'policy'],
});
export const templateCollection = defineCollection<TemplateRecord>('templates', 'region', { content: 'all' });
export const resourceCollection = defineCollection<ResourceRecord>('resources', 'region', {
  content: ['properties', 'attributes', 'metadata'],
});
export const operationCollection = defineCollection<OperationRecord>('operations', 'region', {
  content: ['live'],
});
export const eventCollection = defineCollection<EventRecord>('events', 'region', { content: ['properties'] });
export const changeSetCollection = defineCollection<ChangeSetRecord>('change-sets', 'region', {
  content: ['changes', 'detailedChanges', 'live'],
});
export const signalCollection = defineCollection<SignalRecord>('signals', 'region', { content: ['received'] });
export const macroCollection = defineCollection<MacroRecord>('macros', 'region');
export const driftDetectionCollection = defineCollection<DriftDetectionRecord>('drift-detections', 'region');
