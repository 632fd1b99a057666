import { type AuthorizationRequest, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { GrantOperation, InputOf, KmsOperations } from '@emu/service-types/kms';
import { type ConditionInput, keyConditions, newKeyConditions } from './condition-keys.ts';
import type { KmsContext } from './context.ts';
import { readHeader } from './cryptography/ciphertext.ts';
import { grantOfToken } from './keys/grants.ts';
import { findKey, type KeyTarget, keyOfCiphertext } from './lookup.ts';
import { isNamed } from './principals.ts';
import type { GrantRecord } from './records.ts';
import { aliasType, bareName } from './resources.ts';
import type { KmsState } from './state.ts';

type Context = Readonly<Record<string, string>> | undefined;

/** Operations without a key, although some of their inputs have a `KeyId`. */
const WITHOUT_KEY: ReadonlySet<string> = new Set(['ListAliases', 'ListRetirableGrants']);

/**
 * Whether the constraints of a grant match an encryption context.
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_GrantConstraints.html
 */
function matchesConstraints(
  grant: Readonly<Pick<GrantRecord, 'encryptionContextSubset' | 'encryptionContextEquals'>>,
  context: Context,
): boolean {
  const { encryptionContextSubset: subset, encryptionContextEquals: equals } = grant;
  const given = Object.entries(context ?? {});
  if (equals && (given.length !== Object.keys(equals).length || given.some(([key, value]) => equals[key] !== value)))
    return false;
  return Object.entries(subset ?? {}).every(([key, value]) => context?.[key] === value);
}

/** Operations with an encryption context, to which the constraints of grants apply. */
const CONSTRAINED: ReadonlySet<string> = new Set([
  'Decrypt',
  'Encrypt',
  'GenerateDataKey',
  'GenerateDataKeyPair',
  'GenerateDataKeyPairWithoutPlaintext',
  'GenerateDataKeyWithoutPlaintext',
  'ReEncryptFrom',
  'ReEncryptTo',
]);

/** Whether a grant allows an operation on a key. */
function isGranted(operation: string, { key, state }: KeyTarget, context: Context, { principal }: KmsContext): boolean {
  return state
    .grantsOf(key.id)
    .some(
      (grant) =>
        grant.operations.includes(operation as GrantOperation) &&
        isNamed(grant.granteePrincipal, principal) &&
        (!CONSTRAINED.has(operation) || matchesConstraints(grant, context)),
    );
}

/**
 * Whether a grant allows the caller to create another one, which must not allow more.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/grants.html#grant-concepts
 */
function canDelegate(
  { Operations, Constraints = {} }: InputOf<'CreateGrant'>,
  { key, state }: KeyTarget,
  { principal }: KmsContext,
): boolean {
  const { EncryptionContextEquals: equals, EncryptionContextSubset: subset } = Constraints;
  return state
    .grantsOf(key.id)
    .some(
      (grant) =>
        grant.operations.includes('CreateGrant') &&
        isNamed(grant.granteePrincipal, principal) &&
        Operations.every((operation) => grant.operations.includes(operation)) &&
        (grant.encryptionContextEquals ? equals !== undefined : true) &&
        matchesConstraints(grant, equals ?? subset),
    );
}

/** Returns the permission for an operation on a key. The key policy or a grant must allow it. */
function onKey(operation: string, target: KeyTarget, input: ConditionInput, ctx: KmsContext): AuthorizationRequest {
  const { key, state, arn } = target;
  return {
    action: `kms:${operation}`,
    resource: arn,
    resourcePolicy: { id: key.id, document: key.policy, type: 'resource', mandatory: true },
    condition: keyConditions(operation, input, key, state),
    granted: () => isGranted(operation, target, input.EncryptionContext, ctx),
  };
}

/** Identifies the key for decryption: the one named by the request, otherwise the one in the ciphertext. */
async function sourceKey(id: string | undefined, blob: Uint8Array | undefined, ctx: KmsContext): Promise<KeyTarget> {
  return id === undefined ? keyOfCiphertext(readHeader(blob ?? new Uint8Array()).keyId, ctx) : findKey(id, ctx);
}

/** Returns the permission for an alias, which only identity policies can allow. */
function onAlias(operation: string, name: string, ctx: KmsContext): AuthorizationRequest {
  return permissionOn(`kms:${operation}`, aliasType, { key: { name: bareName(name) }, place: ctx }, ctx.handle);
}

const anywhere = (operation: string): AuthorizationRequest => ({ action: `kms:${operation}`, resource: '*' });

/** Grants can be retired by the principals named in them and by the account that created them. */
async function retiring(input: InputOf<'RetireGrant'>, ctx: KmsContext): Promise<AuthorizationRequest> {
  const { GrantToken: token, KeyId: id, GrantId: grantId } = input;
  if (token === undefined && id === undefined) return anywhere('RetireGrant');
  const named = token === undefined ? undefined : grantOfToken(token, ctx);
  const grant = named?.grant;
  const target = await findKey(named ? named.state.arnOf(named.grant.keyId) : id!, ctx);
  const retired = grant ?? (grantId === undefined ? undefined : target.state.grants.get(grantId));
  return {
    ...onKey('RetireGrant', target, input, ctx),
    granted: () =>
      retired !== undefined &&
      (isNamed(retired.retiringPrincipal, ctx.principal) ||
        retired.issuingAccount === ctx.principal.arn ||
        (retired.operations.includes('RetireGrant') && isNamed(retired.granteePrincipal, ctx.principal))),
  };
}

/**
 * Permissions that the operations of KMS require. The key policy must allow every operation on a key, directly or by
 * delegation to the account's policies. Grants add permissions.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/kms-api-permissions-reference.html
 */
export const authorization: ServiceAuthorization<KmsOperations, KmsState> = {
  tagOnCreate: { CreateKey: 'TagResource' },
  operations: {
    CreateKey: (input) => ({ ...anywhere('CreateKey'), condition: newKeyConditions(input) }),
    Decrypt: async (input, ctx) =>
      onKey('Decrypt', await sourceKey(input.KeyId, input.CiphertextBlob, ctx), input, ctx),
    ReEncrypt: async (input, ctx) => {
      const source = await sourceKey(input.SourceKeyId, input.CiphertextBlob, ctx);
      const destination = await findKey(input.DestinationKeyId, ctx);
      const SameKey = source.arn === destination.arn;
      return [
        onKey(
          'ReEncryptFrom',
          source,
          {
            KeyId: input.SourceKeyId,
            EncryptionAlgorithm: input.SourceEncryptionAlgorithm,
            EncryptionContext: input.SourceEncryptionContext,
            SameKey,
          },
          ctx,
        ),
        onKey(
          'ReEncryptTo',
          destination,
          {
            KeyId: input.DestinationKeyId,
            EncryptionAlgorithm: input.DestinationEncryptionAlgorithm,
            EncryptionContext: input.DestinationEncryptionContext,
            SameKey,
          },
          ctx,
        ),
      ];
    },
    CreateAlias: async ({ AliasName, TargetKeyId }, ctx) => [
      onAlias('CreateAlias', AliasName, ctx),
      onKey('CreateAlias', await findKey(TargetKeyId, ctx), {}, ctx),
    ],
    UpdateAlias: async ({ AliasName, TargetKeyId }, ctx) => {
      const alias = ctx.state.aliases.get(AliasName);
      return [
        onAlias('UpdateAlias', AliasName, ctx),
        ...(alias ? [onKey('UpdateAlias', await findKey(alias.keyId, ctx), {}, ctx)] : []),
        onKey('UpdateAlias', await findKey(TargetKeyId, ctx), {}, ctx),
      ];
    },
    DeleteAlias: async ({ AliasName }, ctx) => {
      const alias = ctx.state.aliases.get(AliasName);
      return [
        onAlias('DeleteAlias', AliasName, ctx),
        ...(alias ? [onKey('DeleteAlias', await findKey(alias.keyId, ctx), {}, ctx)] : []),
      ];
    },
    CreateGrant: async (input, ctx) => {
      const target = await findKey(input.KeyId, ctx);
      return { ...onKey('CreateGrant', target, input, ctx), granted: () => canDelegate(input, target, ctx) };
    },
    RetireGrant: retiring,
  },
  otherwise: async (operation, input, ctx) => {
    const { KeyId: id } = input as ConditionInput;
    if (id === undefined || WITHOUT_KEY.has(operation)) return anywhere(operation);
    return onKey(operation, await findKey(id, ctx), input as ConditionInput, ctx);
  },
};
