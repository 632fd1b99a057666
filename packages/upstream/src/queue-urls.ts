import { headerOf } from '@emu/wire';
import type { Call } from './recognition.ts';
import type { OutgoingRequest } from './sender.ts';

/** Where a request went. */
type Destination = Pick<OutgoingRequest, 'secure' | 'headers'>;

/**
 * Clients use the URL of a queue as an endpoint, so that a client of the proxy would leave it. Therefore URLs in responses of
 * SQS lead to the proxy, and those in requests back to the queue.
 */
const hasQueueUrls = ({ service }: Call): boolean => service === 'sqs';

/** Host names of queues in AWS's older URLs. */
const OLDER = /https:\/\/(?:[a-z0-9-]+\.)?queue\.amazonaws\.com(?=\/)/g;

const originOf = ({ secure, headers }: Destination): string => `${secure ? 'https' : 'http'}://${headers.host ?? ''}`;

/** Returns the address of the proxy as the client knows it. */
const proxyOf = ({ request }: Call): string =>
  `${request.secure ? 'https' : 'http'}://${headerOf(request.headers, 'host') ?? ''}`;

/** Returns the body of a request for its destination. */
export function bodyForDestination(call: Call, destination: Destination, body: Uint8Array): Uint8Array {
  if (!hasQueueUrls(call)) return body;
  const [proxy, origin] = [proxyOf(call), originOf(destination)];
  return replaced(body, (text) =>
    text
      .replaceAll(`${proxy}/`, `${origin}/`)
      .replaceAll(encodeURIComponent(`${proxy}/`), encodeURIComponent(`${origin}/`)),
  );
}

/** Returns the body of a response for the client. */
export function bodyForClient(call: Call, destination: Destination, body: Uint8Array): Uint8Array {
  if (!hasQueueUrls(call)) return body;
  const proxy = proxyOf(call);
  return replaced(body, (text) => text.replaceAll(`${originOf(destination)}/`, `${proxy}/`).replace(OLDER, proxy));
}

/** Whether the response to a request has to be read as a whole, because its URLs are replaced. */
export const changesResponse = hasQueueUrls;

function replaced(body: Uint8Array, replace: (text: string) => string): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const out = replace(text);
  return out === text ? body : Buffer.from(out, 'latin1');
}
