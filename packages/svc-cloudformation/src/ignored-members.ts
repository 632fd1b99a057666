import type { EmptiableMembers } from '@emu/core/service';
import type { CloudformationOperations } from '@emu/service-types/cloudformation';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<CloudformationOperations> = {
  CreateGeneratedTemplate: ['StackName', 'Resources[].LogicalResourceId'],
  CreateStackInstances: [
    'Accounts',
    'DeploymentTargets.Accounts',
    'DeploymentTargets.OrganizationalUnitIds',
    'DeploymentTargets',
  ],
  CreateStackSet: ['StackId'],
  DeleteStackInstances: [
    'Accounts',
    'DeploymentTargets.Accounts',
    'DeploymentTargets.OrganizationalUnitIds',
    'DeploymentTargets',
  ],
  UpdateGeneratedTemplate: ['AddResources[].LogicalResourceId'],
  UpdateStackInstances: [
    'Accounts',
    'DeploymentTargets.Accounts',
    'DeploymentTargets.OrganizationalUnitIds',
    'DeploymentTargets',
  ],
  UpdateStackSet: [
    'Accounts',
    'Regions',
    'DeploymentTargets.Accounts',
    'DeploymentTargets.OrganizationalUnitIds',
    'DeploymentTargets',
  ],
};
