import type { AwsError } from './errors.ts';
import type { WireRequest, WireResponse } from './http.ts';
import type { OperationModel, Protocol, ServiceModel } from './model.ts';

/** A violated constraint of an input. */
export interface ValidationFailure {
  /**
   * `required`, `length`, `range`, `pattern`, `enum`, `union` (not exactly one member) or `null` element; for an input
   * from JSON also `type` and `unknown` member.
   */
  constraint: 'required' | 'length' | 'range' | 'pattern' | 'enum' | 'union' | 'null' | 'type' | 'unknown';
  /** Path as AWS prints it, e.g. `entries.1.member.id`: members with a lower-case first letter, 1-based elements. */
  path: string;
  /** Path to the invalid member, with member names of the model and list indexes from 0. */
  members: readonly (string | number)[];
  /** The value; undefined for a missing one. */
  value: unknown;
  /** The violated constraint in AWS's words, e.g. `Member must not be null`. */
  reason: string;
  /** AWS's message, e.g. `Value '' at 'queueName' failed to satisfy constraint: Member must have length greater …`. */
  message: string;
}

/** An input from JSON, with its errors. It is valid only without errors. */
export interface DecodedInput {
  input: unknown;
  failures: ValidationFailure[];
}

/** Operation and protocol of a request. */
export interface DecodedOperation {
  name: string;
  operation: OperationModel;
}

/** Server side of one protocol of one service. Operations are compiled at their first use. */
export interface ServerProtocol {
  readonly protocol: Protocol;
  /** The same protocol with JSON responses, for clients that accept nothing else; available in awsQuery only. */
  readonly inJson?: ServerProtocol | undefined;
  /**
   * Returns the operation of a request from its headers, path and query; for the query protocols also from the form
   * body. Undefined if it names no operation of this service.
   */
  match(request: WireRequest): DecodedOperation | undefined;
  /** Whether the operation's input has a streaming blob or an event stream, so that the body must not be buffered. */
  streams(operation: string): boolean;
  /**
   * Decodes the request into the operation's input: timestamps as `Date`, blobs as `Uint8Array`, documents as JSON
   * values, a streaming blob as `AsyncIterable<Uint8Array>`, an event stream as an async iterable of `{ [event]: … }`.
   * Unknown members are dropped.
   * @throws AwsError `SerializationException` (JSON, CBOR, restJson), `MalformedInput`/`MalformedQueryString` (query)
   * or `MalformedXML` (restXml) for an invalid body
   */
  decode(operation: string, request: WireRequest): unknown;
  /** Encodes an operation's output. */
  encode(operation: string, output: unknown, requestId: string): WireResponse;
  /** Encodes an error. `operation` is undefined if the request named none. */
  encodeError(error: AwsError, requestId: string, operation?: string): WireResponse;
}

/** A compiled service: its protocols, and protocol-independent validation. */
export interface ServiceCodec {
  readonly model: ServiceModel;
  readonly protocols: readonly ServerProtocol[];
  /**
   * Returns the protocol of a request: by `smithy-protocol`, `X-Amz-Target` and content type, `Action`, otherwise the
   * service's only or first protocol. Undefined if the service does not support it.
   */
  protocolOf(request: WireRequest): ServerProtocol | undefined;
  /** Returns the violated constraints of an input in the order of the model; empty for a valid input. */
  validate(operation: string, input: unknown): ValidationFailure[];
  /**
   * Decodes and validates an operation's input in JSON from a user, for example in a state machine or a schedule: blobs
   * in base64, timestamps as seconds since the epoch or ISO 8601 text, members by their exact names, nulls as absent.
   * @returns the input for handlers with all unknown members and values of the wrong type or, without these, all
   * violated constraints
   */
  inputFromJson(operation: string, json: unknown): DecodedInput;
}

/** Returns the message for all failures of an operation, in AWS's common wording. */
export type ValidationErrorFactory = (failures: readonly ValidationFailure[]) => AwsError;
