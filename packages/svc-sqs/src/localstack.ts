import {
  ControlError,
  type ControlRequest,
  type ControlResponse,
  type ControlRoute,
  readAtMost,
  type ServiceHandle,
} from '@emu/core/service';
import type { Message, ReceiveMessageRequest } from '@emu/service-types/sqs';
import {
  AwsError,
  compileService,
  readXml,
  type ServerProtocol,
  type ServiceCodec,
  type ServiceModel,
  type WireRequest,
  type WireResponse,
  type XmlElement,
} from '@emu/wire';
import model from '../model/sqs.json' with { type: 'json' };
import { missingParameter, queueDoesNotExist, sqsError } from './errors.ts';
import { describeMessage } from './messages/describe.ts';
import type { Queue } from './queues/queue.ts';
import { parseQueueUrl } from './queues/url.ts';
import type { SqsState } from './state.ts';

/** LocalStack's path for viewing messages. */
const PATH = '/_aws/sqs/messages';
const OPERATION = 'ReceiveMessage';
/** Constant request id of all responses: generating one would change the ids that a seed yields for later requests. */
const REQUEST_ID = '00000000-0000-0000-0000-000000000000';
/** LocalStack's receipt handle for viewed messages, which is not valid for deletion. */
const NO_HANDLE = 'SQS/BACKDOOR/ACCESS';
/** Maximum bytes of a request; only the queue URL in it is used. */
const MAX_REQUEST = 64 * 1024;

type Handle = ServiceHandle<SqsState>;

/** Messages to include besides visible ones. */
interface Shown {
  invisible: boolean;
  delayed: boolean;
}

/** Location of a queue; the region is undefined if its URL has none. */
interface Place {
  accountId: string;
  region: string | undefined;
  name: string;
}

let compiled: ServiceCodec | undefined;
const codec = (): ServiceCodec => {
  compiled ??= compileService(model as unknown as ServiceModel);
  return compiled;
};
const queryProtocol = (): ServerProtocol => codec().protocols.find(({ protocol }) => protocol === 'awsQuery')!;

/**
 * Routes by which tests written for LocalStack view messages without receiving them: `GET` with `QueueUrl`, or with
 * region, account and name in the path, returns XML, or JSON of the same structure if `Accept` requests it; SDKs send
 * ReceiveMessage by `POST`, with this path in their endpoint. `ShowInvisible` and `ShowDelayed` include those messages.
 * @see https://docs.localstack.cloud/aws/services/sqs/
 */
export const localstack: readonly ControlRoute<SqsState>[] = [
  {
    method: 'GET',
    path: PATH,
    handle: (request, service) =>
      shown(request, service, () => {
        const url = request.query.get('QueueUrl');
        if (!url) throw missingParameter('QueueUrl');
        return placeOf(url, service);
      }),
  },
  {
    method: 'GET',
    path: `${PATH}/{region}/{account_id}/{queue_name}`,
    handle: (request, service) =>
      shown(request, service, () => {
        const { region, account_id, queue_name } = request.params;
        return { accountId: account_id!, region, name: queue_name! };
      }),
  },
  { method: 'POST', path: PATH, takesBytes: true, handle: received },
];

/** Handles a view of the queue in a request. */
function shown(request: ControlRequest, service: Handle, place: () => Place): ControlResponse {
  const protocol = queryProtocol();
  const answer = encoded(protocol, OPERATION, () => messagesOf(service, place(), shownBy(request.query)));
  const wantsJson = /\bjson\b/.test(String(request.headers.accept ?? ''));
  return wantsJson ? { status: answer.status, json: toJson(String(answer.body)) } : sent(answer);
}

