import { numericKey, whenReady } from '@emu/core/service';
import type {
  BatchGetSecretValueResponse,
  GetSecretValueResponse,
  InputOf,
  OutputOf,
} from '@emu/service-types/secretsmanager';
import { AwsError } from '@emu/wire';
import type { SecretsmanagerContext } from '../context.ts';
import { dateOf } from '../describe.ts';
import { invalidParameter, invalidRequest, limitExceeded, secretNotFound, valueNotFound } from '../errors.ts';
import { matcherOf } from '../filters.ts';
import { anySecret, liveSecret, primarySecret } from '../lookup.ts';
import { oldestFirst, paging } from '../paging.ts';
import { CURRENT, type SecretValue } from '../records.ts';
import { replicate } from '../replication.ts';
import type { Secret, SecretsState, Version } from '../state.ts';
import { describeValue, givenValue, open, usesDefaultKey } from '../values.ts';
import { addVersion, checkToken, labelsOf, moveLabel } from '../versions.ts';

const DAY = 86_400_000;
/** Page size of a batch. */
const MAX_BATCH_SIZE = 20;

/**
 * Adds a value to a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
 */
export async function PutSecretValue(
  input: InputOf<'PutSecretValue'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'PutSecretValue'>> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const value = givenValue(input);
  if (!value) throw invalidRequest('You must provide either SecretString or SecretBinary.');
  const id = checkToken(input.ClientRequestToken);
  const changed = await addVersion(ctx, state, secret, { id, value, stages: input.VersionStages });
  await replicate(state, changed);
  return { ARN: changed.arn, Name: changed.name, VersionId: id, VersionStages: labelsOf(changed, id) };
}

/**
 * Returns the version with an id, a label or both; by default the current one.
 * @throws AwsError `ResourceNotFoundException`, `InvalidRequestException`
 */
function versionAt(state: SecretsState, secret: Secret, id: string | undefined, stage: string | undefined): Version {
  if (id !== undefined) {
    const version = state.version(secret.name, id);
    if (version && stage !== undefined && secret.stages[stage] !== id)
      throw invalidRequest('You provided a VersionStage that is not associated to the provided VersionId.');
    if (version?.value === undefined) throw valueNotFound(`VersionId: ${id}`);
    return version;
  }
  const label = stage ?? CURRENT;
  const labelled = secret.stages[label];
  const version = labelled === undefined ? undefined : state.version(secret.name, labelled);
  if (version?.value === undefined) throw valueNotFound(`staging label: ${label}`);
  return version;
}

/** Records the day on which a version was read, once a day. */
function recordAccess(state: SecretsState, secret: Secret, version: Version): void {
  const today = Math.floor(state.clock.now() / DAY) * DAY;
  if (secret.accessedAt !== today)
    state.update(secret.name, (draft) => {
      draft.accessedAt = today;
    });
  if (version.accessedAt !== today)
    state.updateVersion(secret.name, version.id, (draft) => {
      draft.accessedAt = today;
    });
}

/**
 * Returns the value of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export function GetSecretValue(
  input: InputOf<'GetSecretValue'>,
  ctx: SecretsmanagerContext,
): OutputOf<'GetSecretValue'> | Promise<OutputOf<'GetSecretValue'>> {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  const version = versionAt(state, secret, input.VersionId, input.VersionStage);
  const answer = (value: SecretValue): GetSecretValueResponse => {
    if (state.find(secret.name) && state.version(secret.name, version.id)) recordAccess(state, secret, version);
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: version.id,
      ...describeValue(value),
      VersionStages: labelsOf(secret, version.id),
      CreatedDate: new Date(version.createdAt),
    };
  };
  // The policy of the AWS managed key admits no other account.
  if (state.accountId !== ctx.accountId && usesDefaultKey(version.kmsKeyId))
    throw invalidRequest(
      "You can't access a secret from a different AWS account if you encrypt the secret with the default KMS service key.",
    );
  const value = open(ctx, { SecretARN: secret.arn, SecretVersionId: version.id }, version.value!);
  return whenReady(value, answer);
}

/**
 * Returns the values of several secrets, by id or by filter.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_BatchGetSecretValue.html
 */
