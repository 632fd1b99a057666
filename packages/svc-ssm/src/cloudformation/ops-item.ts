import {
  ask,
  defined,
  defineProvider,
  differs,
  everyItem,
  pick,
  run,
  type TaggedProperties,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { opsItemType } from '../ops/resources.ts';
import { retag, tagsOf } from './tags.ts';

interface OpsItemProperties extends TaggedProperties {
  readonly Description: string;
  readonly Source: string;
  readonly Title: string;
}

const SETTINGS = ['Category', 'Description', 'Priority', 'Severity', 'Title'] as const;
const RETURNED = [
  'CreatedBy',
  'CreatedTime',
  'LastModifiedBy',
  'LastModifiedTime',
  'OpsItemId',
  'OpsItemType',
  'Status',
  'Version',
] as const;
const idOf = (arn: string | undefined): string => opsItemType.parse(arn ?? '')?.key.id ?? '';

const single = defineProvider<OpsItemProperties>({
  typeName: 'AWS::SSM::OpsItem',
  model,
  service: 'ssm',
  handles: [...SETTINGS, 'Source', 'Tags'],
  key: ['OpsItemArn'],
  gone: ['OpsItemNotFoundException'],

  async create(properties, ctx) {
    const { OpsItemArn } = await run(ctx, 'ssm', 'CreateOpsItem', properties);
    return OpsItemArn!;
  },

  find: async ({ OpsItemArn }, ctx) =>
    (await ask(ctx, 'ssm', 'GetOpsItem', { OpsItemId: idOf(OpsItemArn) })).OpsItem as object as OpsItemProperties,

  async describe(found, { OpsItemArn }, ctx) {
    const text = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
    const returned = pick(found as Record<string, unknown>, RETURNED);
    return {
      properties: defined({
        ...pick(found as Record<string, unknown>, [...SETTINGS, 'Source']),
        Tags: await tagsOf('OpsItem', idOf(OpsItemArn), ctx),
      }),
      attributes: {
        ...Object.fromEntries(Object.entries(returned).map(([name, value]) => [name, text(value)])),
        OpsItemArn,
      },
    };
  },

  async update({ OpsItemArn }, previous, desired, ctx) {
    const OpsItemId = idOf(OpsItemArn);
    if (differs(previous, desired, ...SETTINGS))
      await run(ctx, 'ssm', 'UpdateOpsItem', { OpsItemId, ...pick(desired as Record<string, unknown>, SETTINGS) });
    await retag('OpsItem', OpsItemId, previous, desired, ctx);
  },

  remove: ({ OpsItemArn }, _properties, ctx) => ctx.call('ssm', 'DeleteOpsItem', { OpsItemId: idOf(OpsItemArn) }),
});

/**
 * OpsItems of OpsCenter.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-opsitem.html
 */
export const opsItem: AnyResourceProvider = {
  ...single,
  list: async (ctx) => {
    const ids = await everyItem(async (NextToken) => {
      const page = await ctx.call('ssm', 'DescribeOpsItems', defined({ NextToken }));
      return [page.OpsItemSummaries?.map(({ OpsItemId }) => OpsItemId!), page.NextToken] as const;
    });
    return ids.map((id) => opsItemType.arn({ id }, ctx));
  },
};
