import { invalid } from '../errors.ts';
import { readForm, type SiteRequest } from '../oauth/site.ts';
import type { ProviderRecord } from '../records.ts';

type Provider = Readonly<ProviderRecord>;

/** How long a provider may take to answer, in seconds. */
export const PATIENCE = 5;

/** What a provider sends a browser back with. */
export type Answer = URLSearchParams;

/** The address that a provider sends browsers back to. */
export const callbackOf = ({ base }: SiteRequest): string => `${base}/oauth2/idpresponse`;

/** What a browser comes back with: in the query, or in a form as Apple's. */
export const answerOf = async (request: SiteRequest): Promise<Answer> =>
  request.http.method === 'POST' ? ((await readForm(request)) ?? new URLSearchParams()) : request.query;

/** Asks a provider's endpoint for JSON. @throws AwsError where it does not answer any */
export async function askProvider(
  { name }: Provider,
  address: string,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(address, {
      ...init,
      redirect: 'error',
      headers: { accept: 'application/json', ...(init.headers as Record<string, string>) },
      signal: AbortSignal.timeout(PATIENCE * 1000),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    if (typeof answer !== 'object' || answer === null) throw new Error('it answered no JSON object');
    return answer as Record<string, unknown>;
  } catch (error) {
    throw invalid(`The identity provider ${name} refused the sign-in: ${(error as Error).message}`);
  }
}

/** Asks a provider for the attributes of whoever has signed in. @param method of the request; `GET` by default */
export const askForAttributes = (
  provider: Provider,
  address: string,
  accessToken: string,
  method = 'GET',
): Promise<Record<string, unknown>> =>
  askProvider(provider, address, { method, headers: { authorization: `Bearer ${accessToken}` } });

/** Claims as attributes are: texts. */
export function textsOf(claims: object): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(claims))
    if (value !== undefined && value !== null && typeof value !== 'function')
      texts[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return texts;
}