export async function BatchGetSecretValue(
  input: InputOf<'BatchGetSecretValue'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'BatchGetSecretValue'>> {
  const { SecretIdList: ids, Filters: filters, MaxResults: limit, NextToken: token } = input;
  if ((ids === undefined) === (filters === undefined))
    throw invalidParameter('Either SecretIdList or Filters must be provided, but not both.');
  if (ids !== undefined && (limit !== undefined || token !== undefined))
    throw invalidParameter("'NextToken' and 'MaxResults' can only be used with Filters.");
  const page =
    filters &&
    paging.page(
      'BatchGetSecretValue',
      input,
      ctx.state
        .list()
        .filter((secret) => secret.deletedAt === undefined)
        .filter(matcherOf(filters, ctx.state.region)),
      oldestFirst,
      { defaultLimit: MAX_BATCH_SIZE },
    );
  const answer: BatchGetSecretValueResponse = { SecretValues: [], Errors: [] };
  for (const SecretId of ids ?? page!.items.map(({ arn }) => arn))
    try {
      // Each secret requires the permission to read it.
      const value = await ctx.call('secretsmanager', 'GetSecretValue', { SecretId }, { authorize: {} });
      answer.SecretValues!.push(value);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      answer.Errors!.push({ SecretId, ErrorCode: error.code, Message: error.message });
    }
  return { ...answer, ...page?.next };
}

/**
 * Lists the versions of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecretVersionIds.html
 */
export function ListSecretVersionIds(
  input: InputOf<'ListSecretVersionIds'>,
  ctx: SecretsmanagerContext,
): OutputOf<'ListSecretVersionIds'> {
  const { state, secret } = anySecret(input.SecretId, ctx);
  const versions = state
    .versionsOf(secret.name)
    .map((version) => ({ version, labels: labelsOf(secret, version.id) }))
    .filter(({ labels }) => labels.length > 0 || input.IncludeDeprecated);
  const { items, next } = paging.page(
    'ListSecretVersionIds',
    input,
    versions,
    ({ version }) => `${numericKey(version.createdAt)} ${version.id}`,
  );
  return {
    ARN: secret.arn,
    Name: secret.name,
    Versions: items.map(({ version, labels }) => ({
      VersionId: version.id,
      ...(labels.length && { VersionStages: labels }),
      LastAccessedDate: dateOf(version.accessedAt),
      CreatedDate: new Date(version.createdAt),
      KmsKeyIds: [version.kmsKeyId ?? 'DefaultEncryptionKey'],
    })),
    ...next,
  };
}

/**
 * Moves a staging label to another version, or removes it.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
export async function UpdateSecretVersionStage(
  input: InputOf<'UpdateSecretVersionStage'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'UpdateSecretVersionStage'>> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const { VersionStage: stage, RemoveFromVersionId: from, MoveToVersionId: to } = input;
  if (from === undefined && to === undefined)
    throw invalidParameter('You must specify RemoveFromVersionId, MoveToVersionId or both.');
  const holder = secret.stages[stage];
  for (const id of [from, to])
    if (id !== undefined && !state.version(secret.name, id)) throw valueNotFound(`VersionId: ${id}`);
  if (from !== undefined && holder !== from)
    throw invalidParameter(
      `The parameter RemoveFromVersionId can't be ${from}. Staging label ${stage} is not attached to that version.`,
    );
  if (to === undefined) {
    if (stage === CURRENT)
      throw invalidParameter(
        'You can only move staging label AWSCURRENT to a different secret version. It can’t be completely removed.',
      );
  } else if (from === undefined && holder !== undefined && holder !== to)
    throw invalidParameter(
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${holder}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  if (to !== undefined && labelsOf(secret, to).length >= 20 && holder !== to)
    throw limitExceeded("You can't attach more than 20 staging labels to a version.");
  const changed = state.update(secret.name, (draft) => {
    if (to === undefined) delete draft.stages[stage];
    else moveLabel(draft, stage, to);
    draft.changedAt = state.clock.now();
  });
  await replicate(state, changed);
  if (!state.find(changed.name)) throw secretNotFound();
  return { ARN: changed.arn, Name: changed.name };
}
