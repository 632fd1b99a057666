import type { DataPlaneResponse } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { Auth, AuthAnswer } from '../auth/auth.ts';
import { withChoice } from '../auth/choice.ts';
import type { RequestOrigin } from '../auth/origin.ts';
import { withPassword } from '../auth/password.ts';
import { refuseBlocked } from '../auth/risks.ts';
import { notAuthorized } from '../errors.ts';
import { hasPasskeys } from '../passkeys/relying-party.ts';
import type { User } from '../records.ts';
import { findUser } from '../users/find.ts';
import { type Authorization, hasOwnSignIn, isResponse, providersOf, readAuthorization } from './authorization.ts';
import { createBrowserSession } from './browser-session.ts';
import { answerChallenge, challengePage } from './challenges.ts';
import { grantTo } from './grant.ts';
import { errorPage, type Field, formPage, type Link, linksPage } from './pages.ts';
import { isFromPage, readForm, type SiteRequest } from './site.ts';

const FIELDS: readonly Field[] = [
  { name: 'username', label: 'Username' },
  { name: 'password', label: 'Password', type: 'password' },
];
/** Action of the passkey button. */
const PASSKEY = 'passkey';

const pathOf = ({ base }: SiteRequest): string => new URL(base).pathname.replace(/\/*$/, '');
const actionOf = (request: SiteRequest): string => `${pathOf(request)}/login?${request.query.toString()}`;

/** Returns links to the client's identity providers. */
function providerLinks(request: SiteRequest, authorization: Authorization): Link[] {
  return providersOf(authorization).map(({ name }) => {
    const query = new URLSearchParams(request.query);
    query.delete('idp_identifier');
    query.set('identity_provider', name);
    return { label: `Continue with ${name}`, href: `${pathOf(request)}/oauth2/authorize?${query}`, isProvider: true };
  });
}

function loginPage(request: SiteRequest, authorization: Authorization, error?: string): DataPlaneResponse {
  const query = request.query.toString();
  const base = pathOf(request);
  const providers = providerLinks(request, authorization);
  if (!hasOwnSignIn(authorization)) return linksPage(request, 'Sign in', providers);
  return formPage(request, {
    title: 'Sign in',
    action: actionOf(request),
    fields: FIELDS.map((field) =>
      field.name === 'username' && authorization.loginHint ? { ...field, value: authorization.loginHint } : field,
    ),
    button: 'Sign in',
    otherButton: hasPasskeys(request.pool) ? { name: PASSKEY, label: 'Sign in with a passkey' } : undefined,
    error,
    links: [
      ...providers,
      { label: 'Sign up', href: `${base}/signup?${query}` },
      { label: 'Forgot your password?', href: `${base}/forgotPassword?${query}` },
    ],
  });
}

/**
 * Serves the sign-in page: password, passkey, second factor, or another identity provider.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/login-endpoint.html
 */
export async function login(request: SiteRequest): Promise<DataPlaneResponse> {
  const authorization = readAuthorization(request, request.query);
  if (isResponse(authorization)) return authorization;
  if (request.http.method !== 'POST') return loginPage(request, authorization);
  const form = await readForm(request);
  if (!form || !isFromPage(request, form))
    return errorPage(request, 'Invalid request', 'The page has expired: open it again.', 403);
  if (!hasOwnSignIn(authorization)) return loginPage(request, authorization);
  let signedIn: { user: User; eventId: string } | undefined;
  const auth: Auth = {
    state: authorization.state,
    pool: authorization.pool,
    client: authorization.client,
    admin: false,
    endpoint: request.http.endpoint,
    metadata: undefined,
    origin: browserOf(request),
    eventId: authorization.state.ids.uuid(),
    finish: (user, eventId) => {
      signedIn = { user, eventId };
    },
  };
  try {
    const answer = await step(request, auth, form);
    if (!signedIn) return await challengePage(request, answer, actionOf(request));
  } catch (error) {
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
    return loginPage(request, authorization, error.message);
  }
  const { user, eventId } = signedIn;
  const cookie = createBrowserSession(request, user);
  return grantTo(request, authorization, user, request.state.clock.now(), { 'set-cookie': cookie }, eventId);
}

/** Returns the origin of a browser's request. */
const browserOf = ({ http }: SiteRequest): RequestOrigin => ({
  ip: http.remoteAddress,
  deviceName: http.headers['user-agent'] === undefined ? undefined : String(http.headers['user-agent']),
});

/** Performs one step of a sign-in with the form's values. */
async function step(request: SiteRequest, auth: Auth, form: URLSearchParams): Promise<AuthAnswer> {
  if (form.get('challenge') !== null) return answerChallenge(request, auth, form);
  const username = form.get('username') ?? '';
  refuseBlocked(auth, findUser(auth.pool, username, auth.state)?.username ?? username, 'SignIn', auth.origin);
  if (form.get('action') !== PASSKEY) return withPassword(auth, username, form.get('password') ?? '');
  const answer = await withChoice(auth, username, { PREFERRED_CHALLENGE: 'WEB_AUTHN' });
  if (answer.ChallengeName !== 'WEB_AUTHN') throw notAuthorized('There is no passkey to sign in with.');
  return answer;
}
