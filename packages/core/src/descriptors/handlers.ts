import type { AwsError } from '@emu/wire';
import type { DeepReadonly } from '../collections/readonly.ts';
import type { Descriptor, Located, LocateOptions, RecordPlace } from './descriptor.ts';
import { compileFilters, type FilterRules, type RequestedFilter } from './filters.ts';
import type { Phase } from './lifecycle.ts';
import { InputMembers, membersOf } from './members.ts';
import type { MemberRow } from './specs.ts';
import type { Change, ContextOf, ExistingChange, ResourceTypes, ServiceTypes } from './types.ts';

type Members = { readonly [Name in string]?: unknown };
type Draft = { [Name in string]?: unknown };
type Maybe<Value> = Value | Promise<Value>;
type AnyHandler<S extends ServiceTypes> = (input: object, ctx: ContextOf<S>) => Maybe<object>;

/** Specifications as handlers run them, for any operation types. */
interface AnySpec<S extends ServiceTypes, R extends ResourceTypes> {
  readonly members?: { readonly [Name in string]?: 'read' | MemberRow<S, R, object, unknown> };
  readonly answer?: string | ((resource: R['shape'], described: object) => object);
  id?(input: object, ctx: ContextOf<S>): string;
}

export interface AnyCreateSpec<S extends ServiceTypes, R extends ResourceTypes> extends AnySpec<S, R> {
  defaults?(change: Change<S, R>): object;
  values?(change: Change<S, R>): Maybe<object>;
  created?(record: DeepReadonly<R['record']>, change: Change<S, R>): void;
}

export interface AnyUpdateSpec<S extends ServiceTypes, R extends ResourceTypes> extends AnySpec<S, R> {
  values?(change: ExistingChange<S, R, object>): Maybe<object>;
  readonly oneAttribute?: { none(): AwsError; several(members: readonly string[]): AwsError };
  updated?(record: DeepReadonly<R['record']>, change: ExistingChange<S, R, object>): void;
}

export interface AnyDeleteSpec<S extends ServiceTypes, R extends ResourceTypes> extends AnySpec<S, R> {
  missing?(id: string, ctx: ContextOf<S>): AwsError;
  check?(record: DeepReadonly<R['record']>, change: ExistingChange<S, R, object>): Maybe<void>;
  deleted?(record: DeepReadonly<R['record']>, change: ExistingChange<S, R, object>): void;
}

export interface AnyGetSpec<S extends ServiceTypes, R extends ResourceTypes> extends AnySpec<S, R> {
  before?(input: object, ctx: ContextOf<S>): void;
}

export interface AnyListSpec<S extends ServiceTypes, R extends ResourceTypes> {
  before?(input: object, ctx: ContextOf<S>): void;
  readonly ids?: string;
  readonly filters?: string;
  readonly result?: string | undefined;
  readonly matching?: {
    readonly [Member in string]?: string | ((record: never, value: unknown, ctx: ContextOf<S>) => boolean);
  };
  entry?(record: DeepReadonly<R['record']>, ctx: ContextOf<S>, input: object): unknown;
}

/** Creates the handlers of one descriptor. */
export class Handlers<S extends ServiceTypes, R extends ResourceTypes> {
  /** Whether operations have an output with members. */
  private readonly outputs = new Map<string, boolean>();

  constructor(private readonly descriptor: Descriptor<S, R>) {}

  create(operation: string, spec: AnyCreateSpec<S, R>): AnyHandler<S> {
    const { descriptor } = this;
    const { options, service, key } = descriptor;
    const members = this.membersOf(operation, spec);
    const phase = options.states?.creating;
    const begin = (input: object, ctx: ContextOf<S>): Change<S, R> => ({
      ctx,
      input,
      at: input as never,
      owner: descriptor.findOwner(input, ctx),
      before: undefined,
    });
    const finish = (values: object | undefined, change: Change<S, R>, empty: readonly string[]): object => {
      const { input, ctx } = change;
      const owner = descriptor.ownerOf(input);
      const draft: Draft = { ...spec.defaults?.(change) };
      members.copy(input, draft, empty);
      assign(draft, values);
      if (!options.id) draft[key] = (input as Members)[key];
      descriptor.check(draft as never, owner, change);
      if (options.tagged && service.tags)
        draft[service.tags.member] = service.tags.atCreation(input, descriptor.name, ctx);
      const { id: form } = options;
      if (form) draft[key] = typeof form === 'function' ? form(draft as never, change) : form.make(ctx.ids);
      const id = draft[key] as string;
      const record = descriptor.put({ owner, id }, draft as R['record'], phase, ctx);
      members.apply(input, record, change);
      spec.created?.(record, change);
      options.changed?.(record, change);
      return this.answer(operation, spec, { owner, id }, change, phase);
    };
    return this.around(operation, (request, ctx) => {
      const empty = members.emptyIn(request);
      const input = without(request, empty);
      const change = begin(input, ctx);
      members.check(input, change);
      const values = spec.values?.(change);
      return values instanceof Promise
        ? values.then((ready) => finish(ready, begin(input, ctx), empty))
        : finish(values, change, empty);
    });
  }

