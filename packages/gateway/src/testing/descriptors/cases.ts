import type { MadeOperation } from '@emu/core/descriptors';
import type { AwsError } from '@emu/wire';
import { expect, it } from 'vitest';
import type { Place } from './place.ts';
import {
  creationOf,
  type DescriptorCase,
  type DescriptorTests,
  type Ids,
  type Members,
  operationsOf,
  referencesOf,
  type TestedDescriptor,
  type TestedReference,
  takes,
  uniquesOf,
  unknownId,
} from './tested.ts';

/** A resource whose tests are declared. */
export interface Subject extends DescriptorCase {
  readonly name: string;
  readonly tests: DescriptorTests;
  /** Returns a new account with a record of every resource before the named one. */
  place(last?: string): Promise<Place>;
}

const MALFORMED = 'malformed';
const OTHER_STATE = 'other';
const MAX_PAGES = 100;

/** The ids of the owners alone. */
const ownersOf = ({ names }: TestedDescriptor, ids: Ids): object =>
  Object.fromEntries(names.slice(0, -1).map((member) => [member, ids[member]]));

/** The items that a list returns. */
async function itemsOf(here: Place, { descriptor }: Subject, list: MadeOperation, input: object): Promise<Members[]> {
  const { result } = descriptor.service.paging.pagination[list.operation] ?? (list.spec as { result: string });
  return (await here.call(list.operation, input))[result as string] as Members[];
}

const idsIn = ({ key }: TestedDescriptor, items: readonly Members[]): unknown[] => items.map((item) => item[key]);

/** The error of an operation for an unknown id. */
const missing = ({ spec }: MadeOperation, descriptor: TestedDescriptor, id: string, here: Place): AwsError =>
  (spec as { missing?(id: string, ctx: never): AwsError }).missing?.(id, here.ctx) ?? descriptor.unknown(id, here.ctx);

/** What is created can be read, listed, changed and deleted. */
export function livesAndEnds(subject: Subject): void {
  const { name, descriptor, place, without = [] } = subject;
  it('is found from its creation to its deletion', async () => {
    const here = await place(name);
    const ids = await here.create(name);
    for (const { operation } of operationsOf(descriptor, 'get', 'update'))
      if (!without.includes(operation)) await here.call(operation, here.input(name, operation, ids));
    for (const list of operationsOf(descriptor, 'list'))
      expect(idsIn(descriptor, await itemsOf(here, subject, list, ownersOf(descriptor, ids)))).toContain(
        ids[descriptor.key],
      );
    const [deletion] = operationsOf(descriptor, 'delete');
    if (!deletion) return;
    const input = here.input(name, deletion.operation, ids);
    await here.call(deletion.operation, input);
    expect(here.idsOf(descriptor)).not.toContain(ids[descriptor.key]);
    await here.refused(deletion.operation, input, missing(deletion, descriptor, ids[descriptor.key]!, here));
  });
}

/** Unknown and malformed ids are refused, in lists of ids too. */
export function refusesUnknownIds({ name, descriptor, place }: Subject): void {
  it('refuses unknown ids', async () => {
    const here = await place(name);
    const ids = await here.create(name);
    const wrong = [unknownId(descriptor), ...(descriptor.options.malformed ? [MALFORMED] : [])];
    for (const made of operationsOf(descriptor, 'get', 'update', 'delete'))
      if (takes(descriptor, made.operation, descriptor.key))
        for (const id of wrong) {
          const input = here.input(name, made.operation, ids, { [descriptor.key]: id });
          await here.refused(made.operation, input, missing(made, descriptor, id, here));
        }
    for (const { operation, spec } of operationsOf(descriptor, 'list')) {
      const { ids: member } = spec as { ids?: string };
      if (member === undefined) continue;
      for (const id of wrong)
        await here.refused(operation, { [member]: [ids[descriptor.key], id] }, descriptor.unknown(id, here.ctx));
    }
  });
}

