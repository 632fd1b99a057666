import { factsOf, type Properties } from '@emu/core/providers';
import { type AnyResourceProvider, defineProvider, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface AccountProperties extends Properties {
  CloudWatchRoleArn?: string;
}

const setRole = (role: string | undefined, ctx: ProviderContext) =>
  ctx.call('apigateway', 'UpdateAccount', {
    patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value: role ?? '' }],
  });

/**
 * The role with which API Gateway writes logs, which is one for the account and region. It stays when the resource is
 * deleted, as it may be another's by then.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-account.html
 */
export const account: AnyResourceProvider = defineProvider<AccountProperties>({
  typeName: 'AWS::ApiGateway::Account',
  facts: factsOf(model, 'AWS::ApiGateway::Account'),
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
    // The setting of the account stays.
  },
});
