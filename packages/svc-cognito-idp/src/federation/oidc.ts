import { invalid } from '../errors.ts';
import type { SiteRequest } from '../oauth/site.ts';
import type { FederationRecord, ProviderRecord } from '../records.ts';
import { type Answer, askForAttributes, callbackOf, PATIENCE, textsOf } from './endpoints.ts';
import type { FederatedProfile } from './profile.ts';
import { allDetails, appleSecret, attributesAddress, KEY_SETS } from './social.ts';

type Provider = Readonly<ProviderRecord>;

/** Whether a provider of a type signs in by OpenID Connect. */
export const isOidc = ({ type }: Pick<Provider, 'type'>): boolean =>
  type === 'OIDC' || type === 'Google' || type === 'SignInWithApple';

/** Endpoints that are known without asking: those of the details, and of a social provider that names no issuer. */
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

/** The library, set up for a provider: by the endpoints that are known, and by its discovery document for the others. */
async function configurationOf(provider: Provider, now: number) {
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
  const isComplete = known.authorization_endpoint && known.token_endpoint && known.jwks_uri;
  const server = isComplete
    ? known
    : await oidc
        .discovery(new URL(issuer), id, undefined, authentication, { execute, timeout: PATIENCE })
        .then((found) => ({ ...found.serverMetadata(), ...known }))
        .catch((error: unknown) => {
          throw invalid(`The issuer ${issuer} could not be discovered: ${(error as Error).message}`);
        });
  const configuration = new oidc.Configuration(server, id, undefined, authentication);
  configuration.timeout = PATIENCE;
  for (const set of execute) set(configuration);
  return { oidc, configuration };
}

/** The address at which a browser signs in at a provider. @throws AwsError where the provider is not there */
export async function oidcAddress(
  request: SiteRequest,
  provider: Provider,
  { id, nonce, authorization }: FederationRecord,
): Promise<string> {
  const { oidc, configuration } = await configurationOf(provider, request.state.clock.now());
  const { authorize_scopes: scope = 'openid' } = provider.details;
  const { prompt, loginHint } = authorization ?? {};
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(request),
    response_type: 'code',
    scope,
    state: id,
    // Apple tells names and addresses in a form only.
    ...(provider.type === 'SignInWithApple' && { response_mode: 'form_post' }),
    ...(nonce !== undefined && { nonce }),
    ...(prompt !== undefined && { prompt }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
  }).href;
}

/** Who has signed in at a provider, by the code that it sent. @throws AwsError for one that is not good */
export async function oidcProfile(
  request: SiteRequest,
  provider: Provider,
  { id, nonce }: FederationRecord,
  answer: Answer,
): Promise<FederatedProfile> {
  const { oidc, configuration } = await configurationOf(provider, request.state.clock.now());
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
    const userInfo = endpoint ? textsOf(await askForAttributes(provider, endpoint, tokens.access_token, method)) : {};
    if (userInfo.sub !== undefined && userInfo.sub !== idToken.sub)
      throw new Error('its attributes are of somebody else');
    return {
      userId: idToken.sub!,
      claims: { ...idToken, ...userInfo },
      sources: { tokenResponse: textsOf(tokens), idToken, userInfo },
    };
  } catch (error) {
    throw invalid(`The identity provider ${provider.name} refused the sign-in: ${(error as Error).message}`);
  }
}

/** Where the attributes are that ID tokens do not have; undefined where nobody need ask. */
function attributesEndpoint(
  provider: Provider,
  userInfo: string | undefined,
  idToken: Readonly<Record<string, string>>,
): string | undefined {
  if (userInfo !== undefined || provider.type !== 'Google' || provider.details.oidc_issuer !== undefined)
    return userInfo;
  // Google's ID tokens have most; its other attributes are asked for by their names.
  const missing = Object.fromEntries(
    Object.entries(provider.mapping ?? {}).filter(([, claim]) => idToken[claim] === undefined),
  );
  return Object.keys(missing).length ? attributesAddress(allDetails(provider), missing) : undefined;
}

/** The name of a user, which Apple tells when they sign in for the first time. */
function appleName(answer: Answer): Record<string, string> {
  const given = answer.get('user');
  if (given === null) return {};
  const { name = {} } = JSON.parse(given) as { name?: { firstName?: string; lastName?: string } };
  const { firstName, lastName } = name;
  return textsOf({ firstName, lastName, name: [firstName, lastName].filter(Boolean).join(' ') || undefined });
}
