import { createTestEmulator, testProvider } from '@emu/gateway/testing';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const OUTPOST = 'op-1234567890abcdef0';
const ALL = { BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true };

const bucketOf = async (env: Env) => (await env.make('AWS::S3::Bucket')).id;
const accountOf = (env: Env) => env.emulator.kernel.settings.accountId;
const policy = (account: string, resource: string, action = 's3:GetObject') => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: action, Resource: resource }],
});

const roleOf = async (env: Env, Service: string) =>
  (
    await env.make('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service },
            Action: ['sts:AssumeRole', 'sts:SetSourceIdentity', 'sts:SetContext'],
          },
        ],
      },
    })
  ).attributes.Arn!;

async function objectLambdaOf(env: Env) {
  const bucket = await bucketOf(env);
  const accessPoint = await env.make('AWS::S3::AccessPoint', { Bucket: bucket });
  const functionOf = async () =>
    (
      await env.make('AWS::Lambda::Function', {
        Role: await roleOf(env, 'lambda.amazonaws.com'),
        Code: { ZipFile: 'exports.handler = async () => {}' },
        Handler: 'index.handler',
        Runtime: 'nodejs22.x',
      })
    ).attributes.Arn!;
  return { support: accessPoint.attributes.Arn!, one: await functionOf(), two: await functionOf() };
}

const transformed = (support: string, FunctionArn: string) => ({
  SupportingAccessPoint: support,
  TransformationConfigurations: [{ Actions: ['GetObject'], ContentTransformation: { AwsLambda: { FunctionArn } } }],
});

async function instanceOf(env: Env) {
  await env.call('s3control', 'CreateAccessGrantsInstance', { AccountId: accountOf(env) }).catch(() => undefined);
}

const directories = { zone: 'use1-az4', count: 0 };
async function directoryOf(env: Env) {
  const Bucket = `directory${++directories.count}--${directories.zone}--x-s3`;
  await env.call('s3', 'CreateBucket', {
    Bucket,
    CreateBucketConfiguration: {
      Location: { Type: 'AvailabilityZone', Name: directories.zone },
      Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
    },
  });
  return Bucket;
}

/** A policy that allows an account to open sessions with a directory bucket. */
const sessions = (account: string, bucket: string, mode?: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: account },
      Action: 's3express:CreateSession',
      Resource: `arn:aws:s3express:us-east-1:${account}:bucket/${bucket}`,
      ...(mode !== undefined && { Condition: { StringEquals: { 's3express:SessionMode': mode } } }),
    },
  ],
});

