import * as s3 from '@aws-sdk/client-s3';
import * as sdk from '@aws-sdk/client-s3-control';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-s3control/model/s3control.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import {
  accountsAlso,
  accountsBefore,
  accountsInputs,
  accountsReads,
  observeAccounts,
  setUpAccounts,
} from './s3control-accounts.ts';

const AccountId = '123456789012';
const account = { AccountId };
const OutpostId = 'op-01ac5d28a6a232904';
const pointArn = `arn:aws:s3:us-east-1:${AccountId}:accesspoint/point`;
const lambdaPointArn = `arn:aws:s3-object-lambda:us-east-1:${AccountId}:accesspoint/transformed`;
/** Name of `outpostsBucket`; its Outpost is in a header. */
const OUTPOSTS_BUCKET = 'on-premises';
const outpostsBucket = `arn:aws:s3-outposts:us-east-1:${AccountId}:outpost/${OutpostId}/bucket/on-premises`;

const point = () => ({ AccountId, Name: 'point' });
const lambdaPoint = () => ({ AccountId, Name: 'transformed' });
const directoryPoint = () => ({ AccountId, Name: 'point--use1-az4--xa-s3' });
const worldwide = () => ({ AccountId, Name: 'worldwide' });
const onPremises = () => ({ AccountId, Bucket: OUTPOSTS_BUCKET });
const routesOf = ({ mrap }: Facts) => ({ AccountId, Mrap: mrap });

const block = {
  BlockPublicAcls: true,
  IgnorePublicAcls: false,
  BlockPublicPolicy: false,
  RestrictPublicBuckets: false,
};
const policyOf = (Resource: string, Action = 's3:GetObject') =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: AccountId }, Action, Resource }],
  });
const pointPolicy = policyOf(`${pointArn}/object/*`);
const lambdaPolicy = policyOf(lambdaPointArn, 's3-object-lambda:GetObject');
const outpostsPolicy = policyOf(`${outpostsBucket}/object/*`, 's3-outposts:GetObject');
const openPolicy = (resource: string) => policyOf(resource).replace(/\{"AWS":"\d+"\}/, '"*"');
const configuration = (payload: string) => ({
  SupportingAccessPoint: pointArn,
  CloudWatchMetricsEnabled: false,
  AllowedFeatures: ['GetObject-Range'],
  TransformationConfigurations: [
    {
      Actions: ['GetObject'],
      ContentTransformation: {
        AwsLambda: {
          FunctionArn: `arn:aws:lambda:us-east-1:${AccountId}:function:transform`,
          FunctionPayload: payload,
        },
      },
    },
  ],
});
const lifecycle = (Days: number) => ({
  Rules: [{ ID: 'rule', Status: 'Enabled', Filter: { Prefix: 'logs/' }, Expiration: { Days } }],
});
const tagFilter = { Key: 'k', Value: 'v' };
const lifecycleFilters = [
  { Tag: tagFilter },
  { And: { Prefix: 'a/', Tags: [tagFilter], ObjectSizeGreaterThan: 1, ObjectSizeLessThan: 9 } },
];
const replication = (Priority: number) => ({
  Role: `arn:aws:iam::${AccountId}:role/replicator`,
  Rules: [
    {
      ID: 'rule',
      Priority,
      Status: 'Enabled',
      Bucket: outpostsBucket,
      Filter: { Prefix: '' },
      Destination: { Bucket: outpostsBucket },
      DeleteMarkerReplication: { Status: 'Disabled' },
    },
  ],
});

