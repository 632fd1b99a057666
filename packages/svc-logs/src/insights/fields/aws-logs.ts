import type { Value } from '../engine/values.ts';

/** Fields of version 2 of VPC flow logs, in order. */
const FLOW_LOG = [
  'version',
  'accountId',
  'interfaceId',
  'srcAddr',
  'dstAddr',
  'srcPort',
  'dstPort',
  'protocol',
  'packets',
  'bytes',
  'startTime',
  'endTime',
  'action',
  'logStatus',
];
const IS_FLOW_LOG = /^2 (?:\d{12}|unknown) eni-[0-9a-f]+ /;

/** Fields of Route 53's query logs, in order. */
const QUERY_LOG = [
  'version',
  'queryTimestamp',
  'hostZoneId',
  'queryName',
  'queryType',
  'responseCode',
  'protocol',
  'edgeLocation',
  'resolverIp',
  'ednsClientSubnet',
];
const IS_QUERY_LOG = /^1\.0 \d{4}-\d\d-\d\dT\S+Z Z[0-9A-Z]+ /;

const columns = (message: string, names: readonly string[], nothing: string | undefined): Map<string, Value> => {
  const values = message.trimEnd().split(' ');
  return new Map(names.flatMap((name, index) => (values[index] === nothing ? [] : [[name, values[index]]])));
};

/** Fields of a record of VPC flow logs in the default format. */
export const flowLogFields = (message: string): Map<string, Value> | undefined =>
  IS_FLOW_LOG.test(message) ? columns(message, FLOW_LOG, '-') : undefined;

/** Fields of a record of Route 53's query logs. */
export const resolverFields = (message: string): Map<string, Value> | undefined =>
  IS_QUERY_LOG.test(message) ? columns(message, QUERY_LOG, undefined) : undefined;
