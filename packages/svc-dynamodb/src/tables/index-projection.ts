import type { Select } from '@emu/service-types/dynamodb';
import { keyAttributes } from '../attributes/keys.ts';
import { invalid } from '../errors.ts';
import type { SecondaryIndex, Table } from './table.ts';

/**
 * Whether a query of a local index must fetch from its table; a global index rejects attributes outside its projection.
 * @param wanted requested top-level attributes; undefined for the projected ones
 * @throws AwsError `ValidationException`
 */
export function fetchesFor(
  table: Table,
  index: SecondaryIndex,
  wanted: ReadonlySet<string> | undefined,
  select?: Select,
): boolean {
  if (index.projection.ProjectionType === 'ALL') return false;
  if (select === 'ALL_ATTRIBUTES') {
    if (index.kind === 'local') return true;
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
  if (!wanted) return false;
  const missing = missingOf(table, index, wanted);
  if (!missing.length) return false;
  if (index.kind === 'local') return true;
  throw invalid(
    `One or more parameter values were invalid: Global secondary index ${index.name} does not project [${missing.join(', ')}]`,
  );
}

/** Returns the attributes that an index does not contain. */
function missingOf(table: Table, index: SecondaryIndex, names: Iterable<string>): string[] {
  if (index.projection.ProjectionType === 'ALL') return [];
  const held = new Set(
    [...keyAttributes(table.primary.schema), ...keyAttributes(index.items.schema)].map(({ name }) => name),
  );
  for (const name of index.projection.NonKeyAttributes ?? []) held.add(name);
  return [...names].filter((name) => !held.has(name));
}

/**
 * Checks that a query of an index filters by projected attributes; scans may filter by any attribute.
 * @throws AwsError `ValidationException`
 */
export function checkFilterProjected(table: Table, index: SecondaryIndex, names: Iterable<string>): void {
  const missing = missingOf(table, index, names);
  if (missing.length)
    throw invalid(
      `One or more parameter values were invalid: Secondary index ${index.name} does not project one or more filter attributes: [${missing.join(', ')}]`,
    );
}
