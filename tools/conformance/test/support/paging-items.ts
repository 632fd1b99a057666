import { SCENARIOS } from '../../src/index.ts';
import type { Facts, Scenario, Send } from '../../src/scenario.ts';

type Input = Record<string, unknown>;
type Make = (send: Send, input: Input, name: string, facts: Facts) => Promise<unknown>;

/** How the items of an operation's list are made. */
export interface Making {
  /** What is asked for besides the scenario's input; undefined members of it are not asked for. */
  input?: Input;
  /** Makes one more item of a name. @param input of the operation that lists @param facts of the scenario's state */
  make?: Make;
  /** The handler checks the limit: on the wire the operation looks like another one, whose limit is another. */
  handlerLimits?: true;
}

/** By operation. */
export type Items = Readonly<Record<string, Making>>;

/** Items that one operation makes by a name. */
const creating = (operation: string, member: string, more: Input = {}): Making => ({
  make: (send, _, name) => send(operation, { ...more, [member]: name }),
});
/** Tags of what the input names. */
const tagging = (operation: string, more: Input = {}): Making => ({
  make: (send, input, Key) => send(operation, { ...input, ...more, Tags: [{ Key, Value: 'x' }] }),
});
/** One after the other. */
const both =
  (...steps: Make[]): Make =>
  async (send, input, name, facts) => {
    for (const step of steps) await step(send, input, name, facts);
  };
/** Items that an operation makes by the scenario's input with other names. */
const making = (service: keyof typeof SCENARIOS, operation: string, named: (name: string) => Input): Make => {
  const { inputs }: Scenario = SCENARIOS[service];
  return (send, _, name, facts) => send(operation, { ...inputs[operation]!(facts), ...named(name) });
};
const creates = (operation: string, member: string, more: Input = {}): Make => creating(operation, member, more).make!;

const ACCOUNT = '123456789012';
const numbered = new Map([...'abc'].map((letter, index) => [`page-${letter}`, index + 1]));
/** A number of an item, by its name. */
const numberOf = (name: string): number => numbered.get(name)!;

const dynamodb: Items = {
  ListContributorInsights: {
    make: both(
      making('dynamodb', 'CreateTable', (TableName) => ({ TableName })),
      (send, _, TableName) => send('UpdateContributorInsights', { TableName, ContributorInsightsAction: 'ENABLE' }),
    ),
  },
  ListExports: { make: making('dynamodb', 'ExportTableToPointInTime', (S3Prefix) => ({ S3Prefix })) },
  ListImports: {
    make: async (send, _, TableName) => {
      const { TableCreationParameters: table, ...source } = SCENARIOS.dynamodb.inputs.ImportTable!({});
      await send('ImportTable', { ...source, TableCreationParameters: { ...(table as Input), TableName } });
    },
  },
  ExecuteStatement: {
    input: { Statement: 'SELECT * FROM things' },
    make: (send, _, id) => send('PutItem', { TableName: 'things', Item: { id: { S: id } } }),
  },
  ListTagsOfResource: tagging('TagResource'),
};

const TARGET = `arn:aws:sqs:us-east-1:${ACCOUNT}:target`;
const eventBus = (resource: string): string => `arn:aws:events:us-east-1:${ACCOUNT}:${resource}`;
const PARTNER = 'aws.partner/shop.example/';
const rule: Make = (send, { EventBusName }, Name) =>
  send('PutRule', { EventBusName, Name, EventPattern: '{"source":["a"]}' });
const partner =
  (offer: (name: string) => Input): Make =>
  (send, _, name) =>
    send('CreatePartnerEventSource', offer(name));
