import type { InputOf, OutputOf, StorageLensConfiguration, Tag } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import { invalidRequest } from '../errors.ts';
import { paging } from '../paging.ts';
import { storageLensType } from '../resources.ts';
import {
  checkConfiguration,
  configurations,
  findConfiguration,
  noSuchConfiguration,
} from '../storage-lens/configurations.ts';
import { DEFAULT_DASHBOARD } from '../storage-lens/records.ts';
import { tagging } from '../tags.ts';

/**
 * Creates or replaces a configuration; keeps its tags unless new ones are given.
 * @throws AwsError `InvalidRequest`, `TooManyConfigurations`, `InvalidTag`
 */
export function PutStorageLensConfiguration(
  input: InputOf<'PutStorageLensConfiguration'>,
  ctx: S3controlContext,
): OutputOf<'PutStorageLensConfiguration'> {
  const { AccountId, ConfigId: id, StorageLensConfiguration: configuration, Tags: tags } = input;
  checkAccount(ctx, AccountId);
  checkConfiguration(ctx, id, configuration);
  const { storageLens, storageLensExports } = ctx.state;
  const { StorageLensArn: _arn, ...given } = configuration;
  const { tags: had = [], since = storageLensExports.today(), ...before } = storageLens.get(id) ?? {};
  const kept = had.map((tag) => ({ ...tag }));
  storageLens.put(id, {
    ...before,
    since,
    id,
    configuration: given,
    tags: tags ? tagging.merge(undefined, tags) : kept,
  });
  return {};
}

/** @throws AwsError `NoSuchConfiguration` */
export function GetStorageLensConfiguration(
  input: InputOf<'GetStorageLensConfiguration'>,
  ctx: S3controlContext,
): OutputOf<'GetStorageLensConfiguration'> {
  checkAccount(ctx, input.AccountId);
  const { id, configuration } = findConfiguration(ctx, input.ConfigId);
  return {
    StorageLensConfiguration: {
      ...(configuration as StorageLensConfiguration),
      StorageLensArn: storageLensType.arn({ id }, ctx),
    },
  };
}

/** @throws AwsError `NoSuchConfiguration`, `InvalidRequest` for the default dashboard */
export function DeleteStorageLensConfiguration(
  input: InputOf<'DeleteStorageLensConfiguration'>,
  ctx: S3controlContext,
): OutputOf<'DeleteStorageLensConfiguration'> {
  checkAccount(ctx, input.AccountId);
  if (input.ConfigId === DEFAULT_DASHBOARD) throw invalidRequest('The default dashboard cannot be deleted.');
  if (!ctx.state.storageLens.delete(input.ConfigId)) throw noSuchConfiguration();
  return {};
}

/** Lists the configurations of their home region. */
export function ListStorageLensConfigurations(
  input: InputOf<'ListStorageLensConfigurations'>,
  ctx: S3controlContext,
): OutputOf<'ListStorageLensConfigurations'> {
  checkAccount(ctx, input.AccountId);
  return paging
    .page('ListStorageLensConfigurations', input, configurations(ctx), ({ id }) => id)
    .list(({ id, configuration }) => ({
      Id: id,
      StorageLensArn: storageLensType.arn({ id }, ctx),
      HomeRegion: ctx.region,
      IsEnabled: configuration.IsEnabled,
    }));
}

/** @throws AwsError `NoSuchConfiguration` */
export function GetStorageLensConfigurationTagging(
  input: InputOf<'GetStorageLensConfigurationTagging'>,
  ctx: S3controlContext,
): OutputOf<'GetStorageLensConfigurationTagging'> {
  checkAccount(ctx, input.AccountId);
  return { Tags: findConfiguration(ctx, input.ConfigId).tags.map((tag) => ({ ...tag })) };
}

/**
 * Replaces all tags.
 * @throws AwsError `NoSuchConfiguration`, `InvalidTag`, `TooManyTags`
 */
export function PutStorageLensConfigurationTagging(
  input: InputOf<'PutStorageLensConfigurationTagging'>,
  ctx: S3controlContext,
): OutputOf<'PutStorageLensConfigurationTagging'> {
  return replaceTags(input, ctx, tagging.merge(undefined, input.Tags));
}

/** @throws AwsError `NoSuchConfiguration` */
export function DeleteStorageLensConfigurationTagging(
  input: InputOf<'DeleteStorageLensConfigurationTagging'>,
  ctx: S3controlContext,
): OutputOf<'DeleteStorageLensConfigurationTagging'> {
  return replaceTags(input, ctx, []);
}

function replaceTags(
  input: { AccountId: string; ConfigId: string },
  ctx: S3controlContext,
  tags: Tag[],
): Record<string, never> {
  checkAccount(ctx, input.AccountId);
  const { configuration, ...found } = findConfiguration(ctx, input.ConfigId);
  ctx.state.storageLens.put(found.id, { ...found, configuration: configuration as StorageLensConfiguration, tags });
  return {};
}
