import { createPrivateKey, generateKeyPair, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** Signing algorithms of web identity tokens (RFC 7518). */
export type JwtAlgorithm = 'RS256' | 'ES384';

/** A key that signs an account's web identity tokens. */
export interface SigningKey {
  /** `kid` in the token header. */
  id: string;
  algorithm: JwtAlgorithm;
  /** PKCS #8 in PEM. */
  privateKey: string;
}

const generate = promisify(generateKeyPair);

/** Generates a key. @param id `kid` in the tokens */
export async function createSigningKey(algorithm: JwtAlgorithm, id: string): Promise<SigningKey> {
  const { privateKey } =
    algorithm === 'RS256'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-384' });
  return { id, algorithm, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a signed JWT in compact serialisation (RFC 7515). */
export function signToken(key: SigningKey, claims: Readonly<Record<string, unknown>>): string {
  const input = `${encoded({ alg: key.algorithm, kid: key.id, typ: 'JWT' })}.${encoded(claims)}`;
  const signature = sign(key.algorithm === 'RS256' ? 'sha256' : 'sha384', Buffer.from(input), {
    key: createPrivateKey(key.privateKey),
    // JWS requires the two numbers of an ECDSA signature concatenated, not in DER.
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
}
