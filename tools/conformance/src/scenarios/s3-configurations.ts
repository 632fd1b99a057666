import type { Facts, Scenario, Send } from '../scenario.ts';
import { via } from './s3-callers.ts';

/** Bucket for configurations. */
export const BUCKET = 'known-bucket';

const bucket = () => ({ Bucket: BUCKET });
const TARGET = `arn:aws:s3:::${BUCKET}`;
const QUEUE = 'arn:aws:sqs:us-east-1:123456789012:work';

const policy = (Action: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: '123456789012' }, Action, Resource: `${TARGET}/*` }],
  });
const exported = { Bucket: TARGET, Format: 'CSV' };
const inventory = (Id: string, Frequency = 'Daily') => ({
  Id,
  InventoryConfiguration: {
    Id,
    IsEnabled: true,
    IncludedObjectVersions: 'All',
    Schedule: { Frequency },
    Destination: { S3BucketDestination: exported },
  },
});
const analytics = (Id: string, Prefix = 'a/') => ({
  Id,
  AnalyticsConfiguration: {
    Id,
    Filter: { Prefix },
    StorageClassAnalysis: {
      DataExport: { OutputSchemaVersion: 'V_1', Destination: { S3BucketDestination: exported } },
    },
  },
});
const metrics = (Id: string, Prefix = 'a/') => ({ Id, MetricsConfiguration: { Id, Filter: { Prefix } } });
const tiering = (Id: string, Prefix = 'a/') => ({
  Id,
  IntelligentTieringConfiguration: {
    Id,
    Status: 'Enabled',
    Filter: { Prefix },
    Tierings: [{ AccessTier: 'ARCHIVE_ACCESS', Days: 90 }],
  },
});
const lifecycle = (Days: number) => ({
  LifecycleConfiguration: {
    Rules: [{ ID: 'rule', Status: 'Enabled', Filter: { Prefix: 'logs/' }, Expiration: { Days } }],
  },
});
const replication = (Prefix: string) => ({
  ReplicationConfiguration: {
    Role: 'arn:aws:iam::123456789012:role/replicate',
    Rules: [
      {
        ID: 'rule',
        Priority: 1,
        Status: 'Enabled',
        Filter: { Prefix },
        DeleteMarkerReplication: { Status: 'Disabled' },
        Destination: { Bucket: 'arn:aws:s3:::replica' },
      },
    ],
  },
});
const replicationOf = (rule: object) => {
  const { ReplicationConfiguration: whole } = replication('a/');
  return { ReplicationConfiguration: { ...whole, Rules: [{ ...whole.Rules[0], ...rule }] } };
};
const cors = (MaxAgeSeconds: number) => ({
  CORSConfiguration: { CORSRules: [{ AllowedMethods: ['GET'], AllowedOrigins: ['*'], MaxAgeSeconds }] },
});
const encryption = (SSEAlgorithm: string) => ({
  ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm } }] },
});
const website = (Suffix: string) => ({ WebsiteConfiguration: { IndexDocument: { Suffix } } });
const ownership = (ObjectOwnership: string) => ({ OwnershipControls: { Rules: [{ ObjectOwnership }] } });
const block = (value: boolean) => ({
  PublicAccessBlockConfiguration: {
    BlockPublicAcls: value,
    IgnorePublicAcls: value,
    BlockPublicPolicy: value,
    RestrictPublicBuckets: value,
  },
});
const tags = (Value: string) => ({ Tagging: { TagSet: [{ Key: 'team', Value }] } });
const lock = (Days: number) => ({
  ObjectLockConfiguration: {
    ObjectLockEnabled: 'Enabled',
    Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days } },
  },
});
const logging = (TargetPrefix: string) => ({
  BucketLoggingStatus: { LoggingEnabled: { TargetBucket: BUCKET, TargetPrefix } },
});

