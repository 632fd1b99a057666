import type { ChallengeNameType } from '@emu/service-types/cognito-idp';
import { codeMismatch, invalidParameter, notAuthorized } from '../errors.ts';
import { checkSecretHash } from '../pools/secret-hash.ts';
import type { MfaMethod, Session, User } from '../records.ts';
import { attributesFor, trigger } from '../triggers/invoke.ts';
import { claimAliases, missingAttributes, validAttributes } from '../users/attributes.ts';
import { findUser } from '../users/find.ts';
import { setPassword } from '../users/passwords.ts';
import { type Auth, type AuthAnswer, complete } from './auth.ts';
import { withChosen } from './choice.ts';
import { next, withCustomAnswer } from './custom.ts';
import { recordSignIn } from './events.ts';
import { askFor, secondFactor } from './mfa.ts';
import { withPasskey } from './passkeys.ts';
import {
  checkProof,
  type Proof,
  withDeviceProof,
  withDeviceSrp,
  withPassword,
  withProof,
  withSrp,
} from './password.ts';
import { countFailure, sessionOf } from './sessions.ts';
import { periodOf } from './totp.ts';

type Responses = Readonly<Record<string, string>>;

const ATTRIBUTES = 'userAttributes.';

function required(responses: Responses, name: string): string {
  const value = responses[name];
  if (!value) throw invalidParameter(`Missing required parameter ${name}`);
  return value;
}

/**
 * Responds to a challenge.
 * @throws AwsError
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RespondToAuthChallenge.html
 */
export async function respond(
  auth: Auth,
  name: ChallengeNameType,
  sessionId: string | undefined,
  responses: Responses,
): Promise<AuthAnswer> {
  const { client, state, pool } = auth;
  const isProof = name === 'PASSWORD_VERIFIER' || name === 'DEVICE_PASSWORD_VERIFIER';
  const id = isProof ? required(responses, 'PASSWORD_CLAIM_SECRET_BLOCK') : sessionId;
  if (id === undefined) throw invalidParameter('Missing required parameter Session');
  const given = required(responses, 'USERNAME');
  const session = sessionOf(id, client.id, name, state);
  const found = findUser(pool, given, state);
  const names = [given, session.givenName, ...(session.username === undefined ? [] : [session.username])];
  checkSecretHash(client, responses.SECRET_HASH, names);
  if ((found?.username ?? given) !== (session.username ?? session.givenName))
    throw notAuthorized('Invalid session for the user.');
  const goingOn: Auth = {
    ...auth,
    deviceKey: responses.DEVICE_KEY ?? session.deviceKey,
    eventId: session.eventId ?? auth.eventId,
    isAtRisk: session.isAtRisk === true,
  };
  return answerChallenge(goingOn, name, session, responses);
}

async function answerChallenge(
  auth: Auth,
  name: ChallengeNameType,
  session: Session,
  responses: Responses,
): Promise<AuthAnswer> {
  switch (name) {
    case 'PASSWORD_VERIFIER':
      return session.custom
        ? customProof(auth, session, proofIn(responses))
        : withProof(auth, session, proofIn(responses));
    case 'DEVICE_SRP_AUTH':
      return withDeviceSrp(auth, session, required(responses, 'DEVICE_KEY'), required(responses, 'SRP_A'));
    case 'DEVICE_PASSWORD_VERIFIER':
      return withDeviceProof(auth, session, proofIn(responses));
    case 'NEW_PASSWORD_REQUIRED':
      return newPassword(auth, session, responses);
    case 'SMS_MFA':
    case 'SMS_OTP':
    case 'EMAIL_OTP':
      return sentCode(auth, session, required(responses, `${name}_CODE`));
    case 'SOFTWARE_TOKEN_MFA':
      return softwareToken(auth, session, required(responses, 'SOFTWARE_TOKEN_MFA_CODE'));
    case 'SELECT_MFA_TYPE':
      return selectMfa(auth, session, required(responses, 'ANSWER') as MfaMethod);
    case 'MFA_SETUP':
      return mfaSetUp(auth, session, responses);
    case 'CUSTOM_CHALLENGE':
      return withCustomAnswer(auth, session, required(responses, 'ANSWER'));
    case 'SELECT_CHALLENGE':
      return withChosen(auth, session, responses);
    case 'WEB_AUTHN':
      return withPasskey(auth, session, required(responses, 'CREDENTIAL'));
    case 'PASSWORD':
      return withPassword(auth, session.username!, required(responses, 'PASSWORD'), session);
    case 'PASSWORD_SRP':
      auth.state.sessions.delete(session.id);
      return withSrp(auth, session.username!, required(responses, 'SRP_A'));
    default:
      throw invalidParameter(`The challenge ${name} cannot be answered.`);
  }
}

function proofIn(responses: Responses): Proof {
  return {
    signature: required(responses, 'PASSWORD_CLAIM_SIGNATURE'),
    secretBlock: required(responses, 'PASSWORD_CLAIM_SECRET_BLOCK'),
    timestamp: required(responses, 'TIMESTAMP'),
  };
}

