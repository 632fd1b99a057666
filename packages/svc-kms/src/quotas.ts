import { type AnyQuota, defineQuotas, listedQuotas, type Place, type RateQuota, requestRate } from '@emu/core/service';
import type { CreateGrantRequest, KmsOperations } from '@emu/service-types/kms';
import type { AwsError } from '@emu/wire';
import { kmsError } from './errors.ts';
import { keyType } from './resources.ts';
import type { KmsState } from './state.ts';

type Rate = RateQuota<KmsOperations, KmsState>;

const NUMBERS = 'https://docs.aws.amazon.com/kms/latest/developerguide/resource-limits.html';
const RATES = 'https://docs.aws.amazon.com/kms/latest/developerguide/requests-per-second.html';

const throttled = (): AwsError =>
  kmsError(
    'ThrottlingException',
    'You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.',
    { status: 400 },
  );

const kms = (code: string, name: string, defaultValue: Rate['defaultValue'], page: string) => ({
  serviceCode: 'kms',
  code,
  name,
  defaultValue,
  adjustable: true,
  page,
});

/** A rate shared by operations. Requests of other services on behalf of their callers count. */
const shared = (code: string, name: string, perSecond: Rate['defaultValue'], rate: Rate['rate']): Rate => ({
  ...requestRate<KmsOperations, KmsState>(kms(code, `${name} request rate`, perSecond, RATES), rate, throttled),
  calls: true,
});

/** Rates of single operations in requests per second. */
const OPERATION_RATES: readonly [operation: keyof KmsOperations, code: string, perSecond: number][] = [
  ['CancelKeyDeletion', 'L-635264CC', 5],
  ['ConnectCustomKeyStore', 'L-705B9E79', 5],
  ['CreateAlias', 'L-F7504F73', 5],
  ['CreateCustomKeyStore', 'L-08932E37', 5],
  ['CreateGrant', 'L-0428A42E', 50],
  ['CreateKey', 'L-32B67F4A', 5],
  ['DeleteAlias', 'L-1F75ADD1', 15],
  ['DeleteCustomKeyStore', 'L-E99520CB', 5],
  ['DeleteImportedKeyMaterial', 'L-1233BF9B', 15],
  ['DescribeCustomKeyStores', 'L-E20AA94C', 5],
  ['DescribeKey', 'L-FAE8F084', 2000],
  ['DisableKey', 'L-6B8C93BD', 5],
  ['DisableKeyRotation', 'L-CE1DB614', 5],
  ['DisconnectCustomKeyStore', 'L-9F1FCF6D', 5],
  ['EnableKey', 'L-BD96F100', 5],
  ['EnableKeyRotation', 'L-BE799B67', 15],
  ['GetKeyPolicy', 'L-A2A30EC6', 1000],
  ['GetKeyRotationStatus', 'L-D7711EF4', 1000],
  ['GetParametersForImport', 'L-515A0541', 1],
  ['GetPublicKey', 'L-E4FBCA5E', 2000],
  ['ImportKeyMaterial', 'L-99631835', 15],
  ['ListAliases', 'L-BF3F8F1D', 500],
  ['ListGrants', 'L-D39AB822', 100],
  ['ListKeyPolicies', 'L-79E0D0AB', 100],
  ['ListKeys', 'L-8A08DAEA', 500],
  ['ListResourceTags', 'L-FB6513A2', 2000],
  ['ListRetirableGrants', 'L-161E93A6', 100],
  ['PutKeyPolicy', 'L-9DDDE6CA', 15],
  ['ReplicateKey', 'L-E1C93865', 5],
  ['RetireGrant', 'L-74021A59', 50],
  ['RevokeGrant', 'L-F20EBCB7', 50],
  ['ScheduleKeyDeletion', 'L-88313D4A', 15],
  ['TagResource', 'L-7D6DE447', 10],
  ['UntagResource', 'L-6375F442', 5],
  ['UpdateAlias', 'L-DB3BF542', 5],
  ['UpdateCustomKeyStore', 'L-275D92F3', 5],
  ['UpdateKeyDescription', 'L-A3828E1F', 5],
  ['UpdatePrimaryRegion', 'L-F83AC7F7', 5],
];

/** Rates of GenerateDataKeyPair operations by key pair spec. */
const PAIR_RATES: readonly [spec: string, code: string, perSecond: Rate['defaultValue']][] = [
  ['ECC_NIST_P256', 'L-D2EEB5E0', 100],
  ['ECC_NIST_P384', 'L-16B46EF0', 100],
  ['ECC_NIST_P521', 'L-1D966DA0', 100],
  ['ECC_SECG_P256K1', 'L-3B372FA9', 100],
  ['RSA_2048', 'L-77042783', (region) => (region.startsWith('cn-') ? 1 : 20)],
  ['RSA_3072', 'L-AE57B391', (region) => (region.startsWith('cn-') ? 0.5 : 4)],
  ['RSA_4096', 'L-FCE4492D', (region) => (region.startsWith('cn-') ? 0.1 : 1)],
];

