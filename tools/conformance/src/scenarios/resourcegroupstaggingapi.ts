import * as sdk from '@aws-sdk/client-resource-groups-tagging-api';
import * as s3 from '@aws-sdk/client-s3';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-resourcegroupstaggingapi/model/resourcegroupstaggingapi.json' with {
  type: 'json',
};
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const BUCKET = 'arn:aws:s3:::known';
const OTHER = 'arn:aws:s3:::other';
const bucketTags = (Bucket: string, tags: Record<string, string>) => ({
  Bucket,
  Tagging: { TagSet: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) },
});

/** Creates two buckets with tags. */
async function setUp(send: Send): Promise<Facts> {
  for (const Bucket of ['known', 'other']) await send('S3.CreateBucket', { Bucket });
  await send('S3.PutBucketTagging', bucketTags('known', { team: 'a', stage: 'test' }));
  await send('S3.PutBucketTagging', bucketTags('other', { team: 'b' }));
  return {};
}

/** Returns tagged resources and the latest report. */
async function observe(send: Send): Promise<unknown> {
  const { ResourceTagMappingList } = await send('GetResources', {});
  const { Status, ErrorMessage } = await send('DescribeReportCreation', {});
  return { ResourceTagMappingList, Status, ErrorMessage };
}

const tagged = (send: Send) => send('TagResources', { ResourceARNList: [BUCKET], Tags: { new: 'x' } });
const known = () => ({ ResourceARNList: [BUCKET] });

/** AWS Resource Groups Tagging API. */
export const resourcegroupstaggingapi: Scenario = {
  service: 'resourcegroupstaggingapi',
  others: ['s3'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const own = sender(new sdk.ResourceGroupsTaggingAPIClient(config) as never, sdk);
    const buckets = sender(new s3.S3Client(config) as never, s3);
    return (operation, input) =>
      operation.startsWith('S3.') ? buckets(operation.slice('S3.'.length), input) : own(operation, input);
  },
  setUp,
  observe,
  inputs: {
    GetComplianceSummary: () => ({ GroupBy: ['REGION', 'RESOURCE_TYPE'] }),
    GetResources: () => ({}),
    GetTagValues: () => ({ Key: 'team' }),
    StartReportCreation: () => ({ S3Bucket: 'known' }),
    TagResources: () => ({ ...known(), Tags: { new: 'x' } }),
    UntagResources: () => ({ ...known(), TagKeys: ['team'] }),
  },
  also: {
    GetResources: [() => ({ IncludeComplianceDetails: true })],
  },
  values: {
    'GetComplianceSummary.RegionFilters': [['eu-west-1']],
    'GetComplianceSummary.ResourceTypeFilters': [['sqs'], ['s3']],
    'GetComplianceSummary.TagKeyFilters': [['none']],
    'GetComplianceSummary.TargetIdFilters': [['999999999999']],
    'GetResources.ResourceARNList': [[OTHER]],
    'GetResources.ResourceTypeFilters': [['sqs'], ['s3']],
    'GetResources.TagFilters': [[{ Key: 'stage', Values: ['test'] }], [{ Key: 'stage', Values: ['live'] }]],
    'GetResources.TagsPerPage': [100],
    'StartReportCreation.S3Bucket': ['nowhere'],
  },
  reads: {
    DescribeReportCreation: (send) => send('StartReportCreation', { S3Bucket: 'known' }),
    GetComplianceSummary: (send) =>
      send('UntagResources', { ResourceARNList: [BUCKET, OTHER], TagKeys: ['team', 'stage'] }),
    GetResources: tagged,
    GetTagKeys: tagged,
    GetTagValues: (send) => send('TagResources', { ResourceARNList: [BUCKET], Tags: { team: 'c' } }),
    ListRequiredTags: undefined,
  },
};
