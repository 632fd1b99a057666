import type { Obj } from '../values.ts';

/** What a connector creates: a policy of a role, queue or topic, or function permissions. */
export type ProfileKind = 'role' | 'queue' | 'topic' | 'permission';

/** Profile of connectors between two resource types. Texts contain placeholders such as `%{Source.Arn}`. */
export interface Profile {
  readonly kind: ProfileKind;
  /** Whether the source gets the policy. */
  readonly onSource: boolean;
  /** Dependent of the policy: the source, or the event source mapping between both ends. */
  readonly dependent?: 'source' | 'mapping';
  /** Allowed combinations of permissions; any if absent. */
  readonly combinations?: readonly (readonly string[])[];
  /** Statements by permission; for function permissions their properties. */
  readonly access: Readonly<Record<string, readonly Obj[]>>;
}

const TO = '%{Destination.Arn}';
const FROM = '%{Source.Arn}';
const HERE = `\${AWS::Region}:\${AWS::AccountId}`;
const ARN = `arn:\${AWS::Partition}`;
const EXECUTIONS = `${ARN}:states:${HERE}:execution:%{Destination.Name}:*`;
const RULE = `${ARN}:events:${HERE}:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule`;

const allow = (service: string, actions: string, ...Resource: string[]): Obj => ({
  Effect: 'Allow',
  Action: actions.split(' ').map((action) => `${service}:${action}`),
  Resource,
});

/** Adds the statements to the source's role. */
const bySource = (access: Profile['access'], more: Partial<Profile> = {}): Profile => ({
  kind: 'role',
  onSource: true,
  access,
  ...more,
});

/** Lets a service act for the source, in a resource policy. */
const byPolicy = (kind: ProfileKind, service: string, Action: string): Profile => ({
  kind,
  onSource: false,
  access: {
    Write: [
      {
        Effect: 'Allow',
        Principal: { Service: `${service}.amazonaws.com` },
        Resource: TO,
        Action,
        Condition: { ArnEquals: { 'aws:SourceArn': FROM } },
      },
    ],
  },
});

const invokedBy = (service: string, SourceArn: string, more: Obj = {}): Profile => ({
  kind: 'permission',
  onSource: false,
  access: {
    Write: [{ Action: 'lambda:InvokeFunction', Principal: `${service}.amazonaws.com`, SourceArn, ...more }],
  },
});

const INVOKE = bySource({ Write: [allow('lambda', 'InvokeAsync InvokeFunction', TO)] });
const PUT_EVENTS = bySource({ Write: [allow('events', 'PutEvents', TO)] });
const PUBLISH = bySource({ Write: [allow('sns', 'Publish', TO)] });
const EXECUTE_API = invokedBy('apigateway', `${ARN}:execute-api:${HERE}:%{Source.ResourceId}/%{Source.Qualifier}`);

const TABLE = bySource({
  Read: [allow('dynamodb', 'GetItem Query Scan BatchGetItem ConditionCheckItem PartiQLSelect', TO, `${TO}/index/*`)],
  Write: [
    allow(
      'dynamodb',
      'PutItem UpdateItem DeleteItem BatchWriteItem PartiQLDelete PartiQLInsert PartiQLUpdate',
      TO,
      `${TO}/index/*`,
    ),
  ],
});

const BUCKET = bySource({
  Read: [
    allow(
      's3',
      'GetObject GetObjectAcl GetObjectLegalHold GetObjectRetention GetObjectTorrent GetObjectVersion ' +
        'GetObjectVersionAcl GetObjectVersionForReplication GetObjectVersionTorrent ListBucket ' +
        'ListBucketMultipartUploads ListBucketVersions ListMultipartUploadParts',
      TO,
      `${TO}/*`,
    ),
  ],
  Write: [
    allow(
      's3',
      'AbortMultipartUpload DeleteObject DeleteObjectVersion PutObject PutObjectLegalHold PutObjectRetention ' +
        'RestoreObject',
      TO,
      `${TO}/*`,
    ),
  ],
});

/**
 * Connector profiles by source and destination type.
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/reference-sam-connector.html
 */