/** Configurations of a bucket at the start. */
export async function setUpConfigurations(send: Send): Promise<void> {
  await send('CreateBucket', { Bucket: 'replica' });
  await send('PutBucketVersioning', { Bucket: 'replica', VersioningConfiguration: { Status: 'Enabled' } });
  for (const [operation, input] of [
    ['PutBucketAnalyticsConfiguration', analytics('known')],
    ['PutBucketCors', cors(1)],
    ['PutBucketIntelligentTieringConfiguration', tiering('known')],
    ['PutBucketInventoryConfiguration', inventory('known')],
    ['PutBucketLifecycleConfiguration', lifecycle(1)],
    ['PutBucketMetricsConfiguration', metrics('known')],
    ['PutBucketPolicy', { Policy: policy('s3:GetObject') }],
    ['PutBucketReplication', replication('a/')],
    ['PutBucketTagging', tags('a')],
    ['PutBucketWebsite', website('index.html')],
    ['PutPublicAccessBlock', block(false)],
  ] as const)
    await send(operation, { ...bucket(), ...input });
}

type Input = (facts: Facts) => Record<string, unknown>;
const put =
  (more: object): Input =>
  () => ({ ...bucket(), ...more });
const known = put({ Id: 'known' });

/** Valid inputs of the operations on bucket configurations. */
export const configurationInputs: Readonly<Record<string, Input>> = {
  DeleteBucketAnalyticsConfiguration: known,
  DeleteBucketCors: bucket,
  DeleteBucketEncryption: bucket,
  DeleteBucketIntelligentTieringConfiguration: known,
  DeleteBucketInventoryConfiguration: known,
  DeleteBucketLifecycle: bucket,
  DeleteBucketMetricsConfiguration: known,
  DeleteBucketOwnershipControls: bucket,
  DeleteBucketPolicy: bucket,
  DeleteBucketReplication: bucket,
  DeleteBucketTagging: bucket,
  DeleteBucketWebsite: bucket,
  DeletePublicAccessBlock: bucket,
  GetBucketAbac: bucket,
  GetBucketAccelerateConfiguration: bucket,
  GetBucketAcl: bucket,
  GetBucketAnalyticsConfiguration: known,
  GetBucketCors: bucket,
  GetBucketEncryption: bucket,
  GetBucketIntelligentTieringConfiguration: known,
  GetBucketInventoryConfiguration: known,
  GetBucketLifecycle: bucket,
  GetBucketLifecycleConfiguration: bucket,
  GetBucketLocation: bucket,
  GetBucketLogging: bucket,
  GetBucketMetricsConfiguration: known,
  GetBucketNotification: bucket,
  GetBucketNotificationConfiguration: bucket,
  GetBucketOwnershipControls: bucket,
  GetBucketPolicy: bucket,
  GetBucketPolicyStatus: bucket,
  GetBucketReplication: bucket,
  GetBucketRequestPayment: bucket,
  GetBucketTagging: bucket,
  GetBucketVersioning: bucket,
  GetBucketWebsite: bucket,
  GetObjectLockConfiguration: bucket,
  GetPublicAccessBlock: bucket,
  ListBucketAnalyticsConfigurations: bucket,
  ListBucketIntelligentTieringConfigurations: bucket,
  ListBucketInventoryConfigurations: bucket,
  ListBucketMetricsConfigurations: bucket,
  PutBucketAbac: put({ AbacStatus: { Status: 'Enabled' } }),
  PutBucketAccelerateConfiguration: put({ AccelerateConfiguration: { Status: 'Enabled' } }),
  PutBucketAcl: put({ ACL: 'public-read' }),
  PutBucketAnalyticsConfiguration: put(analytics('new')),
  PutBucketCors: put(cors(2)),
  PutBucketEncryption: put(encryption('aws:kms')),
  PutBucketIntelligentTieringConfiguration: put(tiering('new')),
  PutBucketInventoryConfiguration: put(inventory('new')),
  PutBucketLifecycle: put(lifecycle(2)),
  PutBucketLifecycleConfiguration: put(lifecycle(2)),
  PutBucketLogging: put(logging('logs/')),
  PutBucketMetricsConfiguration: put(metrics('new')),
  PutBucketNotification: put({ NotificationConfiguration: { EventBridgeConfiguration: {} } }),
  PutBucketNotificationConfiguration: put({
    NotificationConfiguration: { QueueConfigurations: [{ Id: 'q', QueueArn: QUEUE, Events: ['s3:ObjectCreated:*'] }] },
    SkipDestinationValidation: true,
  }),
  PutBucketOwnershipControls: put(ownership('BucketOwnerPreferred')),
  PutBucketPolicy: put({ Policy: policy('s3:PutObject') }),
  PutBucketReplication: put(replication('b/')),
  PutBucketRequestPayment: put({ RequestPaymentConfiguration: { Payer: 'BucketOwner' } }),
  PutBucketTagging: put(tags('b')),
  PutBucketVersioning: () => ({ Bucket: 'empty', VersioningConfiguration: { Status: 'Enabled' } }),
  PutBucketWebsite: put(website('other.html')),
  PutObjectLockConfiguration: put(lock(1)),
  PutPublicAccessBlock: put(block(true)),
};

