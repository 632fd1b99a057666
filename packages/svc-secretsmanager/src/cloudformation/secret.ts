import {
  defined,
  defineProvider,
  differs,
  documentValue,
  everyItem,
  listChanges,
  nameWithoutStack,
  omit,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { secretKey } from '../values.ts';

const GONE = 'ResourceNotFoundException';

interface SecretProperties extends TaggedProperties {
  Description?: string;
  GenerateSecretString?: Properties & { GenerateStringKey?: string; SecretStringTemplate?: string };
  KmsKeyId?: string;
  Name?: string;
  ReplicaRegions?: readonly { Region: string; KmsKeyId?: string }[];
  SecretString?: string;
}

interface PolicyProperties {
  BlockPublicPolicy?: boolean;
  ResourcePolicy: unknown;
  SecretId: string;
}

const secretOf = (SecretId: string, ctx: ProviderContext) =>
  unless(ctx.call('secretsmanager', 'DescribeSecret', { SecretId }), GONE);

/** Returns the given or generated value; none if the template contains neither, as on AWS. */
async function secretValue({ SecretString, GenerateSecretString }: SecretProperties, ctx: ProviderContext) {
  if (SecretString !== undefined || !GenerateSecretString) return SecretString;
  const { GenerateStringKey, SecretStringTemplate, ...rules } = GenerateSecretString;
  const { RandomPassword } = await run(ctx, 'secretsmanager', 'GetRandomPassword', rules);
  if (!GenerateStringKey || !SecretStringTemplate) return RandomPassword!;
  const template = JSON.parse(SecretStringTemplate) as object;
  return JSON.stringify({ ...template, [GenerateStringKey]: RandomPassword });
}

async function changeReplicas(
  SecretId: string,
  previous: SecretProperties,
  desired: SecretProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { added, removed } = listChanges(previous.ReplicaRegions, desired.ReplicaRegions);
  if (removed.length)
    await ctx.call('secretsmanager', 'RemoveRegionsFromReplication', {
      SecretId,
      RemoveReplicaRegions: removed.map(({ Region }) => Region),
    });
  if (added.length)
    await ctx.call('secretsmanager', 'ReplicateSecretToRegions', { SecretId, AddReplicaRegions: [...added] });
}

/**
 * Secrets. They are deleted without a recovery window.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secret.html
 */
export const secret: AnyResourceProvider = defineProvider<SecretProperties>({
  typeName: 'AWS::SecretsManager::Secret',
  model,
  handles: ['Description', 'GenerateSecretString', 'KmsKeyId', 'Name', 'ReplicaRegions', 'SecretString', 'Tags'],

  async create(properties, ctx) {
    const { ARN } = await run(ctx, 'secretsmanager', 'CreateSecret', {
      ...pick(properties, ['Description', 'KmsKeyId', 'Tags']),
      Name: properties.Name ?? nameWithoutStack(ctx),
      ClientRequestToken: ctx.ids.uuid(),
      SecretString: await secretValue(properties, ctx),
      AddReplicaRegions: properties.ReplicaRegions,
    });
    return { identifier: ARN!, attributes: { Id: ARN } };
  },

  async read(arn, ctx) {
    const found = await secretOf(arn, ctx);
    if (!found || found.DeletedDate !== undefined) return undefined;
    return {
      properties: defined({
        ...pick(found, ['KmsKeyId', 'Name']),
        Description: found.Description || undefined,
        ReplicaRegions: unlessEmpty(found.ReplicationStatus?.map((one) => pick(one, ['Region', 'KmsKeyId']))),
        Tags: unlessEmpty(found.Tags),
      }) as SecretProperties,
      attributes: { Id: arn },
    };
  },

  async update(SecretId, previous, desired, ctx) {
    const settings = pick(desired, ['Description', 'KmsKeyId']);
    // Only changed generation settings generate a new value.
    const value = differs(previous, desired, 'SecretString', 'GenerateSecretString')
      ? { SecretString: await secretValue(desired, ctx) }
      : {};
    if (differs(previous, desired, 'Description', 'KmsKeyId') || unlessEmpty(value)) {
      const defaults = { Description: '', KmsKeyId: secretKey.managedAlias };
      await run(ctx, 'secretsmanager', 'UpdateSecret', {
        SecretId,
        ClientRequestToken: ctx.ids.uuid(),
        ...pick(defaults, previous.KmsKeyId === desired.KmsKeyId ? ['Description'] : ['Description', 'KmsKeyId']),
        ...settings,
        ...value,
      });
    }
    await changeReplicas(SecretId, previous, desired, ctx);
    await changeTagsOf(SecretId, previous, desired, ctx);
  },

  async delete(SecretId, properties, ctx) {
    if (!(await secretOf(SecretId, ctx))) return;
    await changeReplicas(SecretId, properties, {}, ctx);
    await ctx.call('secretsmanager', 'DeleteSecret', { SecretId, ForceDeleteWithoutRecovery: true });
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('secretsmanager', 'ListSecrets', defined({ NextToken }));
      return [page.SecretList?.map(({ ARN }) => ARN!), page.NextToken] as const;
    }),
});

/**
 * Resource policies of secrets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-resourcepolicy.html
 */
export const resourcePolicy: AnyResourceProvider = defineProvider<PolicyProperties>({
  typeName: 'AWS::SecretsManager::ResourcePolicy',
  model,
  handles: ['BlockPublicPolicy', 'ResourcePolicy', 'SecretId'],

  async create({ SecretId, ResourcePolicy, BlockPublicPolicy }, ctx) {
    const { ARN } = await ctx.call(
      'secretsmanager',
      'PutResourcePolicy',
      defined({ SecretId, ResourcePolicy: textOf(ResourcePolicy), BlockPublicPolicy }),
    );
    return { identifier: ARN!, attributes: { Id: ARN } };
  },

  async read(SecretId, ctx) {
    const found = await unless(ctx.call('secretsmanager', 'GetResourcePolicy', { SecretId }), GONE);
    if (found?.ResourcePolicy === undefined) return undefined;
    const properties = { SecretId, ResourcePolicy: documentValue(found.ResourcePolicy) };
    return { properties, attributes: { Id: SecretId } };
  },

  async update(SecretId, _previous, desired, ctx) {
    const ResourcePolicy = textOf(desired.ResourcePolicy);
    await run(ctx, 'secretsmanager', 'PutResourcePolicy', { ...omit(desired, 'Id'), SecretId, ResourcePolicy });
  },

  async delete(SecretId, _properties, ctx) {
    await unless(ctx.call('secretsmanager', 'DeleteResourcePolicy', { SecretId }), GONE);
  },
});
