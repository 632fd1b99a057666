import type { Collection, DeepReadonly, StateScope } from '@emu/core/service';
import { stackSetType } from '../resources.ts';
import {
  type StackInstanceRecord,
  type StackSetOperationRecord,
  type StackSetRecord,
  stackInstanceCollection,
  stackSetCollection,
  stackSetOperationCollection,
} from './records.ts';

/** A stored stack set. */
export type StackSet = DeepReadonly<StackSetRecord>;
/** A stored stack instance. */
export type StackInstance = DeepReadonly<StackInstanceRecord>;
/** A stored stack set operation. */
export type StackSetOperation = DeepReadonly<StackSetOperationRecord>;

/** Location of a stack instance. */
export type Place = Pick<StackInstance, 'account' | 'region'>;

/** Maximum number of stored deleted stack sets, and of ended operations of a stack set. */
const MAX_DELETED = 1000;
const MAX_OPERATIONS = 1000;

const instanceKey = (set: string, { account, region }: Place): string => `${set}/${account}/${region}`;
const operationKey = (set: string, id: string): string => `${set}/${id}`;
const isActive = (set: Pick<StackSet, 'status'> | undefined): number => (set?.status === 'ACTIVE' ? 1 : 0);
const PENDING = /^(RUNNING|STOPPING|QUEUED)$/;

/** The stack sets of an account and region with their instances and operations. */
export class StackSets {
  private readonly sets: Collection<StackSetRecord>;
  private readonly instanceRecords: Collection<StackInstanceRecord>;
  private readonly operationRecords: Collection<StackSetOperationRecord>;
  /** Number of stack sets that are not deleted. */
  activeNumber = 0;

  constructor(private readonly scope: StateScope) {
    this.sets = scope.collection(stackSetCollection);
    this.instanceRecords = scope.collection(stackInstanceCollection);
    this.operationRecords = scope.collection(stackSetOperationCollection);
    for (const set of this.sets.values()) this.activeNumber += isActive(set);
  }

  /** Returns the ARN of a stack set. */
  arn({ name, uuid }: Pick<StackSet, 'name' | 'uuid'>): string {
    return stackSetType.arn({ name, uuid }, this.scope);
  }

  /** Returns a stack set by name, id or ARN; a deleted one only by id or ARN. */
  find(name: string): StackSet | undefined {
    const key = stackSetType.parse(name)?.key;
    const byId = this.sets.get(key ? `${key.name}:${key.uuid}` : name);
    return byId ?? this.all().find((set) => set.name === name && set.status === 'ACTIVE');
  }

  /** Returns all stack sets, including deleted ones. */
  all(): StackSet[] {
    return [...this.sets.values()];
  }

  put(record: StackSetRecord): StackSet {
    const deleted = this.all().filter(({ status }) => status === 'DELETED');
    if (deleted.length >= MAX_DELETED) this.discard(deleted[0]!.id);
    this.activeNumber += isActive(record) - isActive(this.sets.get(record.id));
    return this.sets.put(record.id, record);
  }

  private discard(id: string): void {
    for (const { id: operation } of this.operations(id)) this.operationRecords.delete(operationKey(id, operation));
    this.sets.delete(id);
  }

  update(id: string, change: (draft: StackSetRecord) => void): StackSet {
    const before = isActive(this.sets.get(id));
    const set = this.sets.update(id, change);
    this.activeNumber += isActive(set) - before;
    return set;
  }

  instance(set: string, place: Place): StackInstance | undefined {
    return this.instanceRecords.get(instanceKey(set, place));
  }

  /** Returns the instances of a stack set, sorted by account and region. */
  instances(set: string): StackInstance[] {
    return [...this.instanceRecords.values()]
      .filter((instance) => instance.set === set)
      .sort((a, b) => (instanceKey('', a) < instanceKey('', b) ? -1 : 1));
  }

  putInstance(record: StackInstanceRecord): StackInstance {
    return this.instanceRecords.put(instanceKey(record.set, record), record);
  }

  updateInstance(set: string, place: Place, change: (draft: StackInstanceRecord) => void): StackInstance {
    return this.instanceRecords.update(instanceKey(set, place), change);
  }

  deleteInstance(set: string, place: Place): void {
    this.instanceRecords.delete(instanceKey(set, place));
  }

  operation(set: string, id: string): StackSetOperation | undefined {
    return this.operationRecords.get(operationKey(set, id));
  }

  /** Returns the operations on a stack set, oldest first. */
  operations(set: string): StackSetOperation[] {
    return [...this.operationRecords.values()].filter((operation) => operation.set === set);
  }

  /** Returns operations in progress of all stack sets. */
  pending(): StackSetOperation[] {
    return [...this.operationRecords.values()].filter(({ status }) => PENDING.test(status));
  }

  putOperation(record: StackSetOperationRecord): StackSetOperation {
    const ended = this.operations(record.set).filter(({ status }) => !PENDING.test(status));
    if (ended.length >= MAX_OPERATIONS) this.operationRecords.delete(operationKey(record.set, ended[0]!.id));
    return this.operationRecords.put(operationKey(record.set, record.id), record);
  }

  updateOperation(set: string, id: string, change: (draft: StackSetOperationRecord) => void): StackSetOperation {
    return this.operationRecords.update(operationKey(set, id), change);
  }
}
