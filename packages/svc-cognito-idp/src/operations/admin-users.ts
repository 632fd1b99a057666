import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import { postConfirmation } from '../auth/respond.ts';
import type { CognitoIdpContext } from '../context.ts';
import {
  invalidParameter,
  invalidPassword,
  notAuthorized,
  unsupportedUserState,
  userNotFound,
  usernameExists,
} from '../errors.ts';
import { poolOf, userIn } from '../lookup.ts';
import { makeCode } from '../messages/codes.ts';
import { deliver } from '../messages/deliver.ts';
import type { Pool, User } from '../records.ts';
import { trigger } from '../triggers/invoke.ts';
import { attributesIn, claimAliases, isVerifiable, validAttributes } from '../users/attributes.ts';
import { createUser, usernameFor } from '../users/create.ts';
import { allAttributes, describeUser, mfaOf } from '../users/describe.ts';
import { findUser } from '../users/find.ts';
import {
  checkPolicy,
  keep,
  randomPassword,
  setPassword,
  setTemporaryPassword,
  temporaryUntil,
} from '../users/passwords.ts';
import { recoveryOf } from '../users/recovery.ts';

const NO_CLIENT = 'CLIENT_ID_NOT_APPLICABLE';

/** Returns the pool and user of a request. */
function named(input: { UserPoolId: string; Username: string }, ctx: CognitoIdpContext): { pool: Pool; user: User } {
  const pool = poolOf(input, ctx);
  return { pool, user: userIn(pool, input.Username, ctx.state) };
}

export async function AdminCreateUser(
  input: InputOf<'AdminCreateUser'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AdminCreateUser'>> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  if (input.MessageAction === 'RESEND') return resend(pool, input, ctx);
  const given = validAttributes(pool, attributesIn(input.UserAttributes), { client: undefined, user: undefined });
  const existing = state.user(pool, input.Username);
  if (existing) throw usernameExists('User account already exists');
  const name = usernameFor(pool, input.Username, given, state);
  const attributes = { ...name.attributes, ...given };
  const password = input.TemporaryPassword ?? randomPassword(pool, state);
  checkPolicy(pool, password);
  const { ValidationData, ClientMetadata: metadata } = input;
  const answered = await trigger(state, pool, 'PreSignUp', {
    source: 'PreSignUp_AdminCreateUser',
    userName: name.username,
    clientId: NO_CLIENT,
    request: {
      userAttributes: attributes,
      validationData: ValidationData ? attributesIn(ValidationData) : null,
      ...(metadata && { clientMetadata: metadata }),
    },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  });
  if (answered?.autoVerifyEmail === true && attributes.email) attributes.email_verified = 'true';
  if (answered?.autoVerifyPhone === true && attributes.phone_number) attributes.phone_number_verified = 'true';
  const verifier = await keep(pool, name.username, password, state);
  if (state.user(pool, name.username)) throw usernameExists('User account already exists');
  const user = createUser(pool, state, {
    ...name,
    attributes,
    status: 'FORCE_CHANGE_PASSWORD',
    password: verifier,
    temporaryUntil: temporaryUntil(pool, state),
    force: input.ForceAliasCreation === true,
  });
  if (input.MessageAction !== 'SUPPRESS') await invite(pool, user, password, input, ctx);
  return { User: describeUser(user) };
}

type CreateInput = InputOf<'AdminCreateUser'>;

/** Sends a new user their name and password. */
async function invite(
  pool: Pool,
  user: User,
  password: string,
  input: CreateInput,
  { state }: CognitoIdpContext,
): Promise<void> {
  for (const medium of input.DesiredDeliveryMediums ?? ['SMS']) {
    const destination = user.attributes[medium === 'SMS' ? 'phone_number' : 'email'];
    if (!destination) continue;
    const message = {
      source: 'CustomMessage_AdminCreateUser',
      medium,
      destination,
      code: password,
      isInvitation: true,
    };
    await deliver(pool, user, { ...message, clientId: undefined, metadata: input.ClientMetadata }, state);
  }
}

/** Sends the invitation again, with a new password. */
async function resend(pool: Pool, input: CreateInput, ctx: CognitoIdpContext): Promise<OutputOf<'AdminCreateUser'>> {
  const user = findUser(pool, input.Username, ctx.state);
  if (!user) throw userNotFound();
  if (user.status !== 'FORCE_CHANGE_PASSWORD')
    throw unsupportedUserState('Resend not possible. User status is not FORCE_CHANGE_PASSWORD');
  const password = input.TemporaryPassword ?? randomPassword(pool, ctx.state);
  const changed = await setTemporaryPassword(pool, user, password, ctx.state);
  await invite(pool, changed, password, input, ctx);
  return { User: describeUser(changed) };
}

export function AdminGetUser(input: InputOf<'AdminGetUser'>, ctx: CognitoIdpContext): OutputOf<'AdminGetUser'> {
  const { user } = named(input, ctx);
  return {
    Username: user.username,
    UserAttributes: allAttributes(user),
    UserCreateDate: new Date(user.createdAt),
    UserLastModifiedDate: new Date(user.updatedAt),
    Enabled: user.enabled,
    UserStatus: user.status,
    ...mfaOf(user),
  };
}

export function AdminDeleteUser(
  input: InputOf<'AdminDeleteUser'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminDeleteUser'> {
  const { pool, user } = named(input, ctx);
  ctx.state.deleteUser(pool, user);
  return {};
}

