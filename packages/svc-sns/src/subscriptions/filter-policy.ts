import {
  compilePattern,
  FILTER_POLICIES,
  jsonSyntaxError,
  matchesPattern,
  type Pattern,
  PatternError,
  type PatternEvent,
  parsePatternEvent,
  patternEvent,
} from '@emu/core/patterns';
import { isObject, parseJson } from '@emu/wire';
import { invalidParameter } from '../errors.ts';
import type { StoredAttribute } from '../records.ts';

/** Part of the message to which a filter policy applies. */
export type FilterPolicyScope = 'MessageAttributes' | 'MessageBody';

const MAX_KEYS = 5;
const MAX_COMBINATIONS = 150;

type PolicyNode = { [name: string]: PolicyNode | unknown[] };

/**
 * Validates a FilterPolicy.
 * @param prefix of error messages, `Attributes Reason: ` for Subscribe
 * @see https://docs.aws.amazon.com/sns/latest/dg/subscription-filter-policy-constraints.html
 */
export function checkFilterPolicy(json: string, scope: FilterPolicyScope, prefix: string): void {
  const refuse = (reason: string) => invalidParameter(`${prefix}FilterPolicy: ${reason}`);
  const error = jsonSyntaxError(json);
  if (error) throw refuse(`failed to parse JSON. ${error}`);
  const policy = parseJson(json) as PolicyNode;
  let pattern: Pattern;
  try {
    if (scope === 'MessageAttributes') checkFlat(policy);
    pattern = compilePattern(json, FILTER_POLICIES);
  } catch (failure) {
    if (failure instanceof PatternError) throw refuse(failure.message);
    throw failure;
  }
  const { keys, combinations } = measure(policy, 1);
  if (keys > MAX_KEYS) throw refuse(`Filter policy can not have more than ${MAX_KEYS} keys`);
  if (combinations > MAX_COMBINATIONS || !pattern.branches.length) throw refuse('Filter policy is too complex');
}

/** Attributes are not nested, so policies for them must not be either. Malformed policies are rejected elsewhere. */
function checkFlat(policy: unknown): void {
  if (!isObject(policy)) return;
  for (const [name, value] of Object.entries(policy))
    if (name === '$or' && Array.isArray(value)) value.forEach(checkFlat);
    else if (isObject(value) && Object.values(value).every((inner) => typeof inner === 'object' && inner !== null))
      throw invalidParameter('Filter policy scope MessageAttributes does not support nested filter policy');
}

/**
 * Returns the size of a policy as SNS counts it: the values of each key times its nesting, multiplied for keys that
 * must all match and added for alternatives.
 */
function measure(node: PolicyNode, depth: number): { keys: number; combinations: number } {
  let keys = 0;
  let combinations = 1;
  for (const [name, value] of Object.entries(node)) {
    if (name === '$or' && Array.isArray(value)) {
      const alternatives = value.map((alternative) => measure(alternative as PolicyNode, depth));
      keys += alternatives.reduce((sum, alternative) => sum + alternative.keys, 0);
      combinations *= alternatives.reduce((sum, alternative) => sum + alternative.combinations, 0);
    } else if (Array.isArray(value)) {
      keys++;
      combinations *= value.length * depth;
    } else {
      const inner = measure(value, depth + 1);
      keys += inner.keys;
      combinations *= inner.combinations;
    }
  }
  return { keys, combinations };
}

/** Compiles a valid policy. */
export function compileFilter(json: string): Pattern {
  return compilePattern(json, FILTER_POLICIES);
}

/** Views of a message for filter policies, each created when first needed. */
export class FilterableMessage {
  private attributesView: PatternEvent | undefined;
  private readonly bodies = new Map<string, PatternEvent | undefined>();

  constructor(private readonly attributes: Readonly<Record<string, StoredAttribute>> | undefined) {}

  /** @param body that the subscriber would receive */
  matches(pattern: Pattern, scope: FilterPolicyScope, body: string): boolean {
    if (scope === 'MessageAttributes') {
      this.attributesView ??= patternEvent(attributeValues(this.attributes));
      return this.attributesView !== undefined && matchesPattern(pattern, this.attributesView);
    }
    if (!this.bodies.has(body)) this.bodies.set(body, parsePatternEvent(body));
    const view = this.bodies.get(body);
    return view !== undefined && matchesPattern(pattern, view);
  }

  /**
   * Reason why a policy did not match, as in the metrics of filtered messages.
   * @see https://docs.aws.amazon.com/sns/latest/dg/sns-monitoring-using-cloudwatch.html
   */
  reasonOf(scope: FilterPolicyScope, body: string): FilterReason {
    if (scope === 'MessageBody') return this.bodies.get(body) === undefined ? 'InvalidMessageBody' : 'MessageBody';
    const attributes = Object.values(this.attributes ?? {});
    if (!attributes.length) return 'NoMessageAttributes';
    return attributes.every(isReadable) ? 'MessageAttributes' : 'InvalidAttributes';
  }
}

/** Reason why a message was filtered out. */
export type FilterReason =
  | 'InvalidAttributes'
  | 'InvalidMessageBody'
  | 'MessageAttributes'
  | 'MessageBody'
  | 'NoMessageAttributes';

/** Whether policies can use an attribute. An array must be valid JSON. */
function isReadable({ type, value }: StoredAttribute): boolean {
  if (type !== 'String.Array') return true;
  try {
    parseJson(value);
    return true;
  } catch {
    return false;
  }
}

/** Returns the values of message attributes by name, without binary ones. */
function attributeValues(attributes: Readonly<Record<string, StoredAttribute>> | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, { type, value }] of Object.entries(attributes ?? {}))
    if (type === 'String.Array') values[name] = elementsOf(value);
    else if (type.startsWith('String')) values[name] = value;
    else if (type.startsWith('Number')) values[name] = Number(value);
  return values;
}

/** Returns the elements of an array attribute. A value that is not an array counts as the only element. */
function elementsOf(json: string): unknown[] {
  try {
    const value: unknown = parseJson(json);
    return (Array.isArray(value) ? value : [value]).filter(
      (element) => typeof element !== 'object' || element === null,
    );
  } catch {
    return [];
  }
}
