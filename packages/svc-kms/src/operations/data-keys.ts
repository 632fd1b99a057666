import type { DataKeySpec, InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalid, kmsError, unsupportedOperation } from '../errors.ts';
import { currentMaterial, generatePair } from '../keys/material.ts';
import { offeredShape } from '../keys/specs.ts';
import { endDryRun, type KeyTarget, required } from '../lookup.ts';
import { encryptUnder } from './encryption.ts';
import { keyFor, recordUse, refuseRecipient } from './use.ts';

const DATA_KEY_BYTES: Record<DataKeySpec, number> = { AES_128: 16, AES_256: 32 };

/** Returns the symmetric key that encrypts data keys. */
async function wrappingKey(
  input: { KeyId: string; GrantTokens?: string[] | undefined; Recipient?: object | undefined },
  ctx: KmsContext,
): Promise<KeyTarget> {
  const target = await keyFor(input.KeyId, 'ENCRYPT_DECRYPT', input, ctx);
  if (target.key.spec !== 'SYMMETRIC_DEFAULT')
    throw kmsError(
      'InvalidKeyUsageException',
      `${target.arn} key spec is ${target.key.spec} which is not valid for ${ctx.operation}.`,
    );
  return target;
}

/** Generates a data key, returned as plaintext and encrypted with a symmetric key. */
export async function GenerateDataKey(
  input: InputOf<'GenerateDataKey'>,
  ctx: KmsContext,
): Promise<OutputOf<'GenerateDataKey'>> {
  const { KeySpec, NumberOfBytes, EncryptionContext } = input;
  if ((KeySpec === undefined) === (NumberOfBytes === undefined))
    throw invalid('Please specify either number of bytes or key spec.');
  const target = await wrappingKey(input, ctx);
  endDryRun(input);
  const Plaintext = ctx.ids.bytes(KeySpec === undefined ? NumberOfBytes! : DATA_KEY_BYTES[KeySpec]);
  const CiphertextBlob = await encryptUnder(target, Plaintext, 'SYMMETRIC_DEFAULT', EncryptionContext, ctx);
  recordUse(target, ctx, EncryptionContext);
  return { CiphertextBlob, Plaintext, KeyId: target.arn, KeyMaterialId: currentMaterial(target.key)!.id };
}

/** Generates a data key encrypted with a symmetric key. */
export async function GenerateDataKeyWithoutPlaintext(
  input: InputOf<'GenerateDataKeyWithoutPlaintext'>,
  ctx: KmsContext,
): Promise<OutputOf<'GenerateDataKeyWithoutPlaintext'>> {
  const { Plaintext: _secret, ...output } = await GenerateDataKey(input, ctx);
  return output;
}

/** Generates a key pair with its private key as plaintext and encrypted with a symmetric key. */
export async function GenerateDataKeyPair(
  input: InputOf<'GenerateDataKeyPair'>,
  ctx: KmsContext,
): Promise<OutputOf<'GenerateDataKeyPair'>> {
  const { KeyPairSpec, EncryptionContext } = input;
  const shape = offeredShape(KeyPairSpec, ctx.region);
  if (shape.kind === 'symmetric' || shape.kind === 'hmac') throw invalid(`${KeyPairSpec} is no key pair.`);
  const target = await wrappingKey(input, ctx);
  endDryRun(input);
  if (shape.kind === 'ml-dsa') throw unsupportedOperation(`KeyPairSpec ${KeyPairSpec} is not supported.`);
  const { privateKey, publicKey } = await generatePair(shape);
  recordUse(target, ctx, EncryptionContext);
  return {
    PrivateKeyCiphertextBlob: await encryptUnder(target, privateKey, 'SYMMETRIC_DEFAULT', EncryptionContext, ctx),
    PrivateKeyPlaintext: privateKey,
    PublicKey: publicKey,
    KeyId: target.arn,
    KeyPairSpec,
    KeyMaterialId: currentMaterial(target.key)!.id,
  };
}

/** Generates a key pair with its private key encrypted with a symmetric key. */
export async function GenerateDataKeyPairWithoutPlaintext(
  input: InputOf<'GenerateDataKeyPairWithoutPlaintext'>,
  ctx: KmsContext,
): Promise<OutputOf<'GenerateDataKeyPairWithoutPlaintext'>> {
  const { PrivateKeyPlaintext: _secret, ...output } = await GenerateDataKeyPair(input, ctx);
  return output;
}

/** Generates random bytes. */
export function GenerateRandom(input: InputOf<'GenerateRandom'>, ctx: KmsContext): OutputOf<'GenerateRandom'> {
  refuseRecipient(input, ctx);
  const bytes = required(input.NumberOfBytes, 'NumberOfBytes');
  const { CustomKeyStoreId: id } = input;
  if (id !== undefined) {
    const store = ctx.state.customKeyStores.get(id);
    if (!store) throw kmsError('CustomKeyStoreNotFoundException', '');
    if (store.type === 'EXTERNAL_KEY_STORE') throw kmsError('UnsupportedOperationException', '');
    if (!store.connected) throw kmsError('CustomKeyStoreInvalidStateException', '');
  }
  return { Plaintext: ctx.ids.bytes(bytes) };
}
