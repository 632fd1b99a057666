import type { OperationName } from '@emu/core/calls';
import {
  ask,
  defined,
  defineProvider,
  factsOf,
  identifierOf,
  type Properties,
  pick,
  type ResourceKey,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { mapChanges, withDefaults } from './changes.ts';

const GONE = ['NotFoundException'];
type Part =
  | 'ApiMapping'
  | 'Authorizer'
  | 'Deployment'
  | 'Integration'
  | 'IntegrationResponse'
  | 'Model'
  | 'Route'
  | 'RouteResponse';

/** Rules of a part provider. */
export interface PartRules {
  part: Part;
  /** Properties with the same name as request members, or converted to one by `input`. */
  members: readonly string[];
  /** Members sent with every update. */
  always?: readonly string[];
  /** Values of removed properties. */
  defaults?: Properties | ((key: ResourceKey, ctx: ProviderContext) => Promise<Properties>);
  /** Converts properties to the input of operations. */
  input?(properties: Properties): Properties;
  /** Converts an operation's output to properties. */
  output?(found: Properties): Properties;
  /** Maps in which an empty value removes an entry, with that value. */
  maps?: Properties;
}

/**
 * Returns a provider for parts of APIs and domains, which all have an id within their owner and the same operations.
 */
export function partProvider(rules: PartRules): AnyResourceProvider {
  const { part, members, always = [], defaults = {}, input = (all) => all, output = (all) => all, maps = {} } = rules;
  const typeName = `AWS::ApiGatewayV2::${part}`;
  const idName = `${part}Id`;
  const key = factsOf(model, typeName).primaryIdentifier;
  const parents = key.filter((name) => name !== idName);
  const identifier = (properties: Properties, id: unknown): string =>
    identifierOf(...key.map((name) => String(name === idName ? id : properties[name])));

  return defineProvider({
    typeName,
    model,
    service: 'apigatewayv2',
    handles: [...parents, ...members],
    key,
    gone: GONE,

    async create(properties, ctx) {
      const { [idName]: id } = await ask(ctx, 'apigatewayv2', `Create${part}`, input(properties));
      return { identifier: identifier(properties, id), attributes: { [idName]: id } };
    },

    find: (names, ctx) => ask(ctx, 'apigatewayv2', `Get${part}`, names),

    describe(found, names) {
      // Removed members are returned as empty text or maps.
      const current = Object.entries(output(pick(found, members as never[]))).filter(
        ([, value]) => value !== '' && (typeof value !== 'object' || unlessEmpty(value as object)),
      );
      return {
        properties: { ...pick(names, parents as never[]), ...Object.fromEntries(current) },
        attributes: { [idName]: names[idName] },
      };
    },

    async update(names, previous, desired, ctx) {
      const before = input(previous);
      const after = input(desired);
      const plain = members.filter((name) => !(name in maps));
      const changed = Object.fromEntries(
        Object.entries(maps).map(([name, none]) => [
          name,
          mapChanges(before[name] as Properties | undefined, after[name] as Properties | undefined, none),
        ]),
      );
      const none = typeof defaults === 'function' ? await defaults(names, ctx) : defaults;
      const changes = { ...withDefaults(before, after, plain, none), ...defined(changed) };
      if (unlessEmpty(changes))
        await ask(ctx, 'apigatewayv2', `Update${part}`, { ...pick(after, always as never[]), ...changes, ...names });
    },

    remove: `Delete${part}`,
    list: {
      operation: `Get${part}s` satisfies OperationName<'apigatewayv2'>,
      by: parents,
      input: (filter) => pick(filter, parents as never[]),
      token: ['NextToken', 'NextToken'],
      identifiers: ({ Items }: { Items?: Properties[] }, filter) =>
        Items?.map((item) => identifier(filter, item[idName])),
    },
  });
}
