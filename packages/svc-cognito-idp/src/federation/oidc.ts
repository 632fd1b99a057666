import type { IDToken, UserInfoResponse } from 'openid-client';
import { invalid } from '../errors.ts';
import type { SiteRequest } from '../oauth/site.ts';
import type { FederationRecord, ProviderRecord } from '../records.ts';
import type { FederatedProfile } from './profile.ts';

type Provider = Readonly<ProviderRecord>;

/** Issuers of providers that do not say. */
const ISSUERS: Partial<Record<ProviderRecord['type'], string>> = { Google: 'https://accounts.google.com' };
/** How long a provider may take to answer, in seconds. */
const PATIENCE = 5;

/** Whether a provider of a type signs in by OpenID Connect. */
export const isOidc = ({ type }: Provider): boolean => type === 'OIDC' || type === 'Google';

/** The library, set up for a provider: by its discovery document, or by the endpoints that its details have. */
async function configurationOf({ type, details }: Provider) {
  const oidc = await import('openid-client');
  const issuer = details.oidc_issuer ?? ISSUERS[type]!;
  const id = details.client_id!;
  const { client_secret: secret, authorize_url, token_url, attributes_url, jwks_uri } = details;
  const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretPost(secret);
  const insecure = issuer.startsWith('http:');
  if (authorize_url && token_url && jwks_uri) {
    const server = {
      issuer,
      authorization_endpoint: authorize_url,
      token_endpoint: token_url,
      jwks_uri,
      ...(attributes_url && { userinfo_endpoint: attributes_url }),
    };
    const configuration = new oidc.Configuration(server, id, undefined, authentication);
    configuration.timeout = PATIENCE;
    if (insecure) oidc.allowInsecureRequests(configuration);
    oidc.enableNonRepudiationChecks(configuration);
    return { oidc, configuration };
  }
  const execute = [oidc.enableNonRepudiationChecks, ...(insecure ? [oidc.allowInsecureRequests] : [])];
  const configuration = await oidc
    .discovery(new URL(issuer), id, undefined, authentication, { execute, timeout: PATIENCE })
    .catch((error: unknown) => {
      throw invalid(`The issuer ${issuer} could not be discovered: ${(error as Error).message}`);
    });
  return { oidc, configuration };
}

const callbackOf = ({ base }: SiteRequest): string => `${base}/oauth2/idpresponse`;

/** The address at which a browser signs in at a provider. @throws AwsError where the provider is not there */
export async function oidcAddress(
  request: SiteRequest,
  provider: Provider,
  { id, nonce }: FederationRecord,
): Promise<string> {
  const { oidc, configuration } = await configurationOf(provider);
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(request),
    response_type: 'code',
    scope: provider.details.authorize_scopes ?? 'openid',
    state: id,
    ...(nonce !== undefined && { nonce }),
  }).href;
}

/** Who has signed in at a provider, by the code that it sent. @throws AwsError for one that is not good */
export async function oidcProfile(
  request: SiteRequest,
  provider: Provider,
  { id, nonce }: FederationRecord,
): Promise<FederatedProfile> {
  const { oidc, configuration } = await configurationOf(provider);
  const address = new URL(`${callbackOf(request)}?${request.query.toString()}`);
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, address, {
      expectedState: id,
      ...(nonce !== undefined && { expectedNonce: nonce }),
      idTokenExpected: true,
    });
    const idToken = textsOf(tokens.claims()!);
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo = hasUserInfo
      ? textsOf(await oidc.fetchUserInfo(configuration, tokens.access_token, idToken.sub!))
      : {};
    return {
      userId: idToken.sub!,
      claims: { ...idToken, ...userInfo },
      sources: { tokenResponse: textsOf(tokens as unknown as Record<string, unknown>), idToken, userInfo },
    };
  } catch (error) {
    throw invalid(`The identity provider ${provider.name} refused the sign-in: ${(error as Error).message}`);
  }
}

/** Claims as attributes are: texts. */
function textsOf(claims: IDToken | UserInfoResponse | Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(claims))
    if (value !== undefined && value !== null && typeof value !== 'function')
      texts[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return texts;
}
