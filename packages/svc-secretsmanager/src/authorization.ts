import { type AuthorizationRequest, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { SecretsmanagerOperations } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from './context.ts';
import { addressOf, lookUp } from './lookup.ts';
import { idOf, secretType } from './resources.ts';

/** Input members used by condition keys. */
interface ConditionInput {
  SecretId?: string | undefined;
  Name?: string | undefined;
  Description?: string | undefined;
  KmsKeyId?: string | undefined;
  VersionId?: string | undefined;
  VersionStage?: string | undefined;
  RotationLambdaARN?: string | undefined;
  RecoveryWindowInDays?: number | undefined;
  ForceDeleteWithoutRecovery?: boolean | undefined;
  BlockPublicPolicy?: boolean | undefined;
  ForceOverwriteReplicaSecret?: boolean | undefined;
  RotateImmediately?: boolean | undefined;
  AddReplicaRegions?: { Region?: string | undefined }[] | undefined;
}

/** Operations without a secret. */
const WITHOUT_SECRET: ReadonlySet<string> = new Set(['BatchGetSecretValue', 'GetRandomPassword', 'ListSecrets']);

const text = (value: number | boolean | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** Values of the service's condition keys, keyed by lower-case name without prefix. */
function conditionOf(key: string, input: ConditionInput, ctx: SecretsmanagerContext): string | string[] | undefined {
  const target = input.SecretId === undefined ? undefined : lookUp(input.SecretId, ctx);
  switch (key) {
    case 'name':
      return input.Name;
    case 'secretid':
      return target?.secret.arn ?? input.SecretId;
    case 'description':
      return input.Description;
    case 'kmskeyid':
    case 'kmskeyarn':
      return input.KmsKeyId;
    case 'versionid':
      return input.VersionId;
    case 'versionstage':
      return input.VersionStage;
    case 'rotationlambdaarn':
      return input.RotationLambdaARN;
    case 'resource/allowrotationlambdaarn':
      return target?.secret.rotation?.lambdaArn;
    case 'recoverywindowindays':
      return text(input.RecoveryWindowInDays);
    case 'forcedeletewithoutrecovery':
      return text(input.ForceDeleteWithoutRecovery);
    case 'blockpublicpolicy':
      return text(input.BlockPublicPolicy);
    case 'forceoverwritereplicasecret':
      return text(input.ForceOverwriteReplicaSecret);
    case 'rotateimmediately':
      return text(input.RotateImmediately);
    case 'secretprimaryregion':
      return target?.secret.primaryRegion ?? target?.state.region;
    case 'addreplicaregions':
      return input.AddReplicaRegions?.flatMap(({ Region }) => Region ?? []);
    default:
      return undefined;
  }
}

const PREFIX = 'secretsmanager:';

/** Returns the permission for an action on a secret, whether it exists or not. */
function onSecret(
  operation: string,
  id: string,
  input: ConditionInput,
  ctx: SecretsmanagerContext,
): AuthorizationRequest {
  const target = lookUp(id, ctx);
  const { accountId, name } = addressOf(id, ctx);
  const address = { key: { id: target ? idOf(target.secret) : name }, place: { accountId, region: ctx.region } };
  const request = permissionOn(`${PREFIX}${operation}`, secretType, address, ctx.handle);
  return {
    ...request,
    condition: (key) => {
      if (!key.startsWith(PREFIX)) return request.condition?.(key);
      const own = key.slice(PREFIX.length);
      return own.startsWith('resourcetag/') ? request.condition?.(`aws:${own}`) : conditionOf(own, input, ctx);
    },
  };
}

/**
 * Permissions that the operations of Secrets Manager require.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html
 */
export const authorization: ServiceAuthorization<SecretsmanagerOperations, SecretsmanagerContext['state']> = {
  roles: { RotateSecret: { ExternalSecretRotationRoleArn: 'secretsmanager' } },
  tagOnCreate: { CreateSecret: 'TagResource' },
  operations: {
    CreateSecret: (input, ctx) => onSecret('CreateSecret', input.Name, input, ctx),
    // The caller needs permission to invoke the rotation function.
    RotateSecret: (input, ctx) => {
      const rotate = onSecret('RotateSecret', input.SecretId, input, ctx);
      const { RotationLambdaARN: resource } = input;
      return resource === undefined ? rotate : [rotate, { action: 'lambda:InvokeFunction', resource }];
    },
  },
  otherwise: (operation, input, ctx) => {
    const { SecretId: id } = input as ConditionInput;
    if (id === undefined || WITHOUT_SECRET.has(operation)) return { action: `${PREFIX}${operation}`, resource: '*' };
    return onSecret(operation, id, input as ConditionInput, ctx);
  },
};
