import type { Collection, DeepReadonly } from '@emu/core/service';
import type { ConsumerRecord } from '../records.ts';

type Consumer = DeepReadonly<ConsumerRecord>;

const keyOf = (stream: string, name: string): string => `${stream}/${name}`;

/** Registered consumers of one account and region. */
export class Consumers {
  constructor(private readonly records: Collection<ConsumerRecord>) {}

  get(stream: string, name: string): Consumer | undefined {
    return this.records.get(keyOf(stream, name));
  }

  list(): Consumer[] {
    return [...this.records.values()].sort((a, b) => (keyOf(a.stream, a.name) < keyOf(b.stream, b.name) ? -1 : 1));
  }

  /** Returns those of a stream, in order of name. */
  of(stream: string): Consumer[] {
    return this.list().filter((consumer) => consumer.stream === stream);
  }

  put(consumer: ConsumerRecord): Consumer {
    return this.records.put(keyOf(consumer.stream, consumer.name), consumer);
  }

  update(stream: string, name: string, change: (draft: ConsumerRecord) => void): Consumer {
    return this.records.update(keyOf(stream, name), change);
  }

  /** Activates a consumer, if it still exists. */
  activate(stream: string, name: string): void {
    if (!this.get(stream, name)) return;
    this.update(stream, name, (draft) => {
      draft.active = true;
    });
  }

  delete(stream: string, name: string): void {
    this.records.delete(keyOf(stream, name));
  }
}
