import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { DeepReadonly } from '@emu/core/service';
import type { IamContext } from '../context.ts';
import { nowOf } from '../entities/lookup.ts';
import { iamError } from '../errors.ts';
import type { AccountRecord, PasswordRecord } from '../records.ts';

const hashOf = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const HASH_BYTES = 32;
/** Maximum number of passwords that a policy can remember. */
const MAX_REMEMBERED = 24;
const SYMBOLS = /[!@#$%^&*()_+\-=[\]{}|']/;

type PasswordPolicy = DeepReadonly<NonNullable<AccountRecord['passwordPolicy']>>;

const violation = (message: string): Error => iamError('PasswordPolicyViolationException', message);

/**
 * Checks a new password against the account's policy, or AWS's default policy: eight characters of three kinds.
 * @throws AwsError `PasswordPolicyViolation`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_passwords_account-policy.html
 */
function checkPassword(password: string, policy: PasswordPolicy | undefined): void {
  const kinds = {
    uppercase: /[A-Z]/.test(password),
    lowercase: /[a-z]/.test(password),
    number: /[0-9]/.test(password),
    symbol: SYMBOLS.test(password),
  };
  const minimum = policy ? (policy.MinimumPasswordLength ?? 6) : 8;
  if (password.length < minimum) throw violation(`Password should have a minimum length of ${minimum}`);
  if (!policy) {
    if (Object.values(kinds).filter(Boolean).length < 3)
      throw violation(
        "Password should contain at least three of the following: uppercase letters, lowercase letters, numbers, symbols (! @ # $ % ^ & * ( ) _ + - = [ ] { } | ')",
      );
    return;
  }
  if (policy.RequireUppercaseCharacters && !kinds.uppercase)
    throw violation('Password should have at least one uppercase letter');
  if (policy.RequireLowercaseCharacters && !kinds.lowercase)
    throw violation('Password should have at least one lowercase letter');
  if (policy.RequireNumbers && !kinds.number) throw violation('Password should have at least one number');
  if (policy.RequireSymbols && !kinds.symbol) throw violation('Password should have at least one symbol');
}

/** Whether a password matches a hash. */
export async function matches(password: string, { salt, hash }: { salt: string; hash: string }): Promise<boolean> {
  return timingSafeEqual(await hashOf(password, Buffer.from(salt, 'base64'), HASH_BYTES), Buffer.from(hash, 'base64'));
}

/**
 * Returns a user's password record with a new password, checked against the policy and previous passwords.
 * @throws AwsError `PasswordPolicyViolation`
 */
export async function withPassword(
  ctx: IamContext,
  existing: DeepReadonly<PasswordRecord> | undefined,
  password: string,
  resetRequired: boolean,
): Promise<PasswordRecord> {
  const { passwordPolicy: policy } = ctx.state.account;
  checkPassword(password, policy);
  const earlier = existing?.hashes ?? [];
  for (const hash of earlier.slice(0, policy?.PasswordReusePrevention ?? 0))
    if (await matches(password, hash))
      throw violation('Policy constraint violation with password reuse prevention during password change.');
  const salt = ctx.ids.bytes(16);
  const hash = await hashOf(password, salt, HASH_BYTES);
  const now = nowOf(ctx);
  return {
    createdAt: existing?.createdAt ?? now,
    changedAt: now,
    resetRequired,
    hashes: [
      { salt: salt.toString('base64'), hash: hash.toString('base64') },
      ...earlier.slice(0, MAX_REMEMBERED - 1).map((one) => ({ ...one })),
    ],
  };
}
