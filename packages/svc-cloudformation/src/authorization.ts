import type { PassedRole, PassedRoles, ServiceAuthorization } from '@emu/core/service';
import type { CloudformationOperations, RegistryType } from '@emu/service-types/cloudformation';
import type { CloudformationState } from './state.ts';

const STACK_ROLE: PassedRoles<CloudformationState> = { RoleARN: 'cloudformation' };
const ADMINISTRATION_ROLE: PassedRoles<CloudformationState> = { AdministrationRoleARN: 'cloudformation' };

/**
 * Roles of extensions, whose trust policies name the principal of their kind.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/lambda-hooks-prepare-to-create-hook.html
 */
const EXTENSION_ROLE: PassedRole<CloudformationState> = {
  service: (input) =>
    (input as { Type?: RegistryType }).Type === 'HOOK' ? 'hooks.cloudformation' : 'resources.cloudformation',
  role: (arn) => arn,
};
const EXTENSION_ROLES: PassedRoles<CloudformationState> = {
  ExecutionRoleArn: EXTENSION_ROLE,
  'LoggingConfig.LogRoleArn': EXTENSION_ROLE,
};

/**
 * Permissions of the operations: their action on the stack, stack set or extension, and `iam:PassRole` for the role of a
 * request. A role that the stack has from an earlier request is not passed again.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-iam-servicerole.html
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscloudformation.html
 */
export const authorization: ServiceAuthorization<CloudformationOperations, CloudformationState> = {
  roles: {
    ActivateType: EXTENSION_ROLES,
    ContinueUpdateRollback: STACK_ROLE,
    CreateChangeSet: STACK_ROLE,
    CreateStack: STACK_ROLE,
    CreateStackSet: ADMINISTRATION_ROLE,
    DeleteStack: STACK_ROLE,
    RegisterType: EXTENSION_ROLES,
    RollbackStack: STACK_ROLE,
    UpdateStack: STACK_ROLE,
    UpdateStackSet: ADMINISTRATION_ROLE,
  },
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStackSet.html
  tagOnCreate: { CreateStackSet: 'TagResource' },
};
