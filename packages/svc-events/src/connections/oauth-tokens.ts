import type { OutgoingNames } from '@emu/core/outgoing';
import type { Clock, DeepReadonly } from '@emu/core/service';
import { eventsError } from '../errors.ts';
import type { ConnectionAuth } from '../records.ts';
import { type OutgoingRequest, type OutgoingResponse, sendRequest } from './outgoing.ts';

/** Limit of a token endpoint's response in bytes. */
const MAX_BYTES = 64 * 1024;
/** Lifetime of a token in seconds if the endpoint does not return one. */
const DEFAULT_LIFE = 3600;

/** OAuth parameters of a connection. */
export type OAuth = Extract<DeepReadonly<ConnectionAuth>, { type: 'OAUTH_CLIENT_CREDENTIALS' }>;

interface Token {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Access tokens of connections, one each, cached until they expire or are rejected. */
export class OAuthTokens {
  /** Tokens and requests in progress by connection id, so that concurrent requests share one. */
  private readonly tokens = new Map<string, Promise<Token>>();

  constructor(
    private readonly clock: Clock,
    private readonly names: OutgoingNames,
  ) {}

  /**
   * Returns the token of a connection.
   * @param id of the connection
   * @throws AwsError if the endpoint returns no token
   */
  async get(id: string, auth: OAuth): Promise<string> {
    const known = await this.tokens.get(id);
    if (known && known.expiresAt > this.clock.now()) return known.text;
    // Another request may have started fetching a token.
    const begun = await this.tokens.get(id);
    return begun && begun !== known ? begun.text : this.renew(id, auth);
  }

  /**
   * Fetches a token and replaces the current one.
   * @throws AwsError if the endpoint returns no token
   */
  async renew(id: string, auth: OAuth): Promise<string> {
    const fetched = fetchToken(this.names, auth).then(({ text, seconds }) => ({
      text,
      expiresAt: this.clock.now() + seconds * 1000,
    }));
    this.tokens.set(id, fetched);
    try {
      return (await fetched).text;
    } catch (error) {
      if (this.tokens.get(id) === fetched) this.tokens.delete(id);
      throw error;
    }
  }

  /** Removes a rejected token unless it has been replaced already. */
  async refused(id: string, text: string): Promise<void> {
    const token = this.tokens.get(id);
    if (token && (await token).text === text && this.tokens.get(id) === token) this.tokens.delete(id);
  }

  /** Removes the token of a deleted connection. */
  discard(id: string): void {
    this.tokens.delete(id);
  }
}

/** Fetches an access token with client credentials (RFC 6749, section 4.4). */
async function fetchToken(names: OutgoingNames, auth: OAuth): Promise<{ text: string; seconds: number }> {
  let answer: OutgoingResponse;
  try {
    answer = await sendRequest(names, tokenRequest(auth), MAX_BYTES);
    if (answer.status < 200 || answer.status > 299) throw new Error(`it returned status ${answer.status}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw eventsError('AuthorizationFailure', `No token could be fetched from ${auth.endpoint}: ${reason}.`, {
      status: 503,
    });
  }
  return readToken(answer.text, auth.endpoint);
}

function tokenRequest(auth: OAuth): OutgoingRequest {
  const url = new URL(auth.endpoint);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  };
  for (const { key, value } of auth.http?.header ?? []) headers[key.toLowerCase()] = value;
  for (const { key, value } of auth.http?.query ?? []) url.searchParams.set(key, value);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: auth.clientId,
    client_secret: auth.clientSecret,
  });
  for (const { key, value } of auth.http?.body ?? []) form.set(key, value);
  if (auth.method === 'GET') for (const [key, value] of form) url.searchParams.set(key, value);
  return { url, method: auth.method, headers, body: form.toString() };
}

function readToken(text: string, endpoint: string): { text: string; seconds: number } {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(text) as Record<string, unknown>;
    if (typeof token === 'string' && token !== '')
      return { text: token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_LIFE };
  } catch {
    // Without JSON the response contains no token.
  }
  throw eventsError('AuthorizationFailure', `The answer of ${endpoint} holds no access token.`, { status: 503 });
}
