import type { AwsError } from '@emu/wire';
import { OwnedCollection } from '../collections/owned-collection.ts';
import type { DeepReadonly } from '../collections/readonly.ts';
import { GoneRecords } from './gone-records.ts';
import { collectionOf, keyIn } from './lazy-index.ts';
import { isEnding, isGone, type Life, type Living, lifeAtEnd, lifeIn, type Phase, stateAt } from './lifecycle.ts';
import { type CheckedRule, checkedRule, type RuleSubject } from './rules.ts';
import type {
  Change,
  ContextOf,
  DescriptorOptions,
  OwnerIds,
  Proposed,
  RecordSource,
  ReferenceErrors,
  ReferenceTarget,
  Referrer,
  ResourceTypes,
  ServiceRules,
  ServiceTypes,
} from './types.ts';

type Members = { readonly [Name in string]?: unknown };
type Lived = DeepReadonly<Living>;

/** Records that are deleted with their owner. */
interface OwnedPart<S extends ServiceTypes> {
  removeAll(owner: string, ctx: ContextOf<S>): void;
}

/** The descriptor of owners. */
export interface Owner<S extends ServiceTypes, Record> {
  readonly names: readonly string[];
  find(input: object, ctx: ContextOf<S>): DeepReadonly<Record>;
  /** Registers records that are deleted with those of this descriptor. */
  own(part: OwnedPart<S>): void;
}

/** Response form and owners of a resource. */
export interface DescriptorParts<S extends ServiceTypes, R extends ResourceTypes> {
  readonly owner: Owner<S, R['owner']> | undefined;
  show(record: DeepReadonly<R['record']>, ctx: ContextOf<S>, state: R['status'], at: OwnerIds<R>): R['shape'];
}

/** Position of a record: the key of its owner, empty without one, and its own key. */
export interface RecordPlace {
  readonly owner: string;
  readonly id: string;
}

/** A record with its position and owner. */
export interface Located<R extends ResourceTypes> extends RecordPlace {
  readonly record: DeepReadonly<R['record']>;
  readonly ownerRecord: DeepReadonly<R['owner']>;
}

