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
  http?: HttpDetails;
  /** Trace header of a call between services; requests have theirs among the headers. */
  traceHeader?: string;
  /** Made when the handler has something to add to the HTTP answer. */
  reply?: ReplyDetails;
  /**
   * Whether policies are evaluated, where they are enforced: for every request, and for calls between services that say
   * on whose behalf they are made.
   */
  authorize?: true | (CallAuthorization & { via: string });
  /**
   * In persistent mode the stores that the operation and those it calls may have changed, whose journals the answer
   * waits for; shared with the calls. Made when the operation begins.
   */
  changes?: Set<ServiceStore> | undefined;
  /** Made when the handler asks for it. */
  signal: () => AbortSignal;
}
