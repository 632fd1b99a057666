import type { AwsError } from '@emu/wire';
import type { SecretsmanagerContext } from './context.ts';
import { invalidParameter, markedForDeletion, secretNotFound, secretsmanagerError } from './errors.ts';
import { secretType } from './resources.ts';
import type { Secret, SecretsState } from './state.ts';

/** A secret with its account and region. */
export interface SecretTarget {
  state: SecretsState;
  secret: Secret;
}

/** Returns account and name of a secret id. The name may include the random suffix of an ARN. */
export function addressOf(id: string, ctx: SecretsmanagerContext): { accountId: string; name: string; full: boolean } {
  const address = secretType.parse(id);
  if (address?.place.region !== ctx.region) return { accountId: ctx.accountId, name: id, full: false };
  return { accountId: address.place.accountId, name: address.key.id, full: true };
}

/** @throws AwsError `ValidationException` for an invalid secret name */
export function checkName(name: string): void {
  if (!/^[\w/+=.@!-]+$/.test(name))
    throw secretsmanagerError(
      'ValidationException',
      'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
    );
}

/** @throws AwsError `ValidationException` for an invalid ARN or name */
export function checkId(id: string): void {
  if (!id.startsWith('arn:')) checkName(id);
}

/** Returns the secret with a name, an ARN, or an ARN without its random suffix; undefined if it does not exist. */
export function lookUp(id: string, ctx: SecretsmanagerContext): SecretTarget | undefined {
  const { accountId, name, full } = addressOf(id, ctx);
  const state = ctx.handle.existingState(accountId, ctx.region);
  if (!state) return undefined;
  const secret = state.find(name.slice(0, full ? -'-XXXXXX'.length : undefined));
  if (secret && (!full || secret.arn === id)) return { state, secret };
  // An ARN that looks complete is treated as complete.
  if (!full || /-[A-Za-z0-9]{6}$/.test(name)) return undefined;
  const partial = state.find(name);
  return partial && { state, secret: partial };
}

/**
 * Returns the secret with an id.
 * @throws AwsError `ValidationException`, `ResourceNotFoundException`, `AccessDeniedException`
 */
export function anySecret(id: string, ctx: SecretsmanagerContext): SecretTarget {
  checkId(id);
  const target = lookUp(id, ctx);
  if (!target) throw secretNotFound();
  // Without a policy, other accounts have no access. With policies enforced, authorization checks the policy.
  if (target.state.accountId !== ctx.accountId && target.secret.policy === undefined) throw accessDenied(target, ctx);
  return target;
}

function accessDenied({ secret }: SecretTarget, { operation, principal }: SecretsmanagerContext): AwsError {
  const action = `secretsmanager:${operation}`;
  return secretsmanagerError(
    'AccessDeniedException',
    `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${secret.arn} because no resource-based policy allows the ${action} action`,
  );
}

/**
 * Returns the secret with an id, for operations that reject secrets scheduled for deletion.
 * @throws AwsError `ResourceNotFoundException`, `InvalidRequestException`
 */
export function liveSecret(id: string, ctx: SecretsmanagerContext): SecretTarget {
  const target = anySecret(id, ctx);
  if (target.secret.deletedAt !== undefined) throw markedForDeletion();
  return target;
}

/**
 * Returns the secret with an id, for operations that reject replicas and secrets scheduled for deletion.
 * @throws AwsError `ResourceNotFoundException`, `InvalidRequestException`, `InvalidParameterException`
 */
export function primarySecret(id: string, ctx: SecretsmanagerContext): SecretTarget {
  const target = liveSecret(id, ctx);
  refuseReplica(target.secret);
  return target;
}

/** @throws AwsError `InvalidParameterException` for a replica */
export function refuseReplica({ primaryRegion }: Secret): void {
  if (primaryRegion !== undefined)
    throw invalidParameter(
      "Operation not permitted on a replica secret. Call must be made in primary secret's region.",
    );
}
