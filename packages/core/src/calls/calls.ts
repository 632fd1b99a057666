import type { Principal } from '../identity/principal.ts';

/**
 * The operations of each service, by its name in emu, as `{ input; output }` by the operation's name. Empty here: the
 * types generated from the service models extend the module `@emu/core/calls`, as users can for services of their own.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declarations of other modules merge with it, which only interfaces do
export interface ServiceOperations {}

/** A service with known operation types. */
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

/** Calls operations of any service, in-process. */
export interface ServiceCaller {
  /**
   * Calls an operation of any service. The input is validated like a request's. A dry run returns undefined.
   * @throws AwsError of the operation; `NotImplemented` (501) for an unknown service or operation
   */
  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: CallOptions,
  ): Promise<OperationOutput<Service, Operation>>;
  /**
   * Calls an operation that is known only at runtime, with an input from JSON: blobs in base64, timestamps as seconds
   * since the epoch or as ISO 8601 text, members by their exact names. Unknown members are rejected.
   * @returns the operation's output, as its handler returns it
   * @throws AwsError of the operation; the service's validation error for an invalid input; `NotImplemented` (501) for
   * an unknown service or operation
   */
  callJson(service: string, operation: string, json: unknown, options?: CallOptions): Promise<unknown>;
}

/** Options for the permission check of a call between services. */
export interface CallAuthorization {
  /** ARN of the resource that the call is for: `aws:SourceArn`. */
  sourceArn?: string;
  /** Account of that resource: `aws:SourceAccount`. */
  sourceAccount?: string;
  /**
   * Whether only the permission is checked, as AWS does before it accepts a role or a source: the operation does not
   * run, and its output is undefined.
   */
  dryRun?: boolean;
}

/** Caller, place and cause of a call. */
export interface CallOptions {
  accountId?: string;
  region?: string;
  /** By default the caller of the running operation. */
  principal?: Principal;
  signal?: AbortSignal;
  /**
   * Id of the request, delivery or timer run that causes the call; by default that of the running operation. Queued
   * records pass on their stored cause; a timer's run takes a new id from `ids`, and a poll the id of what it polls
   * for.
   */
  cause?: string | undefined;
  /**
   * Id of the call itself, from `ids.uuid()`, for a caller that reports it even if the call fails; by default a new
   * one.
   */
  requestId?: string;
  /**
   * Checks the principal's permission as for a request of its own with `--enforce-iam`, as AWS does for KMS on behalf
   * of callers and for deliveries to queues and functions by a service's principal. By default a call between services
   * needs no permission.
   */
  authorize?: CallAuthorization;
  /**
   * X-Ray's trace header of the chain of requests that the call belongs to, which Lambda's loop detection uses. By
   * default that of the running operation.
   */
  traceHeader?: string;
  /** Base URL in the response, as in queue URLs; by default that of the running operation. */
  endpoint?: string;
  /** Texts that recorded requests mask in the input, output and error. */
  secrets?: readonly string[] | undefined;
}
