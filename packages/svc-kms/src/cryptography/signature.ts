import { constants, createHash, type KeyObject, privateEncrypt, publicDecrypt, sign, verify } from 'node:crypto';
import type { Ids } from '@emu/core/service';
import type { SigningAlgorithmSpec } from '@emu/service-types/kms';
import type { ECDSA } from '@noble/curves/abstract/weierstrass.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { invalid } from '../errors.ts';
import { signEd25519ph, verifyEd25519ph } from './ed25519ph.ts';
import { signPssDigest, verifyPssDigest } from './pss.ts';
import { signSm2, verifySm2 } from './sm2.ts';

/** Curves by node's names, for signatures of digests: node:crypto signs messages only. */
const CURVES: Record<string, ECDSA> = { prime256v1: p256, secp384r1: p384, secp521r1: p521, secp256k1 };

/** DER prefix of the digest in PKCS #1 v1.5 signatures (RFC 8017, section 9.2). */
const DIGEST_INFO: Record<string, string> = {
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
};
const DIGEST_BYTES: Record<string, number> = { sha256: 32, sha384: 48, sha512: 64, sm3: 32 };

/** Data to sign: a message or its digest. */
export interface Signable {
  bytes: Uint8Array;
  digest: boolean;
}

const hashOf = (algorithm: SigningAlgorithmSpec): string =>
  algorithm === 'SM2DSA' ? 'sm3' : `sha${algorithm.slice(-3)}`;

/** Rejects a digest whose length does not match the algorithm. @throws AwsError `ValidationException` */
export function checkDigest({ bytes, digest }: Signable, algorithm: SigningAlgorithmSpec): void {
  if (!digest) {
    if (algorithm === 'ED25519_PH_SHA_512') throw invalid(`Algorithm ${algorithm} requires MessageType DIGEST.`);
    return;
  }
  if (algorithm === 'ED25519_SHA_512') throw invalid(`Algorithm ${algorithm} requires MessageType RAW.`);
  if (bytes.length !== DIGEST_BYTES[hashOf(algorithm)])
    throw invalid(`Digest is invalid length for algorithm ${algorithm}.`);
}

const digestInfo = (hash: string, digest: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(DIGEST_INFO[hash]!, 'hex'), digest]);

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const PKCS1 = { padding: constants.RSA_PKCS1_PADDING };

/** Signs with a private key. ECDSA signatures are in DER, as in KMS. */
export function signWith(
  key: KeyObject,
  algorithm: SigningAlgorithmSpec,
  { bytes, digest }: Signable,
  ids: Ids,
): Buffer {
  const hash = hashOf(algorithm);
  if (algorithm.startsWith('RSASSA_PSS')) {
    const hashed = digest ? bytes : createHash(hash).update(bytes).digest();
    return signPssDigest(hashed, key, hash, ids.bytes(hashed.length));
  }
  if (algorithm.startsWith('RSASSA'))
    return digest ? privateEncrypt({ key, ...PKCS1 }, digestInfo(hash, bytes)) : sign(hash, bytes, { key, ...PKCS1 });
  if (algorithm === 'ED25519_SHA_512') return sign(null, bytes, key);
  if (algorithm === 'ED25519_PH_SHA_512') return signEd25519ph(key, bytes);
  if (algorithm === 'SM2DSA') return signSm2(key, { bytes, digest }, ids);
  if (!digest) return sign(hash, bytes, key);
  const scalar = Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url');
  return Buffer.from(curveOf(key).sign(bytes, scalar, { prehash: false, format: 'der', lowS: false }));
}

/** Verifies the signature of a message or digest. */
export function verifyWith(
  key: KeyObject,
  algorithm: SigningAlgorithmSpec,
  { bytes, digest }: Signable,
  signature: Uint8Array,
): boolean {
  const hash = hashOf(algorithm);
  if (algorithm.startsWith('RSASSA_PSS'))
    return digest ? verifyPssDigest(bytes, key, hash, signature) : verify(hash, bytes, { key, ...PSS }, signature);
  if (algorithm.startsWith('RSASSA')) {
    if (!digest) return verify(hash, bytes, { key, ...PKCS1 }, signature);
    try {
      return publicDecrypt({ key, ...PKCS1 }, signature).equals(digestInfo(hash, bytes));
    } catch {
      // Invalid PKCS #1 padding: not a signature by this key.
      return false;
    }
  }
  if (algorithm === 'ED25519_SHA_512') return verify(null, bytes, key, signature);
  if (algorithm === 'ED25519_PH_SHA_512') return verifyEd25519ph(key, bytes, signature);
  if (algorithm === 'SM2DSA') return verifySm2(key, { bytes, digest }, signature);
  if (!digest) return verify(hash, bytes, key, signature);
  const { x, y } = key.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  try {
    return curveOf(key).verify(signature, bytes, point, { prehash: false, format: 'der', lowS: false });
  } catch {
    // Invalid DER: not a signature.
    return false;
  }
}

const curveOf = (key: KeyObject): ECDSA => CURVES[key.asymmetricKeyDetails!.namedCurve!]!;
