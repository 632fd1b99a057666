import { defined, defineProvider, everyItem, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface AccessKeyProperties {
  /** A changed number replaces the key. */
  Serial?: number;
  Status?: string;
  UserName: string;
}

const keysOf = (UserName: string, ctx: ProviderContext) =>
  everyItem(async (Marker) => {
    const page = await unless(ctx.call('iam', 'ListAccessKeys', defined({ UserName, Marker })), 'NoSuchEntity');
    return [page?.AccessKeyMetadata, page?.Marker] as const;
  });

/** Returns the user of a key; undefined if the key does not exist. */
const userOf = async (AccessKeyId: string, ctx: ProviderContext) =>
  (await unless(ctx.call('iam', 'GetAccessKeyLastUsed', { AccessKeyId }), 'NoSuchEntity', 'AccessDenied'))?.UserName;

/**
 * Access keys, whose secrets are returned only at creation.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-accesskey.html
 */
export const accessKey: AnyResourceProvider = defineProvider<AccessKeyProperties>({
  typeName: 'AWS::IAM::AccessKey',
  model,
  handles: ['Serial', 'Status', 'UserName'],

  async create({ UserName, Status }, ctx) {
    const { AccessKey } = await ctx.call('iam', 'CreateAccessKey', { UserName });
    const { AccessKeyId, SecretAccessKey } = AccessKey;
    ctx.created(AccessKeyId);
    if (Status === 'Inactive') await run(ctx, 'iam', 'UpdateAccessKey', { UserName, AccessKeyId, Status });
    return { identifier: AccessKeyId, attributes: { Id: AccessKeyId, SecretAccessKey } };
  },

  async read(id, ctx, applied) {
    const UserName = applied?.UserName ?? (await userOf(id, ctx));
    const found =
      UserName === undefined ? undefined : (await keysOf(UserName, ctx)).find(({ AccessKeyId }) => AccessKeyId === id);
    return found && { properties: { UserName: UserName!, Status: found.Status! }, attributes: { Id: id } };
  },

  async update(AccessKeyId, _previous, { UserName, Status = 'Active' }, ctx) {
    await run(ctx, 'iam', 'UpdateAccessKey', { UserName, AccessKeyId, Status });
  },

  async delete(AccessKeyId, { UserName }, ctx) {
    if (UserName === undefined) return;
    await unless(ctx.call('iam', 'DeleteAccessKey', { UserName, AccessKeyId }), 'NoSuchEntity');
  },
});
