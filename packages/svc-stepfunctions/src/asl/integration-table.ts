import { crc32 } from 'node:zlib';
import { isObject } from '@emu/wire';
import type { Json, JsonObject } from './json.ts';

/** An optimized integration of a service. */
export interface Optimised {
  /** emu's name of the service. */
  readonly service: string;
  /** Prefix of its error names. */
  readonly prefix: string;
  /** Service name in Cause. */
  readonly awsName: string;
  /** Whether results include request metadata. */
  readonly metadata: boolean;
  /** Content type of the service's responses. */
  readonly contentType: string;
  /**
   * Returns response headers that differ from the usual ones.
   * @param body of the response
   */
  headers?(body: JsonObject): Readonly<Record<string, string>>;
  /** Whether result members are capitalized although the service's are not. */
  readonly pascal?: true;
  /** Supported actions, each with its integration patterns besides request-response. */
  readonly actions: Readonly<Record<string, readonly string[]>>;
  /** Returns the error that a response represents; undefined for none. */
  failed?(answer: JsonObject): string | undefined;
  /** Converts the state's parameters to the operation's JSON input. */
  input?(parameters: JsonObject, action: string): JsonObject;
}

const TOKEN = '.waitForTaskToken';
const JSON_10 = 'application/x-amz-json-1.0';
const JSON_11 = 'application/x-amz-json-1.1';

/** Returns text unchanged and other values as JSON; null means missing. */
const text = (value: Json): Json => (typeof value === 'string' || value === null ? value : JSON.stringify(value));

/** Replaces members by name if they are present. */
const having = (parameters: JsonObject, change: Record<string, (value: Json) => Json>): JsonObject =>
  Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, change[key] ? change[key](value) : value]));

const camel = (key: string): string => key.charAt(0).toLowerCase() + key.slice(1);

/**
 * Supported optimized integrations.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/integrate-optimized.html
 */
export const OPTIMISED: Readonly<Record<string, Optimised>> = {
  lambda: {
    service: 'lambda',
    prefix: 'Lambda',
    awsName: 'AWSLambda',
    metadata: true,
    contentType: 'application/json',
    actions: { invoke: [TOKEN] },
    input: (parameters) =>
      having(parameters, { Payload: (value) => Buffer.from(JSON.stringify(value)).toString('base64') }),
  },
  sqs: {
    service: 'sqs',
    prefix: 'SQS',
    awsName: 'AmazonSQS',
    metadata: true,
    contentType: JSON_10,
    actions: { sendMessage: [TOKEN] },
    input: (parameters) => having(parameters, { MessageBody: text }),
  },
  sns: {
    service: 'sns',
    prefix: 'SNS',
    awsName: 'AmazonSNS',
    metadata: true,
    contentType: 'text/xml',
    actions: { publish: [TOKEN] },
    input: (parameters) => having(parameters, { Message: text }),
  },
  dynamodb: {
    service: 'dynamodb',
    prefix: 'DynamoDB',
    awsName: 'AmazonDynamoDBv2',
    metadata: true,
    contentType: JSON_10,
    headers: (body) => ({
      Server: 'Server',
      Connection: 'keep-alive',
      'x-amz-crc32': String(crc32(JSON.stringify(body))),
    }),
    actions: { getItem: [], putItem: [], updateItem: [], deleteItem: [] },
  },
  events: {
    service: 'events',
    prefix: 'EventBridge',
    awsName: 'AmazonCloudWatchEvents',
    metadata: false,
    contentType: JSON_11,
    actions: { putEvents: [TOKEN] },
    input: (parameters) =>
      having(parameters, {
        Entries: (entries) =>
          Array.isArray(entries)
            ? entries.map((entry) => (isObject(entry) ? having(entry, { Detail: text }) : entry))
            : entries,
      }),
    failed: ({ FailedEntryCount: count }) => (count === 0 ? undefined : 'EventBridge.FailedEntry'),
  },
  states: {
    service: 'stepfunctions',
    prefix: 'StepFunctions',
    awsName: 'AWSStepFunctions',
    metadata: true,
    pascal: true,
    contentType: JSON_10,
    actions: { startExecution: ['.sync', '.sync:2', TOKEN] },
    input: (parameters) =>
      Object.fromEntries(
        Object.entries(having(parameters, { Input: (value) => text(value ?? {}) })).map(([key, value]) => [
          camel(key),
          value,
        ]),
      ),
  },
};

/** Members that accept any value as JSON text, by service. */
const AS_JSON: Readonly<Record<string, Readonly<Record<string, (value: Json) => Json>>>> = {
  stepfunctions: { input: text, output: text },
  s3: { Body: (value) => Buffer.from(JSON.stringify(value)).toString('base64') },
};

/** Adds the checksum that AWS's SDK for Java adds to uploads. */
const checksummed = (upload: JsonObject): JsonObject => {
  if (typeof upload.Body !== 'string' || Object.keys(upload).some((key) => key.startsWith('Checksum'))) return upload;
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(Buffer.from(upload.Body, 'base64')));
  return { ...upload, ChecksumCRC32: sum.toString('base64') };
};

/**
 * Converts parameters to the service's JSON.
 * @param parameters by the names of the service's model
 */
export function sdkInput(service: string, parameters: Json): Json {
  const change = AS_JSON[service];
  if (!change || !isObject(parameters)) return parameters;
  const given = having(parameters, change);
  return service === 's3' ? checksummed(given) : given;
}

/** Parsed resource of the form `arn:<partition>:states:::…`. */
export interface IntegrationName {
  /** For example `lambda`, or `aws-sdk:s3`. */
  readonly resourceType: string;
  /** For example `invoke.waitForTaskToken`. */
  readonly resource: string;
  readonly action: string;
  /** `.sync`, `.sync:2`, `.waitForTaskToken`, or empty. */
  readonly form: string;
  readonly sdk: string | undefined;
}

const INTEGRATION =
  /^arn:aws[a-z-]*:states:[a-z0-9-]*:\d*:((?:aws-sdk:)?([a-z0-9]+)):([A-Za-z0-9]+)(\.sync:2|\.sync|\.waitForTaskToken)?$/;

/** Parses the ARN of an integration; undefined if it is invalid or unknown in AWS. */
export function parseIntegration(arn: string): IntegrationName | undefined {
  const parts = INTEGRATION.exec(arn);
  if (!parts) return undefined;
  const [, resourceType, name, action, form = ''] = parts as unknown as [string, string, string, string, string?];
  if (resourceType.startsWith('aws-sdk:'))
    return form === '' || form === TOKEN
      ? { resourceType, resource: `${action}${form}`, action, form, sdk: name }
      : undefined;
  return { resourceType, resource: `${action}${form}`, action, form, sdk: undefined };
}
