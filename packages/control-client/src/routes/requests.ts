import type { Timestamp } from './common.ts';

/** A request of a client, or a call between services, that has been answered. */
export interface RequestRecord {
  /** Its place in the order in which requests ended; grows. */
  sequence: number;
  requestId: string;
  /** Id of the request that caused it. */
  cause?: string | undefined;
  /** The service that called; absent for a client's request. */
  via?: string | undefined;
  /** emu's name of the service, e.g. `sqs`. */
  service: string;
  /** Name of the operation as in AWS; empty where the request named none. */
  operation: string;
  accountId: string;
  region: string;
  /** ARN of the caller. */
  caller: string;
  /** Emulated time. */
  receivedAt: Timestamp;
  /** Milliseconds until the answer was known. */
  duration: number;
  /** HTTP status; of a call between services, that of a request with the same outcome. */
  status: number;
  errorCode?: string | undefined;
  errorMessage?: string | undefined;
  /** The input, cut after about 2,000 characters, with secrets masked; null where it could not be decoded. */
  input: unknown;
  /** The same of the output; null where the answer is an error. */
  output: unknown;
}

/** A request with what it caused. */
export interface RequestTree extends RequestRecord {
  caused: RequestTree[];
}

/** Which requests to tell of; members that are absent match all. */
export interface RequestQuery {
  service?: string;
  operation?: string;
  account_id?: string;
  /** Only those that were answered with an error. */
  errors?: boolean;
  /** Only those after this `sequence`. */
  since?: number;
}

/**
 * Routes of the recorder; emu's own. `GET /_emulator/requests/events` beside them takes a `RequestQuery` and answers
 * server-sent events, each with a `RequestRecord`, for as long as the client stays.
 */
export interface RequestRoutes {
  'GET /_emulator/requests': {
    query?: RequestQuery & {
      /** The newest at most; 100 by default, 10,000 at most. */
      limit?: number;
    };
    response: { recording: boolean; requests: RequestRecord[] };
  };
  'GET /_emulator/requests/tree': {
    query?: RequestQuery & { limit?: number };
    response: { recording: boolean; requests: RequestTree[] };
  };
  'PUT /_emulator/requests': { body: { recording: boolean }; response: { recording: boolean } };
  'DELETE /_emulator/requests': { response: { cleared: number } };
}
