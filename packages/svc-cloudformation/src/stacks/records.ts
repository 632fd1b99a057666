import { defineCollection, type Principal } from '@emu/core';
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

/** A template as it was given, kept by an id of its own. */
export interface TemplateRecord {
  /** Text of the request. */
  body: string;
  /** JSON of the template with its macros expanded; absent where it has none. */
  processed?: string;
}

/** An output of a stack. */
export interface OutputRecord {
  key: string;
  value: string;
  description?: string;
  exportName?: string;
  /** Whether its value is not to be told. */
  noEcho?: true;
}

/** What a stack is, or is to be: what the operations on it give. */
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

/** A stack, kept by its uuid. Times are epoch milliseconds. */
export interface StackRecord extends DeploymentRecord {
  uuid: string;
  name: string;
  status: StackStatus;
  reason?: string;
  createdAt: number;
  updatedAt?: number;
  deletedAt?: number;
  outputs: OutputRecord[];
  /** Names of exports that its resources and outputs take. */
  imports: string[];
  disableRollback: boolean;
  terminationProtection: boolean;
  timeoutMinutes?: number;
  retainExceptOnCreate?: true;
  deletionMode?: DeletionMode;
  policy?: string;
  /** ARNs of the stack that it is nested in, and of the outermost one. */
  parentId?: string;
  rootId?: string;
  /** Id of the resource that it is there, of a stack that a change set has announced. */
  nestedAs?: string;
  changeSetId?: string;
  /** Client tokens of its latest requests with what they asked for. */
  tokens: { token: string; operation: string }[];
  drift?: { status: StackDriftStatus; checkedAt: number };
  /** The last operation, after the rollback that it led to. */
  lastOperations: { type: string; id: string }[];
}

/** A resource as it was made. */
export interface PhysicalRecord {
  type: string;
  /** Values of the primary identifier, joined by `|`. */
  identifier: string;
  /** What Ref returns. */
  physicalId: string;
  attributes: Record<string, unknown>;
  /** As the template gives them, with dynamic references as they are written. */
  properties: Record<string, unknown>;
  /** The properties as events tell them, where some of their values are not to be told. */
  shown?: Record<string, unknown>;
  /** Tags of the stack that were applied with it. */
  tags: Tag[];
  /** What its name was made with. */
  random: string;
  /** Whether its attributes are not to be told, but to resources. */
  noEcho?: true;
}

/** A resource of a stack, kept by the stack's uuid and its logical id. Times are epoch milliseconds. */
export interface ResourceRecord {
  stack: string;
  logicalId: string;
  type: string;
  status: ResourceStatus;
  reason?: string;
  updatedAt: number;
  description?: string;
  metadata?: string;
  /** Resources that it was made after. */
  dependsOn: string[];
  deletionPolicy: string;
  updateReplacePolicy: string;
  /** Undefined until it exists. */
  current?: PhysicalRecord;
  /** The operation that has done its part of it. */
  done?: string;
  /** What it was before the operation in progress; null where it was not there. */
  before?: PhysicalRecord | null;
  /** What the name of a resource that is being made is made with. */
  making?: { random: string; identifier?: string };
  /** Properties that a custom resource was last asked to take, until it has them; a rollback names them as the old ones. */
  asked?: Record<string, unknown>;
  drift?: { status: StackResourceDriftStatus; checkedAt: number; detail?: string };
}

/** What a resource was found to be when a drift-aware change set was made. */
export interface LiveRecord {
  status: StackResourceDriftStatus;
  /** When it was read, in epoch milliseconds. */
  at: number;
  /** JSON of the properties that it had; absent where it could not be read. */
  model?: string;
}

/** A resource that is of no use any more and is deleted at the end of an operation. */
export interface LeftoverRecord {
  logicalId: string;
  physical: PhysicalRecord;
  /** Whether it stays, whatever becomes of the stack. */
  retain: boolean;
}

/** What is done to a stack. */
export type OperationKind = 'create' | 'update' | 'delete' | 'import' | 'rollback' | 'continue-rollback';
/** How far an operation has come. */
export type OperationPhase = 'apply' | 'cleanup' | 'revert' | 'revert-cleanup' | 'delete';

/** Work on a stack that has not ended, kept by the stack's uuid. Times are epoch milliseconds. */
export interface OperationRecord {
  id: string;
  stack: string;
  kind: OperationKind;
  phase: OperationPhase;
  /** What the stack is to be. */
  target?: DeploymentRecord;
  /** What it was. */
  previous?: DeploymentRecord;
  onFailure: 'rollback' | 'delete' | 'nothing';
  principal: Principal;
  endpoint: string;
  cause?: string;
  token?: string;
  startedAt: number;
  /** When it fails, if it has not ended by then. */
  deadline?: number;
  /** Until when alarms are watched, once everything is made. */
  monitorUntil?: number;
  /** The rollback that it led to. */
  rollback?: { id: string; startedAt: number };
  leftovers: LeftoverRecord[];
  /** Resources that are not deleted, or are skipped by a rollback. */
  skip: string[];
  /** Identifiers of resources that become the stack's. */
  imports?: ResourceToImport[];
  policyDuringUpdate?: string;
  /** Why it fails before anything is done. */
  problem?: string;
  retainExceptOnCreate?: boolean;
  force?: boolean;
  /** What resources were found to be, by their logical ids, where drift is reverted. */
  live?: Record<string, LiveRecord>;
  /** Uuid of the change set that is executed. */
  changeSet?: string;
}

/** An event of a stack, kept by the stack's uuid and its number. */
export interface EventRecord {
  id: string;
  stack: string;
  operationId?: string;
  /** What that operation does, and since when. */
  operation?: { type: OperationType; startedAt: number };
  /** The change set that it tells of. */
  changeSet?: string;
  /** The hook that it tells of. */
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

/** A change set, kept by the last part of its ARN. Times are epoch milliseconds. */
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
  /** What it changes, as JSON. */
  changes: string;
  /** The same with the values of properties. */
  detailedChanges: string;
  /** Why those values are not told whole. */
  valuesWarning?: string;
  onStackFailure?: OnStackFailure;
  includeNested: boolean;
  /** The change set of the stack that its stack is nested in, by their uuids, and the id of the resource there. */
  parent?: { uuid: string; root: string; logicalId: string };
  importExisting: boolean;
  imports?: ResourceToImport[];
  deploymentMode?: DeploymentMode;
  /** What resources were found to be, by their logical ids, where drift is reverted. */
  live?: Record<string, LiveRecord>;
  token?: string;
  /** The operation that made it. */
  operationId?: string;
}

/** What a resource waits for from outside: a custom resource's answer or signals. Kept by the token in its URL. */
export interface SignalRecord {
  stack: string;
  logicalId: string;
  /** JSON texts that came, by their unique ids. */
  received: Record<string, string>;
}

/** A macro, kept by its name. */
export interface MacroRecord {
  functionName: string;
}

/** A drift detection of a stack, kept by its id. Times are epoch milliseconds. */
export interface DriftDetectionRecord {
  id: string;
  stack: string;
  /** Resources that are looked at; all where absent. */
  logicalIds?: string[];
  status: StackDriftDetectionStatus;
  reason?: string;
  /** What the stack was found to be; absent until the detection has ended. */
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