/** Unknown owners are refused by every operation. */
export function refusesUnknownOwners(subject: Subject): void {
  const { name, descriptor, place, tests, input } = subject;
  const owner = Object.values(tests.resources).find((one) => one.descriptor === descriptor.parts.owner)?.descriptor;
  if (!owner) return;
  it('refuses unknown owners', async () => {
    const here = await place(name);
    const ids = await here.create(name);
    const id = unknownId(owner);
    const expected = owner.unknown(id, here.ctx);
    const creation = creationOf(subject);
    if (creation !== undefined) await here.refused(creation, { ...input(here.made, 1), [owner.key]: id }, expected);
    for (const { operation } of operationsOf(descriptor, 'get', 'update', 'delete'))
      await here.refused(operation, here.input(name, operation, ids, { [owner.key]: id }), expected);
    for (const { operation } of operationsOf(descriptor, 'list'))
      await here.refused(operation, { ...ownersOf(descriptor, ids), [owner.key]: id }, expected);
  });
}

/** Returns an input in which a member refers to an id, and its operation: the creation, or the first change with the member. */
function referring(
  here: Place,
  subject: Subject,
  { reference, form }: TestedReference,
  id: string,
  ids?: Ids,
): { operation: string; input: object; isCreation: boolean } | undefined {
  const { name, descriptor, input } = subject;
  const creation = creationOf(subject);
  const operations = [creation, ...operationsOf(descriptor, 'update').map((one) => one.operation)];
  const operation = operations.find((one) => one !== undefined && takes(descriptor, one, reference));
  if (operation === undefined) return undefined;
  const isCreation = operation === creation;
  const valid = isCreation ? input(here.made, 1) : here.input(name, operation, ids ?? {});
  const value = form ? form.write(id) : id;
  const isList = Array.isArray((valid as Members)[reference]);
  return { operation, input: { ...valid, [reference]: isList ? [value] : value }, isCreation };
}

/** References to records of the tested resources that are unknown, or in a state that is not allowed, are refused. */
export function refusesUnknownReferences(subject: Subject): void {
  const { name, descriptor, place, tests } = subject;
  const cases = Object.entries(tests.resources);
  for (const rule of referencesOf(descriptor)) {
    const { to } = rule;
    const [target] = cases.find(([, one]) => one.descriptor === to) ?? [];
    if (target === undefined) continue;
    it(`refuses an unknown ${rule.reference}`, async () => {
      const here = await place(name);
      const ids = await here.create(name);
      for (const id of [unknownId(to), ...(to.options.malformed ? [MALFORMED] : [])]) {
        const request = referring(here, subject, rule, id, ids);
        if (!request) return expect.fail(`no operation of ${name} takes ${rule.reference}`);
        await here.refused(request.operation, request.input, rule.missing?.(id) ?? to.unknown(id, here.ctx));
      }
    });
    if (rule.states)
      it(`refuses a ${rule.reference} in another state`, async () => {
        const here = await place(name);
        const ids = await here.create(name);
        const made = await here.create(target, 1);
        here.enter(to, made, OTHER_STATE);
        const id = made[to.key]!;
        const { operation, input } = referring(here, subject, rule, id, ids)!;
        const expected = rule.wrongState?.(id, OTHER_STATE) ?? to.options.states!.refuse!(id, OTHER_STATE as never);
        await here.refused(operation, input, expected);
      });
  }
}

/** What the declaration of the test says is invalid is refused. */
export function refusesInvalid(subject: Subject): void {
  const { name, place, input, invalid = {} } = subject;
  for (const [title, breaking] of Object.entries(invalid))
    it(`refuses ${title}`, async () => {
      const here = await place(name);
      const [changes, code] = breaking(here.made);
      await here.refused(creationOf(subject)!, { ...input(here.made, 0), ...changes }, { code });
    });
}

/** A second record like the first is refused. */
export function refusesDuplicates(subject: Subject): void {
  const { name, descriptor, place, input, most = 2 } = subject;
  const [rule] = uniquesOf(descriptor);
  if (!rule?.error) return;
  it('refuses duplicates', async () => {
    const here = await place(name);
    const record = here.record(descriptor, await here.create(name));
    await here.refused(creationOf(subject)!, input(here.made, 0), rule.error!(record as never));
    if (most > 1) await here.create(name, 1);
  });
}

