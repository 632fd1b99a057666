import type { ServiceName } from '../calls/calls.ts';
import { everyItem, factsOf, identifierParts, type Properties, unless } from './building.ts';
import {
  type AnyResourceProvider,
  type CreatedResource,
  defineProvider,
  type ProviderContext,
  type ResourceModel,
  type ResourceProvider,
} from './provider.ts';

/** The input that names a resource. */
export type ResourceKey = Readonly<Record<string, string>>;

/** An answer as far as a list needs it. */
type Answer = Readonly<Record<string, unknown>>;

/** How the resources of a type are listed. */
export interface KeyedList {
  readonly operation: string;
  /** See `ResourceProvider.listedBy`. */
  readonly by?: readonly string[];
  /** More input, e.g. what the list is of. */
  input?(filter: Answer, ctx: ProviderContext): Properties;
  /** Names of the token in the input and in the answer; no pages where absent. */
  readonly token?: readonly [input: string, output: string];
  /** Identifiers in one answer. */
  identifiers(page: never, filter: Answer): readonly string[] | undefined;
}

/** What a type has of its own whose resources are named by members of the service's inputs. */
export interface KeyedRules<Own extends Properties, Found extends object> {
  readonly typeName: string;
  /** The imported `model/cloudformation.json`. */
  readonly model: unknown;
  readonly service: ServiceName;
  readonly handles: readonly string[];
  /** Members of inputs that the parts of the identifier are, in their order. */
  readonly key: readonly string[];
  /** Codes of what operations answer where there is no such resource, with or without `Exception`. */
  readonly gone: readonly string[];
  /** Makes a resource. @returns its identifier, or that with attributes */
  create(properties: Own, ctx: ProviderContext): Promise<string | CreatedResource>;
  /** Reads a resource. @returns undefined where there is none; throws one of `gone` just as well */
  find(key: ResourceKey, ctx: ProviderContext, applied: Own | undefined): Promise<Found | undefined>;
  /** What was found, as a template has it. */
  describe(
    found: Found,
    key: ResourceKey,
    ctx: ProviderContext,
    applied: Own | undefined,
  ): ResourceModel<Properties> | Promise<ResourceModel<Properties>>;
  /** See `ResourceProvider.update`. */
  update?(key: ResourceKey, previous: Own, desired: Own, ctx: ProviderContext): Promise<unknown>;
  /** The operation that deletes by the key, or what it takes to delete. */
  readonly remove: string | ((key: ResourceKey, properties: Own, ctx: ProviderContext) => Promise<unknown>);
  readonly list?: KeyedList;
  readonly ref?: ResourceProvider<Own>['ref'];
  readonly replaces?: ResourceProvider<Own>['replaces'];
  readonly validate?: ResourceProvider<Own>['validate'];
}

/** A provider of resources that members of the service's inputs name: what is not there is undefined, or deleted already. */
export function keyedProvider<Own extends Properties = Properties, Found extends object = Answer>(
  rules: KeyedRules<Own, Found>,
): AnyResourceProvider {
  const { typeName, model, service, handles, key: names, gone, find, describe, update, remove, list } = rules;
  const keyOf = (identifier: string): ResourceKey => {
    const parts = identifierParts(identifier, names.length);
    return Object.fromEntries(names.map((name, index) => [name, parts[index] ?? '']));
  };
  return defineProvider<Own>({
    typeName,
    facts: factsOf(model, typeName),
    handles,

    async create(properties, ctx) {
      const made = await rules.create(properties, ctx);
      return typeof made === 'string' ? { identifier: made } : made;
    },

    async read(identifier, ctx, applied) {
      const key = keyOf(identifier);
      const found = await unless(find(key, ctx, applied), ...gone);
      return found && ((await describe(found, key, ctx, applied)) as ResourceModel<Own>);
    },

    ...(update && {
      async update(identifier: string, previous: Own, desired: Own, ctx: ProviderContext) {
        await update(keyOf(identifier), previous, desired, ctx);
      },
    }),

    async delete(identifier, properties, ctx) {
      const key = keyOf(identifier);
      const removing = typeof remove === 'string' ? ctx.callJson(service, remove, key) : remove(key, properties, ctx);
      await unless(removing, ...gone);
    },

    ...(list && {
      list: (ctx: ProviderContext, filter: Answer = {}) =>
        everyItem(async (token) => {
          const [tokenIn, tokenOut] = list.token ?? [];
          const input = { ...list.input?.(filter, ctx), ...(tokenIn && token !== undefined && { [tokenIn]: token }) };
          const page = (await ctx.callJson(service, list.operation, input)) as Answer;
          const next = tokenOut ? (page[tokenOut] as string | undefined) : undefined;
          return [list.identifiers(page as never, filter), next] as const;
        }),
    }),
    ...(list?.by?.length && { listedBy: list.by }),
    ...(rules.ref && { ref: rules.ref }),
    ...(rules.replaces && { replaces: rules.replaces }),
    ...(rules.validate && { validate: rules.validate }),
  });
}
