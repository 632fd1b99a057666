import type { OperationName } from '@emu/core/calls';
import { type KeyedList, listChanges, type Properties, run, sameValue } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';
import type { PatchOperation } from '@emu/service-types/apigateway';
import { textOf } from '@emu/wire';

/** Error code for missing resources. */
export const GONE = 'NotFoundException';

/** Returns the members with a lower-case first letter; keys of nested maps are unchanged. */
export const lowered = (values: Properties): Properties =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name[0]!.toLowerCase() + name.slice(1), value]),
  );

/** Returns members of a response as properties, without empty text and maps. */
export const raised = (values: Properties, names: readonly string[]): Properties =>
  Object.fromEntries(
    names.map((name) => [name, values[name[0]!.toLowerCase() + name.slice(1)]]).filter(([, value]) => isGiven(value)),
  );

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  (typeof value !== 'object' || Object.keys(value as object).length > 0);

/** Escapes a name for a patch path. */
export const pathPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Returns the patch that replaces changed properties.
 * @param paths of properties
 * @param defaults values of removed properties; others become empty, since few support removal
 */
export function replacements(
  previous: Properties,
  desired: Properties,
  paths: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>> = {},
): PatchOperation[] {
  return Object.entries(paths)
    .filter(([name]) => !sameValue(previous[name], desired[name]))
    .map(([name, path]) => {
      const value = desired[name] === undefined ? (defaults[name] ?? '') : textOf(desired[name]);
      return { op: 'replace', path, value };
    });
}

/**
 * Returns the patch that sets the entries of a map.
 * @param path of the map
 */
export function entryChanges(
  path: string,
  previous: Readonly<Record<string, string>> = {},
  desired: Readonly<Record<string, string>> = {},
): PatchOperation[] {
  const gone = Object.keys(previous).filter((name) => !(name in desired));
  const changed = Object.entries(desired).filter(([name, value]) => previous[name] !== value);
  return [
    ...gone.map((name): PatchOperation => ({ op: 'remove', path: `${path}/${pathPart(name)}` })),
    ...changed.map(([name, value]): PatchOperation => ({ op: 'replace', path: `${path}/${pathPart(name)}`, value })),
  ];
}

/** Applies a non-empty patch to a resource. */
export async function patch(
  operation: OperationName<'apigateway'>,
  key: Properties,
  patchOperations: readonly PatchOperation[],
  ctx: ProviderContext,
): Promise<void> {
  if (patchOperations.length)
    await run(ctx, 'apigateway', operation, { ...key, patchOperations: [...patchOperations] });
}

/** Returns the patch that adds and removes the items of a list. */
export function itemChanges(
  path: string,
  previous: readonly string[] | undefined,
  desired: readonly string[] | undefined,
): PatchOperation[] {
  const { added, removed } = listChanges(previous, desired);
  return [
    ...removed.map((value): PatchOperation => ({ op: 'remove', path, value })),
    ...added.map((value): PatchOperation => ({ op: 'add', path, value })),
  ];
}

/** Returns the list function of a type; all list operations have the same shape. */
export const listing = (operation: OperationName<'apigateway'>, id: (item: Properties) => string): KeyedList => ({
  operation,
  token: ['position', 'position'],
  identifiers: ({ items }: { items?: Properties[] }) => items?.map(id),
});

/** Returns the list function for parts of a REST API, identified by the API and their own id in either order. */
export const partListing = (
  operation: OperationName<'apigateway'>,
  identifier: (api: string, item: Properties) => string,
): KeyedList => ({
  operation,
  by: ['RestApiId'],
  input: ({ RestApiId }) => ({ restApiId: RestApiId }),
  token: ['position', 'position'],
  identifiers: ({ items }: { items?: Properties[] }, { RestApiId }) =>
    items?.map((item) => identifier(String(RestApiId), item)),
});
