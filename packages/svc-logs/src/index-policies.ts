import { invalidParameter } from './errors.ts';
import type { LogGroup } from './groups/groups.ts';
import type { LogsRegistry } from './registry.ts';
import { parseSelection } from './subscriptions/selection.ts';

/** Maximum number of fields per policy, and characters per field name. */
const MAX_FIELDS = 20;
const MAX_CHARACTERS = 100;
/** Fields that cannot be indexed. */
const NEVER: readonly string[] = ['@message', '@timestamp', '@log'];

/** A field index policy. */
export interface IndexPolicyView {
  /** Undefined for a group's policy. */
  readonly name: string | undefined;
  readonly document: string;
  readonly fields: readonly string[];
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

/**
 * Parses the fields of an index policy.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutIndexPolicy.html
 */
export function parseIndexFields(document: string): string[] {
  let fields: unknown;
  let more: unknown;
  try {
    const policy = JSON.parse(document) as { Fields?: unknown; FieldsV2?: unknown } | null;
    fields = policy?.Fields ?? [];
    more = policy?.FieldsV2 ?? {};
  } catch {
    fields = undefined;
  }
  if (!Array.isArray(fields) || !fields.every((field) => typeof field === 'string') || typeof more !== 'object')
    throw invalidParameter('The specified index policy document is not valid.');
  const all = [...new Set([...(fields as string[]), ...Object.keys(more ?? {})])];
  if (!all.length || all.length > MAX_FIELDS)
    throw invalidParameter(`An index policy must have between 1 and ${MAX_FIELDS} fields.`);
  for (const field of all) {
    if (field === '' || field.length > MAX_CHARACTERS)
      throw invalidParameter(`The name of an indexed field must have between 1 and ${MAX_CHARACTERS} characters.`);
    if (NEVER.includes(field)) throw invalidParameter(`The field ${field} cannot be indexed.`);
  }
  return all;
}

/** Returns the index policies of a group, its own before the account's. */
export function indexPoliciesOf(state: LogsRegistry, group: LogGroup): IndexPolicyView[] {
  const own = group.record.indexPolicy;
  const views: IndexPolicyView[] = own ? [{ name: undefined, ...own, fields: parseIndexFields(own.document) }] : [];
  for (const policy of state.accountPolicies.values())
    if (policy.type === 'FIELD_INDEX_POLICY' && parseSelection(policy.selectionCriteria)(group.name))
      views.push({
        name: policy.name,
        document: policy.document,
        fields: parseIndexFields(policy.document),
        updatedAt: policy.updatedAt,
      });
  return views;
}

/**
 * Returns the fields of a policy whose values can be explored in the console.
 * @param document a validated policy
 */
export function facetsOf(document: string): string[] {
  const { FieldsV2 = {} } = JSON.parse(document) as { FieldsV2?: Record<string, { type?: unknown } | null> };
  return Object.entries(FieldsV2).flatMap(([name, settings]) => (settings?.type === 'FACET' ? [name] : []));
}
