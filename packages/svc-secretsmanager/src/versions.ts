import type { AwsError } from '@emu/wire';
import { invalidParameter, invalidRequest, limitExceeded, secretsError } from './errors.ts';
import { CURRENT, PREVIOUS, type SealedValue, type SecretRecord, type SecretValue } from './records.ts';
import type { Secret, SecretsState, Version } from './state.ts';
import { type Caller, fingerprintOf, open, seal } from './values.ts';

/** Most versions of a secret that are kept; those without a label go first. */
const MAX_VERSIONS = 100;
/** Most labels of a version. */
const MAX_LABELS = 20;
/** Versions are not dropped before they are a day old. */
const DROPPED_AFTER = 86_400_000;

/** Labels of a version, in order of names. */
export const labelsOf = ({ stages }: Secret, versionId: string): string[] =>
  Object.keys(stages)
    .filter((stage) => stages[stage] === versionId)
    .sort();

/** Labels by version, for versions that have any. */
export function labelsByVersion({ stages }: Secret): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const stage of Object.keys(stages).sort()) {
    const id = stages[stage]!;
    found[id] = [...(found[id] ?? []), stage];
  }
  return found;
}

/**
 * Gives a label to a version; the one that was current until then is the previous one.
 * @param draft a secret that is being changed
 */
export function moveLabel(draft: SecretRecord, stage: string, versionId: string): void {
  const before = draft.stages[stage];
  draft.stages[stage] = versionId;
  if (stage === CURRENT && before !== undefined && before !== versionId) draft.stages[PREVIOUS] = before;
}

/** A version to be made. */
export interface NewVersion {
  id: string;
  value: SecretValue;
  /** Labels it gets; the current one by default. The first version of a secret gets that in any case. */
  stages?: readonly string[] | undefined;
}

/**
 * Whether a version of an id holds the value already, for requests that are repeated.
 * @throws AwsError `ResourceExistsException` where it holds another value
 */
function isRepeated(state: SecretsState, secret: Secret, { id, value }: NewVersion): boolean {
  const existing = state.version(secret.name, id);
  if (existing?.value === undefined) return false;
  if (existing.fingerprint === fingerprintOf(value)) return true;
  throw tokenInUse(id, secret.arn);
}

/** The refusal of a token under which a version has another value. */
export const tokenInUse = (id: string, arn: string): AwsError =>
  secretsError(
    'ResourceExistsException',
    `You can't use ClientRequestToken ${id} because that value is already in use for a version of secret ${arn}.`,
  );

/**
 * Adds a version to a secret, or fills the one that a rotation has announced.
 * @returns the secret as it is then
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

/** Goes on when KMS has answered, with the secret as it is by then. */
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
  if (!state.version(name, id)) makeRoom(state, secret);
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

/** Drops the oldest version without a label where there are too many. @throws AwsError `LimitExceededException` */
function makeRoom(state: SecretsState, secret: Secret): void {
  const versions = state.versionsOf(secret.name);
  if (versions.length < MAX_VERSIONS) return;
  const labelled = new Set(Object.values(secret.stages));
  const oldest = versions.find(({ id }) => !labelled.has(id));
  if (!oldest || oldest.createdAt > state.clock.now() - DROPPED_AFTER)
    throw limitExceeded(`You can't have more than ${MAX_VERSIONS} versions of a secret.`);
  state.removeVersion(secret.name, oldest.id);
}

/**
 * Encrypts the versions in use with another key, as a change of a secret's key does.
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
 * A version of a client's token. SDKs make one up where the caller gives none; raw requests must have it.
 * @param missing the error that the operation refuses requests without a token with
 * @throws AwsError `missing`, `InvalidParameterException` for one that cannot be part of an id
 */
export function checkToken(
  token: string | undefined,
  missing: 'InvalidRequestException' | 'InvalidParameterException' = 'InvalidRequestException',
): string {
  if (!token)
    throw secretsError(missing, 'You must provide a ClientRequestToken value. We recommend a UUID-type value.');
  if (!/^[\w-]{32,64}$/.test(token)) throw invalidParameter('ClientRequestToken is not valid.');
  return token;
}
