import { defineResource, type Place, type ResourceAddress, taggedResource } from '@emu/core/service';
import type { KeyRegistry } from './keys/registry.ts';
import { tagging } from './tags.ts';

const ALIAS = 'alias/';

/** Returns the name of an alias without the prefix used in operations. */
export const bareName = (alias: string): string => (alias.startsWith(ALIAS) ? alias.slice(ALIAS.length) : alias);

/** Input members that name a key by id, ARN or alias, in order of precedence. */
const KEY_MEMBERS = ['KeyId', 'SourceKeyId', 'DestinationKeyId', 'TargetKeyId'] as const;

function keyIdentifier(input: Readonly<Record<string, unknown>>): string | undefined {
  return KEY_MEMBERS.map((member) => input[member]).find((value) => typeof value === 'string');
}

/**
 * Returns the alias in a key identifier, by name or ARN.
 * @returns undefined for another identifier
 */
export function aliasAddress(identifier: string, place: Place): ResourceAddress<{ name: string }> | undefined {
  return identifier.startsWith(ALIAS) ? { key: { name: bareName(identifier) }, place } : aliasType.parse(identifier);
}

/**
 * Returns the key in a key identifier, by id or ARN.
 * @returns undefined for an alias or an ARN of another type
 */
export function keyAddress(identifier: string, place: Place): ResourceAddress<{ id: string }> | undefined {
  if (identifier.startsWith('arn:')) return keyType.parse(identifier);
  return identifier.startsWith(ALIAS) ? undefined : { key: { id: identifier }, place };
}

/**
 * Aliases.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awskeymanagementservice.html
 */
export const aliasType = defineResource({
  name: 'alias',
  service: 'kms',
  scope: 'region',
  format: 'alias/{name+}',
  cloudFormation: 'AWS::KMS::Alias',
  identify(input, place) {
    const { AliasName: alias } = input;
    if (typeof alias === 'string') return { key: { name: bareName(alias) }, place };
    const identifier = keyIdentifier(input);
    return identifier === undefined ? undefined : aliasAddress(identifier, place);
  },
  find: ({ aliases }: KeyRegistry, { name }) => (aliases.has(ALIAS + name) ? { name } : undefined),
  list: ({ aliases }) => [...aliases.keys()].sort().map((alias) => ({ name: bareName(alias) })),
});

/** Keys. Each has a policy. */
export const keyType = defineResource({
  name: 'key',
  service: 'kms',
  scope: 'region',
  format: 'key/{id}',
  cloudFormation: 'AWS::KMS::Key',
  identify(input, place) {
    const identifier = keyIdentifier(input);
    return identifier === undefined ? undefined : keyAddress(identifier, place);
  },
  find(registry: KeyRegistry, { id }) {
    const key = registry.find(id.toLowerCase());
    return key && { id: key.id };
  },
  list: ({ keys }) => [...keys.keys()].sort().map((id) => ({ id })),
  tagged: {
    tagging,
    find: (registry, { id }) =>
      taggedResource(
        () => registry.find(id),
        (change) => registry.update(id, change),
      ),
  },
  policy: (registry, { id }) => registry.find(id)?.policy,
});

/** Returns the ARN of an alias, whether it exists or not. @param alias e.g. `alias/app` */
export const aliasArn = (alias: string, place: Place): string => aliasType.arn({ name: bareName(alias) }, place);
