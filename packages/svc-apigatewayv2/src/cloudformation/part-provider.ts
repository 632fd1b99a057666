import type { OperationName } from '@emu/core/calls';
import {
  ask,
  defined,
  factsOf,
  identifierOf,
  keyedProvider,
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

/** How one kind of parts is written. */
export interface PartRules {
  part: Part;
  /** Properties that are members of the same name, or become one by `input`. */
  members: readonly string[];
  /** Members that every update has. */
  always?: readonly string[];
  /** What a member becomes that the template no longer gives. */
  defaults?: Properties | ((key: ResourceKey, ctx: ProviderContext) => Promise<Properties>);
  /** The properties as operations take them. */
  input?(properties: Properties): Properties;
  /** What an operation told, as properties. */
  output?(found: Properties): Properties;
  /** Maps whose entries are taken away by an empty value, with that value. */
  maps?: Properties;
}

/** A provider of parts of APIs and domains, each of which has an id within what it belongs to and the same operations. */
export function partProvider(rules: PartRules): AnyResourceProvider {
  const { part, members, always = [], defaults = {}, input = (all) => all, output = (all) => all, maps = {} } = rules;
  const typeName = `AWS::ApiGatewayV2::${part}`;
  const idName = `${part}Id`;
  const key = factsOf(model, typeName).primaryIdentifier;
  const parents = key.filter((name) => name !== idName);
  const identifier = (properties: Properties, id: unknown): string =>
    identifierOf(...key.map((name) => String(name === idName ? id : properties[name])));

  return keyedProvider({
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
      // What was taken back is told as empty text or as an empty map.
      const told = Object.entries(output(pick(found, members as never[]))).filter(
        ([, value]) => value !== '' && (typeof value !== 'object' || unlessEmpty(value as object)),
      );
      return {
        properties: { ...pick(names, parents as never[]), ...Object.fromEntries(told) },
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
