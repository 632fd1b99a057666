import { parseArn } from '@emu/core/service';
import { type Json, queueUrl } from '@emu/polling';
import type { PipeTargetParameters } from '@emu/service-types/pipes';
import { isObject, textOf } from '@emu/wire';
import { SOURCES, sourceKind } from '../definition/sources.ts';
import { type TargetKind, targetKind } from '../definition/targets.ts';
import { pipesError } from '../errors.ts';
import { callerFor } from './addresses.ts';
import { StepFailure } from './failure.ts';
import { invokeFunction, runMachine, sendHttp } from './invoke.ts';
import { type PipeEvent, resolved, resolvedAll } from './template.ts';
import type { PipeWork } from './work.ts';

/** A record in the form for targets. */
export interface Payload {
  /** Event at the target stage, to which the parameters' paths apply. */
  readonly event: PipeEvent;
  /** Input for the target. */
  readonly value: Json;
}

/** Result of a delivery to a target. */
export interface Delivered {
  /** Indexes of failed records. */
  readonly failed: ReadonlySet<number>;
  /** Error of the first failed record. */
  readonly message?: string;
  /** Response of the target, for the log. */
  readonly response?: Json | undefined;
}

/** Data of a delivery. */
export interface Delivery {
  readonly work: PipeWork;
  readonly payloads: readonly Payload[];
  readonly cause: string | undefined;
}

const ALL: Delivered = { failed: new Set() };
const base64 = (text: string): Buffer => Buffer.from(text);
const afterSlash = (resource: string): string => resource.slice(resource.lastIndexOf('/') + 1);
const parametersOf = ({ work }: Delivery): PipeTargetParameters =>
  (work.pipe.targetParameters ?? {}) as PipeTargetParameters;

/** Returns the result of a request with entries, some of which may have failed. */
function ofEntries(entries: readonly ({ message: string | undefined } | undefined)[]): Delivered {
  const failed = new Set(entries.flatMap((entry, index) => (entry ? [index] : [])));
  const message = entries.find((entry) => entry)?.message;
  return { failed, ...(message !== undefined && { message }) };
}

const failedById = (
  count: number,
  failed: readonly { Id?: string | undefined; Message?: string | undefined }[] = [],
) => {
  const byId = new Map(failed.map(({ Id, Message }) => [Id, { message: Message }]));
  return ofEntries(Array.from({ length: count }, (_, index) => byId.get(String(index))));
};

type Deliver = (delivery: Delivery) => Promise<Delivered>;

/** Delivery to each supported kind of target. */
const DELIVER: Partial<Readonly<Record<TargetKind, Deliver>>> = {
  lambda: async (delivery) => {
    const waits = parametersOf(delivery).LambdaFunctionParameters?.InvocationType !== 'FIRE_AND_FORGET';
    const list = delivery.payloads.map(({ value }) => value);
    const response = await invokeFunction(delivery.work, delivery.work.pipe.target, list, delivery.cause, waits);
    return { ...ALL, response };
  },
  'state-machine': async (delivery) => {
    const { work, payloads, cause } = delivery;
    const input = payloads.map(({ value }) => value);
    if (parametersOf(delivery).StepFunctionStateMachineParameters?.InvocationType !== 'FIRE_AND_FORGET')
      return { ...ALL, response: await runMachine(work, work.pipe.target, input, cause) };
    const execution = { stateMachineArn: work.pipe.target, input: JSON.stringify(input) };
    await work.state.call('stepfunctions', 'StartExecution', execution, callerFor(work, work.pipe.target, cause));
    return ALL;
  },
  sqs: async (delivery) => {
    const { work, payloads, cause } = delivery;
    const { MessageGroupId, MessageDeduplicationId } = parametersOf(delivery).SqsQueueParameters ?? {};
    const Entries = payloads.map(({ event, value }, index) => ({
      Id: String(index),
      MessageBody: textOf(value),
      MessageGroupId: resolved(MessageGroupId, event),
      MessageDeduplicationId: resolved(MessageDeduplicationId, event),
    }));
    const { target } = work.pipe;
    const input = { QueueUrl: queueUrl(target), Entries };
    const { Failed } = await work.state.call('sqs', 'SendMessageBatch', input, callerFor(work, target, cause));
    return failedById(payloads.length, Failed);
  },
  sns: async ({ work, payloads, cause }) => {
    const { target } = work.pipe;
    const entries = payloads.map(({ value }, index) => ({ Id: String(index), Message: textOf(value) }));
    const input = { TopicArn: target, PublishBatchRequestEntries: entries };
    const { Failed } = await work.state.call('sns', 'PublishBatch', input, callerFor(work, target, cause));
    return failedById(payloads.length, Failed);
  },
  kinesis: async (delivery) => {
    const { work, payloads, cause } = delivery;
    const { target } = work.pipe;
    const key = parametersOf(delivery).KinesisStreamParameters!.PartitionKey;
    const Records = payloads.map(({ event, value }) => ({
      Data: base64(textOf(value)),
      PartitionKey: resolved(key, event) ?? '',
    }));
    const input = { StreamARN: target, Records };
    const answer = await work.state.call('kinesis', 'PutRecords', input, callerFor(work, target, cause));
    return ofEntries(
      answer.Records.map(({ ErrorCode, ErrorMessage }) => (ErrorCode ? { message: ErrorMessage } : undefined)),
    );
  },
  firehose: async ({ work, payloads, cause }) => {
    const { target } = work.pipe;
    const Records = payloads.map(({ value }) => ({ Data: base64(textOf(value)) }));
    const input = { DeliveryStreamName: afterSlash(parseArn(target)!.resource), Records };
    const answer = await work.state.call('firehose', 'PutRecordBatch', input, callerFor(work, target, cause));
    return ofEntries(
      answer.RequestResponses.map(({ ErrorCode, ErrorMessage }) => (ErrorCode ? { message: ErrorMessage } : undefined)),
    );
  },
  'event-bus': putEvents,
  logs: putLogs,
  'api-destination': sendOne,
  'api-gateway': sendOne,
};

