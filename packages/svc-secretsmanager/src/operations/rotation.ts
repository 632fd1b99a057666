import type { InputOf, OutputOf } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { invalidParameter, invalidRequest } from '../errors.ts';
import { primarySecret } from '../lookup.ts';
import { PENDING, type RotationRecord } from '../records.ts';
import { beginRotation, refusedFunction, scheduled, testRotation } from '../rotation.ts';
import { checkRules } from '../rotation-rules.ts';
import { checkToken } from '../versions.ts';

/**
 * Configures the rotation of a secret and starts one, unless the request waits for the schedule.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
export async function RotateSecret(
  input: InputOf<'RotateSecret'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'RotateSecret'>> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const versionId = checkToken(input.ClientRequestToken, 'InvalidParameterException');
  const { RotationLambdaARN, RotationRules: rules, RotateImmediately: immediately = true } = input;
  const lambdaArn = RotationLambdaARN || secret.rotation?.lambdaArn;
  if (lambdaArn === undefined) throw invalidRequest('No Lambda rotation function ARN is associated with this secret.');
  if (rules) checkRules(rules);
  if (state.version(secret.name, versionId)?.value !== undefined)
    throw invalidParameter(`The version ${versionId} of the secret exists already.`);
  const refusal = await refusedFunction(state, secret, lambdaArn, ctx.requestId);
  if (refusal) ctx.wouldRefuse(refusal);
  const now = state.clock.now();
  const before = secret.rotation;
  const rotation: RotationRecord = {
    ...(before && (structuredClone(before) as RotationRecord)),
    enabled: true,
    lambdaArn,
    startedAt: rules || !before ? now : before.startedAt,
    ...(rules && { rules: structuredClone(rules) }),
    ...(input.ExternalSecretRotationMetadata && {
      externalMetadata: input.ExternalSecretRotationMetadata.map(({ Key, Value }) => ({
        Key: Key ?? '',
        Value: Value ?? '',
      })),
    }),
    ...(input.ExternalSecretRotationRoleArn && { externalRoleArn: input.ExternalSecretRotationRoleArn }),
  };
  const updated = state.update(secret.name, (draft) => {
    draft.rotation = scheduled(rotation, now);
    draft.changedAt = now;
  });
  const run = { versionId, cause: ctx.requestId };
  if (immediately) beginRotation(state, updated, run);
  else testRotation(state, updated, run);
  return { ARN: updated.arn, Name: updated.name, VersionId: versionId };
}

/**
 * Ends the scheduled rotation of a secret and cancels one in progress.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CancelRotateSecret.html
 */
export function CancelRotateSecret(
  input: InputOf<'CancelRotateSecret'>,
  ctx: SecretsmanagerContext,
): OutputOf<'CancelRotateSecret'> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  if (!secret.rotation) throw invalidRequest('No Lambda rotation function ARN is associated with this secret.');
  const pending = secret.rotation.pendingId;
  state.update(secret.name, (draft) => {
    const { nextAt: _next, windowEndsAt: _end, pendingId: _pending, running: _running, ...rotation } = draft.rotation!;
    draft.rotation = { ...rotation, enabled: false };
    draft.changedAt = state.clock.now();
  });
  return {
    ARN: secret.arn,
    Name: secret.name,
    ...(pending !== undefined && secret.stages[PENDING] === pending && { VersionId: pending }),
  };
}
