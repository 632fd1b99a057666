import type { EmptiableMembers } from '@emu/core/service';
import type { LambdaOperations } from '@emu/service-types/lambda';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<LambdaOperations> = {
  AddLayerVersionPermission: ['RevisionId'],
  AddPermission: ['RevisionId'],
  CreateEventSourceMapping: ['FilterCriteria.Filters[].Pattern'],
  CreateFunction: ['Code.ImageUri', 'ImageConfig'],
  PublishVersion: ['RevisionId'],
  RemoveLayerVersionPermission: ['RevisionId'],
  RemovePermission: ['RevisionId'],
  UpdateAlias: ['RevisionId'],
  UpdateEventSourceMapping: ['FilterCriteria.Filters[].Pattern'],
  UpdateFunctionCode: ['ImageUri', 'RevisionId'],
  UpdateFunctionConfiguration: ['RevisionId'],
};