const events: Items = {
  ListApiDestinations: { make: making('events', 'CreateApiDestination', (Name) => ({ Name })) },
  ListEndpoints: { make: making('events', 'CreateEndpoint', (Name) => ({ Name })) },
  ListArchives: creating('CreateArchive', 'ArchiveName', { EventSourceArn: eventBus('event-bus/known') }),
  ListConnections: creating('CreateConnection', 'Name', {
    AuthorizationType: 'BASIC',
    AuthParameters: { BasicAuthParameters: { Username: 'a', Password: 'b' } },
  }),
  ListEventBuses: creating('CreateEventBus', 'Name'),
  ListEventSources: { make: partner((name) => ({ Name: `${PARTNER}${name}`, Account: ACCOUNT })) },
  ListPartnerEventSourceAccounts: {
    make: (send, { EventSourceName }, name) =>
      send('CreatePartnerEventSource', { Name: EventSourceName, Account: `00000000000${numberOf(name)}` }),
  },
  ListPartnerEventSources: { make: partner((name) => ({ Name: `${PARTNER}${name}`, Account: ACCOUNT })) },
  ListReplays: creating('StartReplay', 'ReplayName', {
    EventSourceArn: eventBus('archive/known'),
    EventStartTime: new Date('2026-01-01T00:00:00Z'),
    EventEndTime: new Date('2026-01-02T00:00:00Z'),
    Destination: { Arn: eventBus('event-bus/known') },
  }),
  ListRuleNamesByTarget: {
    make: both(rule, (send, { EventBusName, TargetArn: Arn }, Rule) =>
      send('PutTargets', { EventBusName, Rule, Targets: [{ Id: 'one', Arn }] }),
    ),
  },
  ListRules: { make: rule },
  ListTargetsByRule: {
    make: (send, input, Id) => send('PutTargets', { ...input, Targets: [{ Id, Arn: TARGET }] }),
  },
};

const ALLOW = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] };
const PolicyDocument = JSON.stringify(ALLOW);
const AssumeRolePolicyDocument = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }],
});
const user = creates('CreateUser', 'UserName');
const policy = creates('CreatePolicy', 'PolicyName', { PolicyDocument });
const ofKind = (kind: string): Items => ({
  [`List${kind}Policies`]: {
    make: (send, input, PolicyName) => send(`Put${kind}Policy`, { ...input, PolicyName, PolicyDocument }),
  },
  [`ListAttached${kind}Policies`]: {
    make: both(policy, (send, input, name) =>
      send(`Attach${kind}Policy`, { ...input, PolicyArn: `arn:aws:iam::${ACCOUNT}:policy/${name}` }),
    ),
  },
});
const ActionNames = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'];
const iam: Items = {
  ListServerCertificates: {
    make: making('iam', 'UploadServerCertificate', (ServerCertificateName) => ({ ServerCertificateName })),
  },
  ...ofKind('User'),
  ...ofKind('Group'),
  ...ofKind('Role'),
  GetAccountAuthorizationDetails: { make: user },
  GetGroup: {
    make: both(user, (send, { GroupName }, UserName) => send('AddUserToGroup', { GroupName, UserName })),
  },
  ListEntitiesForPolicy: {
    make: both(user, (send, { PolicyArn }, UserName) => send('AttachUserPolicy', { PolicyArn, UserName })),
  },
  ListGroups: creating('CreateGroup', 'GroupName'),
  ListGroupsForUser: {
    make: both(creates('CreateGroup', 'GroupName'), (send, { UserName }, GroupName) =>
      send('AddUserToGroup', { GroupName, UserName }),
    ),
  },
  ListInstanceProfileTags: tagging('TagInstanceProfile'),
  ListInstanceProfiles: creating('CreateInstanceProfile', 'InstanceProfileName'),
  ListInstanceProfilesForRole: {
    make: both(creates('CreateInstanceProfile', 'InstanceProfileName'), (send, { RoleName }, InstanceProfileName) =>
      send('AddRoleToInstanceProfile', { RoleName, InstanceProfileName }),
    ),
  },
  ListMFADeviceTags: tagging('TagMFADevice'),
  ListOpenIDConnectProviderTags: tagging('TagOpenIDConnectProvider'),
  ListPolicies: { input: { Scope: 'Local' }, make: policy },
  ListPolicyTags: tagging('TagPolicy'),
  ListPolicyVersions: {
    make: (send, input) => send('CreatePolicyVersion', { ...input, PolicyDocument }),
  },
  ListRoles: creating('CreateRole', 'RoleName', { AssumeRolePolicyDocument }),
  ListRoleTags: tagging('TagRole'),
  ListSAMLProviderTags: tagging('TagSAMLProvider'),
  ListServerCertificateTags: tagging('TagServerCertificate'),
  ListUserTags: tagging('TagUser'),
  ListUsers: { make: user },
  ListVirtualMFADevices: creating('CreateVirtualMFADevice', 'VirtualMFADeviceName'),
  // A result for each action.
  SimulateCustomPolicy: { input: { ActionNames }, make: async () => {} },
  SimulatePrincipalPolicy: { input: { ActionNames }, make: async () => {} },
};

