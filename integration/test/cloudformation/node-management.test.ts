import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const ROLE = 'arn:aws:iam::123456789012:role/any';
const LAMBDA = 'arn:aws:lambda:us-east-1:123456789012:function:clean';
const node = (id: string) => [{ Key: 'InstanceIds', Values: [id] }];
const NODE = 'i-00000000000000001';

const window = { Name: 'window', Schedule: 'rate(1 day)', Duration: 3, Cutoff: 1, AllowUnassociatedTargets: true };
const windows = async (env: Env) => ({
  one: (await env.make('AWS::SSM::MaintenanceWindow', window)).id,
  two: (await env.make('AWS::SSM::MaintenanceWindow', window)).id,
});
const runbook = async (env: Env) => {
  const Content = {
    schemaVersion: '0.3',
    parameters: { Who: { type: 'String', default: 'me' } },
    mainSteps: [{ name: 'wait', action: 'aws:sleep', inputs: { Duration: 'PT1S' } }],
  };
  return (await env.make('AWS::SSM::Document', { DocumentType: 'Automation', Content })).id;
};
const rules = (days: number) => ({
  PatchRules: [
    {
      PatchFilterGroup: { PatchFilters: [{ Key: 'PRODUCT', Values: ['*'] }] },
      ApproveAfterDays: days,
      ComplianceLevel: 'HIGH',
      EnableNonSecurity: true,
    },
  ],
});
const source = (...SourceRegions: string[]) => ({ SourceType: 'SingleAccountMultiRegions', SourceRegions });
const sharedParameter = async (env: Env, Name: string): Promise<string> => {
  await env.call('ssm', 'PutParameter', { Name, Value: 'v', Type: 'String', Tier: 'Advanced', Overwrite: true });
  const { Parameter } = (await env.call('ssm', 'GetParameter', { Name })) as unknown as { Parameter: { ARN: string } };
  return Parameter.ARN;
};
const sharing = (Resource: string, ...Action: string[]) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '111122223333' }, Action, Resource }],
});
const bucket = { BucketName: 'inventory', BucketRegion: 'us-east-1', SyncFormat: 'JsonSerDe' };

