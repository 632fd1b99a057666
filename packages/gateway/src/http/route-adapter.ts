import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import type { NodeRequest, NodeResponse } from './node-request.ts';
import { prepareEnd } from './node-response.ts';

/** Handles the request of a route. */
export interface RouteTarget {
  fetch(request: Request, bindings: HttpBindings | Http2Bindings): Promise<Response>;
  /** Responds to a request that the adapter rejects: one without a host, or with a backslash in its path. */
  refused(): void;
  /** Ends a request after an error in the application. */
  failed(error: unknown): void;
  /** Whether the connection ends after the response. */
  isClosing(): boolean;
}

/**
 * Passes a request of node's servers to an application of the fetch API, and its response back. Keeps the process's own
 * classes of the fetch API, and does not cut a response short if the request is unread.
 */
export function adapt(request: NodeRequest, response: NodeResponse, target: RouteTarget): Promise<void> {
  let taken = false;
  const listener = getRequestListener(
    async (web, bindings) => {
      taken = true;
      const answer = await target.fetch(web, bindings);
      if (!response.headersSent) {
        const headers: Record<string, string | string[]> = {};
        prepareEnd(request, response, headers, target.isClosing());
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      }
      return answer;
    },
    {
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
      errorHandler: (error) => {
        if (taken) target.failed(error);
        else target.refused();
      },
    },
  );
  return listener(request, response);
}
