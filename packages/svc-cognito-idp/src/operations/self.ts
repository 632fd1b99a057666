import type { CodeDeliveryDetailsType, InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import { recordEvent } from '../auth/events.ts';
import { checkLock, countWrongPassword, resetWrongPasswords } from '../auth/lockout.ts';
import { refuseCompromised } from '../auth/risks.ts';
import type { CognitoIdpContext } from '../context.ts';
import { expiredCode, invalidParameter, notAuthorized } from '../errors.ts';
import { makeCode, takeCode } from '../messages/codes.ts';
import { deliver, deliveryDetails } from '../messages/deliver.ts';
import type { User } from '../records.ts';
import { type TokenUser, userOfToken } from '../tokens/verify.ts';
import {
  attributesIn,
  claimAliases,
  isVerifiable,
  listed,
  readable,
  type Verifiable,
  validAttributes,
} from '../users/attributes.ts';
import { mfaOf } from '../users/describe.ts';
import { matches, setPassword } from '../users/passwords.ts';
import { dropAttributes } from './admin-users.ts';

export async function GetUser(input: InputOf<'GetUser'>, ctx: CognitoIdpContext): Promise<OutputOf<'GetUser'>> {
  const { user, client } = await userOfToken(input.AccessToken, ctx);
  return { Username: user.username, UserAttributes: listed(user.sub, readable(client, user)), ...mfaOf(user) };
}

export async function DeleteUser(
  input: InputOf<'DeleteUser'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'DeleteUser'>> {
  const { user, state, pool } = await userOfToken(input.AccessToken, ctx);
  state.deleteUser(pool, user);
  return {};
}

export async function ChangePassword(
  input: InputOf<'ChangePassword'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ChangePassword'>> {
  const { user, state, pool, client } = await userOfToken(input.AccessToken, ctx);
  checkLock(user, state);
  refuseCompromised(pool, client, state, input.ProposedPassword, 'PASSWORD_CHANGE');
  if (user.password) {
    if (input.PreviousPassword === undefined) throw invalidParameter('Missing required parameter PreviousPassword');
    if (!(await matches(user, input.PreviousPassword))) {
      countWrongPassword(user, state);
      throw notAuthorized('Incorrect username or password.');
    }
  }
  const changed = await setPassword(pool, resetWrongPasswords(user, state), input.ProposedPassword, state);
  recordEvent(
    state,
    pool,
    changed.username,
    client,
    { eventType: 'PasswordChange', eventResponse: 'Pass' },
    { ip: ctx.http?.remoteAddress },
  );
  return {};
}

/** Sends a verification code for an attribute. */
async function sendCode(
  { state, pool, client }: TokenUser,
  user: User,
  attributeName: Verifiable,
  destination: string,
  source: string,
  metadata: Record<string, string> | undefined,
): Promise<CodeDeliveryDetailsType> {
  const medium = attributeName === 'email' ? 'EMAIL' : 'SMS';
  const subject = {
    purpose: 'attribute-verification',
    attributeName,
    medium,
    destination,
    clientId: client.id,
  } as const;
  const { code } = makeCode(user, subject, state);
  await deliver(pool, user, { source, medium, destination, code, clientId: client.id, metadata }, state);
  return deliveryDetails(medium, destination);
}

export async function UpdateUserAttributes(
  input: InputOf<'UpdateUserAttributes'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'UpdateUserAttributes'>> {
  const found = await userOfToken(input.AccessToken, ctx);
  const { state, pool, client, user } = found;
  const given = validAttributes(pool, attributesIn(input.UserAttributes), { client, user });
  const waits = new Set<string>(
    pool.settings.UserAttributeUpdateSettings?.AttributesRequireVerificationBeforeUpdate ?? [],
  );
  const attributes: Record<string, string> = { ...user.attributes };
  const pending: Record<string, string> = { ...user.pending };
  const changed: Verifiable[] = [];
  for (const [name, value] of Object.entries(given)) {
    const isNew = isVerifiable(name) && value !== user.attributes[name];
    if (isNew && value) changed.push(name);
    if (isNew && waits.has(name) && user.attributes[name]) {
      pending[name] = value;
      continue;
    }
    if (value === '') delete attributes[name];
    else attributes[name] = value;
    if (isNew) attributes[`${name}_verified`] = 'false';
  }
  claimAliases(pool, attributes, state, user, false);
  const updated = state.updateUser(user, (draft) => {
    draft.attributes = attributes;
    draft.pending = pending;
  });
  const details: CodeDeliveryDetailsType[] = [];
  for (const name of changed)
    if (pool.settings.AutoVerifiedAttributes?.includes(name))
      details.push(
        await sendCode(found, updated, name, given[name]!, 'CustomMessage_UpdateUserAttribute', input.ClientMetadata),
      );
  return { CodeDeliveryDetailsList: details };
}

export async function DeleteUserAttributes(
  input: InputOf<'DeleteUserAttributes'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'DeleteUserAttributes'>> {
  const { state, pool, client, user } = await userOfToken(input.AccessToken, ctx);
  const { UserAttributeNames: names } = input;
  if (client.writeAttributes && names.some((name) => !client.writeAttributes!.includes(name)))
    throw notAuthorized('A client attempted to write unauthorized attribute');
  state.updateUser(user, (draft) => dropAttributes(pool, draft.attributes, names));
  return {};
}

export async function GetUserAttributeVerificationCode(
  input: InputOf<'GetUserAttributeVerificationCode'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'GetUserAttributeVerificationCode'>> {
  const found = await userOfToken(input.AccessToken, ctx);
  const { AttributeName: name, ClientMetadata: metadata } = input;
  const destination = isVerifiable(name) ? (found.user.pending?.[name] ?? found.user.attributes[name]) : undefined;
  if (!isVerifiable(name) || !destination)
    throw invalidParameter(`Cannot send a verification code for the attribute ${name}.`);
  const source = 'CustomMessage_VerifyUserAttribute';
  return { CodeDeliveryDetails: await sendCode(found, found.user, name, destination, source, metadata) };
}

export async function VerifyUserAttribute(
  input: InputOf<'VerifyUserAttribute'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'VerifyUserAttribute'>> {
  const { state, pool, user } = await userOfToken(input.AccessToken, ctx);
  const { AttributeName: name, Code } = input;
  if (!isVerifiable(name)) throw invalidParameter(`The attribute ${name} cannot be verified.`);
  const { destination } = takeCode(pool, user, 'attribute-verification', Code, state, name);
  const isPending = user.pending?.[name] === destination;
  if (!isPending && user.attributes[name] !== destination) throw expiredCode();
  const attributes = { ...user.attributes, [name]: destination, [`${name}_verified`]: 'true' };
  claimAliases(pool, attributes, state, user, false);
  state.updateUser(user, (draft) => {
    draft.attributes = attributes;
    if (draft.pending) delete draft.pending[name];
  });
  return {};
}
