import { isObject } from '@emu/wire';
import type { NewEvent } from '../../store/event.ts';
import { type Endpoint, PayloadError, type Rejected, readJson } from './format.ts';
import { decodeLogs, encodeLogsAnswer } from './open-telemetry-messages.ts';

const PROTOBUF = 'application/x-protobuf';
const NANOS = 1_000_000n;
const MAX_DEPTH = 100;

type Message = Readonly<Record<string, unknown>>;

const messagesIn = (value: unknown): Message[] => (Array.isArray(value) ? value.filter(isObject) : []);

/**
 * Returns the plain value of an `AnyValue`; null if it is empty.
 * @throws PayloadError
 */
function plainOf(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new PayloadError('A value of a log record is nested too deeply.');
  if (!isObject(value)) return null;
  if (isObject(value.arrayValue)) return messagesIn(value.arrayValue.values).map((item) => plainOf(item, depth + 1));
  if (isObject(value.kvlistValue)) return attributesOf(value.kvlistValue.values, depth + 1);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? value.bytesValue ?? null;
}

/** Converts attributes to an object. */
const attributesOf = (list: unknown, depth = 0): Record<string, unknown> =>
  Object.fromEntries(messagesIn(list).map(({ key, value }) => [String(key), plainOf(value, depth)]));

/**
 * Parses nanoseconds since the epoch, which are text in JSON.
 * @throws PayloadError
 */
function nanosOf(value: unknown): bigint {
  try {
    return BigInt((value as string | number | undefined) ?? 0);
  } catch {
    throw new PayloadError('A time of a log record is not a number of nanoseconds.');
  }
}

/** Serializes a log record: resource and scope first, times as JSON numbers beyond JavaScript's precision. */
function eventOf(record: Message, resource: unknown, scope: unknown, now: number): NewEvent {
  const time = nanosOf(record.timeUnixNano);
  const observed = nanosOf(record.observedTimeUnixNano);
  const { severityNumber, severityText, flags, traceId, spanId } = record;
  const begin = JSON.stringify({ resource, scope }).slice(0, -1);
  const rest = JSON.stringify({
    ...(severityNumber !== undefined && { severityNumber }),
    ...(severityText !== undefined && { severityText }),
    body: plainOf(record.body),
    attributes: attributesOf(record.attributes),
    ...(flags !== undefined && { flags }),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
  }).slice(1);
  const stamp = time || observed;
  return {
    timestamp: stamp ? Number(stamp / NANOS) : now,
    message: `${begin},"timeUnixNano":${time},"observedTimeUnixNano":${observed},${rest}`,
  };
}

/** Returns the rejected records in the response. */
function partial({ tooOld, tooNew, expired }: Rejected): { rejectedLogRecords: number; errorMessage: string } {
  const counts = Object.entries({
    tooOldLogEventCount: tooOld,
    tooNewLogEventCount: tooNew,
    expiredLogEventCount: expired,
  })
    .filter(([, count]) => count)
    .map(([name, count]) => `"${name}": ${count}`);
  return { rejectedLogRecords: tooOld + tooNew + expired, errorMessage: `{${counts.join(', ')}}` };
}

/**
 * OpenTelemetry log records, as JSON or protocol buffers.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_HTTP_Endpoints_OTLP.html
 */
export const openTelemetry: Endpoint = {
  contentTypes: ['application/json', PROTOBUF],
  byQuery: false,
  read({ contentType, body, now }) {
    const request = contentType === PROTOBUF ? decodeLogs(body) : readJson(body.toString());
    if (!isObject(request)) throw new PayloadError('The request body is not an object.');
    return messagesIn(request.resourceLogs).flatMap(({ resource, scopeLogs }) => {
      const of = { attributes: attributesOf(isObject(resource) ? resource.attributes : undefined) };
      return messagesIn(scopeLogs).flatMap(({ scope, logRecords }) => {
        const { name = '', version } = isObject(scope) ? scope : {};
        const by = { name, ...(version !== undefined && { version }) };
        return messagesIn(logRecords).map((record) => eventOf(record, of, by, now));
      });
    });
  },
  answer(contentType, rejected) {
    const partialSuccess = partial(rejected);
    const answer = partialSuccess.rejectedLogRecords ? { partialSuccess } : {};
    return contentType === PROTOBUF ? encodeLogsAnswer(answer) : JSON.stringify(answer);
  },
};
