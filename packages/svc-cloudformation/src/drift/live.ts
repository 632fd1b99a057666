import type { ResourceProvider, StateScope } from '@emu/core/service';
import type { ResourceDriftIgnoredAttribute, StackDriftStatus } from '@emu/service-types/cloudformation';
import { type Asker, readingContext } from '../host.ts';
import type { LiveRecord, PhysicalRecord } from '../stacks/records.ts';
import type { Resource } from '../stacks/registry.ts';
import type { JsonObject } from '../templates/values.ts';
import { compared } from './compare.ts';
import { driftOfAll, forEachConcurrently } from './reading.ts';
import type { DriftTypes } from './types.ts';

/** Live state of a stack's resources by logical id. */
export type LiveStates = Readonly<Record<string, LiveRecord>>;

type Facts = ResourceProvider['facts'];
type Physical = Pick<PhysicalRecord, 'properties' | 'tags'>;

/** Reads the current state of a stack's resources. Records resources that cannot be read instead of failing. */
export async function liveStates(
  resources: readonly Resource[],
  types: DriftTypes,
  scope: StateScope,
  asker: Asker,
): Promise<LiveStates> {
  const found: Record<string, LiveRecord> = {};
  await forEachConcurrently(resources, async (resource) => {
    if (resource.current) found[resource.logicalId] = await liveState(resource, types, scope, asker);
  });
  return found;
}

async function liveState(
  { current }: Resource,
  types: DriftTypes,
  scope: StateScope,
  asker: Asker,
): Promise<LiveRecord> {
  const { type, identifier, properties, tags } = current!;
  const at = scope.clock.now();
  const provider = await types.comparable(type);
  if (!provider) return { status: 'UNSUPPORTED', at };
  const expected = structuredClone(properties) as JsonObject;
  try {
    const ctx = readingContext(scope, asker, new AbortController().signal);
    const read = await provider.read(identifier, ctx, expected);
    if (!read) return { status: 'DELETED', at };
    const model = { ...read.properties } as JsonObject;
    const { differences } = comparison(provider.facts, expected, model, { properties: expected, tags: [...tags] }, {});
    return { status: differences.length ? 'MODIFIED' : 'IN_SYNC', at, model: JSON.stringify(model) };
  } catch {
    // Drift detection reports the reason.
    return { status: 'UNKNOWN', at };
  }
}

/** Returns the drift status of the whole stack. */
export const stackDriftOf = (live: LiveStates): StackDriftStatus =>
  driftOfAll(Object.values(live).map(({ status }) => status));

/** Returns the paths of properties that cannot be checked for drift. */
export const ignoredAttributes = ({ writeOnly = [] }: Facts, given: JsonObject): ResourceDriftIgnoredAttribute[] =>
  writeOnly
    .filter((path) => given[path.split('.')[0]!] !== undefined)
    .map((path) => ({ Path: `/Properties/${path.replaceAll('.', '/')}`, Reason: 'WRITE_ONLY_PROPERTY' }));

/**
 * Returns the actual properties of the resource, restricted to what the last or the next deployment sets: other
 * properties, such as tags added by others, do not count as drift.
 * @param current properties of the last deployment
 * @param desired properties of the next deployment
 */
export function livePropertiesOf(
  facts: Facts,
  current: Physical,
  desired: JsonObject,
  live: LiveRecord | undefined,
): JsonObject {
  const previous = structuredClone(current.properties) as JsonObject;
  if (live?.model === undefined) return previous;
  const model = JSON.parse(live.model) as JsonObject;
  const was = comparison(facts, previous, model, current, desired);
  const will = comparison(facts, desired, model, current, desired);
  const out = { ...previous };
  for (const name of new Set([...Object.keys(was.expected), ...Object.keys(will.expected)])) {
    // Write-only properties are assumed to be unchanged.
    if (Object.hasOwn(previous, name) ? !Object.hasOwn(was.expected, name) : !Object.hasOwn(will.expected, name))
      continue;
    if (Object.hasOwn(previous, name) && !differsAt(was.differences, name)) continue;
    if (Object.hasOwn(will.expected, name) && !differsAt(will.differences, name)) out[name] = desired[name];
    else {
      const actual = was.actual[name] ?? will.actual[name];
      if (actual === undefined) delete out[name];
      else out[name] = actual;
    }
  }
  return out;
}

const differsAt = (differences: readonly { PropertyPath: string }[], name: string): boolean =>
  differences.some(({ PropertyPath }) => PropertyPath === `/${name}` || PropertyPath.startsWith(`/${name}/`));

/** Compares one side with the actual properties, ignoring tags that neither deployment sets. */
function comparison(facts: Facts, side: JsonObject, model: JsonObject, current: Physical, desired: JsonObject) {
  const { tags } = facts;
  const known = new Set(
    tags ? [...tagKeys(current.properties[tags.property]), ...tagKeys(desired[tags.property])] : [],
  );
  const foreign = tags ? tagKeys(model[tags.property]).filter((key) => !known.has(key)) : [];
  return compared(facts, side, model, new Set(foreign));
}

function tagKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(({ Key }: { Key: string }) => Key);
  return value && typeof value === 'object' ? Object.keys(value) : [];
}
