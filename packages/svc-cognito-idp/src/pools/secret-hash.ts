import { createHmac } from 'node:crypto';
import { notAuthorized } from '../errors.ts';
import type { Client } from '../records.ts';
import { same } from '../srp/srp.ts';

/** Returns the base64 hash of user name and client id that proves a client's secret. */
const hashOf = (secret: string, username: string, clientId: string): Buffer =>
  createHmac('sha256', secret).update(`${username}${clientId}`).digest();

/**
 * Verifies a secret hash.
 * @param usernames accepted in the hash: the given name and the user's own
 * @throws AwsError `NotAuthorizedException` if the client has a secret and the hash does not match
 */
export function checkSecretHash(client: Client, given: string | undefined, usernames: readonly string[]): void {
  const { secrets, id } = client;
  if (secrets.length === 0) {
    if (given !== undefined) throw notAuthorized(`Client ${id} is not configured with secret but secret was received`);
    return;
  }
  if (given === undefined)
    throw notAuthorized(`Client ${id} is configured with secret but SECRET_HASH was not received`);
  const bytes = Buffer.from(given, 'base64');
  const isProven = secrets.some(({ value }) => usernames.some((name) => same(bytes, hashOf(value, name, id))));
  if (!isProven) throw notAuthorized(`Unable to verify secret hash for client ${id}`);
}

/** Whether a text is one of a client's secrets. */
export const isSecret = ({ secrets }: Client, given: string): boolean =>
  secrets.some(({ value }) => same(Buffer.from(value), Buffer.from(given)));
