import { type ContextValue, tagCondition } from '@emu/core/service';
import type { CreateKeyRequest } from '@emu/service-types/kms';
import type { Key } from './records.ts';
import type { KmsState } from './state.ts';
import { tagging } from './tags.ts';

/** Input members used by condition keys. */
export interface ConditionInput {
  KeyId?: string | undefined;
  BypassPolicyLockoutSafetyCheck?: boolean | undefined;
  Constraints?:
    | { EncryptionContextEquals?: object | undefined; EncryptionContextSubset?: object | undefined }
    | undefined;
  CustomKeyStoreId?: string | undefined;
  EncryptionAlgorithm?: string | undefined;
  EncryptionContext?: Record<string, string> | undefined;
  ExpirationModel?: string | undefined;
  GranteePrincipal?: string | undefined;
  KeyAgreementAlgorithm?: string | undefined;
  KeyPairSpec?: string | undefined;
  MacAlgorithm?: string | undefined;
  MessageType?: string | undefined;
  Operations?: string[] | undefined;
  PendingWindowInDays?: number | undefined;
  PrimaryRegion?: string | undefined;
  /** Whether source and destination of ReEncrypt are the same key. */
  SameKey?: boolean | undefined;
  ReplicaRegion?: string | undefined;
  RetiringPrincipal?: string | undefined;
  RotationPeriodInDays?: number | undefined;
  SigningAlgorithm?: string | undefined;
  ValidTo?: Date | undefined;
  WrappingAlgorithm?: string | undefined;
  WrappingKeySpec?: string | undefined;
}

type Finder = (input: ConditionInput) => string | number | boolean | readonly string[] | undefined;

/** Condition keys with values from the request. */
const OF_REQUEST: Readonly<Record<string, Finder>> = {
  'kms:bypasspolicylockoutsafetycheck': ({ BypassPolicyLockoutSafetyCheck }) => BypassPolicyLockoutSafetyCheck,
  'kms:datakeypairspec': ({ KeyPairSpec }) => KeyPairSpec,
  'kms:encryptionalgorithm': ({ EncryptionAlgorithm }) => EncryptionAlgorithm,
  'kms:encryptioncontextkeys': ({ EncryptionContext }) => EncryptionContext && Object.keys(EncryptionContext),
  'kms:expirationmodel': ({ ExpirationModel }) => ExpirationModel,
  'kms:grantconstrainttype': ({ Constraints }) =>
    Constraints?.EncryptionContextEquals
      ? 'EncryptionContextEquals'
      : Constraints?.EncryptionContextSubset && 'EncryptionContextSubset',
  'kms:granteeprincipal': ({ GranteePrincipal }) => GranteePrincipal,
  'kms:grantoperations': ({ Operations }) => Operations,
  'kms:keyagreementalgorithm': ({ KeyAgreementAlgorithm }) => KeyAgreementAlgorithm,
  'kms:macalgorithm': ({ MacAlgorithm }) => MacAlgorithm,
  'kms:messagetype': ({ MessageType }) => MessageType,
  'kms:reencryptonsamekey': ({ SameKey }) => SameKey,
  'kms:primaryregion': ({ PrimaryRegion }) => PrimaryRegion,
  'kms:replicaregion': ({ ReplicaRegion }) => ReplicaRegion,
  'kms:requestalias': ({ KeyId }) => /(?:^|:)(alias\/.+)$/.exec(KeyId ?? '')?.[1],
  'kms:retiringprincipal': ({ RetiringPrincipal }) => RetiringPrincipal,
  'kms:rotationperiodindays': ({ RotationPeriodInDays }) => RotationPeriodInDays,
  'kms:schedulekeydeletionpendingwindowindays': ({ PendingWindowInDays }) => PendingWindowInDays,
  'kms:signingalgorithm': ({ SigningAlgorithm }) => SigningAlgorithm,
  'kms:validto': ({ ValidTo }) => ValidTo?.toISOString(),
  'kms:wrappingalgorithm': ({ WrappingAlgorithm }) => WrappingAlgorithm,
  'kms:wrappingkeyspec': ({ WrappingKeySpec }) => WrappingKeySpec,
};

