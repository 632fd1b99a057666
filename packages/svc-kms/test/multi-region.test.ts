import { expect, test } from 'vitest';
import { failureOf, startKms, text } from './support.ts';

test('a replica shares id and material, and decrypts ciphertexts of the primary key', async () => {
  await using t = await startKms();
  const europe = t.client({ region: 'eu-west-1' });
  const { KeyId, Arn } = await t.key({ MultiRegion: true });
  expect(KeyId).toMatch(/^mrk-[0-9a-f]{32}$/);
  expect(await failureOf(europe.describeKey({ KeyId }))).toContain('NotFoundException');
  await t.kms.enableKeyRotation({ KeyId, RotationPeriodInDays: 90 });
  const { ReplicaKeyMetadata, ReplicaTags } = await t.kms.replicateKey({
    KeyId,
    ReplicaRegion: 'eu-west-1',
    Tags: [{ TagKey: 'a', TagValue: 'b' }],
  });
  expect(ReplicaKeyMetadata).toMatchObject({ KeyState: 'Creating', Enabled: false });
  expect(ReplicaTags).toEqual([{ TagKey: 'a', TagValue: 'b' }]);
  const untagged = await t.kms.replicateKey({
    KeyId: (await t.key({ MultiRegion: true })).KeyId,
    ReplicaRegion: 'eu-west-1',
  });
  expect(untagged).not.toHaveProperty('ReplicaTags');
  const replicaArn = Arn.replace('us-east-1', 'eu-west-1');
  const regions = {
    PrimaryKey: { Arn, Region: 'us-east-1' },
    ReplicaKeys: [{ Arn: replicaArn, Region: 'eu-west-1' }],
  };
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata!.MultiRegionConfiguration).toEqual({
    MultiRegionKeyType: 'PRIMARY',
    ...regions,
  });
  expect((await europe.describeKey({ KeyId })).KeyMetadata).toMatchObject({
    Arn: replicaArn,
    KeyState: 'Enabled',
    MultiRegionConfiguration: { MultiRegionKeyType: 'REPLICA', ...regions },
  });
  await t.advance(91);
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext: text('shared') });
  const { Plaintext, KeyId: decryptedBy } = await europe.decrypt({ CiphertextBlob });
  expect([Buffer.from(Plaintext!).toString(), decryptedBy]).toEqual(['shared', replicaArn]);
  expect((await europe.listKeyRotations({ KeyId })).Rotations).toHaveLength(1);
  expect(await failureOf(europe.replicateKey({ KeyId, ReplicaRegion: 'ap-south-1' }))).toBe(
    `UnsupportedOperationException: ${replicaArn} is not a multi-region primary key.`,
  );
  expect(await failureOf(t.kms.replicateKey({ KeyId, ReplicaRegion: 'eu-west-1' }))).toContain('AlreadyExists');
  expect(await failureOf(t.kms.replicateKey({ KeyId, ReplicaRegion: 'cn-north-1' }))).toContain('ValidationException');
  expect(await failureOf(europe.rotateKeyOnDemand({ KeyId }))).toContain('UnsupportedOperationException');
});

test('UpdatePrimaryRegion makes a replica the primary', async () => {
  await using t = await startKms();
  const europe = t.client({ region: 'eu-west-1' });
  const { KeyId } = await t.key({ MultiRegion: true });
  await t.kms.enableKeyRotation({ KeyId, RotationPeriodInDays: 90 });
  await t.kms.replicateKey({ KeyId, ReplicaRegion: 'eu-west-1' });
  expect(await failureOf(t.kms.updatePrimaryRegion({ KeyId, PrimaryRegion: 'ap-south-1' }))).toContain('NotFound');
  await t.kms.updatePrimaryRegion({ KeyId, PrimaryRegion: 'eu-west-1' });
  const { KeyMetadata } = await t.kms.describeKey({ KeyId });
  expect(KeyMetadata!.MultiRegionConfiguration).toMatchObject({
    MultiRegionKeyType: 'REPLICA',
    PrimaryKey: { Region: 'eu-west-1' },
    ReplicaKeys: [{ Region: 'us-east-1' }],
  });
  expect(await t.kms.getKeyRotationStatus({ KeyId })).toMatchObject({ RotationPeriodInDays: 90 });
  await europe.rotateKeyOnDemand({ KeyId });
  expect((await t.kms.listKeyRotations({ KeyId })).Rotations).toHaveLength(1);
  expect(await failureOf(t.kms.updatePrimaryRegion({ KeyId, PrimaryRegion: 'eu-west-1' }))).toContain('Unsupported');
});

test('the deletion of a primary key waits for that of its replicas', async () => {
  await using t = await startKms();
  const europe = t.client({ region: 'eu-west-1' });
  const { KeyId, Arn } = await t.key({ MultiRegion: true });
  await t.kms.replicateKey({ KeyId, ReplicaRegion: 'eu-west-1' });
  const scheduled = await t.kms.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 7 });
  expect(scheduled).toMatchObject({ KeyState: 'PendingReplicaDeletion' });
  expect(scheduled.DeletionDate).toBeUndefined();
  expect(await failureOf(t.kms.enableKey({ KeyId }))).toBe(
    `KMSInvalidStateException: ${Arn} is pending replica deletion.`,
  );
  await t.advance(30);
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata).toMatchObject({ PendingDeletionWindowInDays: 7 });
  await europe.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 7 });
  await t.advance(7.5);
  const { KeyMetadata } = await t.kms.describeKey({ KeyId });
  expect(KeyMetadata).toMatchObject({ KeyState: 'PendingDeletion', MultiRegionConfiguration: { ReplicaKeys: [] } });
  await t.advance(7);
  expect(await failureOf(t.kms.describeKey({ KeyId }))).toContain('NotFoundException');
});
