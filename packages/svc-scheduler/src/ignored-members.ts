import type { EmptiableMembers } from '@emu/core/service';
import type { SchedulerOperations } from '@emu/service-types/scheduler';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<SchedulerOperations> = {
  CreateSchedule: ['Target.SageMakerPipelineParameters', 'Target.SqsParameters'],
  UpdateSchedule: ['Target.SageMakerPipelineParameters', 'Target.SqsParameters'],
};
