import type { ServiceCodec } from '@emu/wire';
import { readsOnly } from '../base/reads.ts';
import type { Answered } from '../plugin/observer.ts';
import { BoundedLog, type Entry } from './bounded-log.ts';
import { excerpt } from './excerpt.ts';
import { Following } from './following.ts';
import { withoutSecrets } from './masks.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** An answered request, with the calling service, if any. */
export type RecordableRequest = Answered & {
  readonly via: string | undefined;
  /** See `RecordedRequest.host` and `RecordedRequest.redirectedFrom`. */
  redirected?: { readonly host: string; readonly from: string } | undefined;
};

/** Finds the codec of a loaded service. */
export type CodecOf = (service: string) => ServiceCodec | undefined;

/** Maximum characters of an input, of an output and of an error's message. */
const SHOWN = 2000;
/** Maximum bytes of a request and its response that are kept unformatted. */
const SMALL = 4096;
/** Estimated memory of an unformatted request in bytes, in addition to three times the bytes sent. */
const OVERHEAD = 1500;
/** Estimated memory of a formatted request in bytes, in addition to its characters. */
const LINE_OVERHEAD = 100;

/** A recorded request: unformatted, or formatted as a line of JSON. */
type Kept = { readonly answered: RecordableRequest; readonly sequence: number } | string;

/**
 * Records the newest requests and calls between services, limited by bytes. Skips calls of a service's own polling,
 * such as polls of an empty queue.
 */
export class RequestRecorder {
  private readonly kept: BoundedLog<Kept>;
  private readonly followers = new Set<Following>();
  private waiting: Entry<Kept>[] = [];
  private sequence = 0;
  /** The last formatted caller, as JSON: the next one is mostly the same. */
  private caller = { arn: '', text: '""' };

  /**
   * @param recording whether it records at first
   * @param limit most bytes of the records
   */
  constructor(
    public recording: boolean,
    limit: number,
    private readonly codecOf: CodecOf,
  ) {
    this.kept = new BoundedLog(limit);
  }

  /**
   * Records an answered request if recording is on. Small ones are kept unformatted until they are read: most are never
   * read, and formatting costs more than all the rest. Others are formatted soon, as they would hold large values in
   * memory.
   * @param bytes bytes sent for the request and its response; undefined if unknown
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

  /** Formats waiting requests. */
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

  /** Formats a request, and replaces it by the line. */
  private written(entry: Entry<Kept>): string {
    const { value } = entry;
    if (typeof value === 'string') return value;
    const line = this.lineOf(value.answered, value.sequence);
    this.kept.replace(entry, line, line.length + LINE_OVERHEAD);
    return line;
  }

  /** Returns all recorded requests, oldest first. */
  *list(): IterableIterator<RecordedRequest> {
    this.write();
    for (const entry of this.kept.list()) yield JSON.parse(this.written(entry)) as RecordedRequest;
  }

  /** Returns a stream of requests from now on, until the reader disconnects or `endFollowing` is called. */
  follow(): AsyncIterableIterator<RecordedRequest> {
    const following = new Following((ended) => this.followers.delete(ended));
    this.followers.add(following);
    return following;
  }

  /** Ends all streams of `follow`. */
  endFollowing(): void {
    for (const following of [...this.followers]) following.end();
  }

  /** Removes all recorded requests. @returns their number */
  clear(): number {
    this.write();
    return this.kept.clear();
  }

  private lineOf(answered: RecordableRequest, sequence: number): string {
    const { service, operation, errorCode, errorMessage, principal, requestId, cause, via } = answered;
    const { accountId, region, receivedAt, duration, status, redirected, secrets = [] } = answered;
    const model = this.codecOf(service)?.model;
    const shapes = model?.operations[operation];
    const sensitive: string[] | undefined = errorMessage === undefined ? undefined : [...secrets];
    const input = model ? excerpt(model, shapes?.input?.shape, answered.input, SHOWN, secrets, sensitive) : 'null';
    const failed = !model || errorCode !== undefined;
    const output = failed ? 'null' : excerpt(model, shapes?.output?.shape, answered.output, SHOWN, secrets);
    const message = errorMessage && withoutSecrets(errorMessage, SHOWN, sensitive);
    // Names, ids and numbers contain nothing that JSON escapes.
    return `{"sequence":${sequence},"requestId":"${requestId}"${optionalMember('cause', cause)}${optionalMember('via', via)}${optionalMember('host', redirected?.host)}${optionalMember('redirectedFrom', redirected?.from)},"service":"${service}","operation":"${operation}","accountId":"${accountId}","region":${JSON.stringify(region)},"caller":${this.callerOf(principal.arn)},"receivedAt":${receivedAt},"duration":${duration},"status":${status}${optionalMember('errorCode', errorCode)}${optionalMember('errorMessage', message)},"input":${input},"output":${output}}`;
  }

  private callerOf(arn: string): string {
    if (arn !== this.caller.arn) this.caller = { arn, text: JSON.stringify(arn) };
    return this.caller.text;
  }
}

/** Formats an optional member of an object. */
const optionalMember = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

/** Whether a service polled on its own, and found nothing or only read. */
function isPoll({ via, cause, operation, output }: RecordableRequest): boolean {
  if (via === undefined || cause !== undefined) return false;
  return readsOnly(operation) || (/^(Receive|Poll)[A-Z]/.test(operation) && isEmpty(output));
}

/** Whether an output contains nothing but empty lists. */
const isEmpty = (output: unknown): boolean =>
  Object.values(output ?? {}).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
