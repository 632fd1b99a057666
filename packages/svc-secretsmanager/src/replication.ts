import { isRegionName, partitionOf } from '@emu/core/service';
import type { ReplicaRegionType } from '@emu/service-types/secretsmanager';
import { AwsError } from '@emu/wire';
import { invalidParameter, invalidRequest } from './errors.ts';
import type { ReplicaRecord, SealedValue, SecretRecord, SecretValue } from './records.ts';
import { idOf, secretType } from './resources.ts';
import type { Secret, SecretsState } from './state.ts';
import { open, seal } from './values.ts';

/** Returns the state of the same account in another region. */
const inRegion = (state: SecretsState, region: string): SecretsState => state.service.state(state.accountId, region);

/**
 * Validates the regions of replicas.
 * @throws AwsError `InvalidParameterException`, `InvalidRequestException`
 */
export function checkRegions(
  state: SecretsState,
  regions: readonly ReplicaRegionType[],
  existing: readonly string[],
): void {
  const seen = new Set(existing);
  for (const { Region: region } of regions) {
    if (
      region === undefined ||
      region === state.region ||
      !isRegionName(region) ||
      partitionOf(region) !== partitionOf(state.region)
    )
      throw invalidParameter('Invalid replica region.');
    if (seen.has(region)) throw invalidRequest(`Secret already replicated to region ${region}.`);
    seen.add(region);
  }
}

/**
 * Adds replicas to a secret.
 * @param overwrite whether they replace secrets of the same name
 */
export async function addReplicas(
  state: SecretsState,
  secret: Secret,
  regions: readonly ReplicaRegionType[],
  overwrite: boolean,
): Promise<ReplicaRecord[]> {
  const added: ReplicaRecord[] = regions.map(({ Region, KmsKeyId }) => ({
    region: Region!,
    ...(KmsKeyId && { kmsKeyId: KmsKeyId }),
    status: 'InProgress',
  }));
  for (const replica of added) {
    const other = inRegion(state, replica.region);
    const there = other.find(secret.name);
    if (there && (!overwrite || there.replicas)) {
      Object.assign(replica, taken(secret, replica));
    } else if (there) other.remove(secret.name);
  }
  const updated = state.update(secret.name, (draft) => {
    draft.replicas = [...(draft.replicas ?? []), ...added];
  });
  return (await replicate(state, updated)).filter(({ region }) => added.some((replica) => replica.region === region));
}

/** Updates the replicas of a secret. @returns their replication status */
export async function replicate(state: SecretsState, secret: Secret): Promise<ReplicaRecord[]> {
  const replicas: ReplicaRecord[] = [];
  for (const replica of secret.replicas ?? []) replicas.push(await copyTo(state, secret, replica));
  if (replicas.length && state.find(secret.name)?.arn === secret.arn)
    state.update(secret.name, (draft) => {
      draft.replicas = (draft.replicas ?? []).map(
        (current) => replicas.find(({ region }) => region === current.region) ?? current,
      );
    });
  return replicas;
}

/** A replica whose name belongs to another secret. */
const taken = ({ name }: Secret, replica: ReplicaRecord): ReplicaRecord => ({
  ...replica,
  status: 'Failed',
  message: `Replication failed: Secret name ${name} already exists in region ${replica.region}.`,
});

async function copyTo(state: SecretsState, secret: Secret, replica: ReplicaRecord): Promise<ReplicaRecord> {
  if (replica.status === 'Failed' && replica.message?.includes('already exists')) return { ...replica };
  const { message: _message, ...rest } = replica;
  const other = inRegion(state, replica.region);
  const before = other.find(secret.name);
  // The replica may belong to another primary secret by now, or be independent.
  if (before && before.primaryRegion !== state.region) return taken(secret, rest);
  try {
    const arn = secretType.arn({ id: idOf(secret) }, other);
    const versions: { id: string; createdAt: number; value: SecretValue | SealedValue; fingerprint?: string }[] = [];
    for (const id of new Set(Object.values(secret.stages))) {
      const version = state.version(secret.name, id);
      if (version?.value === undefined) continue;
      const value = await open(state, { SecretARN: secret.arn, SecretVersionId: id }, version.value);
      versions.push({
        id,
        createdAt: version.createdAt,
        value: await seal(other, replica.kmsKeyId, { SecretARN: arn, SecretVersionId: id }, value),
        ...(version.fingerprint !== undefined && { fingerprint: version.fingerprint }),
      });
    }
    const key = replica.kmsKeyId === undefined ? {} : { kmsKeyId: replica.kmsKeyId };
    const { replicas: _replicas, kmsKeyId: _key, accessedAt: _accessed, ...copied } = secret;
    const kept = new Set(versions.map(({ id }) => id));
    for (const version of versions) other.putVersion({ secret: secret.name, ...version, ...key });
    for (const { id } of other.versionsOf(secret.name)) if (!kept.has(id)) other.removeVersion(secret.name, id);
    const record = structuredClone(copied) as SecretRecord;
    other.put({
      ...record,
      arn,
      ...key,
      primaryRegion: state.region,
      stages: Object.fromEntries(Object.entries(record.stages).filter(([, id]) => kept.has(id))),
      ...(record.rotation && { rotation: withoutSchedule(record.rotation) }),
      ...(before?.accessedAt !== undefined && { accessedAt: before.accessedAt }),
    });
    return { ...rest, status: 'InSync' };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { ...rest, status: 'Failed', message: `Replication failed: ${error.message}` };
  }
}

/** Returns the rotation of a replica, which rotates with its primary secret only. */
function withoutSchedule(rotation: NonNullable<SecretRecord['rotation']>): NonNullable<SecretRecord['rotation']> {
  const { nextAt: _next, running: _running, ...rest } = rotation;
  return rest;
}

/** Deletes the replicas in some regions. @throws AwsError `InvalidParameterException` for a region without one */
export function removeReplicas(state: SecretsState, secret: Secret, regions: readonly string[]): Secret {
  const existing = new Map((secret.replicas ?? []).map((replica) => [replica.region, replica]));
  for (const region of regions)
    if (!existing.has(region)) throw invalidParameter(`Secret is not replicated to region ${region}.`);
  for (const region of regions) {
    const other = inRegion(state, region);
    if (other.find(secret.name)?.primaryRegion === state.region) other.remove(secret.name);
  }
  return state.update(secret.name, (draft) => {
    const left = (draft.replicas ?? []).filter(({ region }) => !regions.includes(region));
    if (left.length) draft.replicas = left;
    else delete draft.replicas;
  });
}

/** Makes a replica an independent secret and removes it from its primary secret. */
export function promote(state: SecretsState, secret: Secret): Secret {
  const primary = inRegion(state, secret.primaryRegion!);
  if (primary.find(secret.name)?.replicas)
    primary.update(secret.name, (draft) => {
      const left = draft.replicas!.filter(({ region }) => region !== state.region);
      if (left.length) draft.replicas = left;
      else delete draft.replicas;
    });
  return state.update(secret.name, (draft) => {
    delete draft.primaryRegion;
    delete draft.rotation;
  });
}
