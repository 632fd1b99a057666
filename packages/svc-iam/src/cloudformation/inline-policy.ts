import { defineProvider, identifierOf, identifierParts, listChanges, sameValue } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { deleteInline, type Kind, putInline, readInline } from './entity-policies.ts';

interface Entities {
  Groups?: readonly string[];
  Roles?: readonly string[];
  Users?: readonly string[];
}

interface PolicyProperties extends Entities {
  PolicyDocument: unknown;
  PolicyName: string;
}

const KINDS: readonly Kind[] = ['Group', 'Role', 'User'];

/** Removes a policy from the entities that no longer have it. */
async function take(PolicyName: string, { added, removed }: Changes, ctx: ProviderContext, all = added): Promise<void> {
  for (const [kind, name] of [...removed, ...(all === added ? [] : all)])
    await deleteInline(kind, name, PolicyName, ctx);
}

type Entity = readonly [kind: Kind, name: string];
interface Changes {
  added: Entity[];
  removed: Entity[];
}

const entitiesOf = (properties: Entities): Entity[] =>
  KINDS.flatMap((kind) => (properties[`${kind}s`] ?? []).map((name): Entity => [kind, name]));

/**
 * One inline policy of several roles, users and groups. Its id is not a resource id, so it is read through these
 * entities.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-policy.html
 */
export const policy: AnyResourceProvider = defineProvider<PolicyProperties>({
  typeName: 'AWS::IAM::Policy',
  model,
  handles: ['Groups', 'PolicyDocument', 'PolicyName', 'Roles', 'Users'],

  async create(properties, ctx) {
    const identifier = ctx.name();
    for (const [kind, name] of entitiesOf(properties)) await putInline(kind, name, properties, ctx);
    return { identifier, attributes: { Id: identifier } };
  },

  async read(identifier, ctx, applied) {
    let PolicyDocument: unknown;
    const found: Entity[] = [];
    for (const [kind, name] of applied ? entitiesOf(applied) : []) {
      const document = await readInline(kind, name, applied!.PolicyName, ctx);
      if (document === undefined) continue;
      PolicyDocument ??= document;
      found.push([kind, name]);
    }
    if (found.length === 0) return undefined;
    const entities = Object.fromEntries(
      KINDS.map((kind) => [`${kind}s`, found.filter(([of]) => of === kind).map(([, name]) => name)] as const).filter(
        ([, names]) => names.length,
      ),
    );
    return {
      properties: { PolicyName: applied!.PolicyName, PolicyDocument, ...entities },
      attributes: { Id: identifier },
    };
  },

  async update(_identifier, previous, desired, ctx) {
    const renamed = previous.PolicyName !== desired.PolicyName;
    const changed = renamed || !sameValue(previous.PolicyDocument, desired.PolicyDocument);
    const changes = listChanges(entitiesOf(previous), entitiesOf(desired));
    for (const [kind, name] of changed ? entitiesOf(desired) : changes.added) await putInline(kind, name, desired, ctx);
    await take(previous.PolicyName, changes, ctx, renamed ? entitiesOf(previous) : undefined);
  },

  async delete(_identifier, properties, ctx) {
    if (properties.PolicyName === undefined) return;
    await take(properties.PolicyName, { added: [], removed: entitiesOf(properties) }, ctx);
  },
});

/** Returns the provider for an inline policy of one entity. */
function inlinePolicyOf(kind: Kind): AnyResourceProvider {
  const typeName = `AWS::IAM::${kind}Policy`;
  return defineProvider<Record<string, unknown> & { PolicyName: string; PolicyDocument?: unknown }>({
    typeName,
    model,
    handles: [`${kind}Name`, 'PolicyDocument', 'PolicyName'],

    async create({ PolicyName, PolicyDocument, [`${kind}Name`]: name }, ctx) {
      await putInline(kind, String(name), { PolicyName, PolicyDocument }, ctx);
      return { identifier: identifierOf(PolicyName, String(name)) };
    },

    async read(identifier, ctx) {
      const [PolicyName, name] = identifierParts(identifier, 2) as [string, string];
      const PolicyDocument = await readInline(kind, name, PolicyName, ctx);
      if (PolicyDocument === undefined) return undefined;
      return { properties: { PolicyName, PolicyDocument, [`${kind}Name`]: name }, attributes: {} };
    },

    async update(identifier, _previous, { PolicyDocument }, ctx) {
      const [PolicyName, name] = identifierParts(identifier, 2) as [string, string];
      await putInline(kind, name, { PolicyName, PolicyDocument }, ctx);
    },

    async delete(identifier, _properties, ctx) {
      const [PolicyName, name] = identifierParts(identifier, 2) as [string, string];
      await deleteInline(kind, name, PolicyName, ctx);
    },
  });
}

/**
 * Inline policies of one group, role or user.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-rolepolicy.html
 */
export const inlinePolicies: readonly AnyResourceProvider[] = KINDS.map(inlinePolicyOf);
