import { fetchFor, type OutgoingNames } from '@emu/core/outgoing';
import { invalidParameter } from '../errors.ts';
import type { SiteRequest } from '../oauth/site.ts';
import type { FederationRecord, ProviderRecord } from '../records.ts';
import { type Answer, askForAttributes, callbackOf, TIMEOUT, textsOf } from './endpoints.ts';
import type { FederatedProfile } from './profile.ts';
import { allDetails, appleSecret, attributesAddress, KEY_SETS } from './social.ts';

type Provider = Readonly<ProviderRecord>;

/** Whether a type of provider uses OpenID Connect. */
export const isOidc = ({ type }: Pick<Provider, 'type'>): boolean =>
  type === 'OIDC' || type === 'Google' || type === 'SignInWithApple';

/** Returns endpoints known without discovery: those in the details, and those of a social provider without issuer. */
function knownServer(provider: Provider) {
  const given = provider.details;
  const details = given.oidc_issuer === undefined ? allDetails(provider) : given;
  const issuer = details.oidc_issuer!;
  const keys = given.jwks_uri ?? (given.oidc_issuer === undefined ? KEY_SETS[provider.type] : undefined);
  return {
    issuer,
    ...(details.authorize_url && { authorization_endpoint: details.authorize_url }),
    ...(details.token_url && { token_endpoint: details.token_url }),
    ...(keys && { jwks_uri: keys }),
    ...(given.attributes_url && { userinfo_endpoint: given.attributes_url }),
  };
}

/**
 * Returns the library's configuration for a provider, from known endpoints and, if necessary, its discovery document.
 */
async function configurationOf(names: OutgoingNames, provider: Provider, now: number) {
  const oidc = await import('openid-client');
  const { type, details } = provider;
  const known = knownServer(provider);
  const { issuer } = known;
  const id = details.client_id!;
  const secret = type === 'SignInWithApple' ? await appleSecret(details, issuer, now) : details.client_secret;
  const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretPost(secret);
  const execute = [
    oidc.enableNonRepudiationChecks,
    ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
  ];
  const send = (url: string, init: object): Promise<Response> => fetchFor(names, url, init);
  const isComplete = known.authorization_endpoint && known.token_endpoint && known.jwks_uri;
  const server = isComplete
    ? known
    : await oidc
        .discovery(new URL(issuer), id, undefined, authentication, {
          execute,
          timeout: TIMEOUT,
          [oidc.customFetch]: send,
        })
        .then((found) => ({ ...found.serverMetadata(), ...known }))
        .catch((error: unknown) => {
          throw invalidParameter(`The issuer ${issuer} could not be discovered: ${(error as Error).message}`);
        });
  const configuration = new oidc.Configuration(server, id, undefined, authentication);
  configuration.timeout = TIMEOUT;
  configuration[oidc.customFetch] = send;
  for (const set of execute) set(configuration);
  return { oidc, configuration };
}

/**
 * Returns the sign-in URL of a provider.
 * @throws AwsError if the provider is unreachable
 */
export async function oidcAddress(
  request: SiteRequest,
  provider: Provider,
  { id, nonce, authorization }: FederationRecord,
): Promise<string> {
  const { oidc, configuration } = await configurationOf(
    request.state.service.names,
    provider,
    request.state.clock.now(),
  );
  const { authorize_scopes: scope = 'openid' } = provider.details;
  const { prompt, loginHint } = authorization ?? {};
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(request),
    response_type: 'code',
    scope,
    state: id,
    // Apple sends names and addresses in a form only.
    ...(provider.type === 'SignInWithApple' && { response_mode: 'form_post' }),
    ...(nonce !== undefined && { nonce }),
    ...(prompt !== undefined && { prompt }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
  }).href;
}

/**
 * Exchanges a provider's code for the profile of the user.
 * @throws AwsError for an invalid code
 */
export async function oidcProfile(
  request: SiteRequest,
  provider: Provider,
  { id, nonce }: FederationRecord,
  answer: Answer,
): Promise<FederatedProfile> {
  const { oidc, configuration } = await configurationOf(
    request.state.service.names,
    provider,
    request.state.clock.now(),
  );
  const address = new URL(callbackOf(request));
  for (const name of ['code', 'state', 'iss', 'error', 'error_description'])
    if (answer.has(name)) address.searchParams.set(name, answer.get(name)!);
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, address, {
      expectedState: id,
      ...(nonce !== undefined && { expectedNonce: nonce }),
      idTokenExpected: true,
    });
    const idToken = { ...textsOf(tokens.claims()!), ...(provider.type === 'SignInWithApple' ? appleName(answer) : {}) };
    const endpoint = attributesEndpoint(provider, configuration.serverMetadata().userinfo_endpoint, idToken);
    const { attributes_request_method: method } = provider.details;
    const userInfo = endpoint
      ? textsOf(await askForAttributes(request.state.service.names, provider, endpoint, tokens.access_token, method))
      : {};
    if (userInfo.sub !== undefined && userInfo.sub !== idToken.sub)
      throw new Error('the attributes belong to another user');
    return {
      userId: idToken.sub!,
      claims: { ...idToken, ...userInfo },
      sources: { tokenResponse: textsOf(tokens), idToken, userInfo },
    };
  } catch (error) {
    throw invalidParameter(`The identity provider ${provider.name} refused the sign-in: ${(error as Error).message}`);
  }
}

/** Returns the endpoint for attributes missing in ID tokens; undefined if none are needed. */
function attributesEndpoint(
  provider: Provider,
  userInfo: string | undefined,
  idToken: Readonly<Record<string, string>>,
): string | undefined {
  if (userInfo !== undefined || provider.type !== 'Google' || provider.details.oidc_issuer !== undefined)
    return userInfo;
  // Google's ID tokens contain most attributes; others are requested by name.
  const missing = Object.fromEntries(
    Object.entries(provider.mapping ?? {}).filter(([, claim]) => idToken[claim] === undefined),
  );
  return Object.keys(missing).length ? attributesAddress(allDetails(provider), missing) : undefined;
}

/** Returns the user's name, which Apple sends at the first sign-in only. */
function appleName(answer: Answer): Record<string, string> {
  const given = answer.get('user');
  if (given === null) return {};
  const { name = {} } = JSON.parse(given) as { name?: { firstName?: string; lastName?: string } };
  const { firstName, lastName } = name;
  return textsOf({ firstName, lastName, name: [firstName, lastName].filter(Boolean).join(' ') || undefined });
}
