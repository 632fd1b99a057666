/** Requests of AWS clients to which a fault applies. Absent members match all. */
export interface FaultTarget {
  /** emu's name of the service, e.g. `sqs`. */
  service?: string;
  /** Name of the operation as in AWS, e.g. `SendMessage`. */
  operation?: string;
  accountId?: string;
  region?: string;
}

/**
 * Effect on a matching request. At most one of `error`, `throttle` and `drop`; with `latency` alone the request
 * continues.
 */
export interface FaultEffect {
  /** Initial delay in milliseconds, in real time. */
  latency?: number;
  /** AWS error to return. The status is that of the error by default. */
  error?: { code: string; message?: string; status?: number };
  /** Returns AWS's throttling error, with a `retry-after` header if seconds are given. */
  throttle?: { retryAfterSeconds?: number };
  /** Closes the connection without a response. */
  drop?: true;
}

/** A fault to inject. */
export interface FaultRequest extends FaultTarget, FaultEffect {
  /** Share of matching requests that are affected, from 0 to 1; all by default. */
  share?: number;
  /** Number of affected requests after which the fault ends; unlimited by default. */
  times?: number;
}

/** An active fault. */
export interface FaultRecord extends FaultTarget, FaultEffect {
  id: string;
  share: number;
  /** Number of requests still to be affected; absent if unlimited. */
  remaining?: number;
  /** Number of affected requests so far. */
  hits: number;
}
