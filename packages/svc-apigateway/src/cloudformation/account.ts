import { defineProvider, type Properties } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface AccountProperties extends Properties {
  CloudWatchRoleArn?: string;
}

const setRole = (role: string | undefined, ctx: ProviderContext) =>
  ctx.call('apigateway', 'UpdateAccount', {
    patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value: role ?? '' }],
  });

/**
 * Role with which API Gateway writes logs, one per account and region. Deletion keeps it, since another stack may use
 * it.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-account.html
 */
export const account: AnyResourceProvider = defineProvider<AccountProperties>({
  typeName: 'AWS::ApiGateway::Account',
  model,
  handles: ['CloudWatchRoleArn'],

  async create({ CloudWatchRoleArn }, ctx) {
    const identifier = ctx.name();
    if (CloudWatchRoleArn !== undefined) await setRole(CloudWatchRoleArn, ctx);
    return { identifier, attributes: { Id: identifier } };
  },

  async read(identifier, ctx) {
    const { cloudwatchRoleArn } = await ctx.call('apigateway', 'GetAccount', {});
    return {
      properties: cloudwatchRoleArn ? { CloudWatchRoleArn: cloudwatchRoleArn } : {},
      attributes: { Id: identifier },
    };
  },

  async update(_identifier, _previous, { CloudWatchRoleArn }, ctx) {
    await setRole(CloudWatchRoleArn, ctx);
  },

  async delete() {
    // The account setting is kept.
  },
});
