import { generateKeyPairSync } from 'node:crypto';
import { generate } from 'selfsigned';

/** A certificate in PEM with its private key. */
export interface TestCertificate {
  cert: string;
  private: string;
}

/** Makes a certificate, by default signed by its own key. */
export async function makeCertificate(
  name: string,
  {
    issuer,
    from = new Date('2026-01-01'),
    to = new Date('2036-01-01'),
  }: {
    issuer?: TestCertificate;
    from?: Date;
    to?: Date;
  } = {},
): Promise<TestCertificate> {
  return generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: from,
    notAfterDate: to,
    extensions: [{ name: 'basicConstraints', cA: true }],
    ...(issuer && { ca: { key: issuer.private, cert: issuer.cert } }),
  });
}

/** A private key of its own in PEM. */
export const otherKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/** Texts that are no certificates, keys or documents. */
export const GARBAGE: readonly string[] = [
  'garbage',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  `-----BEGIN CERTIFICATE-----\n${'A'.repeat(10_000)}\n-----END CERTIFICATE-----`,
  'ÿÿÿÿ',
];