async function sendOne(delivery: Delivery): Promise<Delivered> {
  const { work, payloads, cause } = delivery;
  const { event, value } = payloads[0]!;
  const parameters = resolvedAll(parametersOf(delivery).HttpParameters ?? {}, event);
  return { ...ALL, response: await sendHttp(work, work.pipe.target, parameters, value, cause) };
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-event-target.html */
async function putEvents(delivery: Delivery): Promise<Delivered> {
  const { work, payloads, cause } = delivery;
  const { name, source, sourceParameters, target } = work.pipe;
  const { DetailType, Source, Resources, Time, EndpointId } =
    parametersOf(delivery).EventBridgeEventBusParameters ?? {};
  const { label } = SOURCES[sourceKind(source, sourceParameters.parameters)!];
  const Entries = payloads.map(({ event, value }) => {
    const time = Time === undefined ? undefined : parseTime(resolved(Time, event));
    return {
      EventBusName: target,
      Source: resolved(Source, event) ?? `Pipe ${name}`,
      DetailType: resolved(DetailType, event) ?? `Event from ${label}`,
      Detail: textOf(value),
      Resources: (Resources ?? []).flatMap((resource) => resolved(resource, event) ?? []),
      ...(time !== undefined && { Time: new Date(time) }),
    };
  });
  const input = { Entries, ...(EndpointId !== undefined && { EndpointId }) };
  const answer = await work.state.call('events', 'PutEvents', input, callerFor(work, target, cause));
  return ofEntries(
    (answer.Entries ?? []).map(({ ErrorCode, ErrorMessage }) => (ErrorCode ? { message: ErrorMessage } : undefined)),
  );
}

/** Returns the time at a path in epoch milliseconds; undefined for another value. */
function parseTime(text: string | undefined): number | undefined {
  const time = text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Writes records to a log group. Creates the stream if it does not exist. */
async function putLogs(delivery: Delivery): Promise<Delivered> {
  const { work, payloads, cause } = delivery;
  const { target, name } = work.pipe;
  const { LogStreamName, Timestamp } = parametersOf(delivery).CloudWatchLogsParameters ?? {};
  const logGroupName = parseArn(target)!
    .resource.replace(/^log-group:/, '')
    .replace(/:\*$/, '');
  const streams = new Map<string, { timestamp: number; message: string }[]>();
  for (const { event, value } of payloads) {
    const stream = resolved(LogStreamName, event) ?? name;
    const timestamp =
      parseTime(Timestamp === undefined ? undefined : resolved(Timestamp, event)) ?? work.state.clock.now();
    const lines = streams.get(stream) ?? [];
    streams.set(stream, lines);
    lines.push({ timestamp, message: textOf(value) });
  }
  const options = callerFor(work, target, cause);
  for (const [logStreamName, lines] of streams) {
    const logEvents = lines.sort((a, b) => a.timestamp - b.timestamp);
    try {
      await work.state.call('logs', 'CreateLogStream', { logGroupName, logStreamName }, options);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ResourceAlreadyExistsException') throw error;
    }
    await work.state.call('logs', 'PutLogEvents', { logGroupName, logStreamName, logEvents }, options);
  }
  return ALL;
}

/** Returns the name of an unsupported target; undefined for supported ones. */
export function undeliverable(target: string): string | undefined {
  const kind = targetKind(target)!;
  return DELIVER[kind] ? undefined : parseArn(target)!.service;
}

/**
 * Delivers records to the target of a pipe once.
 * @param ids of the source's records, with which functions and state machines report failures
 * @throws AwsError from the target's service; StepFailure for a failure reported by the target
 */
export async function deliver(delivery: Delivery, ids: readonly string[]): Promise<Delivered> {
  const { target } = delivery.work.pipe;
  const handOver = DELIVER[targetKind(target)!];
  if (!handOver) throw pipesError('NotImplemented', `emu does not deliver to ${target}.`, { status: 501 });
  const delivered = await handOver(delivery);
  const failures = isObject(delivered.response) ? delivered.response.batchItemFailures : undefined;
  return failures === undefined ? delivered : { ...delivered, ...namedFailures(failures, ids, target) };
}

/**
 * Returns the records that a target reports as failed.
 * @throws StepFailure for an invalid report, which fails the whole batch
 */
function namedFailures(failures: Json, ids: readonly string[], target: string): Pick<Delivered, 'failed' | 'message'> {
  const failed = new Set<number>();
  for (const failure of Array.isArray(failures) ? failures : [failures]) {
    const id = isObject(failure) ? failure.itemIdentifier : undefined;
    const place = typeof id === 'string' ? ids.indexOf(id) : -1;
    if (failure === null) continue;
    if (place < 0)
      throw new StepFailure({
        message: 'The batchItemFailures that the target returned name no record of the batch.',
        status: 400,
        service: parseArn(target)!.service,
      });
    failed.add(place);
  }
  return { failed, ...(failed.size && { message: 'The target reported failed records.' }) };
}
