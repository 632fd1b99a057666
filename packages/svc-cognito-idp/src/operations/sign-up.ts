import type { CodeDeliveryDetailsType, InputOf, OutputOf, UserContextDataType } from '@emu/service-types/cognito-idp';
import { signUpSession, signUpSessionOf } from '../auth/after-sign-up.ts';
import { hidesUsers } from '../auth/auth.ts';
import { recordEvent } from '../auth/events.ts';
import { migrate } from '../auth/migrate.ts';
import { originOf, type RequestOrigin } from '../auth/origin.ts';
import { postConfirmation } from '../auth/respond.ts';
import { refuseBlocked, refuseCompromised } from '../auth/risks.ts';
import type { CognitoIdpContext } from '../context.ts';
import {
  clientUserNotFound,
  expiredCode,
  invalidParameter,
  invalidPassword,
  notAuthorized,
  usernameExists,
} from '../errors.ts';
import type { AuthEvent } from '../journal.ts';
import { type LocatedClient, locateClient } from '../lookup.ts';
import { confirmationLink, makeCode, takeCode } from '../messages/codes.ts';
import { deliver, deliveryDetails } from '../messages/deliver.ts';
import { checkSecretHash } from '../pools/secret-hash.ts';
import type { Pool, User } from '../records.ts';
import { trigger } from '../triggers/invoke.ts';
import { attributesIn, checkRequired, claimAliases, validAttributes } from '../users/attributes.ts';
import { createUser, usernameFor } from '../users/create.ts';
import { findUser } from '../users/find.ts';
import { checkPolicy, keep, setPassword } from '../users/passwords.ts';
import { recoveryOf } from '../users/recovery.ts';

/** A client's request about a user who may not exist. */
interface Request {
  ClientId: string;
  Username: string;
  SecretHash?: string | undefined;
  ClientMetadata?: Record<string, string> | undefined;
  UserContextData?: UserContextDataType | undefined;
}

interface Named extends LocatedClient {
  user: User | undefined;
  origin: RequestOrigin;
  metadata: Record<string, string> | undefined;
}

/**
 * Returns the client and the user of a request after verifying the secret hash.
 * @throws AwsError also for blocked addresses
 */
function named(request: Request, eventType: AuthEvent['eventType'], ctx: CognitoIdpContext): Named {
  const { ClientId, Username, SecretHash, ClientMetadata: metadata } = request;
  const located = locateClient(ClientId, ctx);
  const user = findUser(located.pool, Username, located.state);
  checkSecretHash(located.client, SecretHash, user ? [Username, user.username] : [Username]);
  const origin = originOf(request, located.client, ctx.http?.remoteAddress);
  refuseBlocked(located, user?.username ?? Username, eventType, origin);
  return { ...located, user, origin, metadata };
}

