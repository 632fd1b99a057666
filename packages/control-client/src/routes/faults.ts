/** Which calls of AWS clients a fault hits; a member that is absent matches all. */
export interface FaultTarget {
  /** emu's name of the service, e.g. `sqs`. */
  service?: string;
  /** Name of the operation as in AWS, e.g. `SendMessage`. */
  operation?: string;
  accountId?: string;
  region?: string;
}

/** What happens to a call that is hit. At most one of `error`, `throttle` and `drop`; with `latency` alone it goes on. */
export interface FaultEffect {
  /** Milliseconds to wait first, in real time. */
  latency?: number;
  /** The AWS error to answer with; the status is the error's own by default. */
  error?: { code: string; message?: string; status?: number };
  /** Answers as AWS does when it throttles, with a `retry-after` header where seconds are given. */
  throttle?: { retryAfterSeconds?: number };
  /** Cuts the connection without an answer. */
  drop?: true;
}

/** A fault to inject. */
export interface FaultRequest extends FaultTarget, FaultEffect {
  /** Share of the calls that are hit, from 0 to 1; all by default. */
  share?: number;
  /** Calls to hit before the fault ends; any number by default. */
  times?: number;
}

/** A fault in force. */
export interface FaultRecord extends FaultTarget, FaultEffect {
  id: string;
  share: number;
  /** Calls still to be hit; absent for any number. */
  remaining?: number;
  /** Calls hit so far. */
  hits: number;
}

/** Routes of the faults that users inject into the calls of AWS clients; emu's own. */
export interface FaultRoutes {
  'GET /_emulator/faults': { response: { faults: FaultRecord[] } };
  'POST /_emulator/faults': { body: FaultRequest; response: FaultRecord };
  'DELETE /_emulator/faults': { response: { cleared: number } };
  'DELETE /_emulator/faults/{id}': { response: { cleared: number } };
}
