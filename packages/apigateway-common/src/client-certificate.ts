import { X509Certificate } from 'node:crypto';

/** Certificate data of a client. */
export interface ClientCertificate {
  readonly clientCertPem: string;
  readonly subjectDN: string;
  readonly issuerDN: string;
  /** Colon-separated pairs of hexadecimal digits. */
  readonly serialNumber: string;
  /** Times in certificate format, for example `Aug  5 00:28:21 2026 GMT`. */
  readonly validity: { readonly notBefore: string; readonly notAfter: string };
}

/**
 * Maximum number of certificates in a chain, including the client's and the root.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-mutual-tls.html
 */
const MAX_CHAIN = 4;
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const bundles = new Map<string, readonly X509Certificate[]>();
const MAX_BUNDLES = 20;

/** Parses the valid certificates of a PEM bundle, with a cache of recent ones. */
export function certificatesOf(bundle: string): readonly X509Certificate[] {
  const known = bundles.get(bundle);
  if (known) return known;
  const certificates = (bundle.match(BLOCK) ?? []).flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      // An invalid bundle contains no trusted certificate.
      return [];
    }
  });
  if (bundles.size >= MAX_BUNDLES) bundles.clear();
  bundles.set(bundle, certificates);
  return certificates;
}

const isValid = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo);

/**
 * Returns API Gateway's warnings about a trust store.
 * @param now epoch milliseconds
 */
export const warningsOf = (certificates: readonly X509Certificate[], now: number): string[] =>
  certificates
    .filter((certificate) => !isValid(certificate, now))
    .map((certificate) => `The certificate ${nameOf(certificate.subject)} is not valid at this time.`);

/** Formats a name as in RFC 2253, most specific part first. */
const nameOf = (name: string): string => name.split('\n').reverse().join(',');

/** Whether an authority has signed a certificate. */
function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  } catch {
    // Unsupported key types are not trusted.
    return false;
  }
}

/** Whether a trust store contains a chain from a certificate to a root. */
function isTrusted(certificate: X509Certificate, store: readonly X509Certificate[], now: number): boolean {
  let current = certificate;
  for (let length = 1; length <= MAX_CHAIN; length++) {
    if (!isValid(current, now)) return false;
    if (current !== certificate && current.checkIssued(current)) return true;
    const issuer = store.find((one) => isIssuedBy(current, one));
    if (!issuer) return false;
    current = issuer;
  }
  return false;
}

/**
 * Verifies a client certificate against a trust store.
 * @param shown the certificate in DER; undefined if the client sent none
 * @param bundle the trust store in PEM
 * @param now the emulated time in epoch milliseconds
 * @returns undefined if it is not trusted
 */
export function trustedClient(
  shown: Uint8Array | undefined,
  bundle: string,
  now: number,
): ClientCertificate | undefined {
  if (!shown) return undefined;
  const certificate = new X509Certificate(shown);
  if (!isTrusted(certificate, certificatesOf(bundle), now)) return undefined;
  return {
    clientCertPem: certificate.toString(),
    subjectDN: nameOf(certificate.subject),
    issuerDN: nameOf(certificate.issuer),
    serialNumber: certificate.serialNumber.toLowerCase().replace(/(..)(?=.)/g, '$1:'),
    validity: { notBefore: certificate.validFrom, notAfter: certificate.validTo },
  };
}