describeTypes(
  [s3, ssm],
  [
    typeCase({
      type: 'AWS::SSM::MaintenanceWindow',
      least: () => window,
      most: () => ({
        Description: 'nightly',
        StartDate: '2100-01-01T00:00:00Z',
        EndDate: '2101-01-01T00:00:00Z',
        Schedule: 'cron(0 4 ? * MON *)',
        ScheduleOffset: 2,
        ScheduleTimezone: 'Europe/Berlin',
        Tags: TAGS,
      }),
    }),
    typeCase({
      type: 'AWS::SSM::MaintenanceWindowTarget',
      needs: windows,
      least: ({ one }) => ({ WindowId: one, ResourceType: 'INSTANCE', Targets: node(NODE) }),
      most: () => ({
        Name: 'nodes',
        Description: 'all of them',
        OwnerInformation: 'me',
        Targets: node('i-00000000000000002'),
      }),
      other: ({ two }) => ({ WindowId: two }),
    }),
    typeCase({
      type: 'AWS::SSM::MaintenanceWindowTask',
      needs: windows,
      least: ({ one }) => ({ WindowId: one, TaskType: 'LAMBDA', TaskArn: LAMBDA, Priority: 1 }),
      most: () => ({
        CutoffBehavior: 'CANCEL_TASK',
        Description: 'cleans',
        LoggingInfo: { S3Bucket: 'logs-of-tasks', S3Prefix: 'p', Region: 'us-east-1' },
        MaxConcurrency: '2',
        MaxErrors: '3',
        Name: 'clean',
        Priority: 2,
        ServiceRoleArn: ROLE,
        Targets: node(NODE),
        TaskInvocationParameters: {
          MaintenanceWindowLambdaParameters: { Payload: Buffer.from('{}').toString('base64'), Qualifier: 'live' },
        },
        TaskParameters: { a: { Values: ['b'] } },
      }),
      other: ({ two }) => ({ WindowId: two }),
    }),
    typeCase({
      type: 'AWS::SSM::PatchBaseline',
      least: () => ({ Name: 'baseline', OperatingSystem: 'AMAZON_LINUX_2023' }),
      most: () => ({
        Name: 'changed',
        ApprovalRules: rules(3),
        ApprovedPatches: ['kernel'],
        ApprovedPatchesComplianceLevel: 'HIGH',
        ApprovedPatchesEnableNonSecurity: true,
        DefaultBaseline: true,
        Description: 'described',
        GlobalFilters: { PatchFilters: [{ Key: 'PRODUCT', Values: ['AmazonLinux2023'] }] },
        PatchGroups: ['web'],
        RejectedPatches: ['bad'],
        RejectedPatchesAction: 'BLOCK',
        Sources: [{ Name: 'mine', Products: ['AmazonLinux2023'], Configuration: '[mine]' }],
        Tags: TAGS,
      }),
      untried: { AvailableSecurityUpdatesComplianceStatus: 'only of Windows' },
    }),
    typeCase({
      type: 'AWS::SSM::Association',
      needs: runbook,
      least: (Name) => ({ Name }),
      most: () => ({
        ApplyOnlyAtCronInterval: true,
        AssociationDispatchAssumeRole: ROLE,
        AssociationName: 'named',
        CalendarNames: ['calendar'],
        ComplianceSeverity: 'HIGH',
        DocumentVersion: '1',
        MaxConcurrency: '2',
        MaxErrors: '3',
        OutputLocation: { S3Location: { OutputS3BucketName: 'output', OutputS3KeyPrefix: 'p' } },
        Parameters: { Who: ['you'] },
        ScheduleExpression: 'cron(0 4 ? * MON *)',
        ScheduleOffset: 2,
        SyncCompliance: 'MANUAL',
        Tags: TAGS,
      }),
      untried: {
        AutomationTargetParameterName: 'needs targets',
        InstanceId: 'only of documents of an older schema',
        Targets: 'a runbook without targets keeps none',
        WaitForSuccessTimeoutSeconds: 'only says how its creation is waited for',
      },
    }),
    typeCase({
      type: 'AWS::SSM::ResourceDataSync',
      needs: (env) => env.call('s3', 'CreateBucket', { Bucket: bucket.BucketName }),
      least: () => ({ SyncName: 'regions', SyncType: 'SyncFromSource', SyncSource: source('eu-west-1') }),
      most: () => ({ SyncSource: source('eu-west-1', 'eu-west-2') }),
      other: () => ({
        SyncName: 'bucket',
        SyncType: 'SyncToDestination',
        SyncSource: undefined as never,
        S3Destination: { ...bucket, BucketPrefix: 'p' },
      }),
      variants: {
        'of a bucket that is named the older way': typeVariant({
          needs: (env) => env.call('s3', 'CreateBucket', { Bucket: bucket.BucketName }).catch(() => undefined),
          least: () => ({ SyncName: 'older', ...bucket }),
          other: () => ({
            SyncName: 'older-with-a-key',
            BucketPrefix: 'p',
            KMSKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/00000000-0000-0000-0000-000000000000',
          }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::SSM::OpsItem',
      least: () => ({ Title: 'disk', Description: 'full', Source: 'EC2' }),
      most: () => ({
        Title: 'disk of the database',
        Description: 'nearly full',
        Category: 'Availability',
        Priority: 2,
        Severity: '3',
        Tags: TAGS,
      }),
      other: () => ({ Source: 'RDS' }),
      kept: {
        Category: 'an update that leaves it out keeps it, as there is no value for none',
        Priority: 'an update that leaves it out keeps it, as there is no value for none',
        Severity: 'an update that leaves it out keeps it, as there is no value for none',
      },
    }),
    typeCase({
      type: 'AWS::SSM::ResourcePolicy',
      needs: async (env) => ({
        one: await sharedParameter(env, 'one'),
        two: await sharedParameter(env, 'two'),
      }),
      least: ({ one }) => ({ ResourceArn: one, Policy: sharing(one, 'ssm:GetParameter') }),
      most: ({ one }) => ({ Policy: sharing(one, 'ssm:GetParameters') }),
      other: ({ two }) => ({ ResourceArn: two, Policy: sharing(two, 'ssm:GetParameter') }),
    }),
    typeCase({
      type: 'AWS::SSM::ServiceSetting',
      least: () => ({ SettingId: '/ssm/parameter-store/high-throughput-enabled', SettingValue: 'true' }),
      most: () => ({ SettingValue: 'false' }),
      other: () => ({ SettingId: '/ssm/documents/console/public-sharing-permission', SettingValue: 'Disable' }),
    }),
  ],
);
