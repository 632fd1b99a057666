import { isBlank, type PropertyType, type ResourceTypeFacts } from '@emu/core/service';
import type { PropertyDifference } from '@emu/service-types/cloudformation';
import { isObject, textOf } from '@emu/wire';
import { type JsonObject, sameJson } from '../templates/values.ts';

/** Result of comparing a resource with its template. */
export interface Comparison {
  readonly expected: JsonObject;
  readonly actual: JsonObject;
  readonly differences: PropertyDifference[];
}

type Facts = Pick<ResourceTypeFacts, 'properties' | 'definitions' | 'writeOnly' | 'tags'>;

/** Placeholder that AWS shows for a missing value. */
const ABSENT = 'null';

/**
 * Compares the template's properties of a resource with its actual ones. Like AWS, skips properties that cannot be read
 * and values with dynamic references.
 * @param expected evaluated properties of the template
 * @param actual properties as read
 * @param stackTags keys of the stack's tags on the resource
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html
 */
export function compared(
  facts: Facts,
  expected: JsonObject,
  actual: JsonObject,
  stackTags: ReadonlySet<string>,
): Comparison {
  const wanted = comparable(expected, facts.writeOnly ?? []);
  const own = withoutForeignTags(facts, wanted, actual, stackTags);
  const differences: PropertyDifference[] = [];
  const found: JsonObject = {};
  for (const [name, value] of Object.entries(wanted).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const member = facts.properties[name];
    const there = own[name] ?? member?.default;
    const part = new Walk(facts).compare(value, there, member?.type ?? 'json', `/${name}`);
    differences.push(...part);
    if (there !== undefined) found[name] = part.length ? within(value, there, member?.type ?? 'json', facts) : value;
  }
  return { expected: wanted, actual: found, differences };
}

/** Returns the properties without write-only ones and without values with dynamic references. */
function comparable(properties: JsonObject, writeOnly: readonly string[]): JsonObject {
  const out = structuredClone(properties);
  for (const path of writeOnly) remove(out, path.split('.'));
  for (const [name, value] of Object.entries(out)) if (JSON.stringify(value).includes('{{resolve:')) delete out[name];
  return out;
}

function remove(from: unknown, [name, ...rest]: string[]): void {
  if (name === undefined) return;
  if (name === '*' || Array.isArray(from)) {
    for (const item of Object.values(from ?? {})) remove(item, name === '*' ? rest : [name, ...rest]);
  } else if (isObject(from)) {
    if (rest.length) remove(from[name], rest);
    else delete from[name];
  }
}

/** Returns the actual properties without tags set by CloudFormation or AWS. */
function withoutForeignTags(
  { tags }: Facts,
  expected: JsonObject,
  actual: JsonObject,
  stackTags: ReadonlySet<string>,
): JsonObject {
  const given = tags && actual[tags.property];
  if (!tags || given === undefined) return actual;
  const own = new Set(
    tags.form === 'list'
      ? ((expected[tags.property] ?? []) as { Key: string }[]).map(({ Key }) => Key)
      : Object.keys((expected[tags.property] ?? {}) as JsonObject),
  );
  const keeps = (key: string): boolean => own.has(key) || !(stackTags.has(key) || key.startsWith('aws:'));
  const kept =
    tags.form === 'list'
      ? (given as { Key: string }[]).filter(({ Key }) => keeps(Key))
      : Object.fromEntries(Object.entries(given as JsonObject).filter(([key]) => keeps(key)));
  return { ...actual, [tags.property]: kept };
}

/** Returns an actual value without members that the template omits; those are defaults. */
function within(expected: unknown, actual: unknown, type: PropertyType, { definitions = {} }: Facts): unknown {
  if (typeof type === 'string' || !('ref' in type) || !isObject(expected) || !isObject(actual)) return actual;
  const members = definitions[type.ref] ?? {};
  return Object.fromEntries(
    Object.entries(actual)
      .filter(([name]) => name in expected)
      .map(([name, value]) => [
        name,
        within(expected[name], value, members[name]?.type ?? 'json', { definitions, properties: {} }),
      ]),
  );
}

/** Whether two scalars are equal after conversion to text. */
function sameScalar(one: unknown, other: unknown): boolean {
  if (String(one) === String(other)) return true;
  return typeof one === 'string' && typeof other === 'string' && sameDocument(one, other);
}

