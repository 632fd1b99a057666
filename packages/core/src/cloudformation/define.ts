import type { ServiceName } from '../calls/calls.ts';
import { everyItem, factsOf, identifierParts, type Properties, unless } from './building.ts';
import type { ResourceTypeFacts } from './facts.ts';
import type {
  AnyResourceProvider,
  CreatedResource,
  ProviderContext,
  ResourceModel,
  ResourceProvider,
} from './provider.ts';
import { isBlank } from './unsupported.ts';

/** Input members that name a resource. */
export type ResourceKey = Readonly<Record<string, string>>;

/** The output of a list operation. */
type Answer = Readonly<Record<string, unknown>>;

/** Listing of the resources of a type. */
export interface KeyedList {
  readonly operation: string;
  /** See `ResourceProvider.listedBy`. */
  readonly by?: readonly string[];
  /** Further input, e.g. the parent of the listed resources. */
  input?(filter: Answer, ctx: ProviderContext): Properties;
  /** Names of the token in the input and in the output; absent for a list without pages. */
  readonly token?: readonly [input: string, output: string];
  /** Returns the identifiers in an output. */
  identifiers(page: never, filter: Answer): readonly string[] | undefined;
}

/** The common part of all providers. */
interface CommonRules<Own>
  extends Pick<ResourceProvider<Own>, 'typeName' | 'handles' | 'ref' | 'replaces' | 'validate'> {
  /** The imported `model/cloudformation.json` with the facts of the type. */
  readonly model: unknown;
  /** Creates a resource and resolves when it is usable. @returns its identifier, alone or with attributes */
  create(properties: Own, ctx: ProviderContext): Promise<string | CreatedResource>;
}

/** A resource type whose provider parses the identifier itself. */
export interface IdentifierRules<Own>
  extends CommonRules<Own>,
    Pick<ResourceProvider<Own>, 'read' | 'update' | 'delete' | 'list' | 'listedBy'> {
  readonly key?: undefined;
  readonly service?: undefined;
}

/** A resource type whose identifier consists of members of the service's inputs. */
export interface KeyedRules<Own, Found extends object> extends CommonRules<Own> {
  readonly service: ServiceName;
  /** Input members for the parts of the identifier, in order. */
  readonly key: readonly string[];
  /** Error codes of operations for an unknown resource, with or without the suffix `Exception`. */
  readonly gone: readonly string[];
  /** Reads a resource. @returns undefined for an unknown one, for which it may also throw an error of `gone` */
  find(key: ResourceKey, ctx: ProviderContext, applied: Own | undefined): Promise<Found | undefined>;
  /** Converts a read resource to a template's form. */
  describe(
    found: Found,
    key: ResourceKey,
    ctx: ProviderContext,
    applied: Own | undefined,
  ): ResourceModel<Properties> | Promise<ResourceModel<Properties>>;
  /** See `ResourceProvider.update`. */
  update?(key: ResourceKey, previous: Own, desired: Own, ctx: ProviderContext): Promise<unknown>;
  /** The operation that deletes by the key, or a function that deletes. */
  readonly remove: string | ((key: ResourceKey, properties: Own, ctx: ProviderContext) => Promise<unknown>);
  readonly list?: KeyedList;
}

/**
 * Declares the provider of a resource type. With a `key`, the provider looks up, deletes and lists resources by members
 * of the service's inputs; errors of `gone` mean that the resource is unknown or already deleted. Without a `key`, it
 * receives identifiers.
 * @throws Error if the model lacks the type
 */
export function defineProvider<Own = Properties, Found extends object = Answer>(
  rules: KeyedRules<Own, Found> | IdentifierRules<Own>,
): AnyResourceProvider {
  const { model, create, ...others } = rules.key === undefined ? rules : byIdentifier(rules);
  const facts = factsOf(model, rules.typeName);
  const provider: ResourceProvider<Own> = {
    ...others,
    facts,
    async create(properties, ctx) {
      const made = await create(withoutEmptyTags(facts, properties), ctx);
      return typeof made === 'string' ? { identifier: made } : made;
    },
  };
  return provider as unknown as AnyResourceProvider;
}

/** Returns properties without empty tags, which the services' operations reject. */
function withoutEmptyTags<Own>({ tags }: ResourceTypeFacts, properties: Own): Own {
  const { [tags?.property ?? '']: given, ...others } = properties as Record<string, unknown>;
  return given !== undefined && isBlank(given) ? (others as Own) : properties;
}

/** Converts rules by key to rules by identifier. */
function byIdentifier<Own, Found extends object>(rules: KeyedRules<Own, Found>): IdentifierRules<Own> {
  const { service, key: names, gone, find, describe, update, remove, list, ...common } = rules;
  const keyOf = (identifier: string): ResourceKey => {
    const parts = identifierParts(identifier, names.length);
    return Object.fromEntries(names.map((name, index) => [name, parts[index] ?? '']));
  };
  return {
    ...common,

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
  };
}
