import type { InputOf, OutputOf } from '@emu/service-types/s3control';
import { settingsOf } from '../access-points/public-access-block.ts';
import type { S3controlContext } from '../context.ts';
import { checkAccount, globalState } from '../context.ts';
import { invalidRequest, s3controlError } from '../errors.ts';

/** @throws AwsError `InvalidRequest` without any setting */
export function PutPublicAccessBlock(
  input: InputOf<'PutPublicAccessBlock'>,
  ctx: S3controlContext,
): OutputOf<'PutPublicAccessBlock'> {
  checkAccount(ctx, input.AccountId);
  const given = input.PublicAccessBlockConfiguration;
  if (Object.values(given).every((value) => value === undefined))
    throw invalidRequest('Must specify at least one configuration.');
  globalState(ctx).publicAccessBlock = settingsOf(given);
  return {};
}

/** @throws AwsError `NoSuchPublicAccessBlockConfiguration` */
export function GetPublicAccessBlock(
  input: InputOf<'GetPublicAccessBlock'>,
  ctx: S3controlContext,
): OutputOf<'GetPublicAccessBlock'> {
  checkAccount(ctx, input.AccountId);
  const settings = globalState(ctx).publicAccessBlock;
  if (!settings)
    throw s3controlError(
      'NoSuchPublicAccessBlockConfiguration',
      'The public access block configuration was not found',
      {
        status: 404,
        members: { AccountId: input.AccountId },
      },
    );
  return { PublicAccessBlockConfiguration: settings };
}

/** Deletes the account's settings, if any. */
export function DeletePublicAccessBlock(
  input: InputOf<'DeletePublicAccessBlock'>,
  ctx: S3controlContext,
): OutputOf<'DeletePublicAccessBlock'> {
  checkAccount(ctx, input.AccountId);
  globalState(ctx).publicAccessBlock = undefined;
  return {};
}
