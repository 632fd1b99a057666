import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Visit } from '../request/visit.ts';

/** Connection of a request to the application, if any, and its visit. */
export interface Bindings {
  incoming?: IncomingMessage | Http2ServerRequest;
  outgoing?: ServerResponse | Http2ServerResponse;
  /** The visit that the gateway has created for the request. */
  visit?: Visit;
}
