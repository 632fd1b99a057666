import type { EmptiableMembers } from '@emu/core/service';
import type { FirehoseOperations } from '@emu/service-types/firehose';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<FirehoseOperations> = {
  UpdateDestination: [
    'ExtendedS3DestinationUpdate.S3BackupUpdate',
    'RedshiftDestinationUpdate.S3BackupUpdate',
    'SplunkDestinationUpdate.HECEndpoint',
  ],
};
