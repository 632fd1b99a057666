import type { EmptiableMembers } from '@emu/core/service';
import type { SsmOperations } from '@emu/service-types/ssm';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<SsmOperations> = {
  CreateAssociation: ['Targets', 'OutputLocation'],
  CreateOpsItem: ['OpsItemType'],
  CreateResourceDataSync: ['S3Destination.DestinationDataSharing'],
  PutInventory: ['Items[].Context'],
  PutResourcePolicy: ['PolicyId'],
  RegisterTaskWithMaintenanceWindow: [
    'TaskInvocationParameters.RunCommand',
    'TaskInvocationParameters.Automation',
    'TaskInvocationParameters.StepFunctions',
    'TaskInvocationParameters.Lambda',
  ],
  SendCommand: ['DocumentHash', 'ServiceRoleArn'],
  UpdateMaintenanceWindowTarget: ['Targets'],
  UpdateMaintenanceWindowTask: [
    'TaskInvocationParameters.RunCommand',
    'TaskInvocationParameters.Automation',
    'TaskInvocationParameters.StepFunctions',
    'TaskInvocationParameters.Lambda',
  ],
};
