import { createHash } from 'node:crypto';
import type { Facts, Scenario, Send } from '../scenario.ts';

const AccountId = '123456789012';
const account = { AccountId };
const roleOf = (name: string) => `arn:aws:iam::${AccountId}:role/${name}`;
const bucketArn = 'arn:aws:s3:::a-bucket';
const lens = () => ({ AccountId, ConfigId: 'lens' });
const group = () => ({ AccountId, Name: 'group' });
const job = ({ job }: Facts) => ({ AccountId, JobId: job });
const grant = ({ grant }: Facts) => ({ AccountId, AccessGrantId: grant });
const location = ({ location }: Facts) => ({ AccountId, AccessGrantsLocationId: location });
const tags = (Value: string) => [{ Key: 'team', Value }];
/** The caller of a scenario in grants. */
const grantee = { GranteeType: 'IAM', GranteeIdentifier: `arn:aws:iam::${AccountId}:root` };
const instancePolicy = (Action: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: '210987654321' },
        Action,
        Resource: `arn:aws:s3:us-east-1:${AccountId}:access-grants/default`,
      },
    ],
  });

const configuration = (IsEnabled: boolean) => ({
  Id: 'lens',
  IsEnabled,
  AccountLevel: {
    ActivityMetrics: { IsEnabled: true },
    BucketLevel: {
      ActivityMetrics: { IsEnabled: true },
      PrefixLevel: {
        StorageMetrics: {
          IsEnabled: true,
          SelectionCriteria: { Delimiter: '/', MaxDepth: 3, MinStorageBytesPercentage: 2 },
        },
      },
    },
  },
  Exclude: { Buckets: [bucketArn], Regions: ['eu-west-1'] },
  PrefixDelimiter: '/',
  DataExport: { CloudWatchMetrics: { IsEnabled: true } },
});
const groupOf = (prefix: string) => ({ Name: 'group', Filter: { MatchAnyPrefix: [prefix] } });

/** Storage Lens groups with conditions of every kind, single and combined. */
const everyCondition = {
  MatchAnyPrefix: ['a/'],
  MatchAnySuffix: ['.txt'],
  MatchAnyTag: [{ Key: 'k', Value: 'v' }],
  MatchObjectAge: { DaysGreaterThan: 1, DaysLessThan: 9 },
  MatchObjectSize: { BytesGreaterThan: 1, BytesLessThan: 9 },
};
const lensGroupFilters: readonly object[] = [
  { MatchAnyTag: everyCondition.MatchAnyTag },
  { MatchObjectAge: everyCondition.MatchObjectAge },
  { MatchObjectSize: everyCondition.MatchObjectSize },
  { And: everyCondition },
  { Or: everyCondition },
];
export const accountsAlso: NonNullable<Scenario['also']> = {
  CreateStorageLensGroup: lensGroupFilters.map((Filter) => () => ({
    ...account,
    StorageLensGroup: { Name: 'new', Filter },
  })),
  UpdateStorageLensGroup: lensGroupFilters.map((Filter) => () => ({
    ...account,
    Name: 'group',
    StorageLensGroup: { Name: 'group', Filter },
  })),
};

/** The objects of jobs. */
const MANIFEST = 'a-bucket,key\n';

/** Creates a job that waits for confirmation, so that its status does not change. */
const jobOf = (ClientRequestToken: string) => ({
  AccountId,
  ConfirmationRequired: true,
  ClientRequestToken,
  Description: 'tags objects',
  Operation: { S3PutObjectTagging: { TagSet: tags('x') } },
  Report: {
    Enabled: true,
    Bucket: bucketArn,
    Format: 'Report_CSV_20180820',
    ReportScope: 'AllTasks',
    Prefix: 'reports',
  },
  Priority: 5,
  RoleArn: roleOf('batch'),
  Tags: tags('a'),
  Manifest: {
    Spec: { Format: 'S3BatchOperations_CSV_20180820', Fields: ['Bucket', 'Key'] },
    Location: { ObjectArn: `${bucketArn}/manifest.csv`, ETag: createHash('md5').update(MANIFEST).digest('hex') },
  },
});

/**
 * Creates a batch job, a dashboard and a group of Storage Lens, and an Access Grants instance with a location and a
 * grant.
 */
