import type { DeepReadonly } from '../collections/readonly.ts';
import { collectionOf, LazyIndex, ownerIn } from './lazy-index.ts';
import { isEnding, type Living } from './lifecycle.ts';
import type {
  Change,
  ContextOf,
  Proposed,
  RecordSource,
  ReferenceRule,
  ReferenceTarget,
  Referrer,
  ResourceTypes,
  Rule,
  ServiceTypes,
  UniqueRule,
} from './types.ts';

/** The descriptor of the records that a rule checks. */
export interface RuleSubject<S extends ServiceTypes, R extends ResourceTypes> extends ReferenceTarget<S> {
  readonly key: R['key'];
  source(state: S['state']): RecordSource<R['record']>;
  /** Deletes a record with its dependents, without checking references to it. */
  remove(owner: string, id: string, ctx: ContextOf<S>): void;
}

/** A compiled rule. */
export interface CheckedRule<S extends ServiceTypes, R extends ResourceTypes> {
  /** @param owner key of the record's owner @throws AwsError of the rule */
  check(record: Proposed<S, R>, owner: string, change: Change<S, R>): void;
}

type Members = { readonly [Name in string]?: unknown };

/** Compiles a rule of a descriptor. */
export function checkedRule<S extends ServiceTypes, R extends ResourceTypes>(
  rule: Rule<S, R>,
  subject: RuleSubject<S, R>,
): CheckedRule<S, R> {
  if (typeof rule === 'function') return { check: (record, _owner, change) => rule(record, change) };
  return rule.unique ? new Unique(rule, subject) : new Reference(rule, subject);
}

/** Joins values of several members to one text. */
const joined = (record: object, members: readonly string[]): string =>
  JSON.stringify(members.map((member) => (record as Members)[member]));

class Unique<S extends ServiceTypes, R extends ResourceTypes> implements CheckedRule<S, R> {
  private readonly index: LazyIndex<R['record']>;

  constructor(
    private readonly rule: UniqueRule<S, R>,
    private readonly subject: RuleSubject<S, R>,
  ) {
    this.index = new LazyIndex((record, owner) => owner + joined(record, rule.unique));
  }

  check(record: Proposed<S, R>, owner: string, { ctx, before }: Change<S, R>): void {
    const { key } = this.subject;
    const source = this.subject.source(ctx.state);
    for (const other of this.index.of(source, owner + joined(record, this.rule.unique)).values())
      if (!isEnding(other as Living) && (other as Members)[key] !== (before as Members | undefined)?.[key])
        throw this.rule.error(record);
  }
}

class Reference<S extends ServiceTypes, R extends ResourceTypes> implements CheckedRule<S, R>, Referrer<S> {
  /** Index of records by their references. */
  private readonly index: LazyIndex<R['record']>;
  private readonly to: ReferenceTarget<S>;

  constructor(
    private readonly rule: ReferenceRule<S, R>,
    private readonly subject: RuleSubject<S, R>,
  ) {
    this.index = new LazyIndex((record, owner) => this.idsOf(record).map((id) => this.groupOf(owner, id)));
    this.to = rule.to === 'self' ? subject : rule.to;
    if (this.to.owned && !subject.owned) throw new Error(`${rule.reference} refers to a resource with an owner`);
    if (rule.onDelete) this.to.refer(this);
  }

  check(record: Proposed<S, R>, owner: string, { ctx, before }: Change<S, R>): void {
    const { to } = this;
    const { reference } = this.rule;
    const value = (record as Members)[reference];
    if (value === undefined || value === (before as Members | undefined)?.[reference]) return;
    const known = before ? this.idsOf(before) : [];
    for (const id of this.idsOf(record))
      if (!known.includes(id)) to.referred(to.owned ? owner : '', id, ctx, this.rule);
  }

  refuse(owner: string, id: string, target: object, ctx: ContextOf<S>): void {
    const { onDelete } = this.rule;
    if (!onDelete?.refuse) return;
    for (const record of this.recordsOn(owner, id, ctx).values()) {
      const refusal = isEnding(record as Living) ? undefined : onDelete.refuse(target as never, record, ctx);
      if (refusal) throw refusal;
    }
  }

  release(owner: string, id: string, ctx: ContextOf<S>): void {
    const { onDelete } = this.rule;
    if (!onDelete?.delete && !onDelete?.detach) return;
    const source = this.subject.source(ctx.state);
    for (const [key, record] of [...this.recordsOn(owner, id, ctx)]) {
      if (onDelete.detach) collectionOf(source).update(key, onDelete.detach);
      else this.subject.remove(ownerIn(source, key), (record as Members)[this.subject.key] as string, ctx);
    }
  }

  private recordsOn(owner: string, id: string, ctx: ContextOf<S>): ReadonlyMap<string, DeepReadonly<R['record']>> {
    return this.index.of(this.subject.source(ctx.state), this.groupOf(owner, id));
  }

  private groupOf(owner: string, id: string): string {
    return this.to.owned ? `${owner}/${id}` : id;
  }

  private idsOf(record: object): readonly string[] {
    const { reference, form } = this.rule;
    const value = (record as Members)[reference];
    const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly string[]) : [];
    return form ? texts.flatMap((text) => form.read(text) ?? []) : texts;
  }
}
