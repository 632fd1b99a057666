/** How a service is asked for an operation by its name. */
export interface ActionProtocol {
  /** The service that its signatures name, where it is not the one of its host. */
  readonly signingName?: string;
  /** What stands before an operation's name in `X-Amz-Target`: the service speaks JSON. */
  readonly target?: string;
  /** Version of the JSON protocol. */
  readonly json?: '1.0' | '1.1';
  /** Version of the query protocol's API. */
  readonly version?: string;
}

/**
 * Services that know their operations by names, by the first part of their hosts, as the URIs of integrations have it. Those that
 * know them by paths are reached by `path/` and need no entry.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutIntegration.html `uri`
 */
export const ACTION_PROTOCOLS: Readonly<Record<string, ActionProtocol>> = {
  cloudcontrolapi: { target: 'CloudApiService', json: '1.0' },
  cloudformation: { version: '2010-05-15' },
  'cognito-identity': { target: 'AWSCognitoIdentityService', json: '1.1' },
  'cognito-idp': { target: 'AWSCognitoIdentityProviderService', json: '1.1' },
  dynamodb: { target: 'DynamoDB_20120810', json: '1.0' },
  'streams.dynamodb': { signingName: 'dynamodb', target: 'DynamoDBStreams_20120810', json: '1.0' },
  ec2: { version: '2016-11-15' },
  ecr: { target: 'AmazonEC2ContainerRegistry_V20150921', json: '1.1' },
  'api.ecr': { signingName: 'ecr', target: 'AmazonEC2ContainerRegistry_V20150921', json: '1.1' },
  email: { signingName: 'ses', version: '2010-12-01' },
  ses: { version: '2010-12-01' },
  events: { target: 'AWSEvents', json: '1.1' },
  firehose: { target: 'Firehose_20150804', json: '1.1' },
  iam: { version: '2010-05-08' },
  kinesis: { target: 'Kinesis_20131202', json: '1.1' },
  kms: { target: 'TrentService', json: '1.1' },
  logs: { target: 'Logs_20140328', json: '1.1' },
  monitoring: { version: '2010-08-01' },
  secretsmanager: { target: 'secretsmanager', json: '1.1' },
  servicequotas: { target: 'ServiceQuotasV20190624', json: '1.1' },
  sns: { version: '2010-03-31' },
  sqs: { version: '2012-11-05' },
  // As recorded of AWS, whose API Gateway asks Systems Manager by the query protocol.
  ssm: { version: '2014-11-06' },
  states: { target: 'AWSStepFunctions', json: '1.0' },
  sts: { version: '2011-06-15' },
  tagging: { target: 'ResourceGroupsTaggingAPI_20170126', json: '1.1' },
};
