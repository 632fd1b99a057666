import { createHmac, diffieHellman, timingSafeEqual } from 'node:crypto';
import type {
  CustomerMasterKeySpec,
  InputOf,
  MessageType,
  OutputOf,
  SigningAlgorithmSpec,
} from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { checkMu, type MlDsaSignable, type MlDsaVariant, signMlDsa, verifyMlDsa } from '../cryptography/ml-dsa.ts';
import { checkDigest, signWith, verifyWith } from '../cryptography/signature.ts';
import { deriveSm2, isSm2 } from '../cryptography/sm2.ts';
import { invalid, kmsError, unsupportedOperation } from '../errors.ts';
import { parsePublicKey } from '../keys/encryption.ts';
import { requireGrantTokens } from '../keys/grants.ts';
import { currentMaterial, publicKey, rawSecret, secretKey } from '../keys/material.ts';
import { algorithmsOf } from '../keys/metadata.ts';
import { macAlgorithms, shapeOf, signingAlgorithms } from '../keys/specs.ts';
import { endDryRun, findKey, type KeyTarget, requireEnabled } from '../lookup.ts';
import { keyFor, recordUse, requireAlgorithm } from './use.ts';

interface SigningInput {
  KeyId: string;
  Message: Uint8Array;
  MessageType?: MessageType | undefined;
  SigningAlgorithm: SigningAlgorithmSpec;
  GrantTokens?: string[] | undefined;
}

/** Key, algorithm and message of a request. */
interface Signer {
  target: KeyTarget;
  sign(): Uint8Array | Promise<Uint8Array>;
  verify(signature: Uint8Array): boolean | Promise<boolean>;
}

async function prepareSigning(input: SigningInput, ctx: KmsContext): Promise<Signer> {
  const { SigningAlgorithm: algorithm } = input;
  const target = await keyFor(input.KeyId, 'SIGN_VERIFY', input, ctx);
  requireAlgorithm(algorithm, signingAlgorithms(target.key.spec), target);
  const externalMu = input.MessageType === 'EXTERNAL_MU';
  const shape = shapeOf(target.key.spec);
  if (shape.kind === 'ml-dsa') {
    if (input.MessageType === 'DIGEST') throw invalid(`MessageType DIGEST is not valid for algorithm ${algorithm}.`);
    const signable = { bytes: input.Message, externalMu };
    checkMu(signable);
    return mlDsaSigner(shape.variant, target, signable, ctx);
  }
  if (externalMu) throw invalid(`MessageType EXTERNAL_MU is not valid for algorithm ${algorithm}.`);
  const signable = { bytes: input.Message, digest: input.MessageType === 'DIGEST' };
  checkDigest(signable, algorithm);
  const material = currentMaterial(target.key);
  return {
    target,
    sign: () => signWith(secretKey(material, target.arn), algorithm, signable, ctx.ids),
    verify: (signature) => verifyWith(publicKey(material, target.arn), algorithm, signable, signature),
  };
}

function mlDsaSigner(variant: MlDsaVariant, target: KeyTarget, signable: MlDsaSignable, { ids }: KmsContext): Signer {
  const seed = (): Buffer => rawSecret(currentMaterial(target.key), target.arn);
  return {
    target,
    sign: () => signMlDsa(variant, seed(), signable, ids),
    verify: (signature) => verifyMlDsa(variant, seed(), signable, signature),
  };
}

/** Signs a message or its digest. */
export async function Sign(input: InputOf<'Sign'>, ctx: KmsContext): Promise<OutputOf<'Sign'>> {
  const { SigningAlgorithm } = input;
  const { target, sign } = await prepareSigning(input, ctx);
  endDryRun(input);
  const Signature = await sign();
  recordUse(target, ctx);
  return { KeyId: target.arn, Signature, SigningAlgorithm };
}

/** Verifies a signature. An invalid one is an error. */
export async function Verify(input: InputOf<'Verify'>, ctx: KmsContext): Promise<OutputOf<'Verify'>> {
  const { SigningAlgorithm } = input;
  const { target, verify } = await prepareSigning(input, ctx);
  const SignatureValid = await verify(input.Signature);
  if (!SignatureValid) throw kmsError('KMSInvalidSignatureException', '');
  endDryRun(input);
  recordUse(target, ctx);
  return { KeyId: target.arn, SignatureValid, SigningAlgorithm };
}

