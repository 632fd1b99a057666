import type { Worker } from '@emu/core';
import type { EventSourceMapping } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { kindOf } from './kinds.ts';
import type { Poller } from './poller.ts';
import { SqsPoller } from './sqs-poller.ts';
import { StreamPoller } from './stream-poller.ts';

const pollers = new WeakMap<LambdaState, EventSourcePollers>();

/** What reads the sources of the mappings of one account and region. */
export class EventSourcePollers implements Worker {
  private readonly running = new Map<string, Poller>();

  private constructor(private readonly state: LambdaState) {}

  /** Those of a state. */
  static of(state: LambdaState): EventSourcePollers {
    let own = pollers.get(state);
    if (!own) {
      own = new EventSourcePollers(state);
      pollers.set(state, own);
    }
    return own;
  }

  /** Resolves when the source of a mapping is being read, if it is one that is. */
  async started(uuid: string): Promise<void> {
    await this.running.get(uuid)?.started;
  }

  resume(): void {
    this.reconcile();
  }

  close(): void {
    for (const poller of this.running.values()) poller.close();
    this.running.clear();
  }

  /** Begins and ends to read sources as the state's mappings say; called after every change of them. */
  reconcile(): void {
    const { eventSourceMappings } = this.state;
    for (const [uuid, poller] of this.running) {
      // A mapping that was changed is another record.
      if (eventSourceMappings.get(uuid) === poller.mapping) continue;
      poller.close();
      this.running.delete(uuid);
    }
    for (const mapping of eventSourceMappings.values()) {
      if (!mapping.enabled || this.running.has(mapping.uuid)) continue;
      const poller = pollerOf(this.state, mapping);
      if (poller) this.running.set(mapping.uuid, poller);
    }
  }
}

/** What reads a source; undefined for those that emu does not read. */
function pollerOf(state: LambdaState, mapping: EventSourceMapping): Poller | undefined {
  switch (kindOf(mapping.settings as Parameters<typeof kindOf>[0])) {
    case 'sqs':
      return new SqsPoller(state, mapping);
    case 'dynamodb':
    case 'kinesis':
      return new StreamPoller(state, mapping);
    default:
      return undefined;
  }
}
