import {
  CreateUserCommand,
  CreateVirtualMFADeviceCommand,
  EnableMFADeviceCommand,
  IAMClient,
} from '@aws-sdk/client-iam';
import * as S3 from '@aws-sdk/client-s3';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { expect, it } from 'vitest';
import { periodAt, totp } from '../../../packages/svc-iam/src/credentials/totp.ts';
import { errorOf, s3Emulator } from '../../../packages/svc-s3/test/helpers.ts';

const Bucket = 'a-bucket';

it('versions of a bucket with MFA Delete are deleted with a code', async () => {
  await using env = await s3Emulator({ others: [iam] });
  const { s3, emulator } = env;
  const { clock } = emulator.kernel;
  clock.freeze();
  const users = new IAMClient(emulator.clientConfig());
  await users.send(new CreateUserCommand({ UserName: 'jane' }));
  const { VirtualMFADevice } = await users.send(new CreateVirtualMFADeviceCommand({ VirtualMFADeviceName: 'phone' }));
  const SerialNumber = VirtualMFADevice!.SerialNumber!;
  const seed = Buffer.from(VirtualMFADevice!.Base32StringSeed!).toString();
  const code = (offset = 0) => totp(seed, periodAt(clock.now()) + offset);
  const codes = { AuthenticationCode1: code(-1), AuthenticationCode2: code() };
  await users.send(new EnableMFADeviceCommand({ UserName: 'jane', SerialNumber, ...codes }));
  const MFA = async () => {
    await clock.advance(30_000);
    return `${SerialNumber} ${code()}`;
  };

  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  const version = (MFADelete: S3.MFADelete, mfa?: string) =>
    s3.send(
      new S3.PutBucketVersioningCommand({
        Bucket,
        ...(mfa && { MFA: mfa }),
        VersioningConfiguration: { Status: 'Enabled', MFADelete },
      }),
    );
  const refused = { name: 'AccessDenied', message: 'Mfa Authentication must be used for this request' };
  expect(await errorOf(version('Enabled', `${SerialNumber} 000000`))).toMatchObject(refused);
  await version('Enabled', await MFA());
  const { VersionId } = await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  await s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'k' }));
  const one = { Bucket, Key: 'k', VersionId };
  expect(await errorOf(s3.send(new S3.DeleteObjectCommand(one)))).toMatchObject(refused);
  const several = { Bucket, Delete: { Objects: [{ Key: 'k' }, { Key: 'k', VersionId }] } };
  expect(await errorOf(s3.send(new S3.DeleteObjectsCommand(several)))).toMatchObject(refused);
  const used = await MFA();
  await s3.send(new S3.DeleteObjectCommand({ ...one, MFA: used }));
  expect((await s3.send(new S3.ListObjectVersionsCommand({ Bucket }))).Versions).toBeUndefined();
  expect(await errorOf(version('Disabled'))).toMatchObject(refused);
  expect(await errorOf(version('Disabled', used))).toMatchObject(refused);
  await version('Disabled', await MFA());
  await s3.send(new S3.DeleteObjectsCommand(several));
  users.destroy();
});
