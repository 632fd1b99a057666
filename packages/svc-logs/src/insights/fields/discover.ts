import type { QueryEvent } from '../engine/event.ts';
import type { Value } from '../engine/values.ts';
import { flowLogFields, resolverFields } from './aws-logs.ts';
import type { Fields } from './fields.ts';
import { JsonFields, parseObject } from './json.ts';
import { isLambda, lambdaFields } from './lambda.ts';

/** Fields by name. */
class NamedFields implements Fields {
  constructor(
    private readonly named: ReadonlyMap<string, Value>,
    private readonly rest?: Fields,
  ) {}

  get(name: string, segments: readonly string[]): Value {
    return this.named.get(name) ?? this.rest?.get(name, segments);
  }

  *entries(): Iterable<readonly [string, Value]> {
    yield* this.named;
    if (this.rest) yield* this.rest.entries();
  }
}

const NONE: Fields = new NamedFields(new Map());
const BRACE = 123;
const SPACE = 32;

/**
 * Returns the fields that Logs Insights discovers in an event.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData-discoverable-fields.html
 */
export function discover({ group, message, transformed }: QueryEvent): Fields {
  if (!group.discovers) return NONE;
  const text = transformed ?? message;
  let start = 0;
  while (text.charCodeAt(start) <= SPACE) start++;
  if (text.charCodeAt(start) === BRACE) {
    const object = parseObject(text);
    if (object) return new JsonFields(object, text.length);
  }
  if (isLambda(group.name, text)) {
    const { fields, json } = lambdaFields(text);
    const object = json === undefined ? undefined : parseObject(json);
    return new NamedFields(fields, object && new JsonFields(object, text.length));
  }
  const known = flowLogFields(text) ?? resolverFields(text);
  return known ? new NamedFields(known) : NONE;
}
