import type { EmptiableMembers } from '@emu/core/service';
import type { LogsOperations } from '@emu/service-types/logs';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<LogsOperations> = {
  CreateLogGroup: ['kmsKeyId'],
  CreateLookupTable: ['kmsKeyId'],
  PutAccountPolicy: ['selectionCriteria'],
  PutResourcePolicy: ['resourceArn'],
  StartQuery: ['logGroupNames', 'logGroupIdentifiers'],
  UpdateLookupTable: ['kmsKeyId'],
};
