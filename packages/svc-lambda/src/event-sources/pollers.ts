import { type InterruptedWork, interruptedRecords, type Worker } from '@emu/core/service';
import type { SourceReader } from '@emu/polling';

import type { EventSourceMapping } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { kindOf } from './kinds.ts';
import { readQueue } from './read-queue.ts';
import { readStream } from './read-stream.ts';

const pollers = new WeakMap<LambdaState, EventSourcePollers>();

/** Pollers of the event sources of one account and region. */
export class EventSourcePollers implements Worker {
  private readonly running = new Map<string, { mapping: EventSourceMapping; reader: SourceReader }>();

  /** Mappings from before a restart that are not resumed yet. An updated one is another record. */
  private readonly held = new Set<EventSourceMapping>();

  private constructor(private readonly state: LambdaState) {}

  /** Returns the pollers of a state. */
  static of(state: LambdaState): EventSourcePollers {
    let own = pollers.get(state);
    if (!own) {
      own = new EventSourcePollers(state);
      pollers.set(state, own);
    }
    return own;
  }

  /** Resolves when a mapping's source is being polled, if it is a supported one. */
  async started(uuid: string): Promise<void> {
    await this.running.get(uuid)?.reader.started;
  }

  /** Starts the pollers of a restarted emulator. After a failure, a mapping is disabled. */
  interrupted(): InterruptedWork[] {
    const { eventSourceMappings } = this.state;
    const enabled = new Set([...eventSourceMappings.values()].filter((mapping) => mapping.enabled));
    for (const mapping of enabled) this.held.add(mapping);
    return interruptedRecords(eventSourceMappings, {
      name: ({ uuid }) => `event source mapping ${uuid}`,
      isLeft: (mapping) => enabled.has(mapping),
      resume: (mapping) => {
        this.held.delete(mapping);
        this.reconcile();
        return undefined;
      },
      fail: ({ uuid }) =>
        void eventSourceMappings.update(uuid, (draft) => {
          draft.enabled = false;
        }),
    });
  }

  close(): void {
    for (const { reader } of this.running.values()) reader.close();
    this.running.clear();
  }

  /** Starts and stops pollers according to the state's mappings; called after each change of them. */
  reconcile(): void {
    const { eventSourceMappings } = this.state;
    for (const [uuid, { mapping, reader }] of this.running) {
      // An updated mapping is a new record.
      if (eventSourceMappings.get(uuid) === mapping) continue;
      reader.close();
      this.running.delete(uuid);
    }
    for (const mapping of eventSourceMappings.values()) {
      if (!mapping.enabled || this.running.has(mapping.uuid) || this.held.has(mapping)) continue;
      const reader = readerOf(this.state, mapping);
      if (reader) this.running.set(mapping.uuid, { mapping, reader });
    }
  }
}

/** Creates the poller of a source; undefined for sources that emu does not read. */
function readerOf(state: LambdaState, mapping: EventSourceMapping): SourceReader | undefined {
  switch (kindOf(mapping.settings as Parameters<typeof kindOf>[0])) {
    case 'sqs':
      return readQueue(state, mapping);
    case 'dynamodb':
    case 'kinesis':
      return readStream(state, mapping);
    default:
      return undefined;
  }
}
