import type { ServiceCodec } from '@emu/wire';
import { readsOnly } from '../kernel/reads.ts';
import type { Answered } from '../plugin/observer.ts';
import { excerpt } from './excerpt.ts';
import { Following } from './following.ts';
import { LineLog } from './line-log.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** A request as it is answered, with the service that called, if one did. */
export type RecordableRequest = Answered & { readonly via: string | undefined };

/** Finds the codec of a loaded service. */
export type CodecOf = (service: string) => ServiceCodec | undefined;

/** Characters shown of an input, of an output and of an error's message. */
const SHOWN = 2000;
/** Requests that wait to be written at most. */
const BATCH = 64;

/**
 * Keeps the newest requests and calls between services within a number of bytes. Calls that a service makes by itself to
 * look for work, such as polls of a queue that is empty, are left out.
 */
export class RequestRecorder {
  private readonly kept: LineLog;
  private readonly followers = new Set<Following>();
  private waiting: RecordableRequest[] = [];
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
    this.kept = new LineLog(limit);
  }

  /** Records an answered request where it is on. */
  record(answered: RecordableRequest): void {
    if (!this.recording || isPoll(answered)) return;
    this.waiting.push(answered);
    if (this.waiting.length >= BATCH) this.write();
    else if (this.waiting.length === 1) setImmediate(() => this.write());
  }

  /** Writes what waits: many at a time, and not before an answer is sent, is several times as fast. */
  private write(): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    const lines = waiting.map((answered) => this.lineOf(answered, ++this.sequence));
    this.kept.push(lines);
    if (this.followers.size === 0) return;
    for (const line of lines) {
      const request = JSON.parse(line) as RecordedRequest;
      for (const follower of this.followers) follower.push(request);
    }
  }

  /** Everything that is kept, oldest first. */
  *list(): IterableIterator<RecordedRequest> {
    this.write();
    for (const line of this.kept.lines()) yield JSON.parse(line) as RecordedRequest;
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
    return `{"sequence":${sequence},"requestId":"${requestId}"${textOf('cause', cause)}${textOf('via', via)},"service":"${service}","operation":"${operation}","accountId":"${accountId}","region":${JSON.stringify(region)},"caller":${this.callerOf(principal.arn)},"receivedAt":${receivedAt},"duration":${duration},"status":${status}${textOf('errorCode', errorCode)}${textOf('errorMessage', message)},"input":${input},"output":${output}}`;
  }

  private callerOf(arn: string): string {
    if (arn !== this.caller.arn) this.caller = { arn, text: JSON.stringify(arn) };
    return this.caller.text;
  }
}

/** A member of an object whose value may be absent. */
const textOf = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

/** Whether a service looked for work on its own account, and found none or only read. */
function isPoll({ via, cause, operation, output }: RecordableRequest): boolean {
  if (via === undefined || cause !== undefined) return false;
  return readsOnly(operation) || (/^(Receive|Poll)[A-Z]/.test(operation) && isEmpty(output));
}

/** Whether an output has nothing in it but empty lists. */
const isEmpty = (output: unknown): boolean =>
  Object.values(output ?? {}).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
