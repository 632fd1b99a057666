// Declarations of the used parts of node-saml and xmldom: their own would add browser types to every package.

/** Subject of an assertion. */
export interface SamlProfile {
  issuer: string;
  nameID: string;
  nameIDFormat: string;
  sessionIndex?: string;
  attributes?: Record<string, unknown>;
}

export declare enum ValidateInResponseTo {
  never = 'never',
  ifPresent = 'ifPresent',
  always = 'always',
}

/** Configuration of a service provider and its identity provider. */
export interface SamlConfig {
  issuer: string;
  audience: string;
  callbackUrl: string;
  idpCert: string[];
  idpIssuer: string;
  entryPoint: string;
  logoutUrl: string;
  logoutCallbackUrl: string;
  wantAuthnResponseSigned: boolean;
  wantAssertionsSigned: boolean;
  acceptedClockSkewMs: number;
  disableRequestedAuthnContext: boolean;
  identifierFormat: string | null;
  generateUniqueId(): string;
  validateInResponseTo: ValidateInResponseTo;
  cacheProvider: {
    saveAsync(id: string, value: string): Promise<{ value: string; createdAt: number } | null>;
    getAsync(id: string | null): Promise<string | null>;
    removeAsync(id: string | null): Promise<string | null>;
  };
  /** PEM. */
  privateKey?: string;
  signatureAlgorithm?: 'sha256';
  /** PEM. */
  decryptionPvk?: string;
}

/** A SAML service provider. */
export declare class SAML {
  constructor(config: SamlConfig);
  getAuthorizeUrlAsync(relayState: string, host: string | undefined, options: object): Promise<string>;
  getAuthorizeMessageAsync(
    relayState: string,
    host: string | undefined,
    options: object,
  ): Promise<Record<string, unknown>>;
  getLogoutUrlAsync(profile: SamlProfile, relayState: string, options: object): Promise<string>;
  validatePostResponseAsync(form: { SAMLResponse: string }): Promise<{ profile: SamlProfile | null }>;
}

/** An XML element. */
export interface XmlElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): XmlElements;
}

export interface XmlElements {
  readonly length: number;
  item(index: number): XmlElement | null;
}

export declare class DOMParser {
  constructor(options: { errorHandler: Record<'warning' | 'error' | 'fatalError', () => void> });
  parseFromString(xml: string, type: 'text/xml'): XmlElement | undefined;
}
