import { GetSessionTokenCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { periodAt, totp } from '../../../packages/svc-iam/src/credentials/totp.ts';
import { failureOf, type IamTest, startIam } from './support.ts';

/** Returns two consecutive codes, the later one of a period relative to the present. */
function codes(t: IamTest, seed: string, offset = 0) {
  const period = periodAt(t.emulator.kernel.clock.now()) + offset;
  return { AuthenticationCode1: totp(seed, period - 1), AuthenticationCode2: totp(seed, period) };
}

async function device(t: IamTest, VirtualMFADeviceName = 'phone') {
  const { VirtualMFADevice } = await t.iam.createVirtualMFADevice({ VirtualMFADeviceName });
  const seed = Buffer.from(VirtualMFADevice!.Base32StringSeed!).toString();
  return { SerialNumber: VirtualMFADevice!.SerialNumber!, seed, png: VirtualMFADevice!.QRCodePNG! };
}

test('codes match RFC 6238', () => {
  // The RFC's secret, and its codes without their first two digits.
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  expect(totp(seed, periodAt(59_000))).toBe('287082');
  expect(totp(seed, periodAt(1_111_111_109_000))).toBe('081804');
  expect(totp(seed, periodAt(20_000_000_000_000))).toBe('353130');
});

test('a device is created, enabled with its codes, deactivated and deleted', async () => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
  const { SerialNumber, seed, png } = await device(t);
  expect(SerialNumber).toBe('arn:aws:iam::123456789012:mfa/phone');
  expect(seed).toMatch(/^[A-Z2-7]{64}$/);
  expect(Buffer.from(png.subarray(0, 8)).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  expect((await t.iam.listVirtualMFADevices({ AssignmentStatus: 'Unassigned' })).VirtualMFADevices).toEqual([
    { SerialNumber },
  ]);
  await t.iam.enableMFADevice({ UserName: 'jane', SerialNumber, ...codes(t, seed) });
  const enabled = { UserName: 'jane', SerialNumber, EnableDate: expect.any(Date) };
  expect((await t.iam.listMFADevices({ UserName: 'jane' })).MFADevices).toEqual([enabled]);
  expect(await t.iam.getMFADevice({ UserName: 'jane', SerialNumber })).toMatchObject(enabled);
  const { VirtualMFADevices } = await t.iam.listVirtualMFADevices({ AssignmentStatus: 'Assigned' });
  expect(VirtualMFADevices).toEqual([
    { SerialNumber, EnableDate: expect.any(Date), User: expect.objectContaining({ UserName: 'jane' }) },
  ]);
  expect((await t.iam.listVirtualMFADevices({ AssignmentStatus: 'Unassigned' })).VirtualMFADevices).toEqual([]);
  expect((await t.iam.getAccountSummary({})).SummaryMap).toMatchObject({ MFADevices: 1, MFADevicesInUse: 1 });
  expect(await failureOf(t.iam.deleteUser({ UserName: 'jane' }))).toBe(
    'DeleteConflict: Cannot delete entity, must delete MFA device first.',
  );
  expect(await failureOf(t.iam.deleteVirtualMFADevice({ SerialNumber }))).toBe(
    'DeleteConflict: MFA VirtualDevice in use. Must deactivate first.',
  );
  await t.iam.deactivateMFADevice({ UserName: 'jane', SerialNumber });
  expect((await t.iam.listMFADevices({ UserName: 'jane' })).MFADevices).toEqual([]);
  await t.iam.deleteVirtualMFADevice({ SerialNumber });
  expect((await t.iam.listVirtualMFADevices({})).VirtualMFADevices).toEqual([]);
  await t.iam.deleteUser({ UserName: 'jane' });
});

test('a device has a code while its serial number exists', async () => {
  await using t = await startIam();
  const longest = await device(t, 'a'.repeat(226));
  expect(longest.SerialNumber).toHaveLength(256);
  expect(longest.png.length).toBeGreaterThan(1000);
  for (const VirtualMFADeviceName of ['a'.repeat(227), 'a'.repeat(5000)])
    expect(await failureOf(t.iam.createVirtualMFADevice({ VirtualMFADeviceName }))).toBe(
      'ValidationError: The serial number of the MFA device would be longer than 256 characters.',
    );
  const Path = `/${'p'.repeat(100)}/`;
  expect(await failureOf(t.iam.createVirtualMFADevice({ VirtualMFADeviceName: 'a'.repeat(150), Path }))).toMatch(
    'longer than 256',
  );
  expect((await t.iam.listVirtualMFADevices({})).VirtualMFADevices).toHaveLength(1);
});

test('codes must be correct, in order, and recent', async () => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
  const { SerialNumber, seed } = await device(t);
  const enable = (input: { AuthenticationCode1: string; AuthenticationCode2: string }) =>
    t.iam.enableMFADevice({ UserName: 'jane', SerialNumber, ...input });
  const wrong = 'InvalidAuthenticationCode: Authentication code for device is not valid.';
  const { AuthenticationCode1, AuthenticationCode2 } = codes(t, seed);
  expect(await failureOf(enable({ AuthenticationCode1, AuthenticationCode2: AuthenticationCode1 }))).toBe(wrong);
  expect(
    await failureOf(enable({ AuthenticationCode1: AuthenticationCode2, AuthenticationCode2: AuthenticationCode1 })),
  ).toBe(wrong);
  expect(await failureOf(enable(codes(t, seed, -100)))).toBe(wrong);
  expect(await failureOf(enable(codes(t, 'A'.repeat(64))))).toBe(wrong);
  // A device with a clock a few minutes off is still accepted, and can be resynchronized.
  await enable(codes(t, seed, 7));
  expect(await failureOf(enable(codes(t, seed)))).toBe('EntityAlreadyExists: MFA Device is already in use.');
  await t.iam.resyncMFADevice({ UserName: 'jane', SerialNumber, ...codes(t, seed) });
  expect(await failureOf(t.iam.resyncMFADevice({ UserName: 'jane', SerialNumber, ...codes(t, seed, 500) }))).toBe(
    wrong,
  );
});

