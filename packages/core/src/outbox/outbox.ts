import { AwsError } from '@emu/wire';
import type { CallOptions, OperationInput, OperationName, ServiceName } from '../calls/calls.ts';
import { type Collection, defineCollection } from '../collections/collection.ts';
import { numericKey } from '../paging/pager.ts';
import type { StateScope, Worker } from '../plugin/handle.ts';
import { isStorageFailure, storageProblem } from '../storage/storage-trouble.ts';

/** A call to another service that is not known to have been taken. */
export interface PendingCall {
  readonly service: string;
  readonly operation: string;
  /** The operation's input; its points in time are ISO 8601 texts once it was on disk. */
  readonly input: unknown;
  readonly options: Omit<CallOptions, 'signal'>;
  /** What it tells, for the log. */
  readonly about: string;
}

/** Calls of an account and region that are still to be made; listed by each service that has an `Outbox`. */
export const outboxCollection = defineCollection<PendingCall>('outbox', 'region', { content: 'all' });

/** Milliseconds after which a call is made again that its service could not take. */
const RETRY = 10_000;
const NOT_IMPLEMENTED = 501;

/** Whether it may be taken later, as where the disk of the service is full. */
const isPassing = (error: unknown): boolean =>
  error instanceof AwsError
    ? (error.status ?? 0) >= 500 && error.status !== NOT_IMPLEMENTED
    : storageProblem(error) !== undefined || isStorageFailure(error);

/**
 * What a service tells others after its answer, at least once: a call that is not over when `send` returns is a record
 * until it is, together with the changes of the same turn, and is made again after a restart. One that is over at once, as
 * most are that nobody listens to, costs no record.
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
   * Hands something over to another service. What refuses it is told to the log alone.
   * @param input of plain JSON values and points in time
   * @param about what it tells, for the log
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

  /** Makes the calls that an emulator before this one did not come to the end of. */
  resume(): void {
    for (const key of [...this.pending.keys()]) this.makeAgain(key);
  }

  close(): void {
    this.closed = true;
  }

  private makeAgain(key: string): void {
    const call = this.pending.get(key);
    if (this.closed || !call) return;
    const { service, operation, input, options, about } = call;
    const json: unknown = JSON.parse(JSON.stringify(input));
    void this.finish(key, about, this.scope.callJson(service, operation, json, options as CallOptions));
  }

  private async finish(key: string, about: string, under: Promise<unknown>): Promise<void> {
    try {
      await under;
    } catch (error) {
      if (this.closed) return;
      if (isPassing(error)) {
        this.scope.clock.after(RETRY, () => this.makeAgain(key));
        return;
      }
      // An emulator without the service has nobody to tell.
      if (!(error instanceof AwsError && error.code === 'NotImplemented'))
        this.scope.log.warn(`${about} was not taken`, { error });
    }
    if (!this.closed) this.pending.delete(key);
  }
}