const ROOT = `arn:aws:iam::${ACCOUNT}:root`;
const kms: Items = {
  DescribeCustomKeyStores: {
    make: making('kms', 'CreateCustomKeyStore', (name) => ({
      CustomKeyStoreName: name,
      XksProxyUriEndpoint: `https://${name}.example.com`,
    })),
  },
  ListAliases: {
    make: async (send, _, name) => {
      const { KeyMetadata } = await send('CreateKey', {});
      await send('CreateAlias', {
        AliasName: `alias/${name}`,
        TargetKeyId: (KeyMetadata as { KeyId: string }).KeyId,
      });
    },
  },
  ListGrants: {
    make: (send, input, Name) =>
      send('CreateGrant', { ...input, GranteePrincipal: ROOT, Operations: ['Decrypt'], Name }),
  },
  ListKeyRotations: { make: (send, input) => send('RotateKeyOnDemand', input) },
  ListKeys: { make: (send) => send('CreateKey', {}) },
  ListResourceTags: {
    make: (send, input, TagKey) => send('TagResource', { ...input, Tags: [{ TagKey, TagValue: 'x' }] }),
  },
  ListRetirableGrants: {
    make: async (send, { RetiringPrincipal }, Name) => {
      const { KeyMetadata } = await send('CreateKey', {});
      const { KeyId } = KeyMetadata as { KeyId: string };
      await send('CreateGrant', { KeyId, RetiringPrincipal, GranteePrincipal: ROOT, Operations: ['Decrypt'], Name });
    },
  },
};

/** A package of one empty function. */
const ZipFile = Buffer.from(
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAIAAAAaW5kZXguanNQSwECFAMUAAAAAAAAACEAAAAAAAAAAAAAAAAACAAAAAAAAAAAAAAApIEAAAAAaW5kZXguanNQSwUGAAAAAAEAAQA2AAAAJgAAAAAA',
  'base64',
);
const alias: Make = (send, { FunctionName }, Name) => send('CreateAlias', { FunctionName, Name, FunctionVersion: '1' });
const ofAlias = (operation: string, more: Input): Making => ({
  make: both(alias, (send, { FunctionName }, Qualifier) => send(operation, { FunctionName, Qualifier, ...more })),
});
const lambda: Items = {
  ListEventSourceMappings: {
    make: making('lambda', 'CreateEventSourceMapping', (name) => ({
      EventSourceArn: `arn:aws:mq:us-east-1:${ACCOUNT}:broker:${name}:1`,
    })),
  },
  ListFunctionEventInvokeConfigs: ofAlias('PutFunctionEventInvokeConfig', { MaximumRetryAttempts: 0 }),
  ListFunctionUrlConfigs: ofAlias('CreateFunctionUrlConfig', { AuthType: 'NONE' }),
  ListFunctionsByCodeSigningConfig: {
    make: (send, { CodeSigningConfigArn }, FunctionName, facts) =>
      send('CreateFunction', { ...SCENARIOS.lambda.inputs.CreateFunction!(facts), FunctionName, CodeSigningConfigArn }),
  },
  ListAliases: {
    make: (send, input, Name) => send('CreateAlias', { ...input, Name, FunctionVersion: '1' }),
  },
  ListCapacityProviders: creating('CreateCapacityProvider', 'CapacityProviderName', {
    VpcConfig: { SubnetIds: ['subnet-1'], SecurityGroupIds: ['sg-1'] },
    PermissionsConfig: { CapacityProviderOperatorRoleArn: `arn:aws:iam::${ACCOUNT}:role/app` },
  }),
  ListCodeSigningConfigs: creating('CreateCodeSigningConfig', 'Description', {
    AllowedPublishers: {
      SigningProfileVersionArns: [`arn:aws:signer:us-east-1:${ACCOUNT}:/signing-profiles/profile/1`],
    },
  }),
  ListFunctions: creating('CreateFunction', 'FunctionName', {
    Role: `arn:aws:iam::${ACCOUNT}:role/app`,
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Code: { ZipFile },
  }),
  ListLayerVersions: {
    make: (send, { LayerName }) => send('PublishLayerVersion', { LayerName, Content: { ZipFile } }),
  },
  ListLayers: creating('PublishLayerVersion', 'LayerName', { Content: { ZipFile } }),
};

