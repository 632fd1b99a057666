import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { eventProblem, resourceProblem } from '../errors.ts';
import { trust } from '../role.ts';
import type { Event, FunctionTarget } from '../targets.ts';
import type { Translation } from '../translation.ts';
import { defined, getAtt, type Obj, pick, ref } from '../values.ts';
import { permit } from './permission.ts';

const MAX_TARGET_ID = 64;

/** Target of a rule or schedule: a function or a state machine. */
export interface RuleTarget {
  readonly id: string;
  readonly attributes: Obj;
  readonly arn: Obj;
  readonly propagated: Obj | undefined;
  /** Permissions boundary of roles created for it. */
  readonly boundary?: unknown;
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-schedule.html */
export function addSchedule(event: Event, target: FunctionTarget, to: Translation): void {
  const extra = ruleTarget(event, target, 'LambdaTarget', {}, to);
  scheduleRule(event, target, extra, to);
  permit(`${event.id}Permission`, servicePrincipalName('events'), target, { SourceArn: getAtt(event.id, 'Arn') }, to);
}

const stateOf = (enabled: unknown): string | undefined =>
  enabled === undefined || enabled === null ? undefined : enabled ? 'ENABLED' : 'DISABLED';

/**
 * Returns the rule of a schedule.
 * @throws SamProblem
 */
export function scheduleRule({ id, name, properties }: Event, target: RuleTarget, Target: Obj, to: Translation): void {
  const { Schedule, Enabled, State, Name, Description } = properties;
  if (Enabled !== undefined && State !== undefined)
    throw eventProblem(name, 'State and Enabled Properties cannot both be specified.');
  to.add(
    id,
    'AWS::Events::Rule',
    {
      ScheduleExpression: Schedule,
      State: State ?? stateOf(Enabled),
      Name,
      Description,
      Targets: [Target],
    },
    target.attributes,
  );
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-eventbridgerule.html */
export function addRule(event: Event, target: FunctionTarget, to: Translation): void {
  patternRule(event, target, ruleTarget(event, target, 'LambdaTarget', {}, to), to);
  permit(`${event.id}Permission`, servicePrincipalName('events'), target, { SourceArn: getAtt(event.id, 'Arn') }, to);
}

/** Returns the rule of an event pattern. */
export function patternRule({ id, name, properties }: Event, target: RuleTarget, Target: Obj, to: Translation): void {
  const { EventBusName, Pattern, State, RuleName, Enabled } = properties;
  if (Enabled !== undefined && State !== undefined)
    throw eventProblem(name, 'State and Enabled Properties cannot both be specified.');
  to.add(
    id,
    'AWS::Events::Rule',
    { EventBusName, EventPattern: Pattern, State: State ?? stateOf(Enabled), Name: RuleName, Targets: [Target] },
    target.attributes,
  );
}

/**
 * Returns the target of a rule.
 * @param suffix suffix of its default id
 */
export function ruleTarget(event: Event, target: RuleTarget, suffix: string, more: Obj, to: Translation): Obj {
  const { id, properties } = event;
  const given = isObject(properties.Target) ? properties.Target.Id : undefined;
  const own = `${id}${suffix}`;
  return defined({
    Id: given ?? (own.length > MAX_TARGET_ID ? `${id.slice(0, MAX_TARGET_ID - suffix.length)}${suffix}` : own),
    Arn: target.arn,
    ...pick(properties, ['Input', 'InputPath', 'InputTransformer', 'RetryPolicy']),
    DeadLetterConfig: deadLetters(event, target, servicePrincipalName('events'), to),
    ...more,
  });
}

/**
 * Returns the dead-letter queue of undeliverable events; created on request.
 * @throws SamProblem
 */
function deadLetters(
  { id, properties }: Event,
  target: RuleTarget,
  service: string | undefined,
  to: Translation,
): Obj | undefined {
  const { DeadLetterConfig: config } = properties;
  if (!isObject(config)) return undefined;
  const { Arn, Type, QueueLogicalId } = config;
  if (Arn !== undefined && Type !== undefined)
    throw eventProblem(id, "You can either define 'Arn' or 'Type' property of DeadLetterConfig.");
  if (Arn !== undefined) return { Arn };
  if (Type === undefined) throw eventProblem(id, "No 'Arn' or 'Type' property provided for DeadLetterConfig.");
  if (Type !== 'SQS') throw eventProblem(id, "The only valid value for 'Type' property of DeadLetterConfig is 'SQS'.");
  if (QueueLogicalId !== undefined && typeof QueueLogicalId !== 'string')
    throw eventProblem(id, 'QueueLogicalId must be a string');
  const queueId = QueueLogicalId ?? `${id}Queue`;
  to.add(queueId, 'AWS::SQS::Queue', {}, target.attributes);
  if (service !== undefined) {
    const Statement = [
      {
        Action: 'sqs:SendMessage',
        Effect: 'Allow',
        Principal: { Service: service },
        Resource: getAtt(queueId, 'Arn'),
        Condition: { ArnEquals: { 'aws:SourceArn': getAtt(id, 'Arn') } },
      },
    ];
    const policy = { PolicyDocument: { Version: '2012-10-17', Statement }, Queues: [ref(queueId)] };
    to.add(`${id}QueuePolicy`, 'AWS::SQS::QueuePolicy', policy, target.attributes);
  }
  return { Arn: getAtt(queueId, 'Arn') };
}

/** @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-schedulev2.html */
export const addScheduleV2 = (event: Event, target: FunctionTarget, to: Translation): void =>
  schedule(event, target, { action: 'lambda:InvokeFunction', policy: 'LambdaPolicy' }, to);

/** Returns the EventBridge Scheduler schedule with its role. */
export function schedule(
  event: Event,
  target: RuleTarget,
  { action, policy }: { action: string; policy: string },
  to: Translation,
): void {
  const { id, properties } = event;
  const { RoleArn, OmitName, Name, PermissionsBoundary, FlexibleTimeWindow = { Mode: 'OFF' } } = properties;
  if (OmitName !== undefined && typeof OmitName !== 'boolean')
    throw resourceProblem(id, "Type of property 'OmitName' is invalid.");
  if (OmitName && Name !== undefined) throw eventProblem(id, 'Name cannot be set when OmitName is True');
  const DeadLetterConfig = deadLetters(event, target, undefined, to);
  const roleId = `${id}Role`;
  to.add(
    id,
    'AWS::Scheduler::Schedule',
    {
      ...pick(properties, [
        'Description',
        'EndDate',
        'GroupName',
        'KmsKeyArn',
        'ScheduleExpression',
        'ScheduleExpressionTimezone',
        'StartDate',
        'State',
      ]),
      FlexibleTimeWindow,
      Name: Name ?? (OmitName ? undefined : id),
      Target: defined({
        Arn: target.arn,
        RoleArn: RoleArn ?? getAtt(roleId, 'Arn'),
        DeadLetterConfig,
        ...pick(properties, ['Input', 'RetryPolicy']),
      }),
    },
    target.attributes,
  );
  if (RoleArn !== undefined) return;
  const statement = (Action: string, Resource: unknown) => ({ Statement: [{ Effect: 'Allow', Action, Resource }] });
  const Policies: Obj[] = [{ PolicyName: `${id}${policy}`, PolicyDocument: statement(action, target.arn) }];
  if (DeadLetterConfig)
    Policies.push({ PolicyName: `${id}SQSPolicy`, PolicyDocument: statement('sqs:SendMessage', DeadLetterConfig.Arn) });
  to.add(
    roleId,
    'AWS::IAM::Role',
    { AssumeRolePolicyDocument: trust(servicePrincipalName('scheduler')), PermissionsBoundary, Policies },
    target.attributes,
  );
}
