import type { EmptiableMembers } from '@emu/core/service';
import type { SqsOperations } from '@emu/service-types/sqs';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<SqsOperations> = {
  StartMessageMoveTask: ['DestinationArn'],
};
