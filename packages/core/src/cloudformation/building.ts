import { AwsError, awsError, jsonOrText } from '@emu/wire';
import type { OperationName, OperationOutput, ServiceCaller, ServiceName } from '../calls/calls.ts';
import { tagList, tagMap } from '../resources/tag-lists.ts';
import type { CloudFormationModel, ResourceTypeFacts } from './facts.ts';
import type { ProviderContext } from './provider.ts';

/** A tag in the form of most templates. */
export interface TemplateTag {
  readonly Key: string;
  readonly Value: string;
}

/** Properties by name, unless a provider types them. */
export type Properties = Readonly<Record<string, unknown>>;

/** Properties with tags. */
export type TaggedProperties = Properties & { readonly Tags?: readonly TemplateTag[] };

/**
 * Returns the facts of a type in a service's `model/cloudformation.json`.
 * @param model the imported file
 * @throws Error for an unknown type
 */
export function factsOf(model: unknown, typeName: string): ResourceTypeFacts {
  const facts = (model as CloudFormationModel).types[typeName];
  if (!facts) throw new Error(`model/cloudformation.json has no facts of ${typeName}`);
  return facts;
}

/**
 * Runs an operation with an input from a template's properties, which the service's model decodes and checks like a
 * request's.
 * @throws AwsError of the operation; the service's validation error for an invalid input
 */
export async function run<Service extends ServiceName, Operation extends OperationName<Service>>(
  ctx: ServiceCaller,
  service: Service,
  operation: Operation,
  input: Properties,
): Promise<OperationOutput<Service, Operation>> {
  return (await ctx.callJson(service, operation, defined(input))) as OperationOutput<Service, Operation>;
}

/** Runs an operation and returns its output as properties of any name; see `run`. */
export async function ask<Service extends ServiceName>(
  ctx: ServiceCaller,
  service: Service,
  operation: OperationName<Service>,
  input: Properties,
): Promise<Properties> {
  return (await ctx.callJson(service, operation, defined(input))) as Properties;
}

/** Removes the suffix `Exception` of a code: some services have it in their models and not in their responses. */
const plainCode = (code: string): string => code.replace(/Exception$/, '');

/**
 * Awaits a call.
 * @param codes error codes, with or without the suffix `Exception`
 * @returns undefined if it fails with one of the codes
 * @throws any other error
 */
export async function unless<Output>(call: Promise<Output>, ...codes: readonly string[]): Promise<Output | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AwsError && codes.some((code) => plainCode(code) === plainCode(error.code))) return undefined;
    throw error;
  }
}

/** Returns the members that are not undefined. */
export function defined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}

/** Returns some members, without undefined ones. */
export function pick<Values extends object, Name extends string>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Extract<Name, keyof Values>> {
  const some = names.map((name) => [name, (values as Properties)[name]]);
  return defined(Object.fromEntries(some)) as Pick<Values, Extract<Name, keyof Values>>;
}

/** Returns all members except some, without undefined ones. */
export function omit<Values extends object>(values: Values, ...names: readonly string[]): Properties {
  return defined(Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))));
}

/** Returns the value; undefined for an empty list or object. */
export function unlessEmpty<Value extends object>(value: Value | undefined): Value | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
}

/** Whether two values of properties are equal. The order of items matters, that of members does not. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameValue((one as Properties)[name], (other as Properties)[name]));
}

/** Whether one of the properties, or any, differs. */
export function differs(previous: Properties, desired: Properties, ...names: readonly string[]): boolean {
  if (names.length === 0) return !sameValue(defined(previous), defined(desired));
  return names.some((name) => !sameValue(previous[name], desired[name]));
}

/** Returns items of only one of two lists. */
export function listChanges<Item>(
  previous: readonly Item[] = [],
  desired: readonly Item[] = [],
): { added: Item[]; removed: Item[] } {
  const lacks = (list: readonly Item[]) => (item: Item) => !list.some((other) => sameValue(item, other));
  return { added: desired.filter(lacks(previous)), removed: previous.filter(lacks(desired)) };
}

/** The operations that change tags. */
export interface TagCalls {
  set(tags: readonly TemplateTag[]): Promise<unknown>;
  remove(keys: readonly string[]): Promise<unknown>;
}

/**
 * Sets tags that differ, and removes tags that are no longer desired. Keeps other tags, including those set by others.
 */
export async function changeTags(
  previous: readonly TemplateTag[] | undefined,
  desired: readonly TemplateTag[] | undefined,
  { set, remove }: TagCalls,
): Promise<void> {
  const before = tagMap(previous) ?? {};
  const after = tagMap(desired) ?? {};
  const gone = Object.keys(before).filter((key) => !(key in after));
  if (gone.length) await remove(gone);
  const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
  const list = tagList(Object.fromEntries(changed));
  if (list) await set(list);
}

/** Maximum number of pages of one list, so that a token that never ends does not loop. */
const MAX_PAGES = 10_000;

/**
 * Returns every item of a paged list.
 * @param page requests the page of a token, the first without one; returns its items and the next token
 */
export async function everyItem<Item>(
  page: (token: string | undefined) => Promise<readonly [readonly Item[] | undefined, string | undefined]>,
): Promise<Item[]> {
  const all: Item[] = [];
  let token: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const [items = [], next] = await page(token);
    all.push(...items);
    if (!next || next === token) break;
    token = next;
  }
  return all;
}

/** Returns a value with a lower-case first letter in all member names, as in some services. */
export const lowerNames = (value: unknown): unknown => rename(value, (name) => name[0]!.toLowerCase() + name.slice(1));

/** Returns a value with an upper-case first letter in all member names, as in templates. */
export const upperNames = (value: unknown): unknown => rename(value, (name) => name[0]!.toUpperCase() + name.slice(1));

function rename(value: unknown, change: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name ? change(name) : name, rename(member, change)]),
  );
}

/** Parses a document that an operation returned as text into a template's form. */
export const documentValue = (text: string | undefined): unknown => (text === undefined ? undefined : jsonOrText(text));

/** Returns a primary identifier of several parts. */
export const identifierOf = (...parts: readonly string[]): string => parts.join('|');

/** Splits a primary identifier into its parts; only the last may contain `|`. */
export function identifierParts(identifier: string, count: number): string[] {
  const parts = identifier.split('|');
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join('|')];
}

/** Returns `<prefix><logical id>-<random>`, the form of some types' names, without the stack's name. */
export function nameWithoutStack(ctx: ProviderContext, prefix = ''): string {
  const name = ctx.name();
  return ctx.stack ? `${prefix}${ctx.stack.logicalId}-${name.slice(name.lastIndexOf('-') + 1)}` : name;
}

/**
 * Rejects the creation of an existing resource, if the service's own operation would succeed.
 * @param existing a resource of that name, if any
 * @throws AwsError `AlreadyExists`, with CloudFormation's message
 */
export function refuseExisting(typeName: string, identifier: string, existing: unknown): void {
  if (existing === undefined) return;
  throw awsError('AlreadyExists', `Resource of type '${typeName}' with identifier '${identifier}' already exists.`);
}
