import { awsError } from '@emu/wire';
import type { SqsContext } from './context.ts';
import { missingParameter, queueDoesNotExist, resourceNotFound } from './errors.ts';
import type { Queue } from './queues/queue.ts';
import { formatQueueUrl, parseQueueUrl, type QueueAddress } from './queues/url.ts';
import { queueType } from './resources.ts';
import type { SqsState } from './state.ts';

/** A queue and the account and region it is in. */
export interface QueueTarget {
  state: SqsState;
  queue: Queue;
}

const QUEUE_PATH = /^\/(?:.*\/)?\d{12}\/[A-Za-z0-9_.-]+\/?$/;

/** The path of a query request that was sent to a queue's own URL, as the query protocol allows. */
function queuePath(ctx: SqsContext): string | undefined {
  const { http } = ctx;
  return http?.protocol === 'awsQuery' && QUEUE_PATH.test(http.path) ? http.path : undefined;
}

/** The error for a queue that does not exist, in the words of the request's protocol. */
export function noSuchQueue(ctx: SqsContext): Error {
  return queueDoesNotExist(ctx.http?.protocol === 'awsQuery');
}

/**
 * Where the queue of a URL is, whether it exists or not.
 * @param url undefined where a query request was sent to the queue's own URL
 * @throws AwsError `MissingParameter` where there is no URL at all
 */
export function queueAddress(url: string | undefined, ctx: SqsContext): QueueAddress {
  const given = url || queuePath(ctx);
  if (!given) throw missingParameter('QueueUrl');
  return parseQueueUrl(given);
}

/**
 * The queue a URL names, in the account of the URL and the region of the request.
 * @param url undefined where a query request was sent to the queue's own URL
 * @throws AwsError `QueueDoesNotExist`, or `MissingParameter` where there is no URL at all
 */
export function queueAt(url: string | undefined, ctx: SqsContext): QueueTarget {
  const { accountId, name } = queueAddress(url, ctx);
  const state =
    accountId === undefined || accountId === ctx.accountId ? ctx.state : ctx.handle.state(accountId, ctx.region);
  const queue = state.find(name);
  if (!queue) throw noSuchQueue(ctx);
  return { state, queue };
}

/**
 * The queue of this account and region that an ARN names.
 * @param parameter the parameter the ARN is the value of, for the error
 * @throws AwsError `ResourceNotFoundException`
 */
export function queueOfArn(arn: string, parameter: string, ctx: SqsContext): Queue {
  const address = queueType.parse(arn);
  const own = address?.place.accountId === ctx.accountId && address.place.region === ctx.region;
  const queue = own ? ctx.state.find(address.key.name) : undefined;
  if (!queue) throw resourceNotFound(`The resource that you specified for the ${parameter} parameter doesn't exist.`);
  return queue;
}

/** The URL of a queue, under the address the caller reached emu by. */
export function urlOf({ state, queue }: QueueTarget, ctx: SqsContext): string {
  return formatQueueUrl(ctx.endpoint, state.accountId, queue.name);
}

/**
 * Refuses an operation that is not about one queue where the request was sent to a queue's URL.
 * @throws AwsError `InvalidAction`
 */
export function refuseAtQueue(ctx: SqsContext): void {
  if (queuePath(ctx)) throw awsError('InvalidAction', `The action ${ctx.operation} is not valid for this endpoint.`);
}

/** Trace header of the request, which SDKs inside functions hand on from what called them. */
export function requestTraceOf({ http }: SqsContext): string | undefined {
  const header = http?.headers['x-amzn-trace-id'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}
