import { KMS } from '@aws-sdk/client-kms';
import type { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, type SecretsTest, startSecrets, token } from '../../../packages/svc-secretsmanager/test/support.ts';

let run: SecretsTest;
let west: SecretsManager;
beforeEach(async () => {
  run = await startSecrets({ manifests: [kmsManifest] });
  west = run.client({ region: 'us-west-2' });
});
afterEach(() => run[Symbol.asyncDispose]());

const status = async () => (await run.secrets.describeSecret({ SecretId: 's' })).ReplicationStatus;
const REPLICA =
  "InvalidParameterException: Operation not permitted on a replica secret. Call must be made in primary secret's region.";

test('a replica follows its primary', async () => {
  const { secrets } = run;
  const created = await secrets.createSecret({
    Name: 's',
    SecretString: 'first',
    ClientRequestToken: token(1),
    AddReplicaRegions: [{ Region: 'us-west-2' }],
  });
  expect(created.ReplicationStatus).toEqual([{ Region: 'us-west-2', Status: 'InProgress' }]);
  expect(await status()).toEqual([{ Region: 'us-west-2', Status: 'InSync' }]);
  const replica = await west.describeSecret({ SecretId: 's' });
  expect(replica).toMatchObject({
    ARN: created.ARN!.replace('us-east-1', 'us-west-2'),
    PrimaryRegion: 'us-east-1',
    VersionIdsToStages: { [token(1)]: ['AWSCURRENT'] },
  });
  await secrets.putSecretValue({ SecretId: 's', SecretString: 'second', ClientRequestToken: token(2) });
  await secrets.tagResource({ SecretId: 's', Tags: [{ Key: 'a', Value: 'b' }] });
  expect(await west.getSecretValue({ SecretId: 's' })).toMatchObject({ SecretString: 'second', VersionId: token(2) });
  expect((await west.describeSecret({ SecretId: 's' })).Tags).toEqual([{ Key: 'a', Value: 'b' }]);
  for (const refused of [
    () => west.putSecretValue({ SecretId: 's', SecretString: 'x' }),
    () => west.updateSecret({ SecretId: 's', Description: 'x' }),
    () => west.deleteSecret({ SecretId: 's' }),
    () => west.tagResource({ SecretId: 's', Tags: [] }),
    () => west.untagResource({ SecretId: 's', TagKeys: ['a'] }),
    () => west.rotateSecret({ SecretId: 's' }),
    () => west.cancelRotateSecret({ SecretId: 's' }),
    () => west.restoreSecret({ SecretId: 's' }),
    () => west.updateSecretVersionStage({ SecretId: 's', VersionStage: 'AWSCURRENT', MoveToVersionId: token(1) }),
    () => west.removeRegionsFromReplication({ SecretId: 's', RemoveReplicaRegions: ['eu-west-1'] }),
    () => west.replicateSecretToRegions({ SecretId: 's', AddReplicaRegions: [{ Region: 'eu-west-1' }] }),
  ])
    expect(await failureOf(refused())).toBe(REPLICA);
  expect(await failureOf(secrets.deleteSecret({ SecretId: 's' }))).toBe(
    `InvalidParameterException: You can't delete secret ${created.ARN} that still has replica regions [us-west-2].`,
  );
  const removed = await secrets.removeRegionsFromReplication({ SecretId: 's', RemoveReplicaRegions: ['us-west-2'] });
  expect(removed.ReplicationStatus).toEqual([]);
  expect(await failureOf(west.describeSecret({ SecretId: 's' }))).toMatch(/^ResourceNotFoundException/);
  await secrets.deleteSecret({ SecretId: 's' });
});

test('a policy is replicated; replicas have none of their own', async () => {
  const { secrets } = run;
  await secrets.createSecret({ Name: 's', SecretString: 'x', AddReplicaRegions: [{ Region: 'us-west-2' }] });
  const ResourcePolicy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Deny', Principal: '*', Action: 'secretsmanager:DeleteSecret', Resource: '*' }],
  });
  await secrets.putResourcePolicy({ SecretId: 's', ResourcePolicy });
  expect((await west.getResourcePolicy({ SecretId: 's' })).ResourcePolicy).toBe(ResourcePolicy);
  const refused =
    "InvalidParameterException: Operation not permitted on a replica secret. Call must be made in primary secret's region.";
  expect(await failureOf(west.putResourcePolicy({ SecretId: 's', ResourcePolicy }))).toBe(refused);
  expect(await failureOf(west.deleteResourcePolicy({ SecretId: 's' }))).toBe(refused);
  expect(await failureOf(west.deleteSecret({ SecretId: 's' }))).toBe(refused);
  const { ARN } = await secrets.describeSecret({ SecretId: 's' });
  expect(await failureOf(secrets.deleteSecret({ SecretId: 's' }))).toBe(
    `InvalidParameterException: You can't delete secret ${ARN} that still has replica regions [us-west-2].`,
  );
  await secrets.deleteResourcePolicy({ SecretId: 's' });
  expect((await west.getResourcePolicy({ SecretId: 's' })).ResourcePolicy).toBeUndefined();
});