/** Creates a bucket with an access point of each kind, a Multi-Region Access Point and a bucket on an Outpost. */
async function setUp(send: Send): Promise<Facts> {
  await send('s3:CreateBucket', { Bucket: 'a-bucket' });
  await send('CreateAccessPoint', {
    ...point(),
    Bucket: 'a-bucket',
    PublicAccessBlockConfiguration: { BlockPublicAcls: true },
    Tags: [{ Key: 'team', Value: 'a' }],
  });
  await send('PutAccessPointPolicy', { ...point(), Policy: pointPolicy });
  await send('CreateAccessPointForObjectLambda', { ...lambdaPoint(), Configuration: configuration('{}') });
  await send('PutAccessPointPolicyForObjectLambda', { ...lambdaPoint(), Policy: lambdaPolicy });
  const { RequestTokenARN: token } = await send('CreateMultiRegionAccessPoint', {
    ...account,
    ClientToken: 'set-up',
    Details: { Name: 'worldwide', Regions: [{ Bucket: 'a-bucket' }], PublicAccessBlock: { BlockPublicAcls: true } },
  });
  const { AccessPoint } = await send('GetMultiRegionAccessPoint', worldwide());
  const mrap = `arn:aws:s3::${AccountId}:accesspoint/${(AccessPoint as { Alias: string }).Alias}`;
  await send('PutPublicAccessBlock', { ...account, PublicAccessBlockConfiguration: block });
  await send('CreateBucket', { Bucket: 'on-premises', OutpostId });
  await send('PutBucketVersioning', { ...onPremises(), VersioningConfiguration: { Status: 'Enabled' } });
  await send('PutBucketPolicy', { ...onPremises(), Policy: outpostsPolicy });
  await send('PutBucketTagging', { ...onPremises(), Tagging: { TagSet: [{ Key: 'team', Value: 'a' }] } });
  await send('PutBucketLifecycleConfiguration', { ...onPremises(), LifecycleConfiguration: lifecycle(1) });
  await send('PutBucketReplication', { ...onPremises(), ReplicationConfiguration: replication(1) });
  return { token: token as string, mrap, ...(await setUpAccounts(send)) };
}

/** Returns the result of every reading operation, or the name of its error. */
async function observe(send: Send, facts: Facts): Promise<unknown> {
  const told = async (operation: string, input: Record<string, unknown>): Promise<unknown> => {
    try {
      const { $metadata: _, ...answer } = await send(operation, input);
      return answer;
    } catch (error) {
      return (error as Error).name;
    }
  };
  return Promise.all([
    told('ListAccessPoints', account),
    told('GetAccessPointPolicy', point()),
    told('GetAccessPointScope', directoryPoint()),
    told('ListTagsForResource', { ...account, ResourceArn: pointArn }),
    told('ListAccessPointsForObjectLambda', account),
    told('GetAccessPointConfigurationForObjectLambda', lambdaPoint()),
    told('GetAccessPointPolicyForObjectLambda', lambdaPoint()),
    told('ListMultiRegionAccessPoints', account),
    told('GetMultiRegionAccessPointPolicy', worldwide()),
    told('GetMultiRegionAccessPointRoutes', { AccountId, Mrap: facts.mrap }),
    told('GetPublicAccessBlock', account),
    told('ListRegionalBuckets', account),
    told('GetBucketPolicy', onPremises()),
    told('GetBucketTagging', onPremises()),
    told('GetBucketLifecycleConfiguration', onPremises()),
    told('GetBucketReplication', onPremises()),
    told('GetBucketVersioning', onPremises()),
    ...observeAccounts(told, facts),
  ]);
}

/** Creates an access point of a directory bucket. */
async function ofDirectory(send: Send): Promise<Facts> {
  const Bucket = 'fast--use1-az4--x-s3';
  await send('s3:CreateBucket', {
    Bucket,
    CreateBucketConfiguration: {
      Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
      Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
    },
  });
  await send('CreateAccessPoint', { ...directoryPoint(), Bucket, Scope: { Prefixes: ['old/'] } });
  return {};
}

const deletePoint = (send: Send) => send('DeleteAccessPoint', point());
const secondPoint = (send: Send) => send('CreateAccessPoint', { ...account, Name: 'second', Bucket: 'a-bucket' });
const secondBucket = (send: Send) => send('CreateBucket', { Bucket: 'second', OutpostId });
const deleteWorldwide = (send: Send) =>
  send('DeleteMultiRegionAccessPoint', { ...account, ClientToken: 'change', Details: { Name: 'worldwide' } });