const ENCRYPTING = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };

/** Defaults of optional parameters. Conditions see them as if the request contained them. */
const DEFAULTS: Readonly<Record<string, ConditionInput>> = {
  CreateKey: { BypassPolicyLockoutSafetyCheck: false },
  Decrypt: ENCRYPTING,
  EnableKeyRotation: { RotationPeriodInDays: 365 },
  Encrypt: ENCRYPTING,
  GenerateDataKey: ENCRYPTING,
  GenerateDataKeyPair: ENCRYPTING,
  GenerateDataKeyPairWithoutPlaintext: ENCRYPTING,
  GenerateDataKeyWithoutPlaintext: ENCRYPTING,
  ImportKeyMaterial: { ExpirationModel: 'KEY_MATERIAL_EXPIRES' },
  PutKeyPolicy: { BypassPolicyLockoutSafetyCheck: false },
  ReEncryptFrom: ENCRYPTING,
  ReEncryptTo: ENCRYPTING,
  ReplicateKey: { BypassPolicyLockoutSafetyCheck: false },
  ScheduleKeyDeletion: { PendingWindowInDays: 30 },
  Sign: { MessageType: 'RAW' },
  Verify: { MessageType: 'RAW' },
};

/** Returns the input of an operation with the defaults of missing parameters. */
function complete(operation: string, input: ConditionInput): ConditionInput {
  const defaults = DEFAULTS[operation];
  if (!defaults) return input;
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

const CONTEXT = 'kms:encryptioncontext:';

function ofRequest(key: string, input: ConditionInput): ContextValue | undefined {
  if (key.startsWith(CONTEXT)) {
    const name = key.slice(CONTEXT.length);
    return Object.entries(input.EncryptionContext ?? {}).find(([one]) => one.toLowerCase() === name)?.[1];
  }
  const value = Object.hasOwn(OF_REQUEST, key) ? OF_REQUEST[key]!(input) : undefined;
  return value === undefined || typeof value === 'object' ? value : String(value);
}

/** Returns the value of a condition key from a KMS key. */
function ofKey(name: string, key: Key, state: KmsState): ContextValue | undefined {
  switch (name) {
    case 'kms:keyspec':
    case 'kms:customermasterkeyspec':
      return key.spec;
    case 'kms:keyusage':
    case 'kms:customermasterkeyusage':
      return key.usage;
    case 'kms:keyorigin':
      return key.origin;
    case 'kms:multiregion':
      return String(key.multiRegion !== undefined);
    case 'kms:multiregionkeytype':
      return key.multiRegion && (key.multiRegion.primary === state.region ? 'PRIMARY' : 'REPLICA');
    case 'kms:resourcealiases':
      return [...state.aliases.values()].filter(({ keyId }) => keyId === key.id).map((alias) => alias.name);
    default:
      return undefined;
  }
}

/**
 * Returns the condition keys of a request for a key.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/policy-conditions.html
 */
export function keyConditions(operation: string, input: ConditionInput, key: Key, state: KmsState) {
  let completed: ConditionInput | undefined;
  return (name: string): ContextValue | undefined => {
    completed ??= complete(operation, input);
    return (
      ofRequest(name, completed) ??
      ofKey(name, key, state) ??
      tagCondition(name, { resource: tagging.record(key.tags) })
    );
  };
}

/** Returns the condition keys of a request that creates a key. */
export function newKeyConditions(input: CreateKeyRequest) {
  return (name: string): ContextValue | undefined => {
    switch (name) {
      case 'kms:keyspec':
      case 'kms:customermasterkeyspec':
        return input.KeySpec ?? input.CustomerMasterKeySpec ?? 'SYMMETRIC_DEFAULT';
      case 'kms:keyusage':
      case 'kms:customermasterkeyusage':
        return input.KeyUsage ?? 'ENCRYPT_DECRYPT';
      case 'kms:keyorigin':
        return input.Origin ?? 'AWS_KMS';
      case 'kms:multiregion':
        return String(input.MultiRegion ?? false);
      default:
        return ofRequest(name, complete('CreateKey', input));
    }
  };
}
