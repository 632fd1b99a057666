import type { EmptiableMembers } from '@emu/core/service';
import type { DynamodbOperations } from '@emu/service-types/dynamodb';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<DynamodbOperations> = {
  CreateTable: ['ResourcePolicy', 'SSESpecification.KMSMasterKeyId'],
  ImportTable: ['TableCreationParameters.SSESpecification.KMSMasterKeyId'],
  RestoreTableFromBackup: ['SSESpecificationOverride.KMSMasterKeyId'],
  RestoreTableToPointInTime: ['SSESpecificationOverride.KMSMasterKeyId'],
  UpdateGlobalTableSettings: [
    'GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate',
    'GlobalTableGlobalSecondaryIndexSettingsUpdate[].ProvisionedWriteCapacityAutoScalingSettingsUpdate',
    'ReplicaSettingsUpdate[].ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate',
    'ReplicaSettingsUpdate[].ReplicaGlobalSecondaryIndexSettingsUpdate[].ProvisionedReadCapacityAutoScalingSettingsUpdate',
  ],
  UpdateTable: [
    'OnDemandThroughput',
    'SSESpecification.KMSMasterKeyId',
    'SSESpecification',
    'WarmThroughput',
    'ReplicaUpdates[].Create.ProvisionedThroughputOverride',
    'ReplicaUpdates[].Create.GlobalSecondaryIndexes[].ProvisionedThroughputOverride',
    'ReplicaUpdates[].Update.ProvisionedThroughputOverride',
    'ReplicaUpdates[].Update.GlobalSecondaryIndexes[].ProvisionedThroughputOverride',
  ],
  UpdateTableReplicaAutoScaling: [
    'ProvisionedWriteCapacityAutoScalingUpdate',
    'GlobalSecondaryIndexUpdates[].ProvisionedWriteCapacityAutoScalingUpdate',
    'ReplicaUpdates[].ReplicaGlobalSecondaryIndexUpdates[].ProvisionedReadCapacityAutoScalingUpdate',
    'ReplicaUpdates[].ReplicaProvisionedReadCapacityAutoScalingUpdate',
  ],
};
