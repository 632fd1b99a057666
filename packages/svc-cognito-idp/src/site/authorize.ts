import type { DataPlaneResponse } from '@emu/core/service';
import { samlLogout } from '../federation/saml.ts';
import { beginFederation } from '../federation/serve.ts';
import { isResponse, readAuthorization } from '../oauth/authorization.ts';
import { browserSession, endBrowserSession } from '../oauth/browser-session.ts';
import { grantTo } from '../oauth/grant.ts';
import { errorPage } from '../oauth/pages.ts';
import { clientOf, redirect, type SiteRequest, withParameters } from '../oauth/site.ts';
import type { FederationRecord, ProviderRecord } from '../records.ts';

/** Time limit of a sign-out at a provider, in milliseconds. */
const SIGN_OUT_TIME = 3_600_000;

/** Redirects a browser: to the client if the user is signed in, otherwise to the sign-in page. */
export async function authorize(request: SiteRequest): Promise<DataPlaneResponse> {
  const authorization = readAuthorization(request, request.query);
  if (isResponse(authorization)) return authorization;
  const session = browserSession(request);
  const { redirectUri, oauthState, prompt } = authorization;
  const user = session && request.state.user(request.pool, session.username);
  if (session && user?.enabled && prompt !== 'login') return grantTo(request, authorization, user, session.authTime);
  if (prompt !== 'none' && authorization.provider)
    return beginFederation(request, authorization, authorization.provider);
  if (prompt === 'none') return redirect(withParameters(redirectUri, { error: 'login_required', state: oauthState }));
  return redirect(`${request.base}/login?${request.query.toString()}`);
}

/**
 * Signs a browser out and redirects it to a URL of the client or to the sign-in page.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
 */
export async function logout(request: SiteRequest): Promise<DataPlaneResponse> {
  const { query, state } = request;
  const located = clientOf(request, query.get('client_id'));
  if (!located) return errorPage(request, 'Invalid request', 'client_id is missing or not a client of this user pool.');
  const uri = query.get('logout_uri');
  const isSignIn = uri === null && query.get('redirect_uri') !== null;
  if (!isSignIn && (uri === null || !located.client.logoutUrls?.includes(uri)))
    return errorPage(request, 'Invalid request', 'logout_uri is not one of the sign-out URLs of the client.');
  const { session, cookie } = endBrowserSession(request);
  const cookies = { 'set-cookie': cookie };
  const next = isSignIn ? `${request.base}/login?${query.toString()}` : uri!;
  const saml = session?.saml;
  const provider = saml && state.providers.get(`${request.pool.id}/${saml.provider}`);
  if (!saml || provider?.details.IDPSignout !== 'true') return redirect(next, cookies);
  const federation: FederationRecord = {
    id: state.ids.uuid(),
    poolId: request.pool.id,
    clientId: located.client.id,
    provider: provider.name,
    logoutTo: next,
    expiresAt: state.clock.now() + SIGN_OUT_TIME,
  };
  const address = await samlLogout(request, provider as ProviderRecord, federation, saml);
  if (address === undefined) return redirect(next, cookies);
  state.federations.put(federation.id, federation);
  return redirect(address, cookies);
}