test('a promoted replica is independent', async () => {
  const { secrets } = run;
  await secrets.createSecret({ Name: 's', SecretString: 'first' });
  await secrets.replicateSecretToRegions({ SecretId: 's', AddReplicaRegions: [{ Region: 'us-west-2' }] });
  expect(await failureOf(secrets.stopReplicationToReplica({ SecretId: 's' }))).toMatch(/^InvalidRequestException/);
  await west.stopReplicationToReplica({ SecretId: 's' });
  expect(await status()).toBeUndefined();
  await west.putSecretValue({ SecretId: 's', SecretString: 'own' });
  await secrets.putSecretValue({ SecretId: 's', SecretString: 'second' });
  expect((await west.getSecretValue({ SecretId: 's' })).SecretString).toBe('own');
});

test('a replica taken over by another primary remains with it', async () => {
  const { secrets } = run;
  const AddReplicaRegions = [{ Region: 'us-west-2' }];
  await secrets.createSecret({ Name: 's', SecretString: 'first', AddReplicaRegions });
  const europe = run.client({ region: 'eu-west-1' });
  await europe.createSecret({
    Name: 's',
    SecretString: 'taken',
    AddReplicaRegions,
    ForceOverwriteReplicaSecret: true,
  });
  await secrets.putSecretValue({ SecretId: 's', SecretString: 'second' });
  expect((await west.getSecretValue({ SecretId: 's' })).SecretString).toBe('taken');
  expect((await west.describeSecret({ SecretId: 's' })).PrimaryRegion).toBe('eu-west-1');
  expect(await status()).toMatchObject([{ Region: 'us-west-2', Status: 'Failed' }]);
});

test('an existing name, or an unknown key, fails only the replica', async () => {
  const { secrets } = run;
  await west.createSecret({ Name: 's', SecretString: 'mine' });
  await secrets.createSecret({ Name: 's', SecretString: 'first' });
  const replicate = (Region: string, more: object = {}, ForceOverwriteReplicaSecret = false) =>
    secrets.replicateSecretToRegions({
      SecretId: 's',
      AddReplicaRegions: [{ Region, ...more }],
      ForceOverwriteReplicaSecret,
    });
  await replicate('us-west-2');
  expect(await status()).toEqual([
    {
      Region: 'us-west-2',
      Status: 'Failed',
      StatusMessage: 'Replication failed: Secret name s already exists in region us-west-2.',
    },
  ]);
  expect((await west.getSecretValue({ SecretId: 's' })).SecretString).toBe('mine');
  await secrets.removeRegionsFromReplication({ SecretId: 's', RemoveReplicaRegions: ['us-west-2'] });
  expect((await west.getSecretValue({ SecretId: 's' })).SecretString).toBe('mine');
  await replicate('us-west-2', {}, true);
  expect((await west.getSecretValue({ SecretId: 's' })).SecretString).toBe('first');
  await replicate('eu-west-1', { KmsKeyId: '11111111-2222-3333-4444-555555555555' });
  expect(await status()).toMatchObject([{ Status: 'InSync' }, { Region: 'eu-west-1', Status: 'Failed' }]);
  const kms = new KMS(run.emulator.clientConfig({ region: 'eu-central-1' }));
  const KmsKeyId = (await kms.createKey({})).KeyMetadata!.Arn!;
  await replicate('eu-central-1', { KmsKeyId });
  const central = run.client({ region: 'eu-central-1' });
  expect((await central.getSecretValue({ SecretId: 's' })).SecretString).toBe('first');
  expect(await central.describeSecret({ SecretId: 's' })).toMatchObject({ KmsKeyId });
});

test('regions are validated', async () => {
  const { secrets } = run;
  await secrets.createSecret({ Name: 's' });
  const replicate = (Region: string) =>
    failureOf(secrets.replicateSecretToRegions({ SecretId: 's', AddReplicaRegions: [{ Region }] }));
  expect(await replicate('us-east-1')).toBe('InvalidParameterException: Invalid replica region.');
  expect(await replicate('cn-north-1')).toBe('InvalidParameterException: Invalid replica region.');
  expect(await replicate('nowhere-1')).toBe('InvalidParameterException: Invalid replica region.');
  await secrets.replicateSecretToRegions({ SecretId: 's', AddReplicaRegions: [{ Region: 'eu-west-1' }] });
  expect(await replicate('eu-west-1')).toMatch(/^InvalidRequestException/);
  expect(
    await failureOf(secrets.removeRegionsFromReplication({ SecretId: 's', RemoveReplicaRegions: ['eu-west-2'] })),
  ).toMatch(/^InvalidParameterException/);
});