/** Handles an SDK's ReceiveMessage in its protocol. */
async function received(request: ControlRequest, service: Handle): Promise<ControlResponse> {
  const stream = request.body as AsyncIterable<Uint8Array>;
  const body = await readAtMost(stream, MAX_REQUEST);
  if (!body) throw new ControlError(413, 'RequestEntityTooLarge', `The request has more than ${MAX_REQUEST} bytes.`);
  const wire: WireRequest = { method: 'POST', path: '/', query: '', headers: { ...request.headers }, body };
  const protocol = codec().protocolOf(wire) ?? queryProtocol();
  const operation = protocol.match(wire)?.name;
  return sent(
    encoded(protocol, operation, () => {
      if (operation !== OPERATION)
        throw sqsError('InvalidRequest', `${PATH} answers ${OPERATION} only, not ${operation ?? 'what was sent'}.`);
      const { QueueUrl } = protocol.decode(operation, wire) as Partial<ReceiveMessageRequest>;
      if (!QueueUrl) throw missingParameter('QueueUrl');
      return messagesOf(service, placeOf(QueueUrl, service), shownBy(request.query));
    }),
  );
}

/** Encodes messages as a ReceiveMessage response, or an error. */
function encoded(protocol: ServerProtocol, operation: string | undefined, find: () => Message[]): WireResponse {
  try {
    const messages = find();
    return protocol.encode(OPERATION, messages.length ? { Messages: messages } : {}, REQUEST_ID);
  } catch (error) {
    if (error instanceof AwsError) return protocol.encodeError(error, REQUEST_ID, operation);
    throw error;
  }
}

const sent = ({ status, headers, body }: WireResponse): ControlResponse => ({
  status,
  contentType: String(headers['Content-Type']),
  body: typeof body === 'string' ? Buffer.from(body) : body,
});

const isSet = (value: string | null): boolean => value === '' || value === '1' || value?.toLowerCase() === 'true';

const shownBy = (query: URLSearchParams): Shown => ({
  invisible: isSet(query.get('ShowInvisible')),
  delayed: isSet(query.get('ShowDelayed')),
});

/**
 * Returns the location of the queue in a URL: only hosts of the form `sqs.<region>.…` and `<region>.queue.…` contain
 * the region.
 */
function placeOf(url: string, { settings }: Handle): Place {
  const { accountId = settings.accountId, name } = parseQueueUrl(url);
  const [, inSqs, inQueue] =
    /^(?:https?:)?\/\/(?:sqs\.([a-z]+-[a-z0-9-]+)\.|([a-z]+-[a-z0-9-]+)\.queue\.)/.exec(url) ?? [];
  return { accountId, region: inSqs ?? inQueue, name };
}

/** @throws AwsError `QueueDoesNotExist` */
function queueAt({ accountId, region, name }: Place, service: Handle): { queue: Queue; state: SqsState } {
  const regions = region === undefined ? [service.settings.region] : [region];
  // Without a region, the queue's name must be unique across regions.
  if (region === undefined)
    for (const scope of service.states()) if (scope.accountId === accountId) regions.push(scope.region);
  for (const candidate of regions) {
    const state = service.existingState(accountId, candidate);
    const queue = state?.find(name);
    if (state && queue) return { state, queue };
  }
  throw queueDoesNotExist(true);
}

function messagesOf(service: Handle, place: Place, { invisible, delayed }: Shown): Message[] {
  const { state, queue } = queueAt(place, service);
  queue.settle(service.clock.now());
  return [...queue.messages()]
    .filter(({ state: status }) => (status === 'inFlight' ? invisible : status === 'delayed' ? delayed : true))
    .sort((one, other) => one.order - other.order)
    .map((queued) =>
      describeMessage(queued, {
        receiptHandle: NO_HANDLE,
        systemAttributes: ['All'],
        attributes: ['All'],
        arnOf: (name) => state.arnOf(name),
      }),
    );
}

/** Converts a document to LocalStack's JSON form: repeated elements are lists, empty ones are null. */
function toJson(text: string): unknown {
  const root = readXml(text);
  return { [root.name]: contentOf(root) };
}

function contentOf({ children, text }: XmlElement): unknown {
  if (!children?.length) return text === '' ? null : text;
  const value: Record<string, unknown> = {};
  for (const child of children) {
    const known = value[child.name];
    const next = contentOf(child);
    if (known === undefined) value[child.name] = next;
    else if (Array.isArray(known)) known.push(next);
    else value[child.name] = [known, next];
  }
  return value;
}
