import { AwsError } from '@emu/wire';
import type { CallOptions, OperationInput, OperationName, ServiceName } from '../calls/calls.ts';
import { type Collection, defineCollection } from '../collections/collection.ts';
import { numericKey } from '../paging/pager.ts';
import type { InterruptedWork, StateScope, Worker } from '../plugin/handle.ts';
import { interruptedRecords } from '../resumption/interrupted-records.ts';
import { isStorageFailure, storageProblem } from '../storage/storage-trouble.ts';

/** A call to another service without a confirmed delivery. */
export interface PendingCall {
  readonly service: string;
  readonly operation: string;
  /** The operation's input; its points in time are ISO 8601 texts after a restart. */
  readonly input: unknown;
  readonly options: Omit<CallOptions, 'signal'>;
  /** Description for the log. */
  readonly about: string;
}

/** Pending calls of an account and region; declared by each service with an `Outbox`. */
export const outboxCollection = defineCollection<PendingCall>('outbox', 'region', { content: 'all' });

/** Milliseconds until a failed call is retried. */
const RETRY = 10_000;
const NOT_IMPLEMENTED = 501;

/** Whether a retry may succeed, for example after the disk of the service was full. */
const isTemporary = (error: unknown): boolean =>
  error instanceof AwsError
    ? (error.status ?? 0) >= 500 && error.status !== NOT_IMPLEMENTED
    : storageProblem(error) !== undefined || isStorageFailure(error);

/**
 * Calls to other services that are made after a response, at least once. A call that is pending when `send` returns is
 * stored as a record until it is done, together with the changes of the same turn, and is repeated after a restart. A
 * call that completes at once, as most do without a receiver, costs no record.
 */
export class Outbox implements Worker {
  private readonly pending: Collection<PendingCall>;
  private lastNumber = 0;
  private closed = false;

  constructor(private readonly scope: StateScope) {
    this.pending = scope.collection(outboxCollection);
    for (const key of this.pending.keys()) this.lastNumber = Math.max(this.lastNumber, Number(key));
  }

  /**
   * Sends a call to another service. A rejection is only logged.
   * @param input plain JSON values and points in time
   * @param about description for the log
   */
  send<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options: Omit<CallOptions, 'signal'>,
    about: string,
  ): void {
    const under = this.scope.handOver(service, operation, input, options);
    if (!under) return;
    const key = numericKey(++this.lastNumber);
    this.pending.put(key, { service, operation, input, options, about });
    void this.finish(key, about, under);
  }

  /** Repeats the pending calls of an earlier process. A failing one is dropped. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.pending, {
      name: ({ service, operation }, key) => `call ${key} of ${service}:${operation}`,
      resume: (_, key) => this.retry(key),
      fail: (_call, _reason, key) => void this.pending.delete(key),
    });
  }

  close(): void {
    this.closed = true;
  }

  private retry(key: string): Promise<void> | undefined {
    const call = this.pending.get(key);
    if (this.closed || !call) return undefined;
    const { service, operation, input, options, about } = call;
    const json: unknown = JSON.parse(JSON.stringify(input));
    return this.finish(key, about, this.scope.callJson(service, operation, json, options as CallOptions));
  }

  private async finish(key: string, about: string, under: Promise<unknown>): Promise<void> {
    try {
      await under;
    } catch (error) {
      if (this.closed) return;
      if (isTemporary(error)) {
        this.scope.clock.after(RETRY, () => void this.retry(key));
        return;
      }
      // Without the service in this emulator, the call has no receiver.
      if (!(error instanceof AwsError && error.code === 'NotImplemented'))
        this.scope.log.warn(`${about} was rejected`, { error });
    }
    if (!this.closed) this.pending.delete(key);
  }
}
