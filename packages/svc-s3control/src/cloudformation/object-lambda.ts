import { ask, defined, defineProvider, documentValue, type Properties, pick, run } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { objectLambdaType } from '../resources.ts';
import { inAccount } from './members.ts';

const GONE = ['NoSuchAccessPoint'];

interface AccessPointProperties extends Properties {
  readonly Name?: string;
  readonly ObjectLambdaConfiguration: Properties;
}

interface PolicyProperties extends Properties {
  readonly ObjectLambdaAccessPoint: string;
  readonly PolicyDocument: unknown;
}

/**
 * Object Lambda access points.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3objectlambda-accesspoint.html
 */
export const objectLambdaAccessPoint: AnyResourceProvider = defineProvider<AccessPointProperties>({
  typeName: 'AWS::S3ObjectLambda::AccessPoint',
  model,
  service: 's3control',
  handles: ['Name', 'ObjectLambdaConfiguration'],
  key: ['Name'],
  gone: GONE,

  async create({ Name: given, ObjectLambdaConfiguration: Configuration }, ctx) {
    const Name = given ?? ctx.name();
    await run(ctx, 's3control', 'CreateAccessPointForObjectLambda', inAccount({ Name, Configuration }, ctx));
    return Name;
  },

  find: (key, ctx) => ask(ctx, 's3control', 'GetAccessPointForObjectLambda', inAccount(key, ctx)),

  async describe(found, key, ctx) {
    const at = inAccount(key, ctx);
    const { Configuration } = await ask(ctx, 's3control', 'GetAccessPointConfigurationForObjectLambda', at);
    const { CloudWatchMetricsEnabled, AllowedFeatures, ...rest } = Configuration as Properties;
    const features = AllowedFeatures as string[] | undefined;
    const alias = found.Alias as Properties | undefined;
    return {
      properties: {
        ...key,
        ObjectLambdaConfiguration: defined({
          ...rest,
          AllowedFeatures: features?.length ? features : undefined,
          CloudWatchMetricsEnabled: CloudWatchMetricsEnabled || undefined,
        }),
      },
      attributes: defined({
        Alias: alias,
        'Alias.Status': alias?.Status,
        'Alias.Value': alias?.Value,
        Arn: objectLambdaType.arn({ name: key.Name! }, ctx),
        CreationDate: found.CreationDate && new Date(found.CreationDate as Date).toISOString(),
        ...pick(found, ['PublicAccessBlockConfiguration']),
      }),
    };
  },

  update: (key, _previous, { ObjectLambdaConfiguration: Configuration }, ctx) =>
    run(ctx, 's3control', 'PutAccessPointConfigurationForObjectLambda', inAccount({ ...key, Configuration }, ctx)),

  remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteAccessPointForObjectLambda', inAccount(key, ctx)),
  list: {
    operation: 'ListAccessPointsForObjectLambda',
    input: (_filter, ctx) => inAccount({}, ctx),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ ObjectLambdaAccessPointList }: { ObjectLambdaAccessPointList?: { Name: string }[] }) =>
      ObjectLambdaAccessPointList?.map(({ Name }) => Name),
  },
});

const putPolicy = (Name: string, { PolicyDocument }: PolicyProperties, ctx: ProviderContext) =>
  ctx.call('s3control', 'PutAccessPointPolicyForObjectLambda', {
    AccountId: ctx.accountId,
    Name,
    Policy: textOf(PolicyDocument),
  });

/**
 * Policies of Object Lambda access points.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3objectlambda-accesspointpolicy.html
 */
export const objectLambdaPolicy: AnyResourceProvider = defineProvider<PolicyProperties>({
  typeName: 'AWS::S3ObjectLambda::AccessPointPolicy',
  model,
  service: 's3control',
  handles: ['ObjectLambdaAccessPoint', 'PolicyDocument'],
  key: ['Name'],
  gone: [...GONE, 'NoSuchAccessPointPolicy'],

  async create(properties, ctx) {
    await putPolicy(properties.ObjectLambdaAccessPoint, properties, ctx);
    return properties.ObjectLambdaAccessPoint;
  },

  async find(key, ctx) {
    const found = await ask(ctx, 's3control', 'GetAccessPointPolicyForObjectLambda', inAccount(key, ctx));
    return found.Policy ? found : undefined;
  },

  describe: ({ Policy }, { Name }) => ({
    properties: { ObjectLambdaAccessPoint: Name, PolicyDocument: documentValue(Policy as string) },
    attributes: {},
  }),

  update: ({ Name }, _previous, desired, ctx) => putPolicy(Name!, desired, ctx),
  remove: (key, _properties, ctx) =>
    run(ctx, 's3control', 'DeleteAccessPointPolicyForObjectLambda', inAccount(key, ctx)),
});
