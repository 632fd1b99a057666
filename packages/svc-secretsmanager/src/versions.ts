import type { AwsError } from '@emu/wire';
import { invalidParameter, invalidRequest, limitExceeded, secretsmanagerError } from './errors.ts';
import { CURRENT, PREVIOUS, type SealedValue, type SecretRecord, type SecretValue } from './records.ts';
import type { Secret, SecretsState, Version } from './state.ts';
import { type Caller, fingerprintOf, open, seal } from './values.ts';

/** Limit of versions per secret. Those without a label are evicted first. */
const MAX_VERSIONS = 100;
/** Limit of labels per version. */
const MAX_LABELS = 20;
/** Versions are kept for at least one day. */
const DROPPED_AFTER = 86_400_000;

/** Returns the labels of a version, ordered by name. */
export const labelsOf = ({ stages }: Secret, versionId: string): string[] =>
  Object.keys(stages)
    .filter((stage) => stages[stage] === versionId)
    .sort();

/** Returns labels by version, for versions with labels. */
export function labelsByVersion({ stages }: Secret): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const stage of Object.keys(stages).sort()) {
    const id = stages[stage]!;
    found[id] = [...(found[id] ?? []), stage];
  }
  return found;
}

/**
 * Moves a label to a version. AWSPREVIOUS moves to the version that was current.
 * @param draft the secret being updated
 */
export function moveLabel(draft: SecretRecord, stage: string, versionId: string): void {
  const before = draft.stages[stage];
  draft.stages[stage] = versionId;
  if (stage === CURRENT && before !== undefined && before !== versionId) draft.stages[PREVIOUS] = before;
}

/** A version to add. */
export interface NewVersion {
  id: string;
  value: SecretValue;
  /** Labels of the version; by default AWSCURRENT. The first version of a secret always has it. */
  stages?: readonly string[] | undefined;
}

/**
 * Whether the version with an id has the same value, for repeated requests. These tokens are no IdempotencyTokens: each is
 * the id of a version, which lasts as long as the version and is compared by value only, across operations.
 * @throws AwsError `ResourceExistsException` if it has another value
 */
function isRepeated(state: SecretsState, secret: Secret, { id, value }: NewVersion): boolean {
  const existing = state.version(secret.name, id);
  if (existing?.value === undefined) return false;
  if (existing.fingerprint === fingerprintOf(value)) return true;
  throw tokenInUse(id, secret.arn);
}

/** Creates the error for a token whose version has another value. */
export const tokenInUse = (id: string, arn: string): AwsError =>
  secretsmanagerError(
    'ResourceExistsException',
    `You can't use ClientRequestToken ${id} because that value is already in use for a version of secret ${arn}.`,
  );

/**
 * Adds a version to a secret, or fills the pending version of a rotation.
 * @returns the updated secret
 * @throws AwsError `ResourceExistsException`, `LimitExceededException`, `EncryptionFailure`
 */
export async function addVersion(
  caller: Caller,
  state: SecretsState,
  secret: Secret,
  version: NewVersion,
): Promise<Secret> {
  const { id, value, stages } = version;
  if (stages && new Set(stages).size > MAX_LABELS)
    throw limitExceeded(`You can't attach more than ${MAX_LABELS} staging labels to a version.`);
  if (isRepeated(state, secret, version)) return secret;
  const sealed = await seal(caller, secret.kmsKeyId, { SecretARN: secret.arn, SecretVersionId: id }, value);
  return afterSealing(state, secret, version, sealed);
}

/** Continues after the response of KMS, with the secret as it is by then. */
function afterSealing(
  state: SecretsState,
  before: Secret,
  version: NewVersion,
  sealed: SecretValue | SealedValue,
): Secret {
  const secret = state.find(before.name);
  if (secret?.arn !== before.arn || secret.deletedAt !== undefined)
    throw invalidRequest('The secret was deleted while its value was encrypted.');
  return isRepeated(state, secret, version) ? secret : store(state, secret, version, sealed);
}

function store(
  state: SecretsState,
  secret: Secret,
  { id, value, stages }: NewVersion,
  sealed: SecretValue | SealedValue,
): Secret {
  const { name, kmsKeyId } = secret;
  if (!state.version(name, id)) evictOldest(state, secret);
  const now = state.clock.now();
  state.putVersion({
    secret: name,
    id,
    createdAt: now,
    ...(kmsKeyId && { kmsKeyId }),
    value: sealed,
    fingerprint: fingerprintOf(value),
  });
  return state.update(name, (draft) => {
    draft.changedAt = now;
    const first = draft.stages[CURRENT] === undefined;
    for (const stage of new Set([...(stages ?? [CURRENT]), ...(first ? [CURRENT] : [])])) moveLabel(draft, stage, id);
  });
}

/** Removes the oldest version without a label above the limit. @throws AwsError `LimitExceededException` */
function evictOldest(state: SecretsState, secret: Secret): void {
  const versions = state.versionsOf(secret.name);
  if (versions.length < MAX_VERSIONS) return;
  const labelled = new Set(Object.values(secret.stages));
  const oldest = versions.find(({ id }) => !labelled.has(id));
  if (!oldest || oldest.createdAt > state.clock.now() - DROPPED_AFTER)
    throw limitExceeded(`You can't have more than ${MAX_VERSIONS} versions of a secret.`);
  state.removeVersion(secret.name, oldest.id);
}

/**
 * Encrypts the labelled versions with another key after a change of the secret's key.
 * @throws AwsError `EncryptionFailure`, `DecryptionFailure`
 */
export async function reseal(
  caller: Caller,
  state: SecretsState,
  secret: Secret,
  kmsKeyId: string | undefined,
): Promise<void> {
  const resealed: [Version, SecretValue | SealedValue][] = [];
  for (const id of new Set(Object.values(secret.stages))) {
    const version = state.version(secret.name, id);
    if (version?.value === undefined) continue;
    const context = { SecretARN: secret.arn, SecretVersionId: id };
    const value = await open(caller, context, version.value);
    resealed.push([version, await seal(caller, kmsKeyId, context, value)]);
  }
  for (const [version, value] of resealed)
    if (state.version(secret.name, version.id))
      state.updateVersion(secret.name, version.id, (draft) => {
        draft.value = value;
        if (kmsKeyId) draft.kmsKeyId = kmsKeyId;
        else delete draft.kmsKeyId;
      });
}

/**
 * Returns the version id from an idempotency token. SDKs generate a missing token; raw requests must contain it.
 * @param missing error of the operation for a missing token
 * @throws AwsError `missing`, `InvalidParameterException` for an invalid version id
 */
export function checkToken(
  token: string | undefined,
  missing: 'InvalidRequestException' | 'InvalidParameterException' = 'InvalidRequestException',
): string {
  if (!token)
    throw secretsmanagerError(missing, 'You must provide a ClientRequestToken value. We recommend a UUID-type value.');
  if (!/^[\w-]{32,64}$/.test(token)) throw invalidParameter('ClientRequestToken is not valid.');
  return token;
}
