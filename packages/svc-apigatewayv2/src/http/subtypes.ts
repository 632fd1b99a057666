/** A service operation that an HTTP API calls directly. */
export interface Subtype {
  /** emu's name of the service. */
  readonly service: 'events' | 'sqs' | 'kinesis' | 'stepfunctions';
  readonly operation: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const SQS_TIMES = [
  'DelaySeconds',
  'MessageAttributes',
  'MessageDeduplicationId',
  'MessageGroupId',
  'MessageSystemAttributes',
];

/**
 * Operations that HTTP APIs call directly.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-aws-services-reference.html
 */
export const SUBTYPES: Readonly<Record<string, Subtype>> = {
  'EventBridge-PutEvents': {
    service: 'events',
    operation: 'PutEvents',
    required: ['Detail', 'DetailType', 'Source'],
    optional: ['Time', 'EventBusName', 'Resources', 'TraceHeader'],
  },
  'SQS-SendMessage': {
    service: 'sqs',
    operation: 'SendMessage',
    required: ['QueueUrl', 'MessageBody'],
    optional: SQS_TIMES,
  },
  'SQS-ReceiveMessage': {
    service: 'sqs',
    operation: 'ReceiveMessage',
    required: ['QueueUrl'],
    optional: [
      'AttributeNames',
      'MaxNumberOfMessages',
      'MessageAttributeNames',
      'ReceiveRequestAttemptId',
      'VisibilityTimeout',
      'WaitTimeSeconds',
    ],
  },
  'SQS-DeleteMessage': {
    service: 'sqs',
    operation: 'DeleteMessage',
    required: ['QueueUrl', 'ReceiptHandle'],
    optional: [],
  },
  'SQS-PurgeQueue': { service: 'sqs', operation: 'PurgeQueue', required: ['QueueUrl'], optional: [] },
  'Kinesis-PutRecord': {
    service: 'kinesis',
    operation: 'PutRecord',
    required: ['StreamName', 'Data', 'PartitionKey'],
    optional: ['SequenceNumberForOrdering', 'ExplicitHashKey'],
  },
  'StepFunctions-StartExecution': {
    service: 'stepfunctions',
    operation: 'StartExecution',
    required: ['StateMachineArn'],
    optional: ['Name', 'Input'],
  },
  'StepFunctions-StartSyncExecution': {
    service: 'stepfunctions',
    operation: 'StartSyncExecution',
    required: ['StateMachineArn'],
    optional: ['Name', 'Input', 'TraceHeader'],
  },
  'StepFunctions-StopExecution': {
    service: 'stepfunctions',
    operation: 'StopExecution',
    required: ['ExecutionArn'],
    optional: ['Cause', 'Error'],
  },
};
