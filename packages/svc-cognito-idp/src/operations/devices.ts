import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import { changeDevice, deleteDevice, describeDevice, deviceOf, devicesOf, putDevice } from '../auth/devices.ts';
import type { CognitoIdpContext } from '../context.ts';
import { invalidConfiguration, invalidParameter, notFound } from '../errors.ts';
import { type LocatedPool, poolOf, userIn } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { DeviceRecord, User } from '../records.ts';
import { userOfToken } from '../tokens/verify.ts';

/** A user with pool and state. */
type Owner = LocatedPool & { user: User };

const adminOf = (input: { UserPoolId: string; Username: string }, ctx: CognitoIdpContext): Owner => {
  const pool = poolOf(input, ctx);
  return { state: ctx.state, pool, user: userIn(pool, input.Username, ctx.state) };
};

const ownerOf = (token: string | undefined, ctx: CognitoIdpContext): Promise<Owner> => {
  if (token === undefined) throw invalidParameter('Missing required parameter AccessToken');
  return userOfToken(token, ctx);
};

/**
 * Returns a device of a user.
 * @throws AwsError `ResourceNotFoundException`, `InvalidUserPoolConfigurationException`
 */
function known({ state, pool, user }: Owner, key: string): Readonly<DeviceRecord> {
  if (!pool.settings.DeviceConfiguration)
    throw invalidConfiguration('Device management is not enabled for this user pool.');
  const device = deviceOf(user, key, state);
  if (!device) throw notFound('Device does not exist.');
  return device;
}

export async function ConfirmDevice(
  input: InputOf<'ConfirmDevice'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ConfirmDevice'>> {
  const { state, pool, user, grant } = await userOfToken(input.AccessToken, ctx);
  const settings = pool.settings.DeviceConfiguration;
  if (!settings) throw invalidConfiguration('Device management is not enabled for this user pool.');
  if (grant.deviceKey !== input.DeviceKey) throw notFound('Device does not exist.');
  const { PasswordVerifier, Salt } = input.DeviceSecretVerifierConfig ?? {};
  if (PasswordVerifier === undefined || Salt === undefined)
    throw invalidParameter('Device verifier and salt are required.');
  const now = state.clock.now();
  const asks = settings.DeviceOnlyRememberedOnUserPrompt === true;
  putDevice(
    {
      poolId: pool.id,
      username: user.username,
      key: input.DeviceKey,
      groupKey: grant.deviceGroupKey ?? '',
      ...(input.DeviceName !== undefined && { name: input.DeviceName }),
      verifier: PasswordVerifier,
      salt: Salt,
      confirmed: true,
      remembered: !asks,
      createdAt: now,
      updatedAt: now,
      lastAuthenticatedAt: now,
      ...(ctx.http?.remoteAddress !== undefined && { lastIp: ctx.http.remoteAddress }),
    },
    state,
  );
  return { UserConfirmationNecessary: asks };
}

export async function GetDevice(input: InputOf<'GetDevice'>, ctx: CognitoIdpContext): Promise<OutputOf<'GetDevice'>> {
  return { Device: describeDevice(known(await ownerOf(input.AccessToken, ctx), input.DeviceKey)) };
}

export function AdminGetDevice(input: InputOf<'AdminGetDevice'>, ctx: CognitoIdpContext): OutputOf<'AdminGetDevice'> {
  return { Device: describeDevice(known(adminOf(input, ctx), input.DeviceKey)) };
}

export async function ListDevices(
  input: InputOf<'ListDevices'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ListDevices'>> {
  const { state, user } = await ownerOf(input.AccessToken, ctx);
  return paging.page('ListDevices', input, devicesOf(user, state), ({ key }) => key).list(describeDevice);
}

export function AdminListDevices(
  input: InputOf<'AdminListDevices'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminListDevices'> {
  const { state, user } = adminOf(input, ctx);
  return paging.page('AdminListDevices', input, devicesOf(user, state), ({ key }) => key).list(describeDevice);
}

export async function ForgetDevice(
  input: InputOf<'ForgetDevice'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ForgetDevice'>> {
  const owner = await ownerOf(input.AccessToken, ctx);
  deleteDevice(known(owner, input.DeviceKey), owner.state);
  return {};
}

export function AdminForgetDevice(
  input: InputOf<'AdminForgetDevice'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminForgetDevice'> {
  deleteDevice(known(adminOf(input, ctx), input.DeviceKey), ctx.state);
  return {};
}

function setStatus(owner: Owner, key: string, status: string | undefined): void {
  changeDevice(known(owner, key), owner.state, (draft) => {
    draft.remembered = status === 'remembered';
  });
}

export async function UpdateDeviceStatus(
  input: InputOf<'UpdateDeviceStatus'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'UpdateDeviceStatus'>> {
  setStatus(await ownerOf(input.AccessToken, ctx), input.DeviceKey, input.DeviceRememberedStatus);
  return {};
}

export function AdminUpdateDeviceStatus(
  input: InputOf<'AdminUpdateDeviceStatus'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminUpdateDeviceStatus'> {
  setStatus(adminOf(input, ctx), input.DeviceKey, input.DeviceRememberedStatus);
  return {};
}
