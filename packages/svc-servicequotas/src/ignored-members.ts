import type { EmptiableMembers } from '@emu/core/service';
import type { ServicequotasOperations } from '@emu/service-types/servicequotas';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<ServicequotasOperations> = {
  RequestServiceQuotaIncrease: ['ContextId'],
};
