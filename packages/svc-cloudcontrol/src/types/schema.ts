import type { PropertyFacts, PropertyType, ResourceProvider, ResourceTypeFacts } from '@emu/core/service';
import { notImplemented, unsupportedProperties } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { invalid } from '../errors.ts';

type Values = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, PropertyFacts>>;

/** Returns the JSON Schema type of a value. */
function kindOf(value: unknown): string {
  if (value === null) return 'Null';
  if (Array.isArray(value)) return 'JSONArray';
  if (typeof value === 'object') return 'JSONObject';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'BigDecimal';
  return typeof value === 'boolean' ? 'Boolean' : 'String';
}

/**
 * Validates properties by the known schema of their type. Nothing is converted.
 * @throws AwsError `ValidationException` with AWS's messages; `NotImplemented` for properties that emu does not support
 */
export function checkModel(provider: ResourceProvider, properties: Values): void {
  const { facts, typeName } = provider;
  const problems: string[] = [];
  checkObject(properties, facts.properties, facts, '#', problems);
  if (problems.length) throw invalid(`Model validation failed (${problems.join('; ')})`);
  const unsupported = unsupportedProperties(provider, properties);
  if (unsupported.length)
    throw notImplemented('cloudcontrol', `the properties ${unsupported.join(', ')} of ${typeName}`);
  provider.validate?.(properties);
}

function checkObject(
  given: Values,
  members: Members,
  facts: ResourceTypeFacts,
  path: string,
  problems: string[],
): void {
  for (const [name, { required }] of Object.entries(members))
    if (required && given[name] === undefined) problems.push(`${path}: required key [${name}] not found`);
  for (const [name, value] of Object.entries(given))
    if (Object.hasOwn(members, name)) check(value, members[name]!.type, facts, `${path}/${name}`, problems);
    else problems.push(`${path}: extraneous key [${name}] is not permitted`);
}

const SCALARS: Readonly<Record<string, [name: string, test: (value: unknown) => boolean]>> = {
  string: ['String', (value) => typeof value === 'string'],
  'date-time': ['String', (value) => typeof value === 'string'],
  boolean: ['Boolean', (value) => typeof value === 'boolean'],
  integer: ['Integer', (value) => Number.isInteger(value)],
  number: ['Number', (value) => typeof value === 'number'],
  null: ['Null', (value) => value === null],
};

const TAG: Members = { Key: { type: 'string', required: true }, Value: { type: 'string', required: true } };

function check(value: unknown, type: PropertyType, facts: ResourceTypeFacts, path: string, problems: string[]): void {
  const expect = (expected: string, right: boolean): boolean => {
    if (!right) problems.push(`${path}: expected type: ${expected}, found: ${kindOf(value)}`);
    return right;
  };
  if (typeof type === 'string') {
    if (type === 'tag') {
      if (expect('JSONObject', isObject(value))) checkObject(value as Values, TAG, facts, path, problems);
    } else if (Object.hasOwn(SCALARS, type)) {
      const [name, test] = SCALARS[type]!;
      expect(name, test(value));
    }
  } else if ('enum' in type) {
    if (!type.enum.includes(value as string)) problems.push(`${path}: ${String(value)} is not a valid enum value`);
  } else if ('list' in type) {
    if (expect('JSONArray', Array.isArray(value)))
      for (const [index, item] of (value as unknown[]).entries())
        check(item, type.list, facts, `${path}/${index}`, problems);
  } else if ('map' in type) {
    if (expect('JSONObject', isObject(value)))
      for (const [name, item] of Object.entries(value as Values))
        check(item, type.map, facts, `${path}/${name}`, problems);
  } else if ('ref' in type) {
    const definition = facts.definitions?.[type.ref];
    if (definition && expect('JSONObject', isObject(value)))
      checkObject(value as Values, definition, facts, path, problems);
  } else checkUnion(value, type.union, facts, path, problems);
}

function checkUnion(
  value: unknown,
  types: readonly PropertyType[],
  facts: ResourceTypeFacts,
  path: string,
  problems: string[],
): void {
  let fewest: string[] | undefined;
  for (const type of types) {
    const own: string[] = [];
    check(value, type, facts, path, own);
    if (!own.length) return;
    if (!fewest || own.length < fewest.length) fewest = own;
  }
  problems.push(...(fewest ?? []));
}
