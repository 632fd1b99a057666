import { createHmac } from 'node:crypto';
import { notAuthorized } from '../errors.ts';
import type { Client } from '../records.ts';
import { same } from './srp.ts';

/** The hash that proves a client's secret: of user name and client, in base64. */
const hashOf = (secret: string, username: string, clientId: string): Buffer =>
  createHmac('sha256', secret).update(`${username}${clientId}`).digest();

/**
 * @param usernames under which the hash may have been made: as given, and the user's own
 * @throws AwsError `NotAuthorizedException` where a client has a secret that the request does not prove
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
