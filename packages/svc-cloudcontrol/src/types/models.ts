import type { ResourceModel, ResourceProvider, ResourceTypeFacts } from '@emu/core';
import { isObject } from '@emu/wire';
import { invalid, notUpdatable } from '../errors.ts';

type Values = Record<string, unknown>;

/** Reads JSON text that has to be an object. @param what the input's member, for the message @throws AwsError `ValidationException` */
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

/** An identifier as a provider takes it: given as such, or as the properties that it consists of. */
export function identifierIn(given: string, { primaryIdentifier }: ResourceTypeFacts): string {
  if (!given.startsWith('{')) return given;
  const properties = objectIn(given, 'Identifier');
  return identifierOf(properties, primaryIdentifier) ?? missingIdentifier(primaryIdentifier);
}

function missingIdentifier(names: readonly string[]): never {
  throw invalid(`Identifier must have the properties [${names.join(', ')}]`);
}

/** A property by its name, or by a path of names with slashes, as the identifiers of a few types have. */
const valueAt = (properties: Readonly<Values>, path: string): unknown =>
  path.split('/').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], properties);

/** The identifier of properties that have all its parts. */
export function identifierOf(properties: Readonly<Values>, names: readonly string[]): string | undefined {
  const parts = names.map((name) => valueAt(properties, name));
  return parts.every((part) => typeof part === 'string') ? parts.join('|') : undefined;
}

/** What is told of a resource: its properties and attributes, but for what may only be written. */
export function modelOf({ properties, attributes }: ResourceModel, { writeOnly = [] }: ResourceTypeFacts): Values {
  // As JSON has it: without members that are undefined, which are no text in a model that is patched.
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

/** What a listing tells of a resource: the parts of its identifier. */
export function identifyingModel(identifier: string, { primaryIdentifier }: ResourceTypeFacts): Values {
  const parts = primaryIdentifier.length === 1 ? [identifier] : identifier.split('|');
  const nested = (path: string, value: unknown): [string, unknown] => {
    const [name = '', ...rest] = path.split('/');
    return [name, rest.reduceRight<unknown>((inner, member) => ({ [member]: inner }), value)];
  };
  return Object.fromEntries(primaryIdentifier.map((path, index) => nested(path, parts[index])));
}

/** @throws AwsError `NotUpdatableException` where a change is one that would make another resource */
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
