/**
 * What guests may use at most by the enhanced flow, whatever their role allows.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/iam-roles.html#access-policies-scope-down-services
 */
const SERVICES = [
  'appsync',
  'cloudwatch',
  'cognito-identity',
  'cognito-idp',
  'cognito-sync',
  'comprehend',
  'dynamodb',
  'execute-api',
  'firehose',
  'gamelift',
  'geo',
  'iot',
  'kinesis',
  'lambda',
  'lex',
  'logs',
  'machinelearning',
  'mobileanalytics',
  'mobiletargeting',
  'personalize',
  'polly',
  'rekognition',
  's3',
  'sdb',
  'ses',
  'sns',
  'sqs',
  'sumerian',
  'transcribe',
  'translate',
];

/** The session policy of guests, as JSON text. */
export const GUEST_POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: [...SERVICES.map((name) => `${name}:*`), 'rum:PutRumEvents', 'sagemaker:InvokeEndpoint'],
      Resource: '*',
    },
  ],
});
