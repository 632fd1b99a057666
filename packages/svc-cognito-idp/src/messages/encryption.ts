import { CustomerKey, parseArn } from '@emu/core/service';
import { invalidParameter } from '../errors.ts';
import type { CognitoState } from '../state.ts';

/** Provider name of KMS keys in the AWS Encryption SDK. */
const PROVIDER = 'aws-kms';

/** Customer keys that encrypt codes, by encryption context of the AWS Encryption SDK. */
const codeKey = new CustomerKey({
  service: 'cognito-idp',
  context: (context: Readonly<Record<string, string>>) => ({ ...context }),
});

/**
 * Encrypts a code for a custom sender function, as a message of the AWS Encryption SDK with a data key from the pool's
 * key. Decryption requires the encryption context `userpool-id`.
 * @param keyArn of a symmetric KMS key
 * @returns base64
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-custom-sender-triggers.html
 */
export async function encryptedFor(poolId: string, keyArn: string, code: string, state: CognitoState): Promise<string> {
  const { buildEncrypt, CommitmentPolicy, EncryptedDataKey, immutableClass, KeyringNode, KeyringTraceFlag } =
    await import('./encryption-sdk.ts');
  type Material = Parameters<InstanceType<typeof KeyringNode>['_onEncrypt']>[0];

  class PoolKeyring extends KeyringNode {
    async _onEncrypt(material: Material): Promise<Material> {
      const { encryptionContext } = material;
      const made = await codeKey.newDataKey(keyArn, encryptionContext, state, { region: parseArn(keyArn)!.region });
      const { keyArn: keyName, dataKey, plaintext } = made;
      return material
        .setUnencryptedDataKey(Uint8Array.from(plaintext), {
          keyName,
          keyNamespace: PROVIDER,
          flags: KeyringTraceFlag.WRAPPING_KEY_GENERATED_DATA_KEY,
        })
        .addEncryptedDataKey(
          new EncryptedDataKey({
            providerId: PROVIDER,
            providerInfo: keyName,
            encryptedDataKey: Buffer.from(dataKey, 'base64'),
          }),
          KeyringTraceFlag.WRAPPING_KEY_ENCRYPTED_DATA_KEY | KeyringTraceFlag.WRAPPING_KEY_SIGNED_ENC_CTX,
        );
    }

    /** Only the function decrypts codes. */
    _onDecrypt(): Promise<never> {
      throw invalidParameter('Codes are decrypted by the function that sends them.');
    }
  }
  immutableClass(PoolKeyring);
  const { encrypt } = buildEncrypt(CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT);
  const { result } = await encrypt(new PoolKeyring(), code, { encryptionContext: { 'userpool-id': poolId } });
  return result.toString('base64');
}
