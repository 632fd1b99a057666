// Used parts of xml-crypto and xmldom. Their own declarations would add those of browsers to every package.

/** An opaque node of a document. */
export interface XmlNode {
  readonly nodeName: string;
}

/** Parses XML for `SignedXml`. */
export class DOMParser {
  parseFromString(text: string, mimeType: 'text/xml'): XmlNode;
}

/** An XML signature (https://www.w3.org/TR/xmldsig-core1/). */
export class SignedXml {
  constructor(options?: {
    /** PEM. */
    publicCert?: string;
    privateKey?: string;
    signatureAlgorithm?: string;
    canonicalizationAlgorithm?: string;
    /** Returns the certificate that a signature names. */
    getCertFromKeyInfo?(): string | null;
  });
  findSignatures(document: XmlNode): XmlNode[];
  loadSignature(signature: XmlNode): void;
  /** @throws Error for a signature that cannot be verified */
  checkSignature(document: string): boolean;
  /** Signed parts of a valid signature as canonical XML. */
  getSignedReferences(): string[];
  addReference(reference: { xpath: string; transforms: string[]; digestAlgorithm: string }): void;
  computeSignature(document: string, options: { location: { reference: string; action: 'append' } }): void;
  getSignedXml(): string;
}
