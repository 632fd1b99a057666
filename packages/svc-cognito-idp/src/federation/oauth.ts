import { invalidParameter } from '../errors.ts';
import type { SiteRequest } from '../oauth/site.ts';
import { withParameters } from '../oauth/site.ts';
import type { FederationRecord, ProviderRecord } from '../records.ts';
import { type Answer, askForAttributes, askProvider, callbackOf, textsOf } from './endpoints.ts';
import type { FederatedProfile } from './profile.ts';
import { allDetails, attributesAddress, USER_IDS } from './social.ts';

type Provider = Readonly<ProviderRecord>;

/** Whether a provider uses OAuth 2.0 only, without ID tokens. */
export const isOAuth = ({ type }: Provider): boolean => type === 'Facebook' || type === 'LoginWithAmazon';

/** Returns the sign-in URL of a provider. */
export function oauthAddress(request: SiteRequest, provider: Provider, { id }: FederationRecord): string {
  const { authorize_url: url, client_id, authorize_scopes } = allDetails(provider);
  return withParameters(url!, {
    client_id,
    redirect_uri: callbackOf(request),
    response_type: 'code',
    scope: authorize_scopes?.replaceAll(',', ' '),
    state: id,
  });
}

/**
 * Exchanges a provider's code for the profile of the user.
 * @throws AwsError for an invalid code
 */
export async function oauthProfile(
  request: SiteRequest,
  provider: Provider,
  answer: Answer,
): Promise<FederatedProfile> {
  const details = allDetails(provider);
  const { names } = request.state.service;
  const refused = (reason: string): Error =>
    invalidParameter(`The identity provider ${provider.name} refused the sign-in: ${reason}`);
  const code = answer.get('code');
  if (code === null) throw refused(answer.get('error_description') ?? answer.get('error') ?? 'there is no code');
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callbackOf(request),
    client_id: details.client_id,
    client_secret: details.client_secret,
  };
  const tokens =
    details.token_request_method === 'GET'
      ? await askProvider(names, provider, withParameters(details.token_url!, form))
      : await askProvider(names, provider, details.token_url!, {
          method: 'POST',
          body: new URLSearchParams(form as Record<string, string>),
        });
  const { access_token: token } = tokens;
  if (typeof token !== 'string') throw refused('there is no access token');
  const address = attributesAddress(details, provider.mapping);
  const userInfo = textsOf(await askForAttributes(names, provider, address, token, details.attributes_request_method));
  const userId = userInfo[provider.mapping?.username ?? USER_IDS[provider.type]!];
  if (!userId) throw refused('it does not say who has signed in');
  return { userId, claims: userInfo, sources: { tokenResponse: textsOf(tokens), userInfo } };
}
