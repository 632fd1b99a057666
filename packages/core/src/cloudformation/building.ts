import { AwsError, awsError } from '@emu/wire';
import type { OperationName, OperationOutput, ServiceCaller, ServiceName } from '../calls/calls.ts';
import { tagList, tagMap } from '../resources/tag-lists.ts';
import type { CloudFormationModel, ResourceTypeFacts } from './facts.ts';
import type { ProviderContext } from './provider.ts';

/** A tag as most templates write it. */
export interface TemplateTag {
  readonly Key: string;
  readonly Value: string;
}

/** Properties by name, as far as a provider does not say more of them. */
export type Properties = Readonly<Record<string, unknown>>;

/** Properties with tags. */
export type TaggedProperties = Properties & { readonly Tags?: readonly TemplateTag[] };

/**
 * The facts of a type from a service's `model/cloudformation.json`.
 * @param model the imported file
 * @throws Error where it does not have the type
 */
export function factsOf(model: unknown, typeName: string): ResourceTypeFacts {
  const facts = (model as CloudFormationModel).types[typeName];
  if (!facts) throw new Error(`model/cloudformation.json has no facts of ${typeName}`);
  return facts;
}

/**
 * Runs an operation with an input made of a template's properties, which the service's model decodes and checks as a
 * request's.
 * @throws AwsError what the operation throws; the service's validation error for what is no input of it
 */
export async function run<Service extends ServiceName, Operation extends OperationName<Service>>(
  ctx: ServiceCaller,
  service: Service,
  operation: Operation,
  input: Properties,
): Promise<OperationOutput<Service, Operation>> {
  return (await ctx.callJson(service, operation, defined(input))) as OperationOutput<Service, Operation>;
}

/** What an operation answers, as properties of any name: see `run`. */
export async function ask<Service extends ServiceName>(
  ctx: ServiceCaller,
  service: Service,
  operation: OperationName<Service>,
  input: Properties,
): Promise<Properties> {
  return (await ctx.callJson(service, operation, defined(input))) as Properties;
}

/** The same code is written with `Exception` in the end by some services' models and without it by their answers. */
const plainCode = (code: string): string => code.replace(/Exception$/, '');

/**
 * Waits for a call.
 * @param codes of errors, with or without `Exception` in the end
 * @returns undefined where it fails with one of the codes
 * @throws what it fails with otherwise
 */
export async function unless<Output>(call: Promise<Output>, ...codes: readonly string[]): Promise<Output | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AwsError && codes.some((code) => plainCode(code) === plainCode(error.code))) return undefined;
    throw error;
  }
}

/** The members that are not undefined. */
export function defined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}

/** Some members, without those that are undefined. */
export function pick<Values extends object, Name extends string>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Extract<Name, keyof Values>> {
  const some = names.map((name) => [name, (values as Properties)[name]]);
  return defined(Object.fromEntries(some)) as Pick<Values, Extract<Name, keyof Values>>;
}

/** Every member but some, without those that are undefined. */
export function omit<Values extends object>(values: Values, ...names: readonly string[]): Properties {
  return defined(Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))));
}

/** Undefined for a list or an object without members. */
export function unlessEmpty<Value extends object>(value: Value | undefined): Value | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
}

/** Whether two values of properties say the same; the order of members does not matter, that of items does. */
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

/** Items that only the one or only the other list has. */
export function listChanges<Item>(
  previous: readonly Item[] = [],
  desired: readonly Item[] = [],
): { added: Item[]; removed: Item[] } {
  const lacks = (list: readonly Item[]) => (item: Item) => !list.some((other) => sameValue(item, other));
  return { added: desired.filter(lacks(previous)), removed: previous.filter(lacks(desired)) };
}

/** The operations by which tags are changed. */
export interface TagCalls {
  set(tags: readonly TemplateTag[]): Promise<unknown>;
  remove(keys: readonly string[]): Promise<unknown>;
}

/** Sets the tags that differ and removes those that are gone; others stay, also where someone else has set them. */
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

/** The most pages that are read of one list, so that a token that leads nowhere ends. */
const MAX_PAGES = 10_000;

/**
 * Every item of a list that comes in pages.
 * @param page asks for the page of a token, the first without one; answers its items and the next token
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

/** The same value with the names of all members beginning with a lower-case letter, as some services write them. */
export const lowerNames = (value: unknown): unknown => rename(value, (name) => name[0]!.toLowerCase() + name.slice(1));

/** The same value with the names of all members beginning with an upper-case letter, as templates write them. */
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

/** A document as a template writes it, from text that an operation returned. */
export function documentValue(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Values of a primary identifier of several parts. */
export const identifierOf = (...parts: readonly string[]): string => parts.join('|');

/** The parts of a primary identifier; all but the last hold no `|`. */
export function identifierParts(identifier: string, count: number): string[] {
  const parts = identifier.split('|');
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join('|')];
}

/** `<prefix><logical id>-<random>`, as some types name resources without the stack's name. */
export function nameWithoutStack(ctx: ProviderContext, prefix = ''): string {
  const name = ctx.name();
  return ctx.stack ? `${prefix}${ctx.stack.logicalId}-${name.slice(name.lastIndexOf('-') + 1)}` : name;
}

/**
 * Refuses to make what is there already, where the service's own operation would take it for its own.
 * @param existing what was found of that name
 * @throws AwsError `AlreadyExists`, in CloudFormation's words
 */
export function refuseExisting(typeName: string, identifier: string, existing: unknown): void {
  if (existing === undefined) return;
  throw awsError('AlreadyExists', `Resource of type '${typeName}' with identifier '${identifier}' already exists.`);
}
