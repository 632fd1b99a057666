import {
  type ApiRecord,
  CutBody,
  fromJson,
  isApiRecord,
  type RawRecord,
  type RecordedBody,
  type RecordedLine,
} from '@emu/recording';
import {
  compileService,
  type DecodedError,
  type ReceivedResponse,
  type RequestEncoder,
  type ResponseDecoder,
  requestEncoder,
  responseDecoder,
  type ServiceModel,
} from '@emu/wire';
import { Comparator } from './compare.ts';
import { type Difference, type FoundDifference, shown } from './differences.ts';
import { SentTexts } from './inputs.ts';
import { Mapping } from './mapping.ts';
import { isRead, planOf, type Role } from './plan.ts';
import { accountOf, Signer } from './signer.ts';
import type { Target, TargetRequest } from './target.ts';

/** Milliseconds of real time after which a request may wait for emulated time. */
const PATIENCE = 25;
/** Number of times that time is advanced for one request before it is given up. */
const MAX_ADVANCES = 200;
/** Emulated milliseconds by which each further advance moves the time, at first; it doubles each time. */
const FIRST_ADVANCE = 1000;
const LONGEST_ADVANCE = 15 * 60_000;
/** Milliseconds of real time after which a read request is repeated whose response differs, as work may be under way. */
const MORE_POLLS = [10, 20, 40, 80, 160];
/** Codes of errors while another operation is under way. */
const UNDER_WAY = /^\w*(?:InProgress|InUse|Conflict|NotReady|NotComplete|Pending|ConcurrentModification)\w*:/;
/** Maximum number of requests of a recording that are repeated so. */
const MAX_REPEATED = 100;
/** Host names as they may be in a request. */
const HOST = /^[a-z0-9][a-z0-9._-]{0,252}$/i;

/** A recording to replay. */
export interface ReplaySource {
  /** Name in reports. */
  readonly file: string;
  readonly lines: readonly RecordedLine[];
}

/** Options of a replay. */
export interface ReplayOptions {
  readonly target: Target;
  /** Returns the model of a service; undefined for one that emu does not have. */
  modelOf(service: string): Promise<ServiceModel | undefined>;
  /** Whether requests overlap as they did in the recording; otherwise one is sent after the other. */
  readonly concurrent?: boolean;
  /** Whether a service's requests are replayed; all by default. */
  readonly selects?: (service: string) => boolean;
  /** Called after each request. */
  readonly onProgress?: (done: number) => void;
}

/** Result of a replay. */
export interface ReplayResult {
  /** Number of requests that were compared. */
  readonly compared: number;
  /** Number of requests that were left out: repeated attempts, polls after the final state, services that were not selected. */
  readonly leftOut: number;
  /** Number of compared requests by operation, e.g. `sqs SendMessage`. */
  readonly operations: ReadonlyMap<string, number>;
  /** In the order of the recording. */
  readonly differences: readonly FoundDifference[];
}

/** Sends the requests of recordings in their order and compares the responses. */
export async function replay(sources: readonly ReplaySource[], options: ReplayOptions): Promise<ReplayResult> {
  const result = {
    compared: 0,
    leftOut: 0,
    operations: new Map<string, number>(),
    differences: [] as FoundDifference[],
  };
  for (const source of sources) await new Replay(source, options, result).run();
  return result;
}

interface MutableResult {
  compared: number;
  leftOut: number;
  operations: Map<string, number>;
  differences: FoundDifference[];
}

/** Encoders, decoders and comparisons of one service. */
interface Client {
  readonly model: ServiceModel;
  readonly requests: RequestEncoder;
  readonly responses: ResponseDecoder;
  readonly comparator: Comparator;
  /** Names of error shapes by their codes in the query protocol. */
  readonly shapesByCode: ReadonlyMap<string, string>;
}

/** An actual response to a request of an API. */
type Answer =
  | { readonly status: number; readonly output: Record<string, unknown> }
  | { readonly status: number; readonly error: DecodedError }
  | { readonly failure: string };

/** Replay of one recording. Its values are independent of other recordings. */
class Replay {
  private readonly mapping = new Mapping();
  private readonly sent = new SentTexts();
  private readonly clients = new Map<string, Promise<Client | undefined>>();
  /** Last polls of loops whose final state was reached. */
  private readonly settled = new Set<RecordedLine>();
  private readonly signer: Signer;
  private time = 0;
  /** Number of requests that were repeated because of a difference. */
  private repeated = 0;