export const PROFILES: Readonly<Record<string, Readonly<Record<string, Profile>>>> = {
  'AWS::ApiGateway::RestApi': { 'AWS::Lambda::Function': EXECUTE_API },
  'AWS::ApiGatewayV2::Api': { 'AWS::Lambda::Function': EXECUTE_API },
  'AWS::AppSync::DataSource': {
    'AWS::DynamoDB::Table': TABLE,
    'AWS::Events::EventBus': PUT_EVENTS,
    'AWS::Lambda::Function': bySource({ Write: [allow('lambda', 'InvokeAsync InvokeFunction', TO, `${TO}:*`)] }),
  },
  'AWS::AppSync::GraphQLApi': {
    'AWS::Lambda::Function': invokedBy('appsync', `${ARN}:appsync:${HERE}:apis/%{Source.ResourceId}`),
  },
  'AWS::DynamoDB::Table': {
    'AWS::Lambda::Function': {
      kind: 'role',
      onSource: false,
      dependent: 'mapping',
      access: {
        Read: [allow('dynamodb', 'DescribeStream GetRecords GetShardIterator ListStreams', `${FROM}/stream/*`)],
      },
    },
  },
  'AWS::Events::Rule': {
    'AWS::Events::EventBus': PUT_EVENTS,
    'AWS::Lambda::Function': invokedBy('events', FROM),
    'AWS::SNS::Topic': byPolicy('topic', 'events', 'sns:Publish'),
    'AWS::SQS::Queue': byPolicy('queue', 'events', 'sqs:SendMessage'),
    'AWS::StepFunctions::StateMachine': bySource({ Write: [allow('states', 'StartExecution', TO)] }),
  },
  'AWS::Lambda::Function': {
    'AWS::DynamoDB::Table': TABLE,
    'AWS::Events::EventBus': PUT_EVENTS,
    'AWS::Lambda::Function': INVOKE,
    'AWS::Location::PlaceIndex': bySource({
      Read: [
        allow(
          'geo',
          'DescribePlaceIndex GetPlace SearchPlaceIndexForPosition SearchPlaceIndexForSuggestions SearchPlaceIndexForText',
          TO,
        ),
      ],
    }),
    'AWS::S3::Bucket': BUCKET,
    'AWS::SNS::Topic': PUBLISH,
    'AWS::SQS::Queue': bySource({
      Read: [allow('sqs', 'ReceiveMessage GetQueueAttributes', TO)],
      Write: [allow('sqs', 'DeleteMessage SendMessage ChangeMessageVisibility PurgeQueue', TO)],
    }),
    'AWS::StepFunctions::StateMachine': bySource({
      Write: [allow('states', 'StartExecution StartSyncExecution', TO), allow('states', 'StopExecution', EXECUTIONS)],
      Read: [
        allow('states', 'DescribeStateMachine ListExecutions', TO),
        allow('states', 'DescribeExecution DescribeStateMachineForExecution GetExecutionHistory', EXECUTIONS),
      ],
    }),
  },
  'AWS::S3::Bucket': {
    'AWS::Lambda::Function': invokedBy('s3', FROM, { SourceAccount: `\${AWS::AccountId}` }),
  },
  'AWS::SNS::Topic': {
    'AWS::Lambda::Function': invokedBy('sns', FROM),
    'AWS::SQS::Queue': byPolicy('queue', 'sns', 'sqs:SendMessage'),
  },
  'AWS::SQS::Queue': {
    'AWS::Lambda::Function': {
      kind: 'role',
      onSource: false,
      dependent: 'mapping',
      combinations: [['Read', 'Write']],
      access: {
        Write: [allow('sqs', 'DeleteMessage', FROM)],
        Read: [allow('sqs', 'ReceiveMessage GetQueueAttributes', FROM)],
      },
    },
  },
  'AWS::StepFunctions::StateMachine': {
    'AWS::DynamoDB::Table': TABLE,
    'AWS::Events::EventBus': PUT_EVENTS,
    'AWS::Lambda::Function': INVOKE,
    'AWS::S3::Bucket': BUCKET,
    'AWS::SNS::Topic': PUBLISH,
    'AWS::SQS::Queue': bySource({ Write: [allow('sqs', 'SendMessage', TO)] }),
    // Creating the source creates the rule by which Step Functions waits for executions.
    'AWS::StepFunctions::StateMachine': bySource(
      {
        Read: [allow('states', 'DescribeExecution', EXECUTIONS), allow('events', 'DescribeRule', RULE)],
        Write: [
          allow('states', 'StartExecution', TO),
          allow('states', 'StopExecution', EXECUTIONS),
          allow('events', 'PutTargets PutRule', RULE),
        ],
      },
      { dependent: 'source', combinations: [['Read'], ['Read', 'Write']] },
    ),
  },
};
