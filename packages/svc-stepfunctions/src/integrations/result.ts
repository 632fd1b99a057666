import type { Ids } from '@emu/core/service';
import type { Json, JsonObject } from '../asl/json.ts';

/** Converts a service's response to JSON: times as ISO 8601, bytes as text. */
export async function jsonOf(value: unknown): Promise<Json | undefined> {
  if (value === undefined || typeof value === 'function') return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) items.push((await jsonOf(item)) ?? null);
    return items;
  }
  if (value instanceof Map || value instanceof Set) return jsonOf([...value]);
  if (Symbol.asyncIterator in (value as object)) return readBody(value as AsyncIterable<Uint8Array>);
  const object: JsonObject = {};
  for (const [key, item] of Object.entries(value as object)) {
    const json = await jsonOf(item);
    if (json !== undefined) object[key] = json;
  }
  return object;
}

async function readBody(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Additional response headers of most services. */
const USUAL = { connection: 'keep-alive' };

/**
 * Returns the request metadata of optimized integrations, in the form of AWS's SDK for Java.
 * @param own headers of the service
 */
export function metadata(
  ids: Ids,
  now: number,
  body: Json,
  contentType: string,
  own: Readonly<Record<string, string>> = USUAL,
) {
  const requestId = ids.uuid();
  const headers: Record<string, string> = {
    'x-amzn-RequestId': requestId,
    'Content-Length': String(Buffer.byteLength(JSON.stringify(body))),
    Date: new Date(now).toUTCString(),
    'Content-Type': contentType,
    ...own,
  };
  return {
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(headers).map(([key, header]) => [key, [header]])),
      HttpHeaders: headers,
      HttpStatusCode: 200,
    },
    SdkResponseMetadata: { RequestId: requestId },
  } satisfies JsonObject;
}
