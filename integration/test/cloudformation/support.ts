import { sameValue } from '@emu/core/providers';
import type { ResourceProvider, ResourceValues, ServiceManifest } from '@emu/core/service';
import { createTestEmulator, type TestEmulator, testProvider } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployed, StackOfOne, throughCloudControl, withDeployment } from './deployed.ts';
import { emptiesOf, isOfModel, knownRefusals } from './empties.ts';

/** Runs the providers of a file's types. */
export interface Env {
  readonly emulator: TestEmulator;
  /** Creates a resource that a case requires. @returns its identifier, Ref and attributes */
  make(type: string, properties?: ResourceValues): Promise<Made>;
  /** Calls an operation as a client. */
  call(service: string, operation: string, input: ResourceValues): Promise<Record<string, never>>;
}

/** A resource that a case requires. */
export interface Made {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Test resources of a type. */
export interface TypeVariant<Needs = void> {
  /** Creates the resources to which the properties refer. */
  needs?(env: Env): Promise<Needs>;
  /** Required properties. */
  least(needs: Needs): ResourceValues;
  /** All updatable properties, each with another value than its default. */
  most?(needs: Needs): ResourceValues;
  /** Properties whose change replaces the resource, besides `most`, for the replacement. */
  other?(needs: Needs): ResourceValues;
  /** Properties that a read does not return, or changed, each with the reason. */
  unread?: Readonly<Record<string, string>>;
  /** Properties that do not change when removed from the template, each with the reason. */
  kept?: Readonly<Record<string, string>>;
  /** Differences when deployed, each with the reason. */
  deployed?: Deployed;
  /** Whether another one must wait for the deletion of the first. */
  single?: true;
}

/** Test of one type. */
export interface TypeCase<Needs = void> extends TypeVariant<Needs> {
  type: string;
  /** Names of properties that no case of the type can have, each with the reason. */
  untried?: Readonly<Record<string, string>>;
  /** Resources of the type with properties that exclude those of others, by kind. */
  variants?: Readonly<Record<string, TypeVariant<never>>>;
}

/** Declares a case with the resources to which its properties refer. */
export const typeCase = <Needs = void>(declared: TypeCase<Needs>): TypeCase<never> => declared as TypeCase<never>;

/** Declares a variant with the resources to which its properties refer. */
export const typeVariant = <Needs = void>(declared: TypeVariant<Needs>): TypeVariant<never> =>
  declared as TypeVariant<never>;

/** Runs every case with one emulator and some services. */
export function describeTypes(manifests: readonly ServiceManifest[], cases: readonly TypeCase<never>[]): void {
  let emulator: TestEmulator;
  let count = 0;
  beforeAll(async () => {
    emulator = await createTestEmulator({ manifests: withDeployment(manifests) });
  });
  afterAll(() => emulator?.[Symbol.asyncDispose]());

  const context = async (type: string) => {
    count++;
    return await testProvider(emulator, type, { logicalId: `Thing${count}`, random: `aBcDeFgHi${100 + count}` });
  };
  const environment = (): Env => ({
    emulator,
    async make(type, properties = {}) {
      const { provider, ctx } = await context(type);
      const { identifier } = await provider.create(properties, ctx);
      const { attributes } = (await provider.read(identifier, ctx, properties))!;
      return { id: identifier, attributes: attributes as Record<string, string> };
    },
    call: (service, operation, input) =>
      emulator.kernel.callJson(service, operation, input) as Promise<Record<string, never>>,
  });

  /** Creates and deletes a resource. @returns the error of the creation */
  const creationError = async (type: string, properties: ResourceValues): Promise<Error | undefined> => {
    const { provider, ctx, created } = await context(type);
    try {
      const { identifier } = await provider.create(properties, ctx);
      await provider.delete(identifier, properties, ctx);
      return undefined;
    } catch (error) {
      for (const identifier of created) await provider.delete(identifier, properties, ctx);
      return error as Error;
    }
  };
  const rejected = new Set<string>();

  const describeVariant = (
    type: string,
    { needs, least, most, other, unread = {}, kept = {}, single, deployed = {} }: TypeVariant<never>,
  ) => {
    test('is created, read, updated in place, restored and deleted', async () => {
      const made = (await needs?.(environment())) as never;
      const first = least(made);
      const second: ResourceValues = { ...first, ...most?.(made) };
      const { provider, ctx } = await context(type);
      const read = async (id: string, applied: ResourceValues) =>
        (await provider.read(id, ctx, applied))?.properties as Record<string, unknown> | undefined;

      const { identifier } = await provider.create(first, ctx);
      const before = await read(identifier, first);
      expectWithin(before, first, unread);
      if (provider.update && most) {
        await provider.update(identifier, first, second, ctx);
        expectWithin(await read(identifier, second), second, unread);
        await provider.update(identifier, second, first, ctx);
        const after = await read(identifier, first);
        for (const name of Object.keys({ ...before, ...after }))
          if (!(name in kept)) expect({ [name]: after?.[name] }).toEqual({ [name]: before?.[name] });
      }
      expectAttributes(provider, (await provider.read(identifier, ctx, first))!.attributes);
      if (provider.list) expect(await provider.list(ctx, first)).toContain(identifier);

      if (single) await provider.delete(identifier, first, ctx);
      const third: ResourceValues = { ...second, ...other?.(made) };
      const beside = await context(type);
      const next = await provider.create(third, beside.ctx);
      expect(next.identifier === identifier).toBe(single && !other ? next.identifier === identifier : false);
      expectWithin(await read(next.identifier, third), third, unread);
      await provider.delete(next.identifier, third, beside.ctx);
      expect(await read(next.identifier, third)).toBeUndefined();

      if (!single) await provider.delete(identifier, first, ctx);
      expect(await read(identifier, first)).toBeUndefined();
      await provider.delete(identifier, first, ctx);
    });

    test('reads empty properties as absent', async () => {
      await emulator.kernel.clock.advance(61_000);
      const made = (await needs?.(environment())) as never;
      const { provider } = await context(type);
      const known = knownRefusals(type);
      const own = least(made);
      for (const base of [own, { ...own, ...most?.(made), ...other?.(made) }]) {
        const empties = emptiesOf(provider, base);
        const all = empties.reduce((properties, empty) => empty.in(properties), base);
        if ((await creationError(type, all)) === undefined || (await creationError(type, base)) !== undefined) continue;
        for (const empty of empties) {
          await emulator.kernel.clock.advance(61_000);
          const error = await creationError(type, empty.in(base));
          if (error === undefined || isOfModel(error)) continue;
          if (known.includes(empty.name)) rejected.add(`${type} ${empty.name}`);
          else expect(`${empty.name}: ${error.message}`).toBe('absent');
        }
      }
    });

    test('is created, updated, replaced and deleted by a stack and Cloud Control, without drift', async () => {
      // A queue name, for example, is usable one minute after the queue's deletion.
      await emulator.kernel.clock.advance(61_000);
      const made = (await needs?.(environment())) as never;
      const { provider } = await context(type);
      const first = least(made);
      const second: ResourceValues = { ...first, ...most?.(made) };
      const third: ResourceValues = { ...second, ...other?.(made) };
      const stack = new StackOfOne(emulator, `Stack${count}`, provider, deployed);
      await stack.deploy(first);
      if (provider.update && most) await stack.deploy(second);
      if (deployed.refuses !== undefined) await stack.refuse(third, deployed.refuses);
      else if (!single && other) await stack.deploy(third);
      await stack.delete();
      await throughCloudControl(emulator, provider, first, provider.update && most ? second : first, deployed);
    });
  };

  for (const { type, untried = {}, variants = {}, ...main } of cases)
    describe(type, () => {
      describeVariant(type, main);
      for (const [what, variant] of Object.entries(variants)) describe(what, () => describeVariant(type, variant));

      test('reads empty properties as absent, except those in the list', () => {
        expect([...rejected].filter((name) => name.startsWith(`${type} `)).sort()).toEqual(
          knownRefusals(type)
            .map((name) => `${type} ${name}`)
            .sort(),
        );
      });

      test('covers each property that it supports, and supports no unknown ones', async () => {
        const { provider } = await context(type);
        const handled = [...new Set(provider.handles.map((path) => path.split('.')[0]!))].sort();
        const tried = new Set(Object.keys(untried));
        for (const { needs, least, most, other } of [main, ...Object.values(variants)]) {
          const made = (await needs?.(environment())) as never;
          const changed = Object.keys(most?.(made) ?? {});
          for (const name of Object.keys({ ...least(made), ...other?.(made) }).concat(changed)) {
            expect([name, name in untried]).toEqual([name, false]);
            tried.add(name);
          }
          for (const name of changed)
            expect([name, provider.facts.properties[name]?.replacement]).not.toEqual([name, 'yes']);
        }
        expect([...tried].sort()).toEqual(handled);
        for (const name of handled) expect(Object.keys(provider.facts.properties)).toContain(name);
      });
    });
}

/** Checks that every given property is returned unchanged; objects may have more members, with defaults. */
function expectWithin(
  actual: ResourceValues | undefined,
  given: ResourceValues,
  unread: Readonly<Record<string, string>>,
) {
  expect(actual).toBeDefined();
  for (const [name, value] of Object.entries(given))
    if (!(name in unread) && !sameValue(actual![name], value))
      expect({ [name]: actual![name] }).toMatchObject({ [name]: value });
}

/** Checks that each attribute in the facts is returned, unless a resource of the case lacks it. */
function expectAttributes({ facts, typeName }: ResourceProvider, actual: ResourceValues): void {
  const simple = Object.keys(facts.attributes).filter((name) => !name.includes('.'));
  for (const name of Object.keys(actual)) expect([typeName, ...Object.keys(facts.attributes)]).toContain(name);
  for (const name of simple.filter((name) => name.endsWith('Arn') || name === 'Id'))
    expect([typeName, name, typeof actual[name]]).not.toEqual([typeName, name, 'object']);
}
