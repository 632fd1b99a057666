import type { OperationName, OperationOutput } from '@emu/core/calls';
import { defined, omit, type Properties, run, sameValue, unless, unlessEmpty } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';
import { lifecycleRule, templateRule } from './lifecycle.ts';
import { notificationConfiguration, templateNotifications } from './notifications.ts';
import { filterOf, inverse, renamed, type Selection, selectionOf } from './shapes.ts';

/** A bucket property with its own operations. */
export interface Section {
  readonly property: string;
  /**
   * Sets it.
   * @param previous the last value
   */
  put(Bucket: string, value: Properties, ctx: ProviderContext, previous?: Properties): Promise<unknown>;
  /**
   * Resets it to a new bucket's default.
   * @param previous the last value
   */
  remove(Bucket: string, ctx: ProviderContext, previous: Properties): Promise<unknown>;
  /** @returns undefined if not set */
  get(Bucket: string, ctx: ProviderContext): Promise<unknown>;
}

type S3Operation = OperationName<'s3'>;

const call = <Operation extends S3Operation>(
  ctx: ProviderContext,
  operation: Operation,
  input: Properties,
): Promise<OperationOutput<'s3', Operation>> => run(ctx, 's3', operation, input);

/** S3's error codes for missing configurations. */
const NONE = [
  'NoSuchBucketPolicy',
  'NoSuchCORSConfiguration',
  'NoSuchLifecycleConfiguration',
  'NoSuchPublicAccessBlockConfiguration',
  'NoSuchTagSet',
  'NoSuchWebsiteConfiguration',
  'ObjectLockConfigurationNotFoundError',
  'OwnershipControlsNotFoundError',
  'ReplicationConfigurationNotFoundError',
  'ServerSideEncryptionConfigurationNotFoundError',
  'MethodNotAllowed',
];

const ask = <Operation extends S3Operation>(ctx: ProviderContext, operation: Operation, Bucket: string) =>
  unless(call(ctx, operation, { Bucket }), ...NONE) as Promise<OperationOutput<'s3', Operation> | undefined>;

const list = (value: unknown, name: string): readonly Properties[] =>
  ((value as Properties | undefined)?.[name] ?? []) as readonly Properties[];

const ENCRYPTION = { ServerSideEncryptionByDefault: 'ApplyServerSideEncryptionByDefault' };
const CORS = { ExposedHeaders: 'ExposeHeaders', Id: 'ID', MaxAge: 'MaxAgeSeconds' };
const LOGGING = { DestinationBucketName: 'TargetBucket', LogFilePrefix: 'TargetPrefix' };
const REPLICATION = { Id: 'ID', TagFilters: 'Tags', TagFilter: 'Tag' };
const ROUTING = { RedirectRule: 'Redirect', RoutingRuleCondition: 'Condition' };
const ALL_BLOCKED = {
  BlockPublicAcls: true,
  BlockPublicPolicy: true,
  IgnorePublicAcls: true,
  RestrictPublicBuckets: true,
};

/** Configurations with ids, of which a bucket has several. */
function byId(
  property: string,
  kind: 'Analytics' | 'IntelligentTiering' | 'Inventory' | 'Metrics',
  toService: (one: Properties) => Properties,
  fromService: (one: Properties) => Properties,
): Section {
  const change = async (Bucket: string, ctx: ProviderContext, before: unknown, after: unknown) => {
    const previous = (before ?? []) as readonly Properties[];
    const desired = (after ?? []) as readonly Properties[];
    for (const { Id } of previous)
      if (!desired.some((one) => one.Id === Id)) await call(ctx, `DeleteBucket${kind}Configuration`, { Bucket, Id });
    for (const one of desired)
      if (!previous.some((other) => sameValue(other, one)))
        await call(ctx, `PutBucket${kind}Configuration`, {
          Bucket,
          Id: one.Id,
          [`${kind}Configuration`]: toService(one),
        });
  };
  return {
    property,
    put: (Bucket, value, ctx, previous) => change(Bucket, ctx, previous, value),
    remove: (Bucket, ctx, previous) => change(Bucket, ctx, previous, []),
    async get(Bucket, ctx) {
      const found = await ask(ctx, `ListBucket${kind}Configurations`, Bucket);
      return unlessEmpty(list(found, `${kind}ConfigurationList`).map(fromService));
    },
  };
}

