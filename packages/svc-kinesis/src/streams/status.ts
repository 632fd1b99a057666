import { type Clock, DueTimers, type StateScope, type Worker } from '@emu/core/service';
import { KINESIS_OPTIONS } from '../options.ts';
import type { StreamRecord } from '../records.ts';
import type { StreamRegistry } from '../registry.ts';

/** Advances streams and consumers to the next state after the configured time. */
export class Transitions implements Worker {
  private readonly clock: Clock;
  private readonly timers: DueTimers;
  private readonly latency: number;

  constructor(
    private readonly state: StreamRegistry,
    scope: StateScope,
  ) {
    this.clock = scope.clock;
    this.timers = new DueTimers(scope.clock);
    this.latency = scope.settings.of(KINESIS_OPTIONS).EMULATOR_KINESIS_LATENCY;
  }

  /** Completes transitions interrupted by a restart. */
  resume(): void {
    for (const { name, status } of this.state.listStreams()) if (status !== 'ACTIVE') this.later(name);
    for (const { stream, name, active } of this.state.consumers.list()) if (!active) this.activate(stream, name);
  }

  close(): void {
    this.timers.cancelAll();
  }

  /**
   * Puts a stream into a transitional state.
   * @param change further changes, applied immediately
   */
  begin(name: string, status: 'UPDATING' | 'DELETING', change: (draft: StreamRecord) => void = () => undefined): void {
    this.state.updateStream(name, (draft) => {
      change(draft);
      draft.status = status;
    });
    this.later(name);
  }

  /** Completes a transition of a stream after the latency. */
  later(name: string): void {
    if (this.latency === 0) this.finish(name);
    else this.timers.set(`stream ${name}`, this.clock.now() + this.latency, () => this.finish(name));
  }

  /** Activates a consumer after the latency. */
  activate(stream: string, name: string): void {
    const run = (): void => this.state.consumers.activate(stream, name);
    if (this.latency === 0) run();
    else this.timers.set(`consumer ${stream}/${name}`, this.clock.now() + this.latency, run);
  }

  private finish(name: string): void {
    const stream = this.state.stream(name);
    if (stream?.status === 'DELETING') this.state.deleteStream(name);
    else if (stream)
      this.state.updateStream(name, (draft) => {
        draft.status = 'ACTIVE';
      });
  }
}
