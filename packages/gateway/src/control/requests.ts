import type { RequestRecord, RequestTree } from '@emu/control-client';
import type { Kernel, RecordedRequest } from '@emu/core';
import { ControlError } from '@emu/core/service';
import { boolean, strictObject } from 'valibot';
import { type Route, route } from './route.ts';
import { validate } from './validate.ts';

const body = strictObject({ recording: boolean('recording must be true or false.') }, 'The body must be an object.');

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
/** Largest depth of a tree. Deeper requests follow their cause as siblings. */
const MAX_LEVELS = 50;
const encoder = new TextEncoder();

/**
 * `/_emulator/requests`: the newest requests of clients and their effects in other services, with secrets masked.
 * Requests of control routes are excluded.
 */
export function requestRoutes({ recorder }: Kernel): Route[] {
  const routes: Route[] = [
    route('GET /_emulator/requests', ({ query }) => {
      const requests = [...recorder.list()].filter(filterOf(query)).slice(-limitOf(query)).map(recordOf);
      return { json: { recording: recorder.recording, requests } };
    }),
    route('GET /_emulator/requests/tree', ({ query }) => {
      const [filter, limit] = [filterOf(query), limitOf(query)];
      const trees = treesOf(recorder.list()).filter((tree) => anyOf(tree, filter));
      return { json: { recording: recorder.recording, requests: trees.slice(-limit).map(printed) } };
    }),
    // The client has no method for it, because the response does not end.
    {
      method: 'GET',
      path: '/_emulator/requests/events',
      handle: ({ query }) => {
        const filter = filterOf(query);
        return { contentType: 'text/event-stream', body: events(recorder.follow(), filter) };
      },
    },
    route('PUT /_emulator/requests', (request) => {
      recorder.recording = validate(body, request.body).recording;
      return { json: { recording: recorder.recording } };
    }),
    route('DELETE /_emulator/requests', () => ({ json: { cleared: recorder.clear() } })),
  ];
  return routes.map((each) => ({ ...each, changesNothing: true }));
}

type Filter = (request: RecordedRequest) => boolean;

/** @throws ControlError for an invalid value */
function filterOf(query: URLSearchParams): Filter {
  const wanted = (name: string) => query.get(name) ?? undefined;
  const [service, operation, account] = [wanted('service'), wanted('operation'), wanted('account_id')];
  const errors = query.get('errors');
  if (errors !== null && errors !== 'true' && errors !== 'false')
    throw new ControlError(400, 'InvalidParameter', `errors is true or false, not ${errors}.`);
  const since = numberOf(query, 'since', 0, Number.MAX_SAFE_INTEGER);
  return (request) =>
    (service === undefined || request.service === service) &&
    (operation === undefined || request.operation === operation) &&
    (account === undefined || request.accountId === account) &&
    (errors !== 'true' || request.errorCode !== undefined) &&
    request.sequence > since;
}

const limitOf = (query: URLSearchParams): number => numberOf(query, 'limit', DEFAULT_LIMIT, MAX_LIMIT) || 1;

function numberOf(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new ControlError(400, 'InvalidParameter', `${name} is a whole number up to ${most}, not ${text}.`);
}

function recordOf(request: RecordedRequest): RequestRecord {
  const { receivedAt, duration } = request;
  return {
    ...request,
    receivedAt: new Date(receivedAt).toISOString(),
    duration: Math.round(duration * 1000) / 1000,
  };
}

interface Tree {
  readonly request: RecordedRequest;
  readonly level: number;
  /** Parent of requests beyond the largest depth. */
  readonly parent: Tree | undefined;
  readonly caused: Tree[];
}

/** Groups requests under their causes. Requests whose cause is unknown, or not a request, come first. */
function treesOf(requests: Iterable<RecordedRequest>): Tree[] {
  // A call is recorded at its end, before the request that made it.
  const all = [...requests];
  const byId = new Map(all.map((request) => [request.requestId, request]));
  const trees = new Map<string, Tree>();
  const roots: Tree[] = [];
  for (const request of all) {
    const chain: RecordedRequest[] = [];
    for (let at: RecordedRequest | undefined = request; at && !trees.has(at.requestId); at = causeOf(at, byId))
      chain.push(at);
    for (const each of chain.reverse()) plant(each, trees, roots);
  }
  return roots;
}

const causeOf = ({ cause }: RecordedRequest, byId: Map<string, RecordedRequest>): RecordedRequest | undefined =>
  cause === undefined ? undefined : byId.get(cause);

function plant(request: RecordedRequest, trees: Map<string, Tree>, roots: Tree[]): void {
  const cause = request.cause === undefined ? undefined : trees.get(request.cause);
  const parent = cause && cause.level >= MAX_LEVELS ? cause.parent : cause;
  const tree = { request, level: parent ? parent.level + 1 : 0, parent, caused: [] };
  trees.set(request.requestId, tree);
  (parent ? parent.caused : roots).push(tree);
}

const anyOf = (tree: Tree, filter: Filter): boolean =>
  filter(tree.request) || tree.caused.some((each) => anyOf(each, filter));

const printed = ({ request, caused }: Tree): RequestTree => ({
  ...recordOf(request),
  // They are recorded in the order of their ends.
  caused: caused.toSorted((one, other) => one.request.receivedAt - other.request.receivedAt).map(printed),
});

/** Returns server-sent events, one for each request. */
async function* events(requests: AsyncIterable<RecordedRequest>, filter: Filter): AsyncGenerator<Uint8Array> {
  // The first bytes send the head of the response.
  yield encoder.encode(': requests\n\n');
  for await (const request of requests)
    if (filter(request))
      yield encoder.encode(`id: ${request.sequence}\ndata: ${JSON.stringify(recordOf(request))}\n\n`);
}
