import type { ResourceModel, ResourceProvider, ResourceTypeFacts } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { invalid, notUpdatable } from '../errors.ts';

type Values = Record<string, unknown>;

/**
 * Parses JSON text that must be an object.
 * @param what input member, for the message
 * @throws AwsError `ValidationException`
 */
export function objectIn(text: string, what: string): Values {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(`${what} is not valid JSON.`);
  }
  if (!isObject(value)) throw invalid(`${what} is not a JSON object.`);
  return value as Values;
}

/** Returns an identifier for a provider, given as text or as its properties. */
export function identifierIn(given: string, { primaryIdentifier }: ResourceTypeFacts): string {
  if (!given.startsWith('{')) return given;
  const properties = objectIn(given, 'Identifier');
  return identifierOf(properties, primaryIdentifier) ?? missingIdentifier(primaryIdentifier);
}

function missingIdentifier(names: readonly string[]): never {
  throw invalid(`Identifier must have the properties [${names.join(', ')}]`);
}

/** Returns a property by name, or by a path of names with slashes, as in the identifiers of a few types. */
const valueAt = (properties: Readonly<Values>, path: string): unknown =>
  path.split('/').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], properties);

/** Returns the identifier from properties that contain all its parts. */
export function identifierOf(properties: Readonly<Values>, names: readonly string[]): string | undefined {
  const parts = names.map((name) => valueAt(properties, name));
  return parts.every((part) => typeof part === 'string') ? parts.join('|') : undefined;
}

/** Returns the model of a resource: its properties and attributes, without write-only ones. */
export function modelOf({ properties, attributes }: ResourceModel, { writeOnly = [] }: ResourceTypeFacts): Values {
  // Without undefined members, as in JSON, because they cannot be serialized in a patched model.
  const model = JSON.parse(JSON.stringify({ ...properties, ...attributes })) as Values;
  for (const path of writeOnly) remove(model, path.split('.'));
  return model;
}

function remove(from: unknown, [name, ...rest]: string[]): void {
  if (typeof from !== 'object' || from === null || name === undefined) return;
  if (Array.isArray(from)) for (const item of from) remove(item, [name, ...rest]);
  else if (rest.length) remove((from as Values)[name], rest);
  else delete (from as Values)[name];
}

/** Returns the model of a resource in a list: the parts of its identifier. */
export function identifyingModel(identifier: string, { primaryIdentifier }: ResourceTypeFacts): Values {
  const parts = primaryIdentifier.length === 1 ? [identifier] : identifier.split('|');
  const nested = (path: string, value: unknown): [string, unknown] => {
    const [name = '', ...rest] = path.split('/');
    return [name, rest.reduceRight<unknown>((inner, member) => ({ [member]: inner }), value)];
  };
  return Object.fromEntries(primaryIdentifier.map((path, index) => nested(path, parts[index])));
}

/** @throws AwsError `NotUpdatableException` for a change that requires a replacement */
export function checkUpdatable(provider: ResourceProvider, previous: Values, desired: Values): void {
  const { facts } = provider;
  const names = [...new Set([...Object.keys(previous), ...Object.keys(desired)])];
  const changed = names.filter((name) => JSON.stringify(previous[name]) !== JSON.stringify(desired[name]));
  const readOnly = changed.filter(
    (name) => !Object.hasOwn(facts.properties, name) && Object.hasOwn(facts.attributes, name),
  );
  if (readOnly.length) throw notUpdatable('readOnlyProperties', readOnly);
  const fixed = changed.filter((name) => facts.properties[name]?.replacement === 'yes');
  if (fixed.length) throw notUpdatable('createOnlyProperties', fixed);
  const perhaps = changed.filter((name) => facts.properties[name]?.replacement === 'maybe');
  if (perhaps.length && provider.replaces?.(previous, desired)) throw notUpdatable('createOnlyProperties', perhaps);
}