describeTypes(
  [iam, lambda, s3, s3control, sts],
  [
    typeCase({
      type: 'AWS::S3::AccessPoint',
      needs: async (env) => ({ one: await bucketOf(env), two: await bucketOf(env), account: accountOf(env) }),
      least: ({ one, account }) => ({
        Name: 'one',
        Bucket: one,
        Policy: policy(account, `arn:aws:s3:us-east-1:${account}:accesspoint/one/object/*`),
      }),
      most: ({ account }) => ({
        Policy: policy(account, `arn:aws:s3:us-east-1:${account}:accesspoint/one/object/*`, 's3:PutObject'),
        Tags: TAGS,
      }),
      other: ({ two, account }) => ({
        Name: 'two',
        Bucket: two,
        BucketAccountId: account,
        Policy: policy(account, `arn:aws:s3:us-east-1:${account}:accesspoint/two/object/*`),
        PublicAccessBlockConfiguration: { ...ALL, BlockPublicPolicy: false },
        VpcConfiguration: { VpcId: 'vpc-1' },
      }),
    }),
    typeCase({
      type: 'AWS::S3Express::DirectoryBucket',
      least: () => ({ DataRedundancy: 'SingleAvailabilityZone', LocationName: directories.zone }),
      most: () => ({
        LifecycleConfiguration: { Rules: [{ Id: 'old', ExpirationInDays: 3, Status: 'Enabled' }] },
      }),
      other: () => ({ BucketName: `named--${directories.zone}--x-s3` }),
      untried: { BucketEncryption: 'as of other buckets' },
    }),
    typeCase({
      type: 'AWS::S3Express::BucketPolicy',
      needs: async (env) => ({ one: await directoryOf(env), two: await directoryOf(env), account: accountOf(env) }),
      least: ({ one, account }) => ({ Bucket: one, PolicyDocument: sessions(account, one) }),
      most: ({ one, account }) => ({ PolicyDocument: sessions(account, one, 'ReadOnly') }),
      other: ({ two, account }) => ({ Bucket: two, PolicyDocument: sessions(account, two) }),
    }),
    typeCase({
      type: 'AWS::S3Express::AccessPoint',
      needs: async (env) => ({ one: await directoryOf(env), two: await directoryOf(env), account: accountOf(env) }),
      least: ({ one }) => ({ Bucket: one }),
      most: () => ({ Scope: { Permissions: ['GetObject'], Prefixes: ['a/*'] }, Tags: TAGS }),
      other: ({ two, account }) => ({
        Name: `named--${directories.zone}--xa-s3`,
        Bucket: two,
        BucketAccountId: account,
        PublicAccessBlockConfiguration: ALL,
        VpcConfiguration: { VpcId: 'vpc-1' },
      }),
      untried: { Policy: 'as of the access points of other buckets' },
    }),
    typeCase({
      type: 'AWS::S3ObjectLambda::AccessPoint',
      needs: objectLambdaOf,
      least: ({ support, one }) => ({ ObjectLambdaConfiguration: transformed(support, one) }),
      most: ({ support, two }) => ({
        ObjectLambdaConfiguration: {
          ...transformed(support, two),
          AllowedFeatures: ['GetObject-Range'],
          CloudWatchMetricsEnabled: true,
        },
      }),
      other: () => ({ Name: 'named' }),
    }),
    typeCase({
      type: 'AWS::S3ObjectLambda::AccessPointPolicy',
      needs: async (env) => {
        const { support, one } = await objectLambdaOf(env);
        const make = async (Name: string) =>
          (
            await env.make('AWS::S3ObjectLambda::AccessPoint', {
              Name,
              ObjectLambdaConfiguration: transformed(support, one),
            })
          ).id;
        const arn = (name: string) => `arn:aws:s3-object-lambda:us-east-1:${accountOf(env)}:accesspoint/${name}`;
        const suffix = `named${++directories.count}`;
        return { one: await make(`a${suffix}`), two: await make(`b${suffix}`), arn, account: accountOf(env) };
      },
      least: ({ one, arn, account }) => ({
        ObjectLambdaAccessPoint: one,
        PolicyDocument: policy(account, arn(one), 's3-object-lambda:GetObject'),
      }),
      most: ({ one, arn, account }) => ({ PolicyDocument: policy(account, arn(one), 's3-object-lambda:PutObject') }),
      other: ({ two, arn, account }) => ({
        ObjectLambdaAccessPoint: two,
        PolicyDocument: policy(account, arn(two), 's3-object-lambda:GetObject'),
      }),
    }),
    typeCase({
      type: 'AWS::S3::MultiRegionAccessPoint',
      needs: async (env) => [await bucketOf(env), await bucketOf(env)] as const,
      least: ([one]) => ({ Regions: [{ Bucket: one }] }),
      other: ([, two]) => ({
        Name: 'worldwide',
        PublicAccessBlockConfiguration: { ...ALL, BlockPublicPolicy: false },
        Regions: [{ Bucket: two }],
      }),
    }),
    typeCase({
      type: 'AWS::S3::StorageLens',
      least: () => ({
        StorageLensConfiguration: { Id: 'one', AccountLevel: { BucketLevel: {} }, IsEnabled: true },
      }),
      most: () => ({
        StorageLensConfiguration: {
          Id: 'one',
          AccountLevel: {
            ActivityMetrics: { IsEnabled: true },
            BucketLevel: { ActivityMetrics: { IsEnabled: true } },
            StorageLensGroupLevel: {
              StorageLensGroupSelectionCriteria: {
                Include: ['arn:aws:s3:us-east-1:123456789012:storage-lens-group/one'],
              },
            },
          },
          IsEnabled: false,
        },
        Tags: TAGS,
      }),
      other: () => ({
        StorageLensConfiguration: { Id: 'two', AccountLevel: { BucketLevel: {} }, IsEnabled: true },
      }),
    }),
    typeCase({
      type: 'AWS::S3Outposts::Bucket',
      least: () => ({ BucketName: 'one-bucket', OutpostId: OUTPOST }),
      most: () => ({
        LifecycleConfiguration: {
          Rules: [{ Id: 'old', ExpirationInDays: 3, Filter: { Prefix: 'logs/' }, Status: 'Enabled' }],
        },
        Tags: TAGS,
      }),
      other: () => ({ BucketName: 'two-bucket' }),
    }),
    typeCase({
      type: 'AWS::S3Outposts::BucketPolicy',
      needs: async (env) => {
        const bucket = async (BucketName: string) =>
          (await env.make('AWS::S3Outposts::Bucket', { BucketName, OutpostId: OUTPOST })).id;
        const name = `policed-${++directories.count}`;
        return { one: await bucket(`${name}-a`), two: await bucket(`${name}-b`), account: accountOf(env) };
      },
      least: ({ one, account }) => ({ Bucket: one, PolicyDocument: policy(account, one, 's3-outposts:GetBucket') }),
      most: ({ one, account }) => ({ PolicyDocument: policy(account, one, 's3-outposts:ListBucket') }),
      other: ({ two, account }) => ({
        Bucket: two,
        PolicyDocument: policy(account, two, 's3-outposts:GetBucket'),
      }),
    }),
    typeCase({
      type: 'AWS::S3::StorageLensGroup',
      least: () => ({ Name: 'one', Filter: { MatchAnyPrefix: ['a'] } }),
      most: () => ({
        Filter: { And: { MatchAnySuffix: ['.png'], MatchObjectSize: { BytesGreaterThan: 1 } } },
        Tags: TAGS,
      }),
      other: () => ({ Name: 'two' }),
    }),
    typeCase({
      type: 'AWS::S3::AccessGrantsLocation',
      needs: async (env) => {
        await instanceOf(env);
        const of = () => roleOf(env, 'access-grants.s3.amazonaws.com');
        return { first: await of(), second: await of(), bucket: await bucketOf(env), beside: await bucketOf(env) };
      },
      least: ({ first, bucket }) => ({ IamRoleArn: first, LocationScope: `s3://${bucket}/*` }),
      most: ({ second }) => ({ IamRoleArn: second }),
      other: ({ beside }) => ({ LocationScope: `s3://${beside}/*`, Tags: TAGS }),
    }),
    typeCase({
      type: 'AWS::S3::AccessGrant',
      needs: async (env) => {
        await instanceOf(env);
        const location = await env.make('AWS::S3::AccessGrantsLocation', {
          IamRoleArn: await roleOf(env, 'access-grants.s3.amazonaws.com'),
          LocationScope: `s3://${await bucketOf(env)}/*`,
        });
        return { location: location.id, grantee: await roleOf(env, 'ec2.amazonaws.com') };
      },
      least: ({ location, grantee }) => ({
        AccessGrantsLocationId: location,
        AccessGrantsLocationConfiguration: { S3SubPrefix: 'a/*' },
        Grantee: { GranteeType: 'IAM', GranteeIdentifier: grantee },
        Permission: 'READ',
      }),
      other: () => ({
        AccessGrantsLocationConfiguration: { S3SubPrefix: 'b' },
        Permission: 'READWRITE',
        S3PrefixType: 'Object',
        Tags: TAGS,
      }),
      untried: { ApplicationArn: 'of an instance of IAM Identity Center' },
    }),
  ],
);

