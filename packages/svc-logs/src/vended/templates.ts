import type { ConfigurationTemplate } from '@emu/service-types/logs';

/** A type of vended log produced by emu's services. */
export interface VendedLogKind {
  /** Service name in ARNs and templates. */
  readonly service: string;
  readonly resourceType: string;
  /** Whether the part of an ARN after the account is such a resource. */
  readonly resource: RegExp;
  readonly logTypes: readonly string[];
  /** All fields in documented order; those in every record are mandatory. */
  readonly fields: readonly { readonly name: string; readonly mandatory: boolean }[];
  /** Allowed parts of an object's key, after AWS's prefix. */
  readonly suffixFields: readonly string[];
  /** Folder of objects, after `AWSLogs/<account>/`. */
  readonly folder: string;
}

const fieldsOf = (mandatory: readonly string[], optional: readonly string[]) => [
  ...mandatory.map((name) => ({ name, mandatory: true })),
  ...optional.map((name) => ({ name, mandatory: false })),
];

/**
 * Logs of event buses.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-logs-schema.html
 */
const EVENT_BUS: VendedLogKind = {
  service: 'events',
  resourceType: 'event-bus',
  resource: /^event-bus\/.+$/,
  logTypes: ['ERROR_LOGS', 'INFO_LOGS', 'TRACE_LOGS'],
  fields: fieldsOf(
    ['resource_arn', 'message_timestamp_ms', 'event_bus_name', 'message_type', 'log_level'],
    ['request_id', 'event_id', 'invocation_id', 'details', 'error', 'dropped_fields'],
  ),
  suffixFields: ['account-id', 'region', 'yyyy', 'MM', 'dd', 'HH'],
  folder: 'EventBusLogs',
};

const KINDS: readonly VendedLogKind[] = [EVENT_BUS];

/** Returns the log types of a service; undefined if emu has none. */
export const kindOf = (service: string): VendedLogKind | undefined => KINDS.find((kind) => kind.service === service);

/** Default field delimiters. */
export const DEFAULT_DELIMITER = '\t';
export const DELIMITERS: readonly string[] = ['', '\t', ',', ' '];

type OutputFormat = NonNullable<ConfigurationTemplate['allowedOutputFormats']>[number];

/**
 * Formats by destination type, default first.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDeliveryDestination.html
 */
export const FORMATS = {
  CWL: ['json', 'plain'],
  FH: ['json', 'plain', 'raw'],
  S3: ['json', 'plain', 'w3c', 'parquet'],
} as const satisfies Readonly<Record<string, readonly OutputFormat[]>>;

/** A destination type of deliveries. */
export type Carrier = keyof typeof FORMATS;

/** Allowed delivery settings per log type and destination type. */
export const TEMPLATES: readonly ConfigurationTemplate[] = KINDS.flatMap((kind) =>
  kind.logTypes.flatMap((logType) =>
    (Object.keys(FORMATS) as Carrier[]).map((deliveryDestinationType): ConfigurationTemplate => {
      const isBucket = deliveryDestinationType === 'S3';
      return {
        service: kind.service,
        logType,
        resourceType: kind.resourceType,
        deliveryDestinationType,
        defaultDeliveryConfigValues: {
          recordFields: kind.fields.map(({ name }) => name),
          fieldDelimiter: DEFAULT_DELIMITER,
          ...(isBucket && {
            s3DeliveryConfiguration: { suffixPath: '{region}/{yyyy}/{MM}/{dd}/{HH}', enableHiveCompatiblePath: false },
          }),
        },
        allowedFields: kind.fields.map((field) => ({ ...field })),
        allowedOutputFormats: [...FORMATS[deliveryDestinationType]],
        allowedActionForAllowVendedLogsDeliveryForResource: `${kind.service}:AllowVendedLogDeliveryForResource`,
        allowedFieldDelimiters: [...DELIMITERS],
        ...(isBucket && { allowedSuffixPathFields: [...kind.suffixFields] }),
      };
    }),
  ),
);
