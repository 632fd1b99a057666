import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';

/** Verifies signatures of one secret. */
export interface VerificationKey {
  /** @param signature in hexadecimal; ECDSA signatures of chunks are padded with `*` */
  verifies(stringToSign: string, signature: string): boolean;
}

const hmac = (key: string | Uint8Array, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/**
 * Returns the key of AWS4-HMAC-SHA256 signatures of one day, region and service.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html#calculate-signature
 */
export function symmetricKey(secret: string, date: string, region: string, service: string): VerificationKey {
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request');
  return {
    verifies(stringToSign, signature) {
      const expected = Buffer.from(hmac(key, stringToSign).toString('hex'));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** Order of the group of P-256 minus two. */
const P256_ORDER_LESS_TWO = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f');
const ALGORITHM = 'AWS4-ECDSA-P256-SHA256';

/**
 * Returns the key pair of AWS4-ECDSA-P256-SHA256 signatures. Both sides derive the private key from the credentials by
 * the counter mode of NIST SP 800-108.
 */
export function asymmetricKeyPair(
  accessKeyId: string,
  secret: string,
): { publicKey: KeyObject; privateKey: KeyObject } {
  for (let counter = 1; counter < 255; counter++) {
    const input = Buffer.concat([
      Buffer.from([0, 0, 0, 1]),
      Buffer.from(`${ALGORITHM}\0${accessKeyId}`),
      Buffer.from([counter, 0, 0, 1, 0]),
    ]);
    const candidate = BigInt(`0x${createHmac('sha256', `AWS4A${secret}`).update(input).digest('hex')}`);
    if (candidate > P256_ORDER_LESS_TWO) continue;
    const scalar = Buffer.from((candidate + 1n).toString(16).padStart(64, '0'), 'hex');
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(scalar);
    const point = curve.getPublicKey();
    const coordinate = (from: number): string => point.subarray(from, from + 32).toString('base64url');
    const publicPart = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
    return {
      publicKey: createPublicKey({ key: publicPart, format: 'jwk' }),
      privateKey: createPrivateKey({ key: { ...publicPart, d: scalar.toString('base64url') }, format: 'jwk' }),
    };
  }
  throw new Error('no key can be derived from the credentials');
}

/** Returns the key of AWS4-ECDSA-P256-SHA256 signatures (SigV4A), which is valid in every region. */
export function asymmetricKey(accessKeyId: string, secret: string): VerificationKey {
  const { publicKey: key } = asymmetricKeyPair(accessKeyId, secret);
  return {
    verifies: (stringToSign, signature) =>
      verify('sha256', Buffer.from(stringToSign), key, Buffer.from(signature.replace(/\*+$/, ''), 'hex')),
  };
}
