import { createRequire } from 'node:module';
import type { Resource, SpecDatabase, PropertyType as SpecType, TypeDefinition } from '@aws-cdk/service-spec-types';
import type { PropertyFacts, PropertyType, ResourceTypeFacts } from '@emu/core/service';
import { mergePatch } from './merge-patch.ts';

/** The installed specification, with its version. */
export interface InstalledSpec {
  version: string;
  db: SpecDatabase;
}

/** Finds `@aws-cdk/aws-service-spec`, which only developers install; undefined if missing. */
export function findServiceSpec(): InstalledSpec | undefined {
  const require = createRequire(import.meta.url);
  try {
    const { version } = require('@aws-cdk/aws-service-spec/package.json') as { version: string };
    const { loadAwsServiceSpecSync } = require('@aws-cdk/aws-service-spec') as {
      loadAwsServiceSpecSync(): SpecDatabase;
    };
    return { version, db: loadAwsServiceSpecSync() };
  } catch {
    return undefined;
  }
}

/** Returns the facts of one type. Definitions have the specification's names; unused ones are omitted. */
function factsOf(db: SpecDatabase, resource: Resource): ResourceTypeFacts {
  const definitions: Record<string, Record<string, PropertyFacts>> = {};

  function typeOf(type: SpecType): PropertyType {
    switch (type.type) {
      case 'array':
        return { list: typeOf(type.element) };
      case 'map':
        return { map: typeOf(type.element) };
      case 'union':
        return unionOf(type.types.map(typeOf));
      case 'ref':
        return { ref: define(db.get('typeDefinition', type.reference)) };
      case 'string':
      case 'integer':
        return type.allowedValues ? { enum: [...type.allowedValues].sort() } : type.type;
      default:
        return type.type;
    }
  }

  function define(definition: TypeDefinition): string {
    // A definition may contain itself, so it is registered before its members are read.
    if (!definitions[definition.name]) {
      definitions[definition.name] = {};
      definitions[definition.name] = propertiesOf(definition);
    }
    return definition.name;
  }

  function propertiesOf({ properties }: Pick<Resource | TypeDefinition, 'properties'>): Record<string, PropertyFacts> {
    return sorted(
      Object.entries(properties).map(([name, { type, required, causesReplacement, defaultValue }]) => [
        name,
        {
          type: typeOf(type),
          ...(required && { required: true as const }),
          ...(causesReplacement && causesReplacement !== 'no' && { replacement: causesReplacement }),
          ...(defaultValue !== undefined && { default: defaultValue }),
        },
      ]),
    );
  }

  const { primaryIdentifier = [], cfnRefIdentifier, tagInformation, additionalReplacementProperties } = resource;
  const properties = propertiesOf(resource);
  const attributes = sorted(
    Object.entries(resource.attributes).map(([name, { type }]): [string, PropertyType] => [name, typeOf(type)]),
  );
  return {
    primaryIdentifier,
    ...(cfnRefIdentifier && { ref: cfnRefIdentifier }),
    ...(tagInformation && {
      tags: { property: tagInformation.tagPropertyName, form: tagInformation.variant === 'map' ? 'map' : 'list' },
    }),
    attributes,
    properties,
    ...(additionalReplacementProperties && {
      nestedReplacement: additionalReplacementProperties.map((path) => path.join('/')).sort(),
    }),
    ...(Object.keys(definitions).length > 0 && { definitions: sorted(Object.entries(definitions)) }),
  };
}

/**
 * Returns one of several types, duplicates once. A structured type is preferred to `json`, which older specifications
 * used for it, and `json` to text, which it includes.
 */
function unionOf(types: readonly PropertyType[]): PropertyType {
  const distinct = [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
  const structured = distinct.filter((type) => typeof type === 'object');
  if (distinct.includes('json')) return structured.length === 1 ? structured[0]! : 'json';
  return distinct.length === 1 ? distinct[0]! : { union: distinct };
}

const sorted = <Value>(entries: [string, Value][]): Record<string, Value> =>
  Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));

/**
 * Returns the facts of a package's resource types: `model/cloudformation.json`, one line per type, for readable diffs
 * between versions.
 * @param names namespaces (`AWS::SQS`) and types (`AWS::S3::AccessPoint`) of the package
 * @param elsewhere types that another package names individually
 * @param overlay additions to the specification, by type: a JSON merge patch
 * @throws Error for a name unknown to the specification, or an overlay for another type
 */
export function cloudFormationModel(
  { db, version }: InstalledSpec,
  names: readonly string[],
  elsewhere: ReadonlySet<string>,
  overlay: Readonly<Record<string, unknown>> = {},
): string {
  const types = new Map<string, unknown>();
  for (const name of names) {
    const isType = name.split('::').length === 3;
    const found = isType
      ? db.lookup('resource', 'cloudFormationType', 'equals', name)
      : [...db.all('resource')].filter(({ cloudFormationType: type }) => namespaceOf(type) === name);
    if (found.length === 0) throw new Error(`the specification has no resource type of ${name}`);
    for (const resource of found) {
      const { cloudFormationType: type } = resource;
      if (isType || !elsewhere.has(type)) types.set(type, mergePatch(factsOf(db, resource), overlay[type] ?? {}));
    }
  }
  for (const type of Object.keys(overlay))
    if (!types.has(type)) throw new Error(`the overlay has facts of ${type}, which the package does not name`);
  return `{
  "source": ${JSON.stringify({ '@aws-cdk/aws-service-spec': version })},
  "types": {
${Object.entries(sorted([...types]))
  .map(([name, facts]) => `    ${JSON.stringify(name)}: ${JSON.stringify(facts)}`)
  .join(',\n')}
  }
}
`;
}

const namespaceOf = (type: string): string => type.slice(0, type.lastIndexOf('::'));

/**
 * Returns the names of all public resource types, by namespace: `model/resource-types.json`, one line per namespace.
 * SAM's types exist only before its transform.
 */
export function resourceTypeNames({ db, version }: InstalledSpec): string {
  const names = new Map<string, string[]>();
  for (const { cloudFormationType: type } of db.all('resource')) {
    const namespace = namespaceOf(type);
    if (namespace === 'AWS::Serverless') continue;
    names.set(namespace, [...(names.get(namespace) ?? []), type.slice(namespace.length + 2)]);
  }
  return `{
  "source": ${JSON.stringify({ '@aws-cdk/aws-service-spec': version })},
  "types": {
${Object.entries(sorted([...names]))
  .map(([namespace, types]) => `    ${JSON.stringify(namespace)}: ${JSON.stringify(types.sort())}`)
  .join(',\n')}
  }
}
`;
}