  update(operation: string, spec: AnyUpdateSpec<S, R>): AnyHandler<S> {
    const { descriptor } = this;
    const { options } = descriptor;
    const members = this.membersOf(operation, spec);
    const phase = options.states?.updating;
    const finish = (
      values: object | undefined,
      empty: readonly string[],
      place: Located<R>,
      change: ExistingChange<S, R, object>,
    ): object => {
      const { input, ctx } = change;
      const draft: Draft = { ...(place.record as Members) };
      members.copy(input, draft, empty);
      assign(draft, values);
      descriptor.check(draft as never, place.owner, change);
      const record = descriptor.put(place, draft as R['record'], phase, ctx);
      members.apply(input, record, change);
      spec.updated?.(record, change);
      options.changed?.(record, change);
      return this.answer(operation, spec, place, change, phase);
    };
    return this.around(operation, (request, ctx) => {
      const empty = members.emptyIn(request);
      const input = without(request, empty);
      const [place, change] = this.begin(input, ctx, spec);
      const { oneAttribute } = spec;
      if (oneAttribute) checkOne(members.given(request), oneAttribute);
      members.check(input, change);
      const values = spec.values?.(change);
      return values instanceof Promise
        ? values.then((ready) => finish(ready, empty, ...this.begin(input, ctx, spec)))
        : finish(values, empty, place, change);
    });
  }

  delete(operation: string, spec: AnyDeleteSpec<S, R>): AnyHandler<S> {
    const { descriptor } = this;
    const { options } = descriptor;
    const phase = options.states?.deleting;
    const finish = (place: Located<R>, change: ExistingChange<S, R, object>): object => {
      const { ctx } = change;
      descriptor.checkUnreferred(place, ctx);
      descriptor.remove(place.owner, place.id, ctx);
      spec.deleted?.(place.record, change);
      options.changed?.(place.record, change);
      if (spec.answer === undefined) return {};
      return answered(spec.answer, descriptor.describe(place.record, ctx, change.at, phase), {
        ...change,
        record: place.record,
      });
    };
    return this.around(operation, (input, ctx) => {
      const [place, change] = this.begin(input, ctx, spec);
      const checked = spec.check?.(place.record, change);
      return checked instanceof Promise
        ? checked.then(() => finish(...this.begin(input, ctx, spec)))
        : finish(place, change);
    });
  }

  get(operation: string, spec: AnyGetSpec<S, R>): AnyHandler<S> {
    const { descriptor } = this;
    return this.around(operation, (input, ctx) => {
      spec.before?.(input, ctx);
      const { record, ownerRecord: owner } = descriptor.locate(input, ctx, { id: spec.id?.(input, ctx), ending: true });
      const resource = descriptor.describe(record, ctx, input as never);
      if (spec.answer === undefined) return resource as object;
      return answered(spec.answer, resource, { ctx, input, at: input, owner, before: record, record });
    });
  }

  list(operation: string, spec: AnyListSpec<S, R>): AnyHandler<S> {
    const { descriptor } = this;
    const { service, key } = descriptor;
    const { paging } = service;
    const table = Object.hasOwn(paging.pagination, operation) ? paging.pagination[operation] : undefined;
    const result = (table?.result ?? spec.result) as string;
    const keyOf = (record: DeepReadonly<R['record']>): string => (record as Members)[key] as string;
    return this.around(operation, (input, ctx) => {
      spec.before?.(input, ctx);
      descriptor.findOwner(input, ctx);
      const records = this.wanted(input, ctx, spec, table?.limit);
      const entry = (record: DeepReadonly<R['record']>): unknown =>
        spec.entry ? spec.entry(record, ctx, input) : descriptor.describe(record, ctx, input as never);
      if (!table) return { [result]: [...records].map(entry) };
      const request = service.listInput ? service.listInput(input) : input;
      const page = paging.page(operation as never, request as never, records, keyOf);
      return { [result]: page.items.map(entry), ...page.next };
    });
  }

