import type { Collection, DeepReadonly } from '@emu/core/service';
import type { Processor } from '@emu/service-types/logs';
import type { LogGroup } from '../groups/groups.ts';
import type { AccountPolicyRecord } from '../records.ts';
import type { IngestionTarget } from '../registry.ts';
import type { NewEvent } from '../store/event.ts';
import { parseSelection, type Selection } from '../subscriptions/selection.ts';
import type { TransformerRecord } from './records.ts';
import { transformAll } from './transform-all.ts';
import { Transformer } from './transformer.ts';

/** Type of account policies with transformers. */
export const TRANSFORMER_POLICY = 'TRANSFORMER_POLICY';

/** A compiled account policy. */
interface PolicyTransformer {
  readonly selects: Selection;
  readonly transformer: Transformer;
}

/** The transformers of an account and region, by log group and by account policy. */
export class Transformers {
  private readonly ready = new Map<string, { record: DeepReadonly<TransformerRecord>; transformer: Transformer }>();
  private readonly ofPolicies = new WeakMap<DeepReadonly<AccountPolicyRecord>, PolicyTransformer>();

  constructor(
    private readonly records: Collection<TransformerRecord>,
    private readonly policies: Collection<AccountPolicyRecord>,
  ) {}

  find(group: string): DeepReadonly<TransformerRecord> | undefined {
    return this.records.get(group);
  }

  put(record: TransformerRecord): void {
    this.records.put(record.group, record);
  }

  /** @returns whether it existed */
  delete(group: string): boolean {
    this.ready.delete(group);
    return this.records.delete(group);
  }

  /**
   * Transforms events; those that cannot be transformed stay unchanged.
   * @returns undefined for a group without transformer
   */
  apply({ group, stream, state }: IngestionTarget, events: readonly NewEvent[]): Promise<NewEvent[]> | undefined {
    const transformer = this.of(group.name) ?? this.inherited(group);
    if (!transformer) return undefined;
    const { accountId, region } = state;
    const place = { group: group.name, stream: stream.name, accountId, region };
    const messages = events.map(({ message }) => message);
    return transformAll(transformer, messages, place).then((transformed) =>
      events.map((event, index) => ({ ...event, transformed: transformed[index] })),
    );
  }

  /** Whether a group has a transformer. */
  transforms(group: LogGroup): boolean {
    return this.of(group.name) !== undefined || this.inherited(group) !== undefined;
  }

  /** Returns the account policy's transformer for a group without its own. */
  private inherited({ name, record }: LogGroup): Transformer | undefined {
    if (record.class !== 'STANDARD') return undefined;
    for (const policy of this.policies.values()) {
      if (policy.type !== TRANSFORMER_POLICY) continue;
      let known = this.ofPolicies.get(policy);
      if (!known) {
        const transformer = new Transformer(JSON.parse(policy.document) as Processor[]);
        known = { selects: parseSelection(policy.selectionCriteria), transformer };
        this.ofPolicies.set(policy, known);
      }
      if (known.selects(name)) return known.transformer;
    }
    return undefined;
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
