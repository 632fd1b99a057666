import { fetchFor, type OutgoingNames } from '@emu/core/outgoing';
import { invalidParameter } from '../errors.ts';
import { readForm, type SiteRequest } from '../oauth/site.ts';
import type { ProviderRecord } from '../records.ts';

type Provider = Readonly<ProviderRecord>;

/** Timeout of a provider's response, in seconds. */
export const TIMEOUT = 5;

/** Parameters with which a provider redirects the browser. */
export type Answer = URLSearchParams;

/** Returns the callback URL for providers. */
export const callbackOf = ({ base }: SiteRequest): string => `${base}/oauth2/idpresponse`;

/** Reads the provider's parameters from the query, or from a form as Apple sends. */
export const answerOf = async (request: SiteRequest): Promise<Answer> =>
  request.http.method === 'POST' ? ((await readForm(request)) ?? new URLSearchParams()) : request.query;

/**
 * Requests JSON from a provider's endpoint.
 * @throws AwsError if the response is not JSON
 */
export async function askProvider(
  names: OutgoingNames,
  { name }: Provider,
  address: string,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  try {
    const response = await fetchFor(names, address, {
      ...init,
      redirect: 'error',
      headers: { accept: 'application/json', ...(init.headers as Record<string, string>) },
      signal: AbortSignal.timeout(TIMEOUT * 1000),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    if (typeof answer !== 'object' || answer === null) throw new Error('the response is not a JSON object');
    return answer as Record<string, unknown>;
  } catch (error) {
    throw invalidParameter(`The identity provider ${name} refused the sign-in: ${(error as Error).message}`);
  }
}

/**
 * Requests the attributes of a signed-in user from a provider.
 * @param method of the request; `GET` by default
 */
export const askForAttributes = (
  names: OutgoingNames,
  provider: Provider,
  address: string,
  accessToken: string,
  method = 'GET',
): Promise<Record<string, unknown>> =>
  askProvider(names, provider, address, { method, headers: { authorization: `Bearer ${accessToken}` } });

/** Converts claims to text, the form of attributes. */
export function textsOf(claims: object): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(claims))
    if (value !== undefined && value !== null && typeof value !== 'function')
      texts[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return texts;
}