const multiRegionPolicy = ({ mrap }: Facts) => policyOf(`${mrap}/object/*`);

/**
 * Sends an operation with account and Outpost in headers only, because the SDK rejects invalid ones in an input, where
 * they may be part of the host name.
 */
function sendControl(
  config: sdk.S3ControlClientConfig,
  operation: string,
  { OutpostId: outpost, ...input }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const client = new sdk.S3ControlClient(config);
  const headers = {
    'x-amz-account-id': input.AccountId,
    'x-amz-outpost-id': outpost ?? (input.Bucket === OUTPOSTS_BUCKET ? OutpostId : undefined),
  };
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { headers: Record<string, string> };
      for (const [name, value] of Object.entries(headers))
        if (value === undefined) delete request.headers[name];
        else request.headers[name] = String(value);
      return next(args);
    },
    { step: 'build', priority: 'low' },
  );
  return sender(client as never, sdk)(operation, { ...input, AccountId });
}

/** Amazon S3 Control. */
export const s3control: Scenario = {
  service: 's3control',
  others: ['s3', 'sts'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const storage = sender(new s3.S3Client({ ...config, disableS3ExpressSessionAuth: true }) as never, s3);
    return (operation, input) =>
      operation.startsWith('s3:') ? storage(operation.slice(3), input) : sendControl(config, operation, input);
  },
  deviations: [
    { path: /alias$/i, reason: 'aliases are as long as the names in them, up to 63 characters' },
    { path: /accessGrants?(Location)?Arn$/i, reason: 'ARNs of grants and locations name their instance, `default`' },
    { path: /identityCenterArn$/i, reason: 'what is shown is the ARN of the application that Access Grants makes' },
    { path: /^mrap$/i, reason: 'ARNs of Multi-Region Access Points have a slash' },
  ],
  setUp,
  observe,
  also: {
    ...accountsAlso,
    PutBucketLifecycleConfiguration: lifecycleFilters.map((Filter) => () => ({
      ...onPremises(),
      LifecycleConfiguration: { Rules: [{ ...lifecycle(2).Rules[0], Filter }] },
    })),
  },
  before: {
    ...accountsBefore,
    DeleteAccessPointScope: ofDirectory,
    GetAccessPointScope: ofDirectory,
    PutAccessPointScope: ofDirectory,
    // A second route, so that the first can become passive.
    SubmitMultiRegionAccessPointRoutes: async (send) => {
      await send('s3:CreateBucket', {
        Bucket: 'elsewhere',
        CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
      });
      await send('CreateMultiRegionAccessPoint', {
        ...account,
        ClientToken: 'two',
        Details: { Name: 'two', Regions: [{ Bucket: 'a-bucket' }, { Bucket: 'elsewhere' }] },
      });
      const { AccessPoint } = await send('GetMultiRegionAccessPoint', { AccountId, Name: 'two' });
      return { mrap: `arn:aws:s3::${AccountId}:accesspoint/${(AccessPoint as { Alias: string }).Alias}` };
    },
  },
  inputs: {
    ...accountsInputs,
    CreateAccessPoint: () => ({
      ...account,
      Name: 'new',
      Bucket: 'a-bucket',
      VpcConfiguration: { VpcId: 'vpc-1' },
      PublicAccessBlockConfiguration: block,
      BucketAccountId: AccountId,
      Tags: [{ Key: 'a', Value: 'b' }],
    }),
    CreateAccessPointForObjectLambda: () => ({ ...account, Name: 'new', Configuration: configuration('{}') }),
    CreateBucket: () => ({ Bucket: 'new-bucket', OutpostId }),
    CreateMultiRegionAccessPoint: () => ({
      ...account,
      ClientToken: 'new',
      Details: { Name: 'new', PublicAccessBlock: block, Regions: [{ Bucket: 'a-bucket', BucketAccountId: AccountId }] },
    }),
    DeleteAccessPoint: point,
    DeleteAccessPointForObjectLambda: lambdaPoint,
    DeleteAccessPointPolicy: point,
    DeleteAccessPointPolicyForObjectLambda: lambdaPoint,
    DeleteBucket: onPremises,
    DeleteBucketLifecycleConfiguration: onPremises,
    DeleteBucketPolicy: onPremises,
    DeleteBucketReplication: onPremises,
    DeleteBucketTagging: onPremises,
    DeleteMultiRegionAccessPoint: () => ({ ...account, ClientToken: 'new', Details: { Name: 'worldwide' } }),
    DeletePublicAccessBlock: () => account,
    DescribeMultiRegionAccessPointOperation: ({ token }) => ({ ...account, RequestTokenARN: token }),
    GetAccessPoint: point,
    GetAccessPointConfigurationForObjectLambda: lambdaPoint,
    GetAccessPointForObjectLambda: lambdaPoint,
    GetAccessPointPolicy: point,
    GetAccessPointPolicyForObjectLambda: lambdaPoint,
    GetAccessPointPolicyStatus: point,
    GetAccessPointPolicyStatusForObjectLambda: lambdaPoint,
    GetBucket: onPremises,
    GetBucketLifecycleConfiguration: onPremises,
    GetBucketPolicy: onPremises,
    GetBucketReplication: onPremises,
    GetBucketTagging: onPremises,
    GetBucketVersioning: onPremises,
    GetMultiRegionAccessPoint: worldwide,
    GetMultiRegionAccessPointPolicy: worldwide,
    GetMultiRegionAccessPointPolicyStatus: worldwide,
    GetMultiRegionAccessPointRoutes: routesOf,
    GetPublicAccessBlock: () => account,
    ListAccessPoints: () => account,
    ListAccessPointsForDirectoryBuckets: () => account,
    ListAccessPointsForObjectLambda: () => account,
    ListMultiRegionAccessPoints: () => account,
    ListRegionalBuckets: () => ({ ...account, OutpostId }),
    ListTagsForResource: () => ({ ...account, ResourceArn: pointArn }),
    PutAccessPointConfigurationForObjectLambda: () => ({ ...lambdaPoint(), Configuration: configuration('{"a":1}') }),
    PutAccessPointPolicy: () => ({ ...point(), Policy: policyOf(`${pointArn}/object/new/*`) }),
    PutAccessPointPolicyForObjectLambda: () => ({
      ...lambdaPoint(),
      Policy: policyOf(lambdaPointArn, 's3-object-lambda:*'),
    }),
    PutBucketLifecycleConfiguration: () => ({ ...onPremises(), LifecycleConfiguration: lifecycle(2) }),
    PutBucketPolicy: () => ({ ...onPremises(), Policy: policyOf(`${outpostsBucket}/object/*`, 's3-outposts:*') }),
    PutBucketReplication: () => ({ ...onPremises(), ReplicationConfiguration: replication(2) }),
    PutBucketTagging: () => ({ ...onPremises(), Tagging: { TagSet: [{ Key: 'team', Value: 'b' }] } }),
    PutBucketVersioning: () => ({ ...onPremises(), VersioningConfiguration: { Status: 'Suspended' } }),
    PutMultiRegionAccessPointPolicy: (facts) => ({
      ...account,
      ClientToken: 'new',
      Details: { Name: 'worldwide', Policy: multiRegionPolicy(facts) },
    }),
    PutPublicAccessBlock: () => ({ ...account, PublicAccessBlockConfiguration: { ...block, BlockPublicAcls: false } }),
    SubmitMultiRegionAccessPointRoutes: ({ mrap }) => ({
      AccountId,
      Mrap: mrap,
      RouteUpdates: [{ Bucket: 'a-bucket', Region: 'us-east-1', TrafficDialPercentage: 0 }],
    }),
    TagResource: () => ({ ...account, ResourceArn: pointArn, Tags: [{ Key: 'new', Value: 'v' }] }),
    UntagResource: () => ({ ...account, ResourceArn: pointArn, TagKeys: ['team'] }),
    DeleteAccessPointScope: directoryPoint,
    GetAccessPointScope: directoryPoint,
    PutAccessPointScope: () => ({ ...directoryPoint(), Scope: { Prefixes: ['new/'], Permissions: ['GetObject'] } }),
  },
  reads: {
    ...accountsReads,
    DescribeMultiRegionAccessPointOperation: undefined,
    GetAccessPoint: async (send) => {
      await deletePoint(send);
      await send('CreateAccessPoint', { ...point(), Bucket: 'a-bucket' });
    },
    GetAccessPointConfigurationForObjectLambda: (send) =>
      send('PutAccessPointConfigurationForObjectLambda', { ...lambdaPoint(), Configuration: configuration('{"b":1}') }),
    GetAccessPointForObjectLambda: async (send) => {
      await send('DeleteAccessPointForObjectLambda', lambdaPoint());
      await send('CreateAccessPointForObjectLambda', { ...lambdaPoint(), Configuration: configuration('{}') });
    },
    GetAccessPointPolicy: (send) =>
      send('PutAccessPointPolicy', { ...point(), Policy: policyOf(`${pointArn}/object/other/*`) }),
    GetAccessPointPolicyForObjectLambda: (send) =>
      send('PutAccessPointPolicyForObjectLambda', {
        ...lambdaPoint(),
        Policy: policyOf(lambdaPointArn, 's3-object-lambda:*'),
      }),
    GetAccessPointPolicyStatus: (send) =>
      send('PutAccessPointPolicy', { ...point(), Policy: openPolicy(`${pointArn}/object/*`) }),
    GetAccessPointPolicyStatusForObjectLambda: undefined,
    GetBucket: undefined,
    GetBucketLifecycleConfiguration: (send) =>
      send('PutBucketLifecycleConfiguration', { ...onPremises(), LifecycleConfiguration: lifecycle(3) }),
    GetBucketPolicy: (send) =>
      send('PutBucketPolicy', { ...onPremises(), Policy: policyOf(`${outpostsBucket}/object/*`, 's3-outposts:*') }),
    GetBucketReplication: (send) =>
      send('PutBucketReplication', { ...onPremises(), ReplicationConfiguration: replication(3) }),
    GetBucketTagging: (send) =>
      send('PutBucketTagging', { ...onPremises(), Tagging: { TagSet: [{ Key: 'other', Value: 'c' }] } }),
    GetBucketVersioning: (send) =>
      send('PutBucketVersioning', { ...onPremises(), VersioningConfiguration: { Status: 'Suspended' } }),
    GetAccessPointScope: (send) =>
      send('PutAccessPointScope', { ...directoryPoint(), Scope: { Prefixes: ['changed/'] } }),
    GetMultiRegionAccessPoint: deleteWorldwide,
    GetMultiRegionAccessPointPolicy: (send, facts) =>
      send('PutMultiRegionAccessPointPolicy', {
        ...account,
        ClientToken: 'change',
        Details: { Name: 'worldwide', Policy: multiRegionPolicy(facts) },
      }),
    GetMultiRegionAccessPointPolicyStatus: undefined,
    GetMultiRegionAccessPointRoutes: undefined,
    GetPublicAccessBlock: (send) =>
      send('PutPublicAccessBlock', { ...account, PublicAccessBlockConfiguration: { IgnorePublicAcls: true } }),
    ListAccessPoints: secondPoint,
    ListAccessPointsForDirectoryBuckets: undefined,
    ListAccessPointsForObjectLambda: (send) =>
      send('CreateAccessPointForObjectLambda', { ...account, Name: 'second', Configuration: configuration('{}') }),
    ListMultiRegionAccessPoints: deleteWorldwide,
    ListRegionalBuckets: secondBucket,
    ListTagsForResource: (send) =>
      send('TagResource', { ...account, ResourceArn: pointArn, Tags: [{ Key: 'other', Value: 'c' }] }),
  },
};
