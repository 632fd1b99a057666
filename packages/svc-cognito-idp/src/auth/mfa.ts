import { invalidParameter } from '../errors.ts';
import { deliver, masked } from '../messages/deliver.ts';
import type { MfaMethod, Pool, Session, User } from '../records.ts';
import { type Auth, type AuthAnswer, challenge } from './auth.ts';

const OTP_DIGITS = 8;
const SMS_DIGITS = 6;

/** Returns the MFA methods that a pool has enabled. */
const methodsOf = ({ smsMfa, softwareTokenMfa, emailMfa }: Pool): MfaMethod[] => [
  ...(smsMfa ? (['SMS_MFA'] as const) : []),
  ...(softwareTokenMfa ? (['SOFTWARE_TOKEN_MFA'] as const) : []),
  ...(emailMfa ? (['EMAIL_OTP'] as const) : []),
];

/**
 * Returns the second factors available to a user.
 * @param isAtRisk whether to include factors that the user has set up but not enabled
 */
export function factorsOf(pool: Pool, user: User, isAtRisk = false): MfaMethod[] {
  if (pool.mfa === 'OFF') return [];
  const offered = new Set(methodsOf(pool));
  const chosen = user.mfa.filter((method) => offered.has(method));
  if (isAtRisk && chosen.length === 0) return [...offered].filter((method) => has(user, method));
  if (chosen.length || pool.mfa === 'OPTIONAL') {
    const legacy = user.mfaOptions?.some(({ DeliveryMedium }) => DeliveryMedium === 'SMS') && offered.has('SMS_MFA');
    return chosen.length || !legacy ? chosen : ['SMS_MFA'];
  }
  if (offered.has('SMS_MFA') && user.attributes.phone_number) return ['SMS_MFA'];
  return offered.has('EMAIL_OTP') && user.attributes.email ? ['EMAIL_OTP'] : [];
}

const has = ({ totp, attributes }: User, method: MfaMethod): boolean =>
  method === 'SOFTWARE_TOKEN_MFA'
    ? totp !== undefined
    : Boolean(method === 'SMS_MFA' ? attributes.phone_number : attributes.email);

/** Returns the challenge for the second factor; undefined if none is required. */
export async function secondFactor(
  auth: Auth,
  user: User,
  session: Session | undefined,
): Promise<AuthAnswer | undefined> {
  const { pool } = auth;
  const factors = factorsOf(pool, user, auth.isAtRisk);
  const carried = persistentMembers(user, session);
  if (factors.length === 0) {
    if (pool.mfa !== 'ON') return undefined;
    const methods = methodsOf(pool);
    return challenge(
      auth,
      { ...carried, challenge: 'MFA_SETUP' },
      { USER_ID_FOR_SRP: user.username, MFAS_CAN_SETUP: JSON.stringify(methods) },
    );
  }
  const preferred = user.preferredMfa && factors.includes(user.preferredMfa) ? user.preferredMfa : undefined;
  const only = preferred ?? (factors.length === 1 ? factors[0] : undefined);
  if (only !== undefined) return askFor(auth, user, only, session);
  return challenge(
    auth,
    { ...carried, challenge: 'SELECT_MFA_TYPE', available: factors },
    { USER_ID_FOR_SRP: user.username, MFAS_CAN_CHOOSE: JSON.stringify(factors) },
  );
}

/** Returns the session members that persist from one challenge to the next. */
export const persistentMembers = (user: User, session: Session | undefined) => ({
  username: user.username,
  givenName: session?.givenName ?? user.username,
  ...(session?.deviceKey !== undefined && { deviceKey: session.deviceKey }),
});

/** Returns the challenge of a method, and sends its code if it has one. */
export async function askFor(
  auth: Auth,
  user: User,
  method: MfaMethod,
  session: Session | undefined,
): Promise<AuthAnswer> {
  const carried = persistentMembers(user, session);
  if (method === 'SOFTWARE_TOKEN_MFA')
    return challenge(
      auth,
      { ...carried, challenge: method },
      {
        USER_ID_FOR_SRP: user.username,
        ...(user.totpName !== undefined && { FRIENDLY_DEVICE_NAME: user.totpName }),
      },
    );
  return sendCode(auth, user, method === 'SMS_MFA' ? 'SMS_MFA' : 'EMAIL_OTP', carried);
}

/** Sends a code for a challenge, as first or second factor. */
export async function sendCode(
  auth: Auth,
  user: User,
  name: 'SMS_MFA' | 'EMAIL_OTP' | 'SMS_OTP',
  carried: { username: string; givenName: string; deviceKey?: string },
): Promise<AuthAnswer> {
  const { pool, client, state, metadata } = auth;
  const medium = name === 'EMAIL_OTP' ? 'EMAIL' : 'SMS';
  const destination = user.attributes[medium === 'SMS' ? 'phone_number' : 'email'];
  if (!destination)
    throw invalidParameter(`User has no ${medium === 'SMS' ? 'phone_number' : 'email'} to send a code to.`);
  const code = state.ids.chars(name === 'EMAIL_OTP' ? OTP_DIGITS : SMS_DIGITS, '0123456789');
  const text = name === 'EMAIL_OTP' ? pool.emailMfa?.Message : pool.smsMfaMessage;
  const message = { source: 'CustomMessage_Authentication', medium, destination, code, clientId: client.id } as const;
  const subject = name === 'EMAIL_OTP' ? pool.emailMfa?.Subject : undefined;
  await deliver(pool, user, { ...message, metadata, text, subject }, state);
  return challenge(
    auth,
    { ...carried, challenge: name, code, sent: { medium, destination, createdAt: state.clock.now() } },
    {
      CODE_DELIVERY_DELIVERY_MEDIUM: medium,
      CODE_DELIVERY_DESTINATION: masked(medium, destination),
      USER_ID_FOR_SRP: user.username,
    },
  );
}
