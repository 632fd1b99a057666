import { accountOfAccessKeyId, type OperationContext } from '@emu/core';
import type { InputOf, OutputOf } from '@emu/service-types/sts';
import { awsError } from '@emu/wire';
import { requireSigned } from '../callers.ts';
import { invalid } from '../errors.ts';

/**
 * Who the caller is.
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
 * The account of an access key: of one that emu knows, else the one the id itself encodes.
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
 * Decodes the message of a refusal. emu refuses nothing with an encoded message, so that every message is somebody
 * else's and cannot be decoded, as AWS answers for messages of another partition.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_DecodeAuthorizationMessage.html
 */
export function DecodeAuthorizationMessage(
  _input: InputOf<'DecodeAuthorizationMessage'>,
  ctx: OperationContext,
): OutputOf<'DecodeAuthorizationMessage'> {
  requireSigned(ctx);
  throw awsError('InvalidAuthorizationMessageException', 'Message is not valid');
}
