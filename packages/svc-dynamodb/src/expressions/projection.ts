import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { Item } from '../items/values.ts';
import { checkApart, valueAt } from './paths.ts';
import type { DocumentPath, Placeholders } from './placeholders.ts';
import { parseProjection } from './syntax.ts';

/** A bound projection: the parts of an item that were asked for. */
export interface Projection {
  of(item: Item): Item;
  /** Top-level attributes it reads. */
  readonly attributes: ReadonlySet<string>;
  /** Those of them that it reads parts of. */
  readonly nested: ReadonlySet<string>;
}

/**
 * Parses a projection expression and binds its placeholders.
 * @throws AwsError `ValidationException` in DynamoDB's words
 */
export function bindProjection(text: string, placeholders: Placeholders): Projection {
  placeholders.check();
  const paths = parseProjection(text).map((node) => placeholders.path('ProjectionExpression', node));
  checkApart('ProjectionExpression', paths);
  return projectionOf(paths);
}

/** The projection of a list of paths, also used for `AttributesToGet` and changed attributes. */
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
 * The projection of a PartiQL SELECT: each value by the last name of its path, elements of lists by their place in the
 * projection.
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

/** The named attributes of an item, as far as it has them. */
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

/** List elements that were asked for close ranks, in the order of the list. */
function built(branch: Branch): AttributeValue {
  if (branch.value) return branch.value;
  const entries = [...branch.children];
  if (typeof entries[0]![0] === 'number')
    return { L: entries.sort(([a], [b]) => (a as number) - (b as number)).map(([, child]) => built(child)) };
  const map: Item = {};
  for (const [name, child] of entries) map[name as string] = built(child);
  return { M: map };
}
