import type { EmptiableMembers } from '@emu/core/service';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<Apigatewayv2Operations> = {
  CreateApi: ['ApiKeySelectionExpression', 'RouteKey', 'RouteSelectionExpression', 'Target'],
  CreateDeployment: ['StageName'],
  CreateIntegration: ['IntegrationMethod', 'IntegrationSubtype', 'IntegrationUri', 'PayloadFormatVersion'],
  CreateRoutingRule: ['DomainNameId'],
  CreateStage: ['DeploymentId'],
  DeleteRoutingRule: ['DomainNameId'],
  ImportApi: ['Basepath'],
  PutRoutingRule: ['DomainNameId'],
  ReimportApi: ['Basepath'],
  UpdateApi: ['ApiKeySelectionExpression', 'RouteKey', 'RouteSelectionExpression', 'Target'],
  UpdateApiMapping: ['Stage'],
  UpdateDomainName: ['DomainNameConfigurations[].CertificateArn', 'DomainNameConfigurations'],
  UpdateIntegration: ['IntegrationMethod', 'IntegrationSubtype', 'IntegrationUri', 'PayloadFormatVersion'],
  UpdateStage: ['DeploymentId'],
};