export async function SignUp(input: InputOf<'SignUp'>, ctx: CognitoIdpContext): Promise<OutputOf<'SignUp'>> {
  const located = locateClient(input.ClientId, ctx);
  const { state, pool, client } = located;
  checkSecretHash(client, input.SecretHash, [input.Username]);
  const origin = originOf(input, client, ctx.http?.remoteAddress);
  refuseBlocked(located, input.Username, 'SignUp', origin);
  if (pool.settings.AdminCreateUserConfig?.AllowAdminCreateUserOnly)
    throw notAuthorized('SignUp is not permitted for this user pool');
  const { ClientMetadata: metadata } = input;
  const password = passwordOf(input, pool);
  const given = validAttributes(pool, attributesIn(input.UserAttributes), { client, user: undefined });
  const name = usernameFor(pool, input.Username, given, state);
  const attributes = { ...name.attributes, ...given };
  checkRequired(pool, attributes);
  if (password !== undefined) {
    checkPolicy(pool, password);
    refuseCompromised(pool, client, state, password, 'SIGN_UP');
  }
  const answered = await trigger(state, pool, 'PreSignUp', {
    source: 'PreSignUp_SignUp',
    userName: name.username,
    clientId: client.id,
    request: {
      userAttributes: attributes,
      validationData: input.ValidationData ? attributesIn(input.ValidationData) : null,
      ...(metadata && { clientMetadata: metadata }),
    },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  });
  if (answered?.autoVerifyEmail === true) {
    if (!attributes.email) throw invalidParameter('Cannot auto-verify email: the user has none.');
    attributes.email_verified = 'true';
  }
  if (answered?.autoVerifyPhone === true) {
    if (!attributes.phone_number) throw invalidParameter('Cannot auto-verify phone_number: the user has none.');
    attributes.phone_number_verified = 'true';
  }
  const isConfirmed = answered?.autoConfirmUser === true;
  const verifier = password === undefined ? undefined : await keep(pool, name.username, password, state);
  if (findUser(pool, input.Username, state)) throw usernameExists('User already exists');
  const status = isConfirmed ? 'CONFIRMED' : 'UNCONFIRMED';
  const user = createUser(pool, state, { ...name, attributes, status, ...(verifier && { password: verifier }) });
  const eventResponse = isConfirmed ? 'Pass' : 'InProgress';
  recordEvent(state, pool, user.username, client, { eventType: 'SignUp', eventResponse }, origin);
  const about = { state, pool, client, user, origin, metadata };
  if (isConfirmed) await postConfirmation(about, user, 'PostConfirmation_ConfirmSignUp');
  const details = isConfirmed ? undefined : await sendSignUpCode(about, user, 'CustomMessage_SignUp', ctx.endpoint);
  const Session = isConfirmed ? undefined : signUpSession(about, user, 'begun');
  return {
    UserConfirmed: isConfirmed,
    UserSub: user.sub,
    ...(details && { CodeDeliveryDetails: details }),
    ...(Session !== undefined && { Session }),
  };
}

/**
 * Returns the password of a sign-up; undefined if it is missing and the pool allows sign-ins by code.
 * @throws AwsError `InvalidParameterException` if it does not
 */
function passwordOf({ Password }: InputOf<'SignUp'>, { settings }: Pool): string | undefined {
  if (Password) return Password;
  const factors = settings.Policies?.SignInPolicy?.AllowedFirstAuthFactors ?? [];
  if (!factors.includes('EMAIL_OTP') && !factors.includes('SMS_OTP'))
    throw invalidParameter('Password is required: the user pool has no passwordless sign-in.');
  return undefined;
}

/** Sends the confirmation code, by SMS if possible, otherwise by e-mail; undefined if the pool verifies neither. */
async function sendSignUpCode(
  { state, pool, client, metadata }: Named,
  user: User,
  source: string,
  endpoint: string,
): Promise<CodeDeliveryDetailsType | undefined> {
  const verified = pool.settings.AutoVerifiedAttributes ?? [];
  const attributeName = (['phone_number', 'email'] as const).find(
    (name) => verified.includes(name) && user.attributes[name],
  );
  if (!attributeName) return undefined;
  const destination = user.attributes[attributeName]!;
  const medium = attributeName === 'email' ? 'EMAIL' : 'SMS';
  const code = makeCode(user, { purpose: 'sign-up', medium, destination, clientId: client.id }, state);
  const byLink = pool.settings.VerificationMessageTemplate?.DefaultEmailOption === 'CONFIRM_WITH_LINK';
  const link = medium === 'EMAIL' && byLink ? confirmationLink(endpoint, user, client.id, code.code) : undefined;
  const message = { source, medium, destination, code: code.code, clientId: client.id, metadata, link } as const;
  await deliver(pool, user, message, state);
  return deliveryDetails(medium, destination);
}

export async function ConfirmSignUp(
  input: InputOf<'ConfirmSignUp'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ConfirmSignUp'>> {
  const about = named(input, 'SignUp', ctx);
  const { state, pool, user } = about;
  if (!user) throw hidesUsers(about) ? expiredCode() : clientUserNotFound();
  if (user.status !== 'UNCONFIRMED') throw notAuthorized(`User cannot be confirmed. Current status is ${user.status}`);
  if (input.Session !== undefined) signUpSessionOf(about, input.Session, user, 'begun');
  const { medium, destination } = takeCode(pool, user, 'sign-up', input.ConfirmationCode, state);
  const attributeName = medium === 'EMAIL' ? 'email' : 'phone_number';
  const attributes = { ...user.attributes };
  if (attributes[attributeName] === destination) attributes[`${attributeName}_verified`] = 'true';
  claimAliases(pool, attributes, state, user, input.ForceAliasCreation === true);
  const confirmed = state.updateUser(user, (draft) => {
    draft.attributes = attributes;
    draft.status = 'CONFIRMED';
  });
  await postConfirmation(about, confirmed, 'PostConfirmation_ConfirmSignUp');
  if (input.Session === undefined) return {};
  state.sessions.delete(input.Session);
  const Session = signUpSession(about, confirmed, 'confirmed');
  return Session === undefined ? {} : { Session };
}

