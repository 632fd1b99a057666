import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Visit } from '../request/visit.ts';

/** What comes with a request into the application: its connection, where it came by one. */
export interface Bindings {
  incoming?: IncomingMessage | Http2ServerRequest;
  outgoing?: ServerResponse | Http2ServerResponse;
  /** What the gateway knows of the request already. */
  visit?: Visit;
}
