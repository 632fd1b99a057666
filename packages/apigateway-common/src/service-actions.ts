/** Protocol with which a service is called by operation name. */
export interface ActionProtocol {
  /** Signing name, if it differs from the host's. */
  readonly signingName?: string;
  /** Prefix of `X-Amz-Target`; set for JSON protocols. */
  readonly target?: string;
  /** Version of the JSON protocol. */
  readonly json?: '1.0' | '1.1';
  /** Version of the query protocol's API. */
  readonly version?: string;
}

/**
 * Protocols of services that identify operations by name, by first host label as used in integration URIs. Services
 * with path-based operations use `path/` and have no entry.
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
  // Recorded from AWS: API Gateway calls Systems Manager with the query protocol.
  ssm: { version: '2014-11-06' },
  states: { target: 'AWSStepFunctions', json: '1.0' },
  sts: { version: '2011-06-15' },
  tagging: { target: 'ResourceGroupsTaggingAPI_20170126', json: '1.1' },
};
