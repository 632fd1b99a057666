import { AwsError } from '@emu/wire';
import type { AnsweredRequest, Observation } from '../plugin/observer.ts';
import type { RequestRecorder } from '../recorder/recorder.ts';
import type { Environment } from '../services/environment.ts';
import type { Invocation } from '../services/invocation.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { answeredInvocation, type Outcome } from './answered.ts';

interface Observer extends Observation {
  /** Name of the observing service. */
  readonly name: string;
}

/** Passes answered requests and calls to the services whose manifests subscribe to them. */
export class Observers {
  private readonly observers: readonly Observer[];
  /** Running observers that were called after the response. */
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly environment: Environment,
    private readonly registry: ServiceRegistry,
    private readonly recorder: RequestRecorder,
  ) {
    const { manifests, settings } = environment;
    this.observers = manifests.flatMap(({ name, observes }) => {
      const observation = observes?.(settings);
      return observation ? [{ name, ...observation }] : [];
    });
  }

  /** Whether any service observes requests. */
  get active(): boolean {
    return this.recorder.recording || this.observers.some((observer) => this.isSubscribed(observer));
  }

  /** Returns the names of the services that observe all others, and so must be loaded. */
  get observingAll(): string[] {
    return this.observers.filter(({ requests }) => requests === 'all').map(({ name }) => name);
  }

  /** Whether an observer receives the requests of a service. */
  watches(service: string): boolean {
    return this.observers.some(
      (observer) => (observer.requests === 'all' || observer.name === service) && this.isSubscribed(observer),
    );
  }

  /**
   * Calls every observer of a service with a request; services do not receive their own calls.
   * @returns a promise that the response waits for, if any; it rejects if an observer fails
   */
  notify(request: AnsweredRequest): Promise<void> | undefined {
    const matching = this.observers.filter(
      ({ requests, name }) => (requests === 'all' || name === request.service) && name !== request.via,
    );
    const first = matching.filter(({ when }) => when === 'before-answer');
    const later = matching.filter(({ when }) => when === 'after-answer');
    // The response is sent in the turn in which it is known.
    const follow = (): void => {
      setImmediate(() => {
        for (const observer of later) this.follow(observer, request);
      });
    };
    if (first.length === 0) {
      if (later.length > 0) follow();
      return undefined;
    }
    const waiting = Promise.all(first.map((observer) => this.observe(observer, request))).then(() => undefined);
    if (later.length > 0) waiting.then(follow, follow);
    return waiting;
  }

  /** Whether an observer receives the calls of a service. */
  reportsCalls(service: string): boolean {
    return this.recorder.recording || this.watches(service);
  }

  /** Runs a call between services, records it and passes it to observers. */
  async call(invocation: Invocation, via: string | undefined, run: () => Promise<unknown>): Promise<unknown> {
    const receivedAt = this.environment.clock.now();
    const started = performance.now();
    const outcome = await run().then(
      (output) => ({ output }),
      (error: unknown) => ({ error }),
    );
    const result = 'error' in outcome ? failureOf(outcome.error) : succeeded(outcome.output);
    const fields = answeredInvocation(invocation, result, receivedAt, started, via);
    const answered = Object.assign(fields, { http: undefined });
    this.recorder.record(answered);
    const waiting = this.watches(invocation.service) ? this.notify(answered) : undefined;
    if (waiting) await waiting;
    if ('error' in outcome) throw outcome.error;
    return outcome.output;
  }

  /** Resolves when the observers called after a response have ended. */
  async settled(): Promise<void> {
    // Includes the observers called in the next turn.
    if (this.observers.length > 0) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(this.running);
  }

  /** Whether an observer has a subscription now. */
  private isSubscribed({ name, onDemand }: Observer): boolean {
    return !onDemand || this.registry.loadedService(name)?.observesRequests === true;
  }

  private follow(observer: Observer, request: AnsweredRequest): void {
    const running = this.observe(observer, request).catch((error: unknown) => {
      const { service, operation, requestId } = request;
      this.environment.log.error(`${observer.name} failed to observe a request`, {
        service,
        operation,
        requestId,
        error,
      });
    });
    this.running.add(running);
    void running.then(() => this.running.delete(running));
  }

  /** Calls an observer; a service that is not loaded cannot observe. */
  private async observe({ name }: Observer, request: AnsweredRequest): Promise<void> {
    const service = this.registry.loadedService(name);
    await service?.plugin.observe?.(request, service as never);
  }
}

const succeeded = (output: unknown): Outcome => ({
  output,
  status: 200,
  errorCode: undefined,
  errorMessage: undefined,
});

/** Returns the status of the response to a request with the same failure. */
function failureOf(error: unknown): Outcome {
  const [status, errorCode] = error instanceof AwsError ? [error.status ?? 400, error.code] : [500, 'InternalFailure'];
  return { output: undefined, status, errorCode, errorMessage: error instanceof Error ? error.message : undefined };
}