/** A deletion checks references to the record: it is refused, or deletes or changes the others. */
export function heedsReferrers(subject: Subject, referrer: Subject): void {
  const { name, descriptor } = subject;
  const [deletion] = operationsOf(descriptor, 'delete');
  if (!deletion) return;
  for (const rule of referencesOf(referrer.descriptor)) {
    if (rule.to !== descriptor || !rule.onDelete) continue;
    it(`heeds the ${rule.reference} of ${referrer.name} when it is deleted`, async () => {
      const here = await subject.place(referrer.name === name ? undefined : referrer.name);
      if (referrer.name === name) await here.prepare(name);
      const target = await here.create(name, 1);
      const before = new Set(here.idsOf(referrer.descriptor));
      const existing = referring(here, referrer, rule, '')?.isCreation
        ? undefined
        : await here.create(referrer.name, 1);
      const request = referring(here, referrer, rule, target[descriptor.key]!, existing)!;
      await here.call(request.operation, request.input);
      const id = here.idsOf(referrer.descriptor).find((one) => !before.has(one)) as string;
      const record = here.record(referrer.descriptor, { [referrer.descriptor.key]: id });
      const input = here.input(name, deletion.operation, target);
      const refusal = rule.onDelete!.refuse?.(here.record(descriptor, target) as never, record as never, here.ctx);
      if (refusal) return here.refused(deletion.operation, input, refusal);
      await here.call(deletion.operation, input);
      if (rule.onDelete!.delete) expect(here.idsOf(referrer.descriptor)).not.toContain(id);
      else expect(here.record(referrer.descriptor, { [referrer.descriptor.key]: id })).not.toEqual(record);
    });
  }
}

/** A deletion also deletes the records that belong to the record. */
export function takesPartsAlong({ name, descriptor }: Subject, part: Subject): void {
  const [deletion] = operationsOf(descriptor, 'delete');
  if (part.descriptor.parts.owner !== descriptor || !deletion) return;
  it(`takes its ${part.name} along when it is deleted`, async () => {
    const here = await part.place(part.name);
    const ids = await here.create(part.name);
    const owner = ownersOf(part.descriptor, ids) as Ids;
    await here.call(deletion.operation, here.input(name, deletion.operation, owner));
    expect(here.idsOf(part.descriptor)).toEqual([]);
  });
}

/** Each filter finds a record by its value, and nothing by another. */
export function filters(subject: Subject): void {
  const { name, descriptor, place, tests, input } = subject;
  const { filters: declared = {}, tagged } = descriptor.options;
  const { filters: rules } = descriptor.service;
  if (!rules) return;
  for (const list of operationsOf(descriptor, 'list')) {
    const member = (list.spec as { filters?: string }).filters ?? rules.member;
    if (!takes(descriptor, list.operation, member)) continue;
    it(`${list.operation} filters by ${Object.keys(declared).join(', ')}`, async () => {
      const here = await place(name);
      const tags = { Team: 'a-b' };
      const isTagged = tagged && tests.tagged;
      const valid = input(here.made, 0);
      const ids = await here.create(name, 0, isTagged ? tests.tagged!(valid, tags, descriptor.name) : valid);
      const record = here.record(descriptor, ids);
      const listed = async (filter: string, ...values: string[]): Promise<unknown[]> => {
        const wanted = { ...ownersOf(descriptor, ids), [member]: [{ Name: filter, Values: values }] };
        return idsIn(descriptor, await itemsOf(here, subject, list, wanted));
      };
      const state = descriptor.stateOf(record as never, here.ctx);
      for (const [filter, on] of Object.entries(declared)) {
        const found = typeof on === 'string' ? record[on] : on(record as never, here.ctx, state as never);
        const [value] = [found].flat().map(String);
        expect(found, `the record has a value for ${filter}`).toBeDefined();
        expect(await listed(filter, 'none', value!), filter).toContain(ids[descriptor.key]);
        expect(await listed(filter, `${value!.slice(0, 1)}*`), filter).toContain(ids[descriptor.key]);
        expect(await listed(filter, 'none'), filter).toEqual([]);
      }
      if (isTagged) {
        expect(await listed('tag:Team', 'a?b')).toEqual([ids[descriptor.key]]);
        expect(await listed('tag:Team', 'a\\?b')).toEqual([]);
        expect(await listed('tag-key', 'Te?m')).toEqual([ids[descriptor.key]]);
      }
      const unknown = { ...ownersOf(descriptor, ids), [member]: [{ Name: 'no-filter', Values: ['a'] }] };
      await here.refused(list.operation, unknown, rules.unknown('no-filter'));
    });
  }
}

