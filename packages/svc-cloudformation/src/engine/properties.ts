import type { PropertyFacts, PropertyType, ResourceProvider, ResourceTypeFacts } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { ANY_PROPERTY } from '../resource-types/own.ts';
import { type JsonObject, sameJson, setMember } from '../templates/values.ts';

/** Invalid properties, with the messages of AWS's schemas. */
export class PropertyProblem extends Error {
  override readonly name = 'PropertyProblem';
}

type Definitions = NonNullable<ResourceTypeFacts['definitions']>;

/**
 * Converts properties to the types in the facts, as CloudFormation does with text for numbers and booleans, and rejects
 * unknown ones.
 * @throws PropertyProblem with AWS's message for all problems
 */
export function checkedProperties(facts: ResourceTypeFacts, given: JsonObject): JsonObject {
  const problems: string[] = [];
  const checked = objectOf(given, facts.properties, facts.definitions ?? {}, '#', problems);
  if (problems.length) throw new PropertyProblem(problems.join('\n'));
  return checked;
}

function objectOf(
  given: JsonObject,
  members: Readonly<Record<string, PropertyFacts>>,
  definitions: Definitions,
  path: string,
  problems: string[],
): JsonObject {
  const out: JsonObject = {};
  for (const [name, { required }] of Object.entries(members))
    if (required && given[name] === undefined) problems.push(`${path}: required key [${name}] not found`);
  for (const [name, value] of Object.entries(given)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!member && members[ANY_PROPERTY]) setMember(out, name, value);
    else if (!member) problems.push(`${path}: extraneous key [${name}] is not permitted`);
    else setMember(out, name, typed(value, member.type, definitions, `${path}/${name}`, problems));
  }
  return out;
}

/** Returns the JSON Schema type name of a value. */
const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'JSONArray';
  if (isObject(value)) return 'JSONObject';
  if (typeof value === 'boolean') return 'Boolean';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'Integer' : 'BigDecimal') : 'String';
};

function typed(
  value: unknown,
  type: PropertyType,
  definitions: Definitions,
  path: string,
  problems: string[],
): unknown {
  const refuse = (expected: string): unknown => {
    problems.push(`${path}: expected type: ${expected}, found: ${kindOf(value)}`);
    return value;
  };
  if (typeof type === 'string') return scalarOf(value, type, refuse, path, problems);
  if ('enum' in type) {
    const found = type.enum.find((allowed) => String(allowed) === String(value));
    if (found === undefined) problems.push(`${path}: ${String(value)} is not a valid enum value`);
    return found ?? value;
  }
  if ('list' in type) {
    // A single value where a list is expected is treated as a list of one item.
    const items = Array.isArray(value) ? value : isObject(value) ? undefined : [value];
    if (!items) return refuse('JSONArray');
    return items.map((item, index) => typed(item, type.list, definitions, `${path}/${index}`, problems));
  }
  if ('map' in type) {
    if (!isObject(value)) return refuse('JSONObject');
    const out: JsonObject = {};
    for (const [name, item] of Object.entries(value))
      setMember(out, name, typed(item, type.map, definitions, `${path}/${name}`, problems));
    return out;
  }
  if ('ref' in type) {
    const definition = definitions[type.ref];
    if (!definition) return value;
    return isObject(value) ? objectOf(value, definition, definitions, path, problems) : refuse('JSONObject');
  }
  return unionOf(value, type.union, definitions, path, problems);
}

function unionOf(
  value: unknown,
  types: readonly PropertyType[],
  definitions: Definitions,
  path: string,
  problems: string[],
): unknown {
  let fewest: string[] | undefined;
  for (const type of types) {
    const own: string[] = [];
    // Text stays text if the type allows it; otherwise it is converted.
    if (typeof value === 'string' && type !== 'string' && types.includes('string')) continue;
    const result = typed(value, type, definitions, path, own);
    if (own.length === 0) return result;
    if (!fewest || own.length < fewest.length) fewest = own;
  }
  problems.push(...(fewest ?? []));
  return value;
}

function scalarOf(
  value: unknown,
  type: string,
  refuse: (expected: string) => unknown,
  path: string,
  problems: string[],
): unknown {
  // The value of a dynamic reference is checked when it is resolved.
  if (typeof value === 'string' && value.includes('{{resolve:')) return value;
  switch (type) {
    case 'json':
      return typeof value === 'string' ? parsedJson(value) : value;
    case 'tag':
      return isObject(value) ? objectOf(value, TAG, {}, path, problems) : refuse('JSONObject');
    case 'string':
    case 'date-time':
      return typeof value === 'object' ? refuse('String') : String(value);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return value === 'true' || value === 'false' ? value === 'true' : refuse('Boolean');
    case 'integer':
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      const right =
        typeof number === 'number' && (type === 'number' ? !Number.isNaN(number) : Number.isInteger(number));
      return right ? number : refuse(type === 'number' ? 'Number' : 'Integer');
    }
    default:
      return value;
  }
}

const TAG: Readonly<Record<string, PropertyFacts>> = {
  Key: { type: 'string', required: true },
  Value: { type: 'string', required: true },
};

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Effect of property changes on a resource. */
export type Effect = 'none' | 'update' | 'maybe-replace' | 'replace';

/** Returns the names of properties that differ. */
export function changedProperties(previous: JsonObject, desired: JsonObject): string[] {
  const names = new Set([...Object.keys(previous), ...Object.keys(desired)]);
  return [...names].filter((name) => !sameJson(previous[name], desired[name]));
}

const valueAt = (properties: JsonObject, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), properties);

/** Whether a change of one property replaces the resource, according to the facts alone. */
export function replacementOf(
  facts: ResourceTypeFacts,
  name: string,
  previous: JsonObject,
  desired: JsonObject,
): 'yes' | 'maybe' | undefined {
  const own = facts.properties[name]?.replacement;
  if (own) return own;
  const nested = (facts.nestedReplacement ?? [])
    .map((path) => path.split('/').filter((part) => part !== '*'))
    .filter(([first]) => first === name);
  return nested.some((path) => !sameJson(valueAt(previous, path), valueAt(desired, path))) ? 'yes' : undefined;
}

/** Returns the effect of property changes on a resource; the provider decides conditional cases. */
export function effectOf(provider: ResourceProvider, previous: JsonObject, desired: JsonObject): Effect {
  const changed = changedProperties(previous, desired);
  if (changed.length === 0) return 'none';
  const replacements = changed.map((name) => replacementOf(provider.facts, name, previous, desired));
  if (replacements.includes('yes') || !provider.update) return 'replace';
  if (provider.replaces?.(previous, desired)) return 'replace';
  return 'update';
}
