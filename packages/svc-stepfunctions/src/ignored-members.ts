import type { EmptiableMembers } from '@emu/core/service';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<StepfunctionsOperations> = {
  CreateStateMachine: ['versionDescription'],
  PublishStateMachineVersion: ['revisionId'],
  UpdateStateMachine: ['versionDescription'],
};
