import { createHash } from 'node:crypto';
import type { AwsError } from '@emu/wire';
import {
  Collection,
  type CollectionDefinition,
  defineCollection,
  type StateScopeKind,
} from '../collections/collection.ts';
import type { DeepReadonly } from '../collections/readonly.ts';
import type { Clock } from '../time/clock.ts';

/** A completed request with an idempotency token. */
export interface FirstRequest<Result> {
  /** SHA-256 digest of the request in hexadecimal, or the request as JSON; if absent, no other request equals it. */
  request?: string;
  /** Epoch milliseconds. */
  at: number;
  result?: Result;
}

/** The first requests of tokens, derived from the records that they created. */
export interface TokenRecords<Result> {
  get(token: string): Readonly<FirstRequest<Result>> | undefined;
}

/** A service's rules for idempotency tokens. */
export interface IdempotencyRules<Result> {
  /** Input member with the token; `ClientToken` by default. */
  readonly member?: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns the stored first requests, or the records that contain them. */
  readonly records: Collection<FirstRequest<Result>> | TokenRecords<Result>;
  /** Milliseconds until a token expires; never by default. */
  readonly period?: number;
  /** Maximum number of stored tokens: the oldest are evicted. */
  readonly maximum?: number;
  /**
   * Whether a token belongs to one request of any operation, instead of one of each operation. Always true for records.
   */
  readonly shared?: boolean;
  /** Returns the service's error for a token of another request. Without it, inputs are not compared. */
  refuse?(token: string, first: Result | undefined): AwsError;
}

/**
 * The idempotency tokens of an account and region: a request runs once for each token. A repetition receives the first
 * request's response, even if it arrives while the first one runs.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/Run_Instance_Idempotency.html
 */
export class IdempotencyTokens<Result> {
  private readonly underWay = new Map<string, { readonly request: string; readonly result: Promise<Result> }>();

  constructor(private readonly rules: IdempotencyRules<Result>) {}

  /**
   * Runs a request, unless its token has a first request. A failed request leaves its token unused.
   * @param run runs the request
   * @returns the result of the first request
   * @throws AwsError the service's, for a token of another request; errors of `run`
   */
  once(operation: string, input: object, run: () => Promise<Result>): Promise<Result>;
  once(operation: string, input: object, run: () => Result): Result;
  once(operation: string, input: object, run: () => Result | Promise<Result>): Result | Promise<Result> {
    const { token, request } = this.read(input);
    if (token === undefined) return run();
    const key = this.keyOf(operation, token);
    const running = this.underWay.get(key);
    if (running) {
      if (running.request !== request && this.rules.refuse) throw this.rules.refuse(token, undefined);
      return running.result;
    }
    const first = this.first(operation, token, request);
    if (first) return first.result;
    const result = run();
    if (!(result instanceof Promise)) return this.store(key, request, result);
    const stored = result
      .then((value) => this.store(key, request, value))
      .finally(() => {
        this.underWay.delete(key);
      });
    this.underWay.set(key, { request, result: stored });
    return stored;
  }

  /**
   * Returns the first request of an input's token; undefined for a missing or unused token.
   * @throws AwsError the service's, for a token of another request
   */
  find(operation: string, input: object): { readonly result: Result } | undefined {
    const { token, request } = this.read(input);
    return token === undefined ? undefined : this.first(operation, token, request);
  }

  private read(input: object): { token: string | undefined; request: string } {
    const { member = 'ClientToken' } = this.rules;
    const { [member]: token, ...rest } = input as Record<string, unknown>;
    return { token: token as string | undefined, request: token === undefined ? '' : requestText(rest) };
  }

  private first(operation: string, token: string, request: string): { readonly result: Result } | undefined {
    const { records, period = Number.POSITIVE_INFINITY, clock, refuse } = this.rules;
    const first = records.get(this.keyOf(operation, token)) as FirstRequest<Result> | undefined;
    if (!first || first.at <= clock.now() - period) return undefined;
    if (refuse && first.request !== request && first.request !== digestOf(request)) throw refuse(token, first.result);
    return { result: first.result as Result };
  }

  private keyOf(operation: string, token: string): string {
    const { records, shared } = this.rules;
    return shared || !(records instanceof Collection) ? token : `${operation} ${token}`;
  }

  private store(key: string, request: string, result: Result): Result {
    const { records, clock } = this.rules;
    if (!(records instanceof Collection)) return result;
    this.evict(records);
    // The oldest come first.
    records.delete(key);
    records.put(key, { request: digestOf(request), at: clock.now(), ...(result !== undefined && { result }) });
    return result;
  }

  private evict(records: Collection<FirstRequest<Result>>): void {
    const { clock, period = Number.POSITIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = this.rules;
    const since = clock.now() - period;
    for (const [key, { at }] of records.entries()) {
      if (at > since && records.size < maximum) return;
      records.delete(key);
    }
  }
}

/** Returns a request as JSON; bytes become lists of numbers. */
const requestText = (request: object): string =>
  JSON.stringify(request, (_name, value: unknown) => (value instanceof Uint8Array ? [...value] : value));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Declares the collection of a service's first requests.
 * @param resultMember name of the result in records of an earlier version of emu
 */
export const tokenCollection = <Result>(
  name: string,
  scope: StateScopeKind,
  resultMember: string,
): CollectionDefinition<FirstRequest<Result>> =>
  defineCollection<FirstRequest<Result>>(name, scope, {
    content: ['request'],
    decode(json) {
      const { [resultMember]: result, ...first } = json as Record<string, unknown>;
      return (result === undefined ? first : { ...first, result }) as unknown as FirstRequest<Result>;
    },
  });

/** A record's data about the request that created it. */
export interface MadeBy {
  readonly token: string;
  /** The request as JSON, without its token. */
  readonly request?: string | undefined;
  /** Epoch milliseconds; required if tokens expire. */
  readonly at?: number;
}

/**
 * Returns the tokens in the records of a collection; the records are the results of their first requests.
 * @param madeBy returns the request of a record; undefined for one without a token
 */
export function tokensOf<T>(
  collection: Collection<T>,
  madeBy: (record: DeepReadonly<T>) => MadeBy | undefined,
): TokenRecords<DeepReadonly<T>> {
  const index = collection.index((record) => madeBy(record)?.token);
  return {
    get(token) {
      const record = [...index.of(token).values()].at(-1);
      if (record === undefined) return undefined;
      const { request, at = Number.POSITIVE_INFINITY } = madeBy(record)!;
      return { at, result: record, ...(request !== undefined && { request }) };
    },
  };
}