const exportTarget = ({ BucketArn, BucketAccountId, ...rest }: Properties) => ({
  S3BucketDestination: defined({ Bucket: BucketArn, AccountId: BucketAccountId, ...rest }),
});
const templateTarget = (destination: unknown) => {
  const { Bucket, AccountId, ...rest } = (destination as { S3BucketDestination: Properties }).S3BucketDestination;
  return defined({ BucketArn: Bucket, BucketAccountId: AccountId, ...omit(rest, 'Encryption') });
};

const analytics = byId(
  'AnalyticsConfigurations',
  'Analytics',
  ({ Id, Prefix, TagFilters, StorageClassAnalysis }) => {
    const { DataExport } = StorageClassAnalysis as { DataExport?: { Destination: Properties } };
    return defined({
      Id,
      Filter: filterOf(defined({ Prefix, TagFilters }) as Selection),
      StorageClassAnalysis: DataExport
        ? { DataExport: { ...DataExport, Destination: exportTarget(DataExport.Destination) } }
        : {},
    });
  },
  ({ Id, Filter, StorageClassAnalysis }) => {
    const { DataExport } = StorageClassAnalysis as { DataExport?: { Destination: unknown } };
    return {
      Id,
      ...selectionOf(Filter as Properties | undefined),
      StorageClassAnalysis: DataExport
        ? { DataExport: { ...DataExport, Destination: templateTarget(DataExport.Destination) } }
        : {},
    };
  },
);

const metrics = byId(
  'MetricsConfigurations',
  'Metrics',
  ({ Id, ...selection }) => defined({ Id, Filter: filterOf(selection as Selection) }),
  ({ Id, Filter }) => ({ Id, ...selectionOf(Filter as Properties | undefined) }),
);

const intelligentTiering = byId(
  'IntelligentTieringConfigurations',
  'IntelligentTiering',
  ({ Prefix, TagFilters, ...rest }) =>
    defined({ ...rest, Filter: filterOf(defined({ Prefix, TagFilters }) as Selection) }),
  ({ Filter, ...rest }) => ({ ...rest, ...selectionOf(Filter as Properties | undefined) }),
);

const inventory = byId(
  'InventoryConfigurations',
  'Inventory',
  ({ Destination, Enabled, Prefix, ScheduleFrequency, ...rest }) =>
    defined({
      ...rest,
      Destination: exportTarget(Destination as Properties),
      IsEnabled: Enabled,
      Filter: Prefix === undefined ? undefined : { Prefix },
      Schedule: { Frequency: ScheduleFrequency },
    }),
  ({ Destination, IsEnabled, Filter, Schedule, ...rest }) =>
    defined({
      ...rest,
      Destination: templateTarget(Destination),
      Enabled: IsEnabled,
      Prefix: (Filter as { Prefix?: string } | undefined)?.Prefix,
      ScheduleFrequency: (Schedule as { Frequency: string }).Frequency,
    }),
);

