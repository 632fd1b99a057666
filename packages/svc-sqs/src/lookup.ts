import type { SqsContext } from './context.ts';
import { missingParameter, notFound, queueDoesNotExist, sqsError } from './errors.ts';
import type { Queue } from './queues/queue.ts';
import { formatQueueUrl, parseQueueUrl, type QueueAddress } from './queues/url.ts';
import { queueType } from './resources.ts';
import type { SqsState } from './state.ts';

/** A queue with its account and region. */
export interface QueueTarget {
  state: SqsState;
  queue: Queue;
}

const QUEUE_PATH = /^\/(?:.*\/)?\d{12}\/[A-Za-z0-9_.-]+\/?$/;

/** Returns the path of a query request sent to a queue's URL, as the query protocol allows. */
function queuePath(ctx: SqsContext): string | undefined {
  const { http } = ctx;
  return http?.protocol === 'awsQuery' && QUEUE_PATH.test(http.path) ? http.path : undefined;
}

/** Creates the error for a missing queue, with the message of the request's protocol. */
export function noSuchQueue(ctx: SqsContext): Error {
  return queueDoesNotExist(ctx.http?.protocol === 'awsQuery');
}

/**
 * Returns the location of the queue in a URL, existing or not.
 * @param url undefined for a query request sent to the queue's URL
 * @throws AwsError `MissingParameter` without any URL
 */
export function queueAddress(url: string | undefined, ctx: SqsContext): QueueAddress {
  const given = url || queuePath(ctx);
  if (!given) throw missingParameter('QueueUrl');
  return parseQueueUrl(given);
}

/**
 * Returns the queue of a URL, in the URL's account and the request's region.
 * @param url undefined for a query request sent to the queue's URL
 * @throws AwsError `QueueDoesNotExist`; `MissingParameter` without any URL
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
 * Returns the queue of an ARN in this account and region.
 * @param parameter parameter with the ARN, for the error
 * @throws AwsError `ResourceNotFoundException`
 */
export function queueOfArn(arn: string, parameter: string, ctx: SqsContext): Queue {
  const address = queueType.parse(arn);
  const own = address?.place.accountId === ctx.accountId && address.place.region === ctx.region;
  const queue = own ? ctx.state.find(address.key.name) : undefined;
  if (!queue) throw notFound(`The resource that you specified for the ${parameter} parameter doesn't exist.`);
  return queue;
}

/** Returns the URL of a queue, under the address of the request. */
export function urlOf({ state, queue }: QueueTarget, ctx: SqsContext): string {
  return formatQueueUrl(ctx.endpoint, state.accountId, queue.name);
}

/**
 * Rejects operations that do not concern one queue if the request was sent to a queue's URL.
 * @throws AwsError `InvalidAction`
 */
export function rejectQueuePath(ctx: SqsContext): void {
  if (queuePath(ctx)) throw sqsError('InvalidAction', `The action ${ctx.operation} is not valid for this endpoint.`);
}

/** Returns the trace header of the request, which SDKs in functions forward from their invocation. */
export function requestTraceOf({ http }: SqsContext): string | undefined {
  const header = http?.headers['x-amzn-trace-id'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}