/** A regular resource: looks up and describes its records, and checks and changes them by the declared rules. */
export class Descriptor<S extends ServiceTypes, R extends ResourceTypes>
  implements RuleSubject<S, R>, ReferenceTarget<S>, Owner<S, R['record']>
{
  readonly key: R['key'];
  readonly name: string;
  /** Input members that name a record: those of its owners, then its own. */
  readonly names: readonly string[];
  readonly owned: boolean;
  private readonly rules: readonly CheckedRule<S, R>[];
  private readonly referrers: Referrer<S>[] = [];
  private readonly owns: OwnedPart<S>[] = [];
  /** Deleted records that are still shown; undefined for resources that are removed at once. */
  private readonly gone: GoneRecords<R['record']> | undefined;

  constructor(
    readonly service: ServiceRules<S>,
    readonly options: DescriptorOptions<S, R>,
    readonly parts: DescriptorParts<S, R>,
  ) {
    const { owner } = parts;
    this.key = options.key;
    this.name = options.name;
    this.names = [...(owner?.names ?? []), options.key];
    this.owned = owner !== undefined;
    this.gone = options.states?.deleting && new GoneRecords();
    this.rules = (options.rules ?? []).map((rule) => checkedRule(rule, this));
    owner?.own(this);
  }

  refer(referrer: Referrer<S>): void {
    this.referrers.push(referrer);
  }

  own(part: OwnedPart<S>): void {
    this.owns.push(part);
  }

  source(state: S['state']): RecordSource<R['record']> {
    return state[this.options.records] as RecordSource<R['record']>;
  }

  /** Returns the record of an input, with its owners. @throws AwsError for an unknown one */
  find(input: { readonly [Name in R['key'] | R['names']]: string }, ctx: ContextOf<S>): DeepReadonly<R['record']> {
    return this.locate(input, ctx).record;
  }

  /**
   * Returns the record of an input, with its position and owner.
   * @throws AwsError for unknown ids
   */
  locate(input: object, ctx: ContextOf<S>, { id, missing, ending }: LocateOptions<S> = {}): Located<R> {
    const ownerRecord = this.findOwner(input, ctx);
    const owner = this.ownerOf(input);
    const own = id ?? ((input as Members)[this.key] as string);
    const record = this.get(owner, own, ctx);
    if (!record || (!ending && isEnding(record as Lived))) throw missing ? missing(own, ctx) : this.unknown(own, ctx);
    return { owner, id: own, record, ownerRecord };
  }

  /** Returns the owner of an input; undefined for resources without one. @throws AwsError for unknown ids */
  findOwner(input: object, ctx: ContextOf<S>): DeepReadonly<R['owner']> {
    this.options.before?.(input as never, ctx);
    return this.parts.owner?.find(input, ctx) as DeepReadonly<R['owner']>;
  }

  /** Returns a record that is not removed. */
  get(owner: string, id: string, ctx: ContextOf<S>): DeepReadonly<R['record']> | undefined {
    const source = this.source(ctx.state);
    const record = source instanceof OwnedCollection ? source.get(owner, id) : source.get(id);
    return record && this.options.states && isGone(record as Lived, ctx.clock.now()) ? undefined : record;
  }

  /** Returns the records of an owner that are not removed. */
  list(owner: string, ctx: ContextOf<S>): Iterable<DeepReadonly<R['record']>> {
    const source = this.source(ctx.state);
    const records = source instanceof OwnedCollection ? source.list(owner) : source.values();
    if (!this.options.states) return records;
    const now = ctx.clock.now();
    return [...records].filter((record) => !isGone(record as Lived, now));
  }

  /** Returns the key of the owner of an input's record. */
  ownerOf(input: object): string {
    return this.names
      .slice(0, -1)
      .map((name) => (input as Members)[name])
      .join('/');
  }

  /** Returns the error for unknown ids. @param others further unknown ids of the same list */
  unknown(id: string, ctx: ContextOf<S>, others: readonly string[] = []): AwsError {
    const { id: form, malformed, missing } = this.options;
    if (malformed && typeof form === 'object' && !form.matches(id)) return malformed(id, ctx);
    return missing(id, ctx, others);
  }

  referred(
    owner: string,
    id: string,
    ctx: ContextOf<S>,
    { missing, states, wrongState }: ReferenceErrors,
  ): DeepReadonly<R['record']> {
    const record = this.get(owner, id, ctx);
    if (!record || isEnding(record as Lived)) throw missing ? missing(id) : this.unknown(id, ctx);
    if (states) {
      const state = this.stateOf(record, ctx);
      if (!states.includes(state)) throw wrongState ? wrongState(id, state) : this.wrongState(id, state);
    }
    return record;
  }

  /** Rejects a request that the state of a record does not allow. @throws AwsError of the lifecycle */
  checkChangeable(id: string, record: DeepReadonly<R['record']>, ctx: ContextOf<S>): void {
    const { changeable } = this.options.states ?? {};
    if (!changeable) return;
    const state = this.stateOf(record, ctx);
    if (!changeable.includes(state)) throw this.wrongState(id, state);
  }

  /** Returns the state of a record; empty for resources without states. */
  stateOf(record: DeepReadonly<R['record']>, ctx: ContextOf<S>): R['status'] {
    const { states } = this.options;
    return states ? stateAt(states, record as Lived, ctx.clock.now()) : '';
  }

  /**
   * Converts a record to the form of responses.
   * @param at ids of its owners, e.g. an input
   * @param phase state that it enters with the request
   */
  describe(record: DeepReadonly<R['record']>, ctx: ContextOf<S>, at: OwnerIds<R>, phase?: Phase<string>): R['shape'] {
    return this.parts.show(record, ctx, phase?.state ?? this.stateOf(record, ctx), at);
  }

  /** Rejects a record that breaks a rule. @param record its new value @throws AwsError of the rule */
  check(record: Proposed<S, R>, owner: string, change: Change<S, R>): void {
    for (const rule of this.rules) rule.check(record, owner, change);
  }

  /** Stores a record that enters a phase. */
  put(
    { owner, id }: RecordPlace,
    record: R['record'],
    phase: Phase<string> | undefined,
    ctx: ContextOf<S>,
  ): DeepReadonly<R['record']> {
    const source = this.source(ctx.state);
    const collection = collectionOf(source);
    this.gone?.purge(collection, ctx.clock.now());
    const life = lifeIn(phase, ctx.clock.now(), this.isTimed(ctx));
    return collection.put(keyIn(source, owner, id), life ? { ...record, life } : record);
  }

  /** Rejects the deletion of a referenced record. @throws AwsError of the reference */
  checkUnreferred({ owner, id, record }: Located<R>, ctx: ContextOf<S>): void {
    for (const referrer of this.referrers) referrer.refuse(owner, id, record, ctx);
  }

  remove(owner: string, id: string, ctx: ContextOf<S>): void {
    const source = this.source(ctx.state);
    const key = keyIn(source, owner, id);
    for (const part of this.owns) part.removeAll(this.owned ? `${owner}/${id}` : id, ctx);
    for (const referrer of this.referrers) referrer.release(owner, id, ctx);
    const collection = collectionOf(source);
    const life = this.lastLife(ctx);
    if (!life) collection.delete(key);
    else {
      this.gone?.purge(collection, ctx.clock.now());
      collection.update(key, (draft) => Object.assign(draft, { life }));
      this.gone?.add(collection, key);
    }
  }

  /** Deletes every record of an owner. */
  removeAll(owner: string, ctx: ContextOf<S>): void {
    const source = this.source(ctx.state);
    if (!(source instanceof OwnedCollection)) return;
    for (const record of source.list(owner)) this.remove(owner, (record as Members)[this.key] as string, ctx);
  }

  private lastLife(ctx: ContextOf<S>): Life | undefined {
    const { deleting } = this.options.states ?? {};
    return deleting && lifeAtEnd(deleting, ctx.clock.now(), this.isTimed(ctx));
  }

  private isTimed(ctx: ContextOf<S>): boolean {
    return this.service.timed?.(ctx) ?? false;
  }

  private wrongState(id: string, state: string): AwsError {
    const { states, name } = this.options;
    if (!states?.refuse) throw new Error(`${name} declares no error for the state ${state}`);
    return states.refuse(id, state as R['status']);
  }
}

/** Options for looking up a record. */
export interface LocateOptions<S extends ServiceTypes> {
  /** The id, if the member of the key does not contain it. */
  readonly id?: string | undefined;
  /** Returns the error for an unknown id, if it is not the usual one. */
  readonly missing?: ((id: string, ctx: ContextOf<S>) => AwsError) | undefined;
  /** Whether a deleted record that is still shown is found. */
  readonly ending?: boolean;
}
