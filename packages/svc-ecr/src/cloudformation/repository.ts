import {
  defined,
  defineProvider,
  documentValue,
  everyItem,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import type { ImageTagMutabilityExclusionFilter, Repository } from '@emu/service-types/ecr';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'RepositoryNotFoundException';

interface RepositoryProperties extends TaggedProperties {
  EmptyOnDelete?: boolean;
  EncryptionConfiguration?: { EncryptionType: string; KmsKey?: string };
  ImageScanningConfiguration?: { ScanOnPush?: boolean };
  ImageTagMutability?: string;
  ImageTagMutabilityExclusionFilters?: readonly Properties[];
  LifecyclePolicy?: { LifecyclePolicyText?: string };
  RepositoryName?: string;
  RepositoryPolicyText?: unknown;
}

const repositoryOf = async (name: string, ctx: ProviderContext): Promise<Repository | undefined> =>
  (await unless(ctx.call('ecr', 'DescribeRepositories', { repositoryNames: [name] }), GONE))?.repositories?.[0];

const filtersOf = (filters: RepositoryProperties['ImageTagMutabilityExclusionFilters']) =>
  filters?.map((one) => ({
    filterType: one.ImageTagMutabilityExclusionFilterType,
    filter: one.ImageTagMutabilityExclusionFilterValue,
  })) as ImageTagMutabilityExclusionFilter[] | undefined;

const mutabilityOf = ({ ImageTagMutability, ImageTagMutabilityExclusionFilters }: RepositoryProperties) => ({
  imageTagMutability: ImageTagMutability ?? 'MUTABLE',
  imageTagMutabilityExclusionFilters: filtersOf(ImageTagMutabilityExclusionFilters),
});

async function changePolicies(
  repositoryName: string,
  previous: RepositoryProperties,
  desired: RepositoryProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { RepositoryPolicyText, LifecyclePolicy } = desired;
  if (!sameValue(previous.RepositoryPolicyText, RepositoryPolicyText))
    await (RepositoryPolicyText === undefined
      ? unless(ctx.call('ecr', 'DeleteRepositoryPolicy', { repositoryName }), 'RepositoryPolicyNotFound')
      : ctx.call('ecr', 'SetRepositoryPolicy', { repositoryName, policyText: textOf(RepositoryPolicyText) }));
  const lifecyclePolicyText = LifecyclePolicy?.LifecyclePolicyText;
  if (previous.LifecyclePolicy?.LifecyclePolicyText !== lifecyclePolicyText)
    await (lifecyclePolicyText === undefined
      ? unless(ctx.call('ecr', 'DeleteLifecyclePolicy', { repositoryName }), 'LifecyclePolicyNotFound')
      : ctx.call('ecr', 'PutLifecyclePolicy', { repositoryName, lifecyclePolicyText }));
}

/**
 * Repositories of container images.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ecr-repository.html
 */
export const repository: AnyResourceProvider = defineProvider<RepositoryProperties>({
  typeName: 'AWS::ECR::Repository',
  model,
  handles: [
    'EmptyOnDelete',
    'EncryptionConfiguration',
    'ImageScanningConfiguration',
    'ImageTagMutability',
    'ImageTagMutabilityExclusionFilters',
    'LifecyclePolicy.LifecyclePolicyText',
    'RepositoryName',
    'RepositoryPolicyText',
    'Tags',
  ],

  async create(properties, ctx) {
    const { EncryptionConfiguration: encryption, ImageScanningConfiguration: scanning, Tags: tags } = properties;
    const repositoryName = properties.RepositoryName ?? ctx.name();
    const { repository: made } = await run(ctx, 'ecr', 'CreateRepository', {
      repositoryName,
      tags,
      ...mutabilityOf(properties),
      imageScanningConfiguration: scanning && { scanOnPush: scanning.ScanOnPush },
      encryptionConfiguration: encryption && { encryptionType: encryption.EncryptionType, kmsKey: encryption.KmsKey },
    });
    ctx.created(repositoryName);
    await changePolicies(repositoryName, {}, properties, ctx);
    return {
      identifier: repositoryName,
      attributes: { Arn: made!.repositoryArn, RepositoryUri: made!.repositoryUri },
    };
  },

  async read(repositoryName, ctx) {
    const found = await repositoryOf(repositoryName, ctx);
    if (!found) return undefined;
    const { encryptionConfiguration: encryption, imageTagMutabilityExclusionFilters: filters } = found;
    const { tags } = await ctx.call('ecr', 'ListTagsForResource', { resourceArn: found.repositoryArn! });
    const policy = await unless(ctx.call('ecr', 'GetRepositoryPolicy', { repositoryName }), 'RepositoryPolicyNotFound');
    const lifecycle = await unless(
      ctx.call('ecr', 'GetLifecyclePolicy', { repositoryName }),
      'LifecyclePolicyNotFound',
    );
    return {
      properties: defined({
        RepositoryName: repositoryName,
        EncryptionConfiguration: defined({
          EncryptionType: encryption!.encryptionType as string,
          KmsKey: encryption!.kmsKey,
        }),
        ImageScanningConfiguration: { ScanOnPush: found.imageScanningConfiguration?.scanOnPush },
        ImageTagMutability: found.imageTagMutability,
        ImageTagMutabilityExclusionFilters: filters?.map(({ filter, filterType }) => ({
          ImageTagMutabilityExclusionFilterType: filterType,
          ImageTagMutabilityExclusionFilterValue: filter,
        })),
        LifecyclePolicy: lifecycle && { LifecyclePolicyText: lifecycle.lifecyclePolicyText },
        RepositoryPolicyText: documentValue(policy?.policyText),
        Tags: unlessEmpty(tags),
      }) as RepositoryProperties,
      attributes: { Arn: found.repositoryArn, RepositoryUri: found.repositoryUri },
    };
  },

  async update(repositoryName, previous, desired, ctx) {
    const mutability = mutabilityOf(desired);
    if (!sameValue(mutabilityOf(previous), mutability))
      await run(ctx, 'ecr', 'PutImageTagMutability', { repositoryName, ...mutability });
    const scanOnPush = desired.ImageScanningConfiguration?.ScanOnPush ?? false;
    if ((previous.ImageScanningConfiguration?.ScanOnPush ?? false) !== scanOnPush)
      await ctx.call('ecr', 'PutImageScanningConfiguration', {
        repositoryName,
        imageScanningConfiguration: { scanOnPush },
      });
    await changePolicies(repositoryName, previous, desired, ctx);
    if (sameValue(previous.Tags, desired.Tags)) return;
    const resourceArn = (await repositoryOf(repositoryName, ctx))!.repositoryArn!;
    await changeTagsOf(resourceArn, previous, desired, ctx);
  },

  async delete(repositoryName, { EmptyOnDelete }, ctx) {
    const call = ctx.call('ecr', 'DeleteRepository', { repositoryName, force: EmptyOnDelete === true });
    await unless(call, GONE);
  },

  list: (ctx) =>
    everyItem(async (nextToken) => {
      const page = await ctx.call('ecr', 'DescribeRepositories', defined({ nextToken }));
      return [page.repositories?.map((found) => found.repositoryName!), page.nextToken] as const;
    }),
});