/** Verifies a password proof within a custom flow, which continues with its functions. */
async function customProof(auth: Auth, session: Session, proof: Proof): Promise<AuthAnswer> {
  const user = await checkProof(auth, session, proof);
  const rounds = [...(session.rounds ?? []), { challengeName: 'PASSWORD_VERIFIER', challengeResult: true }];
  return next(auth, user, rounds, undefined);
}

/**
 * Returns the user of a session.
 * @throws AwsError if they were deleted or may no longer sign in
 */
function userOf({ state, pool }: Auth, session: Session): User {
  const user = session.username === undefined ? undefined : state.user(pool, session.username);
  if (!user) throw notAuthorized('Invalid session for the user.');
  if (!user.enabled) throw notAuthorized('User is disabled.');
  return user;
}

async function newPassword(auth: Auth, session: Session, responses: Responses): Promise<AuthAnswer> {
  const { state, pool, client } = auth;
  const user = userOf(auth, session);
  const password = required(responses, 'NEW_PASSWORD');
  const values = Object.fromEntries(
    Object.entries(responses)
      .filter(([name]) => name.startsWith(ATTRIBUTES))
      .map(([name, value]) => [name.slice(ATTRIBUTES.length), value]),
  );
  const given = validAttributes(pool, values, { client, user });
  const attributes = { ...user.attributes, ...given };
  const missing = missingAttributes(pool, attributes);
  if (missing.length) throw invalidParameter(`Invalid attributes given, ${missing.join(', ')} is missing`);
  for (const name of ['email', 'phone_number'])
    if (given[name] !== undefined && given[name] !== user.attributes[name]) attributes[`${name}_verified`] = 'false';
  claimAliases(pool, attributes, state, user, false);
  const changed = await setPassword(pool, user, password, state);
  const ready = state.updateUser(changed, (draft) => {
    draft.attributes = attributes;
  });
  state.sessions.delete(session.id);
  const asked = await secondFactor(auth, ready, session);
  return asked ?? complete(auth, ready, session, 'TokenGeneration_NewPasswordChallenge');
}

/** Counts a wrong code and returns its error. */
function wrongCode(auth: Auth, session: Session, user: User): Error {
  countFailure(session, auth.state);
  recordSignIn(auth, user.username, { eventResponse: 'Fail', challenges: [{ name: 'Mfa', response: 'Failure' }] });
  return codeMismatch('Invalid code or auth state for the user.');
}

async function sentCode(auth: Auth, session: Session, code: string): Promise<AuthAnswer> {
  const user = userOf(auth, session);
  if (session.code !== code.trim()) throw wrongCode(auth, session, user);
  recordSignIn(auth, user.username, {
    eventResponse: 'InProgress',
    challenges: [{ name: 'Mfa', response: 'Success' }],
  });
  return complete(auth, user, session);
}

async function softwareToken(auth: Auth, session: Session, code: string): Promise<AuthAnswer> {
  const { state } = auth;
  const user = userOf(auth, session);
  const period = user.totp === undefined ? undefined : periodOf(user.totp, code, state.clock.now(), user.totpUsedAt);
  if (period === undefined) throw wrongCode(auth, session, user);
  recordSignIn(auth, user.username, {
    eventResponse: 'InProgress',
    challenges: [{ name: 'Mfa', response: 'Success' }],
  });
  const used = state.updateUser(
    user,
    (draft) => {
      draft.totpUsedAt = period;
    },
    true,
  );
  return complete(auth, used, session);
}

async function selectMfa(auth: Auth, session: Session, method: MfaMethod): Promise<AuthAnswer> {
  if (!session.available?.includes(method)) throw invalidParameter('The selected MFA type is not available.');
  const user = userOf(auth, session);
  auth.state.sessions.delete(session.id);
  return askFor(auth, user, method, session);
}

async function mfaSetUp(auth: Auth, session: Session, responses: Responses): Promise<AuthAnswer> {
  const { state, pool } = auth;
  const user = userOf(auth, session);
  if (session.setUp) return complete(auth, user, session);
  const email = responses.EMAIL;
  if (email === undefined || !pool.emailMfa) throw notAuthorized('Invalid session for the user.');
  validAttributes(pool, { email }, { client: undefined, user: undefined });
  const changed = state.updateUser(user, (draft) => {
    draft.attributes.email = email;
    draft.attributes.email_verified = 'false';
  });
  state.sessions.delete(session.id);
  return askFor(auth, changed, 'EMAIL_OTP', session);
}

/**
 * Invokes the pool's post confirmation trigger.
 * @throws AwsError of the function
 */
export async function postConfirmation(
  { state, pool, client, metadata }: Pick<Auth, 'state' | 'pool' | 'metadata'> & { client: { id: string } },
  user: User,
  source: 'PostConfirmation_ConfirmSignUp' | 'PostConfirmation_ConfirmForgotPassword',
): Promise<void> {
  await trigger(state, pool, 'PostConfirmation', {
    source,
    userName: user.username,
    clientId: client.id,
    request: { userAttributes: attributesFor(user), ...(metadata && { clientMetadata: metadata }) },
    response: {},
  });
}
