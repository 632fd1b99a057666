import type { InputOf, OutputOf } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { invalidParameter, invalidRequest } from '../errors.ts';

const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
const UPPERCASE = LOWERCASE.toUpperCase();
const NUMBERS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const DEFAULT_LENGTH = 32;

/**
 * Generates a password from the kinds of characters that the request does not exclude.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetRandomPassword.html
 */
export function GetRandomPassword(
  input: InputOf<'GetRandomPassword'>,
  ctx: SecretsmanagerContext,
): OutputOf<'GetRandomPassword'> {
  const { PasswordLength: length = DEFAULT_LENGTH, ExcludeCharacters: excluded = '' } = input;
  const included = [
    input.ExcludeLowercase ? '' : LOWERCASE,
    input.ExcludeUppercase ? '' : UPPERCASE,
    input.ExcludeNumbers ? '' : NUMBERS,
    input.ExcludePunctuation ? '' : PUNCTUATION,
    input.IncludeSpace ? ' ' : '',
  ];
  const kinds = included
    .map((characters) => [...characters].filter((character) => !excluded.includes(character)))
    .filter((characters) => characters.length > 0);
  if (!kinds.length) throw invalidRequest('You must include at least one type of character in the password.');
  const each = input.RequireEachIncludedType ?? true;
  if (each && length < kinds.length)
    throw invalidParameter(`The password length ${length} is too short based on the required types.`);
  const pick = (characters: readonly string[]): string => characters[Math.floor(ctx.ids.random() * characters.length)]!;
  const all = kinds.flat();
  const password = each ? kinds.map(pick) : [];
  while (password.length < length) password.push(pick(all));
  for (let last = password.length - 1; last > 0; last--) {
    const other = Math.floor(ctx.ids.random() * (last + 1));
    [password[last], password[other]] = [password[other]!, password[last]!];
  }
  return { RandomPassword: password.join('') };
}