const tag = { Key: 'k', Value: 'v' };
const and = { And: { Prefix: 'a/', Tags: [tag, { Key: 'l', Value: 'w' }] } };
const rules = (...Rules: object[]) => ({ LifecycleConfiguration: { Rules } });
const lifecycleRule = { ID: 'rule', Status: 'Enabled', Filter: { Prefix: '' } };
const grants = ({ owner }: Facts) => [{ Grantee: { Type: 'CanonicalUser', ID: owner }, Permission: 'READ' }];
const acl = (facts: Facts) => ({ AccessControlPolicy: { Owner: { ID: facts.owner }, Grants: grants(facts) } });
const destination = {
  Id: 'one',
  Events: ['s3:ObjectCreated:*'],
  Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: 'a/' }] } },
};

/** Further valid inputs, with members that the others omit. */
export const configurationAlso: Readonly<Record<string, readonly Input[]>> = {
  PutBucketAcl: [(facts) => ({ ...bucket(), ...acl(facts) })],
  PutObjectAcl: [(facts) => ({ ...bucket(), Key: 'known', ...acl(facts) })],
  PutBucketAnalyticsConfiguration: [{ Tag: tag }, and].map((Filter) =>
    put({ Id: 'new', AnalyticsConfiguration: { ...analytics('new').AnalyticsConfiguration, Filter } }),
  ),
  PutBucketIntelligentTieringConfiguration: [{ Tag: tag }, and].map((Filter) =>
    put({
      Id: 'new',
      IntelligentTieringConfiguration: { ...tiering('new').IntelligentTieringConfiguration, Filter },
    }),
  ),
  PutBucketMetricsConfiguration: [
    { Tag: tag },
    { And: { ...and.And, AccessPointArn: 'arn:aws:s3:us-east-1:123456789012:accesspoint/one' } },
  ].map((Filter) => put({ Id: 'new', MetricsConfiguration: { Id: 'new', Filter } })),
  PutBucketLifecycleConfiguration: [
    put(rules({ ...lifecycleRule, Filter: { Tag: tag }, Expiration: { Days: 3 } })),
    put(
      rules({
        ...lifecycleRule,
        Filter: { And: { ...and.And, ObjectSizeGreaterThan: 1, ObjectSizeLessThan: 9 } },
        Transitions: [{ Days: 40, StorageClass: 'GLACIER' }],
        NoncurrentVersionTransitions: [{ NoncurrentDays: 40, StorageClass: 'GLACIER', NewerNoncurrentVersions: 3 }],
      }),
    ),
  ],
  PutBucketLogging: [
    (facts) => ({
      ...bucket(),
      BucketLoggingStatus: {
        LoggingEnabled: { TargetBucket: BUCKET, TargetPrefix: 'logs/', TargetGrants: grants(facts) },
      },
    }),
  ],
  PutBucketNotificationConfiguration: [
    put({
      NotificationConfiguration: {
        TopicConfigurations: [{ ...destination, TopicArn: 'arn:aws:sns:us-east-1:123456789012:topic' }],
      },
      SkipDestinationValidation: true,
    }),
    put({
      NotificationConfiguration: {
        LambdaFunctionConfigurations: [
          { ...destination, LambdaFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:fn' },
        ],
      },
      SkipDestinationValidation: true,
    }),
  ],
  PutBucketReplication: [
    replicationOf({ Filter: { Tag: tag } }),
    replicationOf({ Filter: and }),
    // Members that depend on each other.
    replicationOf({
      SourceSelectionCriteria: {
        SseKmsEncryptedObjects: { Status: 'Enabled' },
        ReplicaModifications: { Status: 'Enabled' },
      },
      Destination: {
        Bucket: 'arn:aws:s3:::replica',
        EncryptionConfiguration: { ReplicaKmsKeyID: 'arn:aws:kms:us-east-1:123456789012:key/replicas' },
        ReplicationTime: { Status: 'Enabled', Time: { Minutes: 15 } },
        Metrics: { Status: 'Enabled', EventThreshold: { Minutes: 15 } },
      },
    }),
  ].map(put),
  PutBucketWebsite: [
    put({ WebsiteConfiguration: { RedirectAllRequestsTo: { HostName: 'example.com', Protocol: 'https' } } }),
    put({
      WebsiteConfiguration: {
        IndexDocument: { Suffix: 'index.html' },
        RoutingRules: [{ Condition: { KeyPrefixEquals: 'a/' }, Redirect: { ReplaceKeyPrefixWith: 'b/' } }],
      },
    }),
  ],
};

/** Returns the outcome of a request: the name of its error or selected parts of its response. */
const outcome = (send: Send, operation: string, input: object, pick: readonly string[] = []): Promise<unknown> =>
  send(operation, { ...bucket(), ...input }).then(
    (answer) => pick.map((name) => answer[name]),
    (error: Error) => error.name,
  );
const object = { Key: 'tried', Body: 'x' };

/** Returns the possible actions after a change of a setting. */
export const configurationAfter: NonNullable<Scenario['after']> = {
  PutBucketEncryption: (send) =>
    outcome(send, 'PutObject', object, ['ServerSideEncryption', 'SSEKMSKeyId', 'BucketKeyEnabled']),
  PutBucketOwnershipControls: (send) => outcome(send, 'PutObject', { ...object, ACL: 'public-read' }),
  PutBucketRequestPayment: (send) => outcome(send, 'HeadObject', via('stranger', { Key: 'known' })),
  PutPublicAccessBlock: async (send) => [
    await outcome(send, 'PutBucketPolicy', { Policy: policy('s3:GetObject').replace('"123456789012"', '"*"') }),
    await outcome(send, 'PutBucketAcl', { ACL: 'public-read' }),
  ],
};

type Tell = (operation: string, input: Record<string, unknown>) => Promise<unknown>;

/** Returns all configurations of the bucket. */
export async function observeConfigurations(tell: Tell): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const kind of [
    'Abac',
    'AccelerateConfiguration',
    'Acl',
    'Cors',
    'Encryption',
    'LifecycleConfiguration',
    'Logging',
    'NotificationConfiguration',
    'OwnershipControls',
    'Policy',
    'Replication',
    'RequestPayment',
    'Tagging',
    'Website',
  ])
    found.push(await tell(`GetBucket${kind}`, bucket()));
  for (const kind of ['Analytics', 'IntelligentTiering', 'Inventory', 'Metrics'])
    found.push(await tell(`ListBucket${kind}Configurations`, bucket()));
  found.push(await tell('GetBucketVersioning', { Bucket: 'empty' }));
  found.push(await tell('GetObjectLockConfiguration', bucket()), await tell('GetPublicAccessBlock', bucket()));
  return found;
}

