import type { DataPlaneResponse } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { recordEvent } from '../auth/events.ts';
import type { LocatedClient } from '../lookup.ts';
import { type Authorization, isResponse, readAuthorization } from '../oauth/authorization.ts';
import { createBrowserSession } from '../oauth/browser-session.ts';
import { grantTo } from '../oauth/grant.ts';
import { errorPage, forwardPage } from '../oauth/pages.ts';
import { clientOf, readForm, redirect, type SiteRequest, withParameters } from '../oauth/site.ts';
import type { AuthorizationRequest, FederationRecord, ProviderRecord } from '../records.ts';
import { attributesFor, trigger } from '../triggers/invoke.ts';
import { answerOf } from './endpoints.ts';
import { isOAuth, oauthAddress, oauthProfile } from './oauth.ts';
import { isOidc, oidcAddress, oidcProfile } from './oidc.ts';
import type { FederatedProfile } from './profile.ts';
import { samlProfile, samlRequest } from './saml.ts';
import { federatedUser } from './users.ts';

type Provider = Readonly<ProviderRecord>;

/** Time limit of a sign-in at a provider, in milliseconds. */
const VALIDITY = 15 * 60_000;

/** Redirects a browser to the sign-in of an identity provider. */
export async function beginFederation(
  request: SiteRequest,
  authorization: Authorization,
  provider: Provider,
): Promise<DataPlaneResponse> {
  const { state, pool } = request;
  const { client, redirectUri, oauthState } = authorization;
  const federation: FederationRecord = {
    id: state.ids.uuid(),
    poolId: pool.id,
    clientId: client.id,
    provider: provider.name,
    authorization: storedRequest(authorization),
    ...(isOidc(provider) && { nonce: state.ids.hex(32) }),
    expiresAt: state.clock.now() + VALIDITY,
  };
  state.sweep(state.federations, (key) => state.federations.delete(key));
  try {
    if (provider.type !== 'SAML') {
      const address = isOAuth(provider)
        ? oauthAddress(request, provider, federation)
        : await oidcAddress(request, provider, federation);
      state.federations.put(federation.id, federation);
      return redirect(address);
    }
    const saml = await samlRequest(request, provider, federation);
    state.federations.put(federation.id, federation);
    return 'redirect' in saml ? redirect(saml.redirect) : forwardPage(request, saml.action, saml.form);
  } catch (error) {
    return refusal(error, { redirectUri, oauthState });
  }
}

/** Returns the parts of a client's authorization request to keep until the provider's response. */
function storedRequest(authorization: Authorization): AuthorizationRequest {
  const { redirectUri, scopes, responseType, oauthState, nonce, challenge, resource, prompt, loginHint } =
    authorization;
  return {
    redirectUri,
    scopes,
    responseType,
    ...(oauthState !== undefined && { oauthState }),
    ...(nonce !== undefined && { nonce }),
    ...(challenge !== undefined && { challenge }),
    ...(resource !== undefined && { resource }),
    ...(prompt !== undefined && { prompt }),
    ...(loginHint !== undefined && { loginHint }),
  };
}

/**
 * Returns the response to a client for a failed sign-in.
 * @throws errors that are not sign-in failures
 */
function refusal(
  error: unknown,
  { redirectUri, oauthState }: { redirectUri: string; oauthState?: string | undefined },
): DataPlaneResponse {
  if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
  const description = { error: 'invalid_request', error_description: error.message, state: oauthState };
  return redirect(withParameters(redirectUri, description));
}

/** A sign-in with the provider's response. */
interface Returning {
  federation: FederationRecord;
  located: LocatedClient;
  provider: Provider;
}

/** Takes the sign-in of a provider's response; it is valid for one response. */
function returning(request: SiteRequest, id: string | null): Returning | undefined {
  const { state, pool } = request;
  const federation = id === null ? undefined : (state.federations.get(id) as FederationRecord | undefined);
  if (federation?.poolId !== pool.id || federation.expiresAt <= state.clock.now()) return undefined;
  state.federations.delete(federation.id);
  const located = clientOf(request, federation.clientId);
  const provider = state.providers.get(`${pool.id}/${federation.provider}`) as Provider | undefined;
  return located && provider && { federation, located, provider };
}

