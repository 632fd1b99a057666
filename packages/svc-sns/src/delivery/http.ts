import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type OutgoingNames, openRequest } from '@emu/core/outgoing';
import type { Worker } from '@emu/core/service';
import type { Outcome } from '../messages/outcome.ts';

/** Timeout of an endpoint in milliseconds, as in SNS. */
const TIMEOUT = 15_000;
/** Limit of connections to one endpoint. */
const MAX_SOCKETS = 10;
/** Characters of a logged response. */
const MAX_LOGGED = 1000;
/** Bytes of a response that are read in order to reuse the connection. */
const MAX_ANSWER = 64 * 1024;
const TOO_MANY_REQUESTS = 429;

/** Posts messages to HTTP endpoints. */
export class HttpDeliveries implements Worker {
  private readonly agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 2 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 2 }),
  };
  private readonly closing = new AbortController();

  constructor(private readonly names: OutgoingNames) {}

  /**
   * Posts a body. Redirects are not followed. User and password of the URL become basic authentication.
   * @param url with protocol `http:` or `https:`
   * @param logged whether the response is logged
   */
  post(url: string, headers: Readonly<Record<string, string>>, body: string, logged: boolean): Promise<Outcome> {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const options = {
      method: 'POST',
      headers: {
        ...headers,
        'user-agent': 'Amazon Simple Notification Service Agent',
        'accept-encoding': 'gzip,deflate',
        'content-length': Buffer.byteLength(body),
      },
      agent: secure ? this.agents.https : this.agents.http,
      // Real time, because the endpoint is real and independent of the emulated clock.
      signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(TIMEOUT)]),
      ...(target.username && {
        auth: `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`,
      }),
    };
    return new Promise((resolve) => {
      const fail = (error: Error) => resolve({ delivered: false, error: messageOf(error), retriable: true });
      openRequest(this.names, target, options).then((request) => {
        request.on('error', fail);
        request.on('response', (response) => {
          const outcome = outcomeOf(response.statusCode!);
          if (!logged) {
            discard(response);
            resolve(outcome);
          } else
            void startOf(response).then((text) =>
              resolve({ ...outcome, response: { statusCode: response.statusCode!, text } }),
            );
        });
        request.end(body);
      }, fail);
    });
  }

  /** Aborts the requests in progress. */
  close(): void {
    this.closing.abort();
    this.agents.http.destroy();
    this.agents.https.destroy();
  }
}

/** Returns the outcome for a status. 2xx is success; SNS retries after errors that may be temporary. */
function outcomeOf(statusCode: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { delivered: true, statusCode };
  return {
    delivered: false,
    error: `the endpoint answered ${statusCode}`,
    retriable: statusCode >= 500 || statusCode === TOO_MANY_REQUESTS,
    statusCode,
  };
}

function messageOf(error: Error): string {
  if (error.name === 'TimeoutError') return `the endpoint did not answer within ${TIMEOUT / 1000} seconds`;
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}

/** Reads a response to its end unless it exceeds the limit. */
function discard(response: IncomingMessage, each?: (chunk: Buffer) => void): void {
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    each?.(chunk);
    if (read > MAX_ANSWER) response.destroy();
  });
  response.on('error', () => response.destroy());
}

/** Returns the start of a response's text, when the response has ended. */
function startOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    discard(response, (chunk) => {
      if (text.length < MAX_LOGGED) text += chunk.toString('utf8', 0, MAX_LOGGED);
    });
    response.on('close', () => resolve(text.slice(0, MAX_LOGGED)));
  });
}
