import {
  changeTags,
  defined,
  defineProvider,
  documentValue,
  everyItem,
  type Properties,
  pick,
  run,
  sameValue,
  type TemplateTag,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { kmsError } from '../errors.ts';
import { defaultPolicy } from '../policy.ts';

const GONE = 'NotFoundException';
const CREATION = ['BypassPolicyLockoutSafetyCheck', 'Description', 'KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'];

/**
 * Create-only properties with their defaults. An update that changes one fails, so that no key is replaced by accident.
 */
const FIXED = { KeySpec: 'SYMMETRIC_DEFAULT', KeyUsage: 'ENCRYPT_DECRYPT', MultiRegion: false, Origin: 'AWS_KMS' };

interface KeyProperties extends Properties {
  Description?: string;
  Enabled?: boolean;
  EnableKeyRotation?: boolean;
  KeyPolicy?: unknown;
  PendingWindowInDays?: number;
  RotationPeriodInDays?: number;
  Tags?: readonly TemplateTag[];
}

interface AliasProperties {
  AliasName: string;
  TargetKeyId: string;
}

/** Returns the metadata of a key; undefined if it does not exist. */
export const keyOf = async (KeyId: string, ctx: ProviderContext) =>
  (await unless(ctx.call('kms', 'DescribeKey', { KeyId }), GONE))?.KeyMetadata;

/** Changes rotation and state of a key. Rotation is set before a key is disabled, because a disabled key rejects it. */
async function changeState(
  KeyId: string,
  previous: KeyProperties,
  desired: KeyProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { Enabled = true, EnableKeyRotation = false, RotationPeriodInDays } = desired;
  if ((previous.Enabled ?? true) !== Enabled && Enabled) await ctx.call('kms', 'EnableKey', { KeyId });
  const rotates = previous.EnableKeyRotation ?? false;
  if (rotates !== EnableKeyRotation || (rotates && previous.RotationPeriodInDays !== RotationPeriodInDays))
    await (EnableKeyRotation
      ? ctx.call('kms', 'EnableKeyRotation', defined({ KeyId, RotationPeriodInDays }))
      : ctx.call('kms', 'DisableKeyRotation', { KeyId }));
  if ((previous.Enabled ?? true) !== Enabled && !Enabled) await ctx.call('kms', 'DisableKey', { KeyId });
}

/**
 * Keys. Deleting one schedules the deletion of the key.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kms-key.html
 */
export const key: AnyResourceProvider = defineProvider<KeyProperties>({
  typeName: 'AWS::KMS::Key',
  model,
  handles: [
    ...CREATION,
    'EnableKeyRotation',
    'Enabled',
    'KeyPolicy',
    'PendingWindowInDays',
    'RotationPeriodInDays',
    'Tags',
  ],

  async create(properties, ctx) {
    const { KeyPolicy, Tags } = properties;
    const { KeyMetadata } = await run(ctx, 'kms', 'CreateKey', {
      ...pick(properties, CREATION),
      Policy: KeyPolicy === undefined ? undefined : textOf(KeyPolicy),
      Tags: Tags?.map(({ Key, Value }) => ({ TagKey: Key, TagValue: Value })),
    });
    const { KeyId, Arn } = KeyMetadata!;
    ctx.created(KeyId);
    await changeState(KeyId, {}, properties, ctx);
    return { identifier: KeyId, attributes: { Arn, KeyId } };
  },

  async read(KeyId, ctx) {
    const found = await keyOf(KeyId, ctx);
    if (!found || found.KeyState === 'PendingDeletion') return undefined;
    const { Policy } = await ctx.call('kms', 'GetKeyPolicy', { KeyId, PolicyName: 'default' });
    const { Tags } = await ctx.call('kms', 'ListResourceTags', { KeyId });
    const rotation =
      found.KeySpec === 'SYMMETRIC_DEFAULT' && found.Origin === 'AWS_KMS'
        ? await unless(ctx.call('kms', 'GetKeyRotationStatus', { KeyId }), 'KMSInvalidStateException')
        : undefined;
    return {
      properties: defined({
        Description: found.Description || undefined,
        ...pick(found, ['Enabled', 'KeySpec', 'KeyUsage', 'MultiRegion', 'Origin']),
        EnableKeyRotation: rotation?.KeyRotationEnabled ?? false,
        RotationPeriodInDays: rotation?.RotationPeriodInDays,
        KeyPolicy: documentValue(Policy),
        Tags: unlessEmpty(Tags?.map(({ TagKey, TagValue }) => ({ Key: TagKey, Value: TagValue }))),
      }) as KeyProperties,
      attributes: { Arn: found.Arn, KeyId },
    };
  },

  async update(KeyId, previous, desired, ctx) {
    const fixed = Object.entries(FIXED)
      .filter(([name, initial]) => (previous[name] ?? initial) !== (desired[name] ?? initial))
      .map(([name]) => name);
    if (fixed.length)
      throw kmsError('InvalidRequestException', `The ${fixed.join(', ')} of a KMS key cannot be changed.`);
    const { Description = '', KeyPolicy } = desired;
    if ((previous.Description ?? '') !== Description)
      await ctx.call('kms', 'UpdateKeyDescription', { KeyId, Description });
    if (!sameValue(previous.KeyPolicy, KeyPolicy)) {
      const Policy = KeyPolicy === undefined ? defaultPolicy(ctx.accountId, ctx.region) : textOf(KeyPolicy);
      const { BypassPolicyLockoutSafetyCheck } = desired;
      await run(ctx, 'kms', 'PutKeyPolicy', { KeyId, PolicyName: 'default', Policy, BypassPolicyLockoutSafetyCheck });
    }
    await changeState(KeyId, previous, desired, ctx);
    await changeTags(previous.Tags, desired.Tags, {
      set: (tags) =>
        ctx.call('kms', 'TagResource', {
          KeyId,
          Tags: tags.map(({ Key, Value }) => ({ TagKey: Key, TagValue: Value })),
        }),
      remove: (TagKeys) => ctx.call('kms', 'UntagResource', { KeyId, TagKeys: [...TagKeys] }),
    });
  },

  async delete(KeyId, { PendingWindowInDays }, ctx) {
    const call = ctx.call('kms', 'ScheduleKeyDeletion', defined({ KeyId, PendingWindowInDays }));
    await unless(call, GONE, 'KMSInvalidStateException');
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('kms', 'ListKeys', defined({ Marker }));
      return [page.Keys?.map((found) => found.KeyId!), page.NextMarker] as const;
    }),
});

/**
 * Aliases of keys.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kms-alias.html
 */
export const alias: AnyResourceProvider = defineProvider<AliasProperties>({
  typeName: 'AWS::KMS::Alias',
  model,
  handles: ['AliasName', 'TargetKeyId'],

  async create(properties, ctx) {
    await ctx.call('kms', 'CreateAlias', properties);
    return { identifier: properties.AliasName };
  },

  async read(AliasName, ctx) {
    const all = await everyItem(async (Marker) => {
      const page = await ctx.call('kms', 'ListAliases', defined({ Marker }));
      return [page.Aliases, page.NextMarker] as const;
    });
    const found = all.find((one) => one.AliasName === AliasName);
    return found && { properties: { AliasName, TargetKeyId: found.TargetKeyId! }, attributes: {} };
  },

  async update(AliasName, _previous, { TargetKeyId }, ctx) {
    await ctx.call('kms', 'UpdateAlias', { AliasName, TargetKeyId });
  },

  async delete(AliasName, _properties, ctx) {
    await unless(ctx.call('kms', 'DeleteAlias', { AliasName }), GONE);
  },
});