/** Returns fake delivery details for an unknown user, to hide that they do not exist. */
const fakeDelivery = (username: string): CodeDeliveryDetailsType =>
  deliveryDetails('EMAIL', `${username.slice(0, 1)}@${username.slice(-1)}`);

export async function ResendConfirmationCode(
  input: InputOf<'ResendConfirmationCode'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ResendConfirmationCode'>> {
  const about = named(input, 'ResendCode', ctx);
  const { state, pool, client, user, origin } = about;
  if (!user) {
    if (hidesUsers(about)) return { CodeDeliveryDetails: fakeDelivery(input.Username) };
    throw clientUserNotFound();
  }
  if (user.status !== 'UNCONFIRMED') throw invalidParameter('User is already confirmed.');
  recordEvent(state, pool, user.username, client, { eventType: 'ResendCode', eventResponse: 'Pass' }, origin);
  const details = await sendSignUpCode(about, user, 'CustomMessage_ResendCode', ctx.endpoint);
  if (!details) throw invalidParameter('Cannot resend codes. Auto verification not turned on.');
  return { CodeDeliveryDetails: details };
}

export async function ForgotPassword(
  input: InputOf<'ForgotPassword'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ForgotPassword'>> {
  const about = named(input, 'ForgotPassword', ctx);
  const { state, pool, client, origin, metadata } = about;
  const user = about.user ?? (await migrate(about, input.Username, undefined, 'UserMigration_ForgotPassword'));
  if (!user) {
    if (hidesUsers(about)) return { CodeDeliveryDetails: fakeDelivery(input.Username) };
    throw clientUserNotFound();
  }
  if (!user.enabled) throw notAuthorized('User is disabled.');
  if (user.status === 'FORCE_CHANGE_PASSWORD' || user.status === 'EXTERNAL_PROVIDER')
    throw notAuthorized('User password cannot be reset in the current state.');
  const recovery = recoveryOf(pool, user);
  const { code } = makeCode(user, { purpose: 'forgot-password', ...recovery, clientId: client.id }, state);
  await deliver(
    pool,
    user,
    { source: 'CustomMessage_ForgotPassword', ...recovery, code, clientId: client.id, metadata },
    state,
  );
  recordEvent(state, pool, user.username, client, { eventType: 'ForgotPassword', eventResponse: 'Pass' }, origin);
  return { CodeDeliveryDetails: deliveryDetails(recovery.medium, recovery.destination) };
}

export async function ConfirmForgotPassword(
  input: InputOf<'ConfirmForgotPassword'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ConfirmForgotPassword'>> {
  const about = named(input, 'PasswordChange', ctx);
  const { state, pool, user, client, origin } = about;
  if (!user) throw hidesUsers(about) ? expiredCode() : clientUserNotFound();
  if (!user.enabled) throw notAuthorized('User is disabled.');
  if (input.Password.length > 256)
    throw invalidPassword('Password did not conform with policy: Password must not be longer than 256 characters');
  checkPolicy(pool, input.Password);
  refuseCompromised(pool, client, state, input.Password, 'PASSWORD_CHANGE');
  const { medium, destination } = takeCode(pool, user, 'forgot-password', input.ConfirmationCode, state);
  const changed = await setPassword(pool, user, input.Password, state);
  const attributeName = medium === 'EMAIL' ? 'email' : 'phone_number';
  const ready = state.updateUser(changed, (draft) => {
    if (draft.attributes[attributeName] === destination) draft.attributes[`${attributeName}_verified`] = 'true';
  });
  state.revokeAll(ready);
  recordEvent(state, pool, ready.username, client, { eventType: 'PasswordChange', eventResponse: 'Pass' }, origin);
  await postConfirmation(about, ready, 'PostConfirmation_ConfirmForgotPassword');
  return {};
}
