import type { DeepReadonly } from '@emu/core';
import { awsError } from '@emu/wire';
import type { ConnectionAuth, ConnectionRecord } from './records.ts';
import type { EventsState } from './state.ts';

/** Milliseconds that a token endpoint may take. */
const TIMEOUT = 5000;
/** Most of a token endpoint's answer that is read. */
const MOST_BYTES = 64 * 1024;

type OAuth = Extract<DeepReadonly<ConnectionAuth>, { type: 'OAUTH_CLIENT_CREDENTIALS' }>;

/** Access tokens with the time they end at, by the connection they belong to. */
const tokens = new WeakMap<object, { token: string; expiresAt: number }>();

/** Forgets the token of a connection, so that the next request fetches another. */
export const forgetToken = (connection: DeepReadonly<ConnectionRecord>): boolean => tokens.delete(connection);

/**
 * The header that proves who a connection is.
 * @throws AwsError where a token cannot be had
 */
export async function authorizationOf(
  state: EventsState,
  connection: DeepReadonly<ConnectionRecord>,
): Promise<{ header: string; value: string }> {
  const auth = connection.auth!;
  switch (auth.type) {
    case 'BASIC':
      return {
        header: 'authorization',
        value: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`,
      };
    case 'API_KEY':
      return { header: auth.name.toLowerCase(), value: auth.value };
    case 'OAUTH_CLIENT_CREDENTIALS':
      return { header: 'authorization', value: `Bearer ${await tokenOf(state, connection, auth)}` };
  }
}

async function tokenOf(state: EventsState, connection: DeepReadonly<ConnectionRecord>, auth: OAuth): Promise<string> {
  const known = tokens.get(connection);
  if (known && known.expiresAt > state.clock.now()) return known.token;
  const { token, seconds } = await fetchToken(auth);
  tokens.set(connection, { token, expiresAt: state.clock.now() + seconds * 1000 });
  return token;
}

/**
 * Fetches an access token with the client's credentials (RFC 6749, section 4.4).
 * @throws AwsError where the endpoint gives none
 */
export async function fetchToken(auth: OAuth): Promise<{ token: string; seconds: number }> {
  const url = new URL(auth.endpoint);
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const { key, value } of auth.http?.header ?? []) headers[key.toLowerCase()] = value;
  for (const { key, value } of auth.http?.query ?? []) url.searchParams.set(key, value);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: auth.clientId,
    client_secret: auth.clientSecret,
  });
  for (const { key, value } of auth.http?.body ?? []) form.set(key, value);
  if (auth.method === 'GET') for (const [key, value] of form) url.searchParams.set(key, value);
  let text: string;
  try {
    const response = await fetch(url, {
      method: auth.method,
      headers,
      ...(auth.method === 'GET' ? {} : { body: form }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    text = await boundedText(response);
    if (!response.ok) throw new Error(`it answered with the status ${response.status}`);
  } catch (error) {
    throw awsError('AuthorizationFailure', `No token could be fetched from ${auth.endpoint}: ${reasonOf(error)}.`, {
      status: 503,
    });
  }
  return readToken(text, auth.endpoint);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readToken(text: string, endpoint: string): { token: string; seconds: number } {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(text) as Record<string, unknown>;
    if (typeof token === 'string' && token !== '')
      return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : 3600 };
  } catch {
    // Not JSON: no token either.
  }
  throw awsError('AuthorizationFailure', `The answer of ${endpoint} holds no access token.`, { status: 503 });
}
