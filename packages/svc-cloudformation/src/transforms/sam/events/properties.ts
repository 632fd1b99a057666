import { isObject } from '@emu/wire';
import { resourceProblem } from '../errors.ts';
import { isIntrinsic, type Obj } from '../values.ts';

const names = (text: string): string[] => text.split(' ');

const POLLED = [
  'BatchSize BisectBatchOnFunctionError Broker Cluster CollectionName ConsumerGroupId DatabaseName DestinationConfig',
  'DynamicPolicyName Enabled FilterCriteria FullDocument FunctionResponseTypes KafkaBootstrapServers KmsKeyArn',
  'LoggingConfig MaximumBatchingWindowInSeconds MaximumRecordAgeInSeconds MaximumRetryAttempts MetricsConfig',
  'ParallelizationFactor ProvisionedPollerConfig Queue Queues ScalingConfig SchemaRegistryConfig',
  'SecretsManagerKmsKeyId SourceAccessConfigurations StartingPosition StartingPositionTimestamp Stream Topics',
  'TumblingWindowInSeconds',
].flatMap(names);

const RULE = names(
  'DeadLetterConfig Enabled EventBusName Input InputPath InputTransformer Pattern RetryPolicy RoleArn RuleName State Target',
);

/**
 * Properties of each event type; others are rejected.
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-eventsource.html
 */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  AlexaSkill: ['SkillId'],
  Api: names(
    'Auth Method Path RequestModel RequestParameters ResponseTransferMode RestApiId Stage TimeoutInMillis UnescapeMappingTemplate',
  ),
  CloudWatchEvent: RULE,
  CloudWatchLogs: ['FilterPattern', 'LogGroupName'],
  Cognito: ['Trigger', 'UserPool'],
  EventBridgeRule: RULE,
  HttpApi: names('ApiId Auth Method Path PayloadFormatVersion RouteSettings Stage TimeoutInMillis'),
  IoTRule: ['AwsIotSqlVersion', 'Sql'],
  S3: ['Bucket', 'Events', 'Filter'],
  SNS: names('FilterPolicy FilterPolicyScope RedrivePolicy Region SqsSubscription Topic'),
  Schedule: names('DeadLetterConfig Description Enabled Input Name RetryPolicy RoleArn RuleName Schedule State Target'),
  ScheduleV2: [
    'DeadLetterConfig Description EndDate FlexibleTimeWindow GroupName Input KmsKeyArn Name OmitName',
    'PermissionsBoundary RetryPolicy RoleArn ScheduleExpression ScheduleExpressionTimezone StartDate State',
  ].flatMap(names),
  ...Object.fromEntries(names('DocumentDB DynamoDB Kinesis MQ MSK SQS SelfManagedKafka').map((type) => [type, POLLED])),
};

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

/** Properties that must not be intrinsic functions. */
const LITERAL: Readonly<Record<string, (value: unknown) => boolean>> = {
  'Cognito.Trigger': isTexts,
  'S3.Events': isTexts,
  'ScheduleV2.OmitName': isFlag,
  'Api.UnescapeMappingTemplate': isFlag,
};

const LISTS = names('KafkaBootstrapServers Queues SourceAccessConfigurations Topics FunctionResponseTypes');

/** Whether SAM supports an event type. */
export const isEventType = (type: unknown): type is string =>
  typeof type === 'string' && Object.hasOwn(PROPERTIES, type);

/**
 * Rejects unknown or wrongly typed properties of an event.
 * @param id id of the event with its resource's
 * @throws SamProblem
 */
export function checkEventProperties(id: string, type: string, properties: Obj): void {
  for (const [name, value] of Object.entries(properties)) {
    if (!PROPERTIES[type]!.includes(name))
      throw resourceProblem(id, `property ${name} not defined for resource of type ${type}`);
    if (value === undefined || value === null) continue;
    const isLiteral = LITERAL[`${type}.${name}`];
    const isList = LISTS.includes(name) && type !== 'SelfManagedKafka';
    if (isLiteral ? !isLiteral(value) : isList && !Array.isArray(value) && !(isObject(value) && isIntrinsic(value)))
      throw resourceProblem(id, `Type of property '${name}' is invalid.`);
  }
}
