import { isObject } from '@emu/wire';
import { invalid, templateError } from '../errors.ts';
import { type JsonObject, setMember } from '../templates/values.ts';

/** Maximum number of items of a loop. */
const MAX_ITEMS = 200;
/** Maximum size of an expanded template, in characters, as of a template in S3. */
const MAX_SIZE = 1_000_000;
/** Minimum size of a value in characters, so that loops without output are limited, too. */
const VALUE_SIZE = 10;

interface Scope {
  /** Size of the values so far. */
  readonly expanded: { size: number };
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly template: JsonObject;
  /** Current values of the enclosing loops, by identifier. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Expands the loops of `AWS::LanguageExtensions`; its functions are evaluated with all others.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/transform-aws-languageextensions.html
 */
export function expandLanguage(template: JsonObject, parameters: Readonly<Record<string, unknown>>): JsonObject {
  return expand(template, { parameters, template, variables: {}, expanded: { size: 0 } }) as JsonObject;
}

/** Adds the size of a value. @throws AwsError `ValidationError` above `MAX_SIZE` */
function count({ expanded }: Scope, characters: number): void {
  expanded.size += characters + VALUE_SIZE;
  if (expanded.size > MAX_SIZE) throw templateError(`the expanded template exceeds ${MAX_SIZE} characters`);
}

function expand(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return substituted(value, scope);
  count(scope, 0);
  if (Array.isArray(value)) return value.map((item) => expand(item, scope));
  if (!isObject(value)) return value;
  if (Object.keys(value).length === 1 && typeof value.Ref === 'string' && Object.hasOwn(scope.variables, value.Ref))
    return scope.variables[value.Ref];
  const computed = computedOf(value, scope);
  if (computed !== undefined) return computed;
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const loop = /^Fn::ForEach::(.+)$/.exec(name)?.[1];
    if (loop === undefined) setMember(out, substituted(name, scope), expand(member, scope));
    else for (const [key, item] of Object.entries(iterate(loop, member, scope))) setMember(out, key, item);
  }
  return out;
}

/** Evaluates Fn::Length and Fn::ToJsonString of literal values; arguments with functions are evaluated later. */
function computedOf(value: JsonObject, scope: Scope): unknown {
  if (Object.keys(value).length !== 1) return undefined;
  if ('Fn::Length' in value) {
    const list = known(value['Fn::Length'], scope);
    return Array.isArray(list) ? list.length : undefined;
  }
  if (!('Fn::ToJsonString' in value)) return undefined;
  const inner = expand(value['Fn::ToJsonString'], scope);
  const text = JSON.stringify(inner);
  count(scope, text.length);
  return /"(?:Fn::\w+|Ref|Condition)":/.test(text) ? { 'Fn::ToJsonString': inner } : text;
}

function substituted(text: string, scope: Scope): string {
  const { variables } = scope;
  const result = text.replace(
    /\$\{([A-Za-z0-9]+)\}|&\{([A-Za-z0-9]+)\}/g,
    (place, plain: string | undefined, cleaned: string | undefined) => {
      const name = plain ?? cleaned!;
      if (!Object.hasOwn(variables, name)) return place;
      return cleaned === undefined ? variables[name]! : variables[name]!.replace(/[^A-Za-z0-9]/g, '');
    },
  );
  count(scope, result.length);
  return result;
}

function iterate(loop: string, argument: unknown, scope: Scope): JsonObject {
  if (!Array.isArray(argument) || argument.length !== 3 || typeof argument[0] !== 'string' || !isObject(argument[2]))
    throw templateError(`Fn::ForEach::${loop} requires a list of three: an identifier, a collection and an output`);
  const [identifier, collection, output] = argument as [string, unknown, JsonObject];
  const out: JsonObject = {};
  for (const item of itemsOf(loop, collection, scope)) {
    const inner = { ...scope, variables: { ...scope.variables, [identifier]: item } };
    for (const [key, member] of Object.entries(expand(output, inner) as JsonObject)) {
      if (Object.hasOwn(out, key)) throw invalid(`Fn::ForEach::${loop} makes the key ${key} more than once`);
      setMember(out, key, member);
    }
  }
  return out;
}

function itemsOf(loop: string, collection: unknown, scope: Scope): string[] {
  const value = known(collection, scope);
  const list = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list)) throw templateError(`Fn::ForEach::${loop} could not resolve its collection`);
  const items = list.flatMap((item) => known(item, scope)).map(String);
  count(scope, items.length * VALUE_SIZE);
  if (items.length > MAX_ITEMS) throw templateError(`Fn::ForEach::${loop} has more than ${MAX_ITEMS} items`);
  return items;
}

/** Resolves a loop collection before resources exist: a list, a parameter or a mapping. */
function known(value: unknown, scope: Scope): unknown {
  const { parameters, template, variables } = scope;
  if (!isObject(value)) return value;
  if (typeof value.Ref === 'string') return variables[value.Ref] ?? parameters[value.Ref];
  const lookup = value['Fn::FindInMap'];
  if (!Array.isArray(lookup)) return undefined;
  const [map, key, attribute] = lookup.map((part) => known(part, scope));
  const entry = (template.Mappings as Record<string, Record<string, JsonObject>> | undefined)?.[String(map)]?.[
    String(key)
  ];
  return entry?.[String(attribute)];
}
