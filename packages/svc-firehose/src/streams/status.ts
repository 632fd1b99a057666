import { DueTimers, type StateScope, type Worker } from '@emu/core/service';
import { FIREHOSE_OPTIONS } from '../options.ts';
import type { EncryptionRecord } from '../records.ts';
import type { StreamRegistry } from '../registry.ts';

/** Advances delivery streams and their encryption to the next state after the configured time. */
export class Transitions implements Worker {
  private readonly timers: DueTimers;
  private readonly latency: number;

  constructor(
    private readonly state: StreamRegistry,
    private readonly scope: StateScope,
  ) {
    this.timers = new DueTimers(scope.clock);
    this.latency = scope.settings.of(FIREHOSE_OPTIONS).EMULATOR_FIREHOSE_LATENCY;
  }

  /** Completes transitions interrupted by a restart. */
  resume(): void {
    for (const { name, status, encryption } of this.state.listStreams())
      if (status !== 'ACTIVE' || ['ENABLING', 'DISABLING'].includes(encryption.status)) this.later(name);
  }

  close(): void {
    this.timers.cancelAll();
  }

  /** Completes a transition of a delivery stream after the latency. */
  later(name: string): void {
    if (this.latency === 0) this.finish(name);
    else this.timers.set(name, this.scope.clock.now() + this.latency, () => this.finish(name));
  }

  private finish(name: string): void {
    const stream = this.state.stream(name);
    if (stream?.status === 'DELETING') this.state.deleteStream(name);
    else if (stream)
      this.state.updateStream(name, (draft) => {
        draft.status = 'ACTIVE';
        draft.encryption = settled(draft.encryption);
      });
  }
}

function settled(encryption: EncryptionRecord): EncryptionRecord {
  if (encryption.status === 'ENABLING') return { ...encryption, status: 'ENABLED' };
  return encryption.status === 'DISABLING' ? { status: 'DISABLED' } : encryption;
}
