import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Verifier } from '../records.ts';
import { GENERATOR, PRIME, powers } from './modular-powers.ts';

/**
 * Secure Remote Password as Cognito defines it: SRP-6a over the 3072-bit group with SHA-256, numbers in two's complement, and
 * the key derived by HKDF with the words "Caldera Derived Key".
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

/** Bytes of a hexadecimal number of any length. */
const bytesOf = (hex: string): Buffer => Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');

/** The shortest two's complement of a positive number, as Java's BigInteger writes it. */
function padded(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const short = bytes.subarray(start);
  return (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short;
}

const N = numberOf(PRIME);
/** The multiplier k of SRP-6a. */
const MULTIPLIER = numberOf(sha256(padded(PRIME), padded(Buffer.from([GENERATOR]))));

/** Who a password is of: user pool and user, or group of devices and device. */
export interface SrpIdentity {
  /** Name of the user pool, which is its id after the region; key of the group of devices. */
  readonly group: string;
  readonly name: string;
}

const privateKeyOf = (salt: Buffer, { group, name }: SrpIdentity, password: string): Buffer =>
  sha256(padded(salt), sha256(`${group}${name}:${password}`));

/**
 * What is kept of a password.
 * @param random makes random bytes
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

/** Whether a password is the one of a verifier. */
export async function isPassword(
  identity: SrpIdentity,
  password: string,
  { salt, verifier }: Readonly<Verifier>,
): Promise<boolean> {
  const power = await powers.power(undefined, privateKeyOf(bytesOf(salt), identity, password));
  return same(padded(power), padded(bytesOf(verifier)));
}

/** The server's secret exponent and public value, in hexadecimal. */
export interface ServerValues {
  b: string;
  B: string;
}

/** Begins an exchange. */
export async function beginSrp(verifier: string, random: (length: number) => Buffer): Promise<ServerValues> {
  const secret = random(EXPONENT_BYTES);
  const power = numberOf(await powers.power(undefined, secret));
  const value = (MULTIPLIER * numberOf(bytesOf(verifier)) + power) % N;
  return { b: secret.toString('hex'), B: value.toString(16) };
}

/** Whether the client's public value A, in hexadecimal, may be one. */
export const isClientValue = (value: string): boolean => {
  if (!/^[0-9a-f]{1,1024}$/i.test(value)) return false;
  const remainder = numberOf(bytesOf(value)) % N;
  // 0, 1 and -1 would make the secret known to everybody.
  return remainder > 1n && remainder < N - 1n;
};

/** What a client's proof is checked with. */
export interface SrpExchange extends ServerValues {
  /** The client's public value, in hexadecimal. */
  a: string;
  verifier: string;
}

/** The proof a client must send, in base64: it knows the password. */
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

/** Whether two values are the same, told in constant time. */
export function same(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
