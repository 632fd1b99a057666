/**
 * Lists in an order that AWS defines, by service and operation: sorted by a key or time, or in the order of the request.
 */
const ORDERED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cloudformation: { DescribeStackEvents: ['StackEvents'] },
  cloudwatch: { GetMetricData: ['MetricDataResults', 'MetricDataResults[].Values', 'MetricDataResults[].Timestamps'] },
  dynamodb: {
    Query: ['Items'],
    ListTables: ['TableNames'],
    TransactGetItems: ['Responses'],
    BatchExecuteStatement: ['Responses'],
    ExecuteTransaction: ['Responses'],
  },
  dynamodbstreams: { GetRecords: ['Records'] },
  events: { PutEvents: ['Entries'] },
  firehose: { PutRecordBatch: ['RequestResponses'] },
  kinesis: {
    GetRecords: ['Records'],
    PutRecords: ['Records'],
    ListStreams: ['StreamNames'],
    ListShards: ['Shards'],
  },
  lambda: { ListVersionsByFunction: ['Versions'] },
  logs: { GetLogEvents: ['events'], FilterLogEvents: ['events'], DescribeLogGroups: ['logGroups'] },
  s3: {
    ListBuckets: ['Buckets'],
    ListObjects: ['Contents', 'CommonPrefixes'],
    ListObjectsV2: ['Contents', 'CommonPrefixes'],
    ListObjectVersions: ['Versions', 'DeleteMarkers'],
    ListParts: ['Parts'],
    ListMultipartUploads: ['Uploads'],
  },
  ssm: { GetParameterHistory: ['Parameters'] },
  stepfunctions: { GetExecutionHistory: ['events'], ListExecutions: ['executions'] },
};

/** Last name of lists whose order has a meaning in every service. */
const MEANINGFUL = /(?:^|\.)KeySchema$/;
/** Names of members by which services sort. */
const SORTING = /(?:Name|Key|Time|Date|Timestamp)$|^(?:name|key|time|timestamp)$/;
/** Fewest elements whose order is unlikely to be sorted by chance. */
const MIN_SORTED = 5;

/** Whether AWS defines the order of a list. @param path e.g. `MetricDataResults[].Values` */
export const isOrdered = (service: string, operation: string, path: string): boolean =>
  MEANINGFUL.test(path) || (ORDERED[service]?.[operation]?.includes(path) ?? false);

/** Whether a recorded list is sorted by its values, or by a name, key or time of its elements. */
export function isSorted(list: readonly unknown[]): boolean {
  if (list.length < MIN_SORTED) return false;
  const [first] = list;
  if (typeof first === 'string') return isAscending(list);
  if (typeof first !== 'object' || first === null) return false;
  return Object.keys(first)
    .filter((name) => SORTING.test(name))
    .some((name) => {
      const values = list.map((item) => (item as Record<string, unknown> | null)?.[name]);
      return isAscending(values) || isAscending(values.reverse());
    });
}

/** Whether all values are present, of one type, and each is greater than the previous one. */
function isAscending(values: readonly unknown[]): boolean {
  return values.every((value, index) => {
    if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Date)) return false;
    return index === 0 || (typeof values[index - 1] === typeof value && values[index - 1]! < value);
  });
}
