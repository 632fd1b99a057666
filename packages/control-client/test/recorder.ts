import { ControlClient } from '../src/index.ts';

/** A request as the client sent it. */
export interface SentRequest {
  method: string;
  url: string;
  contentType?: string;
  body?: unknown;
}

/** Response of the recorder. */
export interface Answer {
  status?: number;
  body?: string | Uint8Array;
}

/** Returns a client that records requests and returns given responses, by default an empty JSON object. */
export function recordingClient(
  answer: Answer = {},
  baseUrl = 'http://emu.test',
): { client: ControlClient; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const client = new ControlClient(baseUrl, {
    fetch: async (url, { method, headers, body }) => {
      sent.push({
        method,
        url,
        ...(headers['content-type'] && { contentType: headers['content-type'] }),
        ...(body !== undefined && { body: typeof body === 'string' ? JSON.parse(body) : body }),
      });
      return new Response(answer.body ?? '{}', { status: answer.status ?? 200 });
    },
  });
  return { client, sent };
}
