import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { S3Control } from '@aws-sdk/client-s3-control';
import { describeServiceContract } from '@emu/gateway/testing';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest } from '@emu/svc-s3control/manifest';
import { type ServiceModel, unsupportedPatterns } from '@emu/wire';
import { expect, it } from 'vitest';
import model from '../../../packages/svc-s3control/model/s3control.json' with { type: 'json' };

it('has a model whose patterns can all be parsed', () => {
  expect(unsupportedPatterns(model as unknown as ServiceModel)).toEqual([]);
});

const OutpostId = 'op-01ac5d28a6a232904';

// Global resources are tested separately: public access blocks of accounts and Multi-Region Access Points.
describeServiceContract<string>({
  manifest,
  others: [s3],
  scope: 'region',
  async act(config) {
    const AccountId = config.credentials.accessKeyId;
    const Bucket = `contract-${AccountId}-${config.region}`;
    await new S3Client(config).send(
      new CreateBucketCommand({
        Bucket,
        ...(config.region !== 'us-east-1' && {
          CreateBucketConfiguration: { LocationConstraint: config.region as 'eu-west-1' },
        }),
      }),
    );
    const control = new S3Control(config);
    const { AccessPointArn } = await control.createAccessPoint({
      AccountId,
      Name: 'point',
      Bucket,
      Tags: [{ Key: 'a', Value: 'b' }],
    });
    const Policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: AccountId }, Action: 's3:*', Resource: AccessPointArn }],
    });
    await control.putAccessPointPolicy({ AccountId, Name: 'point', Policy });
    await control.createAccessPointForObjectLambda({
      AccountId,
      Name: 'transformed',
      Configuration: {
        SupportingAccessPoint: AccessPointArn,
        TransformationConfigurations: [
          {
            Actions: ['GetObject'],
            ContentTransformation: {
              AwsLambda: { FunctionArn: `arn:aws:lambda:${config.region}:${AccountId}:function:f` },
            },
          },
        ],
      },
    });
    await control.createJob({
      AccountId,
      ConfirmationRequired: true,
      ClientRequestToken: 'token',
      Description: 'waits',
      Operation: { S3DeleteObjectTagging: {} },
      Report: { Enabled: false },
      Priority: 3,
      RoleArn: `arn:aws:iam::${AccountId}:role/batch`,
      ManifestGenerator: {
        S3JobManifestGenerator: { SourceBucket: `arn:aws:s3:::${Bucket}`, EnableManifestOutput: false },
      },
    });
    await control.putStorageLensConfiguration({
      AccountId,
      ConfigId: 'lens',
      StorageLensConfiguration: { Id: 'lens', IsEnabled: true, AccountLevel: { BucketLevel: {} } },
    });
    await control.createStorageLensGroup({
      AccountId,
      StorageLensGroup: { Name: 'group', Filter: { MatchAnySuffix: ['.log'] } },
    });
    await control.createAccessGrantsInstance({ AccountId });
    const { AccessGrantsLocationId } = await control.createAccessGrantsLocation({
      AccountId,
      LocationScope: `s3://${Bucket}`,
      IAMRoleArn: `arn:aws:iam::${AccountId}:role/location`,
    });
    await control.createAccessGrant({
      AccountId,
      AccessGrantsLocationId,
      Permission: 'READ',
      Grantee: { GranteeType: 'IAM', GranteeIdentifier: `arn:aws:iam::${AccountId}:user/jane` },
    });
    await control.createBucket({ Bucket: 'on-premises', OutpostId });
    const outposts = `arn:aws:s3-outposts:${config.region}:${AccountId}:outpost/${OutpostId}/bucket/on-premises`;
    await control.putBucketLifecycleConfiguration({
      AccountId,
      Bucket: outposts,
      LifecycleConfiguration: {
        Rules: [{ ID: 'r', Status: 'Enabled', Expiration: { Date: new Date('2040-01-01T00:00:00Z') } }],
      },
    });
    return outposts;
  },
  async observe(config, outposts) {
    const control = new S3Control(config);
    const AccountId = config.credentials.accessKeyId;
    const { AccessPointList } = await control.listAccessPoints({ AccountId });
    if (!AccessPointList?.length) return undefined;
    const { $metadata: _point, ...point } = await control.getAccessPoint({ AccountId, Name: 'point' });
    const lambda = await control.getAccessPointConfigurationForObjectLambda({ AccountId, Name: 'transformed' });
    const { Jobs } = await control.listJobs({ AccountId });
    return {
      AccessPointList,
      lens: (await control.listStorageLensConfigurations({ AccountId })).StorageLensConfigurationList,
      group: (await control.getStorageLensGroup({ AccountId, Name: 'group' })).StorageLensGroup,
      locations: (await control.listAccessGrantsLocations({ AccountId })).AccessGrantsLocationsList,
      grants: (await control.listAccessGrants({ AccountId })).AccessGrantsList,
      // Time passes: their status changes.
      jobs: Jobs!.map(({ JobId, Description, CreationTime }) => ({ JobId, Description, CreationTime })),
      point,
      policy: (await control.getAccessPointPolicy({ AccountId, Name: 'point' })).Policy,
      tags: (await control.listTagsForResource({ AccountId, ResourceArn: point.AccessPointArn })).Tags,
      lambda: lambda.Configuration,
      outposts: (await control.listRegionalBuckets({ AccountId })).RegionalBucketList,
      rules: (await control.getBucketLifecycleConfiguration({ AccountId, Bucket: outposts })).Rules,
    };
  },
});