const FAST = new Set(['us-east-1', 'us-west-2', 'eu-west-1']);
const FASTER = new Set([
  'us-east-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-northeast-1',
  'eu-central-1',
  'eu-west-2',
]);
const symmetricRate = (region: string): number => (FAST.has(region) ? 100_000 : FASTER.has(region) ? 20_000 : 10_000);

/** Kind of key for an encryption algorithm; symmetric by default. */
type Kind = 'symmetric' | 'RSA' | 'ECC' | undefined;
const kindOf = (algorithm = 'SYMMETRIC_DEFAULT'): Kind =>
  algorithm.startsWith('RSA')
    ? 'RSA'
    : /^(EC|ED|SM2)/.test(algorithm)
      ? 'ECC'
      : algorithm === 'SYMMETRIC_DEFAULT'
        ? 'symmetric'
        : undefined;
const isOf = (kind: Kind, algorithm: string | undefined): number => (kindOf(algorithm) === kind ? 1 : 0);

/** Rates of encryption and signing by kind of key, from the request's algorithm. */
const encryption = (kind: Kind): Rate['rate'] => ({
  Decrypt: ({ EncryptionAlgorithm }) => isOf(kind, EncryptionAlgorithm),
  Encrypt: ({ EncryptionAlgorithm }) => isOf(kind, EncryptionAlgorithm),
  ReEncrypt: ({ SourceEncryptionAlgorithm: from, DestinationEncryptionAlgorithm: to }) =>
    Math.max(isOf(kind, from), isOf(kind, to)),
});
const signing = (kind: Kind): Rate['rate'] => ({
  Sign: ({ SigningAlgorithm }) => isOf(kind, SigningAlgorithm),
  Verify: ({ SigningAlgorithm }) => isOf(kind, SigningAlgorithm),
});

/**
 * Returns the number of grants of a request's key after it; undefined for a key of another account or an existing
 * grant.
 */
function grantsWith(input: CreateGrantRequest, state: KmsState, place: Place): number | undefined {
  const named = keyType.identify(input as unknown as Record<string, unknown>, place);
  if (!named || named.place.accountId !== state.accountId || named.place.region !== state.region) return undefined;
  const { Name: name } = input;
  const { id } = named.key;
  if (name !== undefined && state.grantsOf(id).some((grant) => grant.name === name)) return undefined;
  return state.grantNumberOf(id) + 1;
}

/** Quotas of KMS that emu can enforce. */
export const quotas: readonly AnyQuota[] = defineQuotas<KmsOperations, KmsState>([
  {
    ...kms('L-C2F1777E', 'Customer Master Keys (CMKs)', 100_000, NUMBERS),
    usage: ({ customerKeyNumber }) => customerKeyNumber,
    grows: { CreateKey: (_, { customerKeyNumber }) => customerKeyNumber + 1 },
    error: (limit) =>
      kmsError('LimitExceededException', `The account has reached its limit of ${limit} customer managed keys.`),
  },
  {
    ...kms('L-D594A657', 'Grants per CMK', 50_000, NUMBERS),
    grows: { CreateGrant: grantsWith },
    error: (limit, input) =>
      kmsError(
        'LimitExceededException',
        `The key ${(input as CreateGrantRequest).KeyId} has reached its limit of ${limit} grants.`,
      ),
  },
  {
    ...kms('L-F33DCFEB', 'Custom Key Stores', 10, NUMBERS),
    usage: ({ customKeyStores }) => customKeyStores.size,
    grows: { CreateCustomKeyStore: (_, { customKeyStores }) => customKeyStores.size + 1 },
    error: (limit) =>
      kmsError('LimitExceededException', `The account has reached its limit of ${limit} custom key stores.`),
  },
  shared('L-6E3AF000', 'Cryptographic operations (symmetric)', symmetricRate, {
    ...encryption('symmetric'),
    GenerateDataKey: true,
    GenerateDataKeyWithoutPlaintext: true,
    GenerateMac: true,
    GenerateRandom: true,
    VerifyMac: true,
  }),
  shared('L-2AC98190', 'Cryptographic operations (RSA)', 1000, { ...encryption('RSA'), ...signing('RSA') }),
  shared('L-DC14942D', 'Cryptographic operations (ECC)', 1000, {
    ...encryption('ECC'),
    ...signing('ECC'),
    DeriveSharedSecret: true,
  }),
  ...PAIR_RATES.map(([spec, code, perSecond]) =>
    shared(code, `GenerateDataKeyPair (${spec})`, perSecond, {
      GenerateDataKeyPair: ({ KeyPairSpec }) => (KeyPairSpec === spec ? 1 : 0),
      GenerateDataKeyPairWithoutPlaintext: ({ KeyPairSpec }) => (KeyPairSpec === spec ? 1 : 0),
    }),
  ),
  ...OPERATION_RATES.map(([operation, code, perSecond]) => shared(code, operation, perSecond, { [operation]: true })),
  ...listedQuotas({ serviceCode: 'kms', page: NUMBERS }, [
    ['L-340F62FB', 'Aliases per CMK', 50, { adjustable: true }],
    ['L-8D683C05', 'Key policy document size', 32_768, { unit: 'Bytes' }],
  ]),
]);
