import type { DataPlaneResponse } from '@emu/core';
import { AwsError } from '@emu/wire';
import { noteEvent } from '../auth/events.ts';
import type { LocatedClient } from '../lookup.ts';
import type { Authorization } from '../oauth/authorization.ts';
import { rememberBrowser } from '../oauth/browser-session.ts';
import { grantTo } from '../oauth/grant.ts';
import { errorPage, forwardPage } from '../oauth/pages.ts';
import { clientOf, readForm, redirect, type SiteRequest, withParameters } from '../oauth/site.ts';
import type { FederationRecord, ProviderRecord } from '../records.ts';
import { attributesFor, trigger } from '../triggers/invoke.ts';
import { isOidc, oidcAddress, oidcProfile } from './oidc.ts';
import type { FederatedProfile } from './profile.ts';
import { samlProfile, samlRequest } from './saml.ts';
import { federatedUser } from './users.ts';

type Provider = Readonly<ProviderRecord>;

/** How long a sign-in at a provider may take. */
const VALIDITY = 15 * 60_000;

/** Sends a browser to the sign-in of an identity provider. */
export async function beginFederation(
  request: SiteRequest,
  { redirectUri, scopes, responseType, oauthState, nonce, challenge, client }: Authorization,
  provider: Provider,
): Promise<DataPlaneResponse> {
  const { state, pool } = request;
  if (!isOidc(provider) && provider.type !== 'SAML')
    return errorPage(request, 'NotImplemented', `emu does not sign in by ${provider.type}.`, 501);
  const federation: FederationRecord = {
    id: state.ids.uuid(),
    poolId: pool.id,
    clientId: client.id,
    provider: provider.name,
    authorization: {
      redirectUri,
      scopes,
      responseType,
      ...(oauthState !== undefined && { oauthState }),
      ...(nonce !== undefined && { nonce }),
      ...(challenge !== undefined && { challenge }),
    },
    ...(isOidc(provider) && { nonce: state.ids.hex(32) }),
    expiresAt: state.clock.now() + VALIDITY,
  };
  state.sweep(state.federations, (key) => state.federations.delete(key));
  try {
    const saml = isOidc(provider) ? undefined : await samlRequest(request, provider, federation);
    const address = saml ? undefined : await oidcAddress(request, provider, federation);
    state.federations.put(federation.id, federation);
    if (address !== undefined) return redirect(address);
    return 'redirect' in saml! ? redirect(saml.redirect) : forwardPage(request, saml!.action, saml!.form);
  } catch (error) {
    return refusal(error, { redirectUri, oauthState });
  }
}

/** Tells a client that a sign-in has failed. @throws what is no refusal */
function refusal(
  error: unknown,
  { redirectUri, oauthState }: { redirectUri: string; oauthState?: string | undefined },
): DataPlaneResponse {
  if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
  const description = { error: 'invalid_request', error_description: error.message, state: oauthState };
  return redirect(withParameters(redirectUri, description));
}

/** A sign-in that a provider answers. */
interface Returning {
  federation: FederationRecord;
  located: LocatedClient;
  provider: Provider;
}

/** Takes the sign-in that a provider's answer is of; it is good for one answer. */
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

/** Takes what an OpenID Connect provider sends a browser back with. */
export async function oidcResponse(request: SiteRequest): Promise<DataPlaneResponse> {
  const back = returning(request, request.query.get('state'));
  if (!back?.federation.authorization) return unknownState(request);
  return finish(request, back, () => oidcProfile(request, back.provider, back.federation));
}

/** Takes the response that a SAML provider has a browser send. */
export async function samlResponse(request: SiteRequest): Promise<DataPlaneResponse> {
  const form = request.http.method === 'POST' ? await readForm(request) : undefined;
  const response = form?.get('SAMLResponse');
  const back = returning(request, form?.get('RelayState') ?? null);
  if (!response || !back?.federation.authorization) return unknownState(request);
  return finish(request, back, () => samlProfile(request, back.provider, back.federation, response));
}

/** Sends a browser on after its sign-out at a SAML provider. */
export async function samlLoggedOut(request: SiteRequest): Promise<DataPlaneResponse> {
  const form = request.http.method === 'POST' ? await readForm(request) : request.query;
  const back = returning(request, form?.get('RelayState') ?? null);
  return back?.federation.logoutTo === undefined ? unknownState(request) : redirect(back.federation.logoutTo);
}

/** Signs in whoever the provider says, and gives the client what it asked for. */
async function finish(
  request: SiteRequest,
  { federation, located, provider }: Returning,
  profileOf: () => Promise<FederatedProfile>,
): Promise<DataPlaneResponse> {
  const { state, pool, client } = located;
  const { oauthState, nonce, challenge, ...rest } = federation.authorization!;
  const authorization: Authorization = { ...located, ...rest, oauthState, nonce, challenge, prompt: undefined };
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
    const { eventId } = noteEvent(
      state,
      pool,
      user.username,
      client,
      { eventType: 'SignIn', eventResponse: 'Pass' },
      { ip: request.http.remoteAddress },
    );
    const cookie = rememberBrowser(request, user, profile.session);
    return await grantTo(request, authorization, user, state.clock.now(), { 'set-cookie': cookie }, eventId);
  } catch (error) {
    return refusal(error, authorization);
  }
}
