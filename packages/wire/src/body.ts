import type { AwsError } from './errors.ts';
import type { MemberModel, ShapeReference } from './model.ts';
import type { WireError } from './wire-errors.ts';

/** The use of a shape as a whole HTTP body or as the payload of an event. */
export interface BodyUse extends ShapeReference {
  /**
   * The members that are in the body, where others of the structure are bound to headers, labels and so on. Absent
   * where the whole shape is the body (an `httpPayload` member, or an event's payload).
   */
  members?: [string, MemberModel][];
}

/** What REST protocols and event streams need of a document format: JSON, XML or CBOR. */
export interface BodyCodec {
  /** `Content-Type` of a document, e.g. `application/json`. */
  readonly contentType: string;
  /** What an output without a member in the body has for a body: an empty document or nothing. */
  readonly emptyBody: string | Uint8Array;
  /** Headers that carry the request id, e.g. `x-amzn-RequestId`. */
  requestIdHeaders(requestId: string): Record<string, string>;
  /**
   * Compiles the decoder of a body. It is never called with an empty body.
   * @throws AwsError (the decoder) where the body is not a document, or has a value of the wrong type
   */
  decoder(use: BodyUse): (body: Uint8Array) => unknown;
  /** Compiles the encoder of a body. */
  encoder(use: BodyUse): (value: unknown) => string | Uint8Array;
  /**
   * Writes an error's headers (without those of its shape's bindings and the request id) and body. `members` are the
   * members of the error's shape that are in the body.
   */
  encodeError(
    wireError: WireError,
    members: [string, MemberModel][],
    requestId: string,
  ): {
    headers: Record<string, string>;
    body: string | Uint8Array;
  };
  /** The error for a header, label or query parameter that is not of its type. */
  malformed(message: string): AwsError;
}

/** What event streams need of a document format. */
export type DocumentCodec = Pick<BodyCodec, 'contentType' | 'emptyBody' | 'decoder' | 'encoder'>;
