import type { DeepReadonly } from '@emu/core/service';
import type { ExecutionRecord } from '../records.ts';

export type Execution = DeepReadonly<ExecutionRecord>;

/** ARNs of executions and of what they belong to. */
export interface ExecutionNames {
  executionArn(execution: Pick<ExecutionRecord, 'machine' | 'name' | 'expressId'>): string;
  machineArn(name: string): string;
  mapRunArn(machine: string, label: string, id: string): string;
}

/** Returns the key of an execution's record. */
export const keyOf = ({ machine, name }: Pick<ExecutionRecord, 'machine' | 'name'>): string => `${machine}:${name}`;