export async function setUpAccounts(send: Send): Promise<Facts> {
  await send('s3:PutObject', { Bucket: 'a-bucket', Key: 'manifest.csv', Body: MANIFEST });
  const { JobId } = await send('CreateJob', jobOf('set-up'));
  await send('PutStorageLensConfiguration', {
    ...lens(),
    StorageLensConfiguration: configuration(true),
    Tags: tags('a'),
  });
  await send('CreateStorageLensGroup', { ...account, StorageLensGroup: groupOf('logs/') });
  await send('CreateAccessGrantsInstance', account);
  await send('PutAccessGrantsInstanceResourcePolicy', { ...account, Policy: instancePolicy('s3:ListAccessGrants') });
  const { AccessGrantsLocationId } = await send('CreateAccessGrantsLocation', {
    ...account,
    LocationScope: 's3://a-bucket/*',
    IAMRoleArn: roleOf('location'),
  });
  const { AccessGrantId } = await send('CreateAccessGrant', {
    ...account,
    AccessGrantsLocationId,
    AccessGrantsLocationConfiguration: { S3SubPrefix: 'in/*' },
    Grantee: grantee,
    Permission: 'READ',
  });
  return { job: JobId as string, location: AccessGrantsLocationId as string, grant: AccessGrantId as string };
}

/** Returns the part of the state in which changes must be visible. */
export function observeAccounts(
  told: (operation: string, input: Record<string, unknown>) => Promise<unknown>,
  facts: Facts,
): Promise<unknown>[] {
  const jobState = async () => {
    const answer = (await told('DescribeJob', job(facts))) as { Job?: { Priority: number; Status: string } };
    return [answer.Job?.Priority, answer.Job?.Status.startsWith('Cancel')];
  };
  const jobs = async () => ((await told('ListJobs', account)) as { Jobs?: unknown[] }).Jobs?.length;
  return [
    jobState(),
    jobs(),
    told('GetJobTagging', job(facts)),
    told('ListStorageLensConfigurations', account),
    told('GetStorageLensConfiguration', lens()),
    told('GetStorageLensConfigurationTagging', lens()),
    told('ListStorageLensGroups', account),
    told('GetStorageLensGroup', group()),
    told('ListAccessGrantsInstances', account),
    told('GetAccessGrantsInstanceResourcePolicy', account),
    told('ListAccessGrantsLocations', account),
    told('ListAccessGrants', account),
  ];
}

/** Without grants, so that locations can be deleted. */
const withoutGrant = async (send: Send, facts: Facts): Promise<Facts> => {
  await send('DeleteAccessGrant', grant(facts));
  return {};
};
const withoutLocation = async (send: Send, facts: Facts): Promise<Facts> => {
  await withoutGrant(send, facts);
  await send('DeleteAccessGrantsLocation', location(facts));
  return {};
};
const withoutInstance = async (send: Send, facts: Facts): Promise<Facts> => {
  await withoutLocation(send, facts);
  await send('DeleteAccessGrantsInstance', account);
  return {};
};
const IdentityCenterArn = 'arn:aws:sso:::instance/ssoins-1234567890abcdef';
const associated = async (send: Send): Promise<Facts> => {
  await send('AssociateAccessGrantsIdentityCenter', { ...account, IdentityCenterArn });
  return {};
};

export const accountsBefore: NonNullable<Scenario['before']> = {
  CreateAccessGrantsInstance: withoutInstance,
  DeleteAccessGrantsInstance: withoutLocation,
  DeleteAccessGrantsLocation: withoutGrant,
  DissociateAccessGrantsIdentityCenter: associated,
};

