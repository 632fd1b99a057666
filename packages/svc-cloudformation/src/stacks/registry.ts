import type { DeepReadonly } from '@emu/core';
import type { ChangeSetRecord, EventRecord, OperationRecord, ResourceRecord, StackRecord } from './records.ts';

/** A stack as it is kept. */
export type Stack = DeepReadonly<StackRecord>;
/** A resource of a stack as it is kept. */
export type Resource = DeepReadonly<ResourceRecord>;
/** A change set as it is kept. */
export type ChangeSet = DeepReadonly<ChangeSetRecord>;
/** Work on a stack as it is kept. */
export type Operation = DeepReadonly<OperationRecord>;

/** An event of a stack with its number. */
export interface NumberedEvent {
  readonly number: number;
  readonly event: DeepReadonly<EventRecord>;
}

/** The stacks of one account and region, as looking them up needs them. */
export interface StackRegistry {
  /** A stack by its uuid. */
  stack(uuid: string): Stack | undefined;
  /** Stacks that are not deleted, the newest first. */
  activeStacks(): Stack[];
  /** A change set by its uuid. */
  changeSet(uuid: string): ChangeSet | undefined;
}
