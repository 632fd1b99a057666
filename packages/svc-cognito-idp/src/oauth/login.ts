import { createHmac } from 'node:crypto';
import type { DataPlaneResponse } from '@emu/core';
import type { ChallengeNameType } from '@emu/service-types/cognito-idp';
import { AwsError } from '@emu/wire';
import type { Auth, AuthAnswer } from '../auth/auth.ts';
import { withPassword } from '../auth/password.ts';
import { respond } from '../auth/respond.ts';
import type { User } from '../records.ts';
import { type Authorization, grantTo, isResponse, readAuthorization, rememberBrowser } from './authorize.ts';
import { CSRF_COOKIE, errorPage, type Field, formPage } from './pages.ts';
import { cookieOf, readForm, type SiteRequest } from './site.ts';

/** What is asked for by challenges that the page can ask for. */
const ASKED: Partial<Record<ChallengeNameType, { title: string; field: Field }>> = {
  SMS_MFA: { title: 'Enter the code', field: { name: 'SMS_MFA_CODE', label: 'Code sent to your phone' } },
  EMAIL_OTP: { title: 'Enter the code', field: { name: 'EMAIL_OTP_CODE', label: 'Code sent to your e-mail address' } },
  SOFTWARE_TOKEN_MFA: {
    title: 'Enter the code',
    field: { name: 'SOFTWARE_TOKEN_MFA_CODE', label: 'Code of your authenticator app' },
  },
  NEW_PASSWORD_REQUIRED: {
    title: 'Change your password',
    field: { name: 'NEW_PASSWORD', label: 'New password', type: 'password' },
  },
  SELECT_MFA_TYPE: { title: 'Choose a method', field: { name: 'ANSWER', label: 'Method' } },
};

const FIELDS: readonly Field[] = [
  { name: 'username', label: 'Username' },
  { name: 'password', label: 'Password', type: 'password' },
];

function loginPage(request: SiteRequest, error?: string): DataPlaneResponse {
  const query = request.query.toString();
  const base = new URL(request.base).pathname.replace(/\/*$/, '');
  return formPage(request, {
    title: 'Sign in',
    action: `${base}/login?${query}`,
    fields: FIELDS,
    button: 'Sign in',
    error,
    links: [
      { label: 'Sign up', href: `${base}/signup?${query}` },
      { label: 'Forgot your password?', href: `${base}/forgotPassword?${query}` },
    ],
  });
}

/**
 * The page where people sign in, with password and second factor.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/login-endpoint.html
 */
export async function login(request: SiteRequest): Promise<DataPlaneResponse> {
  const authorization = readAuthorization(request, request.query);
  if (isResponse(authorization)) return authorization;
  if (request.http.method !== 'POST') return loginPage(request);
  const form = await readForm(request);
  const csrf = cookieOf(request, CSRF_COOKIE);
  if (!form || csrf === undefined || form.get('_csrf') !== csrf)
    return errorPage(request, 'Invalid request', 'The page has expired: open it again.', 403);
  let signedIn: User | undefined;
  const auth: Auth = {
    state: authorization.state,
    pool: authorization.pool,
    client: authorization.client,
    admin: false,
    endpoint: request.http.endpoint,
    metadata: undefined,
    ip: request.http.remoteAddress,
    finish: (user) => {
      signedIn = user;
    },
  };
  let answer: AuthAnswer;
  try {
    answer = await step(auth, form);
  } catch (error) {
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
    return loginPage(request, error.message);
  }
  if (signedIn) return finish(request, authorization, signedIn);
  const asked = ASKED[answer.ChallengeName!];
  if (!asked) return errorPage(request, 'NotImplemented', `The page cannot ask for ${answer.ChallengeName}.`, 501);
  const { USER_ID_FOR_SRP: username = '', MFAS_CAN_CHOOSE: choices } = answer.ChallengeParameters ?? {};
  return formPage(request, {
    title: asked.title,
    action: `${new URL(request.base).pathname.replace(/\/*$/, '')}/login?${request.query.toString()}`,
    fields: [asked.field],
    button: 'Continue',
    hidden: { challenge: answer.ChallengeName!, session: answer.Session!, user: username },
    note: choices === undefined ? undefined : `One of ${choices}`,
  });
}

function finish(request: SiteRequest, authorization: Authorization, user: User): Promise<DataPlaneResponse> {
  const cookie = rememberBrowser(request, user);
  return grantTo(request, authorization, user, request.state.clock.now(), { 'set-cookie': cookie });
}

/** One step of a sign-in, with what the form has. */
function step(auth: Auth, form: URLSearchParams): Promise<AuthAnswer> {
  const challenge = form.get('challenge') as ChallengeNameType | null;
  if (challenge === null) return withPassword(auth, form.get('username') ?? '', form.get('password') ?? '');
  const username = form.get('user') ?? '';
  const name = ASKED[challenge]?.field.name ?? '';
  const [secret] = auth.client.secrets;
  const responses = {
    USERNAME: username,
    [name]: form.get(name) ?? '',
    // The pages are the client's own, and know its secret.
    ...(secret && {
      SECRET_HASH: createHmac('sha256', secret.value).update(`${username}${auth.client.id}`).digest('base64'),
    }),
  };
  return respond(auth, challenge, form.get('session') ?? '', responses);
}
