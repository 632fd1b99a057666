import type { EmptiableMembers } from '@emu/core/service';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<ApigatewayOperations> = {
  CreateBasePathMapping: ['domainNameId'],
  CreateDocumentationVersion: ['stageName'],
  CreateDomainName: ['policy'],
  CreateRestApi: ['cloneFrom'],
  CreateStage: ['documentationVersion', 'canarySettings.deploymentId'],
  CreateUsagePlan: ['quota', 'throttle'],
  DeleteBasePathMapping: ['domainNameId'],
  DeleteDomainName: ['domainNameId'],
  PutIntegration: ['passthroughBehavior'],
  PutMethod: ['requestValidatorId'],
  UpdateBasePathMapping: ['domainNameId'],
  UpdateDomainName: ['domainNameId'],
};
