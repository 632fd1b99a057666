import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import { beginSession, poolIdOf, sessionOf } from '../auth/sessions.ts';
import { periodOf } from '../auth/totp.ts';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, notAuthorized, softwareTokenMismatch, softwareTokenNotFound } from '../errors.ts';
import { type LocatedPool, locatePool, poolOf, userIn } from '../lookup.ts';
import { passkeysOf } from '../passkeys/passkeys.ts';
import { hasPasskeys, isMultiFactor } from '../passkeys/relying-party.ts';
import type { MfaMethod, Pool, Session, User, UserRecord } from '../records.ts';
import { userOfToken } from '../tokens/verify.ts';
import { isVerified } from '../users/attributes.ts';

const SECRET_LENGTH = 52;

/** User who sets up a token: signed in, or required to before the sign-in. */
interface SettingUp extends LocatedPool {
  user: User;
  session: Session | undefined;
}

async function settingUp(
  { AccessToken, Session: id }: { AccessToken?: string | undefined; Session?: string | undefined },
  ctx: CognitoIdpContext,
): Promise<SettingUp> {
  if (AccessToken !== undefined) return { ...(await userOfToken(AccessToken, ctx)), session: undefined };
  if (id === undefined) throw invalidParameter('AccessToken or Session is required.');
  const located = locatePool(poolIdOf(id) ?? '', ctx);
  const clientId = located?.state.sessions.get(id)?.clientId;
  if (!located || clientId === undefined) throw notAuthorized('Invalid session for the user.');
  const session = sessionOf(id, clientId, 'MFA_SETUP', located.state);
  const user = located.state.user(located.pool, session.username ?? '');
  if (!user) throw notAuthorized('Invalid session for the user.');
  return { ...located, user, session };
}

/** Replaces a session, as each is valid once. */
function renewed({ state, pool }: LocatedPool, session: Session, more: Partial<Session>): string {
  const { id, poolId: _, expiresAt: __, failures: ___, clientId, ...rest } = session;
  const client = state.clients.get(clientId)!;
  state.sessions.delete(id);
  return beginSession(pool, client, { ...(rest as never as Omit<Session, 'id'>), ...more } as never, state).id;
}

