import { invalidLambdaResponse } from '../errors.ts';
import type { User } from '../records.ts';
import { functionOf, trigger } from '../triggers/invoke.ts';
import { validAttributes } from '../users/attributes.ts';
import { createUser, usernameFor } from '../users/create.ts';
import { keep } from '../users/passwords.ts';
import type { Auth } from './auth.ts';

/**
 * Migrates an unknown user with the pool's function.
 * @returns undefined if the pool has no such function, or the function does not know the user
 * @throws AwsError of the function
 */
export async function migrate(
  auth: Pick<Auth, 'state' | 'pool' | 'client' | 'metadata'>,
  username: string,
  password: string | undefined,
  source: 'UserMigration_Authentication' | 'UserMigration_ForgotPassword',
): Promise<User | undefined> {
  const { state, pool, client, metadata } = auth;
  if (functionOf(pool, 'UserMigration') === undefined) return undefined;
  const response = await trigger(state, pool, 'UserMigration', {
    source,
    userName: username,
    clientId: client.id,
    request: { ...(password !== undefined && { password }), validationData: metadata ?? null, userAttributes: null },
    response: {
      userAttributes: null,
      forceAliasCreation: null,
      finalUserStatus: null,
      messageAction: null,
      desiredDeliveryMediums: null,
    },
  });
  const given = response?.userAttributes;
  if (given === null || given === undefined) return undefined;
  if (typeof given !== 'object') throw invalidLambdaResponse('Unrecognizable lambda output');
  const all = Object.entries(given as Record<string, unknown>).map(([name, value]) => [name, String(value)] as const);
  const values = Object.fromEntries(all.filter(([name]) => name !== 'username' && name !== 'sub'));
  const attributes = validAttributes(pool, values, { client: undefined, user: undefined });
  const name = usernameFor(pool, username, attributes, state);
  const isConfirmed = response?.finalUserStatus === 'CONFIRMED' && password !== undefined;
  const verifier = password === undefined ? undefined : await keep(pool, name.username, password, state);
  return createUser(pool, state, {
    ...name,
    attributes: { ...name.attributes, ...attributes },
    status: isConfirmed ? 'CONFIRMED' : 'RESET_REQUIRED',
    ...(verifier && { password: verifier }),
    force: response?.forceAliasCreation === true,
  });
}
