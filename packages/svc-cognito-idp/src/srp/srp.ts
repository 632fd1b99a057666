import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Verifier } from '../records.ts';
import { GENERATOR, PRIME, powers } from './modular-powers.ts';

/**
 * Secure Remote Password as Cognito defines it: SRP-6a over the 3072-bit group with SHA-256, numbers in two's
 * complement, and the key derived by HKDF with the info "Caldera Derived Key".
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow-methods.html
 */

const SALT_BYTES = 16;
const EXPONENT_BYTES = 32;
const KEY_BYTES = 16;
const INFO = Buffer.from('Caldera Derived Key');

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex') || '0'}`);

/** Returns the bytes of a hexadecimal number of any length. */
const bytesOf = (hex: string): Buffer => Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');

/** Returns the shortest two's complement form of a positive number, as Java's BigInteger does. */
function padded(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const short = bytes.subarray(start);
  return (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short;
}

const N = numberOf(PRIME);
/** Multiplier k of SRP-6a. */
const MULTIPLIER = numberOf(sha256(padded(PRIME), padded(Buffer.from([GENERATOR]))));

/** Owner of a password: user pool and user, or device group and device. */
export interface SrpIdentity {
  /** Name of the user pool, the part of its id after the region; or key of the device group. */
  readonly group: string;
  readonly name: string;
}

const privateKeyOf = (salt: Buffer, { group, name }: SrpIdentity, password: string): Buffer =>
  sha256(padded(salt), sha256(`${group}${name}:${password}`));

/**
 * Returns the stored verifier of a password.
 * @param random generates random bytes
 */
export async function verifierOf(
  identity: SrpIdentity,
  password: string,
  random: (length: number) => Buffer,
): Promise<Verifier> {
  const salt = random(SALT_BYTES);
  const verifier = await powers.power(undefined, privateKeyOf(salt, identity, password));
  return { salt: salt.toString('hex'), verifier: verifier.toString('hex') };
}

/** Whether a password matches a verifier. */
export async function isPassword(
  identity: SrpIdentity,
  password: string,
  { salt, verifier }: Readonly<Verifier>,
): Promise<boolean> {
  const power = await powers.power(undefined, privateKeyOf(bytesOf(salt), identity, password));
  return same(padded(power), padded(bytesOf(verifier)));
}

/** Server's secret exponent and public value, in hexadecimal. */
export interface ServerValues {
  b: string;
  B: string;
}

/** Starts an exchange. */
export async function beginSrp(verifier: string, random: (length: number) => Buffer): Promise<ServerValues> {
  const secret = random(EXPONENT_BYTES);
  const power = numberOf(await powers.power(undefined, secret));
  const value = (MULTIPLIER * numberOf(bytesOf(verifier)) + power) % N;
  return { b: secret.toString('hex'), B: value.toString(16) };
}

/** Whether a client's public value A, in hexadecimal, is valid. */
export const isClientValue = (value: string): boolean => {
  if (!/^[0-9a-f]{1,1024}$/i.test(value)) return false;
  const remainder = numberOf(bytesOf(value)) % N;
  // 0, 1 and -1 would make the secret predictable.
  return remainder > 1n && remainder < N - 1n;
};

/** Values for verifying a client's proof. */
export interface SrpExchange extends ServerValues {
  /** Client's public value, in hexadecimal. */
  a: string;
  verifier: string;
}

/** Returns the proof that a client with the password sends, in base64. */
export async function proofOf(
  { a, b, B, verifier }: SrpExchange,
  { group, name }: SrpIdentity,
  secretBlock: Buffer,
  timestamp: string,
): Promise<string> {
  const scramble = sha256(padded(bytesOf(a)), padded(bytesOf(B)));
  const secret = await powers.power(bytesOf(verifier), scramble, { factor: bytesOf(a), exponent: bytesOf(b) });
  const key = Buffer.from(hkdfSync('sha256', padded(secret), padded(scramble), INFO, KEY_BYTES));
  return createHmac('sha256', key).update(`${group}${name}`).update(secretBlock).update(timestamp).digest('base64');
}

/** Whether two values are equal, in constant time. */
export function same(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
