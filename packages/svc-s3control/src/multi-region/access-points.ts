import {
  type Collection,
  type DeepReadonly,
  IdempotencyTokens,
  type StateScope,
  tokensOf,
  type Worker,
} from '@emu/core/service';
import type { AsyncOperationName, AsyncRequestParameters } from '@emu/service-types/s3control';
import { s3controlError } from '../errors.ts';
import {
  type AsyncRequestRecord,
  asyncRequestCollection,
  type MultiRegionRecord,
  multiRegionCollection,
} from './records.ts';

/** Duration of a change to a Multi-Region Access Point in milliseconds; AWS takes minutes. */
const CHANGE_DURATION = 1000;
/** Milliseconds for which requests can be described: 90 days. */
const RETENTION = 90 * 86_400_000;

/** A new request, without derived members. */
export interface NewRequest {
  operation: AsyncOperationName;
  clientToken: string;
  parameters: AsyncRequestParameters;
  name: string;
  arn: string;
}

/**
 * Multi-Region Access Points of an account, and the asynchronous requests that change them.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/MrapOperations.html
 */
export class MultiRegionAccessPoints implements Worker {
  readonly points: Collection<MultiRegionRecord>;
  readonly requests: Collection<AsyncRequestRecord>;
  readonly tokens: IdempotencyTokens<DeepReadonly<AsyncRequestRecord>>;

  constructor(private readonly scope: StateScope) {
    this.points = scope.collection(multiRegionCollection);
    this.requests = scope.collection(asyncRequestCollection);
    this.tokens = new IdempotencyTokens({
      clock: scope.clock,
      records: tokensOf(this.requests, ({ clientToken: token, parameters }) => ({
        token,
        request: JSON.stringify(parameters),
      })),
      refuse: () =>
        s3controlError(
          'ClientTokenConflict',
          'Your Multi-Region Access Point idempotency token was already used for a different request.',
          { status: 409 },
        ),
    });
  }

  /** Resumes pending requests after a restart. */
  resume(): void {
    for (const request of this.requests.values()) if (request.status === 'NEW') this.schedule(request);
  }

  /** Returns one by name. */
  get(name: string): DeepReadonly<MultiRegionRecord> | undefined {
    return this.points.get(name);
  }

  /** Returns one by alias, `m….mrap`. */
  byAlias(alias: string): DeepReadonly<MultiRegionRecord> | undefined {
    for (const point of this.points.values()) if (point.alias === alias) return point;
    return undefined;
  }

  /** Returns a request by ARN. */
  request(arn: string): DeepReadonly<AsyncRequestRecord> | undefined {
    return this.requests.get(arn);
  }

  /** Stores a request for delayed execution, and evicts expired requests. */
  submit(request: NewRequest): DeepReadonly<AsyncRequestRecord> {
    const now = this.scope.clock.now();
    for (const old of [...this.requests.values()]) if (old.createdAt < now - RETENTION) this.requests.delete(old.arn);
    const record = this.requests.put(request.arn, {
      ...request,
      status: 'NEW',
      createdAt: now,
      dueAt: now + CHANGE_DURATION,
    });
    this.schedule(record);
    return record;
  }

  private schedule({ arn, dueAt }: DeepReadonly<AsyncRequestRecord>): void {
    this.scope.clock.at(dueAt, () => this.carryOut(arn));
  }

  private carryOut(arn: string): void {
    const request = this.requests.get(arn);
    if (!request) return;
    const { name, operation } = request;
    const present = this.points.has(name);
    if (present) this.change(name, operation, request.parameters);
    this.requests.update(arn, (draft) => {
      draft.status = present ? 'SUCCEEDED' : 'FAILED';
      // It was deleted meanwhile.
      if (!present)
        draft.error = {
          code: 'NoSuchMultiRegionAccessPoint',
          message: 'The specified Multi-Region Access Point does not exist',
        };
    });
  }

  private change(name: string, operation: AsyncOperationName, parameters: DeepReadonly<AsyncRequestParameters>): void {
    if (operation === 'DeleteMultiRegionAccessPoint') {
      this.points.delete(name);
      return;
    }
    this.points.update(name, (draft) => {
      if (operation === 'CreateMultiRegionAccessPoint') {
        draft.status = 'READY';
        return;
      }
      const { Policy: policy } = parameters.PutMultiRegionAccessPointPolicyRequest!;
      draft.established = policy;
      if (draft.proposed === policy) delete draft.proposed;
    });
  }
}
