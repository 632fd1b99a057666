import type { EmptiableMembers } from '@emu/core/service';
import type { S3controlOperations } from '@emu/service-types/s3control';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<S3controlOperations> = {
  CreateAccessPoint: ['Scope'],
};