  constructor(
    private readonly source: ReplaySource,
    private readonly options: ReplayOptions,
    private readonly result: MutableResult,
  ) {
    this.signer = new Signer(accountOf(source.lines), this.mapping);
  }

  async run(): Promise<void> {
    const { concurrent, selects, target } = this.options;
    const selected = this.source.lines.filter(({ record }) => selects?.(record.service) ?? true);
    this.result.leftOut += this.source.lines.length - selected.length;
    const [first] = selected;
    if (!first) return;
    this.time = Date.parse(first.record.startedAt);
    await target.start(this.time);
    const roles = planOf(selected);
    if (concurrent) await this.overlapping(selected, roles);
    else for (const line of selected) await this.request(line, roles.get(line)!);
  }

  /**
   * Sends each request when those have ended that it did not overlap. Recorded ends are late, because they include the work of
   * the recorder, so a request overlaps another one that starts in its first half.
   */
  private async overlapping(lines: readonly RecordedLine[], roles: ReadonlyMap<RecordedLine, Role>): Promise<void> {
    const ordered = [...lines].sort((a, b) => a.record.n - b.record.n);
    const running = new Map<Promise<void>, number>();
    for (const line of ordered) {
      // Recorded starts are in whole milliseconds.
      const start = Date.parse(line.record.startedAt) + 1;
      await Promise.all([...running].flatMap(([request, end]) => (end <= start ? request : [])));
      const request: Promise<void> = this.request(line, roles.get(line)!).finally(() => running.delete(request));
      running.set(request, start + line.record.milliseconds / 2);
    }
    await Promise.all(running.keys());
  }

  private async request(line: RecordedLine, role: Role): Promise<void> {
    const { record } = line;
    if (role.kind === 'retried' || (role.kind === 'poll' && this.settled.has(role.last))) {
      this.result.leftOut++;
      return;
    }
    this.time = Math.max(this.time, Date.parse(record.startedAt));
    await this.options.target.advanceTo(this.time);
    const differences = isApiRecord(record) ? await this.api(line, record, role) : await this.raw(record);
    this.count(record.service, operationOf(record));
    for (const difference of differences) this.add(line, difference);
    this.options.onProgress?.(this.result.compared);
  }

  private count(service: string, operation: string): void {
    const { operations } = this.result;
    const key = `${service} ${operation}`;
    this.result.compared++;
    operations.set(key, (operations.get(key) ?? 0) + 1);
  }

  private add({ line, record }: RecordedLine, difference: Difference): void {
    const { file } = this.source;
    const { service } = record;
    this.result.differences.push({ ...difference, service, operation: operationOf(record), line, file });
  }

  /** Sends a request of an API. */
  private async api(line: RecordedLine, record: ApiRecord, role: Role): Promise<Difference[]> {
    const client = await this.client(record.service);
    if (!client || !Object.hasOwn(client.model.operations, record.operation)) return [notImplemented()];
    const input = decoded(record.input);
    if (input === undefined) return [{ class: 'no response', path: '', actual: 'the recorded input is invalid' }];
    // Bodies over the limit of the recording are sent as far as they are known.
    const known = withKnownBodies(input);
    const replaced = this.mapping.replaceIn(known) as Record<string, unknown>;
    const changed = Object.entries(known).some(
      ([name, value]) => value instanceof Uint8Array && replaced[name] !== value,
    );
    const mapped = changed ? withoutChecksums(replaced) : replaced;
    this.sent.add(changed ? withoutChecksums(input) : input);
    const send = (): Promise<Answer> => this.send(client, record, mapped);
    const final = role.kind === 'poll' ? role.last : line;
    let differences = this.compare(client, final.record as ApiRecord, await send());
    if (final === line && this.mayChange(record, differences) && this.repeated++ < MAX_REPEATED)
      for (const wait of MORE_POLLS) {
        await pause(wait);
        this.time += Math.max(record.milliseconds, FIRST_ADVANCE);
        await this.options.target.advanceTo(this.time);
        const again = this.compare(client, final.record as ApiRecord, await send());
        if (again.length < differences.length) differences = again;
        if (differences.length === 0) break;
      }
    if (differences.length === 0) this.settled.add(final);
    // Intermediate states depend on timing.
    return final === line ? differences : [];
  }

