import { CustomerKey } from '@emu/core/service';
import type {
  CreateRepositoryRequest,
  EncryptionConfiguration,
  InputOf,
  OutputOf,
  Repository as RepositoryOutput,
} from '@emu/service-types/ecr';
import type { EcrContext } from '../context.ts';
import { alreadyExists, invalidParameter, kmsRefused } from '../errors.ts';
import { checkRegistry, repositoryOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Repository, RepositoryRecord } from '../records.ts';
import { repositoryType, repositoryUri } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Customer keys that encrypt repositories. */
const repositoryKey = new CustomerKey({ service: 'ecr', refuse: ({ message }) => kmsRefused(message) });

function describe(repository: Repository, { accountId, region }: EcrContext): RepositoryOutput {
  const { name, createdAt, mutability, exclusions, scanOnPush, encryption } = repository as RepositoryRecord;
  return {
    repositoryArn: repositoryType.arn({ name }, { accountId, region }),
    registryId: accountId,
    repositoryName: name,
    repositoryUri: repositoryUri(name, { accountId, region }),
    createdAt: new Date(createdAt),
    imageTagMutability: mutability,
    ...(exclusions && { imageTagMutabilityExclusionFilters: exclusions }),
    imageScanningConfiguration: { scanOnPush },
    encryptionConfiguration: encryption,
  };
}

/** Returns the encryption of a repository. @throws AwsError `KmsException` for an unknown key */
async function encryptionOf(
  name: string,
  given: EncryptionConfiguration | undefined,
  ctx: EcrContext,
): Promise<EncryptionConfiguration> {
  const { encryptionType, kmsKey = repositoryKey.managedAlias } = given ?? { encryptionType: 'AES256' as const };
  if (encryptionType === 'AES256') {
    if (given?.kmsKey !== undefined)
      throw invalidParameter('A KMS key can be given for the encryption types KMS and KMS_DSSE only.');
    return { encryptionType };
  }
  const { Arn } = await repositoryKey.describe(kmsKey, name, ctx);
  return { encryptionType, kmsKey: Arn! };
}

/**
 * Requires exclusion filters for the mutability settings with exclusions.
 * @throws AwsError `InvalidParameterException`
 */
function checkExclusions({
  imageTagMutability: mutability,
  imageTagMutabilityExclusionFilters: filters,
}: Pick<CreateRepositoryRequest, 'imageTagMutability' | 'imageTagMutabilityExclusionFilters'>): void {
  const wanted = mutability?.endsWith('_WITH_EXCLUSION') === true;
  if (wanted !== (filters !== undefined && filters.length > 0))
    throw invalidParameter(
      'imageTagMutabilityExclusionFilters are given with MUTABLE_WITH_EXCLUSION and IMMUTABLE_WITH_EXCLUSION, and with them only.',
    );
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_CreateRepository.html */
export async function CreateRepository(
  input: InputOf<'CreateRepository'>,
  ctx: EcrContext,
): Promise<OutputOf<'CreateRepository'>> {
  const { repositoryName: name, imageTagMutability, imageTagMutabilityExclusionFilters } = input;
  checkRegistry(input.registryId, ctx);
  checkExclusions(input);
  const tags = tagging.merge(undefined, input.tags);
  const encryption = await encryptionOf(name, input.encryptionConfiguration, ctx);
  if (ctx.state.repository(name)) throw alreadyExists(name, ctx.accountId);
  const repository = ctx.state.put({
    name,
    createdAt: ctx.clock.now(),
    mutability: imageTagMutability ?? 'MUTABLE',
    ...(imageTagMutabilityExclusionFilters?.length && { exclusions: imageTagMutabilityExclusionFilters }),
    scanOnPush: input.imageScanningConfiguration?.scanOnPush ?? false,
    encryption,
    tags,
  });
  return { repository: describe(repository, ctx) };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_DescribeRepositories.html */
export function DescribeRepositories(
  input: InputOf<'DescribeRepositories'>,
  ctx: EcrContext,
): OutputOf<'DescribeRepositories'> {
  const { registryId, repositoryNames: names } = input;
  checkRegistry(registryId, ctx);
  if (names) {
    if (input.nextToken !== undefined || input.maxResults !== undefined)
      throw invalidParameter('nextToken and maxResults cannot be used with repositoryNames.');
    return { repositories: names.map((repositoryName) => describe(repositoryOf({ repositoryName }, ctx), ctx)) };
  }
  return paging
    .page('DescribeRepositories', input, ctx.state.list(), ({ name }) => name)
    .list((repository) => describe(repository, ctx));
}

/**
 * Deletes a repository; it never contains images.
 * @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_DeleteRepository.html
 */
export function DeleteRepository(input: InputOf<'DeleteRepository'>, ctx: EcrContext): OutputOf<'DeleteRepository'> {
  const repository = repositoryOf(input, ctx);
  ctx.state.delete(repository.name);
  return { repository: describe(repository, ctx) };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_PutImageTagMutability.html */
export function PutImageTagMutability(
  input: InputOf<'PutImageTagMutability'>,
  ctx: EcrContext,
): OutputOf<'PutImageTagMutability'> {
  const { name } = repositoryOf(input, ctx);
  checkExclusions(input);
  const { imageTagMutability, imageTagMutabilityExclusionFilters: filters } = input;
  ctx.state.change(name, (draft) => {
    draft.mutability = imageTagMutability;
    if (filters?.length) draft.exclusions = filters;
    else delete draft.exclusions;
  });
  return {
    registryId: ctx.accountId,
    repositoryName: name,
    imageTagMutability,
    ...(filters?.length && { imageTagMutabilityExclusionFilters: filters }),
  };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_PutImageScanningConfiguration.html */
export function PutImageScanningConfiguration(
  input: InputOf<'PutImageScanningConfiguration'>,
  ctx: EcrContext,
): OutputOf<'PutImageScanningConfiguration'> {
  const { name } = repositoryOf(input, ctx);
  const scanOnPush = input.imageScanningConfiguration.scanOnPush ?? false;
  ctx.state.change(name, (draft) => {
    draft.scanOnPush = scanOnPush;
  });
  return { registryId: ctx.accountId, repositoryName: name, imageScanningConfiguration: { scanOnPush } };
}