type Change = ((send: Send, facts: Facts) => Promise<unknown>) | undefined;
const change =
  (operation: string, more: object): Change =>
  (send) =>
    send(operation, { ...bucket(), ...more });

/** Changes after which the reading operations must return another result. */
export const configurationReads: Readonly<Record<string, Change>> = {
  GetBucketAbac: change('PutBucketAbac', { AbacStatus: { Status: 'Enabled' } }),
  GetBucketAccelerateConfiguration: change('PutBucketAccelerateConfiguration', {
    AccelerateConfiguration: { Status: 'Enabled' },
  }),
  GetBucketAcl: change('PutBucketAcl', { ACL: 'public-read' }),
  GetBucketAnalyticsConfiguration: change('PutBucketAnalyticsConfiguration', analytics('known', 'b/')),
  GetBucketCors: change('PutBucketCors', cors(2)),
  GetBucketEncryption: change('PutBucketEncryption', encryption('aws:kms')),
  GetBucketIntelligentTieringConfiguration: change('PutBucketIntelligentTieringConfiguration', tiering('known', 'b/')),
  GetBucketInventoryConfiguration: change('PutBucketInventoryConfiguration', inventory('known', 'Weekly')),
  GetBucketLifecycle: change('PutBucketLifecycleConfiguration', lifecycle(2)),
  GetBucketLifecycleConfiguration: change('PutBucketLifecycleConfiguration', lifecycle(2)),
  GetBucketLocation: undefined,
  GetBucketLogging: change('PutBucketLogging', logging('logs/')),
  GetBucketMetricsConfiguration: change('PutBucketMetricsConfiguration', metrics('known', 'b/')),
  GetBucketNotification: change('PutBucketNotificationConfiguration', {
    NotificationConfiguration: { EventBridgeConfiguration: {} },
  }),
  GetBucketNotificationConfiguration: change('PutBucketNotificationConfiguration', {
    NotificationConfiguration: { EventBridgeConfiguration: {} },
  }),
  GetBucketOwnershipControls: change('PutBucketOwnershipControls', ownership('BucketOwnerPreferred')),
  GetBucketPolicy: change('PutBucketPolicy', { Policy: policy('s3:PutObject') }),
  GetBucketPolicyStatus: change('PutBucketPolicy', { Policy: policy('s3:GetObject').replace('"123456789012"', '"*"') }),
  GetBucketReplication: change('PutBucketReplication', replication('b/')),
  GetBucketRequestPayment: change('PutBucketRequestPayment', { RequestPaymentConfiguration: { Payer: 'BucketOwner' } }),
  GetBucketTagging: change('PutBucketTagging', tags('b')),
  GetBucketVersioning: undefined,
  GetBucketWebsite: change('PutBucketWebsite', website('other.html')),
  GetObjectLockConfiguration: change('PutObjectLockConfiguration', lock(1)),
  GetPublicAccessBlock: change('PutPublicAccessBlock', block(true)),
  ListBucketAnalyticsConfigurations: change('PutBucketAnalyticsConfiguration', analytics('new')),
  ListBucketIntelligentTieringConfigurations: change('PutBucketIntelligentTieringConfiguration', tiering('new')),
  ListBucketInventoryConfigurations: change('PutBucketInventoryConfiguration', inventory('new')),
  ListBucketMetricsConfigurations: change('PutBucketMetricsConfiguration', metrics('new')),
};

const ownerOf = async (send: Send): Promise<Facts> => ({
  owner: ((await send('GetBucketAcl', bucket())).Owner as { ID: string }).ID,
});
const begin =
  (operation: string, more: object) =>
  async (send: Send): Promise<Facts> => {
    await send(operation, { ...bucket(), ...more });
    return {};
  };
/** State for single operations. */
export const configurationBefore: Readonly<Record<string, (send: Send) => Promise<Facts>>> = {
  PutBucketAcl: ownerOf,
  PutBucketLogging: ownerOf,
  PutObjectAcl: ownerOf,
  DeleteBucketEncryption: begin('PutBucketEncryption', encryption('aws:kms')),
};
