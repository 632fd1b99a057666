import { crc32 } from 'node:zlib';
import { isObject } from '@emu/wire';
import type { Json, JsonObject } from '../asl/json.ts';

/** How a service is called by an optimised integration. */
export interface Optimised {
  /** emu's name of the service. */
  readonly service: string;
  /** In front of the names of its errors. */
  readonly prefix: string;
  /** What the Cause calls the service. */
  readonly awsName: string;
  /** Whether the result says how the request went. */
  readonly metadata: boolean;
  /** Content type that the service answers with. */
  readonly contentType: string;
  /** Headers that it answers with, where they are not the usual ones. @param body of the answer */
  headers?(body: JsonObject): Readonly<Record<string, string>>;
  /** Whether members of results begin with a capital, where those of the service do not. */
  readonly pascal?: true;
  /** Its actions, each with the forms that there are besides request and response. */
  readonly actions: Readonly<Record<string, readonly string[]>>;
  /** The error that an answer stands for; undefined for none. */
  failed?(answer: JsonObject): string | undefined;
  /** The operation's input, as JSON, from the state's parameters. */
  input?(parameters: JsonObject, action: string): JsonObject;
}

const TOKEN = '.waitForTaskToken';
const JSON_10 = 'application/x-amz-json-1.0';
const JSON_11 = 'application/x-amz-json-1.1';

/** A text as it is, other values as JSON; a member that is null is none. */
const text = (value: Json): Json => (typeof value === 'string' || value === null ? value : JSON.stringify(value));

/** Members by name, with some replaced where they are there. */
const having = (parameters: JsonObject, change: Record<string, (value: Json) => Json>): JsonObject =>
  Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, change[key] ? change[key](value) : value]));

const camel = (key: string): string => key.charAt(0).toLowerCase() + key.slice(1);

/**
 * The optimised integrations that emu has.
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

/** Members that take any value, as JSON text, by the service. */
const AS_JSON: Readonly<Record<string, Readonly<Record<string, (value: Json) => Json>>>> = {
  stepfunctions: { input: text, output: text },
  s3: { Body: (value) => Buffer.from(JSON.stringify(value)).toString('base64') },
};

/** What AWS's SDK for Java adds to an upload without a checksum. */
const checksummed = (upload: JsonObject): JsonObject => {
  if (typeof upload.Body !== 'string' || Object.keys(upload).some((key) => key.startsWith('Checksum'))) return upload;
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(Buffer.from(upload.Body, 'base64')));
  return { ...upload, ChecksumCRC32: sum.toString('base64') };
};

/**
 * Parameters in the JSON that the service takes.
 * @param parameters by the names of the service's model
 */
export function sdkInput(service: string, parameters: Json): Json {
  const change = AS_JSON[service];
  if (!change || !isObject(parameters)) return parameters;
  const given = having(parameters, change);
  return service === 's3' ? checksummed(given) : given;
}

/** A resource of `arn:<partition>:states:::…`. */
export interface IntegrationName {
  /** e.g. `lambda`, or `aws-sdk:s3`. */
  readonly resourceType: string;
  /** e.g. `invoke.waitForTaskToken`. */
  readonly resource: string;
  readonly action: string;
  /** `.sync`, `.sync:2`, `.waitForTaskToken`, or nothing. */
  readonly form: string;
  readonly sdk: string | undefined;
}

const INTEGRATION =
  /^arn:aws[a-z-]*:states:[a-z0-9-]*:\d*:((?:aws-sdk:)?([a-z0-9]+)):([A-Za-z0-9]+)(\.sync:2|\.sync|\.waitForTaskToken)?$/;

/** Takes the ARN of an integration apart; undefined where it is none, or AWS has none such. */
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
