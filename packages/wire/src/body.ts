import type { AwsError } from './errors.ts';
import type { MemberModel, ShapeReference } from './model.ts';
import type { WireError } from './wire-errors.ts';

/** A shape used as a whole HTTP body or as the payload of an event. */
export interface BodyUse extends ShapeReference {
  /**
   * Members in the body, if other members of the structure are bound to headers, labels and so on. Absent if the whole
   * shape is the body (an `httpPayload` member, or an event's payload).
   */
  members?: [string, MemberModel][];
}

/** A query parameter whose text has another type than its member. */
export interface WrongParameter {
  readonly name: string;
  readonly text: string;
  /** Whether its member is an integer. */
  readonly integer: boolean;
}

/** A document format for REST protocols and event streams: JSON, XML or CBOR. */
export interface BodyCodec {
  /** `Content-Type` of a document, e.g. `application/json`. */
  readonly contentType: string;
  /** Body of an output without body members: an empty document or nothing. */
  readonly emptyBody: string | Uint8Array;
  /** Headers with the request id, e.g. `x-amzn-RequestId`. */
  requestIdHeaders(requestId: string): Record<string, string>;
  /**
   * Compiles the decoder of a body, which is never called with an empty body.
   * @throws AwsError (the decoder) for an invalid document or a value of the wrong type
   */
  decoder(use: BodyUse): (body: Uint8Array) => unknown;
  /** Compiles the encoder of a body. */
  encoder(use: BodyUse): (value: unknown) => string | Uint8Array;
  /**
   * Encodes an error's body and headers (except the headers bound by its shape and the request id). `members` are the
   * body members of the error's shape.
   */
  encodeError(
    wireError: WireError,
    members: [string, MemberModel][],
    requestId: string,
  ): {
    headers: Record<string, string>;
    body: string | Uint8Array;
  };
  /**
   * Creates the error for a header, label or query parameter of the wrong type.
   * @param parameter the query parameter; undefined for headers and labels
   */
  malformed(message: string, parameter?: WrongParameter): AwsError;
}

/** A document format for event streams. */
export type DocumentCodec = Pick<BodyCodec, 'contentType' | 'emptyBody' | 'decoder' | 'encoder'>;
