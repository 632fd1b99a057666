import {
  type Clock,
  type Collection,
  type DeepReadonly,
  IdempotencyTokens,
  type StateScope,
  tokensOf,
} from '@emu/core';
import { tokenConflict } from '../errors.ts';
import { type RequestRecord, requestCollection } from '../records.ts';

/** How long AWS tells of a request. */
const LIFETIME = 7 * 24 * 60 * 60 * 1000;
/** Milliseconds for which a client token stands for its request. */
const CLIENT_TOKEN_PERIOD = 36 * 60 * 60 * 1000;
/** Requests that are remembered at most: the oldest that has ended is forgotten first. */
const MOST = 10_000;

/** A request, to be read only. */
export type Request = DeepReadonly<RequestRecord>;

/** Whether a request has come to its end. */
export const hasEnded = ({ status }: Request): boolean =>
  status === 'SUCCESS' || status === 'FAILED' || status === 'CANCEL_COMPLETE';

/** The requests of an account and region, for as long as AWS tells of them. */
export class Requests {
  private readonly records: Collection<RequestRecord>;
  private readonly clock: Clock;
  /** Each client token stands for one request, which may not be repeated. */
  readonly tokens: IdempotencyTokens<Request>;
  /** Tokens of requests that have not ended, by type and identifier. */
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

  /** The request of a token; undefined where there is none, or where it is too long ago. */
  find(token: string): Request | undefined {
    const request = this.records.get(token) as Request | undefined;
    return request && this.clock.now() < request.startedAt + LIFETIME ? request : undefined;
  }

  /** The request that changes a resource now. */
  changing(typeName: string, identifier: string): Request | undefined {
    const token = this.underWay.get(`${typeName} ${identifier}`);
    return token === undefined ? undefined : this.find(token);
  }

  /** Every request that is told of. */
  list(): Request[] {
    return [...this.records.values()].filter(({ token }) => this.find(token)) as Request[];
  }

  /** Keeps a new request. */
  add(record: RequestRecord): Request {
    this.forgetOld();
    const request = this.records.put(record.token, record) as Request;
    this.index(request);
    return request;
  }

  /** Changes what is kept of a request. */
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

  /** Forgets what is too long ago or too much; requests are kept in the order in which they were made. */
  private forgetOld(): void {
    const now = this.clock.now();
    for (const request of this.records.values()) {
      const old = request.startedAt + LIFETIME <= now || this.records.size >= MOST;
      if (!old || !hasEnded(request as Request)) return;
      this.records.delete(request.token);
    }
  }
}
