import { createHmac } from 'node:crypto';
import type { DataPlaneResponse } from '@emu/core/service';
import type { ChallengeNameType } from '@emu/service-types/cognito-idp';
import type { Auth, AuthAnswer } from '../auth/auth.ts';
import { respond } from '../auth/respond.ts';
import { errorPage, type Field, formPage } from './pages.ts';
import { passkeyPage } from './passkey-pages.ts';
import type { SiteRequest } from './site.ts';

/** Labels of challenges answered with one text. */
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

/** Field for the first code of an authenticator app. */
const SET_UP: Field = { name: 'code', label: 'Code of your authenticator app' };

/**
 * Returns the page for a challenge.
 * @param action form target path with its query
 */
export async function challengePage(
  request: SiteRequest,
  answer: AuthAnswer,
  action: string,
): Promise<DataPlaneResponse> {
  const { ChallengeName: challenge, Session: session, ChallengeParameters: parameters = {} } = answer;
  const { MFAS_CAN_CHOOSE: choices } = parameters;
  const user = request.state.sessions.get(session!)?.username ?? '';
  const hidden = { challenge: challenge!, session: session!, user };
  if (challenge === 'WEB_AUTHN')
    return passkeyPage(request, action, hidden, parameters.CREDENTIAL_REQUEST_OPTIONS ?? '');
  if (challenge === 'MFA_SETUP') return setUpPage(request, hidden, parameters.MFAS_CAN_SETUP ?? '[]', action);
  const asked = ASKED[challenge!];
  if (!asked) return errorPage(request, 'NotImplemented', `The page cannot ask for ${challenge}.`, 501);
  return formPage(request, {
    title: asked.title,
    action,
    fields: [asked.field],
    button: 'Continue',
    hidden,
    note: choices === undefined ? undefined : `One of ${choices}`,
  });
}

/**
 * Returns the page for setting up a required second factor.
 * @param methods JSON of the allowed methods
 */
async function setUpPage(
  request: SiteRequest,
  hidden: { challenge: string; session: string; user: string },
  methods: string,
  action: string,
): Promise<DataPlaneResponse> {
  const page = { title: 'Set up a second factor', action, button: 'Continue' };
  if ((JSON.parse(methods) as string[]).includes('SOFTWARE_TOKEN_MFA')) {
    const { SecretCode: secret, Session: next } = await request.handle.call(
      'cognito-idp',
      'AssociateSoftwareToken',
      { Session: hidden.session },
      request.state,
    );
    const note = `Add this key to your authenticator app: ${secret}`;
    return formPage(request, { ...page, fields: [SET_UP], hidden: { ...hidden, session: next! }, note });
  }
  if ((JSON.parse(methods) as string[]).includes('EMAIL_OTP'))
    return formPage(request, {
      ...page,
      fields: [{ name: 'EMAIL', label: 'E-mail address', type: 'email' }],
      hidden,
    });
  return errorPage(request, 'Cannot sign in', 'Ask an administrator for a telephone number in your account.');
}

/** Responds to a challenge with the form's values. */
export async function answerChallenge(request: SiteRequest, auth: Auth, form: URLSearchParams): Promise<AuthAnswer> {
  const challenge = form.get('challenge') as ChallengeNameType;
  const username = form.get('user') ?? '';
  let session = form.get('session') ?? '';
  const responses: Record<string, string> = { USERNAME: username };
  for (const name of [ASKED[challenge]?.field.name, 'CREDENTIAL', 'EMAIL'])
    if (name !== undefined && form.get(name)) responses[name] = form.get(name)!;
  const UserCode = form.get(SET_UP.name);
  if (challenge === 'MFA_SETUP' && UserCode !== null) {
    const input = { Session: session, UserCode };
    session = (await request.handle.call('cognito-idp', 'VerifySoftwareToken', input, request.state)).Session!;
  }
  const [secret] = auth.client.secrets;
  // The pages act for the client and use its secret.
  if (secret)
    responses.SECRET_HASH = createHmac('sha256', secret.value).update(`${username}${auth.client.id}`).digest('base64');
  return respond(auth, challenge, session, responses);
}
