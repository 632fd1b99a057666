import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import { mapOf, type ProblemOf } from './expect.ts';
import { shortDigest } from './ids.ts';
import type { FunctionTarget } from './targets.ts';
import type { Translation } from './translation.ts';
import { defined, getAtt, isNoValue, type Obj, ref } from './values.ts';

/** Actions that a function may perform on a destination, by type. */
const ACTIONS: Readonly<Record<string, string>> = {
  SQS: 'sqs:SendMessage',
  SNS: 'sns:publish',
  Lambda: 'lambda:InvokeFunction',
  EventBridge: 'events:PutEvents',
  S3Bucket: 's3:PutObject',
};

/** Configures destinations of asynchronous invocations; creates queues and topics if none are named. */
export function destinations(target: FunctionTarget, alias: string | undefined, to: Translation): void {
  const { id, properties, attributes, inline } = target;
  const { EventInvokeConfig: config } = properties;
  if (!isObject(config)) return;
  const configId = `${id}EventInvokeConfig`;
  const problemOf: ProblemOf = (problem) => resourceProblem(id, problem);
  const path = 'EventInvokeConfig.DestinationConfig';
  const given = config.DestinationConfig ? mapOf(config.DestinationConfig, path, problemOf) : undefined;
  const made: Obj = {};
  for (const event of ['OnSuccess', 'OnFailure']) {
    if (!given?.[event]) continue;
    const destination = mapOf(given[event], `${path}.${event}`, problemOf);
    const type = to.resolver.resolve(destination.Type);
    if (typeof type !== 'string' || !Object.hasOwn(ACTIONS, type))
      throw resourceProblem(id, `'Type: ${type}' must be one of ['SQS', 'SNS', 'EventBridge', 'Lambda', 'S3Bucket']`);
    const arn = destinationOf(target, `${configId}${event}`, type, to.resolver.resolve(destination.Destination), to);
    made[event] = { Destination: arn };
    inline.push({
      PolicyName: `${configId}${event}${type === 'S3Bucket' ? 'S3' : type}Policy`,
      PolicyDocument: { Statement: statements(type, arn) },
    });
  }
  const { MaximumEventAgeInSeconds, MaximumRetryAttempts } = config;
  to.add(
    configId,
    'AWS::Lambda::EventInvokeConfig',
    {
      FunctionName: ref(id),
      Qualifier: alias === undefined ? '$LATEST' : getAlias(properties, to),
      MaximumEventAgeInSeconds,
      MaximumRetryAttempts,
      DestinationConfig: given && made,
    },
    { ...attributes, DependsOn: alias === undefined ? undefined : [alias] },
  );
}

const getAlias = ({ AutoPublishAlias }: Obj, to: Translation): unknown => to.resolver.resolve(AutoPublishAlias);

/** Returns the statement that permits sending results to a destination. */
function statements(type: string, arn: unknown): Obj[] {
  const allow = (Action: string, Resource: unknown): Obj => ({ Action, Effect: 'Allow', Resource });
  if (type !== 'S3Bucket') return [allow(ACTIONS[type]!, arn)];
  return [allow('s3:PutObject', { 'Fn::Join': ['/', [arn, '*']] }), allow('s3:ListBucket', arn)];
}

function destinationOf(target: FunctionTarget, id: string, type: string, named: unknown, to: Translation): unknown {
  if (type !== 'SQS' && type !== 'SNS') {
    if (named === undefined) throw resourceProblem(target.id, "Destination is required if Type is not ['SQS', 'SNS']");
    return named;
  }
  const branches = isObject(named) ? named['Fn::If'] : undefined;
  if (branches !== undefined && (!Array.isArray(branches) || branches.length !== 3))
    throw resourceProblem(
      `${target.id}EventInvokeConfig`,
      "Malformed 'Destination' property: Fn::If requires 3 arguments.",
    );
  if (named !== undefined && !Array.isArray(branches)) return named;
  const madeId = `${id}${type === 'SQS' ? 'Queue' : 'Topic'}`;
  const own = type === 'SQS' ? getAtt(madeId, 'Arn') : ref(madeId);
  to.references.add(target.id, type === 'SQS' ? 'DestinationQueue' : 'DestinationTopic', madeId);
  const add = (Condition: unknown) =>
    to.add(madeId, type === 'SQS' ? 'AWS::SQS::Queue' : 'AWS::SNS::Topic', {}, defined({ Condition }));
  const own_ = target.attributes.Condition as string | undefined;
  if (!Array.isArray(branches)) {
    add(own_);
    return own;
  }
  const [condition, yes, no] = branches as [string, unknown, unknown];
  if (!isNoValue(yes) && !isNoValue(no)) return named;
  if (isNoValue(yes) && isNoValue(no)) {
    add(own_);
    return own;
  }
  const making = isNoValue(yes) ? condition : to.negation(condition, `${target.id}EventInvokeConfig`);
  add(both(own_, making, target.id, to));
  return isNoValue(yes) ? { 'Fn::If': [condition, own, no] } : { 'Fn::If': [making, own, yes] };
}

/** Returns the name of a condition that is true if two others are. */
function both(first: string | undefined, second: string, owner: string, to: Translation): string {
  if (first === undefined || first === second) return second;
  const name = `${first}AND${second}${shortDigest(owner)}`;
  to.conditions[name] = { 'Fn::And': [{ Condition: first }, { Condition: second }] };
  return name;
}