/** Pages list every record once, and continue after the deletion of a record. */
export function paginates({ name, descriptor, place, most = Number.POSITIVE_INFINITY }: Subject): void {
  const { model, paging } = descriptor.service;
  for (const { operation } of operationsOf(descriptor, 'list')) {
    const table = paging.pagination[operation];
    if (table?.limit === undefined) continue;
    it(`${operation} walks every record by its smallest pages`, async () => {
      const here = await place(name);
      const shape =
        model.shapes[model.shapes[model.operations[operation]!.input!.shape]!.members![table.limit!]!.shape]!;
      const least = shape.type === 'string' ? 1 : (shape.min ?? 1);
      const made: Ids[] = [];
      for (let n = 0; n < Math.min(2 * least + 1, most); n++) made.push(await here.create(name, n));
      const limit = shape.type === 'string' ? String(least) : least;
      const walk = async (between?: (last: unknown) => Promise<void>): Promise<unknown[]> => {
        const found: unknown[] = [];
        let token: unknown;
        for (let page = 0; page < MAX_PAGES; page++) {
          const asked = { ...ownersOf(descriptor, made[0]!), [table.limit!]: limit };
          const output = await here.call(operation, { ...asked, ...(token !== undefined && { [table.token]: token }) });
          const items = output[table.result as string] as Members[];
          expect(items.length).toBeLessThanOrEqual(least);
          found.push(...idsIn(descriptor, items));
          token = output[table.next];
          if (token === undefined) return found;
          if (page === 0) await between?.(found.at(-1));
        }
        return expect.fail(`${operation} has no last page`);
      };
      const all = here.idsOf(descriptor).sort();
      expect(await walk()).toEqual(all);
      const [deletion] = operationsOf(descriptor, 'delete');
      const remove = async (last: unknown): Promise<void> => {
        const ids = made.find((one) => one[descriptor.key] === last);
        if (ids && deletion) await here.call(deletion.operation, here.input(name, deletion.operation, ids));
      };
      expect(await walk(remove)).toEqual(all);
    });
  }
}

/** The response to a creation has the first state; the next request finds the record ready. */
export function passesStates(subject: Subject): void {
  const { name, descriptor, place, input } = subject;
  const { creating, deleting } = descriptor.options.states ?? {};
  if (!creating && !deleting) return;
  it('has reached its state at the next request', async () => {
    const here = await place(name);
    const output = await here.call(creationOf(subject)!, input(here.made, 1));
    if (creating) expect(JSON.stringify(output)).toContain(`"${creating.state}"`);
    const ids = await here.create(name);
    const stateOf = () => descriptor.stateOf(here.record(descriptor, ids) as never, here.ctx);
    if (creating) expect(stateOf()).not.toBe(creating.state);
    const [deletion] = operationsOf(descriptor, 'delete');
    if (!deleting || !deletion) return;
    await here.call(deletion.operation, here.input(name, deletion.operation, ids));
    if (deleting.next !== undefined) expect(stateOf()).toBe(deleting.next);
    else expect(here.record(descriptor, ids)).toBeUndefined();
  });
}

/** A creation stores tags. */
export function storesTags({ name, descriptor, place, tests, input }: Subject): void {
  const { tags } = descriptor.service;
  if (!descriptor.options.tagged || !tags || !tests.tagged) return;
  it('is created with tags', async () => {
    const here = await place(name);
    const given = { team: 'a', cost: 'b' };
    const ids = await here.create(name, 0, tests.tagged!(input(here.made, 0), given, descriptor.name));
    expect(tags.record(here.record(descriptor, ids)[tags.member])).toEqual(given);
  });
}

/** Dry runs change nothing. */
export function runsDry(subject: Subject): void {
  const { name, descriptor, place, tests, input } = subject;
  const { dryRun } = tests;
  if (!dryRun) return;
  it('changes nothing in a dry run', async () => {
    const here = await place(name);
    const ids = await here.create(name);
    const asked = { [dryRun.member]: true };
    await here.refused(creationOf(subject)!, { ...input(here.made, 1), ...asked }, { code: dryRun.code });
    for (const { operation } of operationsOf(descriptor, 'update', 'delete'))
      await here.refused(operation, here.input(name, operation, ids, asked), { code: dryRun.code });
  });
}
