import type { CreateSecretRequest, InputOf, OutputOf } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { describeInProgress, describeSecret } from '../describe.ts';
import { invalidParameter, invalidRequest, secretsmanagerError } from '../errors.ts';
import { anySecret, checkId, checkName, lookUp, primarySecret, refuseReplica } from '../lookup.ts';
import type { SecretRecord } from '../records.ts';
import { addReplicas, checkRegions, replicate } from '../replication.ts';
import type { Secret } from '../state.ts';
import { tagging } from '../tags.ts';
import { fingerprintOf, givenValue, usesDefaultKey } from '../values.ts';
import { addVersion, checkToken, reseal, tokenInUse } from '../versions.ts';

const DAY = 86_400_000;
/** Default recovery window in days. */
const DEFAULT_WINDOW = 30;

const alreadyExists = (name: string) =>
  secretsmanagerError('ResourceExistsException', `The operation failed because the secret ${name} already exists.`);

/**
 * Returns the secret that an earlier, identical request created; undefined if the name is free.
 * @throws AwsError `ResourceExistsException`, `InvalidRequestException`
 */
function existing(input: CreateSecretRequest, ctx: SecretsmanagerContext): Secret | undefined {
  const secret = ctx.state.find(input.Name);
  if (!secret) return undefined;
  if (secret.deletedAt !== undefined)
    throw invalidRequest(
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  const { ClientRequestToken: token } = input;
  const value = givenValue(input);
  const version = token === undefined ? undefined : ctx.state.version(secret.name, token);
  if (version?.value === undefined || !value) throw alreadyExists(input.Name);
  if (version.fingerprint !== fingerprintOf(value)) throw tokenInUse(version.id, secret.arn);
  return secret;
}

/**
 * Returns the service that manages a secret, from the part of the name before an exclamation mark; otherwise undefined.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/service-linked-secrets.html
 */
const owningService = (name: string): string | undefined => /^([\w-]+)!/.exec(name)?.[1];

/**
 * Creates a secret, with its first value if given.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
 */
export async function CreateSecret(
  input: InputOf<'CreateSecret'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'CreateSecret'>> {
  const { Name, Description, KmsKeyId, Type, Tags, AddReplicaRegions: regions } = input;
  checkName(Name);
  const token = checkToken(input.ClientRequestToken);
  const value = givenValue(input);
  const tags = Tags && tagging.merge(undefined, Tags);
  if (regions) checkRegions(ctx.state, regions, []);
  const repeated = existing(input, ctx);
  if (repeated) return { ARN: repeated.arn, Name, VersionId: token };
  const now = ctx.clock.now();
  const owner = ctx.principal.type === 'service' ? owningService(Name) : undefined;
  const record: SecretRecord = {
    name: Name,
    arn: ctx.state.newArn(Name),
    createdAt: now,
    changedAt: now,
    stages: {},
    ...(Description && { description: Description }),
    ...(KmsKeyId && { kmsKeyId: KmsKeyId }),
    ...(Type && { type: Type }),
    ...(owner !== undefined && { owningService: owner }),
    ...(tags && { tags }),
  };
  let secret = ctx.state.put(record);
  try {
    if (value) secret = await addVersion(ctx, ctx.state, secret, { id: token, value });
  } catch (error) {
    // If the value cannot be encrypted, the secret is not created.
    if (ctx.state.find(Name)?.arn === record.arn) ctx.state.remove(Name);
    throw error;
  }
  const replicas =
    regions && (await addReplicas(ctx.state, secret, regions, input.ForceOverwriteReplicaSecret ?? false));
  return {
    ARN: secret.arn,
    Name,
    ...(value && { VersionId: token }),
    ...(replicas && { ReplicationStatus: replicas.map(describeInProgress) }),
  };
}

/**
 * Updates the description, key or value of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecret.html
 */
export async function UpdateSecret(
  input: InputOf<'UpdateSecret'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'UpdateSecret'>> {
  const { state, secret: before } = primarySecret(input.SecretId, ctx);
  const value = givenValue(input);
  const token = checkToken(input.ClientRequestToken);
  const { Description: description, KmsKeyId: key, Type: type } = input;
  if (key !== undefined && (usesDefaultKey(key) ? before.kmsKeyId !== undefined : key !== before.kmsKeyId))
    await reseal(ctx, state, before, usesDefaultKey(key) ? undefined : key);
  let secret = state.update(before.name, (draft) => {
    if (description !== undefined) draft.description = description;
    if (type !== undefined) draft.type = type;
    if (key !== undefined)
      if (key === '') delete draft.kmsKeyId;
      else draft.kmsKeyId = key;
    draft.changedAt = state.clock.now();
  });
  if (value) secret = await addVersion(ctx, state, secret, { id: token, value });
  await replicate(state, secret);
  return { ARN: secret.arn, Name: secret.name, ...(value && { VersionId: token }) };
}

/**
 * Returns the metadata of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html
 */
export function DescribeSecret(
  input: InputOf<'DescribeSecret'>,
  ctx: SecretsmanagerContext,
): OutputOf<'DescribeSecret'> {
  const { state, secret } = anySecret(input.SecretId, ctx);
  return describeSecret(secret, state.region);
}

/**
 * Deletes a secret, after a recovery window or immediately.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DeleteSecret.html
 */
export function DeleteSecret(input: InputOf<'DeleteSecret'>, ctx: SecretsmanagerContext): OutputOf<'DeleteSecret'> {
  const { SecretId, RecoveryWindowInDays: days, ForceDeleteWithoutRecovery: force } = input;
  if (force && days !== undefined)
    throw invalidParameter("You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.");
  if (days !== undefined && (days < 7 || days > 30))
    throw invalidParameter('The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).');
  const now = ctx.clock.now();
  checkId(SecretId);
  const target = lookUp(SecretId, ctx);
  if (!target && force) {
    const arn = SecretId.startsWith('arn:') ? SecretId : ctx.state.newArn(SecretId);
    return { ARN: arn, Name: arn.slice(arn.indexOf(':secret:') + ':secret:'.length, -7), DeletionDate: new Date(now) };
  }
  const { state, secret } = target ?? anySecret(SecretId, ctx);
  refuseReplica(secret);
  if (secret.replicas?.length)
    throw invalidParameter(
      `You can't delete secret ${secret.arn} that still has replica regions [${secret.replicas.map(({ region }) => region).join(', ')}].`,
    );
  if (force) {
    state.remove(secret.name);
    return { ARN: secret.arn, Name: secret.name, DeletionDate: new Date(now) };
  }
  if (secret.deletedAt !== undefined)
    throw invalidRequest("You tried to perform the operation on a secret that's currently marked deleted.");
  const purgeAt = now + (days ?? DEFAULT_WINDOW) * DAY;
  state.update(secret.name, (draft) => {
    draft.deletedAt = now;
    draft.purgeAt = purgeAt;
  });
  return { ARN: secret.arn, Name: secret.name, DeletionDate: new Date(purgeAt) };
}

/**
 * Cancels the deletion of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RestoreSecret.html
 */
export function RestoreSecret(input: InputOf<'RestoreSecret'>, ctx: SecretsmanagerContext): OutputOf<'RestoreSecret'> {
  const { state, secret } = anySecret(input.SecretId, ctx);
  refuseReplica(secret);
  state.update(secret.name, (draft) => {
    delete draft.deletedAt;
    delete draft.purgeAt;
  });
  return { ARN: secret.arn, Name: secret.name };
}
