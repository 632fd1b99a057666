/** AWS's service names by their codes in Service Quotas. */
const NAMES: Readonly<Record<string, string>> = {
  apigateway: 'Amazon API Gateway',
  cloudformation: 'AWS CloudFormation',
  'cognito-idp': 'Amazon Cognito User Pools',
  dynamodb: 'Amazon DynamoDB',
  ec2: 'Amazon Elastic Compute Cloud (Amazon EC2)',
  events: 'Amazon EventBridge (CloudWatch Events)',
  firehose: 'Amazon Data Firehose',
  iam: 'AWS Identity and Access Management (IAM)',
  kinesis: 'Amazon Kinesis Data Streams',
  kms: 'AWS Key Management Service (AWS KMS)',
  lambda: 'AWS Lambda',
  logs: 'Amazon CloudWatch Logs',
  monitoring: 'Amazon CloudWatch',
  s3: 'Amazon Simple Storage Service (Amazon S3)',
  scheduler: 'Amazon EventBridge Scheduler',
  secretsmanager: 'AWS Secrets Manager',
  ses: 'Amazon Simple Email Service (Amazon SES)',
  sns: 'Amazon Simple Notification Service (Amazon SNS)',
  sqs: 'Amazon Simple Queue Service (Amazon SQS)',
  ssm: 'AWS Systems Manager',
  states: 'AWS Step Functions',
  vpc: 'Amazon Virtual Private Cloud (Amazon VPC)',
};

/** Returns the name of a service, or its code if the name is unknown. */
export const serviceName = (code: string): string => NAMES[code] ?? code;
