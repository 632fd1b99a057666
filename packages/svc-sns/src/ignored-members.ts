import type { EmptiableMembers } from '@emu/core/service';
import type { SnsOperations } from '@emu/service-types/sns';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<SnsOperations> = {
  CreatePlatformEndpoint: ['CustomUserData'],
};
