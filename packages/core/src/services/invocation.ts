import type { CallAuthorization } from '../calls/calls.ts';
import type { Principal } from '../identity/principal.ts';
import type { HttpDetails, ReplyDetails } from '../plugin/http.ts';
import type { ServiceStore } from '../state/store.ts';

/** An operation to run, from a request or from another service. */
export interface Invocation {
  service: string;
  operation: string;
  input: unknown;
  accountId: string;
  region: string;
  principal: Principal;
  requestId: string;
  /** See `OperationContext.cause`. */
  readonly cause?: string | undefined;
  endpoint: string;
  /** See `CallOptions.secrets`. */
  readonly secrets?: readonly string[] | undefined;
  http?: HttpDetails;
  /** Trace header of a call between services; requests have theirs among the headers. */
  traceHeader?: string;
  /** Created when the handler adds something to the HTTP response. */
  reply?: ReplyDetails;
  /**
   * Whether policies are evaluated if they are enforced: for every request, and for calls between services on behalf of
   * a caller.
   */
  authorize?: true | (CallAuthorization & { via: string });
  /**
   * In persistent mode the stores that the operation and its calls may have changed, whose journals the response waits
   * for; shared with the calls. Created when the operation begins.
   */
  changes?: Set<ServiceStore> | undefined;
  /** Created when the handler accesses it. */
  signal: () => AbortSignal;
}
