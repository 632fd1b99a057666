import { isObject, parseJson } from '@emu/wire';
import { invalidParameterValue } from '../errors.ts';

/** A condition on a field of an event. */
export interface InsightFilter {
  Match: string;
  In?: string[];
  NotIn?: string[];
  StartsWith?: string[];
  GreaterThan?: number;
  LessThan?: number;
  EqualTo?: number;
  NotEqualTo?: number;
  IsPresent?: boolean;
}

/** Parsed definition of a Contributor Insights rule. */
export interface InsightDefinition {
  groups: string[];
  format: 'JSON' | 'CLF';
  /** Column names by number from 1. */
  fields: Record<string, string>;
  keys: string[];
  valueOf: string | undefined;
  filters: InsightFilter[];
  aggregateOn: 'Count' | 'Sum';
}

const MAX_KEYS = 4;
const MAX_FILTERS = 4;

const invalid = (reason: string) => invalidParameterValue(`The rule definition is not valid: ${reason}`);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/**
 * Parses a rule's definition.
 * @throws AwsError `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/ContributorInsights-RuleSyntax.html
 */
export function parseDefinition(text: string): InsightDefinition {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    throw invalid('it is not valid JSON.');
  }
  if (!isObject(json)) throw invalid('it is not a JSON object.');
  const { Schema: schema, LogGroupNames, LogGroupARNs, LogFormat, Fields = {}, Contribution, AggregateOn } = json;
  if (!isObject(schema) || schema.Name !== 'CloudWatchLogRule' || schema.Version !== 1)
    throw invalid('Schema must be {"Name": "CloudWatchLogRule", "Version": 1}.');
  const groups = LogGroupNames ?? LogGroupARNs;
  if (!isTexts(groups) || !groups.length) throw invalid('LogGroupNames must be an array of names.');
  if (LogFormat !== 'JSON' && LogFormat !== 'CLF') throw invalid('LogFormat must be JSON or CLF.');
  if (AggregateOn !== 'Count' && AggregateOn !== 'Sum') throw invalid('AggregateOn must be Count or Sum.');
  if (!isObject(Contribution)) throw invalid('Contribution is missing.');
  const { Keys, ValueOf, Filters = [] } = Contribution;
  if (!isTexts(Keys) || !Keys.length || Keys.length > MAX_KEYS)
    throw invalid(`Keys must have 1 to ${MAX_KEYS} fields.`);
  if (AggregateOn === 'Sum' && typeof ValueOf !== 'string') throw invalid('ValueOf is missing.');
  if (!Array.isArray(Filters) || Filters.length > MAX_FILTERS)
    throw invalid(`Filters must be an array of up to ${MAX_FILTERS} filters.`);
  for (const filter of Filters)
    if (!isObject(filter) || typeof filter.Match !== 'string') throw invalid('a filter has no Match.');
  if (!isObject(Fields)) throw invalid('Fields must be an object.');
  return {
    groups: groups.map((group) => group.replace(/^arn:[^:]+:logs:[^:]*:\d*:log-group:/, '').replace(/:\*$/, '')),
    format: LogFormat,
    fields: Fields as Record<string, string>,
    keys: Keys,
    valueOf: ValueOf as string | undefined,
    filters: Filters as InsightFilter[],
    aggregateOn: AggregateOn,
  };
}

/** Matches fields of a line in the common log format: words, quoted and bracketed text. */
const COLUMN = /"((?:[^"\\]|\\.)*)"|\[([^\]]*)\]|(\S+)/g;

/**
 * Returns fields of an event.
 * @returns undefined for missing fields
 */
export function fieldsOf(
  { format, fields }: InsightDefinition,
  message: string,
): ((name: string) => unknown) | undefined {
  if (format === 'CLF') {
    const columns = [...message.matchAll(COLUMN)].map(([, quoted, bracketed, word]) => quoted ?? bracketed ?? word);
    const byName = new Map(Object.entries(fields).map(([number, name]) => [name, columns[Number(number) - 1]]));
    return (name) => byName.get(name) ?? columns[Number(name) - 1];
  }
  let json: unknown;
  try {
    json = parseJson(message);
  } catch {
    return undefined;
  }
  return (name) => {
    let value = json;
    for (const step of name.replace(/^\$\.?/, '').match(/[^.[\]]+/g) ?? [])
      value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;
    return value;
  };
}

/** Whether an event's field matches a filter. */
export function meets(filter: InsightFilter, value: unknown): boolean {
  const present = value !== undefined && value !== null;
  if (filter.IsPresent !== undefined && filter.IsPresent !== present) return false;
  const text = String(value);
  const number = Number(value);
  if (filter.In && !(present && filter.In.includes(text))) return false;
  if (filter.NotIn?.includes(text)) return false;
  if (filter.StartsWith && !(present && filter.StartsWith.some((start) => text.startsWith(start)))) return false;
  if (filter.GreaterThan !== undefined && !(number > filter.GreaterThan)) return false;
  if (filter.LessThan !== undefined && !(number < filter.LessThan)) return false;
  if (filter.EqualTo !== undefined && number !== filter.EqualTo) return false;
  return filter.NotEqualTo === undefined || number !== filter.NotEqualTo;
}
