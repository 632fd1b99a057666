/**
 * Maximum permissions of guests in the enhanced flow, independent of their role: this policy and the managed one
 * together.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/iam-roles.html#access-policies-scope-down-services
 */
const ACTIONS = [
  'cloudwatch:*',
  'logs:*',
  'dynamodb:*',
  'kinesis:*',
  'mobileanalytics:*',
  's3:*',
  'ses:*',
  'sns:*',
  'sqs:*',
  'lambda:*',
  'machinelearning:*',
  'execute-api:*',
  'iot:*',
  'gamelift:*',
  'cognito-identity:*',
  'cognito-idp:*',
  'lex:*',
  'polly:*',
  'comprehend:*',
  'translate:*',
  'transcribe:*',
  'rekognition:*',
  'mobiletargeting:*',
  'firehose:*',
  'appsync:*',
  'personalize:*',
  'sagemaker:InvokeEndpoint',
  'cognito-sync:*',
  'codewhisperer:*',
  'textract:DetectDocumentText',
  'textract:AnalyzeDocument',
  'sdb:*',
];

/** Session policy of guests, as JSON text. */
export const GUEST_POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ACTIONS, Resource: '*' }],
});

/**
 * AWS managed policy that guest sessions have as well.
 * @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AmazonCognitoUnAuthedIdentitiesSessionPolicy.html
 */
export const GUEST_MANAGED_POLICY = 'AmazonCognitoUnAuthedIdentitiesSessionPolicy';