  /** Whether a difference may be gone after a while: of a read request, and of a change that waits for another one. */
  private mayChange({ operation, error }: ApiRecord, differences: readonly Difference[]): boolean {
    const [first] = differences;
    if (!first) return false;
    return isRead(operation) || (!error && first.class === 'other code' && UNDER_WAY.test(first.actual ?? ''));
  }

  private async send(client: Client, record: ApiRecord, input: Record<string, unknown>): Promise<Answer> {
    const { operation, region, signer } = record;
    const { auth } = client.model.operations[operation]!;
    const streamed = client.responses.streamed(operation);
    try {
      const { method, path, query, headers, body } = await client.requests.encode(operation, input);
      const signature = this.signer.headers(client.model, region, auth === 'none' ? 'anonymous' : signer, this.time);
      const request = { method, path, query, headers: { ...headers, ...signature }, body };
      const response = await this.exchange(request, record.milliseconds);
      const { status } = response;
      if (status >= 300 && !(status === 304 && record.status === 304))
        return { status, error: client.responses.decodeError(operation, response) };
      if (!streamed) {
        const output = client.responses.decode(operation, response);
        this.signer.addCredentials(output);
        return { status, output };
      }
      const output = client.responses.decode(operation, { ...response, body: new Uint8Array() });
      return { status, output: { ...output, [streamed.member]: await streamedBody(streamed.events, response.body) } };
    } catch (error) {
      return { failure: (error as Error).message };
    }
  }

  /** Sends a request. If it waits for emulated time, moves it to the recorded end, and then further. */
  private async exchange(request: TargetRequest, milliseconds: number): Promise<ReceivedResponse> {
    const { target } = this.options;
    const abort = new AbortController();
    let ended = false;
    const response = target.send(request, abort.signal).finally(() => {
      ended = true;
    });
    // A failure is thrown below, where it is awaited.
    response.catch(() => undefined);
    let next = this.time + Math.max(0, milliseconds);
    let step = FIRST_ADVANCE;
    for (let advances = 0; advances < MAX_ADVANCES; advances++) {
      await Promise.race([response.catch(() => undefined), pause(PATIENCE)]);
      if (ended) return response;
      await target.advanceTo(next);
      if (advances % 8 === 7) {
        next += step;
        step = Math.min(step * 2, LONGEST_ADVANCE);
      }
      this.time = Math.max(this.time, advances === 0 ? this.time : next);
    }
    abort.abort();
    throw new Error('the request did not end');
  }

  private compare(client: Client, record: ApiRecord, answer: Answer): Difference[] {
    if ('failure' in answer) return [{ class: 'no response', path: '', actual: shown(answer.failure) }];
    const { error } = record;
    if ('error' in answer) return this.compareError(client, record, answer.status, answer.error);
    if (error) return [{ class: 'other code', path: '', recorded: error.code, actual: 'success' }];
    const output = decoded(record.output ?? {});
    const differences = otherStatus(record.status, answer.status);
    if (output === undefined || record.cut) return differences;
    return [...differences, ...client.comparator.outputs(record.operation, output, answer.output)];
  }

  private compareError(client: Client, record: ApiRecord, status: number, actual: DecodedError): Difference[] {
    const { error } = record;
    if (status === 501) return [notImplemented(actual.message)];
    const nameOf = (code: string): string => client.shapesByCode.get(code) ?? code;
    if (!error || nameOf(error.code) !== nameOf(actual.code))
      return [
        {
          class: 'other code',
          path: '',
          recorded: error?.code ?? 'success',
          actual: shown(`${actual.code}: ${actual.message}`),
        },
      ];
    const members = decoded(error.members ?? {}) ?? {};
    return [
      ...otherStatus(record.status, status),
      ...client.comparator.messages(error.message, actual.message),
      ...client.comparator.errorMembers(nameOf(actual.code), members, actual.members),
    ];
  }

