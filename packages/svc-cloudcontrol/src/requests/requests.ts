import {
  type Clock,
  type Collection,
  type DeepReadonly,
  IdempotencyTokens,
  type StateScope,
  tokensOf,
} from '@emu/core/service';
import { tokenConflict } from '../errors.ts';
import { type RequestRecord, requestCollection } from '../records.ts';

/** Period for which AWS returns a request. */
const LIFETIME = 7 * 24 * 60 * 60 * 1000;
/** Lifetime of a client token in milliseconds. */
const CLIENT_TOKEN_PERIOD = 36 * 60 * 60 * 1000;
/** Limit of stored requests. The oldest completed one is evicted first. */
const MAX_REQUESTS = 10_000;

/** A stored request. */
export type Request = DeepReadonly<RequestRecord>;

/** Whether a request has completed. */
export const hasEnded = ({ status }: Request): boolean =>
  status === 'SUCCESS' || status === 'FAILED' || status === 'CANCEL_COMPLETE';

/** Requests of an account and region, for as long as AWS returns them. */
export class Requests {
  private readonly records: Collection<RequestRecord>;
  private readonly clock: Clock;
  /** A client token belongs to one request, which cannot be repeated. */
  readonly tokens: IdempotencyTokens<Request>;
  /** Tokens of requests in progress, by type and identifier. */
  private readonly underWay = new Map<string, string>();

  constructor(scope: StateScope) {
    this.clock = scope.clock;
    this.records = scope.collection(requestCollection);
    this.tokens = new IdempotencyTokens<Request>({
      clock: scope.clock,
      records: tokensOf(this.records, ({ clientToken: token, startedAt: at }) =>
        token === undefined ? undefined : { token, at },
      ),
      period: CLIENT_TOKEN_PERIOD,
      refuse: (token, first) => tokenConflict(token, first!.token),
    });
    for (const record of this.records.values()) this.index(record as Request);
  }

  /** Returns the request with a token; undefined if it is unknown or expired. */
  find(token: string): Request | undefined {
    const request = this.records.get(token) as Request | undefined;
    return request && this.clock.now() < request.startedAt + LIFETIME ? request : undefined;
  }

  /** Returns the request in progress for a resource. */
  changing(typeName: string, identifier: string): Request | undefined {
    const token = this.underWay.get(`${typeName} ${identifier}`);
    return token === undefined ? undefined : this.find(token);
  }

  /** Returns all visible requests. */
  list(): Request[] {
    return [...this.records.values()].filter(({ token }) => this.find(token)) as Request[];
  }

  /** Stores a new request. */
  add(record: RequestRecord): Request {
    this.discardOld();
    const request = this.records.put(record.token, record) as Request;
    this.index(request);
    return request;
  }

  /** Updates a stored request. */
  update(token: string, change: Partial<RequestRecord>): Request {
    const before = this.records.get(token) as Request;
    this.release(before);
    const request = this.records.update(token, (draft) => Object.assign(draft, change)) as Request;
    this.index(request);
    return request;
  }

  private index(request: Request): void {
    const { token, typeName, identifier } = request;
    if (identifier !== undefined && !hasEnded(request)) this.underWay.set(`${typeName} ${identifier}`, token);
  }

  private release({ token, typeName, identifier }: Request): void {
    const key = `${typeName} ${identifier}`;
    if (this.underWay.get(key) === token) this.underWay.delete(key);
  }

  /** Evicts expired and surplus requests, which are stored in order of creation. */
  private discardOld(): void {
    const now = this.clock.now();
    for (const request of this.records.values()) {
      const old = request.startedAt + LIFETIME <= now || this.records.size >= MAX_REQUESTS;
      if (!old || !hasEnded(request as Request)) return;
      this.records.delete(request.token);
    }
  }
}