test('an access grants instance is created once, updated and deleted', async () => {
  await using emulator = await createTestEmulator({ manifests: [s3, s3control] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::S3::AccessGrantsInstance');
  const { identifier } = await provider.create({ Tags: TAGS }, ctx);
  expect(await provider.read(identifier, ctx)).toEqual({
    properties: { Tags: TAGS },
    attributes: { AccessGrantsInstanceArn: identifier, AccessGrantsInstanceId: 'default' },
  });
  await expect(provider.create({}, ctx)).rejects.toThrow();
  const IdentityCenterArn = 'arn:aws:sso:::instance/ssoins-1234567890abcdef';
  await provider.update!(identifier, {}, { IdentityCenterArn }, ctx);
  expect((await provider.read(identifier, ctx))?.properties.IdentityCenterArn).toBe(IdentityCenterArn);
  await provider.update!(identifier, { IdentityCenterArn }, {}, ctx);
  expect((await provider.read(identifier, ctx))?.properties.IdentityCenterArn).toBeUndefined();
  await provider.delete(identifier, {}, ctx);
  expect(await provider.read(identifier, ctx)).toBeUndefined();
});

test('the policy of a Multi-Region Access Point is set, and remains when its resource is deleted', async () => {
  await using emulator = await createTestEmulator({ manifests: [s3, s3control] });
  const bucket = await testProvider(emulator, 'AWS::S3::Bucket');
  const { identifier: Bucket } = await bucket.provider.create({}, bucket.ctx);
  const point = await testProvider(emulator, 'AWS::S3::MultiRegionAccessPoint');
  const { identifier: MrapName } = await point.provider.create({ Regions: [{ Bucket }] }, point.ctx);
  const { Alias } = (await point.provider.read(MrapName, point.ctx))!.attributes;
  const { accountId } = emulator.kernel.settings;
  const Policy = (action: string) =>
    policy(accountId, `arn:aws:s3::${accountId}:accesspoint/${Alias}/object/*`, action);
  const { provider, ctx } = await testProvider(emulator, 'AWS::S3::MultiRegionAccessPointPolicy');
  const first = { MrapName, Policy: Policy('s3:GetObject') };
  const second = { MrapName, Policy: Policy('s3:PutObject') };
  const { identifier } = await provider.create(first, ctx);
  expect(await provider.read(identifier, ctx)).toMatchObject({
    properties: first,
    attributes: { 'PolicyStatus.IsPublic': 'false' },
  });
  await provider.update!(identifier, first, second, ctx);
  expect((await provider.read(identifier, ctx))?.properties).toEqual(second);
  await provider.delete(identifier, second, ctx);
  expect((await provider.read(identifier, ctx))?.properties).toEqual(second);
});
