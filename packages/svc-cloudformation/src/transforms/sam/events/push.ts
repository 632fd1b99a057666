import { canonicalJson, servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { iotRule, logGroup } from '../arns-data.ts';
import { eventProblem, resourceProblem } from '../errors.ts';
import type { Event, FunctionTarget } from '../targets.ts';
import type { Translation } from '../translation.ts';
import { copy, defined, getAtt, type Obj, pick, type Resource, ref, samTags } from '../values.ts';
import { permit } from './permission.ts';
import { addPolled } from './polled.ts';

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-alexaskill.html */
export function addAlexa({ id, properties }: Event, target: FunctionTarget, to: Translation): void {
  permit(`${id}Permission`, 'alexa-appkit.amazon.com', target, { EventSourceToken: properties.SkillId }, to);
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-cloudwatchlogs.html */
export function addLogs({ id, properties }: Event, target: FunctionTarget, to: Translation): void {
  const { LogGroupName, FilterPattern } = properties;
  const { partition } = to.options;
  const text = logGroup(partition);
  const SourceArn = { 'Fn::Sub': [text, { __LogGroupName__: LogGroupName }] };
  permit(`${id}Permission`, servicePrincipalName('logs'), target, { SourceArn }, to);
  to.add(
    id,
    'AWS::Logs::SubscriptionFilter',
    { LogGroupName, FilterPattern, DestinationArn: target.arn },
    { ...target.attributes, DependsOn: [`${id}Permission`] },
  );
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-iotrule.html */
export function addIot({ id, properties }: Event, target: FunctionTarget, to: Translation): void {
  const { Sql, AwsIotSqlVersion } = properties;
  const text = iotRule(to.options.partition);
  const more = {
    SourceAccount: { 'Fn::Sub': `\${AWS::AccountId}` },
    SourceArn: { 'Fn::Sub': [text, { RuleName: ref(id) }] },
  };
  permit(`${id}Permission`, servicePrincipalName('iot'), target, more, to);
  const TopicRulePayload = defined({
    Sql,
    AwsIotSqlVersion,
    RuleDisabled: false,
    Actions: [{ Lambda: { FunctionArn: target.arn } }],
  });
  to.add(id, 'AWS::IoT::TopicRule', { TopicRulePayload, Tags: ownTags(target) }, target.attributes);
}

/** Returns the tags that a function propagates to event resources, without SAM's own. */
const ownTags = ({ propagated, properties: { Tags } }: FunctionTarget): Obj[] | undefined =>
  propagated && isObject(Tags) ? samTags(Tags) : undefined;

/**
 * Returns the id of the template resource that a property refers to.
 * @throws SamProblem for a resource of another type
 */
function referred(name: string, value: unknown, type: string, problem: string, to: Translation): string {
  const id = isObject(value) && typeof value.Ref === 'string' ? value.Ref : undefined;
  if (id === undefined || to.resources[id]?.Type !== type) throw eventProblem(name, problem);
  return id;
}

/**
 * Returns a resource of the template after translation.
 * @throws SamProblem
 */
function resourceOf(id: string, to: Translation): Resource {
  to.output[id] ??= copy(to.resources[id]!);
  const found = to.output[id]!;
  found.Properties ??= {};
  if (!isObject(found.Properties)) throw resourceProblem(id, 'Properties should be a map.');
  return found;
}

/**
 * Returns the id of an event's bucket.
 * @throws SamProblem if it is not in the template
 */
export const checkBucket = (name: string, { Bucket }: Obj, to: Translation): string =>
  referred(name, Bucket, 'AWS::S3::Bucket', 'S3 events must reference an S3 bucket in the same template.', to);

/**
 * Returns the id of an event's user pool.
 * @throws SamProblem if it is not in the template
 */
export function checkUserPool(id: string, name: string, { UserPool: pool }: Obj, to: Translation): string {
  if (isObject(pool) && Object.hasOwn(pool, 'Ref') && typeof pool.Ref !== 'string')
    throw eventProblem(id, 'Ref in Userpool is not a string.');
  const problem = 'Cognito events must reference a Cognito UserPool in the same template.';
  return referred(name, pool, 'AWS::Cognito::UserPool', problem, to);
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-cognito.html */
export function addCognito({ id: eventId, name, properties }: Event, target: FunctionTarget, to: Translation): void {
  const id = checkUserPool(eventId, name, properties, to);
  const pool = resourceOf(id, to);
  const SourceArn = getAtt(id, 'Arn');
  permit(`${target.id}CognitoPermission`, servicePrincipalName('cognito-idp'), target, { SourceArn }, to);
  const { Trigger } = properties;
  const poolProperties = pool.Properties!;
  poolProperties.LambdaConfig ??= {};
  if (!isObject(poolProperties.LambdaConfig)) throw resourceProblem(id, "Property 'LambdaConfig' should be a map.");
  for (const trigger of Array.isArray(Trigger) ? Trigger : [Trigger]) {
    if (Object.hasOwn(poolProperties.LambdaConfig, String(trigger)))
      throw eventProblem(name, `Cognito trigger "${trigger}" defined multiple times.`);
    poolProperties.LambdaConfig[String(trigger)] = target.arn;
  }
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-s3.html */
export function addS3({ id, name, properties }: Event, target: FunctionTarget, to: Translation): void {
  const bucketId = checkBucket(name, properties, to);
  const bucket = resourceOf(bucketId, to);
  const permission = `${id}Permission`;
  permit(permission, servicePrincipalName('s3'), target, { SourceAccount: ref('AWS::AccountId') }, to);
  dependOn(id, bucketId, bucket, permission, target.attributes.Condition, to);
  const bucketProperties = bucket.Properties!;
  const tags = ownTags(target);
  if (tags) bucketProperties.Tags = [...[bucketProperties.Tags ?? []].flat(), ...tags];
  bucketProperties.NotificationConfiguration ??= {};
  const configuration = bucketProperties.NotificationConfiguration;
  if (!isObject(configuration))
    throw resourceProblem(bucketId, "Property 'NotificationConfiguration' should be a map.");
  configuration.LambdaConfigurations ??= [];
  const configurations = configuration.LambdaConfigurations;
  if (!Array.isArray(configurations))
    throw resourceProblem(bucketId, 'Invalid type for LambdaConfigurations. Must be a list.');
  const { Events, Filter } = properties;
  for (const Event of Array.isArray(Events) ? Events : [Events]) {
    const entry = defined({ Event, Function: target.arn, Filter });
    const { Condition } = target.attributes;
    const made = Condition === undefined ? entry : { 'Fn::If': [Condition, entry, ref('AWS::NoValue')] };
    if (!configurations.some((known) => canonicalJson(known) === canonicalJson(made))) configurations.push(made);
  }
}

/** Makes the bucket depend on the permission; for a conditional permission by a tag. */
function dependOn(
  eventId: string,
  id: string,
  bucket: Resource,
  permission: string,
  condition: unknown,
  to: Translation,
): void {
  if (condition === undefined) {
    const others = bucket.DependsOn === undefined ? [] : [bucket.DependsOn].flat();
    if (to.resources[id]?.DependsOn === null || others.some((other) => typeof other !== 'string'))
      throw resourceProblem(eventId, "Invalid type for field 'DependsOn'. Expected a string or list of strings.");
    if (!others.includes(permission)) bucket.DependsOn = [...others, permission];
    return;
  }
  const properties = bucket.Properties!;
  const Key = `sam:ConditionalDependsOn:${permission}`;
  properties.Tags ??= [];
  if (!Array.isArray(properties.Tags)) throw resourceProblem(id, "Property 'Tags' should be a list.");
  properties.Tags.push({ Key, Value: { 'Fn::If': [condition, ref(permission), 'no dependency'] } });
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-sns.html */
export function addSns(event: Event, target: FunctionTarget, to: Translation): void {
  const { id, properties } = event;
  const { Topic, SqsSubscription: through } = properties;
  const subscription = pick(properties, ['FilterPolicy', 'FilterPolicyScope', 'Region', 'RedrivePolicy']);
  if (!through) {
    permit(`${id}Permission`, servicePrincipalName('sns'), target, { SourceArn: Topic }, to);
    const more = { Protocol: 'lambda', Endpoint: target.arn, TopicArn: Topic, ...subscription };
    to.add(id, 'AWS::SNS::Subscription', more, target.attributes);
    return;
  }
  const own = isObject(through) ? through : {};
  if (isObject(through) && (!own.QueueArn || !own.QueueUrl))
    throw eventProblem(event.name, 'No QueueARN or QueueURL provided.');
  const queueId = `${id}Queue`;
  const topic = isObject(Topic) && typeof Topic.Ref === 'string' ? to.resources[Topic.Ref] : undefined;
  const FifoQueue = isObject(topic?.Properties) && topic.Properties.FifoTopic === true ? true : undefined;
  if (!isObject(through)) to.add(queueId, 'AWS::SQS::Queue', { FifoQueue }, target.attributes);
  const queueArn = own.QueueArn ?? getAtt(queueId, 'Arn');
  const Statement = [
    {
      Action: 'sqs:SendMessage',
      Effect: 'Allow',
      Principal: '*',
      Resource: queueArn,
      Condition: { ArnEquals: { 'aws:SourceArn': Topic } },
    },
  ];
  const policyId = typeof own.QueuePolicyLogicalId === 'string' ? own.QueuePolicyLogicalId : `${id}QueuePolicy`;
  const policy = { PolicyDocument: { Version: '2012-10-17', Statement }, Queues: [own.QueueUrl ?? ref(queueId)] };
  to.add(policyId, 'AWS::SQS::QueuePolicy', policy, target.attributes);
  to.add(
    id,
    'AWS::SNS::Subscription',
    { Protocol: 'sqs', Endpoint: queueArn, TopicArn: Topic, ...subscription },
    target.attributes,
  );
  const { BatchSize = 10, Enabled = true } = own;
  const polled = {
    id: `${id}EventSourceMapping`,
    name: event.name,
    type: 'SQS',
    properties: { Queue: queueArn, BatchSize, Enabled },
  };
  addPolled(polled, target, to);
}
