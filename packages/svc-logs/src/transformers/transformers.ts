import type { Collection, DeepReadonly } from '@emu/core';
import type { Processor } from '@emu/service-types/logs';
import type { IngestionTarget } from '../registry.ts';
import type { NewEvent } from '../store/event.ts';
import type { TransformerRecord } from './records.ts';
import { Transformer } from './transformer.ts';

/** The transformers of an account and region, by log group. */
export class Transformers {
  private readonly ready = new Map<string, { record: DeepReadonly<TransformerRecord>; transformer: Transformer }>();

  constructor(private readonly records: Collection<TransformerRecord>) {}

  find(group: string): DeepReadonly<TransformerRecord> | undefined {
    return this.records.get(group);
  }

  put(record: TransformerRecord): void {
    this.records.put(record.group, record);
  }

  /** @returns whether there was one */
  delete(group: string): boolean {
    this.ready.delete(group);
    return this.records.delete(group);
  }

  /** Events as the transformer of their group makes them; what it can make nothing of stays as it is. */
  apply({ group, stream, state }: IngestionTarget, events: readonly NewEvent[]): readonly NewEvent[] {
    const transformer = this.of(group.name);
    if (!transformer) return events;
    const { accountId, region } = state;
    const place = { group: group.name, stream: stream.name, accountId, region };
    return events.map((event) => ({ ...event, transformed: transformer.transform(event.message, place) }));
  }

  private of(group: string): Transformer | undefined {
    const record = this.records.get(group);
    if (!record) return undefined;
    let known = this.ready.get(group);
    if (known?.record !== record) {
      known = { record, transformer: new Transformer(record.config as Processor[]) };
      this.ready.set(group, known);
    }
    return known.transformer;
  }
}
