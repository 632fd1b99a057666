import { defineCollection } from '@emu/core/service';
import type {
  StackRefactorDetection,
  StackRefactorExecutionStatus,
  StackRefactorStatus,
  Tag,
} from '@emu/service-types/cloudformation';
import type { DeploymentRecord, OutputRecord } from '../stacks/records.ts';

/** A stack after the refactor. */
export interface RefactoredStackRecord {
  uuid: string;
  name: string;
  /** Whether the refactor creates it. */
  isNew: boolean;
  /** Its template when the refactor was planned. */
  templateBefore?: string;
  deployment: DeploymentRecord;
  outputs: OutputRecord[];
  imports: string[];
}

/** A moved resource of a refactor. */
export interface MoveRecord {
  from: { stack: string; logicalId: string };
  to: { stack: string; logicalId: string };
  detection: StackRefactorDetection;
  dependsOn: string[];
  deletionPolicy: string;
  updateReplacePolicy: string;
  metadata?: string;
  /** Tags from its new stack. */
  tags: Tag[];
}

/** A plan to move resources between stacks, keyed by id. */
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
