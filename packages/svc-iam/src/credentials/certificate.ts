import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { iamError } from '../errors.ts';

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

const malformed = (message: string): Error => iamError('MalformedCertificateException', message);
const unreadable = (what: string): Error =>
  malformed(`Unable to parse ${what}. Please ensure the ${what} is in PEM format.`);
const brokenChain = (index: number): Error =>
  malformed(
    `Unable to validate certificate chain. The certificate chain must start with the immediate signing certificate, followed by any intermediaries in order. The index within the chain of the invalid certificate is: ${index}`,
  );

/** Returns the certificate in a text of exactly one PEM certificate; undefined for other text. */
export function readCertificate(text: string): X509Certificate | undefined {
  const [only, ...others] = readAll(text) ?? [];
  return others.length ? undefined : only;
}

/** Returns the certificates in a text of PEM certificates only; undefined for other text. */
function readAll(text: string): X509Certificate[] | undefined {
  if (text.replaceAll(PEM, '').trim()) return undefined;
  try {
    return (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  } catch {
    return undefined;
  }
}

/** Returns the end of a certificate's validity in epoch milliseconds. */
export const expirationOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

/**
 * Checks a server certificate, its private key and its chain.
 * @param now epoch milliseconds
 * @throws AwsError `KeyPairMismatch`, `MalformedCertificate`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_server-certs.html
 */
export function checkServerCertificate(
  body: string,
  privateKey: string,
  chain: string | undefined,
  now: number,
): X509Certificate {
  const certificate = readCertificate(body);
  if (!certificate) throw unreadable('certificate');
  const key = readPrivateKey(privateKey);
  if (!certificate.checkPrivateKey(key))
    throw iamError('KeyPairMismatchException', 'The public key certificate and the private key do not match.');
  if (now < Date.parse(certificate.validFrom)) throw malformed('The certificate is not valid yet.');
  if (now > expirationOf(certificate)) throw malformed('The certificate has expired.');
  if (chain !== undefined) checkChain(certificate, chain);
  return certificate;
}

/** Parses a PEM private key without password. */
function readPrivateKey(text: string): KeyObject {
  try {
    return createPrivateKey(text.trim());
  } catch {
    throw unreadable('private key');
  }
}

/**
 * Checks that every certificate is signed by the next. The index in an error is that of the unsigned certificate; -1 is
 * the server's.
 */
function checkChain(certificate: X509Certificate, chain: string): void {
  const issuers = readAll(chain);
  if (!issuers?.length) throw brokenChain(-1);
  let subject = certificate;
  for (const [index, issuer] of issuers.entries()) {
    if (!isIssuedBy(subject, issuer)) throw brokenChain(index - 1);
    subject = issuer;
  }
}

function isIssuedBy(subject: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return subject.checkIssued(issuer) && subject.verify(issuer.publicKey);
  } catch {
    // OpenSSL does not support the kind of key or signature.
    return false;
  }
}
