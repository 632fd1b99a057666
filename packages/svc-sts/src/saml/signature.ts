import { isDeepStrictEqual } from 'node:util';
import { assertionIn } from './saml.ts';
import type { XmlElement } from './xml.ts';
import { DOMParser, SignedXml, type XmlNode } from './xml-crypto.js';

/**
 * Whether the assertion of a response is signed with the key of one of the certificates, directly or as a part of the
 * response.
 * @param document well-formed, without a document type
 * @param certificates in PEM
 */
export function isSigned(document: string, certificates: readonly string[]): boolean {
  const assertion = assertionIn(document);
  if (!assertion) return false;
  const parsed = new DOMParser().parseFromString(document, 'text/xml');
  const signatures = new SignedXml().findSignatures(parsed);
  return certificates.some((publicCert) =>
    signatures.some((signature) => covers(document, signature, publicCert, assertion)),
  );
}

/** Whether a signature is valid and covers the assertion. */
function covers(document: string, signature: XmlNode, publicCert: string, assertion: XmlElement): boolean {
  // The certificate in the response itself is not trusted.
  const signed = new SignedXml({ publicCert, getCertFromKeyInfo: () => null });
  try {
    signed.loadSignature(signature);
    if (!signed.checkSignature(document)) return false;
  } catch {
    // Unknown algorithms and dangling references invalidate the signature.
    return false;
  }
  const expected = withoutSignature(assertion);
  return signed.getSignedReferences().some((text) => {
    const found = assertionIn(text);
    return found !== undefined && isDeepStrictEqual(withoutSignature(found), expected);
  });
}

/** Returns the assertion without the signature in it, which does not cover itself. */
const withoutSignature = (assertion: XmlElement): Pick<XmlElement, 'attributes' | 'children'> => ({
  attributes: assertion.attributes,
  children: assertion.children.filter(({ name }) => name !== 'Signature'),
});
