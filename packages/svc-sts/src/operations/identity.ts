import { accountOfAccessKeyId, type OperationContext } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/sts';
import { invalid, stsError } from '../errors.ts';
import { requireSigned } from '../sessions/callers.ts';

/**
 * Returns the identity of the caller.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export function GetCallerIdentity(
  _input: InputOf<'GetCallerIdentity'>,
  ctx: OperationContext,
): OutputOf<'GetCallerIdentity'> {
  requireSigned(ctx);
  const { userId, accountId, arn } = ctx.principal;
  return { UserId: userId, Account: accountId, Arn: arn };
}

/**
 * Returns the account of an access key: of a registered one, otherwise the one encoded in its id.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetAccessKeyInfo.html
 */
export function GetAccessKeyInfo(
  input: InputOf<'GetAccessKeyInfo'>,
  ctx: OperationContext,
): OutputOf<'GetAccessKeyInfo'> {
  requireSigned(ctx);
  const { AccessKeyId: id } = input;
  const account = ctx.credentials.get(id)?.principal.accountId ?? accountOfAccessKeyId(id);
  if (account === undefined) throw invalid(`Access key ${id} is invalid`);
  return { Account: account };
}

/**
 * Rejects every encoded authorization message. emu creates none, so AWS's error for messages of another partition
 * applies.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_DecodeAuthorizationMessage.html
 */
export function DecodeAuthorizationMessage(
  _input: InputOf<'DecodeAuthorizationMessage'>,
  ctx: OperationContext,
): OutputOf<'DecodeAuthorizationMessage'> {
  requireSigned(ctx);
  throw stsError('InvalidAuthorizationMessageException', 'Message is not valid');
}
