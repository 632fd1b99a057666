import type { ServiceCodec } from '@emu/wire';
import { readsOnly } from '../base/reads.ts';
import type { Answered } from '../plugin/observer.ts';
import { BoundedLog, type Entry } from './bounded-log.ts';
import { excerpt } from './excerpt.ts';
import { Following } from './following.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** A request as it is answered, with the service that called, if one did. */
export type RecordableRequest = Answered & { readonly via: string | undefined };

/** Finds the codec of a loaded service. */
export type CodecOf = (service: string) => ServiceCodec | undefined;

/** Characters shown of an input, of an output and of an error's message. */
const SHOWN = 2000;
/** Bytes that a request and its answer have at most to be kept as they are. */
const SMALL = 4096;
/** Bytes that one takes of memory then, besides thrice those that it and its answer were sent in. */
const OVERHEAD = 1500;
/** Bytes that a written one takes besides its characters. */
const LINE_OVERHEAD = 100;

/** A request in its turn: as it was answered, or as a line of JSON once it is written. */
type Kept = { readonly answered: RecordableRequest; readonly sequence: number } | string;

/**
 * Keeps the newest requests and calls between services within a number of bytes. Calls that a service makes by itself to
 * look for work, such as polls of a queue that is empty, are left out.
 */
export class RequestRecorder {
  private readonly kept: BoundedLog<Kept>;
  private readonly followers = new Set<Following>();
  private waiting: Entry<Kept>[] = [];
  private sequence = 0;
  /** The caller that was written last, as JSON: the next one is mostly the same. */
  private caller = { arn: '', text: '""' };

  /**
   * @param recording whether it records now
   * @param limit bytes that it may keep
   */
  constructor(
    public recording: boolean,
    limit: number,
    private readonly codecOf: CodecOf,
  ) {
    this.kept = new BoundedLog(limit);
  }

  /**
   * Records an answered request where it is on. Small ones are kept as they are and written when somebody asks for them:
   * most go unseen, and writing one costs more than all the rest. Others would hold what is large in memory.
   * @param bytes that the request and its answer were sent in; undefined where nobody knows
   */
  record(answered: RecordableRequest, bytes?: number): void {
    if (!this.recording || isPoll(answered)) return;
    const small = bytes !== undefined && bytes <= SMALL;
    const entry = this.kept.push({ answered, sequence: ++this.sequence }, small ? OVERHEAD + 3 * bytes : 0);
    if (small && this.followers.size === 0) return;
    this.waiting.push(entry);
    // Not before the answer is sent.
    if (this.waiting.length === 1) setImmediate(() => this.write());
  }

  /** Writes what waits. */
  private write(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const entry of waiting) {
      const line = this.written(entry);
      if (this.followers.size === 0) continue;
      const request = JSON.parse(line) as RecordedRequest;
      for (const follower of this.followers) follower.push(request);
    }
  }

  /** The line of a request, which is kept in its place from then on. */
  private written(entry: Entry<Kept>): string {
    const { value } = entry;
    if (typeof value === 'string') return value;
    const line = this.lineOf(value.answered, value.sequence);
    this.kept.replace(entry, line, line.length + LINE_OVERHEAD);
    return line;
  }

  /** Everything that is kept, oldest first. */
  *list(): IterableIterator<RecordedRequest> {
    this.write();
    for (const entry of this.kept.list()) yield JSON.parse(this.written(entry)) as RecordedRequest;
  }

  /** Each request from now on, until the reader goes or `endFollowing` is called. */
  follow(): AsyncIterableIterator<RecordedRequest> {
    const following = new Following((ended) => this.followers.delete(ended));
    this.followers.add(following);
    return following;
  }

  /** Ends what `follow` gave. */
  endFollowing(): void {
    for (const following of [...this.followers]) following.end();
  }

  /** Forgets what is kept. @returns how many requests that were */
  clear(): number {
    this.write();
    return this.kept.clear();
  }

  private lineOf(answered: RecordableRequest, sequence: number): string {
    const { service, operation, errorCode, errorMessage, principal, requestId, cause, via } = answered;
    const { accountId, region, receivedAt, duration, status } = answered;
    const model = this.codecOf(service)?.model;
    const shapes = model?.operations[operation];
    const input = model ? excerpt(model, shapes?.input?.shape, answered.input, SHOWN) : 'null';
    const failed = !model || errorCode !== undefined;
    const output = failed ? 'null' : excerpt(model, shapes?.output?.shape, answered.output, SHOWN);
    const message = errorMessage?.slice(0, SHOWN);
    // Names, ids and numbers have nothing in them that JSON escapes.
    return `{"sequence":${sequence},"requestId":"${requestId}"${optionalMember('cause', cause)}${optionalMember('via', via)},"service":"${service}","operation":"${operation}","accountId":"${accountId}","region":${JSON.stringify(region)},"caller":${this.callerOf(principal.arn)},"receivedAt":${receivedAt},"duration":${duration},"status":${status}${optionalMember('errorCode', errorCode)}${optionalMember('errorMessage', message)},"input":${input},"output":${output}}`;
  }

  private callerOf(arn: string): string {
    if (arn !== this.caller.arn) this.caller = { arn, text: JSON.stringify(arn) };
    return this.caller.text;
  }
}

/** A member of an object whose value may be absent. */
const optionalMember = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

/** Whether a service looked for work on its own account, and found none or only read. */
function isPoll({ via, cause, operation, output }: RecordableRequest): boolean {
  if (via === undefined || cause !== undefined) return false;
  return readsOnly(operation) || (/^(Receive|Poll)[A-Z]/.test(operation) && isEmpty(output));
}

/** Whether an output has nothing in it but empty lists. */
const isEmpty = (output: unknown): boolean =>
  Object.values(output ?? {}).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
