import type { AwsError, HeaderValues } from '@emu/wire';

/** A request as it was signed, neither decoded nor rewritten. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderValues;
  /** The path, with the host's resource in front if it names one. */
  readonly resourcePath?: string;
}

/** Service and region that receive a request, which the credential scope of its signature must name. */
export interface SigningScope {
  /** Signing names of the service; the first is in error messages. */
  readonly services: readonly string[];
  readonly region: string;
}

/** A failed authentication of a request. */
export type AuthFailure =
  | { readonly kind: 'missing' }
  /** The header or query lacks a part, named in `detail`; `query` is the problem of a pre-signed query. */
  | { readonly kind: 'incomplete'; readonly detail: string; readonly query?: 'missing' | 'credential' | 'expires' }
  | { readonly kind: 'scheme' }
  /** An incomplete signature of another scheme in a query, or an invalid expiry. */
  | { readonly kind: 'incomplete-other' }
  | { readonly kind: 'invalid-expiry'; readonly expires: string }
  /** The key is unknown or inactive. */
  | { readonly kind: 'unknown-key'; readonly accessKeyId: string }
  /** The session token belongs to another key. */
  | { readonly kind: 'bad-token' }
  | { readonly kind: 'expired-token' }
  /** The date of the credential scope differs from that of the request. */
  | { readonly kind: 'scope-date'; readonly detail: string }
  /** The credential scope names another service or region than those that receive the request. */
  | { readonly kind: 'scope'; readonly detail: string }
  /** Signed too long ago or in the future; epoch milliseconds. */
  | { readonly kind: 'skew'; readonly signedAt: number; readonly now: number; readonly detail: string }
  /** An expired pre-signed URL, with its lifetime in seconds if it contains one; epoch milliseconds. */
  | {
      readonly kind: 'expired-url';
      readonly expiresAt: number;
      readonly now: number;
      readonly seconds?: number;
      readonly detail: string;
    }
  /** Required headers are not signed. */
  | { readonly kind: 'unsigned-headers'; readonly headers: readonly string[] }
  | {
      readonly kind: 'mismatch';
      readonly accessKeyId: string;
      readonly stringToSign: string;
      readonly signature: string;
      /** Undefined for a signature of another scheme. */
      readonly canonicalRequest: string | undefined;
    };

/** A signature of a scheme other than version 4, in the query of a pre-signed URL. */
export interface OtherSignature {
  readonly accessKeyId: string;
  readonly signature: string;
  readonly sessionToken: string | undefined;
  /** Expiry of the URL in the request, in epoch milliseconds. */
  readonly expiresAt: number;
  /** Returns the text that the signature covers. */
  stringToSign(request: SignedRequest): string;
  /** Whether the signature is that of a text with a secret key. */
  verifies(stringToSign: string, secretAccessKey: string): boolean;
}

/** Rules of a service that are loaded when a signature is verified or rejected. */
export interface AuthDialect {
  /** Returns the service's error for a failed authentication. */
  error(failure: AuthFailure): AwsError;
  /** Parses a signature of another scheme. @returns its problem, or undefined for a query without one */
  otherSignature?(query: string): OtherSignature | AuthFailure | undefined;
}

/** Signature rules of a service, if they differ from most services. */
export interface SignatureRules {
  /**
   * Requests declare the hash of their body in `x-amz-content-sha256`, or that the signature does not cover it, and
   * their paths are signed as sent.
   */
  readonly declaresPayload?: true;
  /** Whether every `x-amz-*` header must be signed. */
  readonly coversOwnHeaders?: true;
  /** Milliseconds that the date of a signature may be in the future; by default 5 minutes. */
  readonly ahead?: number;
  /** Whether the error for a wrong signature contains what should have been signed. */
  readonly describesMismatch?: true;
  /** Alternative name of the parameter, and in lower case of the header, with the session token. */
  readonly sessionToken?: string;
  /**
   * Whether unsigned requests have an anonymous caller; for other services they have the default account's, or are
   * rejected.
   */
  readonly anonymous?: true;
  /**
   * Returns the headers of a pre-signed request, with those of its query. A service with this function rejects expired
   * URLs even if signatures are not verified.
   * @param query percent-encoded, without `?`
   */
  presignedHeaders?(headers: HeaderValues, query: string): HeaderValues;
  /** Returns the access key of a signature of another scheme than version 4, unverified; undefined for none. */
  otherAccessKey?(headers: HeaderValues, query: string): string | undefined;
  /** Loads the service's errors and its other scheme; by default the errors of the protocol are used. */
  load?(): Promise<AuthDialect>;
}
