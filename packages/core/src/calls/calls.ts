import type { Principal } from '../identity/principal.ts';

/**
 * The operations of each service, by its name in emu, as `{ input; output }` by the operation's name. Empty here: the types
 * generated from the service models add theirs by a declaration of the module `@emu/core/calls`, as may whoever mounts a
 * service of their own.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declarations of other modules merge with it, which only interfaces do
export interface ServiceOperations {}

/** A service whose operations' types are known. */
export type ServiceName = keyof ServiceOperations & string;

/** An operation of a service. */
export type OperationName<Service extends ServiceName> = keyof ServiceOperations[Service] & string;

/** Input of an operation, as its handler receives it. */
export type OperationInput<
  Service extends ServiceName,
  Operation extends OperationName<Service>,
> = ServiceOperations[Service][Operation] extends { input: infer Input } ? Input : never;

/** Output of an operation, as its handler returns it. */
export type OperationOutput<
  Service extends ServiceName,
  Operation extends OperationName<Service>,
> = ServiceOperations[Service][Operation] extends { output: infer Output } ? Output : never;

/** Who can call operations of any service, in-process. */
export interface ServiceCaller {
  /**
   * Calls an operation of any service. The input is validated as a request's is. The output is undefined of a dry run.
   * @throws AwsError what the operation throws; `NotImplemented` (501) where the service or operation does not exist
   */
  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: CallOptions,
  ): Promise<OperationOutput<Service, Operation>>;
  /**
   * Calls an operation that is known only when it happens, with an input from JSON: blobs in base64, timestamps as seconds
   * since the epoch or as ISO 8601 text, members by their exact names. Unknown members are refused.
   * @returns the operation's output, as its handler returns it
   * @throws AwsError what the operation throws; the service's own validation error where the JSON is no input of it;
   *   `NotImplemented` (501) where the service or operation does not exist
   */
  callJson(service: string, operation: string, json: unknown, options?: CallOptions): Promise<unknown>;
}

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
  /** Id of the call itself, from `ids.uuid()`, for a caller that tells it, even where the call fails; by default a new one. */
  requestId?: string;
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
  /** Base URL that the caller is answered with, as in queue URLs; by default that of the running operation. */
  endpoint?: string;
}
