/** Fields of Route 53 query logs, in order. */
export const QUERY_LOG: readonly string[] = [
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

/** Fields of version 2 of VPC flow logs, in order. */
export const FLOW_LOG: readonly string[] = [
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
  'start',
  'end',
  'action',
  'logStatus',
];
