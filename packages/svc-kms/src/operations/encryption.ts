import type { EncryptionAlgorithmSpec, InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { readHeader } from '../cryptography/ciphertext.ts';
import { invalid, kmsError } from '../errors.ts';
import { decryptExternally, encryptExternally } from '../key-stores/external.ts';
import { decryptAsymmetric, decryptSymmetric, encrypt } from '../keys/encryption.ts';
import { requireGrantTokens } from '../keys/grants.ts';
import { currentMaterial } from '../keys/material.ts';
import { encryptionAlgorithms } from '../keys/specs.ts';
import { endDryRun, findKey, type KeyTarget, keyOfCiphertext, required } from '../lookup.ts';
import { keyFor, recordUse, refuseRecipient, requireAlgorithm, requireUsable } from './use.ts';

type Context = Record<string, string> | undefined;

/** Returns the key and algorithm for encryption, which must match. */
async function encryptionKey(
  id: string,
  algorithm: EncryptionAlgorithmSpec,
  context: Context,
  input: { GrantTokens?: string[] | undefined },
  ctx: KmsContext,
): Promise<KeyTarget> {
  const target = await keyFor(id, 'ENCRYPT_DECRYPT', input, ctx);
  requireAlgorithm(algorithm, encryptionAlgorithms(target.key.spec), target);
  if (algorithm !== 'SYMMETRIC_DEFAULT' && context && Object.keys(context).length)
    throw invalid(`EncryptionContext is not supported with algorithm ${algorithm}.`);
  return target;
}

/**
 * Encrypts with a key. For an external key store, its key manager then encrypts the ciphertext of KMS again.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/keystore-external.html#concept-double-encryption
 */
export async function encryptUnder(
  target: KeyTarget,
  plaintext: Uint8Array,
  algorithm: EncryptionAlgorithmSpec,
  context: Context,
  ctx: KmsContext,
): Promise<Buffer> {
  const own = encrypt(plaintext, target, algorithm, context);
  const wrapped = await encryptExternally(own, target, ctx);
  return wrapped ? encrypt(wrapped, target, algorithm, context) : own;
}

/** Encrypts up to 4096 bytes with a symmetric or RSA key. */
export async function Encrypt(input: InputOf<'Encrypt'>, ctx: KmsContext): Promise<OutputOf<'Encrypt'>> {
  const { EncryptionAlgorithm = 'SYMMETRIC_DEFAULT', EncryptionContext } = input;
  const target = await encryptionKey(input.KeyId, EncryptionAlgorithm, EncryptionContext, input, ctx);
  const CiphertextBlob = await encryptUnder(target, input.Plaintext, EncryptionAlgorithm, EncryptionContext, ctx);
  endDryRun(input);
  recordUse(target, ctx, EncryptionContext);
  return { CiphertextBlob, KeyId: target.arn, EncryptionAlgorithm };
}

/** Common input of Decrypt and the first half of ReEncrypt. */
interface Source {
  blob: Uint8Array;
  keyId: string | undefined;
  algorithm: EncryptionAlgorithmSpec;
  context: Context;
  grantTokens: string[] | undefined;
}

interface Decrypted {
  target: KeyTarget;
  plaintext: Buffer;
  /** Material that was used; undefined for key pairs. */
  materialId?: string;
}

async function decrypt(source: Source, ctx: KmsContext): Promise<Decrypted> {
  const { blob, keyId, algorithm, context, grantTokens } = source;
  if (algorithm !== 'SYMMETRIC_DEFAULT') {
    if (keyId === undefined) throw invalid(`KeyId is required with algorithm ${algorithm}.`);
    const target = await encryptionKey(keyId, algorithm, context, { GrantTokens: grantTokens }, ctx);
    return { target, plaintext: decryptAsymmetric(blob, target, algorithm) };
  }
  const named = keyId === undefined ? undefined : await findKey(keyId, ctx);
  const header = readHeader(blob);
  if (named && named.key.id !== header.keyId)
    throw kmsError(
      'IncorrectKeyException',
      'The key ID in the request does not identify a CMK that can perform this operation.',
    );
  const target = named ?? keyOfCiphertext(header.keyId, ctx);
  requireGrantTokens(grantTokens, target.state);
  requireUsable(target, 'ENCRYPT_DECRYPT', ctx);
  const opened = decryptSymmetric(blob, target, header.materialId, context);
  const inner = await decryptExternally(opened, target, ctx);
  return {
    target,
    plaintext: inner ? decryptSymmetric(inner, target, header.materialId, context) : opened,
    materialId: header.materialId,
  };
}

/** Decrypts. A symmetric ciphertext identifies its key. */
export async function Decrypt(input: InputOf<'Decrypt'>, ctx: KmsContext): Promise<OutputOf<'Decrypt'>> {
  refuseRecipient(input, ctx);
  const { EncryptionAlgorithm = 'SYMMETRIC_DEFAULT', EncryptionContext } = input;
  const { DryRunModifiers: modifiers } = input;
  if (modifiers?.length && !input.DryRun) throw invalid('DryRunModifiers can only be specified with DryRun.');
  if (modifiers?.includes('IGNORE_CIPHERTEXT')) {
    await encryptionKey(required(input.KeyId, 'KeyId'), EncryptionAlgorithm, undefined, input, ctx);
    endDryRun(input);
  }
  const { target, plaintext, materialId } = await decrypt(
    {
      blob: required(input.CiphertextBlob, 'CiphertextBlob'),
      keyId: input.KeyId,
      algorithm: EncryptionAlgorithm,
      context: EncryptionContext,
      grantTokens: input.GrantTokens,
    },
    ctx,
  );
  endDryRun(input);
  recordUse(target, ctx, EncryptionContext);
  return {
    KeyId: target.arn,
    Plaintext: plaintext,
    EncryptionAlgorithm,
    ...(materialId !== undefined && { KeyMaterialId: materialId }),
  };
}

/** Decrypts with one key and encrypts with another. The plaintext never leaves KMS. */
export async function ReEncrypt(input: InputOf<'ReEncrypt'>, ctx: KmsContext): Promise<OutputOf<'ReEncrypt'>> {
  const {
    SourceEncryptionAlgorithm = 'SYMMETRIC_DEFAULT',
    DestinationEncryptionAlgorithm = 'SYMMETRIC_DEFAULT',
    SourceEncryptionContext,
    DestinationEncryptionContext,
    DryRunModifiers: modifiers,
  } = input;
  if (modifiers?.length && !input.DryRun) throw invalid('DryRunModifiers can only be specified with DryRun.');
  const ignored = modifiers?.includes('IGNORE_CIPHERTEXT');
  if (ignored)
    await encryptionKey(required(input.SourceKeyId, 'SourceKeyId'), SourceEncryptionAlgorithm, undefined, input, ctx);
  const source = ignored
    ? undefined
    : await decrypt(
        {
          blob: required(input.CiphertextBlob, 'CiphertextBlob'),
          keyId: input.SourceKeyId,
          algorithm: SourceEncryptionAlgorithm,
          context: SourceEncryptionContext,
          grantTokens: input.GrantTokens,
        },
        ctx,
      );
  const destination = await encryptionKey(
    input.DestinationKeyId,
    DestinationEncryptionAlgorithm,
    DestinationEncryptionContext,
    input,
    ctx,
  );
  endDryRun(input);
  const { target, plaintext, materialId } = source!;
  const CiphertextBlob = await encryptUnder(
    destination,
    plaintext,
    DestinationEncryptionAlgorithm,
    DestinationEncryptionContext,
    ctx,
  );
  recordUse(target, ctx, SourceEncryptionContext);
  recordUse(destination, ctx, DestinationEncryptionContext);
  return {
    CiphertextBlob,
    SourceKeyId: target.arn,
    KeyId: destination.arn,
    SourceEncryptionAlgorithm,
    DestinationEncryptionAlgorithm,
    ...(materialId !== undefined && { SourceKeyMaterialId: materialId }),
    ...(DestinationEncryptionAlgorithm === 'SYMMETRIC_DEFAULT' && {
      DestinationKeyMaterialId: currentMaterial(destination.key)!.id,
    }),
  };
}
