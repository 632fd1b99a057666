import type { EmptiableMembers } from '@emu/core/service';
import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<CognitoIdpOperations> = {
  AddCustomAttributes: [
    'CustomAttributes[].NumberAttributeConstraints.MinValue',
    'CustomAttributes[].NumberAttributeConstraints.MaxValue',
    'CustomAttributes[].StringAttributeConstraints.MinLength',
    'CustomAttributes[].StringAttributeConstraints.MaxLength',
  ],
  CreateUserPool: [
    'Schema[].NumberAttributeConstraints.MinValue',
    'Schema[].NumberAttributeConstraints.MaxValue',
    'Schema[].StringAttributeConstraints.MinLength',
    'Schema[].StringAttributeConstraints.MaxLength',
  ],
  CreateUserPoolClient: ['AnalyticsConfiguration'],
  SetLogDeliveryConfiguration: [
    'LogConfigurations[].CloudWatchLogsConfiguration',
    'LogConfigurations[].S3Configuration',
    'LogConfigurations[].FirehoseConfiguration',
  ],
  UpdateUserPoolClient: ['AnalyticsConfiguration'],
};
