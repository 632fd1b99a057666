import type { Fields } from '@emu/apigateway-common';
import type { Call } from './call.ts';

/** Returns the headers of a request in a function's event. */
export function eventHeaders(call: Call): Fields {
  const { request, trace } = call;
  const headers = request.headers.copy();
  headers.set('X-Amzn-Trace-Id', trace);
  const forwarded = request.headers.get('x-forwarded-for');
  headers.set('X-Forwarded-For', forwarded === undefined ? request.sourceIp : `${forwarded}, ${request.sourceIp}`);
  headers.set('X-Forwarded-Port', request.host.split(':')[1] ?? (request.secure ? '443' : '80'));
  headers.set('X-Forwarded-Proto', request.secure ? 'https' : 'http');
  return headers;
}
