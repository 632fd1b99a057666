import type { DeepReadonly } from '@emu/core/service';
import type { ChangeSetRecord, EventRecord, OperationRecord, ResourceRecord, StackRecord } from './records.ts';

/** A stored stack. */
export type Stack = DeepReadonly<StackRecord>;
/** A stored resource of a stack. */
export type Resource = DeepReadonly<ResourceRecord>;
/** A stored change set. */
export type ChangeSet = DeepReadonly<ChangeSetRecord>;
/** A stored operation on a stack. */
export type Operation = DeepReadonly<OperationRecord>;

/** A stack event with its number. */
export interface NumberedEvent {
  readonly number: number;
  readonly event: DeepReadonly<EventRecord>;
}

/** The stacks of one account and region, as lookup needs them. */
export interface StackRegistry {
  /** Returns the stack with a uuid. */
  stack(uuid: string): Stack | undefined;
  /** Returns the stacks that are not deleted, newest first. */
  activeStacks(): Stack[];
  /** Returns the change set with a uuid. */
  changeSet(uuid: string): ChangeSet | undefined;
}
