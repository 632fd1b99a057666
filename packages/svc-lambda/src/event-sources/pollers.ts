import type { EventSourceMapping } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { kindOf } from './kinds.ts';
import { SqsPoller } from './sqs-poller.ts';

const pollers = new WeakMap<LambdaState, EventSourcePollers>();

/** What reads the sources of the mappings of one account and region. */
export class EventSourcePollers {
  private readonly running = new Map<string, SqsPoller>();

  private constructor(private readonly state: LambdaState) {
    state.whenClosed(() => {
      for (const poller of this.running.values()) poller.close();
      this.running.clear();
    });
  }

  /** Begins and ends to read sources as the state's mappings say; called after every change of them. */
  static reconcile(state: LambdaState): void {
    let own = pollers.get(state);
    if (!own) {
      if (state.eventSourceMappings.size === 0) return;
      own = new EventSourcePollers(state);
      pollers.set(state, own);
    }
    own.reconcile();
  }

  private reconcile(): void {
    const { eventSourceMappings } = this.state;
    for (const [uuid, poller] of this.running) {
      // A mapping that was changed is another record.
      if (eventSourceMappings.get(uuid) === poller.mapping) continue;
      poller.close();
      this.running.delete(uuid);
    }
    for (const mapping of eventSourceMappings.values())
      if (isRead(mapping) && !this.running.has(mapping.uuid))
        this.running.set(mapping.uuid, new SqsPoller(this.state, mapping));
  }
}

const isRead = ({ enabled, settings }: EventSourceMapping): boolean =>
  enabled && kindOf(settings as Parameters<typeof kindOf>[0]) === 'sqs';
