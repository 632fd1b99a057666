import type { VendedRecord } from '@emu/core/service';

/** Limit of a record in bytes. */
const MAX_BYTES = 1_048_576;
/** Members removed first from a record over the limit. */
const DROPPED = ['target_response_body', 'target_properties', 'target_input', 'event_detail'];

/** Subject of a record. */
export interface About {
  readonly requestId: string | undefined;
  readonly eventId: string | undefined;
  readonly invocationId?: string;
}

/** Failure at a step. */
export interface StepError {
  readonly http_status_code?: number;
  readonly error_message: string;
  readonly aws_service: string;
}

/** Members of a record besides the level. */
export interface RecordFields {
  readonly resource_arn: string;
  readonly message_timestamp_ms: number;
  readonly event_bus_name: string;
  readonly request_id: string | undefined;
  readonly event_id: string | undefined;
  readonly invocation_id?: string | undefined;
  readonly message_type: string;
  readonly log_level: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly error?: StepError | undefined;
}

/** A record and its size in bytes as JSON. */
export interface SizedRecord {
  readonly record: VendedRecord;
  readonly bytes: number;
}

/**
 * Builds a record, without members that exceed the size limit.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-logs.html
 */
export function recordOf(fields: RecordFields): SizedRecord {
  const timestamp = fields.message_timestamp_ms;
  const details = { ...fields.details };
  const dropped: string[] = [];
  const build = () => ({ ...fields, details, ...(dropped.length && { dropped_fields: dropped }) });
  const size = () => Buffer.byteLength(JSON.stringify(build()));
  let bytes = size();
  for (const name of DROPPED) {
    if (bytes <= MAX_BYTES) break;
    if (!(name in details)) continue;
    delete details[name];
    dropped.push(`details.${name}`);
    bytes = size();
  }
  return { record: { timestamp, fields: build(), cause: fields.request_id }, bytes };
}
