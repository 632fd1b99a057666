import {
  ask,
  defined,
  defineProvider,
  differs,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { vpcLinkType } from '../resources.ts';
import { changeTagMap } from './changes.ts';

const GONE = ['NotFoundException'];

interface LinkProperties extends Properties {
  readonly Name: string;
  readonly Tags?: Readonly<Record<string, string>>;
}

interface ProductProperties extends TaggedProperties {
  readonly Description?: string;
  readonly DisplayName: string;
}

/**
 * VPC links.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-vpclink.html
 */
export const vpcLink: AnyResourceProvider = defineProvider<LinkProperties>({
  typeName: 'AWS::ApiGatewayV2::VpcLink',
  model,
  service: 'apigatewayv2',
  handles: ['Name', 'SecurityGroupIds', 'SubnetIds', 'Tags'],
  key: ['VpcLinkId'],
  gone: GONE,

  async create(properties, ctx) {
    const { VpcLinkId } = await run(ctx, 'apigatewayv2', 'CreateVpcLink', properties);
    ctx.created(VpcLinkId!);
    const link = () => ctx.call('apigatewayv2', 'GetVpcLink', { VpcLinkId: VpcLinkId! });
    await ctx.until(async () => (await link()).VpcLinkStatus === 'AVAILABLE', { interval: 50 });
    return { identifier: VpcLinkId!, attributes: { VpcLinkId } };
  },

  find: (key, ctx) => ask(ctx, 'apigatewayv2', 'GetVpcLink', key),

  describe: (found, key) => ({
    properties: defined({
      ...pick(found, ['Name', 'SubnetIds']),
      SecurityGroupIds: unlessEmpty(found.SecurityGroupIds as string[] | undefined),
      Tags: unlessEmpty(found.Tags as Record<string, string> | undefined),
    }),
    attributes: key,
  }),

  async update(key, previous, desired, ctx) {
    if (differs(previous, desired, 'Name'))
      await run(ctx, 'apigatewayv2', 'UpdateVpcLink', { ...key, Name: desired.Name });
    await changeTagMap(vpcLinkType.arn({ link: key.VpcLinkId! }, ctx), previous.Tags, desired.Tags, ctx);
  },

  remove: 'DeleteVpcLink',
  list: {
    operation: 'GetVpcLinks',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Items }: { Items?: { VpcLinkId: string }[] }) => Items?.map(({ VpcLinkId }) => VpcLinkId),
  },
});

const productIdIn = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

/**
 * Products of portals.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-portalproduct.html
 */
export const portalProduct: AnyResourceProvider = defineProvider<ProductProperties>({
  typeName: 'AWS::ApiGatewayV2::PortalProduct',
  model,
  service: 'apigatewayv2',
  handles: ['Description', 'DisplayName', 'Tags'],
  key: ['PortalProductArn'],
  gone: GONE,

  async create({ Tags, ...properties }, ctx) {
    const made = await run(ctx, 'apigatewayv2', 'CreatePortalProduct', {
      ...properties,
      Tags: tagMap(Tags as TaggedProperties['Tags']),
    });
    return made.PortalProductArn!;
  },

  find: ({ PortalProductArn: arn }, ctx) =>
    ask(ctx, 'apigatewayv2', 'GetPortalProduct', { PortalProductId: productIdIn(arn!) }),

  describe: (found, key) => ({
    properties: defined({
      Description: found.Description || undefined,
      DisplayName: found.DisplayName,
      Tags: tagList(found.Tags as Record<string, string> | undefined),
    }),
    attributes: {
      ...key,
      LastModified: new Date(found.LastModified as Date).toISOString(),
      PortalProductId: found.PortalProductId,
    },
  }),

  async update({ PortalProductArn: arn }, previous, desired, ctx) {
    const { Description = '', DisplayName } = desired;
    if (differs(previous, desired, 'Description', 'DisplayName'))
      await run(ctx, 'apigatewayv2', 'UpdatePortalProduct', {
        Description,
        DisplayName,
        PortalProductId: productIdIn(arn!),
      });
    await changeTagMap(arn!, tagMap(previous.Tags), tagMap(desired.Tags), ctx);
  },

  remove: ({ PortalProductArn: arn }, _properties, ctx) =>
    run(ctx, 'apigatewayv2', 'DeletePortalProduct', { PortalProductId: productIdIn(arn!) }),

  list: {
    operation: 'ListPortalProducts',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Items }: { Items?: { PortalProductArn: string }[] }) =>
      Items?.map(({ PortalProductArn }) => PortalProductArn),
  },
});
