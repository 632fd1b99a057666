import { type CallOptions, type DeepReadonly, parseArn } from '@emu/core/service';
import { queueUrl } from '@emu/polling';
import { parseJson } from '@emu/wire';
import { executionPrincipal } from '../configuration/role.ts';
import { LATEST } from '../function-name.ts';
import type { ResolvedFunction } from '../names.ts';
import type { LambdaState } from '../state.ts';
import type { AsyncEventRecord } from './async-events.ts';
import type { Execution } from './executor.ts';

/** Condition of a completed asynchronous invocation, as in its record. */
export type Condition =
  | 'Success'
  | 'RetriesExhausted'
  | 'EventAgeExceeded'
  | 'ZeroReservedConcurrency'
  | 'RecursiveInvocation';

/** Maximum length of the error message attribute of a dead letter. */
const MAX_ERROR_MESSAGE = 1024;
type AsyncEvent = DeepReadonly<AsyncEventRecord>;

/**
 * Sends the result of an asynchronous invocation to the function's destination and, after a failure, to its dead-letter
 * queue. Logs delivery failures, which AWS counts in metrics and drops.
 */
export async function deliverResult(
  state: LambdaState,
  resolved: ResolvedFunction,
  event: AsyncEvent,
  condition: Condition,
  execution: Execution | undefined,
): Promise<void> {
  const { name, qualifier = LATEST, version } = resolved;
  const { destinations } = state.eventInvokeConfigs.get(`${name}:${qualifier}`) ?? {};
  const succeeded = condition === 'Success';
  const destination = (succeeded ? destinations?.OnSuccess : destinations?.OnFailure)?.Destination;
  const { deadLetterTarget, role } = version.config;
  const principal = executionPrincipal(role, name, state);
  const attempt = async (
    what: string,
    arn: string,
    send: (options: CallOptions) => Promise<unknown>,
  ): Promise<void> => {
    const { accountId, region } = parseArn(arn) ?? {};
    try {
      const account = accountId || state.accountId;
      const cause = event.requestId;
      await send({ accountId: account, region: region || state.region, principal, authorize: {}, cause });
    } catch (error) {
      state.log.warn(`${what} of the function ${name} could not be reached: ${arn}`, { error });
    }
  };
  if (destination !== undefined)
    await attempt('the destination', destination, (options) =>
      send(state, destination, recordOf(state, resolved, event, condition, execution), options),
    );
  if (!succeeded && deadLetterTarget !== undefined)
    await attempt('the dead-letter queue', deadLetterTarget, (options) =>
      sendDeadLetter(state, deadLetterTarget, event, execution, options),
    );
}

/** The record for destinations. */
interface ResultRecord {
  version: '1.0';
  timestamp: string;
  requestContext: { requestId: string; functionArn: string; condition: Condition; approximateInvokeCount: number };
  requestPayload: unknown;
  responseContext?: { statusCode: number; executedVersion: string; functionError?: 'Unhandled' };
  responsePayload?: unknown;
}

function recordOf(
  state: LambdaState,
  { name, qualifier = LATEST }: ResolvedFunction,
  event: AsyncEvent,
  condition: Condition,
  execution: Execution | undefined,
): ResultRecord {
  return {
    version: '1.0',
    timestamp: new Date(state.clock.now()).toISOString(),
    requestContext: {
      requestId: event.requestId,
      functionArn: state.functionArn(name, qualifier),
      condition,
      approximateInvokeCount: event.failures + (condition === 'Success' ? 1 : 0),
    },
    requestPayload: parsed(Buffer.from(event.payload, 'base64')),
    ...(execution && {
      responseContext: {
        statusCode: 200,
        executedVersion: execution.executedVersion,
        ...(execution.errorType !== undefined && { functionError: 'Unhandled' as const }),
      },
      responsePayload: parsed(execution.payload),
    }),
  };
}

/** Parses a payload; invalid JSON stays text. */
function parsed(payload: Buffer): unknown {
  const text = payload.toString();
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Sends a record to a destination. */
async function send(state: LambdaState, arn: string, record: ResultRecord, options: CallOptions): Promise<unknown> {
  const { service, resource, accountId } = parseArn(arn)!;
  const body = JSON.stringify(record);
  if (service === 'sqs') {
    const fifo = resource.endsWith('.fifo');
    const { requestId } = record.requestContext;
    const ids = fifo ? { MessageGroupId: requestId, MessageDeduplicationId: requestId } : {};
    const input = { QueueUrl: queueUrl(arn), MessageBody: body, ...ids };
    return state.call('sqs', 'SendMessage', input, options);
  }
  if (service === 'sns') return state.call('sns', 'Publish', { TopicArn: arn, Message: body }, options);
  if (service === 'lambda') {
    const input = { FunctionName: arn, InvocationType: 'Event', Payload: Buffer.from(body) } as const;
    return state.call('lambda', 'Invoke', input, options);
  }
  if (service === 's3') {
    const input = { Bucket: resource, Key: objectKey(state, record), Body: Buffer.from(body) };
    return state.call('s3', 'PutObject', input, { ...options, accountId: accountId || state.accountId });
  }
  const kind = record.requestContext.condition === 'Success' ? 'Success' : 'Failure';
  const entry = {
    Source: 'lambda',
    DetailType: `Lambda Function Invocation Result - ${kind}`,
    Detail: body,
    Resources: [arn, record.requestContext.functionArn],
    EventBusName: arn,
  };
  return state.call('events', 'PutEvents', { Entries: [entry] }, options);
}

/** Returns the object key of a record, as on AWS. */
function objectKey(state: LambdaState, { timestamp, requestContext }: ResultRecord): string {
  const { functionArn } = requestContext;
  const name = functionArn.split(':')[6];
  const [date, time] = timestamp.split('T') as [string, string];
  const moment = `${date}T${time.slice(0, 8).replaceAll(':', '.')}`;
  return `aws/lambda/async/${name}/${date.replaceAll('-', '/')}/${moment}-${state.ids.uuid()}`;
}

async function sendDeadLetter(
  state: LambdaState,
  arn: string,
  event: AsyncEvent,
  execution: Execution | undefined,
  options: CallOptions,
): Promise<unknown> {
  const body = Buffer.from(event.payload, 'base64').toString();
  const text = (StringValue: string, DataType = 'String') => ({ DataType, StringValue });
  const attributes = {
    RequestID: text(event.requestId),
    ErrorCode: text(execution ? '200' : '429', 'Number'),
    ErrorMessage: text(errorMessageOf(execution).slice(0, MAX_ERROR_MESSAGE)),
  };
  if (parseArn(arn)?.service === 'sns')
    return state.call('sns', 'Publish', { TopicArn: arn, Message: body, MessageAttributes: attributes }, options);
  const input = { QueueUrl: queueUrl(arn), MessageBody: body, MessageAttributes: attributes };
  return state.call('sqs', 'SendMessage', input, options);
}

function errorMessageOf(execution: Execution | undefined): string {
  const value = execution && (parsed(execution.payload) as { errorMessage?: unknown } | null);
  return typeof value?.errorMessage === 'string' && value.errorMessage !== '' ? value.errorMessage : 'Unknown error';
}
