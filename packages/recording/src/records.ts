/** A value in a recording: JSON with the reserved objects of `toJson`. */
export type RecordedValue =
  | string
  | number
  | boolean
  | null
  | readonly RecordedValue[]
  | { readonly [name: string]: RecordedValue };

/** Members of a recorded input, output or error. */
export type RecordedMembers = { readonly [name: string]: RecordedValue };

/** Headers by lower-case name. Several values of one name are joined by `, `. */
export type RecordedHeaders = { readonly [name: string]: string };

/** First line of a recording. */
export interface RecordingHeader {
  /** Version of the format. */
  readonly recording: 1;
  /** Time of the start in ISO 8601. */
  readonly startedAt: string;
  /** `aws`, or the URL of another server that responded. */
  readonly upstream: string;
  /** Region of requests that name none. */
  readonly region: string;
  /** Whether placeholders replace secrets, account ids and e-mail addresses. */
  readonly masked: boolean;
}

/** Members of every recorded request. */
interface CommonRecord {
  /** Number of the request, ascending from 1 in the order of arrival. */
  readonly n: number;
  /** Time of arrival in ISO 8601, with milliseconds. */
  readonly startedAt: string;
  /** Milliseconds from the arrival to the end of the response. */
  readonly milliseconds: number;
  /** emu's name of the service, e.g. `stepfunctions`; for an unknown service its signing name or host label. */
  readonly service: string;
  readonly region: string;
  /**
   * Who signed it: absent for the user's own credentials, `anonymous` for an unsigned request, otherwise the access key id of
   * credentials in an earlier response, such as that of AssumeRole.
   */
  readonly signer?: string;
  /** Whether a body or an event stream is incomplete, because it was over a limit or the connection ended. */
  readonly cut?: true;
}

/** A request of a service's API, decoded by the model. */
export interface ApiRecord extends CommonRecord {
  readonly operation: string;
  readonly input: RecordedMembers;
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response that no member of the output contains, except those of the transport. */
  readonly headers: RecordedHeaders;
  /** The output of a success. */
  readonly output?: RecordedMembers;
  /** The error of a failure. */
  readonly error?: RecordedError;
}

/** An error response of a service's API. */
export interface RecordedError {
  /** Code as sent, without a namespace: `ResourceNotFoundException`, or the query protocol's `NoSuchEntity`. */
  readonly code: string;
  /** Empty if the response has no message. */
  readonly message: string;
  /** Further members of the error's shape. */
  readonly members?: RecordedMembers;
}

/** A request without a model, as sent: of a data plane, or of a service that emu does not have. */
export interface RawRecord extends CommonRecord {
  /** Operation in `X-Amz-Target` or `Action`, if any. */
  readonly operation?: string;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/** A recorded body: text in UTF-8, or `{"$bytes"}` with `$length` if it was over the limit. Absent without a body. */
export type RecordedBody = string | { readonly $bytes: string; readonly $length?: number };

/** The request of a {@link RawRecord}. */
export interface RecordedRequest {
  readonly method: string;
  /** Host name at which AWS receives it. */
  readonly host: string;
  /** Path as sent, percent-encoded. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  readonly headers: RecordedHeaders;
  readonly body?: RecordedBody;
}

/** The response of a {@link RawRecord}. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: RecordedHeaders;
  readonly body?: RecordedBody;
}

/** A recorded request with its response. */
export type RequestRecord = ApiRecord | RawRecord;

/** Whether a record is one of a service's API. */
export const isApiRecord = (record: RequestRecord): record is ApiRecord => 'input' in record;
