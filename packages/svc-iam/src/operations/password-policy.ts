import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { noSuchEntity } from '../errors.ts';
import { NOTHING } from '../outputs.ts';

const DEFAULT_LENGTH = 6;

/**
 * Sets the password policy; missing members are reset to their defaults.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAccountPasswordPolicy.html
 */
export function UpdateAccountPasswordPolicy(
  input: InputOf<'UpdateAccountPasswordPolicy'>,
  ctx: IamContext,
): OutputOf<'UpdateAccountPasswordPolicy'> {
  const { MaxPasswordAge, PasswordReusePrevention, HardExpiry } = input;
  ctx.state.updateAccount((draft) => {
    draft.passwordPolicy = {
      MinimumPasswordLength: input.MinimumPasswordLength ?? DEFAULT_LENGTH,
      RequireSymbols: input.RequireSymbols ?? false,
      RequireNumbers: input.RequireNumbers ?? false,
      RequireUppercaseCharacters: input.RequireUppercaseCharacters ?? false,
      RequireLowercaseCharacters: input.RequireLowercaseCharacters ?? false,
      AllowUsersToChangePassword: input.AllowUsersToChangePassword ?? false,
      ...(MaxPasswordAge !== undefined && { MaxPasswordAge }),
      ...(PasswordReusePrevention !== undefined && { PasswordReusePrevention }),
      ...(HardExpiry !== undefined && { HardExpiry }),
    };
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountPasswordPolicy.html */
export function GetAccountPasswordPolicy(
  _input: InputOf<'GetAccountPasswordPolicy'>,
  ctx: IamContext,
): OutputOf<'GetAccountPasswordPolicy'> {
  const { passwordPolicy: policy } = ctx.state.account;
  if (!policy) throw noSuchEntity(`The Password Policy with domain name ${ctx.accountId} cannot be found.`);
  return { PasswordPolicy: { ...policy, ExpirePasswords: (policy.MaxPasswordAge ?? 0) > 0 } };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteAccountPasswordPolicy.html */
export function DeleteAccountPasswordPolicy(
  _input: InputOf<'DeleteAccountPasswordPolicy'>,
  ctx: IamContext,
): OutputOf<'DeleteAccountPasswordPolicy'> {
  if (!ctx.state.account.passwordPolicy)
    throw noSuchEntity('The account policy with name PasswordPolicy cannot be found.');
  ctx.state.updateAccount((draft) => {
    delete draft.passwordPolicy;
  });
  return NOTHING;
}
