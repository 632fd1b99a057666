import { defineProvider, type Properties, unless } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface SettingProperties extends Properties {
  readonly SettingId: string;
  readonly SettingValue: string;
}

/**
 * Service settings of an account and region. Deletion restores AWS's default value; an unchanged setting is not a
 * resource.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-servicesetting.html
 */
export const serviceSetting: AnyResourceProvider = defineProvider<SettingProperties>({
  typeName: 'AWS::SSM::ServiceSetting',
  model,
  handles: ['SettingId', 'SettingValue'],

  async create({ SettingId, SettingValue }, ctx) {
    await ctx.call('ssm', 'UpdateServiceSetting', { SettingId, SettingValue });
    const { ServiceSetting } = await ctx.call('ssm', 'GetServiceSetting', { SettingId });
    return { identifier: ServiceSetting!.ARN! };
  },

  async read(identifier, ctx) {
    const found = await unless(
      ctx.call('ssm', 'GetServiceSetting', { SettingId: identifier }),
      'ServiceSettingNotFound',
    );
    const setting = found?.ServiceSetting;
    if (!setting || setting.Status === 'Default') return undefined;
    const { SettingId, SettingValue, ARN: Arn, LastModifiedDate, LastModifiedUser, Status } = setting;
    return {
      properties: { SettingId: SettingId!, SettingValue: SettingValue! },
      attributes: { Arn, LastModifiedDate: LastModifiedDate!.toISOString(), LastModifiedUser, Status },
    };
  },

  async update(identifier, _previous, { SettingValue }, ctx) {
    await ctx.call('ssm', 'UpdateServiceSetting', { SettingId: identifier, SettingValue });
  },

  async delete(identifier, _properties, ctx) {
    await unless(ctx.call('ssm', 'ResetServiceSetting', { SettingId: identifier }), 'ServiceSettingNotFound');
  },
});