const unknownState = (request: SiteRequest): DataPlaneResponse =>
  errorPage(request, 'Invalid request', 'The sign-in at the identity provider is unknown or has expired.');

/** Handles the redirect from an OpenID Connect or OAuth provider. */
export async function providerResponse(request: SiteRequest): Promise<DataPlaneResponse> {
  const answer = await answerOf(request);
  const back = returning(request, answer.get('state'));
  if (!back?.federation.authorization || back.provider.type === 'SAML') return unknownState(request);
  const { provider, federation } = back;
  return finish(request, back, federation.authorization!, () =>
    isOAuth(provider) ? oauthProfile(request, provider, answer) : oidcProfile(request, provider, federation, answer),
  );
}

/** Handles the response of a SAML provider. */
export async function samlResponse(request: SiteRequest): Promise<DataPlaneResponse> {
  const form = request.http.method === 'POST' ? await readForm(request) : undefined;
  const response = form?.get('SAMLResponse');
  const relay = form?.get('RelayState') ?? null;
  if (!response) return unknownState(request);
  const back = returning(request, relay);
  if (back?.federation.authorization && back.provider.type === 'SAML')
    return finish(request, back, back.federation.authorization, () =>
      samlProfile(request, back.provider, back.federation, response),
    );
  return back ? unknownState(request) : unsolicitedResponse(request, relay ?? '', response);
}

/**
 * Handles an unsolicited SAML response, if the pool allows it; its relay state contains the members of a client's
 * request.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-SAML-session-initiation.html
 */
async function unsolicitedResponse(request: SiteRequest, relay: string, response: string): Promise<DataPlaneResponse> {
  const parameters = new URLSearchParams(relay);
  if (!parameters.has('client_id') || !(parameters.has('identity_provider') || parameters.has('idp_identifier')))
    return unknownState(request);
  const authorization = readAuthorization(request, parameters);
  if (isResponse(authorization)) return authorization;
  const { provider } = authorization;
  if (provider?.type !== 'SAML' || provider.details.IDPInit !== 'true') return unknownState(request);
  return finish(request, { located: authorization, provider }, storedRequest(authorization), () =>
    samlProfile(request, provider, undefined, response),
  );
}

/** Redirects a browser after its sign-out at a SAML provider. */
export async function samlLoggedOut(request: SiteRequest): Promise<DataPlaneResponse> {
  const form = request.http.method === 'POST' ? await readForm(request) : request.query;
  const back = returning(request, form?.get('RelayState') ?? null);
  return back?.federation.logoutTo === undefined ? unknownState(request) : redirect(back.federation.logoutTo);
}

/** Signs in the provider's user and sends the client its code or tokens. */
async function finish(
  request: SiteRequest,
  { located, provider }: Pick<Returning, 'located' | 'provider'>,
  asked: AuthorizationRequest,
  profileOf: () => Promise<FederatedProfile>,
): Promise<DataPlaneResponse> {
  const { state, pool, client } = located;
  const { oauthState, nonce, challenge, resource, prompt, loginHint, ...rest } = asked;
  const more = { oauthState, nonce, challenge, resource, prompt, loginHint };
  const authorization: Authorization = { ...located, ...rest, ...more };
  try {
    const profile = await profileOf();
    const user = await federatedUser(located, provider, profile);
    await trigger(state, pool, 'PostAuthentication', {
      source: 'PostAuthentication_Authentication',
      userName: user.username,
      clientId: client.id,
      request: { userAttributes: attributesFor(user), newDeviceUsed: false },
      response: {},
    });
    const { eventId } = recordEvent(
      state,
      pool,
      user.username,
      client,
      { eventType: 'SignIn', eventResponse: 'Pass' },
      { ip: request.http.remoteAddress },
    );
    const cookie = createBrowserSession(request, user, profile.session);
    return await grantTo(request, authorization, user, state.clock.now(), { 'set-cookie': cookie }, eventId);
  } catch (error) {
    return refusal(error, authorization);
  }
}
