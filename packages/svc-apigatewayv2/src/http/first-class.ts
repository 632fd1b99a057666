import { Fields, rolePrincipal } from '@emu/apigateway-common';
import { AwsError } from '@emu/wire';
import type { IntegrationRecord } from '../records.ts';
import type { HttpExchange } from './exchange.ts';
import { mappedValue } from './mapping.ts';
import { type HttpAnswer, messageAnswer } from './response.ts';
import { SUBTYPES } from './subtypes.ts';

type Parameters = Readonly<Record<string, string>>;

/** Parameters with list, number or JSON object values in the operations' inputs. */
const NUMBERS: ReadonlySet<string> = new Set([
  'DelaySeconds',
  'MaxNumberOfMessages',
  'VisibilityTimeout',
  'WaitTimeSeconds',
]);
const OBJECTS: ReadonlySet<string> = new Set([
  'MessageAttributes',
  'MessageSystemAttributes',
  'AttributeNames',
  'MessageAttributeNames',
  'Resources',
]);

/**
 * Converts a parameter to the type of the operation's input.
 * @throws SyntaxError for invalid JSON
 */
function typed(name: string, value: string): unknown {
  if (NUMBERS.has(name)) return Number(value);
  return OBJECTS.has(name) ? JSON.parse(value) : value;
}

/** Converts a name to the lower-case form of Step Functions' input members. */
const small = (name: string): string => name[0]!.toLowerCase() + name.slice(1);

/** Returns the JSON input of an operation. */
function inputOf(service: string, operation: string, parameters: Parameters): unknown {
  const values = Object.entries(parameters).map(([name, value]) => [name, typed(name, value)] as const);
  if (operation === 'PutEvents') return { Entries: [Object.fromEntries(values)] };
  if (service === 'stepfunctions') return Object.fromEntries(values.map(([name, value]) => [small(name), value]));
  if (operation !== 'PutRecord') return Object.fromEntries(values);
  // Text of a request must be encoded as base64 for blob members.
  return Object.fromEntries(
    values.map(([name, value]) => [name, name === 'Data' ? Buffer.from(String(value)).toString('base64') : value]),
  );
}

/** Returns an operation's output as the service's JSON. */
const jsonOf = (output: unknown): string =>
  JSON.stringify(output, function (this: Record<string, unknown>, name, value: unknown) {
    const raw = this[name];
    if (raw instanceof Date) return raw.getTime() / 1000;
    return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : value;
  });

/**
 * Calls an operation of a service with a request's parameters.
 * @throws AwsError if it cannot be called
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-aws-services.html
 */
export async function callService(
  exchange: HttpExchange,
  integration: IntegrationRecord,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { state, log } = exchange;
  const { service, operation } = SUBTYPES[integration.IntegrationSubtype!]!;
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(integration.RequestParameters ?? {})) {
    const text = mappedValue(value, { exchange });
    if (text !== undefined) parameters[name] = text;
  }
  const { Region: region = state.region, ...own } = parameters;
  try {
    const output = await state.scope.callJson(service, operation, inputOf(service, operation, own), {
      accountId: state.accountId,
      region,
      principal: rolePrincipal(integration.CredentialsArn!),
      authorize: {},
      cause: exchange.request.requestId,
      traceHeader: exchange.traceHeader,
      signal,
    });
    return {
      status: 200,
      headers: Fields.headers([['content-type', 'application/json']]),
      body: Buffer.from(jsonOf(output ?? {})),
    };
  } catch (error) {
    if (!(error instanceof AwsError) && !(error instanceof SyntaxError)) throw error;
    const status = error instanceof AwsError ? (error.status ?? 400) : 400;
    log.integrationStatus = status;
    log.integrationError = error.message;
    return error instanceof AwsError
      ? {
          ...messageAnswer(status, error.message),
          body: Buffer.from(JSON.stringify({ __type: error.code, message: error.message })),
        }
      : messageAnswer(400, 'Bad Request');
  }
}