function sameDocument(one: string, other: string): boolean {
  if (!/^\s*[[{]/.test(one)) return false;
  try {
    return sameJson(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

const document = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

class Walk {
  constructor(private readonly facts: Facts) {}

  compare(expected: unknown, actual: unknown, type: PropertyType, path: string): PropertyDifference[] {
    if (actual === undefined || actual === null)
      return isBlank(expected) ? [] : [difference(path, expected, undefined, 'REMOVE')];
    const [one, other] = type === 'json' ? [document(expected), document(actual)] : [expected, actual];
    if (Array.isArray(one) && Array.isArray(other)) return this.lists(one, other, itemOf(type), path);
    if (isObject(one) && isObject(other)) return this.objects(one, other, type, path);
    if (sameJson(one, other) || sameScalar(one, other)) return [];
    return [difference(path, one, other, 'NOT_EQUAL')];
  }

  private objects(one: JsonObject, other: JsonObject, type: PropertyType, path: string): PropertyDifference[] {
    const members = memberTypes(type, this.facts, one);
    const found = Object.keys(one)
      .sort()
      .flatMap((name) =>
        this.compare(
          one[name],
          other[name] ?? members.defaultOf(name),
          members.typeOf(name),
          `${path}/${escaped(name)}`,
        ),
      );
    if (!members.open) return found;
    const added = Object.keys(other).filter((name) => !(name in one) && other[name] !== undefined);
    return [...found, ...added.map((name) => difference(`${path}/${escaped(name)}`, undefined, other[name], 'ADD'))];
  }

  /** Compares lists. If both contain the same items, their order does not matter. */
  private lists(one: unknown[], other: unknown[], type: PropertyType, path: string): PropertyDifference[] {
    const same = (a: unknown, b: unknown): boolean => this.compare(a, b, type, '').length === 0;
    const left = other.map((item, index) => ({ item, index }));
    const missing: { item: unknown; index: number }[] = [];
    for (const [index, item] of one.entries()) {
      const match = left.findIndex((candidate) => same(item, candidate.item));
      if (match >= 0) left.splice(match, 1);
      else missing.push({ item, index });
    }
    const paired = missing.flatMap(({ item, index }) => {
      const at = left.findIndex((candidate) => candidate.index === index);
      if (at < 0) return [difference(`${path}/${index}`, item, undefined, 'REMOVE')];
      const [{ item: actual }] = left.splice(at, 1) as [{ item: unknown; index: number }];
      return this.compare(item, actual, type, `${path}/${index}`);
    });
    return [...paired, ...left.map(({ item, index }) => difference(`${path}/${index}`, undefined, item, 'ADD'))];
  }
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const itemOf = (type: PropertyType): PropertyType => {
  if (typeof type === 'string') return 'json';
  if ('list' in type) return type.list;
  if ('union' in type) for (const one of type.union) if (typeof one !== 'string' && 'list' in one) return one.list;
  return 'json';
};

interface Members {
  /** Whether members that the template omits were added outside the stack. */
  readonly open: boolean;
  typeOf(name: string): PropertyType;
  defaultOf(name: string): unknown;
}

function memberTypes(type: PropertyType, { definitions = {} }: Facts, value: JsonObject): Members {
  const none = () => undefined;
  if (typeof type === 'string') return { open: type === 'json', typeOf: () => 'json', defaultOf: none };
  if ('map' in type) return { open: true, typeOf: () => type.map, defaultOf: none };
  if ('ref' in type) {
    const members = definitions[type.ref] ?? {};
    return {
      open: false,
      typeOf: (name) => members[name]?.type ?? 'json',
      defaultOf: (name) => members[name]?.default,
    };
  }
  if ('union' in type) {
    const fits = type.union.find(
      (one) =>
        typeof one !== 'string' &&
        'ref' in one &&
        Object.keys(value).every((name) => name in (definitions[one.ref] ?? {})),
    );
    const other = type.union.find((one) => one === 'json' || (typeof one !== 'string' && 'map' in one));
    return memberTypes(fits ?? other ?? 'string', { definitions, properties: {} }, value);
  }
  return { open: true, typeOf: () => 'json', defaultOf: none };
}

const difference = (
  PropertyPath: string,
  expected: unknown,
  actual: unknown,
  DifferenceType: PropertyDifference['DifferenceType'],
): PropertyDifference => ({
  PropertyPath,
  ExpectedValue: expected === undefined ? ABSENT : textOf(expected),
  ActualValue: actual === undefined ? ABSENT : textOf(actual),
  DifferenceType,
});