  /** Sends a request of a data plane. */
  private async raw({ service, region, signer, milliseconds, request, response }: RawRecord): Promise<Difference[]> {
    const client = await this.client(service);
    if (!client && !DATA_PLANES.has(service)) return [notImplemented()];
    const host = this.mapping.replace(request.host);
    const path = this.mapping.replace(request.path);
    if (!HOST.test(host) || !path.startsWith('/'))
      return [{ class: 'no response', path: '', actual: 'the recorded request is invalid' }];
    const body = bytesOf(request.body);
    const headers = this.mapping.replaceIn(request.headers) as Record<string, string>;
    const query = this.mapping.replace(request.query);
    this.sent.add([path, query, request.body ?? '']);
    let actual: ReceivedResponse;
    try {
      const signature = this.signer.headersOf(service, region, signer, this.time);
      const mapped = this.mapping.replaceIn(body) as Uint8Array;
      const sendable = { ...withoutTransport(headers), ...signature };
      actual = await this.exchange(
        { method: request.method, host, path, query, headers: sendable, body: mapped },
        milliseconds,
      );
    } catch (error) {
      return [{ class: 'no response', path: '', actual: shown((error as Error).message) }];
    }
    if (actual.status === 501) return [notImplemented()];
    const differences = otherStatus(response.status, actual.status);
    const recorded = response.body;
    if (typeof recorded !== 'string' || differences.length > 0) return differences;
    const comparator = client?.comparator ?? new Comparator(EMPTY_MODEL, this.mapping, this.sent);
    return comparator.bodies(recorded, Buffer.from(actual.body).toString('utf8'));
  }

  private client(service: string): Promise<Client | undefined> {
    let client = this.clients.get(service);
    if (!client) {
      client = this.makeClient(service);
      this.clients.set(service, client);
    }
    return client;
  }

  private async makeClient(service: string): Promise<Client | undefined> {
    const model = await this.options.modelOf(service);
    if (!model) return undefined;
    const requests = requestEncoder(model);
    const shapes = Object.entries(model.shapes).filter(([, { exception }]) => exception);
    return {
      model,
      requests,
      responses: responseDecoder(compileService(model), requests.protocol),
      comparator: new Comparator(model, this.mapping, this.sent),
      shapesByCode: new Map(
        shapes.flatMap(([name, { error }]) => (error?.code === undefined ? [] : [[error.code, name]])),
      ),
    };
  }
}

/** Services of data planes, which have no model. */
const DATA_PLANES = new Set(['execute-api', 'lambda-url', 's3-website', 'cognito-hosted-ui']);
const EMPTY_MODEL: ServiceModel = {
  service: '',
  source: { botocore: '', path: '' },
  metadata: { apiVersion: '', endpointPrefix: '', signingName: '', serviceId: '', protocols: [] },
  operations: {},
  shapes: {},
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const operationOf = (record: ApiRecord | RawRecord): string =>
  isApiRecord(record) ? record.operation : (record.operation ?? record.request.method);

const notImplemented = (message?: string): Difference => ({
  class: 'not implemented',
  path: '',
  ...(message && { actual: shown(message) }),
});

const otherStatus = (recorded: number, actual: number): Difference[] =>
  recorded === actual ? [] : [{ class: 'other status', path: '', recorded: String(recorded), actual: String(actual) }];

/** Converts recorded members; undefined if they are invalid. */
function decoded(members: ApiRecord['input']): Record<string, unknown> | undefined {
  try {
    return fromJson(members) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function withKnownBodies(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, value instanceof CutBody ? value.bytes : value]),
  );
}

/** Members with the length or a checksum of another member, which is a body. */
const CHECKSUM = /^(?:ContentLength|ContentMD5|Checksum(?:CRC32|CRC32C|CRC64NVME|SHA1|SHA256|SHA512|MD5|XXHASH\w+))$/;

/** Returns an input without the length and checksums of a body, in which values were replaced. */
const withoutChecksums = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !CHECKSUM.test(name)));

function bytesOf(body: RecordedBody | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array();
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.$bytes, 'base64');
}

async function streamedBody(
  events: ((bytes: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>) | undefined,
  body: Uint8Array,
): Promise<unknown> {
  if (!events) return body;
  const found: unknown[] = [];
  for await (const event of events(chunks(body))) found.push(event);
  return found;
}

async function* chunks(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (body.length > 0) yield body;
}

/** Headers that belong to the recorded connection or signature. */
const TRANSPORT =
  /^(?:host|connection|content-length|transfer-encoding|expect|authorization|x-amz-date|x-amz-security-token|x-amz-content-sha256|te|trailer|upgrade|keep-alive|proxy-.*|:.*)$/;

const withoutTransport = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !TRANSPORT.test(name.toLowerCase())));
