import { generateKeyPairSync } from 'node:crypto';
import { periodAt, totp } from '../../../../packages/svc-iam/src/credentials/totp.ts';
import { SCENARIOS } from '../../src/index.ts';
import type { Facts, Scenario, Send } from '../../src/scenario.ts';

type Input = Record<string, unknown>;
type Make = (send: Send, input: Input, name: string, facts: Facts) => Promise<unknown>;

/** Creation of items for the list of an operation. */
export interface Making {
  /** Members besides the scenario's input; undefined ones are removed from it. */
  input?: Input;
  /**
   * Function that creates one more item with a name.
   * @param input of the listing operation
   * @param facts of the scenario's state
   */
  make?: Make;
  /** List in the response that contains every item, if others repeat them. */
  list?: string;
  /** Reason why items cannot be created here, without `make`. */
  unmade?: string;
  /** The handler checks the limit, because on the wire the operation is that of another one with another limit. */
  handlerLimits?: true;
}

/** By operation. */
export type Items = Readonly<Record<string, Making>>;

/** Reasons why items of some lists are not created here. */
const OWN_TESTS = "they take more than a request to make: the service's own tests list them";

/** Items created by one operation with a name. */
const creating = (operation: string, member: string, more: Input = {}): Making => ({
  make: (send, _, name) => send(operation, { ...more, [member]: name }),
});
/** Tags of the resource in the input. */
const tagging = (operation: string, more: Input = {}): Making => ({
  make: (send, input, Key) => send(operation, { ...input, ...more, Tags: [{ Key, Value: 'x' }] }),
});
/** Runs functions one after the other. */
const both =
  (...steps: Make[]): Make =>
  async (send, input, name, facts) => {
    for (const step of steps) await step(send, input, name, facts);
  };
/** Items that an operation creates from the scenario's input with other names. */
const making = (service: keyof typeof SCENARIOS, operation: string, named: (name: string) => Input): Make => {
  const { inputs }: Scenario = SCENARIOS[service];
  return (send, _, name, facts) => send(operation, { ...inputs[operation]!(facts), ...named(name) });
};
const creates = (operation: string, member: string, more: Input = {}): Make => creating(operation, member, more).make!;

const ACCOUNT = '123456789012';
const numbered = new Map([...'abc'].map((letter, index) => [`page-${letter}`, index + 1]));
/** Returns a number for an item from its name. */
const numberOf = (name: string): number => numbered.get(name)!;

const dynamodb: Items = {
  ListContributorInsights: { unmade: 'contributor insights are not implemented: no table has them' },
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
/** Enables a new device for the requested user. */
const mfaDevice: Make = async (send, { UserName }, VirtualMFADeviceName) => {
  const { VirtualMFADevice } = await send('CreateVirtualMFADevice', { VirtualMFADeviceName });
  const { SerialNumber, Base32StringSeed } = VirtualMFADevice as { SerialNumber: string; Base32StringSeed: Uint8Array };
  const seed = Buffer.from(Base32StringSeed).toString();
  const period = periodAt(Date.now());
  const [AuthenticationCode1, AuthenticationCode2] = [totp(seed, period - 1), totp(seed, period)];
  await send('EnableMFADevice', { UserName, SerialNumber, AuthenticationCode1, AuthenticationCode2 });
};
const sshKey: Make = (send, { UserName }) =>
  send('UploadSSHPublicKey', {
    UserName,
    SSHPublicKeyBody: generateKeyPairSync('rsa', { modulusLength: 2048 })
      .publicKey.export({ format: 'pem', type: 'spki' })
      .toString(),
  });
/** A user has two of each service. */
const CREDENTIAL_SERVICES = ['cassandra.amazonaws.com', 'bedrock.amazonaws.com', 'cassandra.amazonaws.com'];
const TWO_ITEMS = 'a user has at most two, too few for three pages';
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
  GetOrganizationsAccessReport: { unmade: 'the report of an account without an organization is empty' },
  GetServiceLastAccessedDetails: { unmade: 'its items are services at the time of the report' },
  GetServiceLastAccessedDetailsWithEntities: {
    unmade: 'its items are entities at the time of the report',
  },
  ListAccessKeys: { unmade: TWO_ITEMS },
  ListAccountAliases: { unmade: 'an account has one alias' },
  ListDelegationRequests: {
    make: async (send, _, name, facts) => {
      const input = SCENARIOS.iam.inputs.CreateDelegationRequest!(facts);
      const { DelegationRequestId } = await send('CreateDelegationRequest', { ...input, RequestorWorkflowId: name });
      await send('AssociateDelegationRequest', { DelegationRequestId });
    },
  },
  ListMFADevices: { make: mfaDevice },
  // A result for each service.
  ListPoliciesGrantingServiceAccess: { input: { ServiceNamespaces: ['s3', 'sns', 'sqs'] }, make: async () => {} },
  ListServiceSpecificCredentials: {
    make: (send, { UserName }, name) =>
      send('CreateServiceSpecificCredential', { UserName, ServiceName: CREDENTIAL_SERVICES[numberOf(name) - 1] }),
  },
  ListSigningCertificates: { unmade: TWO_ITEMS },
  ListSSHPublicKeys: { make: sshKey },
  ListVirtualMFADevices: creating('CreateVirtualMFADevice', 'VirtualMFADeviceName'),
  // A result for each action.
  SimulateCustomPolicy: { input: { ActionNames }, make: async () => {} },
  SimulatePrincipalPolicy: { input: { ActionNames }, make: async () => {} },
};

