import type { AwsError, HeaderValues } from '@emu/wire';

/** A request as it was signed: nothing decoded, nothing rewritten. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderValues;
  /** The path with the resource that the host names in front; `path` where it names none. */
  readonly resourcePath?: string;
}

/** What is wrong with a request's authentication. */
export type AuthFailure =
  | { readonly kind: 'missing' }
  /** The header or query lacks a part, which `detail` names; `query` is what is wrong with a pre-signed query. */
  | { readonly kind: 'incomplete'; readonly detail: string; readonly query?: 'missing' | 'credential' | 'expires' }
  | { readonly kind: 'scheme' }
  /** A query with only a part of a signature of another scheme, or with an invalid expiry. */
  | { readonly kind: 'incomplete-other' }
  | { readonly kind: 'invalid-expiry'; readonly expires: string }
  /** The key is unknown or inactive. */
  | { readonly kind: 'unknown-key'; readonly accessKeyId: string }
  /** The session token belongs to another key. */
  | { readonly kind: 'bad-token' }
  | { readonly kind: 'expired-token' }
  /** The date of the credential scope differs from that of the request. */
  | { readonly kind: 'scope-date'; readonly detail: string }
  /** Signed too long ago or ahead; epoch milliseconds. */
  | { readonly kind: 'skew'; readonly signedAt: number; readonly now: number; readonly detail: string }
  /** A pre-signed URL that has expired, with its lifetime in seconds where it states one; epoch milliseconds. */
  | {
      readonly kind: 'expired-url';
      readonly expiresAt: number;
      readonly now: number;
      readonly seconds?: number;
      readonly detail: string;
    }
  /** Headers that have to be signed are not. */
  | { readonly kind: 'unsigned-headers'; readonly headers: readonly string[] }
  | {
      readonly kind: 'mismatch';
      readonly accessKeyId: string;
      readonly stringToSign: string;
      readonly signature: string;
      /** Undefined for a signature of another scheme. */
      readonly canonicalRequest: string | undefined;
    };

/** A signature of another scheme than version 4, in the query of a pre-signed URL. */
export interface OtherSignature {
  readonly accessKeyId: string;
  readonly signature: string;
  readonly sessionToken: string | undefined;
  /** End of the URL's validity as its client wrote it, in epoch milliseconds. */
  readonly expiresAt: number;
  /** Returns the text that the signature covers. */
  stringToSign(request: SignedRequest): string;
  /** Whether the signature is that of a text with a secret key. */
  verifies(stringToSign: string, secretAccessKey: string): boolean;
}

/** What is loaded of a service's rules where a signature is verified or refused. */
export interface AuthDialect {
  /** Returns the service's error for a failed authentication. */
  error(failure: AuthFailure): AwsError;
  /** Reads a signature of another scheme. @returns what is wrong with it, or undefined where the query has none */
  otherSignature?(query: string): OtherSignature | AuthFailure | undefined;
}

/** How a service's requests are signed, where that differs from most services. */
export interface SignatureRules {
  /** Requests declare the hash of their body in `x-amz-content-sha256`, and their paths are signed as they are sent. */
  readonly declaresPayload?: true;
  /** Every `x-amz-*` header has to be signed. */
  readonly coversOwnHeaders?: true;
  /** Milliseconds that the date of a signature may be in the future; by default 5 minutes. */
  readonly ahead?: number;
  /** Another name of the parameter, and in lower case of the header, that has the session token. */
  readonly sessionToken?: string;
  /** Unsigned requests are an anonymous caller's; those of other services are the default account's, or refused. */
  readonly anonymous?: true;
  /**
   * Returns the headers of a pre-signed request with those that its query carries. A service that has this refuses expired
   * URLs also where signatures are not verified.
   * @param query percent-encoded, without `?`
   */
  presignedHeaders?(headers: HeaderValues, query: string): HeaderValues;
  /** Returns the access key of a signature of another scheme than version 4, unverified; undefined where there is none. */
  otherAccessKey?(headers: HeaderValues, query: string): string | undefined;
  /** Loads the service's errors and its other scheme; by default errors are those of the protocol. */
  load?(): Promise<AuthDialect>;
}
