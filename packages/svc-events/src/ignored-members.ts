import type { EmptiableMembers } from '@emu/core/service';
import type { EventsOperations } from '@emu/service-types/events';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<EventsOperations> = {
  PutPermission: ['Policy'],
  PutTargets: ['Targets[].Input', 'Targets[].InputPath'],
};