const ROOT = `arn:aws:iam::${ACCOUNT}:root`;
const kms: Items = {
  ListKeyPolicies: { unmade: 'a key has one policy, whose name is default' },
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
/** Publishes a version of the requested function, which must differ from the last one. */
const version: Make = async (send, { FunctionName }, Description) => {
  await send('UpdateFunctionConfiguration', { FunctionName, Description });
  const { Version } = await send('PublishVersion', { FunctionName });
  return Version;
};
const lambda: Items = {
  GetDurableExecutionHistory: { unmade: 'its items come from the running function, not from requests' },
  GetDurableExecutionState: {
    unmade: 'a checkpoint, which adds an operation, invalidates the checkpoint token of the request',
  },
  ListDurableExecutionsByFunction: {
    make: (send, _, DurableExecutionName) =>
      send('Invoke', { FunctionName: 'durable:$LATEST', InvocationType: 'Event', DurableExecutionName }),
  },
  ListFunctionVersionsByCapacityProvider: {
    make: (send, _, FunctionName, facts) =>
      send('CreateFunction', {
        ...SCENARIOS.lambda.inputs.CreateFunction!(facts),
        FunctionName,
        MemorySize: 4096,
        Publish: true,
        CapacityProviderConfig: {
          LambdaManagedInstancesCapacityProviderConfig: {
            CapacityProviderArn: `arn:aws:lambda:us-east-1:${ACCOUNT}:capacity-provider:provider`,
          },
        },
      }),
  },
  ListProvisionedConcurrencyConfigs: {
    make: async (send, input, name, facts) => {
      const Qualifier = await version(send, input, name, facts);
      const { FunctionName } = input;
      await send('PutProvisionedConcurrencyConfig', { FunctionName, Qualifier, ProvisionedConcurrentExecutions: 1 });
    },
  },
  ListVersionsByFunction: { make: version },
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

const inGroup = { logGroupName: 'known' };
const logGroups = creating('CreateLogGroup', 'logGroupName');
const logs: Items = {
  ListAggregateLogGroupSummaries: { unmade: OWN_TESTS },
  ListSourcesForS3TableIntegration: { unmade: OWN_TESTS },
  DescribeDeliveryDestinations: { make: making('logs', 'PutDeliveryDestination', (name) => ({ name })) },
  DescribeLogGroups: logGroups,
  DescribeLogStreams: creating('CreateLogStream', 'logStreamName', inGroup),
  DescribeLookupTables: {
    make: making('logs', 'CreateLookupTable', (name) => ({ lookupTableName: name.replace('-', '_') })),
  },
  DescribeMetricFilters: { make: making('logs', 'PutMetricFilter', (filterName) => ({ filterName })) },
  DescribeQueryDefinitions: { make: making('logs', 'PutQueryDefinition', (name) => ({ name })) },
  DescribeResourcePolicies: { make: making('logs', 'PutResourcePolicy', (policyName) => ({ policyName })) },
  FilterLogEvents: {
    make: (send, _, message) =>
      send('PutLogEvents', { ...inGroup, logStreamName: 'stream', logEvents: [{ timestamp: Date.now(), message }] }),
  },
  ListLogAnomalyDetectors: {
    make: making('logs', 'CreateLogAnomalyDetector', (detectorName) => ({ detectorName })),
  },
  ListLogGroups: logGroups,
  ListScheduledQueries: { make: making('logs', 'CreateScheduledQuery', (name) => ({ name })) },
  DescribeAccountPolicies: { unmade: OWN_TESTS },
  DescribeConfigurationTemplates: { unmade: OWN_TESTS },
  DescribeDeliveries: { unmade: OWN_TESTS },
  DescribeDeliverySources: { unmade: OWN_TESTS },
  DescribeDestinations: { unmade: OWN_TESTS },
  DescribeExportTasks: { unmade: OWN_TESTS },
  DescribeFieldIndexes: { unmade: OWN_TESTS },
  DescribeImportTaskBatches: { unmade: OWN_TESTS },
  DescribeImportTasks: { unmade: OWN_TESTS },
  DescribeIndexPolicies: { unmade: OWN_TESTS },
  DescribeQueries: { unmade: OWN_TESTS },
  DescribeSubscriptionFilters: { unmade: OWN_TESTS },
  GetQueryResults: { unmade: OWN_TESTS },
  GetScheduledQueryHistory: { unmade: OWN_TESTS },
  ListAnomalies: { unmade: OWN_TESTS },
  ListLogGroupsForQuery: { unmade: OWN_TESTS },
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
    () => ({ Status: 'Enabled', Tierings: [{ AccessTier: 'ARCHIVE_ACCESS', Days: 90 }] }),
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
  ListAccessGrantsInstances: { unmade: 'an account has one instance in a region' },
  ListCallerAccessGrants: {
    make: making('s3control', 'CreateAccessGrant', (name) => ({
      AccessGrantsLocationConfiguration: { S3SubPrefix: `${name}/*` },
    })),
  },
  ListAccessPointsForDirectoryBuckets: {
    make: async (send, { AccountId }, name) => {
      const Bucket = `${name}--use1-az4--x-s3`;
      await send('s3:CreateBucket', {
        Bucket,
        CreateBucketConfiguration: {
          Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
          Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
        },
      });
      await send('CreateAccessPoint', { AccountId, Name: `${name}--use1-az4--xa-s3`, Bucket });
    },
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
  ListOriginationNumbers: { unmade: 'no operation of SNS creates origination numbers' },
  ListPhoneNumbersOptedOut: {
    make: (send, _, name) => send('OptOut', { phoneNumber: `+1555123000${numberOf(name)}` }),
  },
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

const stateMachineArn = `arn:aws:states:us-east-1:${ACCOUNT}:stateMachine:known`;
const stepfunctions: Items = {
  GetExecutionHistory: { unmade: 'events follow from the run of an execution, in their order' },
  ListActivities: creating('CreateActivity', 'name'),
  ListExecutions: creating('StartExecution', 'name', { stateMachineArn }),
  ListMapRuns: { unmade: 'runs follow from the run of an execution' },
  ListStateMachineAliases: { make: making('stepfunctions', 'CreateStateMachineAlias', (name) => ({ name })) },
  ListStateMachines: { make: making('stepfunctions', 'CreateStateMachine', (name) => ({ name })) },
  ListStateMachineVersions: {
    make: (send, input, description) => send('PublishStateMachineVersion', { ...input, description }),
  },
};

const kinesis: Items = {
  ListShards: { unmade: 'shards follow from the splits of a stream, and remain after they are closed' },
  ListStreamConsumers: creating('RegisterStreamConsumer', 'ConsumerName', {
    StreamARN: `arn:aws:kinesis:us-east-1:${ACCOUNT}:stream/known`,
  }),
  ListStreams: { unmade: 'each stream is listed twice, by name and as a summary' },
};

/** Returns a node of Systems Manager from the name of an item. */
const nodeOf = (name: string): string => `i-0000000000000010${numberOf(name)}`;
const SSM_NODE = 'i-00000000000000001';
/** Inventory and compliance of a node. */
const putInventory = (send: Send, InstanceId: string, TypeName: string) =>
  send('PutInventory', {
    InstanceId,
    Items: [{ TypeName, SchemaVersion: '1.0', CaptureTime: '2026-01-02T03:04:05Z', Content: [{ a: 'b' }] }],
  });
const complying: Making = {
  make: making('ssm', 'PutComplianceItems', (name) => ({ ComplianceType: `Custom:${name.replace('-', '_')}` })),
};
/** Items that are associations of the older kind, which name a node. */
const nodeAssociation: Making = {
  async make(send, _, Name) {
    const { Content, DocumentType } = {
      Content: JSON.stringify({
        schemaVersion: '1.2',
        runtimeConfig: { 'aws:runShellScript': { properties: [{ id: 'a', runCommand: ['true'] }] } },
      }),
      DocumentType: 'Command',
    };
    await send('CreateDocument', { Name, DocumentType, Content });
    await send('CreateAssociation', { Name, InstanceId: SSM_NODE });
  },
};
const TEN_PER_PAGE: Making = { unmade: 'a page has at least ten items' };
const newOpsItem: Making = { make: making('ssm', 'CreateOpsItem', (Title) => ({ Title })) };

const ssm: Items = {
  DescribeActivations: { make: making('ssm', 'CreateActivation', (Description) => ({ Description })) },
  ListCommands: { make: making('ssm', 'SendCommand', (Comment) => ({ Comment })) },
  ListDocuments: { make: making('ssm', 'CreateDocument', (Name) => ({ Name })) },
  DescribeAutomationExecutions: { unmade: OWN_TESTS },
  DescribeAutomationStepExecutions: { unmade: OWN_TESTS },
  DescribeDocumentPermission: { unmade: OWN_TESTS },
  DescribeInstanceInformation: { unmade: OWN_TESTS },
  DescribeInstanceProperties: { unmade: OWN_TESTS },
  DescribeSessions: { unmade: OWN_TESTS },
  ListCommandInvocations: { unmade: OWN_TESTS },
  ListDocumentMetadataHistory: { unmade: OWN_TESTS },
  ListDocumentVersions: { unmade: OWN_TESTS },
  DescribeAssociationExecutionTargets: { unmade: 'an execution has a target for each node, and no nodes exist' },
  DescribeAssociationExecutions: { unmade: OWN_TESTS },
  DescribeEffectiveInstanceAssociations: nodeAssociation,
  DescribeInstanceAssociationsStatus: nodeAssociation,
  DescribeInstancePatchStates: TEN_PER_PAGE,
  DescribeInstancePatchStatesForPatchGroup: TEN_PER_PAGE,
  DescribeInstancePatches: TEN_PER_PAGE,
  DescribeInventoryDeletions: {
    async make(send, _, name) {
      await putInventory(send, SSM_NODE, `Custom:${name}`);
      await send('DeleteInventory', { TypeName: `Custom:${name}` });
    },
  },
  DescribeMaintenanceWindowExecutionTaskInvocations: TEN_PER_PAGE,
  DescribeMaintenanceWindowExecutionTasks: TEN_PER_PAGE,
  DescribeMaintenanceWindowExecutions: TEN_PER_PAGE,
  DescribeMaintenanceWindowSchedule: { unmade: 'its items are the times of a schedule, which no request creates' },
  DescribeMaintenanceWindowTargets: TEN_PER_PAGE,
  DescribeMaintenanceWindowTasks: TEN_PER_PAGE,
  DescribeMaintenanceWindows: TEN_PER_PAGE,
  DescribeMaintenanceWindowsForTarget: {
    async make(send, _, Name, facts) {
      const { inputs } = SCENARIOS.ssm;
      const { WindowId } = await send('CreateMaintenanceWindow', { ...inputs.CreateMaintenanceWindow!(facts), Name });
      const Targets = [{ Key: 'InstanceIds', Values: [SSM_NODE] }];
      await send('RegisterTargetWithMaintenanceWindow', { WindowId, ResourceType: 'INSTANCE', Targets });
    },
  },
  DescribeOpsItems: newOpsItem,
  DescribeParameters: creating('PutParameter', 'Name', { Type: 'String', Value: 'x' }),
  DescribePatchBaselines: creating('CreatePatchBaseline', 'Name'),
  DescribePatchGroups: {
    make: making('ssm', 'RegisterPatchBaselineForPatchGroup', (PatchGroup) => ({ PatchGroup })),
  },
  DescribeAvailablePatches: { unmade: 'its items are patches, which no request creates' },
  DescribeEffectivePatchesForPatchBaseline: { unmade: 'its items are patches, which no request creates' },
  DescribePatchProperties: { unmade: 'its items are properties of patches, which no request creates' },
  GetInventory: { make: (send, _, name) => putInventory(send, nodeOf(name), 'Custom:Paged') },
  GetInventorySchema: { unmade: 'a page has at least fifty items' },
  GetOpsMetadata: { unmade: 'its items are members of an object' },
  GetOpsSummary: newOpsItem,
  GetParameterHistory: { unmade: 'versions are consecutive numbers' },
  GetParametersByPath: {
    make: (send, _, name) => send('PutParameter', { Name: `/app/${name}`, Type: 'String', Value: 'x' }),
  },
  GetResourcePolicies: { unmade: 'a resource has one policy' },
  ListAssociationVersions: { unmade: 'versions are consecutive numbers' },
  ListAssociations: { make: making('ssm', 'CreateAssociation', (AssociationName) => ({ AssociationName })) },
  ListComplianceItems: complying,
  ListComplianceSummaries: complying,
  ListInventoryEntries: { unmade: 'all entries of a type are put at once' },
  ListNodes: { unmade: 'agents register nodes under generated ids' },
  ListNodesSummary: { unmade: 'its items are counts of nodes' },
  ListOpsItemEvents: newOpsItem,
  ListOpsItemRelatedItems: {
    make: making('ssm', 'AssociateOpsItemRelatedItem', (name) => ({
      ResourceUri: `arn:aws:ssm:us-east-1:${ACCOUNT}:document/${name}`,
    })),
  },
  ListOpsMetadata: creating('CreateOpsMetadata', 'ResourceId'),
  ListResourceComplianceSummaries: complying,
  ListResourceDataSync: { make: making('ssm', 'CreateResourceDataSync', (SyncName) => ({ SyncName })) },
};

const pipes: Items = {
  ListPipes: { make: making('pipes', 'CreatePipe', (Name) => ({ Name })) },
};

const scheduler: Items = {
  ListScheduleGroups: creating('CreateScheduleGroup', 'Name'),
  ListSchedules: { make: making('scheduler', 'CreateSchedule', (Name) => ({ Name })) },
};

/** Creates a part of the requested API with a name. */
const ofApi = (operation: string, member: string, more: Input = {}): Making => ({
  make: (send, { restApiId }, name) => send(operation, { restApiId, ...more, [member]: name }),
});
const AUTHORIZER = {
  type: 'TOKEN',
  identitySource: 'method.request.header.Authorization',
  authorizerUri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:f/invocations`,
};

const apigateway: Items = {
  GetApiKeys: creating('CreateApiKey', 'name'),
  GetAuthorizers: ofApi('CreateAuthorizer', 'name', AUTHORIZER),
  GetBasePathMappings: {
    make: (send, { domainName }, basePath, { restApiId }) =>
      send('CreateBasePathMapping', { domainName, basePath, restApiId }),
  },
  GetClientCertificates: { unmade: 'creating one generates an RSA key, which takes long' },
  GetDeployments: ofApi('CreateDeployment', 'description'),
  GetDocumentationParts: {
    make: (send, { restApiId }, name) =>
      send('CreateDocumentationPart', { restApiId, location: { type: 'MODEL', name }, properties: '{}' }),
  },
  GetDocumentationVersions: ofApi('CreateDocumentationVersion', 'documentationVersion'),
  GetDomainNameAccessAssociations: {
    make: (send, _, accessAssociationSource, { domainNameArn }) =>
      send('CreateDomainNameAccessAssociation', {
        domainNameArn,
        accessAssociationSource,
        accessAssociationSourceType: 'VPCE',
      }),
  },
  GetDomainNames: { unmade: OWN_TESTS },
  GetGatewayResponses: { unmade: 'each type exists once' },
  GetModels: { unmade: OWN_TESTS },
  GetRequestValidators: ofApi('CreateRequestValidator', 'name'),
  GetResources: { unmade: OWN_TESTS },
  GetRestApis: creating('CreateRestApi', 'name'),
  GetSdkTypes: { unmade: 'AWS defines the SDK types' },
  GetUsage: { unmade: OWN_TESTS },
  GetUsagePlanKeys: { unmade: OWN_TESTS },
  GetUsagePlans: creating('CreateUsagePlan', 'name'),
  GetVpcLinks: creating('CreateVpcLink', 'name', {
    targetArns: [`arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:loadbalancer/net/a/b`],
  }),
};

const cloudwatch: Items = {
  DescribeAlarmContributors: { unmade: OWN_TESTS },
  DescribeAlarmHistory: { unmade: OWN_TESTS },
  DescribeAlarms: { make: making('cloudwatch', 'PutMetricAlarm', (AlarmName) => ({ AlarmName })) },
  DescribeAnomalyDetectors: { unmade: OWN_TESTS },
  DescribeInsightRules: { unmade: OWN_TESTS },
  GetMetricData: { unmade: OWN_TESTS },
  ListAlarmMuteRules: { unmade: OWN_TESTS },
  ListManagedInsightRules: { unmade: 'a resource has the rules of its service, which no request creates or deletes' },
  ListDashboards: { unmade: OWN_TESTS },
  ListMetricStreams: { unmade: OWN_TESTS },
  ListMetrics: { unmade: OWN_TESTS },
};

const servicequotas: Items = Object.fromEntries(
  [
    'GetQuotaUtilizationReport',
    'ListAWSDefaultServiceQuotas',
    'ListRequestedServiceQuotaChangeHistory',
    'ListRequestedServiceQuotaChangeHistoryByQuota',
    'ListServiceQuotaIncreaseRequestsInTemplate',
    'ListServiceQuotas',
    'ListServices',
  ].map((operation) => [operation, { unmade: 'quotas come from the emulated services' }]),
);

const apigatewayv2: Items = {
  GetVpcLinks: { make: making('apigatewayv2', 'CreateVpcLink', (Name) => ({ Name })) },
  ListPortalProducts: { make: making('apigatewayv2', 'CreatePortalProduct', (DisplayName) => ({ DisplayName })) },
  ListPortals: { make: making('apigatewayv2', 'CreatePortal', () => ({})) },
  ListProductPages: { make: making('apigatewayv2', 'CreateProductPage', () => ({})) },
  ListProductRestEndpointPages: { unmade: OWN_TESTS },
  GetApiMappings: { make: making('apigatewayv2', 'CreateApiMapping', (ApiMappingKey) => ({ ApiMappingKey })) },
  GetApis: { make: making('apigatewayv2', 'CreateApi', (Name) => ({ Name })) },
  GetAuthorizers: { make: making('apigatewayv2', 'CreateAuthorizer', (Name) => ({ Name })) },
  GetDeployments: { make: making('apigatewayv2', 'CreateDeployment', (Description) => ({ Description })) },
  GetDomainNames: {
    make: making('apigatewayv2', 'CreateDomainName', (name) => ({ DomainName: `${name}.example.com` })),
  },
  GetIntegrationResponses: {
    make: making('apigatewayv2', 'CreateIntegrationResponse', (name) => ({ IntegrationResponseKey: `/${name}/` })),
  },
  GetIntegrations: { make: making('apigatewayv2', 'CreateIntegration', (Description) => ({ Description })) },
  GetModels: {
    make: making('apigatewayv2', 'CreateModel', (name) => ({ Name: name.replace(/[^a-z]/g, '') })),
  },
  GetRouteResponses: { unmade: 'a route has one response' },
  GetRoutes: { make: making('apigatewayv2', 'CreateRoute', (name) => ({ RouteKey: `GET /${name}` })) },
  GetStages: { make: making('apigatewayv2', 'CreateStage', (StageName) => ({ StageName })) },
  ListRoutingRules: {
    make: making('apigatewayv2', 'CreateRoutingRule', (name) => ({ Priority: 10 + numberOf(name) })),
  },
};

const ses: Items = {
  ListConfigurationSets: { make: (send, _, Name) => send('CreateConfigurationSet', { ConfigurationSet: { Name } }) },
  ListCustomVerificationEmailTemplates: {
    make: making('ses', 'CreateCustomVerificationEmailTemplate', (TemplateName) => ({ TemplateName })),
  },
  ListIdentities: { make: (send, _, name) => send('VerifyDomainIdentity', { Domain: `${name}.example` }) },
  ListReceiptRuleSets: creating('CreateReceiptRuleSet', 'RuleSetName'),
  ListTemplates: {
    make: (send, _, TemplateName) => send('CreateTemplate', { Template: { TemplateName, SubjectPart: 's' } }),
  },
};

const sesv2: Items = {
  ListConfigurationSets: creating('CreateConfigurationSet', 'ConfigurationSetName'),
  ListContactLists: { unmade: 'an account has one list only' },
  ListContacts: {
    make: (send, input, name) => send('CreateContact', { ...input, EmailAddress: `${name}@example.org` }),
  },
  ListCustomVerificationEmailTemplates: {
    make: making('sesv2', 'CreateCustomVerificationEmailTemplate', (TemplateName) => ({ TemplateName })),
  },
  GetDedicatedIps: { unmade: 'its items are leased addresses, which no request creates' },
  ListDedicatedIpPools: creating('CreateDedicatedIpPool', 'PoolName'),
  ListEmailIdentities: {
    make: (send, _, name) => send('CreateEmailIdentity', { EmailIdentity: `${name}.example` }),
  },
  ListEmailTemplates: creating('CreateEmailTemplate', 'TemplateName', { TemplateContent: { Subject: 's' } }),
  ListDeliverabilityTestReports: {
    make: (send, _, name) =>
      send('CreateDeliverabilityTestReport', {
        ReportName: name,
        FromEmailAddress: 'ann@example.com',
        Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
      }),
  },
  ListDomainDeliverabilityCampaigns: { unmade: 'campaigns are found in mailboxes of providers' },
  ListExportJobs: { unmade: OWN_TESTS },
  ListImportJobs: { unmade: OWN_TESTS },
  ListRecommendations: { unmade: OWN_TESTS },
  ListMultiRegionEndpoints: {
    make: making('sesv2', 'CreateMultiRegionEndpoint', (EndpointName) => ({ EndpointName })),
  },
  ListReputationEntities: creating('CreateTenant', 'TenantName'),
  ListResourceTenants: {
    make: both(creates('CreateTenant', 'TenantName'), (send, input, TenantName) =>
      send('CreateTenantResourceAssociation', { ...input, TenantName }),
    ),
  },
  ListSuppressedDestinations: {
    make: (send, _, name) =>
      send('PutSuppressedDestination', { EmailAddress: `${name}@example.org`, Reason: 'BOUNCE' }),
  },
  ListTenantResources: { unmade: OWN_TESTS },
  ListTenants: creating('CreateTenant', 'TenantName'),
};

const cognito: Items = {
  ListUserImportJobs: { make: making('cognito-idp', 'CreateUserImportJob', (JobName) => ({ JobName })) },
  ListWebAuthnCredentials: { unmade: OWN_TESTS },
  AdminListDevices: { unmade: OWN_TESTS },
  AdminListGroupsForUser: {
    make: async (send, { UserPoolId, Username }, GroupName) => {
      await send('CreateGroup', { UserPoolId, GroupName });
      await send('AdminAddUserToGroup', { UserPoolId, Username, GroupName });
    },
  },
  AdminListUserAuthEvents: { unmade: OWN_TESTS },
  ListDevices: { unmade: OWN_TESTS },
  ListGroups: { make: (send, { UserPoolId }, GroupName) => send('CreateGroup', { UserPoolId, GroupName }) },
  ListIdentityProviders: {
    make: making('cognito-idp', 'CreateIdentityProvider', (ProviderName) => ({ ProviderName })),
  },
  ListResourceServers: { make: making('cognito-idp', 'CreateResourceServer', (Identifier) => ({ Identifier })) },
  ListTerms: { unmade: 'a client has at most two terms, too few for three pages' },
  ListUserPoolClients: { make: making('cognito-idp', 'CreateUserPoolClient', (ClientName) => ({ ClientName })) },
  ListUserPoolClientSecrets: { unmade: 'a client has at most two secrets, too few for three pages' },
  ListUserPools: creating('CreateUserPool', 'PoolName'),
  ListUsers: { make: making('cognito-idp', 'AdminCreateUser', (Username) => ({ Username })) },
  ListUsersInGroup: {
    make: async (send, { UserPoolId, GroupName }, Username) => {
      await send('AdminCreateUser', { UserPoolId, Username });
      await send('AdminAddUserToGroup', { UserPoolId, Username, GroupName });
    },
  },
};

const cognitoIdentity: Items = {
  ListIdentities: {
    make: (send, { IdentityPoolId }, name) =>
      send('GetOpenIdTokenForDeveloperIdentity', { IdentityPoolId, Logins: { 'login.app': name } }),
  },
  ListIdentityPools: creating('CreateIdentityPool', 'IdentityPoolName', { AllowUnauthenticatedIdentities: true }),
  LookupDeveloperIdentity: {
    make: (send, { IdentityPoolId, IdentityId }, name) =>
      send('GetOpenIdTokenForDeveloperIdentity', { IdentityPoolId, IdentityId, Logins: { 'login.app': name } }),
  },
};

/** Reason for lists of CloudFormation with a fixed page size. */
const HUNDREDS = 'its pages contain a hundred items, without a way to request fewer';
const cloudformation: Items = {
  DescribeAccountLimits: { unmade: HUNDREDS },
  DescribeChangeSet: { unmade: HUNDREDS },
  DescribeStackEvents: { unmade: HUNDREDS },
  DescribeStacks: { unmade: HUNDREDS },
  ListChangeSets: { unmade: HUNDREDS },
  ListExports: { unmade: HUNDREDS },
  ListImports: { unmade: HUNDREDS },
  ListStackResources: { unmade: HUNDREDS },
  ListStacks: { unmade: HUNDREDS },
  DescribeChangeSetHooks: { unmade: OWN_TESTS },
  DescribeEvents: { unmade: OWN_TESTS },
  DescribeStackResourceDrifts: { unmade: OWN_TESTS },
  ListHookResults: { unmade: OWN_TESTS },
  ListResourceScanRelatedResources: { unmade: OWN_TESTS },
  ListResourceScanResources: { unmade: OWN_TESTS },
  ListResourceScans: { unmade: OWN_TESTS },
  ListStackInstanceResourceDrifts: { unmade: OWN_TESTS },
  ListStackInstances: { unmade: OWN_TESTS },
  ListStackRefactorActions: { unmade: OWN_TESTS },
  ListStackRefactors: { unmade: OWN_TESTS },
  ListStackSetAutoDeploymentTargets: { unmade: OWN_TESTS },
  ListStackSetOperationResults: { unmade: OWN_TESTS },
  ListStackSetOperations: { unmade: OWN_TESTS },
  ListTypeRegistrations: { unmade: OWN_TESTS },
  ListTypeVersions: { unmade: OWN_TESTS },
  ListTypes: { unmade: OWN_TESTS },
  ListGeneratedTemplates: {
    make: making('cloudformation', 'CreateGeneratedTemplate', (GeneratedTemplateName) => ({ GeneratedTemplateName })),
  },
  ListStackSets: { make: making('cloudformation', 'CreateStackSet', (StackSetName) => ({ StackSetName })) },
};
const ecr: Items = { DescribeRepositories: creating('CreateRepository', 'repositoryName') };

const resourcegroups: Items = {
  ListGroupingStatuses: { unmade: OWN_TESTS },
  ListTagSyncTasks: { unmade: OWN_TESTS },
  ListGroupResources: { ...creating('CreateGroup', 'Name', { Tags: { team: 'a' } }), list: 'Resources' },
  ListGroups: { ...creating('CreateGroup', 'Name'), list: 'Groups' },
  SearchResources: creating('CreateGroup', 'Name', { Tags: { team: 'a' } }),
};

const resourcegroupstaggingapi: Items = {
  GetComplianceSummary: { unmade: 'the groups come from existing resources' },
  GetResources: { unmade: OWN_TESTS },
  GetTagKeys: { unmade: OWN_TESTS },
  GetTagValues: { unmade: OWN_TESTS },
  ListRequiredTags: { unmade: 'emu has no tag policies, which require tags' },
};

const cloudcontrol: Items = {
  ListResourceRequests: { unmade: OWN_TESTS },
  ListResources: { unmade: OWN_TESTS },
};

/** By service. */
export const ITEMS: Readonly<Record<string, Items>> = {
  apigateway,
  apigatewayv2,
  cloudcontrol,
  cloudformation,
  cloudwatch,
  'cognito-identity': cognitoIdentity,
  'cognito-idp': cognito,
  dynamodb,
  ecr,
  events,
  iam,
  kinesis,
  kms,
  lambda,
  logs,
  pipes,
  resourcegroups,
  resourcegroupstaggingapi,
  s3,
  s3control,
  scheduler,
  secretsmanager,
  servicequotas,
  ses,
  sesv2,
  sns,
  sqs,
  ssm,
  stepfunctions,
};
