import { textOf } from '@emu/wire';
import { listChanges, sameValue } from './building.ts';
import { defineProvider } from './define.ts';
import type { AnyResourceProvider, ProviderContext } from './provider.ts';

/** Operations on the policies of a service's resources. */
export interface PolicyCalls {
  set(resource: string, document: string, ctx: ProviderContext): Promise<unknown>;
  /** Removes the policy of a resource, if the resource exists. */
  remove(resource: string, ctx: ProviderContext): Promise<unknown>;
  /** Returns the policy of a resource; undefined for an unknown resource and for one without a policy of its own. */
  read(resource: string, ctx: ProviderContext): Promise<unknown>;
}

/** Resource type of a policy, and its property with the resources to which the policy applies. */
export interface PolicyType {
  readonly typeName: string;
  /** The imported `model/cloudformation.json` with the facts of the type. */
  readonly model: unknown;
  readonly member: string;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Declares the provider of a policy for several resources. Its identifier names none of them, so that it is read
 * through the resources to which it was applied.
 */
export function sharedPolicy({ typeName, model, member }: PolicyType, calls: PolicyCalls): AnyResourceProvider {
  const resourcesOf = (properties: Given | undefined) => (properties?.[member] ?? []) as readonly string[];
  return defineProvider<Given>({
    typeName,
    model,
    handles: ['PolicyDocument', member],
    async create(properties, ctx) {
      const identifier = ctx.name();
      for (const resource of resourcesOf(properties)) await calls.set(resource, textOf(properties.PolicyDocument), ctx);
      return { identifier, attributes: { Id: identifier } };
    },
    async read(identifier, ctx, applied) {
      const found: string[] = [];
      let PolicyDocument: unknown;
      for (const resource of resourcesOf(applied)) {
        const policy = await calls.read(resource, ctx);
        if (policy === undefined) continue;
        PolicyDocument ??= policy;
        found.push(resource);
      }
      if (found.length === 0) return undefined;
      return { properties: { PolicyDocument, [member]: found }, attributes: { Id: identifier } };
    },
    async update(_identifier, previous, desired, ctx) {
      const { added, removed } = listChanges(resourcesOf(previous), resourcesOf(desired));
      for (const resource of removed) await calls.remove(resource, ctx);
      const isSame = sameValue(previous.PolicyDocument, desired.PolicyDocument);
      const changed = isSame ? added : resourcesOf(desired);
      for (const resource of changed) await calls.set(resource, textOf(desired.PolicyDocument), ctx);
    },
    async delete(_identifier, properties, ctx) {
      for (const resource of resourcesOf(properties)) await calls.remove(resource, ctx);
    },
  });
}

/** Declares the provider of the policy of one resource, which is its identifier. */
export function inlinePolicy({ typeName, model, member }: PolicyType, calls: PolicyCalls): AnyResourceProvider {
  return defineProvider<Given>({
    typeName,
    model,
    handles: ['PolicyDocument', member],
    async create({ PolicyDocument, [member]: resource }, ctx) {
      await calls.set(resource as string, textOf(PolicyDocument), ctx);
      return { identifier: resource as string };
    },
    async read(resource, ctx) {
      const PolicyDocument = await calls.read(resource, ctx);
      if (PolicyDocument === undefined) return undefined;
      return { properties: { PolicyDocument, [member]: resource }, attributes: {} };
    },
    async update(resource, _previous, { PolicyDocument }, ctx) {
      await calls.set(resource, textOf(PolicyDocument), ctx);
    },
    async delete(resource, _properties, ctx) {
      await calls.remove(resource, ctx);
    },
  });
}