export const accountsInputs: Scenario['inputs'] = {
  AssociateAccessGrantsIdentityCenter: () => ({ ...account, IdentityCenterArn }),
  CreateAccessGrant: (facts) => ({
    ...location(facts),
    AccessGrantsLocationConfiguration: { S3SubPrefix: 'new/*' },
    Grantee: grantee,
    Permission: 'WRITE',
    Tags: tags('a'),
  }),
  CreateAccessGrantsInstance: () => ({ ...account, IdentityCenterArn, Tags: tags('a') }),
  CreateAccessGrantsLocation: () => ({
    ...account,
    LocationScope: 's3://a-bucket/new/*',
    IAMRoleArn: roleOf('location'),
    Tags: tags('a'),
  }),
  CreateJob: () => jobOf('new'),
  CreateStorageLensGroup: () => ({ ...account, StorageLensGroup: { ...groupOf('a/'), Name: 'new' }, Tags: tags('a') }),
  DeleteAccessGrant: grant,
  DeleteAccessGrantsInstance: () => account,
  DeleteAccessGrantsInstanceResourcePolicy: () => account,
  DeleteAccessGrantsLocation: location,
  DeleteJobTagging: job,
  DeleteStorageLensConfiguration: lens,
  DeleteStorageLensConfigurationTagging: lens,
  DeleteStorageLensGroup: group,
  DescribeJob: job,
  DissociateAccessGrantsIdentityCenter: () => account,
  GetAccessGrant: grant,
  GetAccessGrantsInstance: () => account,
  GetAccessGrantsInstanceForPrefix: () => ({ ...account, S3Prefix: 's3://a-bucket/in/a' }),
  GetAccessGrantsInstanceResourcePolicy: () => account,
  GetAccessGrantsLocation: location,
  GetDataAccess: () => ({
    ...account,
    Target: 's3://a-bucket/in/*',
    Permission: 'READ',
    DurationSeconds: 900,
    Privilege: 'Minimal',
  }),
  GetJobTagging: job,
  GetStorageLensConfiguration: lens,
  GetStorageLensConfigurationTagging: lens,
  GetStorageLensGroup: group,
  ListAccessGrants: () => ({ ...account, Permission: 'READ', GrantScope: 's3://a-bucket/in/*' }),
  ListAccessGrantsInstances: () => account,
  ListAccessGrantsLocations: () => account,
  ListCallerAccessGrants: () => account,
  ListJobs: () => account,
  ListStorageLensConfigurations: () => account,
  ListStorageLensGroups: () => account,
  PutAccessGrantsInstanceResourcePolicy: () => ({ ...account, Policy: instancePolicy('s3:GetDataAccess') }),
  PutJobTagging: (facts) => ({ ...job(facts), Tags: tags('b') }),
  PutStorageLensConfiguration: () => ({ ...lens(), StorageLensConfiguration: configuration(false), Tags: tags('b') }),
  PutStorageLensConfigurationTagging: () => ({ ...lens(), Tags: tags('b') }),
  UpdateAccessGrantsLocation: (facts) => ({ ...location(facts), IAMRoleArn: roleOf('other') }),
  UpdateJobPriority: (facts) => ({ ...job(facts), Priority: 7 }),
  UpdateJobStatus: (facts) => ({ ...job(facts), RequestedJobStatus: 'Cancelled', StatusUpdateReason: 'why' }),
  UpdateStorageLensGroup: () => ({ ...group(), StorageLensGroup: groupOf('new/') }),
};

const newGrant = (send: Send, facts: Facts) =>
  send('CreateAccessGrant', {
    ...location(facts),
    AccessGrantsLocationConfiguration: { S3SubPrefix: 'in/*' },
    Grantee: { ...grantee, GranteeIdentifier: roleOf('somebody') },
    Permission: 'READ',
  });
const putLens = (send: Send) =>
  send('PutStorageLensConfiguration', { ...lens(), StorageLensConfiguration: configuration(false), Tags: tags('c') });

export const accountsReads: Scenario['reads'] = {
  DescribeJob: (send, facts) => send('UpdateJobPriority', { ...job(facts), Priority: 9 }),
  GetAccessGrant: undefined,
  GetAccessGrantsInstance: (send) => associated(send),
  GetAccessGrantsInstanceForPrefix: undefined,
  GetAccessGrantsInstanceResourcePolicy: (send) =>
    send('PutAccessGrantsInstanceResourcePolicy', { ...account, Policy: instancePolicy('s3:GetDataAccess') }),
  GetAccessGrantsLocation: (send, facts) =>
    send('UpdateAccessGrantsLocation', { ...location(facts), IAMRoleArn: roleOf('other') }),
  GetDataAccess: undefined,
  GetJobTagging: (send, facts) => send('PutJobTagging', { ...job(facts), Tags: tags('c') }),
  GetStorageLensConfiguration: putLens,
  GetStorageLensConfigurationTagging: putLens,
  GetStorageLensGroup: (send) => send('UpdateStorageLensGroup', { ...group(), StorageLensGroup: groupOf('other/') }),
  ListAccessGrants: newGrant,
  ListAccessGrantsInstances: (send) => associated(send),
  ListAccessGrantsLocations: (send) =>
    send('CreateAccessGrantsLocation', { ...account, LocationScope: 's3://', IAMRoleArn: roleOf('location') }),
  ListCallerAccessGrants: (send, facts) => send('DeleteAccessGrant', grant(facts)),
  ListJobs: (send) => send('CreateJob', jobOf('second')),
  ListStorageLensConfigurations: putLens,
  ListStorageLensGroups: (send) => send('DeleteStorageLensGroup', group()),
};
