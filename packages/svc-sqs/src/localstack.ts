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
  awsError,
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
import { missingParameter, queueDoesNotExist } from './errors.ts';
import { describeMessage } from './messages/describe.ts';
import type { Queue } from './queues/queue.ts';
import { parseQueueUrl } from './queues/url.ts';
import type { SqsState } from './state.ts';

/** Where LocalStack shows messages of queues. */
const PATH = '/_aws/sqs/messages';
const OPERATION = 'ReceiveMessage';
/** The request id of every answer: one of its own would change the ids that a seed gives to later requests. */
const REQUEST_ID = '00000000-0000-0000-0000-000000000000';
/** The receipt handle that LocalStack gives to who only looks: none that a message could be deleted by. */
const NO_HANDLE = 'SQS/BACKDOOR/ACCESS';
/** Bytes of a request; a queue's URL is all that counts in it. */
const MAX_REQUEST = 64 * 1024;

type Handle = ServiceHandle<SqsState>;

/** Which messages are shown besides those that could be received. */
interface Shown {
  invisible: boolean;
  delayed: boolean;
}

/** Where a queue is; the region is undefined where its URL does not tell. */
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
 * The routes by which tests written for LocalStack look into a queue without receiving: `GET` with `QueueUrl`, or with the
 * region, account and name in the path, answers XML, or JSON of the same form where `Accept` asks for it; SDKs send their
 * ReceiveMessage by `POST`, with this path in their endpoint. `ShowInvisible` and `ShowDelayed` show those messages, too.
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

/** Answers a look into the queue that a request names. */
function shown(request: ControlRequest, service: Handle, place: () => Place): ControlResponse {
  const protocol = queryProtocol();
  const answer = encoded(protocol, OPERATION, () => messagesOf(service, place(), shownBy(request.query)));
  const wantsJson = /\bjson\b/.test(String(request.headers.accept ?? ''));
  return wantsJson ? { status: answer.status, json: toJson(String(answer.body)) } : sent(answer);
}

/** Answers a ReceiveMessage of an SDK, in the protocol that it speaks. */
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
        throw awsError('InvalidRequest', `${PATH} answers ${OPERATION} only, not ${operation ?? 'what was sent'}.`);
      const { QueueUrl } = protocol.decode(operation, wire) as Partial<ReceiveMessageRequest>;
      if (!QueueUrl) throw missingParameter('QueueUrl');
      return messagesOf(service, placeOf(QueueUrl, service), shownBy(request.query));
    }),
  );
}

/** The answer of ReceiveMessage with messages, or its error. */
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

/** Where the queue of a URL is: only hosts of the form `sqs.<region>.…` and `<region>.queue.…` tell the region. */
function placeOf(url: string, { settings }: Handle): Place {
  const { accountId = settings.accountId, name } = parseQueueUrl(url);
  const [, inSqs, inQueue] =
    /^(?:https?:)?\/\/(?:sqs\.([a-z]+-[a-z0-9-]+)\.|([a-z]+-[a-z0-9-]+)\.queue\.)/.exec(url) ?? [];
  return { accountId, region: inSqs ?? inQueue, name };
}

/** @throws AwsError `QueueDoesNotExist` */
function queueAt({ accountId, region, name }: Place, service: Handle): { queue: Queue; state: SqsState } {
  const regions = region === undefined ? [service.settings.region] : [region];
  // Who names no region means the only one that has such a queue.
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

/** A document in the form in which LocalStack writes it as JSON: repeated elements are lists, empty ones are null. */
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
