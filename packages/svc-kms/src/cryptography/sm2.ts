import { createHash, type KeyObject } from 'node:crypto';
import type { Ids } from '@emu/core/service';
import { DER, weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { derOctets, derSequence, derUnsigned, readDer } from './der.ts';

/** Curve of GB/T 32918.5. */
const Point = weierstrass({
  p: 0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffffn,
  n: 0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123n,
  h: 1n,
  a: 0xfffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffcn,
  b: 0x28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93n,
  Gx: 0x32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7n,
  Gy: 0xbc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0n,
});
const { Fn } = Point;
type Point = InstanceType<typeof Point>;

const BYTES = 32;
/** Distinguishing id with which KMS signs messages. */
const ID = Buffer.from('1234567812345678');
/** Limit of a plaintext for SM2 in bytes. */
export const SM2_MAX_BYTES = 1024;

const sm3 = (...parts: Uint8Array[]): Buffer => createHash('sm3').update(Buffer.concat(parts)).digest();
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(BYTES * 2, '0'), 'hex');
const coordinates = (point: Point): Buffer => {
  const { x, y } = point.toAffine();
  return Buffer.concat([bytesOf(x), bytesOf(y)]);
};

/** Object identifier of the curve in DER keys. */
const CURVE_ID = Buffer.from('06082a811ccf5501822d', 'hex');

/** Whether a public or private key uses this curve. node:crypto has no curve name for such keys read from DER. */
export function isSm2(key: KeyObject): boolean {
  const type = key.asymmetricKeyType;
  if (type !== undefined && type !== 'ec') return false;
  const der =
    key.type === 'public' ? key.export({ type: 'spki', format: 'der' }) : key.export({ type: 'pkcs8', format: 'der' });
  return der.includes(CURVE_ID);
}

/**
 * Returns the scalar of a private key from PKCS #8. JWK lacks this curve, and node:crypto aborts the process when
 * exporting such a key as SEC 1.
 */
function scalarOf(key: KeyObject): bigint {
  // PrivateKeyInfo: version, algorithm, ECPrivateKey. ECPrivateKey: version, scalar.
  const [, , inner] = readDer(readDer(key.export({ type: 'pkcs8', format: 'der' }))[0]!);
  return numberOf(readDer(readDer(inner!)[0]!)[1]!);
}

/** Returns the point of a public key, at the end of its SubjectPublicKeyInfo. */
const pointOf = (key: KeyObject): Point =>
  Point.fromBytes(Uint8Array.from(key.export({ type: 'spki', format: 'der' }).subarray(-(2 * BYTES + 1))));

/** Returns a random scalar below the order of the curve. */
function randomScalar(ids: Ids): bigint {
  for (;;) {
    const scalar = numberOf(ids.bytes(BYTES));
    if (scalar > 0n && scalar < Fn.ORDER) return scalar;
  }
}

/**
 * Returns the digest to sign: the hash of the hash of the signer's id, curve and public key, followed by the message.
 */
function hashOfMessage(point: Point, message: Uint8Array): Buffer {
  const { a, b } = Point.CURVE();
  const length = Buffer.of((ID.length * 8) >> 8, (ID.length * 8) & 0xff);
  const signer = sm3(length, ID, bytesOf(a), bytesOf(b), coordinates(Point.BASE), coordinates(point));
  return sm3(signer, message);
}

/**
 * Signs a message or a digest of 32 bytes. The signature is in DER.
 * @see GB/T 32918.2
 */
export function signSm2(key: KeyObject, { bytes, digest }: { bytes: Uint8Array; digest: boolean }, ids: Ids): Buffer {
  const secret = scalarOf(key);
  const e = numberOf(digest ? bytes : hashOfMessage(Point.BASE.multiply(secret), bytes));
  for (;;) {
    const k = randomScalar(ids);
    const r = Fn.create(e + Point.BASE.multiply(k).toAffine().x);
    const s = Fn.mul(Fn.inv(Fn.create(1n + secret)), Fn.create(k - Fn.mul(r, secret)));
    if (r !== 0n && s !== 0n && r + k !== Fn.ORDER) return Buffer.from(DER.hexFromSig({ r, s }), 'hex');
  }
}

/** Verifies the signature of a message or digest. */
export function verifySm2(
  key: KeyObject,
  { bytes, digest }: { bytes: Uint8Array; digest: boolean },
  signature: Uint8Array,
): boolean {
  let parts: { r: bigint; s: bigint };
  try {
    parts = DER.toSig(Uint8Array.from(signature));
  } catch {
    // Invalid DER: not a signature.
    return false;
  }
  const { r, s } = parts;
  if (![r, s].every((part) => part > 0n && part < Fn.ORDER)) return false;
  const point = pointOf(key);
  const e = numberOf(digest ? bytes : hashOfMessage(point, bytes));
  const t = Fn.create(r + s);
  if (t === 0n) return false;
  const sum = Point.BASE.multiply(s).add(point.multiply(t));
  return !sum.is0() && Fn.create(e + sum.toAffine().x) === r;
}

/** Returns the mask of a plaintext (GB/T 32918.4, section 5.4.3). */
function mask(shared: Buffer, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let counter = 1; blocks.length * BYTES < length; counter++) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    blocks.push(sm3(shared, count));
  }
  return Buffer.concat(blocks).subarray(0, length);
}

const xor = (one: Uint8Array, other: Uint8Array): Buffer => Buffer.from(one.map((byte, index) => byte ^ other[index]!));

/**
 * Encrypts with a public key. The ciphertext is in DER: point, hash, masked plaintext.
 * @see GB/T 32918.4
 */
export function encryptSm2(key: KeyObject, plaintext: Uint8Array, ids: Ids): Buffer {
  for (;;) {
    const k = randomScalar(ids);
    const { x, y } = Point.BASE.multiply(k).toAffine();
    const shared = coordinates(pointOf(key).multiply(k));
    const bytes = mask(shared, plaintext.length);
    if (!bytes.some((byte) => byte !== 0)) continue;
    const hash = sm3(shared.subarray(0, BYTES), plaintext, shared.subarray(BYTES));
    return derSequence(derUnsigned(x), derUnsigned(y), derOctets(hash), derOctets(xor(plaintext, bytes)));
  }
}

/** Decrypts. @returns undefined for an invalid ciphertext */
export function decryptSm2(key: KeyObject, ciphertext: Uint8Array): Buffer | undefined {
  try {
    const [x, y, hash, masked] = readDer(readDer(ciphertext)[0] ?? Buffer.alloc(0));
    if (!x || !y || !hash || !masked) return undefined;
    const point = Point.fromAffine({ x: numberOf(x), y: numberOf(y) });
    point.assertValidity();
    const shared = coordinates(point.multiply(scalarOf(key)));
    const plaintext = xor(masked, mask(shared, masked.length));
    return sm3(shared.subarray(0, BYTES), plaintext, shared.subarray(BYTES)).equals(hash) ? plaintext : undefined;
  } catch {
    // Invalid DER, or a point outside the curve.
    return undefined;
  }
}

/** Returns the x coordinate of the shared secret of two keys. */
export const deriveSm2 = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  coordinates(pointOf(publicKey).multiply(scalarOf(privateKey))).subarray(0, BYTES);
