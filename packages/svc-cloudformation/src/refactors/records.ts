import { defineCollection } from '@emu/core';
import type {
  StackRefactorDetection,
  StackRefactorExecutionStatus,
  StackRefactorStatus,
  Tag,
} from '@emu/service-types/cloudformation';
import type { DeploymentRecord, OutputRecord } from '../stacks/records.ts';

/** A stack as a refactor makes it. */
export interface RefactoredStackRecord {
  uuid: string;
  name: string;
  /** Whether the refactor makes it. */
  isNew: boolean;
  /** The template that it had when the refactor was planned. */
  templateBefore?: string;
  deployment: DeploymentRecord;
  outputs: OutputRecord[];
  imports: string[];
}

/** A resource that a refactor moves. */
export interface MoveRecord {
  from: { stack: string; logicalId: string };
  to: { stack: string; logicalId: string };
  detection: StackRefactorDetection;
  dependsOn: string[];
  deletionPolicy: string;
  updateReplacePolicy: string;
  metadata?: string;
  /** Tags that it has of its new stack. */
  tags: Tag[];
}

/** A plan to move resources between stacks, kept by its id. */
export interface RefactorRecord {
  id: string;
  description?: string;
  status: StackRefactorStatus;
  reason?: string;
  execution: StackRefactorExecutionStatus;
  executionReason?: string;
  stacks: RefactoredStackRecord[];
  moves: MoveRecord[];
}

export const refactorCollection = defineCollection<RefactorRecord>('stack-refactors', 'region', {
  content: ['description'],
});
