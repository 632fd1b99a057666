import type { OperationName } from '@emu/core/calls';
import {
  changeTags,
  type KeyedList,
  listChanges,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
} from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';
import type { PatchOperation } from '@emu/service-types/apigateway';

/** The code of every answer for what is not there. */
export const GONE = 'NotFoundException';

/** The same members with names that begin with a lower-case letter; what is in them, as the keys of maps, stays. */
export const lowered = (values: Properties): Properties =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name[0]!.toLowerCase() + name.slice(1), value]),
  );

/** Some members of an answer, as properties; text and maps that are empty are left out. */
export const raised = (values: Properties, names: readonly string[]): Properties =>
  Object.fromEntries(
    names.map((name) => [name, values[name[0]!.toLowerCase() + name.slice(1)]]).filter(([, value]) => isGiven(value)),
  );

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  (typeof value !== 'object' || Object.keys(value as object).length > 0);

/** A name as a part of a patch's path. */
export const pathPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/**
 * The patch that replaces what differs.
 * @param paths of properties @param defaults what a property becomes that is no longer given; others become empty, as
 *   hardly any may be removed
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

/** The patch that makes the entries of a map those that are desired. @param path of the map */
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

/** Sets the tags of a resource that differ, and takes those away that are gone. */
export const changeTagsOf = (
  resourceArn: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> =>
  changeTags(previous.Tags, desired.Tags, {
    set: (tags) =>
      ctx.call('apigateway', 'TagResource', {
        resourceArn,
        tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
      }),
    remove: (keys) => ctx.call('apigateway', 'UntagResource', { resourceArn, tagKeys: [...keys] }),
  });

/** Changes a resource by a patch, unless that is empty. */
export async function patch(
  operation: OperationName<'apigateway'>,
  key: Properties,
  patchOperations: readonly PatchOperation[],
  ctx: ProviderContext,
): Promise<void> {
  if (patchOperations.length)
    await run(ctx, 'apigateway', operation, { ...key, patchOperations: [...patchOperations] });
}

/** The patch that adds and removes the items of a list. */
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

/** How a type is listed: every operation has its items and pages alike. */
export const listing = (operation: OperationName<'apigateway'>, id: (item: Properties) => string): KeyedList => ({
  operation,
  token: ['position', 'position'],
  identifiers: ({ items }: { items?: Properties[] }) => items?.map(id),
});

/** How the parts of a REST API are listed, each with its API before or after its own id. */
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
