import type { Principal } from '../identity/principal.ts';

/** How a call between services is evaluated as a request of its own. */
export interface CallAuthorization {
  /** ARN of the resource the call is made for: `aws:SourceArn`. */
  sourceArn?: string;
  /** Account of that resource: `aws:SourceAccount`. */
  sourceAccount?: string;
  /**
   * Whether nothing but the permission is looked at, as AWS does before it accepts a role or a source: the operation is
   * not run, and its output is undefined.
   */
  dryRun?: boolean;
}

/** As whom, and where, an integration calls. */
export interface CallOptions {
  accountId?: string;
  region?: string;
  /** By default the caller of the running operation. */
  principal?: Principal;
  signal?: AbortSignal;
  /**
   * Id of the request, delivery or run of a timer that causes the call; by default the running operation's own. What was
   * kept for later passes on the id that it kept; a timer's run takes one from `ids`, and a poll that of what it polls for.
   */
  cause?: string | undefined;
  /**
   * Evaluates the principal's permission as if it had made the request itself, where `--enforce-iam` is on, as AWS does
   * for KMS on behalf of callers and for deliveries to queues and functions by a service's principal. Without it a call
   * between services needs none.
   */
  authorize?: CallAuthorization;
  /**
   * X-Ray's trace header of the chain of requests that the call belongs to, by which Lambda ends loops. By default that
   * of the running operation.
   */
  traceHeader?: string;
}
