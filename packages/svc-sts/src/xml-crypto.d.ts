// The part of xml-crypto and xmldom that is used: their own declarations would bring those of browsers into every package.

/** A node of a document; opaque here. */
export interface XmlNode {
  readonly nodeName: string;
}

/** Parses XML into what `SignedXml` works on. */
export class DOMParser {
  parseFromString(text: string, mimeType: 'text/xml'): XmlNode;
}

/** A signature of XML (https://www.w3.org/TR/xmldsig-core1/). */
export class SignedXml {
  constructor(options?: {
    /** PEM. */
    publicCert?: string;
    privateKey?: string;
    signatureAlgorithm?: string;
    canonicalizationAlgorithm?: string;
    /** Finds the certificate that a signature names. */
    getCertFromKeyInfo?(): string | null;
  });
  findSignatures(document: XmlNode): XmlNode[];
  loadSignature(signature: XmlNode): void;
  /** @throws Error for what is no signature that can be checked */
  checkSignature(document: string): boolean;
  /** What a good signature signs, as canonical XML. */
  getSignedReferences(): string[];
  addReference(reference: { xpath: string; transforms: string[]; digestAlgorithm: string }): void;
  computeSignature(document: string, options: { location: { reference: string; action: 'append' } }): void;
  getSignedXml(): string;
}