export async function AdminUpdateUserAttributes(
  input: InputOf<'AdminUpdateUserAttributes'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AdminUpdateUserAttributes'>> {
  const { pool, user } = named(input, ctx);
  const { state } = ctx;
  const given = validAttributes(pool, attributesIn(input.UserAttributes), { client: undefined, user });
  const attributes: Record<string, string> = { ...user.attributes };
  for (const [name, value] of Object.entries(given)) {
    if (value === '') delete attributes[name];
    else attributes[name] = value;
    const isNew = isVerifiable(name) && value !== user.attributes[name];
    if (isNew && given[`${name}_verified`] === undefined) attributes[`${name}_verified`] = 'false';
  }
  claimAliases(pool, attributes, state, user, false);
  const changed = state.updateUser(user, (draft) => {
    draft.attributes = attributes;
  });
  for (const name of pool.settings.AutoVerifiedAttributes ?? []) {
    const destination = given[name];
    if (!destination || attributes[`${name}_verified`] === 'true') continue;
    const medium = name === 'email' ? 'EMAIL' : 'SMS';
    const code = makeCode(
      changed,
      { purpose: 'attribute-verification', attributeName: name, medium, destination },
      state,
    );
    const message = { source: 'CustomMessage_UpdateUserAttribute', medium, destination, code: code.code } as const;
    await deliver(pool, changed, { ...message, clientId: undefined, metadata: input.ClientMetadata }, state);
  }
  return {};
}

export function AdminDeleteUserAttributes(
  input: InputOf<'AdminDeleteUserAttributes'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminDeleteUserAttributes'> {
  const { pool, user } = named(input, ctx);
  ctx.state.updateUser(user, (draft) => dropAttributes(pool, draft.attributes, input.UserAttributeNames));
  return {};
}

/**
 * Removes attributes.
 * @throws AwsError `InvalidParameterException` for required ones
 */
export function dropAttributes(pool: Pool, attributes: Record<string, string>, names: readonly string[]): void {
  for (const name of names) {
    const attribute = pool.schema.find((one) => one.name === name);
    if (!attribute) throw invalidParameter(`user.${name}: Attribute does not exist in the schema.\n`);
    if (attribute.required || !attribute.mutable)
      throw invalidParameter(`user.${name}: Attribute cannot be deleted.\n`);
    delete attributes[name];
    if (isVerifiable(name)) delete attributes[`${name}_verified`];
  }
}

export function AdminEnableUser(
  input: InputOf<'AdminEnableUser'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminEnableUser'> {
  ctx.state.updateUser(named(input, ctx).user, (draft) => {
    draft.enabled = true;
  });
  return {};
}

export function AdminDisableUser(
  input: InputOf<'AdminDisableUser'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminDisableUser'> {
  const user = ctx.state.updateUser(named(input, ctx).user, (draft) => {
    draft.enabled = false;
  });
  ctx.state.revokeAll(user);
  return {};
}

export async function AdminSetUserPassword(
  input: InputOf<'AdminSetUserPassword'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AdminSetUserPassword'>> {
  const { pool, user } = named(input, ctx);
  if (user.status === 'EXTERNAL_PROVIDER') throw invalidPassword('Password cannot be set for external users.');
  if (input.Permanent) await setPassword(pool, user, input.Password, ctx.state);
  else await setTemporaryPassword(pool, user, input.Password, ctx.state);
  return {};
}

export async function AdminResetUserPassword(
  input: InputOf<'AdminResetUserPassword'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AdminResetUserPassword'>> {
  const { pool, user } = named(input, ctx);
  const { state } = ctx;
  if (user.status !== 'CONFIRMED' && user.status !== 'RESET_REQUIRED')
    throw notAuthorized('User password cannot be reset in the current state.');
  const recovery = recoveryOf(pool, user);
  const changed = state.updateUser(user, (draft) => {
    draft.status = 'RESET_REQUIRED';
  });
  state.revokeAll(changed);
  const code = makeCode(changed, { purpose: 'forgot-password', ...recovery }, state);
  const message = { source: 'CustomMessage_ForgotPassword', ...recovery, code: code.code, clientId: undefined };
  await deliver(pool, changed, { ...message, metadata: input.ClientMetadata }, state);
  return {};
}

export async function AdminConfirmSignUp(
  input: InputOf<'AdminConfirmSignUp'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AdminConfirmSignUp'>> {
  const { pool, user } = named(input, ctx);
  const { state } = ctx;
  if (user.status !== 'UNCONFIRMED') throw notAuthorized(`User cannot be confirmed. Current status is ${user.status}`);
  const confirmed = state.updateUser(user, (draft) => {
    draft.status = 'CONFIRMED';
  });
  const about = { state, pool, client: { id: NO_CLIENT }, metadata: input.ClientMetadata };
  await postConfirmation(about, confirmed, 'PostConfirmation_ConfirmSignUp');
  return {};
}

export function AdminUserGlobalSignOut(
  input: InputOf<'AdminUserGlobalSignOut'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminUserGlobalSignOut'> {
  ctx.state.revokeAll(named(input, ctx).user);
  return {};
}

/** Sets the older form of MFA preferences. */
export function AdminSetUserSettings(
  input: InputOf<'AdminSetUserSettings'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminSetUserSettings'> {
  ctx.state.updateUser(named(input, ctx).user, (draft) => {
    draft.mfaOptions = input.MFAOptions.map((option) => ({ ...option })) as typeof draft.mfaOptions;
  });
  return {};
}
