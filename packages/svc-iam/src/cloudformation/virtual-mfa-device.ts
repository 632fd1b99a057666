import {
  defined,
  defineProvider,
  everyItem,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { periodAt, totp } from '../credentials/totp.ts';
import { iamError } from '../errors.ts';

const GONE = ['NoSuchEntity'];

interface DeviceProperties extends TaggedProperties {
  readonly Path?: string;
  readonly Users: readonly string[];
  readonly VirtualMfaDeviceName?: string;
}

const deviceOf = async (SerialNumber: string, ctx: ProviderContext) => {
  const all = await everyItem(async (Marker) => {
    const page = await ctx.call('iam', 'ListVirtualMFADevices', defined({ Marker }));
    return [page.VirtualMFADevices, page.Marker] as const;
  });
  return all.find((one) => one.SerialNumber === SerialNumber);
};

/** Enables a device for its user with its current codes. */
async function enable(SerialNumber: string, seed: string, UserName: string, ctx: ProviderContext): Promise<void> {
  const period = periodAt(ctx.clock.now());
  await ctx.call('iam', 'EnableMFADevice', {
    SerialNumber,
    UserName,
    AuthenticationCode1: totp(seed, period - 1),
    AuthenticationCode2: totp(seed, period),
  });
}

/** Deactivates a device for its user, if any. */
async function deactivate(SerialNumber: string, UserName: string | undefined, ctx: ProviderContext): Promise<void> {
  if (UserName !== undefined) await unless(ctx.call('iam', 'DeactivateMFADevice', { SerialNumber, UserName }), ...GONE);
}

/**
 * Returns the only user of a device.
 * @throws AwsError for several, as a device belongs to one user
 */
function userOf({ Users }: DeviceProperties): string | undefined {
  if (Users.length > 1) throw iamError('InvalidInput', 'A virtual MFA device can be assigned to one user only.');
  return Users[0];
}

/**
 * Virtual MFA devices, enabled for their user.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-virtualmfadevice.html
 */
export const virtualMfaDevice: AnyResourceProvider = defineProvider<
  DeviceProperties,
  NonNullable<Awaited<ReturnType<typeof deviceOf>>>
>({
  typeName: 'AWS::IAM::VirtualMFADevice',
  model,
  service: 'iam',
  handles: ['Path', 'Tags', 'Users', 'VirtualMfaDeviceName'],
  key: ['SerialNumber'],
  gone: GONE,

  validate: (properties) => {
    userOf(properties);
  },

  async create(properties, ctx) {
    const { Path, Tags, VirtualMfaDeviceName: VirtualMFADeviceName = ctx.name() } = properties;
    const made = await run(ctx, 'iam', 'CreateVirtualMFADevice', { Path, Tags, VirtualMFADeviceName });
    const { Base32StringSeed, SerialNumber } = made.VirtualMFADevice;
    ctx.created(SerialNumber);
    const user = userOf(properties);
    if (user !== undefined)
      await enable(SerialNumber, Buffer.from(Base32StringSeed as Uint8Array).toString('utf8'), user, ctx);
    return SerialNumber;
  },

  find: ({ SerialNumber }, ctx) => deviceOf(SerialNumber!, ctx),

  async describe(found, { SerialNumber }, ctx) {
    const { Tags } = await ctx.call('iam', 'ListMFADeviceTags', { SerialNumber: SerialNumber! });
    const [, path = '/', name] = /:mfa(\/(?:.*\/)?)([^/]+)$/.exec(SerialNumber!) ?? [];
    return {
      properties: defined({
        Path: path,
        Tags: unlessEmpty(Tags),
        Users: found.User?.UserName === undefined ? [] : [found.User.UserName],
        VirtualMfaDeviceName: name,
      }),
      attributes: { SerialNumber },
    };
  },

  async update({ SerialNumber: serial }, previous, desired, ctx) {
    const SerialNumber = serial!;
    const [from, to] = [userOf(previous), userOf(desired)];
    // The seed is returned only at creation, so another user requires a new device.
    if (from !== to && to !== undefined)
      throw iamError('InvalidInput', `The device ${SerialNumber} cannot be assigned to another user.`);
    if (from !== to) await deactivate(SerialNumber, from, ctx);
    await changeTagsOf(SerialNumber, previous, desired, ctx);
  },

  async remove({ SerialNumber: serial }, _properties, ctx) {
    const SerialNumber = serial!;
    await deactivate(SerialNumber, (await deviceOf(SerialNumber, ctx))?.User?.UserName, ctx);
    await ctx.call('iam', 'DeleteVirtualMFADevice', { SerialNumber });
  },

  list: {
    operation: 'ListVirtualMFADevices',
    token: ['Marker', 'Marker'],
    identifiers: ({ VirtualMFADevices }: { VirtualMFADevices: { SerialNumber: string }[] }) =>
      VirtualMFADevices.map(({ SerialNumber }) => SerialNumber),
  },
});