/** Returns the public key of a key pair as SubjectPublicKeyInfo in DER. */
export async function GetPublicKey(input: InputOf<'GetPublicKey'>, ctx: KmsContext): Promise<OutputOf<'GetPublicKey'>> {
  const target = await findKey(input.KeyId, ctx);
  requireGrantTokens(input.GrantTokens, target.state);
  const { key, arn } = target;
  const { kind } = shapeOf(key.spec);
  if (kind === 'symmetric' || kind === 'hmac') throw unsupportedOperation(`${arn} is not an asymmetric key.`);
  requireEnabled(target);
  const material = currentMaterial(key);
  const PublicKey =
    kind === 'ml-dsa' && material?.public !== undefined
      ? Buffer.from(material.public, 'base64')
      : publicKey(material, arn).export({ type: 'spki', format: 'der' });
  recordUse(target, ctx);
  return {
    KeyId: arn,
    PublicKey,
    CustomerMasterKeySpec: key.spec as CustomerMasterKeySpec,
    KeySpec: key.spec,
    KeyUsage: key.usage,
    ...algorithmsOf(key),
  };
}

/** Computes the MAC of a message with an HMAC key. */
async function macOf(
  input: Omit<InputOf<'GenerateMac'>, 'DryRun'>,
  ctx: KmsContext,
): Promise<{ target: KeyTarget; mac: Buffer }> {
  const target = await keyFor(input.KeyId, 'GENERATE_VERIFY_MAC', input, ctx);
  requireAlgorithm(input.MacAlgorithm, macAlgorithms(target.key.spec), target);
  const hash = input.MacAlgorithm.replace('HMAC_SHA_', 'sha');
  const secret = secretKey(currentMaterial(target.key), target.arn);
  return { target, mac: createHmac(hash, secret).update(input.Message).digest() };
}

/** Computes the HMAC of a message. */
export async function GenerateMac(input: InputOf<'GenerateMac'>, ctx: KmsContext): Promise<OutputOf<'GenerateMac'>> {
  const { target, mac } = await macOf(input, ctx);
  endDryRun(input);
  recordUse(target, ctx);
  return { Mac: mac, MacAlgorithm: input.MacAlgorithm, KeyId: target.arn };
}

/** Verifies an HMAC. An invalid one is an error. */
export async function VerifyMac(input: InputOf<'VerifyMac'>, ctx: KmsContext): Promise<OutputOf<'VerifyMac'>> {
  const { target, mac } = await macOf(input, ctx);
  if (input.Mac.length !== mac.length || !timingSafeEqual(input.Mac, mac)) throw kmsError('KMSInvalidMacException', '');
  endDryRun(input);
  recordUse(target, ctx);
  return { KeyId: target.arn, MacValid: true, MacAlgorithm: input.MacAlgorithm };
}

/** Derives the raw ECDH secret from a key and another party's public key. */
export async function DeriveSharedSecret(
  input: InputOf<'DeriveSharedSecret'>,
  ctx: KmsContext,
): Promise<OutputOf<'DeriveSharedSecret'>> {
  const target = await keyFor(input.KeyId, 'KEY_AGREEMENT', input, ctx);
  const { key, arn } = target;
  const privateKey = secretKey(currentMaterial(key), arn);
  const theirs = parsePublicKey(input.PublicKey);
  // AWS rejects a key of another curve without a message.
  const ofSm2 = key.spec === 'SM2';
  const namedCurve = ofSm2 ? undefined : privateKey.asymmetricKeyDetails?.namedCurve;
  if (!theirs || isSm2(theirs) !== ofSm2 || (!ofSm2 && theirs.asymmetricKeyDetails?.namedCurve !== namedCurve))
    throw invalid('');
  endDryRun(input);
  const SharedSecret = ofSm2 ? deriveSm2(privateKey, theirs) : diffieHellman({ privateKey, publicKey: theirs });
  recordUse(target, ctx);
  return { KeyId: arn, SharedSecret, KeyAgreementAlgorithm: input.KeyAgreementAlgorithm, KeyOrigin: key.origin };
}
