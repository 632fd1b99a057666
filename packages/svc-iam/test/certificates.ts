import { generateKeyPairSync } from 'node:crypto';
import { generate } from 'selfsigned';

/** A PEM certificate with its private key. */
export interface TestCertificate {
  cert: string;
  private: string;
}

/** Creates a certificate, self-signed by default. */
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

/** Creates another PEM private key. */
export const otherKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/** Invalid certificates, keys and documents. */
export const GARBAGE: readonly string[] = [
  'garbage',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  `-----BEGIN CERTIFICATE-----\n${'A'.repeat(10_000)}\n-----END CERTIFICATE-----`,
  'ÿÿÿÿ',
];

/** Returns metadata of a SAML identity provider with any `certificate` and `validUntil`. */
export function makeMetadata(
  { cert }: Pick<TestCertificate, 'cert'>,
  { certificate, validUntil }: { certificate?: string; validUntil?: string } = {},
): string {
  const base64 = certificate ?? cert.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  const validity = validUntil === undefined ? '' : ` validUntil="${validUntil}"`;
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example"${validity}>
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
      <ds:X509Certificate>${base64}</ds:X509Certificate>
    </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;
}
