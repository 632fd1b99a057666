import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, VirtualMFADevice } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import type { MfaDeviceRecord } from '../credentials/records.ts';
import { usersById } from '../credentials/registrants.ts';
import { driftOf } from '../credentials/totp.ts';
import { principalUserName } from '../entities/caller.ts';
import { describeUser } from '../entities/describe.ts';
import { nowOf, requireUser } from '../entities/lookup.ts';
import { alreadyExists, deleteConflict, invalid, noSuchEntity, quotaExceeded } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { mfaDeviceType } from '../resources.ts';
import type { IamState, User } from '../state.ts';
import { tagging, tagsMember } from '../tags.ts';

type MfaDevice = DeepReadonly<MfaDeviceRecord>;

/** Length of a seed: 320 bits in base32. */
const SEED_LENGTH = 64;
/** Maximum length of a serial number in all operations; a name alone may have 226 characters. */
const MAX_SERIAL_NUMBER = 256;

/**
 * Creates a virtual MFA device.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateVirtualMFADevice.html
 */
export async function CreateVirtualMFADevice(
  input: InputOf<'CreateVirtualMFADevice'>,
  ctx: IamContext,
): Promise<OutputOf<'CreateVirtualMFADevice'>> {
  const { VirtualMFADeviceName: name, Path: path = '/' } = input;
  const { mfaDevices, account } = ctx.state;
  const serialNumber = mfaDeviceType.arn({ path, name }, ctx);
  // emu's own message: the model limits neither the name nor the serial number, and a QR code has limited capacity.
  if (serialNumber.length > MAX_SERIAL_NUMBER)
    throw invalid(`The serial number of the MFA device would be longer than ${MAX_SERIAL_NUMBER} characters.`);
  // Loaded only for QR codes.
  const { default: qrcode } = await import('qrcode');
  if (mfaDevices.has(serialNumber)) throw alreadyExists('MFADevice entity at the same path and name already exists.');
  const seed = ctx.ids.chars(SEED_LENGTH);
  const tags = tagging.merge(undefined, input.Tags);
  mfaDevices.put(serialNumber, { serialNumber, seed, tags });
  const link = `otpauth://totp/${name}@${account.alias ?? ctx.accountId}?secret=${seed}`;
  return {
    VirtualMFADevice: {
      SerialNumber: serialNumber,
      Base32StringSeed: Buffer.from(seed),
      QRCodePNG: await qrcode.toBuffer(link, { type: 'png' }),
      ...tagsMember(tags),
    },
  };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteVirtualMFADevice.html */
export function DeleteVirtualMFADevice(
  input: InputOf<'DeleteVirtualMFADevice'>,
  ctx: IamContext,
): OutputOf<'DeleteVirtualMFADevice'> {
  const device = requireMfaDevice(ctx, input.SerialNumber);
  if (device.assigned) throw deleteConflict('MFA VirtualDevice in use. Must deactivate first.');
  ctx.state.mfaDevices.delete(device.serialNumber);
  return NOTHING;
}

/**
 * Enables a device for a user with two consecutive codes. Only virtual devices are supported: hardware tokens are
 * registered at AWS, security keys in the console.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_EnableMFADevice.html
 */
export function EnableMFADevice(input: InputOf<'EnableMFADevice'>, ctx: IamContext): OutputOf<'EnableMFADevice'> {
  const user = requireUser(ctx.state, input.UserName);
  const device = requireMfaDevice(ctx, input.SerialNumber);
  if (device.assigned) throw alreadyExists('MFA Device is already in use.');
  if (devicesOf(ctx.state, user.id).length >= LIMITS.mfaDevicesPerUser)
    throw quotaExceeded('MFADevicesPerUser', LIMITS.mfaDevicesPerUser);
  const drift = driftOf(device.seed, [input.AuthenticationCode1, input.AuthenticationCode2], ctx.clock.now());
  ctx.state.mfaDevices.update(device.serialNumber, (draft) => {
    draft.assigned = { userId: user.id, enabledAt: nowOf(ctx), drift };
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeactivateMFADevice.html */
export function DeactivateMFADevice(
  input: InputOf<'DeactivateMFADevice'>,
  ctx: IamContext,
): OutputOf<'DeactivateMFADevice'> {
  const user = requireUser(ctx.state, input.UserName ?? principalUserName(ctx));
  const { serialNumber } = requireDeviceOf(ctx, input.SerialNumber, user);
  ctx.state.mfaDevices.update(serialNumber, (draft) => {
    delete draft.assigned;
  });
  return NOTHING;
}

/**
 * Synchronizes with a device's clock.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ResyncMFADevice.html
 */
export function ResyncMFADevice(input: InputOf<'ResyncMFADevice'>, ctx: IamContext): OutputOf<'ResyncMFADevice'> {
  const user = requireUser(ctx.state, input.UserName);
  const { serialNumber, seed } = requireDeviceOf(ctx, input.SerialNumber, user);
  const drift = driftOf(seed, [input.AuthenticationCode1, input.AuthenticationCode2], ctx.clock.now());
  ctx.state.mfaDevices.update(serialNumber, (draft) => {
    draft.assigned!.drift = drift;
    // Used codes of the previous clock offset are irrelevant.
    delete draft.assigned!.usedPeriod;
  });
  return NOTHING;
}

/**
 * Returns a device enabled for a user.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetMFADevice.html
 */
export function GetMFADevice(input: InputOf<'GetMFADevice'>, ctx: IamContext): OutputOf<'GetMFADevice'> {
  const user = requireUser(ctx.state, input.UserName ?? principalUserName(ctx));
  const { serialNumber, assigned } = requireDeviceOf(ctx, input.SerialNumber, user);
  return { UserName: user.name, SerialNumber: serialNumber, EnableDate: new Date(assigned!.enabledAt) };
}

/**
 * Lists the devices of a user.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListMFADevices.html
 */
export function ListMFADevices(input: InputOf<'ListMFADevices'>, ctx: IamContext): OutputOf<'ListMFADevices'> {
  const user = requireUser(ctx.state, input.UserName ?? principalUserName(ctx));
  const { items, next } = paging.page(
    'ListMFADevices',
    input,
    devicesOf(ctx.state, user.id),
    ({ serialNumber }) => serialNumber,
  );
  const devices = items.map(({ serialNumber, assigned }) => ({
    UserName: user.name,
    SerialNumber: serialNumber,
    EnableDate: new Date(assigned!.enabledAt),
  }));
  return { MFADevices: devices, ...next };
}

/**
 * Lists the virtual devices of the account.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListVirtualMFADevices.html
 */
export function ListVirtualMFADevices(
  input: InputOf<'ListVirtualMFADevices'>,
  ctx: IamContext,
): OutputOf<'ListVirtualMFADevices'> {
  const { AssignmentStatus: wanted = 'Any' } = input;
  const devices = [...ctx.state.mfaDevices.values()].filter(
    ({ assigned }) => wanted === 'Any' || (wanted === 'Assigned') === (assigned !== undefined),
  );
  const { items, next } = paging.page('ListVirtualMFADevices', input, devices, ({ serialNumber }) => serialNumber);
  const users = usersById(ctx.state);
  const described = items.map(({ serialNumber, assigned }): VirtualMFADevice => {
    const user = assigned && users.get(assigned.userId);
    return {
      SerialNumber: serialNumber,
      ...(user && { User: describeUser(user) }),
      ...(assigned && { EnableDate: new Date(assigned.enabledAt) }),
    };
  });
  return { VirtualMFADevices: described, ...next };
}

const devicesOf = (state: IamState, userId: string): MfaDevice[] =>
  [...state.mfaDevices.values()].filter(({ assigned }) => assigned?.userId === userId);

/** Returns a virtual device by serial number. @throws AwsError `NoSuchEntity` */
export function requireMfaDevice(ctx: IamContext, serialNumber: string): MfaDevice {
  const device = ctx.state.mfaDevices.get(serialNumber);
  if (!device) throw noSuchEntity(`MFA Device with serial number ${serialNumber} does not exist.`);
  return device;
}

function requireDeviceOf(ctx: IamContext, serialNumber: string, { id }: User): MfaDevice {
  const device = requireMfaDevice(ctx, serialNumber);
  if (device.assigned?.userId !== id) throw noSuchEntity('MFA Device invalid for user.');
  return device;
}
