import { zipOf } from '@emu/gateway/testing';

const ACCOUNT = '000000000000';
const arn = (service: string, resource: string) => `arn:aws:${service}:us-east-1:${ACCOUNT}:${resource}`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/tagged`;
const CERTIFICATE = arn('acm', 'certificate/12345678-1234-1234-1234-123456789012');

/** Calls an operation, with its input as JSON. */
export type Call = (service: string, operation: string, input?: object) => Promise<never>;

/** Creates a resource of a type. */
type Maker = (call: Call) => Promise<unknown>;

/** Makes a creation by one call. */
const one =
  (service: string, operation: string, input: object = {}): Maker =>
  (call) =>
    call(service, operation, input);

const trust = (service: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: `${service}.amazonaws.com` },
        Action: ['sts:AssumeRole', 'sts:SetContext'],
      },
    ],
  });

/** Returns the ARN of a new role that a service may assume. */
async function roleOf(call: Call, service: string, RoleName: string): Promise<string> {
  const { Role } = (await call('iam', 'CreateRole', { RoleName, AssumeRolePolicyDocument: trust(service) })) as {
    Role: { Arn: string };
  };
  return Role.Arn;
}

/** Returns the id of a new REST API. */
const restApi = async (call: Call): Promise<string> =>
  ((await call('apigateway', 'CreateRestApi', { name: 'tagged' })) as { id: string }).id;

/** Returns the id of a new HTTP API. */
const httpApi = async (call: Call): Promise<string> =>
  ((await call('apigatewayv2', 'CreateApi', { Name: 'tagged', ProtocolType: 'HTTP' })) as { ApiId: string }).ApiId;

const policyOf = (Action: string) =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] });

const insightRule = JSON.stringify({
  Schema: { Name: 'CloudWatchLogRule', Version: 1 },
  LogGroupNames: ['tagged'],
  LogFormat: 'JSON',
  Contribution: { Keys: ['$.ip'], Filters: [] },
  AggregateOn: 'Count',
});

const document = (schemaVersion: string) =>
  JSON.stringify({
    schemaVersion,
    description: 'tagged',
    ...(schemaVersion === '0.3' && {
      mainSteps: [{ name: 'wait', action: 'aws:sleep', inputs: { Duration: 'PT1H' } }],
    }),
    ...(schemaVersion === '2.2' && {
      mainSteps: [{ action: 'aws:runShellScript', name: 'run', inputs: { runCommand: ['true'] } }],
    }),
  });

const lambdaFunction: Maker = (call) =>
  call('lambda', 'CreateFunction', {
    FunctionName: 'tagged',
    Runtime: 'nodejs22.x',
    Handler: 'index.handler',
    Role: ROLE,
    Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = () => 1' }).toString('base64') },
  });

/** How a resource of each tagged type is created, by service and type; a later one may use those before it. */
export const MAKERS: Readonly<Record<string, Maker>> = {
  'apigateway RestApi': restApi,
  'apigateway Stage': async (call) => {
    const restApiId = await restApi(call);
    const { items } = (await call('apigateway', 'GetResources', { restApiId })) as { items: { id: string }[] };
    const method = { restApiId, resourceId: items[0]!.id, httpMethod: 'GET' };
    await call('apigateway', 'PutMethod', { ...method, authorizationType: 'NONE' });
    await call('apigateway', 'PutIntegration', { ...method, type: 'MOCK' });
    await call('apigateway', 'CreateDeployment', { restApiId, stageName: 'tagged' });
  },
  'apigateway ApiKey': one('apigateway', 'CreateApiKey', { name: 'tagged' }),
  'apigateway UsagePlan': one('apigateway', 'CreateUsagePlan', { name: 'tagged' }),
  'apigateway VpcLink': one('apigateway', 'CreateVpcLink', {
    name: 'tagged',
    targetArns: [arn('elasticloadbalancing', 'loadbalancer/net/tagged/1234567890123456')],
  }),
  'apigateway ClientCertificate': one('apigateway', 'GenerateClientCertificate'),
  'apigateway DomainName': one('apigateway', 'CreateDomainName', {
    domainName: 'rest.example.com',
    regionalCertificateArn: CERTIFICATE,
    endpointConfiguration: { types: ['REGIONAL'] },
  }),
  'apigatewayv2 Api': httpApi,
  'apigatewayv2 Stage': async (call) =>
    call('apigatewayv2', 'CreateStage', { ApiId: await httpApi(call), StageName: 'tagged' }),
  'apigatewayv2 DomainName': one('apigatewayv2', 'CreateDomainName', {
    DomainName: 'http.example.com',
    DomainNameConfigurations: [{ CertificateArn: CERTIFICATE, EndpointType: 'REGIONAL' }],
  }),
  'apigatewayv2 VpcLink': one('apigatewayv2', 'CreateVpcLink', { Name: 'tagged', SubnetIds: ['subnet-12345678'] }),
  'apigatewayv2 PortalProduct': one('apigatewayv2', 'CreatePortalProduct', { DisplayName: 'tagged' }),
  'cloudwatch alarm': one('cloudwatch', 'PutMetricAlarm', {
    AlarmName: 'tagged',
    ComparisonOperator: 'GreaterThanThreshold',
    EvaluationPeriods: 1,
    MetricName: 'm',
    Namespace: 'n',
    Period: 60,
    Statistic: 'Sum',
    Threshold: 1,
  }),
  'cloudwatch alarm-mute-rule': one('cloudwatch', 'PutAlarmMuteRule', {
    Name: 'tagged',
    Rule: { Schedule: { Expression: 'cron(0 2 * * *)', Duration: 'PT1H' } },
  }),
  'cloudwatch dashboard': one('cloudwatch', 'PutDashboard', {
    DashboardName: 'tagged',
    DashboardBody: '{"widgets":[]}',
  }),
  'cloudwatch insight-rule': one('cloudwatch', 'PutInsightRule', { RuleName: 'tagged', RuleDefinition: insightRule }),
  'cloudwatch metric-stream': one('cloudwatch', 'PutMetricStream', {
    Name: 'tagged',
    FirehoseArn: arn('firehose', 'deliverystream/tagged'),
    RoleArn: ROLE,
    OutputFormat: 'json',
  }),
  'cognito-identity identitypool': one('cognito-identity', 'CreateIdentityPool', {
    IdentityPoolName: 'tagged',
    AllowUnauthenticatedIdentities: true,
  }),
  'cognito-idp userpool': one('cognito-idp', 'CreateUserPool', { PoolName: 'tagged' }),
  'dynamodb table': one('dynamodb', 'CreateTable', {
    TableName: 'tagged',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  }),
  'ecr repository': one('ecr', 'CreateRepository', { repositoryName: 'tagged' }),
  'events rule': one('events', 'PutRule', { Name: 'tagged', ScheduleExpression: 'rate(1 day)' }),
  'events event-bus': one('events', 'CreateEventBus', { Name: 'tagged' }),
  'firehose deliverystream': one('firehose', 'CreateDeliveryStream', {
    DeliveryStreamName: 'tagged',
    ExtendedS3DestinationConfiguration: { BucketARN: 'arn:aws:s3:::tagged', RoleARN: ROLE },
  }),
  'iam instance-profile': one('iam', 'CreateInstanceProfile', { InstanceProfileName: 'tagged' }),
  'iam policy': one('iam', 'CreatePolicy', { PolicyName: 'tagged', PolicyDocument: policyOf('sqs:*') }),
  'iam oidc-provider': one('iam', 'CreateOpenIDConnectProvider', {
    Url: 'https://oidc.example.com',
    ThumbprintList: ['0'.repeat(40)],
  }),
  'iam mfa': one('iam', 'CreateVirtualMFADevice', { VirtualMFADeviceName: 'tagged' }),
  'kinesis stream': one('kinesis', 'CreateStream', { StreamName: 'tagged', ShardCount: 1 }),
  'kinesis consumer': one('kinesis', 'RegisterStreamConsumer', {
    StreamARN: arn('kinesis', 'stream/tagged'),
    ConsumerName: 'tagged',
  }),
  'kms key': one('kms', 'CreateKey'),
  'sqs queue': one('sqs', 'CreateQueue', { QueueName: 'tagged' }),
  'lambda function': lambdaFunction,
  'lambda eventSourceMapping': one('lambda', 'CreateEventSourceMapping', {
    FunctionName: 'tagged',
    EventSourceArn: arn('sqs', 'tagged'),
    Enabled: false,
  }),
  'lambda code signing config': one('lambda', 'CreateCodeSigningConfig', {
    AllowedPublishers: { SigningProfileVersionArns: [arn('signer', '/signing-profiles/tagged/1234567890')] },
  }),
  'lambda capacity provider': one('lambda', 'CreateCapacityProvider', {
    CapacityProviderName: 'tagged',
    VpcConfig: { SecurityGroupIds: ['sg-1234567890abcdef0'], SubnetIds: ['subnet-1234567890abcdef0'] },
    PermissionsConfig: { CapacityProviderOperatorRoleArn: ROLE },
  }),
  'logs log-group': one('logs', 'CreateLogGroup', { logGroupName: 'tagged' }),
  'logs delivery-source': async (call) => {
    const { UserPool } = (await call('cognito-idp', 'CreateUserPool', { PoolName: 'source' })) as {
      UserPool: { Arn: string };
    };
    const source = { name: 'tagged', resourceArn: UserPool.Arn, logType: 'USER_NOTIFICATION' };
    await call('logs', 'PutDeliverySource', source);
  },
  'logs delivery-destination': async (call) => {
    await call('s3', 'CreateBucket', { Bucket: 'logs-destination' });
    const configuration = { destinationResourceArn: 'arn:aws:s3:::logs-destination' };
    await call('logs', 'PutDeliveryDestination', { name: 'tagged', deliveryDestinationConfiguration: configuration });
  },
  'logs delivery': one('logs', 'CreateDelivery', {
    deliverySourceName: 'tagged',
    deliveryDestinationArn: arn('logs', 'delivery-destination:tagged'),
  }),
  'logs anomaly-detector': one('logs', 'CreateLogAnomalyDetector', {
    logGroupArnList: [arn('logs', 'log-group:tagged')],
  }),
  'logs lookup-table': one('logs', 'CreateLookupTable', { lookupTableName: 'tagged', tableBody: 'a,b\n1,2\n' }),
  'logs scheduled-query': async (call) => {
    await call('logs', 'CreateScheduledQuery', {
      name: 'tagged',
      executionRoleArn: await roleOf(call, 'logs', 'scheduled'),
      logGroupIdentifiers: ['tagged'],
      queryLanguage: 'CWLI',
      queryString: 'fields @message',
      scheduleExpression: 'cron(0 * * * ? *)',
    });
  },
  'pipes pipe': async (call) => {
    await call('sqs', 'CreateQueue', { QueueName: 'target' });
    await call('pipes', 'CreatePipe', {
      Name: 'tagged',
      Source: arn('sqs', 'tagged'),
      Target: arn('sqs', 'target'),
      RoleArn: await roleOf(call, 'pipes', 'pipe'),
      DesiredState: 'STOPPED',
    });
  },
  'resourcegroups group': one('resourcegroups', 'CreateGroup', {
    Name: 'tagged',
    ResourceQuery: {
      Type: 'TAG_FILTERS_1_0',
      Query: JSON.stringify({ ResourceTypeFilters: ['AWS::AllSupported'], TagFilters: [{ Key: 'a' }] }),
    },
  }),
  's3 bucket': one('s3', 'CreateBucket', { Bucket: 'tagged' }),
  's3control storagelensgroup': one('s3control', 'CreateStorageLensGroup', {
    AccountId: ACCOUNT,
    StorageLensGroup: { Name: 'tagged', Filter: { MatchAnyPrefix: ['a'] } },
  }),
  's3control accesspoint': one('s3control', 'CreateAccessPoint', {
    AccountId: ACCOUNT,
    Name: 'tagged',
    Bucket: 'tagged',
  }),
  's3control accessgrantsinstance': one('s3control', 'CreateAccessGrantsInstance', { AccountId: ACCOUNT }),
  's3control accessgrantslocation': async (call) => {
    const IAMRoleArn = await roleOf(call, 'access-grants.s3', 'grants');
    await call('s3control', 'CreateAccessGrantsLocation', {
      AccountId: ACCOUNT,
      LocationScope: 's3://tagged/*',
      IAMRoleArn,
    });
  },
  'scheduler schedule-group': one('scheduler', 'CreateScheduleGroup', { Name: 'tagged' }),
  'secretsmanager Secret': one('secretsmanager', 'CreateSecret', {
    Name: 'tagged',
    SecretString: 'x',
    ClientRequestToken: '12345678-1234-1234-1234-123456789012',
  }),
  'ses custom-verification-email-template': async (call) => {
    await call('sesv2', 'CreateEmailIdentity', { EmailIdentity: 'from@example.com' });
    await call('sesv2', 'CreateCustomVerificationEmailTemplate', {
      TemplateName: 'tagged',
      FromEmailAddress: 'from@example.com',
      TemplateSubject: 's',
      TemplateContent: 'c',
      SuccessRedirectionURL: 'https://example.com/a',
      FailureRedirectionURL: 'https://example.com/b',
    });
  },
  'ses template': one('sesv2', 'CreateEmailTemplate', {
    TemplateName: 'tagged',
    TemplateContent: { Subject: 's', Text: 't' },
  }),
  'ses identity': one('sesv2', 'CreateEmailIdentity', { EmailIdentity: 'tagged.example.com' }),
  'ses configuration-set': one('sesv2', 'CreateConfigurationSet', { ConfigurationSetName: 'tagged' }),
  'ses contact-list': one('sesv2', 'CreateContactList', { ContactListName: 'tagged' }),
  'ses dedicated-ip-pool': one('sesv2', 'CreateDedicatedIpPool', { PoolName: 'tagged' }),
  'ses tenant': one('sesv2', 'CreateTenant', { TenantName: 'tagged' }),
  'ses multi-region-endpoint': one('sesv2', 'CreateMultiRegionEndpoint', {
    EndpointName: 'tagged',
    Details: { RoutesDetails: [{ Region: 'eu-west-1' }] },
  }),
  'sns topic': one('sns', 'CreateTopic', { Name: 'tagged' }),
  'ssm parameter': one('ssm', 'PutParameter', { Name: '/tagged/one', Value: 'x', Type: 'String' }),
  'ssm document': one('ssm', 'CreateDocument', {
    Name: 'tagged',
    Content: document('2.2'),
    DocumentType: 'Command',
  }),
  'ssm patchbaseline': one('ssm', 'CreatePatchBaseline', { Name: 'tagged' }),
  'ssm opsitem': one('ssm', 'CreateOpsItem', { Title: 't', Description: 'd', Source: 's' }),
  'ssm opsmetadata': one('ssm', 'CreateOpsMetadata', { ResourceId: 'tagged' }),
  'ssm maintenancewindow': one('ssm', 'CreateMaintenanceWindow', {
    Name: 'tagged',
    Schedule: 'rate(1 day)',
    Duration: 2,
    Cutoff: 1,
    AllowUnassociatedTargets: true,
  }),
  'ssm association': one('ssm', 'CreateAssociation', {
    Name: 'tagged',
    Targets: [{ Key: 'tag:a', Values: ['b'] }],
  }),
  'ssm automation-execution': async (call) => {
    await call('ssm', 'CreateDocument', { Name: 'runbook', Content: document('0.3'), DocumentType: 'Automation' });
    await call('ssm', 'StartAutomationExecution', { DocumentName: 'runbook' });
  },
  'stepfunctions statemachine': async (call) => {
    await call('stepfunctions', 'CreateStateMachine', {
      name: 'tagged',
      roleArn: await roleOf(call, 'states', 'machine'),
      definition: JSON.stringify({ StartAt: 'a', States: { a: { Type: 'Succeed' } } }),
    });
  },
  'stepfunctions activity': one('stepfunctions', 'CreateActivity', { name: 'tagged' }),
};

/** Tagged types that the test leaves out, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'apigateway DomainNameAccessAssociation': 'needs a private domain name, whose ARN has an id; its service tests it',
  'apigatewayv2 Portal': 'needs a whole portal; its service tests it',
  'cloudformation stack': 'has tags by its creations and updates only',
  'cloudformation stackset': 'has tags by its creations and updates only',
  'iam saml-provider': 'needs metadata of an identity provider; its service tests it',
  'iam server-certificate': 'needs a certificate; its service tests it',
  'logs destination': 'needs a stream that takes a test record; its service tests it',
  's3 object': 'has tags by its keys; its service tests it',
  's3control accessgrant': 'needs a grantee; its service tests it',
  's3control bucket': 'is of Outposts, whose buckets have operations of their own',
  's3control job': 'has operations of its own',
  's3control storagelensconfiguration': 'has operations of its own',
  'servicequotas quota': 'exists only as far as it has tags; its service tests it',
  'ses deliverability-test-report': 'needs a test of deliverability; its service tests it',
  'ssm managed-instance': 'needs an agent that registers; its service tests it',
};

/** Names the resource in the operation that lists a type's tags, where that is not an ARN alone. */
export const LISTS: Readonly<Record<string, (key: Readonly<Record<string, string>>, arn: string) => [string, object]>> =
  {
    'firehose deliverystream': ({ name }) => ['ListTagsForDeliveryStream', { DeliveryStreamName: name }],
    'iam instance-profile': ({ name }) => ['ListInstanceProfileTags', { InstanceProfileName: name }],
    'iam policy': (_key, text) => ['ListPolicyTags', { PolicyArn: text }],
    'iam oidc-provider': (_key, text) => ['ListOpenIDConnectProviderTags', { OpenIDConnectProviderArn: text }],
    'iam mfa': (_key, text) => ['ListMFADeviceTags', { SerialNumber: text }],
    'kms key': ({ id }) => ['ListResourceTags', { KeyId: id }],
    's3 bucket': ({ name }) => ['GetBucketTagging', { Bucket: name }],
    'secretsmanager Secret': (_key, text) => ['DescribeSecret', { SecretId: text }],
    'sqs queue': ({ name }) => ['ListQueueTags', { QueueUrl: name }],
    ...Object.fromEntries(
      Object.entries({
        association: 'Association',
        'automation-execution': 'Automation',
        document: 'Document',
        maintenancewindow: 'MaintenanceWindow',
        opsitem: 'OpsItem',
        opsmetadata: 'OpsMetadata',
        patchbaseline: 'PatchBaseline',
      }).map(([type, ResourceType]) => [
        `ssm ${type}`,
        ({ id, name }: Readonly<Record<string, string>>) => [
          'ListTagsForResource',
          { ResourceType, ResourceId: id ?? name },
        ],
      ]),
    ),
    'ssm parameter': ({ name }) => ['ListTagsForResource', { ResourceType: 'Parameter', ResourceId: `/${name}` }],
  };
