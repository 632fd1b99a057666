import type { ResourceTypeFacts } from '@emu/core/service';

const text = { type: 'string' } as const;
const fixed = { type: 'string', replacement: 'yes' } as const;

/**
 * Facts about CloudFormation's own types that are not part of deploying a stack, from `@aws-cdk/aws-service-spec`. The
 * default file name would collide with the service's model.
 */
export const FACTS: Readonly<Record<string, ResourceTypeFacts>> = {
  'AWS::CloudFormation::StackSet': {
    primaryIdentifier: ['StackSetId'],
    attributes: { StackSetId: 'string' },
    tags: { property: 'Tags', form: 'list' },
    writeOnly: ['CallAs', 'OperationPreferences', 'TemplateURL'],
    properties: {
      AdministrationRoleARN: text,
      AutoDeployment: { type: { ref: 'AutoDeployment' } },
      CallAs: { type: { enum: ['SELF', 'DELEGATED_ADMIN'] } },
      Capabilities: { type: { list: 'string' } },
      Description: text,
      ExecutionRoleName: text,
      ManagedExecution: { type: { ref: 'ManagedExecution' } },
      OperationPreferences: { type: { ref: 'OperationPreferences' } },
      Parameters: { type: { list: { ref: 'Parameter' } } },
      PermissionModel: { type: { enum: ['SERVICE_MANAGED', 'SELF_MANAGED'] }, required: true, replacement: 'yes' },
      StackInstancesGroup: { type: { list: { ref: 'StackInstances' } } },
      StackSetName: { type: 'string', required: true, replacement: 'yes' },
      Tags: { type: { list: 'tag' } },
      TemplateBody: text,
      TemplateURL: text,
    },
    definitions: {
      AutoDeployment: { Enabled: { type: 'boolean' }, RetainStacksOnAccountRemoval: { type: 'boolean' } },
      DeploymentTargets: {
        AccountFilterType: text,
        Accounts: { type: { list: 'string' } },
        AccountsUrl: text,
        OrganizationalUnitIds: { type: { list: 'string' } },
      },
      ManagedExecution: { Active: { type: 'boolean' } },
      OperationPreferences: {
        ConcurrencyMode: text,
        FailureToleranceCount: { type: 'integer' },
        FailureTolerancePercentage: { type: 'integer' },
        MaxConcurrentCount: { type: 'integer' },
        MaxConcurrentPercentage: { type: 'integer' },
        RegionConcurrencyType: text,
        RegionOrder: { type: { list: 'string' } },
      },
      Parameter: {
        ParameterKey: { type: 'string', required: true },
        ParameterValue: { type: 'string', required: true },
      },
      StackInstances: {
        DeploymentTargets: { type: { ref: 'DeploymentTargets' }, required: true },
        ParameterOverrides: { type: { list: { ref: 'Parameter' } } },
        Regions: { type: { list: 'string' }, required: true },
      },
    },
  },
  'AWS::CloudFormation::TypeActivation': {
    primaryIdentifier: ['Arn'],
    attributes: { Arn: 'string' },
    properties: {
      AutoUpdate: { type: 'boolean' },
      ExecutionRoleArn: text,
      LoggingConfig: { type: 'json', replacement: 'yes' },
      MajorVersion: text,
      PublicTypeArn: text,
      PublisherId: text,
      Type: { type: { enum: ['RESOURCE', 'MODULE', 'HOOK'] } },
      TypeName: text,
      TypeNameAlias: text,
      VersionBump: { type: { enum: ['MAJOR', 'MINOR'] } },
    },
    writeOnly: ['MajorVersion', 'PublicTypeArn', 'VersionBump'],
  },
  'AWS::CloudFormation::HookTypeConfig': {
    primaryIdentifier: ['ConfigurationArn'],
    attributes: { ConfigurationArn: 'string' },
    properties: {
      Configuration: { type: 'string', required: true },
      ConfigurationAlias: { type: { enum: ['default'] }, replacement: 'yes' },
      TypeArn: text,
      TypeName: text,
    },
  },
  'AWS::CloudFormation::Publisher': {
    primaryIdentifier: ['PublisherId'],
    attributes: {
      IdentityProvider: 'string',
      PublisherId: 'string',
      PublisherProfile: 'string',
      PublisherStatus: 'string',
    },
    properties: {
      AcceptTermsAndConditions: { type: 'boolean', required: true, replacement: 'yes' },
      ConnectionArn: fixed,
    },
    writeOnly: ['AcceptTermsAndConditions', 'ConnectionArn'],
  },
  'AWS::CloudFormation::PublicTypeVersion': {
    primaryIdentifier: ['PublicTypeArn'],
    attributes: { PublicTypeArn: 'string', PublisherId: 'string', TypeVersionArn: 'string' },
    properties: {
      Arn: fixed,
      LogDeliveryBucket: fixed,
      PublicVersionNumber: fixed,
      Type: { type: { enum: ['HOOK', 'MODULE', 'RESOURCE'] }, replacement: 'yes' },
      TypeName: fixed,
    },
    writeOnly: ['LogDeliveryBucket'],
  },
  'AWS::CloudFormation::ModuleVersion': {
    primaryIdentifier: ['Arn'],
    attributes: {
      Arn: 'string',
      Description: 'string',
      IsDefaultVersion: 'boolean',
      Schema: 'string',
      TimeCreated: 'string',
      VersionId: 'string',
      Visibility: 'string',
    },
    properties: {
      ModuleName: { type: 'string', required: true, replacement: 'yes' },
      ModulePackage: { type: 'string', required: true, replacement: 'yes' },
    },
    writeOnly: ['ModulePackage'],
  },
  'AWS::CloudFormation::ModuleDefaultVersion': {
    primaryIdentifier: ['Arn'],
    attributes: {},
    properties: { Arn: fixed, ModuleName: fixed, VersionId: fixed },
    writeOnly: ['ModuleName', 'VersionId'],
  },
  'AWS::CloudFormation::ChangeSet': {
    primaryIdentifier: ['ChangeSetId'],
    attributes: { ChangeSetId: 'string', StackId: 'string', CreationTime: 'string' },
    writeOnly: ['ChangeSetType', 'RoleARN', 'TemplateBody', 'TemplateURL', 'UsePreviousTemplate'],
    properties: {
      Capabilities: {
        type: { list: { enum: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'] } },
        replacement: 'yes',
      },
      ChangeSetName: { type: 'string', required: true, replacement: 'yes' },
      ChangeSetType: { type: { enum: ['CREATE', 'UPDATE', 'IMPORT'] }, replacement: 'yes' },
      DeploymentMode: { type: { enum: ['REVERT_DRIFT'] }, replacement: 'yes' },
      Description: fixed,
      ImportExistingResources: { type: 'boolean', replacement: 'yes' },
      IncludeNestedStacks: { type: 'boolean', replacement: 'yes' },
      NotificationARNs: { type: { list: 'string' }, replacement: 'yes' },
      OnStackFailure: { type: { enum: ['DO_NOTHING', 'ROLLBACK', 'DELETE'] }, replacement: 'yes' },
      RoleARN: fixed,
      StackName: { type: 'string', required: true, replacement: 'yes' },
      Tags: { type: { list: 'tag' }, replacement: 'yes' },
      TemplateBody: fixed,
      TemplateURL: fixed,
      UsePreviousTemplate: { type: 'boolean', replacement: 'yes' },
    },
  },
  'AWS::CloudFormation::GeneratedTemplate': {
    primaryIdentifier: ['GeneratedTemplateId'],
    attributes: {
      CreationTime: 'string',
      GeneratedTemplateId: 'string',
      LastUpdatedTime: 'string',
      Status: 'string',
      TotalWarnings: 'integer',
    },
    properties: {
      GeneratedTemplateName: { type: 'string', required: true },
      TemplateConfiguration: { type: { ref: 'TemplateConfiguration' } },
    },
    definitions: {
      TemplateConfiguration: {
        DeletionPolicy: { type: { enum: ['DELETE', 'RETAIN'] } },
        UpdateReplacePolicy: { type: { enum: ['DELETE', 'RETAIN'] } },
      },
    },
  },
};

/** The facts in the form of a service's `model/cloudformation.json`. */
export const MODEL = { types: FACTS };
