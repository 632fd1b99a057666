import type { InputOf, OutputOf } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { anySecret, liveSecret, primarySecret } from '../lookup.ts';
import { checkPolicy, validatePolicy } from '../policy.ts';
import { replicate } from '../replication.ts';

/**
 * Sets the policy of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutResourcePolicy.html
 */
export async function PutResourcePolicy(
  input: InputOf<'PutResourcePolicy'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'PutResourcePolicy'>> {
  const found = primarySecret(input.SecretId, ctx);
  await checkPolicy(input.ResourcePolicy, input.BlockPublicPolicy ?? false, found.state.accountId, ctx);
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const changed = state.update(secret.name, (draft) => {
    draft.policy = input.ResourcePolicy;
  });
  await replicate(state, changed);
  return { ARN: secret.arn, Name: secret.name };
}

/**
 * Returns the policy of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetResourcePolicy.html
 */
export function GetResourcePolicy(
  input: InputOf<'GetResourcePolicy'>,
  ctx: SecretsmanagerContext,
): OutputOf<'GetResourcePolicy'> {
  const { secret } = liveSecret(input.SecretId, ctx);
  return { ARN: secret.arn, Name: secret.name, ResourcePolicy: secret.policy };
}

/**
 * Deletes the policy of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DeleteResourcePolicy.html
 */
export async function DeleteResourcePolicy(
  input: InputOf<'DeleteResourcePolicy'>,
  ctx: SecretsmanagerContext,
): Promise<OutputOf<'DeleteResourcePolicy'>> {
  const { state, secret } = primarySecret(input.SecretId, ctx);
  const changed = state.update(secret.name, (draft) => {
    delete draft.policy;
  });
  await replicate(state, changed);
  return { ARN: secret.arn, Name: secret.name };
}

/**
 * Validates a policy without setting it.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ValidateResourcePolicy.html
 */
export function ValidateResourcePolicy(
  input: InputOf<'ValidateResourcePolicy'>,
  ctx: SecretsmanagerContext,
): OutputOf<'ValidateResourcePolicy'> {
  if (input.SecretId !== undefined) anySecret(input.SecretId, ctx);
  const errors = validatePolicy(input.ResourcePolicy);
  return { PolicyValidationPassed: errors.length === 0, ValidationErrors: errors };
}
