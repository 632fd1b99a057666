import { notAuthorized } from '../errors.ts';
import { attributeOf } from '../pools/schema.ts';
import type { Session, User } from '../records.ts';
import { type Auth, type AuthAnswer, challenge, checkMaySignIn, complete } from './auth.ts';
import { trustedDevice } from './devices.ts';
import { persistentMembers, secondFactor } from './mfa.ts';
import { assess } from './risks.ts';

/** Continues after the password: new password, known device, second factor, tokens. */
export async function afterFirstFactor(begun: Auth, user: User, session: Session | undefined): Promise<AuthAnswer> {
  const { pool, state } = begun;
  checkMaySignIn(user);
  if (session) state.sessions.delete(session.id);
  if (user.status === 'FORCE_CHANGE_PASSWORD') {
    if (user.temporaryUntil !== undefined && user.temporaryUntil <= state.clock.now())
      throw notAuthorized('Temporary password has expired and must be reset by an administrator.');
    return askForNewPassword(begun, user, session);
  }
  const auth = { ...begun, isAtRisk: await assess(begun, user) };
  const device = trustedDevice(user, auth.deviceKey, pool, state);
  if (device)
    return challenge(
      auth,
      { ...persistentMembers(user, session), challenge: 'DEVICE_SRP_AUTH', deviceKey: device.key },
      { USER_ID_FOR_SRP: user.username, DEVICE_KEY: device.key },
    );
  return afterDevice(auth, user, session);
}

/** Continues after the device step: second factor, tokens. */
export async function afterDevice(auth: Auth, user: User, session: Session | undefined): Promise<AuthAnswer> {
  const { pool, state } = auth;
  const device = session?.deviceKey === undefined ? undefined : trustedDevice(user, session.deviceKey, pool, state);
  const isRemembered = device?.remembered === true && pool.settings.DeviceConfiguration?.ChallengeRequiredOnNewDevice;
  if (!isRemembered || auth.isAtRisk) {
    const asked = await secondFactor(auth, user, session);
    if (asked) return asked;
  }
  return complete(auth, user, session, device ? 'TokenGeneration_AuthenticateDevice' : undefined);
}

function askForNewPassword(auth: Auth, user: User, session: Session | undefined): AuthAnswer {
  const { pool } = auth;
  const required = pool.schema.filter(({ name, required }) => required && name !== 'sub' && !user.attributes[name]);
  const shown = Object.entries(user.attributes).filter(([name]) => attributeOf(pool, name)?.developerOnly !== true);
  return challenge(
    auth,
    { ...persistentMembers(user, session), challenge: 'NEW_PASSWORD_REQUIRED' },
    {
      USER_ID_FOR_SRP: user.username,
      requiredAttributes: JSON.stringify(required.map(({ name }) => `userAttributes.${name}`)),
      userAttributes: JSON.stringify(Object.fromEntries(shown)),
    },
  );
}
