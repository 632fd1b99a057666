import protobuf from 'protobufjs/light.js';
import { PayloadError } from './format.ts';

const field = (type: string, id: number, rule?: 'repeated') => ({ type, id, ...(rule && { rule }) });

/**
 * OpenTelemetry log messages, limited to the fields that log events contain.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto
 */
const messages = protobuf.Root.fromJSON({
  nested: {
    AnyValue: {
      oneofs: {
        value: {
          oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'],
        },
      },
      fields: {
        stringValue: field('string', 1),
        boolValue: field('bool', 2),
        intValue: field('int64', 3),
        doubleValue: field('double', 4),
        arrayValue: field('ArrayValue', 5),
        kvlistValue: field('KeyValueList', 6),
        bytesValue: field('bytes', 7),
      },
    },
    ArrayValue: { fields: { values: field('AnyValue', 1, 'repeated') } },
    KeyValue: { fields: { key: field('string', 1), value: field('AnyValue', 2) } },
    KeyValueList: { fields: { values: field('KeyValue', 1, 'repeated') } },
    Resource: { fields: { attributes: field('KeyValue', 1, 'repeated') } },
    Scope: { fields: { name: field('string', 1), version: field('string', 2) } },
    LogRecord: {
      fields: {
        timeUnixNano: field('fixed64', 1),
        severityNumber: field('int32', 2),
        severityText: field('string', 3),
        body: field('AnyValue', 5),
        attributes: field('KeyValue', 6, 'repeated'),
        flags: field('fixed32', 8),
        traceId: field('bytes', 9),
        spanId: field('bytes', 10),
        observedTimeUnixNano: field('fixed64', 11),
      },
    },
    ScopeLogs: { fields: { scope: field('Scope', 1), logRecords: field('LogRecord', 2, 'repeated') } },
    ResourceLogs: { fields: { resource: field('Resource', 1), scopeLogs: field('ScopeLogs', 2, 'repeated') } },
    Request: { fields: { resourceLogs: field('ResourceLogs', 1, 'repeated') } },
    PartialSuccess: { fields: { rejectedLogRecords: field('int64', 1), errorMessage: field('string', 2) } },
    Answer: { fields: { partialSuccess: field('PartialSuccess', 1) } },
  },
});
const request = messages.lookupType('Request');
const answer = messages.lookupType('Answer');

/**
 * Converts to the JSON form: trace ids in hexadecimal, 64-bit numbers as text.
 * @throws PayloadError
 */
export function decodeLogs(body: Uint8Array): unknown {
  try {
    const decoded = request.decode(body);
    const plain: unknown = request.toObject(decoded, { longs: String, bytes: String });
    return JSON.parse(JSON.stringify(plain), (key, value: unknown) =>
      (key === 'traceId' || key === 'spanId') && typeof value === 'string'
        ? Buffer.from(value, 'base64').toString('hex')
        : value,
    );
  } catch {
    throw new PayloadError('The request body is not an ExportLogsServiceRequest.');
  }
}

/** Encodes the response. */
export const encodeLogsAnswer = (content: object): Uint8Array => answer.encode(answer.fromObject(content)).finish();