test('rejects devices that are unknown, assigned or of another user', async () => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.createUser({ UserName: 'john' });
  const { SerialNumber, seed } = await device(t);
  await t.iam.enableMFADevice({ UserName: 'jane', SerialNumber, ...codes(t, seed) });
  expect(await failureOf(t.iam.createVirtualMFADevice({ VirtualMFADeviceName: 'phone' }))).toBe(
    'EntityAlreadyExists: MFADevice entity at the same path and name already exists.',
  );
  expect(await failureOf(t.iam.deactivateMFADevice({ UserName: 'john', SerialNumber }))).toBe(
    'NoSuchEntity: MFA Device invalid for user.',
  );
  const unknown = 'arn:aws:iam::123456789012:mfa/nonexistent';
  const missing = `NoSuchEntity: MFA Device with serial number ${unknown} does not exist.`;
  expect(await failureOf(t.iam.deactivateMFADevice({ UserName: 'jane', SerialNumber: unknown }))).toBe(missing);
  expect(await failureOf(t.iam.deleteVirtualMFADevice({ SerialNumber: unknown }))).toBe(missing);
  expect(await failureOf(t.iam.getMFADevice({ UserName: 'jane', SerialNumber: unknown }))).toBe(missing);
  expect(await failureOf(t.iam.enableMFADevice({ UserName: 'nobody', SerialNumber, ...codes(t, seed) }))).toBe(
    'NoSuchEntity: The user with name nobody cannot be found.',
  );
  // Codes of a vendor's token cannot be verified here.
  expect(
    await failureOf(t.iam.enableMFADevice({ UserName: 'john', SerialNumber: 'GAHT12345678', ...codes(t, seed) })),
  ).toBe('NoSuchEntity: MFA Device with serial number GAHT12345678 does not exist.');
  expect(await failureOf(t.iam.createVirtualMFADevice({ VirtualMFADeviceName: 'x', Path: 'team/' }))).toBe(
    'ValidationError: The specified value for path is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters.',
  );
});

test('a user has up to eight devices, and devices have tags', async () => {
  await using t = await startIam();
  const { iam } = await t.user('jane');
  for (let number = 1; number <= 8; number++) {
    const { SerialNumber, seed } = await device(t, `phone-${number}`);
    await t.iam.enableMFADevice({ UserName: 'jane', SerialNumber, ...codes(t, seed) });
  }
  // By default the caller's devices.
  expect((await iam.listMFADevices({ MaxItems: 3 })).MFADevices).toHaveLength(3);
  const { SerialNumber, seed } = await device(t, 'phone-9');
  expect(await failureOf(t.iam.enableMFADevice({ UserName: 'jane', SerialNumber, ...codes(t, seed) }))).toBe(
    'LimitExceeded: Cannot exceed quota for MFADevicesPerUser: 8',
  );
  await t.iam.tagMFADevice({
    SerialNumber,
    Tags: [
      { Key: 'b', Value: '2' },
      { Key: 'a', Value: '1' },
    ],
  });
  await t.iam.untagMFADevice({ SerialNumber, TagKeys: ['b'] });
  expect(await t.iam.listMFADeviceTags({ SerialNumber })).toMatchObject({
    Tags: [{ Key: 'a', Value: '1' }],
    IsTruncated: false,
  });
});

test('STS accepts the codes of the caller’s device, each once', async () => {
  await using t = await startIam();
  const jane = await t.user('jane');
  const john = await t.user('john');
  const { SerialNumber, seed } = await device(t);
  // The clock of the device is two minutes ahead.
  await t.iam.enableMFADevice({ UserName: 'jane', SerialNumber, ...codes(t, seed, 4) });
  const signIn = (credentials: { accessKeyId: string; secretAccessKey: string }, TokenCode: string) =>
    new STSClient(t.emulator.clientConfig(credentials)).send(new GetSessionTokenCommand({ SerialNumber, TokenCode }));
  const code = (offset: number) => codes(t, seed, offset).AuthenticationCode2;
  const refusal =
    'AccessDenied: MultiFactorAuthentication failed, unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.';
  expect(await failureOf(signIn(jane.credentials, code(0)))).toBe(refusal);
  expect(await failureOf(signIn(john.credentials, code(4)))).toBe(refusal);
  const { Credentials } = await signIn(jane.credentials, code(4));
  expect(t.emulator.kernel.credentials.get(Credentials!.AccessKeyId!)!.session).toMatchObject({
    mfaAuthenticated: true,
  });
  expect(await failureOf(signIn(jane.credentials, code(4)))).toBe(refusal);
  await t.emulator.kernel.clock.advance(30_000);
  await signIn(jane.credentials, code(4));
});
