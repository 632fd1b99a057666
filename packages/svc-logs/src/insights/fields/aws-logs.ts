import { FLOW_LOG, QUERY_LOG } from '../../vended/fields.ts';
import type { Value } from '../engine/values.ts';

/** Logs Insights' own names of columns. */
const RENAMED: Readonly<Record<string, string>> = { start: 'startTime', end: 'endTime' };
const FLOW_FIELDS = FLOW_LOG.map((name) => RENAMED[name] ?? name);
const IS_FLOW_LOG = /^2 (?:\d{12}|unknown) eni-[0-9a-f]+ /;

const IS_QUERY_LOG = /^1\.0 \d{4}-\d\d-\d\dT\S+Z Z[0-9A-Z]+ /;

const columns = (message: string, names: readonly string[], nothing: string | undefined): Map<string, Value> => {
  const values = message.trimEnd().split(' ');
  return new Map(names.flatMap((name, index) => (values[index] === nothing ? [] : [[name, values[index]]])));
};

/** Returns the fields of VPC flow logs in the default format. */
export const flowLogFields = (message: string): Map<string, Value> | undefined =>
  IS_FLOW_LOG.test(message) ? columns(message, FLOW_FIELDS, '-') : undefined;

/** Returns the fields of Route 53 query logs. */
export const resolverFields = (message: string): Map<string, Value> | undefined =>
  IS_QUERY_LOG.test(message) ? columns(message, QUERY_LOG, undefined) : undefined;
