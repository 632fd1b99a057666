import type { PropertyFacts, PropertyType, ResourceProvider, ResourceTypeFacts } from '@emu/core/service';
import type { JsonObject } from '../templates/values.ts';

/**
 * Builds the schema of a resource type from its facts.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html
 */
export function schemaOf({ typeName, facts, update, list }: ResourceProvider): JsonObject {
  const { properties, attributes, definitions = {}, primaryIdentifier, writeOnly = [], tags } = facts;
  const readOnly = Object.keys(attributes).filter((name) => !Object.hasOwn(properties, name));
  const createOnly = Object.entries(properties)
    .filter(([, { replacement }]) => replacement === 'yes')
    .map(([name]) => name);
  const conditional = Object.entries(properties)
    .filter(([, { replacement }]) => replacement === 'maybe')
    .map(([name]) => name);
  const required = requiredOf(properties);
  const own: JsonObject = {
    ...membersOf(properties),
    ...Object.fromEntries(readOnly.map((name) => [name, typeOf(attributes[name]!)])),
  };
  return {
    typeName,
    description: `Resource Type definition for ${typeName}`,
    ...(Object.keys(definitions).length && {
      definitions: Object.fromEntries(Object.entries(definitions).map(([name, members]) => [name, objectOf(members)])),
    }),
    properties: own,
    ...(required.length && { required }),
    additionalProperties: false,
    primaryIdentifier: primaryIdentifier.map(pointer),
    ...(readOnly.length && { readOnlyProperties: readOnly.map(pointer) }),
    ...(createOnly.length && { createOnlyProperties: createOnly.map(pointer) }),
    ...(conditional.length && { conditionalCreateOnlyProperties: conditional.map(pointer) }),
    ...(writeOnly.length && { writeOnlyProperties: writeOnly.map(pointer) }),
    tagging: tags
      ? { taggable: true, tagOnCreate: true, tagUpdatable: update !== undefined, tagProperty: pointer(tags.property) }
      : { taggable: false },
    handlers: Object.fromEntries(
      ['create', 'read', ...(update ? ['update'] : []), 'delete', ...(list ? ['list'] : [])].map((name) => [name, {}]),
    ),
  };
}

const pointer = (path: string): string => `/properties/${path.replaceAll('.', '/')}`;

const requiredOf = (members: Readonly<Record<string, PropertyFacts>>): string[] =>
  Object.keys(members).filter((name) => members[name]!.required);

const membersOf = (members: ResourceTypeFacts['properties']): JsonObject =>
  Object.fromEntries(
    Object.entries(members).map(([name, { type, default: value }]) => [
      name,
      { ...typeOf(type), ...(value !== undefined && { default: value }) },
    ]),
  );

function objectOf(members: Readonly<Record<string, PropertyFacts>>): JsonObject {
  const required = requiredOf(members);
  return {
    type: 'object',
    properties: membersOf(members),
    ...(required.length && { required }),
    additionalProperties: false,
  };
}

function typeOf(type: PropertyType): JsonObject {
  if (typeof type === 'string') {
    if (type === 'json') return { type: ['object', 'string'] };
    if (type === 'date-time') return { type: 'string', format: 'date-time' };
    if (type === 'tag')
      return {
        type: 'object',
        properties: { Key: { type: 'string' }, Value: { type: 'string' } },
        required: ['Key', 'Value'],
        additionalProperties: false,
      };
    return { type };
  }
  if ('enum' in type) return { type: typeof type.enum[0] === 'number' ? 'number' : 'string', enum: [...type.enum] };
  if ('list' in type) return { type: 'array', items: typeOf(type.list) };
  if ('map' in type) return { type: 'object', patternProperties: { '.*': typeOf(type.map) } };
  if ('ref' in type) return { $ref: `#/definitions/${type.ref}` };
  return { anyOf: type.union.map(typeOf) };
}
