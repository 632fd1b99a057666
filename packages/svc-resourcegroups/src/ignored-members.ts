import type { EmptiableMembers } from '@emu/core/service';
import type { ResourcegroupsOperations } from '@emu/service-types/resourcegroups';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<ResourcegroupsOperations> = {
  CreateGroup: ['DisplayName', 'Owner'],
  UpdateGroup: ['DisplayName', 'Owner'],
};