const ofBucket = (operation: string, member: string, configuration: (Id: string) => Input): Making => ({
  make: (send, input, Id) => send(operation, { ...input, Id, [member]: { Id, ...configuration(Id) } }),
});
const s3: Items = {
  ListBucketInventoryConfigurations: ofBucket('PutBucketInventoryConfiguration', 'InventoryConfiguration', () => ({
    Destination: { S3BucketDestination: { Bucket: 'arn:aws:s3:::inventories', Format: 'CSV' } },
    IsEnabled: true,
    IncludedObjectVersions: 'All',
    Schedule: { Frequency: 'Daily' },
  })),
  ListBucketAnalyticsConfigurations: ofBucket('PutBucketAnalyticsConfiguration', 'AnalyticsConfiguration', () => ({
    StorageClassAnalysis: {},
  })),
  ListBucketIntelligentTieringConfigurations: ofBucket(
    'PutBucketIntelligentTieringConfiguration',
    'IntelligentTieringConfiguration',
    () => ({ Status: 'Enabled', Tierings: [{ Days: 90, AccessTier: 'ARCHIVE_ACCESS' }] }),
  ),
  ListBucketMetricsConfigurations: ofBucket('PutBucketMetricsConfiguration', 'MetricsConfiguration', () => ({})),
  ListBuckets: creating('CreateBucket', 'Bucket'),
  ListDirectoryBuckets: {
    handlerLimits: true,
    make: (send, _, name) =>
      send('CreateBucket', {
        Bucket: `${name}--use1-az4--x-s3`,
        CreateBucketConfiguration: {
          Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
          Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
        },
      }),
  },
  ListObjectsV2: {
    make: (send, { Bucket }, Key) => send('PutObject', { Bucket, Key, Body: 'x' }),
  },
};

const Configuration = (name: string): Input => ({
  SupportingAccessPoint: `arn:aws:s3:us-east-1:${ACCOUNT}:accesspoint/${name}`,
  TransformationConfigurations: [
    {
      Actions: ['GetObject'],
      ContentTransformation: {
        AwsLambda: { FunctionArn: `arn:aws:lambda:us-east-1:${ACCOUNT}:function:transform` },
      },
    },
  ],
});
const accessPoint: Make = (send, { AccountId }, Name) =>
  send('CreateAccessPoint', { AccountId, Name, Bucket: 'a-bucket' });
