import { IAM } from '@aws-sdk/client-iam';
import { KMS } from '@aws-sdk/client-kms';
import { createTestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-iam/manifest';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { expect, test } from 'vitest';
import { ACCOUNT } from './support.ts';

test('a service-linked role remains while resources of its service need it', async () => {
  await using emulator = await createTestEmulator({
    manifests: [manifest, kmsManifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1' },
  });
  const iam = new IAM(emulator.clientConfig());
  const kms = new KMS(emulator.clientConfig({ region: 'eu-west-1' }));
  const remove = async (RoleName: string) => {
    const { DeletionTaskId } = await iam.deleteServiceLinkedRole({ RoleName });
    const { Status, Reason } = await iam.getServiceLinkedRoleDeletionStatus({ DeletionTaskId });
    return { Status, Reason };
  };
  await kms.createKey({});
  const { KeyMetadata } = await kms.createKey({ MultiRegion: true });
  const { Role } = await iam.createServiceLinkedRole({ AWSServiceName: 'mrk.kms.amazonaws.com' });
  const RoleName = Role!.RoleName!;
  expect(await remove(RoleName)).toMatchObject({
    Status: 'FAILED',
    Reason: { RoleUsageList: [{ Region: 'eu-west-1', Resources: [KeyMetadata!.Arn] }] },
  });
  expect((await iam.getRole({ RoleName })).Role).toMatchObject({ RoleName });
  await kms.scheduleKeyDeletion({ KeyId: KeyMetadata!.KeyId!, PendingWindowInDays: 7 });
  await emulator.kernel.clock.advance(8 * 86_400_000);
  expect(await remove(RoleName)).toEqual({ Status: 'SUCCEEDED', Reason: undefined });
  await expect(iam.getRole({ RoleName })).rejects.toThrow('cannot be found');
});
