import { defineProvider } from '@emu/core/providers';
import { type AnyServicePlugin, definePlugin, type ResourceProvider, type ServiceManifest } from '@emu/core/service';
import { fakeService, rejection } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';

/** A resource of the test provider. */
export interface Thing {
  Name: string;
  Size?: number;
  Colours?: string[];
  Secret?: string;
}

/** Resource type of the tests, with name, size, colours and a secret. */
export const TYPE = 'Shop::Store::Thing';
/** A type that supports neither updates nor lists. */
export const FIXED = 'Shop::Store::Fixed';

/** Resources of the provider, and whether creation blocks until the test releases it. */
export class Store {
  readonly things = new Map<string, Thing>();
  readonly callers: string[] = [];
  hold = false;

  readonly provider: ResourceProvider<Thing> = {
    typeName: TYPE,
    handles: ['Name', 'Size', 'Colours', 'Secret'],
    facts: {
      primaryIdentifier: ['Name'],
      attributes: { Arn: 'string' },
      properties: {
        Name: { type: 'string', replacement: 'yes' },
        Size: { type: 'integer' },
        Colours: { type: { list: 'string' } },
        Secret: { type: 'string' },
        Later: { type: 'string' },
      },
      name: { property: 'Name', max: 20 },
      writeOnly: ['Secret'],
    },
    create: async (properties, ctx) => {
      this.callers.push(ctx.principal.arn);
      const Name = properties.Name ?? ctx.name();
      if (this.things.has(Name)) throw awsError('ThingAlreadyExists', `The thing ${Name} exists.`);
      await ctx.until(() => !this.hold);
      this.things.set(Name, { ...properties, Name });
      return { identifier: Name };
    },
    read: async (identifier) => {
      const thing = this.things.get(identifier);
      return thing && { properties: thing, attributes: { Arn: `arn:aws:shop:::${identifier}` } };
    },
    update: async (identifier, _previous, desired) => {
      this.things.set(identifier, desired);
    },
    delete: async (identifier) => {
      this.things.delete(identifier);
    },
    list: async (_ctx, filter) =>
      [...this.things.keys()].filter((name) => !filter?.Name || filter.Name === name).sort(),
  };

  /** A service with the resource types. */
  get manifest(): ServiceManifest {
    const { facts, ...provider } = this.provider;
    const { list: _, update: __, ...fixed } = provider;
    const model = { types: { [TYPE]: facts, [FIXED]: facts } };
    return {
      ...fakeService('shop', {}),
      cloudFormation: {
        types: [TYPE, FIXED],
        load: async () => [
          defineProvider({ ...provider, model }),
          defineProvider({ ...fixed, typeName: FIXED, model }),
        ],
      },
      load: async (): Promise<AnyServicePlugin> =>
        definePlugin({
          name: 'shop',
          model: (await fakeService('shop', {}).load()).model,
          stateScope: 'region',
          collections: [],
          operations: [],
        }),
    };
  }
}

/** Returns code and message of a request that must fail, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await rejection(request);
  return `${name}: ${message}`;
}
