import type { DeepReadonly } from '@emu/core/service';
import type { MeasuredObject } from '@emu/service-types/internal/s3';
import type { SelectionCriteria } from '@emu/service-types/s3control';

/** Kind of an export row. */
export type RecordType = 'ACCOUNT' | 'BUCKET' | 'PREFIX' | 'STORAGE_LENS_GROUP_BUCKET' | 'STORAGE_LENS_GROUP_ACCOUNT';

/** Aggregation of a bucket's objects: the bucket, a prefix, a group. */
export interface Label {
  readonly type: 'BUCKET' | 'PREFIX' | 'GROUP';
  /** A prefix, or the ARN of a group. */
  readonly value: string;
}

/** Formats a label as text. */
const labelText = ({ type, value }: Label): string => `${type}:${value}`;

/** Parses a label. */
export function labelOf(text: string): Label {
  const at = text.indexOf(':');
  return { type: text.slice(0, at) as Label['type'], value: text.slice(at + 1) };
}

/** Default prefix depth, and default minimum share of a bucket. */
const DEFAULT_DEPTH = 5;
const DEFAULT_PERCENTAGE = 1;

/** Selection of reported prefixes. */
export class Prefixes {
  private readonly delimiter: string;
  private readonly depth: number;
  /** Minimum percentage of a bucket's bytes for reported prefixes. */
  readonly percentage: number;

  constructor(criteria: DeepReadonly<SelectionCriteria> | undefined, delimiter: string | undefined) {
    this.delimiter = criteria?.Delimiter ?? delimiter ?? '/';
    this.depth = criteria?.MaxDepth ?? DEFAULT_DEPTH;
    this.percentage = criteria?.MinStorageBytesPercentage ?? DEFAULT_PERCENTAGE;
  }

  /** Yields the prefixes of a key, each with its trailing delimiter. */
  *of(key: string): Generator<string> {
    let end = 0;
    for (let depth = 0; depth < this.depth; depth++) {
      const at = key.indexOf(this.delimiter, end);
      if (at < 0) return;
      end = at + this.delimiter.length;
      yield key.slice(0, end);
    }
  }
}

/** Returns the aggregations of an object. */
export function* labelsOf(
  object: MeasuredObject,
  prefixes: Prefixes | undefined,
  groups: readonly { readonly arn: string; matches(object: MeasuredObject): boolean }[],
): Generator<string> {
  yield labelText({ type: 'BUCKET', value: '' });
  for (const value of prefixes?.of(object.key) ?? []) yield labelText({ type: 'PREFIX', value });
  for (const group of groups) if (group.matches(object)) yield labelText({ type: 'GROUP', value: group.arn });
}
