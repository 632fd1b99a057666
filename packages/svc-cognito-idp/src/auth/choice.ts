import type { ChallengeNameType } from '@emu/service-types/cognito-idp';
import { invalidParameter, notAuthorized } from '../errors.ts';
import type { Session, User } from '../records.ts';
import { isVerified } from '../users/attributes.ts';
import { findUser } from '../users/find.ts';
import { type Auth, type AuthAnswer, challenge, checkMaySignIn, preAuthentication, unknownUser } from './auth.ts';
import { sendCode } from './mfa.ts';
import { askForPasskey, canUsePasskey } from './passkeys.ts';
import { withPassword, withSrp } from './password.ts';
import { assess } from './risks.ts';

/** Returns the first factors that a user may choose from. */
function choices({ pool, state }: Auth, user: User): ChallengeNameType[] {
  const allowed = pool.settings.Policies?.SignInPolicy?.AllowedFirstAuthFactors ?? ['PASSWORD'];
  return [
    ...(canUsePasskey(pool, user, state) ? (['WEB_AUTHN'] as const) : []),
    ...(allowed.includes('EMAIL_OTP') && isVerified(user, 'email') ? (['EMAIL_OTP'] as const) : []),
    ...(allowed.includes('SMS_OTP') && isVerified(user, 'phone_number') ? (['SMS_OTP'] as const) : []),
    ...(allowed.includes('PASSWORD') && user.password ? (['PASSWORD', 'PASSWORD_SRP'] as const) : []),
  ];
}

type Parameters = Readonly<Record<string, string>>;

/**
 * Starts a sign-in in which the user chooses the factor.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
export async function withChoice(auth: Auth, username: string, parameters: Parameters): Promise<AuthAnswer> {
  const user = findUser(auth.pool, username, auth.state);
  if (!user) throw unknownUser(auth);
  checkMaySignIn(user);
  const available = choices(auth, user);
  const preferred = parameters.PREFERRED_CHALLENGE as ChallengeNameType | undefined;
  if (preferred !== undefined && available.includes(preferred))
    return choose(auth, user, preferred, parameters, undefined);
  await preAuthentication(auth, user);
  const answer = challenge(
    auth,
    { username: user.username, givenName: username, challenge: 'SELECT_CHALLENGE', available },
    {},
  );
  return { ...answer, AvailableChallenges: available };
}

/** Continues with the chosen factor. */
export async function withChosen(auth: Auth, session: Session, responses: Parameters): Promise<AuthAnswer> {
  const { state, pool } = auth;
  const user = state.user(pool, session.username ?? '');
  const answer = responses.ANSWER as ChallengeNameType | undefined;
  if (!user || answer === undefined || !session.available?.includes(answer))
    throw invalidParameter('The selected challenge is not available.');
  state.sessions.delete(session.id);
  return choose(auth, user, answer, responses, session);
}

async function choose(
  auth: Auth,
  user: User,
  name: ChallengeNameType,
  parameters: Parameters,
  session: Session | undefined,
): Promise<AuthAnswer> {
  const carried = { username: user.username, givenName: session?.givenName ?? user.username };
  switch (name) {
    case 'PASSWORD':
      if (parameters.PASSWORD !== undefined) return withPassword(auth, user.username, parameters.PASSWORD);
      return challenge(auth, { ...carried, challenge: 'PASSWORD' }, { USERNAME: user.username });
    case 'PASSWORD_SRP':
      if (parameters.SRP_A !== undefined) return withSrp(auth, user.username, parameters.SRP_A);
      return challenge(auth, { ...carried, challenge: 'PASSWORD_SRP' }, { USERNAME: user.username });
    case 'WEB_AUTHN':
      await preAuthentication(auth, user);
      await assess(auth, user);
      return askForPasskey(auth, user, carried);
    case 'EMAIL_OTP':
    case 'SMS_OTP':
      await preAuthentication(auth, user);
      await assess(auth, user);
      return sendCode(auth, user, name, carried);
    default:
      throw notAuthorized('Incorrect username or password.');
  }
}
