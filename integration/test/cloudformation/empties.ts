import { readFileSync } from 'node:fs';
import type {
  PropertyFacts,
  PropertyType,
  ResourceProvider,
  ResourceTypeFacts,
  ResourceValues,
} from '@emu/core/service';

/** Properties of a resource of which one is empty. */
export interface Empty {
  /** Path and value of the property, e.g. `Code.ImageUri=""`. */
  readonly name: string;
  /** Returns a resource's properties with the empty one. */
  in(properties: ResourceValues): ResourceValues;
}

/** Properties whose empty values AWS rejects. */
interface Refusals {
  readonly reason: string;
  readonly source: string;
  /** See `Empty.name`, by type. */
  readonly properties: Readonly<Record<string, readonly string[]>>;
}

const REFUSALS = JSON.parse(readFileSync(new URL('empties.json', import.meta.url), 'utf8')) as readonly Refusals[];

/** Returns the empty properties of a type that AWS rejects. */
export const knownRefusals = (type: string): readonly string[] =>
  REFUSALS.flatMap(({ properties }) => properties[type] ?? []);

/** Whether an error is of a constraint of the service's model, except for tags, which templates may leave empty. */
export const isOfModel = ({ message }: Error): boolean =>
  /validation errors? detected|failed to satisfy constraint/.test(message) && !/'tags'/i.test(message);

/**
 * Returns the empty value of each optional property: of those that a resource lacks, and of all in its objects.
 * @param properties of the resource
 */
export function emptiesOf({ facts, handles }: ResourceProvider, properties: ResourceValues): Empty[] {
  const found: Empty[] = [];
  const look = (all: Readonly<Record<string, PropertyFacts>>, at: readonly string[], value: ResourceValues): void => {
    for (const [name, { type, required }] of Object.entries(all)) {
      const path = [...at, name];
      if (!handled(handles, path) || (at.length === 0 && name === facts.name?.property)) continue;
      const current = value[name];
      const empty = required ? undefined : emptyOf(type, facts);
      if (empty !== undefined && (at.length > 0 || current === undefined))
        found.push({ name: `${path.join('.')}=${JSON.stringify(empty)}`, in: (whole) => put(whole, path, empty) });
      const within = objectIn(type, facts);
      const first = Array.isArray(current) ? current[0] : current;
      if (within && isRecord(first)) look(within, Array.isArray(current) ? [...path, '0'] : path, first);
    }
  };
  look(facts.properties, [], properties);
  return found;
}

const isRecord = (value: unknown): value is ResourceValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a provider supports a property, or one within it. */
function handled(handles: readonly string[], path: readonly string[]): boolean {
  const dotted = path.filter((name) => name !== '0').join('.');
  return handles.some((one) => one === dotted || one.startsWith(`${dotted}.`) || dotted.startsWith(`${one}.`));
}

/** Returns the members of a type's objects, or of the objects in its lists. */
function objectIn(type: PropertyType, facts: ResourceTypeFacts): Readonly<Record<string, PropertyFacts>> | undefined {
  if (typeof type === 'string') return undefined;
  if ('list' in type) return objectIn(type.list, facts);
  return 'ref' in type ? facts.definitions?.[type.ref] : undefined;
}

function emptyOf(type: PropertyType, facts: ResourceTypeFacts): unknown {
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  if (typeof type === 'string') return undefined;
  if ('list' in type) return [];
  if ('map' in type) return {};
  if (!('ref' in type)) return undefined;
  const members = Object.values(facts.definitions?.[type.ref] ?? {});
  return members.some(({ required }) => required) ? undefined : {};
}

function put(value: ResourceValues, [name = '', ...rest]: readonly string[], empty: unknown): ResourceValues {
  if (rest.length === 0) return { ...value, [name]: empty };
  const inner = value[name];
  // The object may be empty by then.
  if (inner === undefined) return value;
  if (!Array.isArray(inner)) return { ...value, [name]: put(inner as ResourceValues, rest, empty) };
  const [first, ...others] = inner as ResourceValues[];
  if (!first) return value;
  return { ...value, [name]: [put(first, rest.slice(1), empty), ...others] };
}