/** All such properties in order of application: dependencies first. */
export const sections: readonly Section[] = [
  {
    property: 'OwnershipControls',
    put: (Bucket, OwnershipControls, ctx) => call(ctx, 'PutBucketOwnershipControls', { Bucket, OwnershipControls }),
    remove: (Bucket, ctx) =>
      call(ctx, 'PutBucketOwnershipControls', {
        Bucket,
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      }),
    get: async (Bucket, ctx) => (await ask(ctx, 'GetBucketOwnershipControls', Bucket))?.OwnershipControls,
  },
  {
    property: 'PublicAccessBlockConfiguration',
    put: (Bucket, PublicAccessBlockConfiguration, ctx) =>
      call(ctx, 'PutPublicAccessBlock', { Bucket, PublicAccessBlockConfiguration }),
    remove: (Bucket, ctx) => call(ctx, 'PutPublicAccessBlock', { Bucket, PublicAccessBlockConfiguration: ALL_BLOCKED }),
    get: async (Bucket, ctx) => (await ask(ctx, 'GetPublicAccessBlock', Bucket))?.PublicAccessBlockConfiguration,
  },
  {
    property: 'VersioningConfiguration',
    put: (Bucket, VersioningConfiguration, ctx) =>
      call(ctx, 'PutBucketVersioning', { Bucket, VersioningConfiguration }),
    remove: (Bucket, ctx) =>
      call(ctx, 'PutBucketVersioning', { Bucket, VersioningConfiguration: { Status: 'Suspended' } }),
    async get(Bucket, ctx) {
      const Status = (await ask(ctx, 'GetBucketVersioning', Bucket))?.Status;
      return Status && { Status };
    },
  },
  {
    property: 'BucketEncryption',
    put: (Bucket, { ServerSideEncryptionConfiguration }, ctx) =>
      call(ctx, 'PutBucketEncryption', {
        Bucket,
        ServerSideEncryptionConfiguration: { Rules: renamed(ServerSideEncryptionConfiguration, ENCRYPTION) },
      }),
    remove: (Bucket, ctx) => call(ctx, 'DeleteBucketEncryption', { Bucket }),
    async get(Bucket, ctx) {
      const found = (await ask(ctx, 'GetBucketEncryption', Bucket))?.ServerSideEncryptionConfiguration;
      return found && { ServerSideEncryptionConfiguration: renamed(found.Rules, inverse(ENCRYPTION)) };
    },
  },
  {
    property: 'ObjectLockConfiguration',
    put: (Bucket, ObjectLockConfiguration, ctx) =>
      call(ctx, 'PutObjectLockConfiguration', { Bucket, ObjectLockConfiguration }),
    // The lock itself is permanent; only its rule can be removed.
    remove: (Bucket, ctx) =>
      call(ctx, 'PutObjectLockConfiguration', { Bucket, ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled' } }),
    get: async (Bucket, ctx) => (await ask(ctx, 'GetObjectLockConfiguration', Bucket))?.ObjectLockConfiguration,
  },
  {
    property: 'AbacStatus',
    put: (Bucket, Status, ctx) => call(ctx, 'PutBucketAbac', { Bucket, AbacStatus: { Status } }),
    remove: (Bucket, ctx) => call(ctx, 'PutBucketAbac', { Bucket, AbacStatus: { Status: 'Disabled' } }),
    get: async (Bucket, ctx) => (await ask(ctx, 'GetBucketAbac', Bucket))?.AbacStatus?.Status,
  },
  {
    property: 'AccelerateConfiguration',
    put: (Bucket, { AccelerationStatus: Status }, ctx) =>
      call(ctx, 'PutBucketAccelerateConfiguration', { Bucket, AccelerateConfiguration: { Status } }),
    remove: (Bucket, ctx) =>
      call(ctx, 'PutBucketAccelerateConfiguration', { Bucket, AccelerateConfiguration: { Status: 'Suspended' } }),
    async get(Bucket, ctx) {
      const AccelerationStatus = (await ask(ctx, 'GetBucketAccelerateConfiguration', Bucket))?.Status;
      return AccelerationStatus && { AccelerationStatus };
    },
  },
  {
    property: 'CorsConfiguration',
    put: (Bucket, { CorsRules }, ctx) =>
      call(ctx, 'PutBucketCors', { Bucket, CORSConfiguration: { CORSRules: renamed(CorsRules, CORS) } }),
    remove: (Bucket, ctx) => call(ctx, 'DeleteBucketCors', { Bucket }),
    async get(Bucket, ctx) {
      const rules = (await ask(ctx, 'GetBucketCors', Bucket))?.CORSRules;
      return rules && { CorsRules: renamed(rules, inverse(CORS)) };
    },
  },
  {
    property: 'LifecycleConfiguration',
    put: (Bucket, { Rules, TransitionDefaultMinimumObjectSize }, ctx) =>
      call(ctx, 'PutBucketLifecycleConfiguration', {
        Bucket,
        LifecycleConfiguration: { Rules: (Rules as never[]).map(lifecycleRule) },
        TransitionDefaultMinimumObjectSize,
      }),
    remove: (Bucket, ctx) => call(ctx, 'DeleteBucketLifecycle', { Bucket }),
    async get(Bucket, ctx) {
      const found = await ask(ctx, 'GetBucketLifecycleConfiguration', Bucket);
      if (!found) return undefined;
      const { TransitionDefaultMinimumObjectSize } = found;
      return defined({ Rules: list(found, 'Rules').map(templateRule), TransitionDefaultMinimumObjectSize });
    },
  },
  {
    property: 'LoggingConfiguration',
    put: (Bucket, value, ctx) =>
      call(ctx, 'PutBucketLogging', {
        Bucket,
        BucketLoggingStatus: {
          LoggingEnabled: { TargetBucket: Bucket, TargetPrefix: '', ...(renamed(value, LOGGING) as Properties) },
        },
      }),
    remove: (Bucket, ctx) => call(ctx, 'PutBucketLogging', { Bucket, BucketLoggingStatus: {} }),
    async get(Bucket, ctx) {
      const enabled = (await ask(ctx, 'GetBucketLogging', Bucket))?.LoggingEnabled;
      return enabled && renamed(omit(enabled, 'TargetGrants'), inverse(LOGGING));
    },
  },
  {
    property: 'NotificationConfiguration',
    put: (Bucket, value, ctx) =>
      call(ctx, 'PutBucketNotificationConfiguration', {
        Bucket,
        NotificationConfiguration: notificationConfiguration(value),
      }),
    remove: (Bucket, ctx) => call(ctx, 'PutBucketNotificationConfiguration', { Bucket, NotificationConfiguration: {} }),
    get: async (Bucket, ctx) =>
      templateNotifications({ ...(await ask(ctx, 'GetBucketNotificationConfiguration', Bucket)) }),
  },
  {
    property: 'ReplicationConfiguration',
    put: (Bucket, value, ctx) =>
      call(ctx, 'PutBucketReplication', { Bucket, ReplicationConfiguration: renamed(value, REPLICATION) }),
    remove: (Bucket, ctx) => call(ctx, 'DeleteBucketReplication', { Bucket }),
    get: async (Bucket, ctx) =>
      renamed((await ask(ctx, 'GetBucketReplication', Bucket))?.ReplicationConfiguration, inverse(REPLICATION)),
  },
  {
    property: 'WebsiteConfiguration',
    put: (Bucket, { ErrorDocument, IndexDocument, RoutingRules, ...rest }, ctx) =>
      call(ctx, 'PutBucketWebsite', {
        Bucket,
        WebsiteConfiguration: defined({
          ...rest,
          ErrorDocument: ErrorDocument === undefined ? undefined : { Key: ErrorDocument },
          IndexDocument: IndexDocument === undefined ? undefined : { Suffix: IndexDocument },
          RoutingRules: renamed(RoutingRules, ROUTING),
        }),
      }),
    remove: (Bucket, ctx) => call(ctx, 'DeleteBucketWebsite', { Bucket }),
    async get(Bucket, ctx) {
      const found = await ask(ctx, 'GetBucketWebsite', Bucket);
      if (!found) return undefined;
      return defined({
        RedirectAllRequestsTo: found.RedirectAllRequestsTo,
        ErrorDocument: found.ErrorDocument?.Key,
        IndexDocument: found.IndexDocument?.Suffix,
        RoutingRules: renamed(found.RoutingRules, inverse(ROUTING)),
      });
    },
  },
  analytics,
  intelligentTiering,
  inventory,
  metrics,
];
