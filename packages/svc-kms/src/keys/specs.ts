import { partitionOf } from '@emu/core/service';
import type {
  EncryptionAlgorithmSpec,
  KeySpec,
  KeyUsageType,
  MacAlgorithmSpec,
  SigningAlgorithmSpec,
} from '@emu/service-types/kms';
import type { MlDsaVariant } from '../cryptography/ml-dsa.ts';
import { invalid, unsupportedOperation } from '../errors.ts';

/** Kind of a key spec, with the parameters of node:crypto. */
export type KeyShape =
  | { kind: 'symmetric'; bytes: number }
  | { kind: 'hmac'; bytes: number; hash: string }
  | { kind: 'rsa'; modulusBits: number }
  | { kind: 'ec'; curve: string; hash: 'SHA_256' | 'SHA_384' | 'SHA_512'; agreement: boolean }
  | { kind: 'ed25519' }
  | { kind: 'sm2'; curve: string }
  | { kind: 'ml-dsa'; variant: MlDsaVariant };

const hmac = (bits: number): KeyShape => ({ kind: 'hmac', bytes: bits / 8, hash: `sha${bits}` });

/** @see https://docs.aws.amazon.com/kms/latest/developerguide/symm-asymm-choose-key-spec.html */
const SHAPES: Record<KeySpec, KeyShape> = {
  SYMMETRIC_DEFAULT: { kind: 'symmetric', bytes: 32 },
  HMAC_224: hmac(224),
  HMAC_256: hmac(256),
  HMAC_384: hmac(384),
  HMAC_512: hmac(512),
  RSA_2048: { kind: 'rsa', modulusBits: 2048 },
  RSA_3072: { kind: 'rsa', modulusBits: 3072 },
  RSA_4096: { kind: 'rsa', modulusBits: 4096 },
  ECC_NIST_P256: { kind: 'ec', curve: 'prime256v1', hash: 'SHA_256', agreement: true },
  ECC_NIST_P384: { kind: 'ec', curve: 'secp384r1', hash: 'SHA_384', agreement: true },
  ECC_NIST_P521: { kind: 'ec', curve: 'secp521r1', hash: 'SHA_512', agreement: true },
  ECC_SECG_P256K1: { kind: 'ec', curve: 'secp256k1', hash: 'SHA_256', agreement: false },
  ECC_NIST_EDWARDS25519: { kind: 'ed25519' },
  SM2: { kind: 'sm2', curve: 'SM2' },
  ML_DSA_44: { kind: 'ml-dsa', variant: 44 },
  ML_DSA_65: { kind: 'ml-dsa', variant: 65 },
  ML_DSA_87: { kind: 'ml-dsa', variant: 87 },
};

const HASHES = ['SHA_256', 'SHA_384', 'SHA_512'] as const;
const RSA_SIGNING: readonly SigningAlgorithmSpec[] = [
  ...HASHES.map((hash) => `RSASSA_PKCS1_V1_5_${hash}` as const),
  ...HASHES.map((hash) => `RSASSA_PSS_${hash}` as const),
];

/** Returns the definition of a key spec. */
export const shapeOf = (spec: KeySpec): KeyShape => SHAPES[spec];

/**
 * Returns the definition of a key spec for a new key.
 * @throws AwsError `UnsupportedOperationException` if the region lacks it, as for SM2 outside China
 */
export function offeredShape(spec: KeySpec, region: string): KeyShape {
  if (spec === 'SM2' && partitionOf(region) !== 'aws-cn')
    throw unsupportedOperation(`KeySpec ${spec} is not supported in this region.`);
  return shapeOf(spec);
}

/** Returns the usages of a spec. */
export function usagesOf(spec: KeySpec): readonly KeyUsageType[] {
  const shape = shapeOf(spec);
  switch (shape.kind) {
    case 'symmetric':
      return ['ENCRYPT_DECRYPT'];
    case 'hmac':
      return ['GENERATE_VERIFY_MAC'];
    case 'rsa':
      return ['ENCRYPT_DECRYPT', 'SIGN_VERIFY'];
    case 'ec':
      return shape.agreement ? ['SIGN_VERIFY', 'KEY_AGREEMENT'] : ['SIGN_VERIFY'];
    case 'sm2':
      return ['SIGN_VERIFY', 'ENCRYPT_DECRYPT', 'KEY_AGREEMENT'];
    case 'ed25519':
    case 'ml-dsa':
      return ['SIGN_VERIFY'];
  }
}

/**
 * Returns the usage of a new key.
 * @throws AwsError `ValidationException` if the usage does not match the spec, or is missing and ambiguous
 */
export function usageFor(spec: KeySpec, given: KeyUsageType | undefined): KeyUsageType {
  const usages = usagesOf(spec);
  if (given === undefined && spec !== 'SYMMETRIC_DEFAULT')
    throw invalid('You must specify a KeyUsage value for all KMS keys except for symmetric encryption keys.');
  const usage = given ?? 'ENCRYPT_DECRYPT';
  if (!usages.includes(usage)) throw invalid(`KeyUsage ${usage} is not compatible with KeySpec ${spec}`);
  return usage;
}

/** Returns the algorithms of Encrypt and Decrypt for a key. */
export function encryptionAlgorithms(spec: KeySpec): EncryptionAlgorithmSpec[] {
  if (spec === 'SM2') return ['SM2PKE'];
  return spec === 'SYMMETRIC_DEFAULT' ? ['SYMMETRIC_DEFAULT'] : ['RSAES_OAEP_SHA_1', 'RSAES_OAEP_SHA_256'];
}

/** Returns the algorithms of Sign and Verify for a key. */
export function signingAlgorithms(spec: KeySpec): SigningAlgorithmSpec[] {
  const shape = shapeOf(spec);
  if (shape.kind === 'rsa') return [...RSA_SIGNING];
  if (shape.kind === 'ec') return [`ECDSA_${shape.hash}`];
  if (shape.kind === 'sm2') return ['SM2DSA'];
  if (shape.kind === 'ml-dsa') return ['ML_DSA_SHAKE_256'];
  return shape.kind === 'ed25519' ? ['ED25519_SHA_512', 'ED25519_PH_SHA_512'] : [];
}

/** Returns the algorithms of GenerateMac and VerifyMac for a key. */
export function macAlgorithms(spec: KeySpec): MacAlgorithmSpec[] {
  return [spec.replace('HMAC_', 'HMAC_SHA_') as MacAlgorithmSpec];
}
