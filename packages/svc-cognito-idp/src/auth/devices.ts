import type { DeviceType, NewDeviceMetadataType } from '@emu/service-types/cognito-idp';
import type { DeviceRecord, Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';

const keyOf = (poolId: string, username: string, deviceKey: string): string => `${poolId}/${username}/${deviceKey}`;

/** Returns the key and group of a new device; undefined if the pool does not track devices. */
export function newDevice({ state, pool }: { state: CognitoState; pool: Pool }): NewDeviceMetadataType | undefined {
  if (!pool.settings.DeviceConfiguration) return undefined;
  return { DeviceKey: `${state.region}_${state.ids.uuid()}`, DeviceGroupKey: `-${state.ids.hex(8)}` };
}

/** Returns a device of a user; undefined if unknown. */
export const deviceOf = (user: User, deviceKey: string, state: CognitoState): Readonly<DeviceRecord> | undefined =>
  state.devices.get(keyOf(user.poolId, user.username, deviceKey));

/** Returns all devices of a user, ordered by key. */
export function devicesOf({ poolId, username }: User, state: CognitoState): Readonly<DeviceRecord>[] {
  return [...state.devices.values()].filter((device) => device.poolId === poolId && device.username === username);
}

export const putDevice = (device: DeviceRecord, state: CognitoState): Readonly<DeviceRecord> =>
  state.devices.put(keyOf(device.poolId, device.username, device.key), device);

export const changeDevice = (
  device: Readonly<DeviceRecord>,
  state: CognitoState,
  change: (draft: DeviceRecord) => void,
): Readonly<DeviceRecord> =>
  state.devices.update(keyOf(device.poolId, device.username, device.key), (draft) => {
    change(draft);
    draft.updatedAt = state.clock.now();
  });

export const deleteDevice = (device: Readonly<DeviceRecord>, state: CognitoState): boolean =>
  state.devices.delete(keyOf(device.poolId, device.username, device.key));

/** Returns the device of a client if it is confirmed and remembered. */
export function trustedDevice(
  user: User,
  deviceKey: string | undefined,
  pool: Pool,
  state: CognitoState,
): Readonly<DeviceRecord> | undefined {
  if (deviceKey === undefined || !pool.settings.DeviceConfiguration) return undefined;
  const device = deviceOf(user, deviceKey, state);
  return device?.confirmed && device.verifier !== undefined ? device : undefined;
}

/** Returns the description of a device in responses. */
export function describeDevice(device: Readonly<DeviceRecord>): DeviceType {
  const attribute = (Name: string, Value: string) => ({ Name, Value });
  return {
    DeviceKey: device.key,
    DeviceAttributes: [
      attribute('device_status', 'valid'),
      ...(device.name === undefined ? [] : [attribute('device_name', device.name)]),
      attribute('dev:device_remembered_status', device.remembered ? 'remembered' : 'not_remembered'),
      ...(device.lastIp === undefined ? [] : [attribute('last_ip_used', device.lastIp)]),
    ],
    DeviceCreateDate: new Date(device.createdAt),
    DeviceLastModifiedDate: new Date(device.updatedAt),
    DeviceLastAuthenticatedDate: new Date(device.lastAuthenticatedAt),
  };
}