export async function AssociateSoftwareToken(
  input: InputOf<'AssociateSoftwareToken'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AssociateSoftwareToken'>> {
  const about = await settingUp(input, ctx);
  if (!about.pool.softwareTokenMfa) throw softwareTokenNotFound();
  const secret = about.state.ids.chars(SECRET_LENGTH, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
  if (about.session) return { SecretCode: secret, Session: renewed(about, about.session, { totp: secret }) };
  about.state.updateUser(about.user, (draft) => {
    draft.pendingTotp = secret;
  });
  return { SecretCode: secret };
}

export async function VerifySoftwareToken(
  input: InputOf<'VerifySoftwareToken'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'VerifySoftwareToken'>> {
  const about = await settingUp(input, ctx);
  const { state, pool, user, session } = about;
  if (!pool.softwareTokenMfa) throw softwareTokenNotFound();
  const secret = session ? session.totp : user.pendingTotp;
  if (secret === undefined) throw invalidParameter('Software token has not been associated yet.');
  if (periodOf(secret, input.UserCode, state.clock.now()) === undefined) throw softwareTokenMismatch('Code mismatch');
  state.updateUser(user, (draft) => {
    draft.totp = secret;
    if (input.FriendlyDeviceName === undefined) delete draft.totpName;
    else draft.totpName = input.FriendlyDeviceName;
    delete draft.pendingTotp;
    delete draft.totpUsedAt;
    // A token set up during a sign-in is enabled immediately.
    if (session) enable(draft, 'SOFTWARE_TOKEN_MFA', true);
  });
  return { Status: 'SUCCESS', ...(session && { Session: renewed(about, session, { setUp: true }) }) };
}

function enable(draft: UserRecord, method: MfaMethod, preferred: boolean | undefined): void {
  if (!draft.mfa.includes(method)) draft.mfa.push(method);
  if (preferred) draft.preferredMfa = method;
  else if (preferred === false && draft.preferredMfa === method) delete draft.preferredMfa;
}

type Preferences = Pick<
  InputOf<'SetUserMFAPreference'>,
  'SMSMfaSettings' | 'SoftwareTokenMfaSettings' | 'EmailMfaSettings' | 'WebAuthnMfaSettings'
>;

/**
 * Changes the second factors of a user.
 * @throws AwsError `InvalidParameterException` for one they do not have
 */
function prefer(pool: Pool, user: User, input: Preferences, { state }: LocatedPool): void {
  const { WebAuthnMfaSettings: passkey } = input;
  if (passkey?.Enabled && !(hasPasskeys(pool) && isMultiFactor(pool.webAuthn)))
    throw invalidParameter('WebAuthn MFA is not enabled for this user pool.');
  const given = [
    ['SMS_MFA', input.SMSMfaSettings],
    ['SOFTWARE_TOKEN_MFA', input.SoftwareTokenMfaSettings],
    ['EMAIL_OTP', input.EmailMfaSettings],
  ] as const;
  if (given.filter(([, settings]) => settings?.PreferredMfa).length > 1)
    throw invalidParameter('Only one MFA method can be preferred.');
  for (const [method, settings] of given) {
    if (settings?.PreferredMfa && !settings.Enabled)
      throw invalidParameter(`${method} must be enabled to be preferred.`);
    if (settings?.Enabled) checkCanUse(pool, user, method);
  }
  const keeps = user.mfa.some((method) => !given.some(([one, settings]) => one === method && settings));
  if (passkey?.Enabled && !keeps && !given.some(([, settings]) => settings?.Enabled))
    throw invalidParameter('WebAuthn MFA needs another MFA method that is enabled.');
  state.updateUser(user, (draft) => {
    if (passkey) draft.passkeyMfa = passkey.Enabled === true;
    for (const [method, settings] of given) {
      if (!settings) continue;
      if (settings.Enabled) enable(draft, method, settings.PreferredMfa);
      else {
        draft.mfa = draft.mfa.filter((one) => one !== method);
        if (draft.preferredMfa === method) delete draft.preferredMfa;
      }
    }
    if (given.some(([, settings]) => settings?.PreferredMfa)) return;
    if (draft.preferredMfa && !draft.mfa.includes(draft.preferredMfa)) delete draft.preferredMfa;
  });
}

function checkCanUse(pool: Pool, user: User, method: MfaMethod): void {
  if (method === 'SMS_MFA') {
    if (!pool.smsMfa) throw invalidParameter('SMS MFA is not enabled for this user pool.');
    if (!user.attributes.phone_number)
      throw invalidParameter('User does not have delivery config set to turn on SMS_MFA');
  } else if (method === 'EMAIL_OTP') {
    if (!pool.emailMfa) throw invalidParameter('Email MFA is not enabled for this user pool.');
    if (!user.attributes.email || !isVerified(user, 'email'))
      throw invalidParameter('User does not have delivery config set to turn on EMAIL_OTP');
  } else if (user.totp === undefined) throw invalidParameter('User has not verified software token mfa');
}

export async function SetUserMFAPreference(
  input: InputOf<'SetUserMFAPreference'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'SetUserMFAPreference'>> {
  const found = await userOfToken(input.AccessToken, ctx);
  prefer(found.pool, found.user, input, found);
  return {};
}

export function AdminSetUserMFAPreference(
  input: InputOf<'AdminSetUserMFAPreference'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminSetUserMFAPreference'> {
  const pool = poolOf(input, ctx);
  prefer(pool, userIn(pool, input.Username, ctx.state), input, { state: ctx.state, pool });
  return {};
}

export async function SetUserSettings(
  input: InputOf<'SetUserSettings'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'SetUserSettings'>> {
  const { state, user } = await userOfToken(input.AccessToken, ctx);
  state.updateUser(user, (draft) => {
    draft.mfaOptions = input.MFAOptions.map((option) => ({ ...option })) as UserRecord['mfaOptions'];
  });
  return {};
}

export async function GetUserAuthFactors(
  input: InputOf<'GetUserAuthFactors'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'GetUserAuthFactors'>> {
  const { pool, user, state } = await userOfToken(input.AccessToken, ctx);
  const allowed = pool.settings.Policies?.SignInPolicy?.AllowedFirstAuthFactors ?? ['PASSWORD'];
  const has = {
    PASSWORD: user.password !== undefined,
    EMAIL_OTP: isVerified(user, 'email'),
    SMS_OTP: isVerified(user, 'phone_number'),
    WEB_AUTHN: passkeysOf(user, state).length > 0,
  };
  return {
    Username: user.username,
    ...(user.preferredMfa && { PreferredMfaSetting: user.preferredMfa }),
    ...(user.mfa.length && { UserMFASettingList: [...user.mfa] }),
    ConfiguredUserAuthFactors: allowed.filter((factor) => has[factor]),
  };
}
