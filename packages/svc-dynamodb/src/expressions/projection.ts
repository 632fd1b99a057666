import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { Item } from '../attributes/values.ts';
import { checkApart, valueAt } from './paths.ts';
import type { DocumentPath, Placeholders } from './placeholders.ts';
import { parseProjection } from './syntax.ts';

/** A bound projection: the requested parts of an item. */
export interface Projection {
  of(item: Item): Item;
  /** Top-level attributes that it reads. */
  readonly attributes: ReadonlySet<string>;
  /** Top-level attributes whose parts it reads. */
  readonly nested: ReadonlySet<string>;
}

/**
 * Parses a projection expression and binds its placeholders.
 * @throws AwsError `ValidationException` with DynamoDB's message
 */
export function bindProjection(text: string, placeholders: Placeholders): Projection {
  placeholders.check();
  const paths = parseProjection(text).map((node) => placeholders.path('ProjectionExpression', node));
  checkApart('ProjectionExpression', paths);
  return projectionOf(paths);
}

/** Returns the projection for a list of paths, also used for `AttributesToGet` and changed attributes. */
export function projectionOf(paths: readonly DocumentPath[]): Projection {
  const attributes = new Set(paths.map((path) => path[0] as string));
  const simple = paths.every((path) => path.length === 1);
  return {
    attributes,
    nested: new Set(paths.filter((path) => path.length > 1).map((path) => path[0] as string)),
    of(item) {
      if (simple) return pickAttributes(item, attributes);
      const tree: Branch = { children: new Map() };
      for (const path of paths) {
        const value = valueAt(item, path);
        if (value) graft(tree, path, value);
      }
      const picked: Item = {};
      for (const [name, branch] of tree.children) picked[name as string] = built(branch);
      return picked;
    },
  };
}

/**
 * Returns the projection of a PartiQL SELECT: values are named by the last name of their path, list elements by their
 * position in the projection.
 */
export function flatProjectionOf(paths: readonly DocumentPath[]): Projection {
  const named = paths.map((path, at) => {
    const last = path.at(-1)!;
    return { path, name: typeof last === 'number' ? `_${at + 1}` : last };
  });
  return {
    ...projectionOf(paths),
    of: (item) =>
      Object.fromEntries(
        named.flatMap(({ path, name }) => {
          const value = valueAt(item, path);
          return value ? [[name, value]] : [];
        }),
      ),
  };
}

/** Returns the named attributes that an item has. */
function pickAttributes(item: Item, names: Iterable<string>): Item {
  const out: Item = {};
  for (const name of names) if (Object.hasOwn(item, name)) out[name] = item[name]!;
  return out;
}

interface Branch {
  children: Map<string | number, Branch>;
  value?: AttributeValue;
}

function graft(root: Branch, path: DocumentPath, value: AttributeValue): void {
  let branch = root;
  for (const step of path) {
    let next = branch.children.get(step);
    if (!next) {
      next = { children: new Map() };
      branch.children.set(step, next);
    }
    branch = next;
  }
  branch.value = value;
}

/** Returns the projected value; selected list elements are compacted in list order. */
function built(branch: Branch): AttributeValue {
  if (branch.value) return branch.value;
  const entries = [...branch.children];
  if (typeof entries[0]![0] === 'number')
    return { L: entries.sort(([a], [b]) => (a as number) - (b as number)).map(([, child]) => built(child)) };
  const map: Item = {};
  for (const [name, child] of entries) map[name as string] = built(child);
  return { M: map };
}