const s3control: Items = {
  ListAccessGrants: {
    input: { Permission: undefined, GrantScope: undefined },
    make: making('s3control', 'CreateAccessGrant', (name) => ({
      AccessGrantsLocationConfiguration: { S3SubPrefix: `${name}/*` },
    })),
  },
  ListJobs: { make: making('s3control', 'CreateJob', (ClientRequestToken) => ({ ClientRequestToken })) },
  ListMultiRegionAccessPoints: {
    make: making('s3control', 'CreateMultiRegionAccessPoint', (Name) => ({
      ClientToken: Name,
      Details: { Name, Regions: [{ Bucket: 'a-bucket' }] },
    })),
  },
  ListStorageLensConfigurations: {
    make: making('s3control', 'PutStorageLensConfiguration', (Id) => ({
      ConfigId: Id,
      StorageLensConfiguration: { Id, IsEnabled: false, AccountLevel: { BucketLevel: {} } },
    })),
  },
  ListAccessGrantsLocations: {
    make: (send, { AccountId }, name) =>
      send('CreateAccessGrantsLocation', {
        AccountId,
        LocationScope: `s3://a-bucket/${name}/*`,
        IAMRoleArn: `arn:aws:iam::${ACCOUNT}:role/location`,
      }),
  },
  ListAccessPoints: { make: accessPoint },
  ListAccessPointsForObjectLambda: {
    make: both(accessPoint, (send, { AccountId }, name) =>
      send('CreateAccessPointForObjectLambda', {
        AccountId,
        Name: `${name}-lambda`,
        Configuration: Configuration(name),
      }),
    ),
  },
  ListRegionalBuckets: { make: (send, { OutpostId }, Bucket) => send('CreateBucket', { Bucket, OutpostId }) },
  ListStorageLensGroups: {
    make: (send, { AccountId }, Name) =>
      send('CreateStorageLensGroup', { AccountId, StorageLensGroup: { Name, Filter: { MatchAnyPrefix: ['a/'] } } }),
  },
};

const secret: Make = (send, _, Name) => send('CreateSecret', { Name, SecretString: 'x' });
const secretsmanager: Items = {
  BatchGetSecretValue: {
    input: { SecretIdList: undefined, Filters: [{ Key: 'name', Values: ['page-'] }] },
    make: secret,
  },
  ListSecrets: { input: { SortBy: 'name', SortOrder: 'desc' }, make: secret },
  ListSecretVersionIds: {
    make: (send, { SecretId }, name) => send('PutSecretValue', { SecretId, SecretString: name, VersionStages: [name] }),
  },
};

const subscription: Make = (send, { TopicArn }, name) =>
  send('Subscribe', { TopicArn, Protocol: 'email', Endpoint: `${name}@example.com` });
const sns: Items = {
  ListEndpointsByPlatformApplication: {
    make: (send, input, Token) => send('CreatePlatformEndpoint', { ...input, Token }),
  },
  ListPlatformApplications: creating('CreatePlatformApplication', 'Name', {
    Platform: 'GCM',
    Attributes: { PlatformCredential: 'key' },
  }),
  ListSMSSandboxPhoneNumbers: {
    make: (send, _, name) => send('CreateSMSSandboxPhoneNumber', { PhoneNumber: `+1555123000${numberOf(name)}` }),
  },
  ListSubscriptions: {
    make: async (send, input, name, facts) => {
      const { TopicArn } = await send('CreateTopic', { Name: 'listed' });
      await subscription(send, { ...input, TopicArn }, name, facts);
    },
  },
  ListSubscriptionsByTopic: { make: subscription },
  ListTopics: creating('CreateTopic', 'Name'),
};

const sqs: Items = {
  ListDeadLetterSourceQueues: {
    make: async (send, { QueueUrl }, QueueName) => {
      const { Attributes } = await send('GetQueueAttributes', { QueueUrl, AttributeNames: ['QueueArn'] });
      const { QueueArn: deadLetterTargetArn } = Attributes as { QueueArn: string };
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 });
      await send('CreateQueue', { QueueName, Attributes: { RedrivePolicy } });
    },
  },
  ListQueues: creating('CreateQueue', 'QueueName'),
};

/** By service. What is not here takes more than a request or two to make, or has less than three of a kind. */
export const ITEMS: Readonly<Record<string, Items>> = {
  dynamodb,
  events,
  iam,
  kms,
  lambda,
  s3,
  s3control,
  secretsmanager,
  sns,
  sqs,
};