  /** Returns the records of a list request. */
  private wanted(
    input: object,
    ctx: ContextOf<S>,
    { ids, filters: member, matching }: AnyListSpec<S, R>,
    limit: string | undefined,
  ): Iterable<DeepReadonly<R['record']>> {
    const { descriptor } = this;
    const { service } = descriptor;
    const owner = descriptor.ownerOf(input);
    const given = input as Members;
    const wantedIds = ids === undefined ? [] : ((given[ids] as readonly string[] | undefined) ?? []);
    if (wantedIds.length > 0 && limit !== undefined && given[limit] !== undefined && service.idsWithLimit)
      throw service.idsWithLimit(ids!, limit);
    const passes = service.filters && this.filterOf(given[member ?? service.filters.member], service.filters);
    let records = wantedIds.length > 0 ? this.byIds(wantedIds, owner, ctx) : descriptor.list(owner, ctx);
    if (passes) records = [...records].filter((record) => passes(record, ctx, descriptor.stateOf(record, ctx)));
    for (const [name, match] of Object.entries(matching ?? {})) {
      const value = given[name];
      if (value === undefined || match === undefined) continue;
      records = [...records].filter((record) =>
        typeof match === 'function' ? match(record as never, value, ctx) : (record as Members)[match] === value,
      );
    }
    return records;
  }

  /** Returns the filter of a request. @throws AwsError of the service's rules */
  private filterOf(requested: unknown, rules: FilterRules) {
    const { options, service } = this.descriptor;
    const { tags } = service;
    const isTagged = options.tagged && tags;
    return compileFilters<R['record'], ContextOf<S>, R['status']>(
      requested as readonly RequestedFilter[] | undefined,
      {
        filters: options.filters ?? {},
        tags: isTagged ? (record) => Object.entries(tags.record((record as Members)[tags.member])) : undefined,
      },
      rules,
    );
  }

  /** Returns the records of a list of ids. @throws AwsError for an unknown id */
  private byIds(ids: readonly string[], owner: string, ctx: ContextOf<S>): DeepReadonly<R['record']>[] {
    const { descriptor } = this;
    const found = new Map([...new Set(ids)].map((id) => [id, descriptor.get(owner, id, ctx)]));
    const [unknown, ...others] = [...found].filter(([, record]) => !record).map(([id]) => id);
    if (unknown !== undefined) throw descriptor.unknown(unknown, ctx, others);
    return [...found.values()] as DeepReadonly<R['record']>[];
  }

  private begin(
    input: object,
    ctx: ContextOf<S>,
    spec: AnySpec<S, R> & Pick<LocateOptions<S>, 'missing'>,
  ): [place: Located<R>, change: ExistingChange<S, R, object>] {
    const { descriptor } = this;
    const place = descriptor.locate(input, ctx, { id: spec.id?.(input, ctx), missing: spec.missing });
    descriptor.checkChangeable(place.id, place.record, ctx);
    return [place, { ctx, input, at: input as never, owner: place.ownerRecord, before: place.record }];
  }

  /** Returns the response to a creation or a change. */
  private answer(
    operation: string,
    { answer }: AnySpec<S, R>,
    { owner, id }: RecordPlace,
    change: Change<S, R>,
    phase: Phase<string> | undefined,
  ): object {
    const { descriptor } = this;
    if (answer === undefined && !this.hasOutput(operation)) return {};
    // Hooks may have changed the record.
    const record = descriptor.get(owner, id, change.ctx)!;
    const resource = descriptor.describe(record, change.ctx, change.at, phase);
    return answer === undefined ? (resource as object) : answered(answer, resource, { ...change, record });
  }

  private hasOutput(operation: string): boolean {
    let known = this.outputs.get(operation);
    if (known === undefined) {
      const { model } = this.descriptor.service;
      known = membersOf(model, model.operations[operation]?.output?.shape).length > 0;
      this.outputs.set(operation, known);
    }
    return known;
  }

  private membersOf(operation: string, { members }: AnySpec<S, R>): InputMembers<S, R> {
    const { service, names, options } = this.descriptor;
    const { model, shared = [], tags } = service;
    const uncopied = new Set<string>([...names, ...shared, ...(tags ? [tags.member] : [])]);
    const all = (): readonly string[] => membersOf(model, model.operations[operation]?.input?.shape);
    return new InputMembers(all, uncopied, options.emptiable, members);
  }

  private around(operation: string, run: AnyHandler<S>): AnyHandler<S> {
    const { service } = this.descriptor;
    if (!service.around) return run;
    return (input, ctx) => service.around!({ operation, input, ctx }, () => run(input, ctx));
  }
}

/** Returns an input without members. */
const without = (input: object, names: readonly string[]): object =>
  names.length === 0 ? input : Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));

/** Sets members of a draft; those that are undefined are removed. */
function assign(draft: Draft, values: object | undefined): void {
  if (!values) return;
  for (const [name, value] of Object.entries(values))
    if (value === undefined) delete draft[name];
    else draft[name] = value;
}

function checkOne(
  given: readonly string[],
  errors: { none(): AwsError; several(members: readonly string[]): AwsError },
) {
  if (given.length === 0) throw errors.none();
  if (given.length > 1) throw errors.several(given);
}

function answered<Shape>(
  answer: string | ((resource: Shape, described: object) => object),
  resource: Shape,
  described: object,
): object {
  return typeof answer === 'function' ? answer(resource, described) : { [answer]: resource };
}
