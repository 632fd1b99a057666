import type { InputOf, OutputOf } from '@emu/service-types/cloudwatch';
import { durationOf, isFor, isTimezone, scheduleOf, statusOf } from '../alarms/mute.ts';
import { awaitMuteRule, releaseMuted } from '../alarms/schedule.ts';
import type { CloudwatchContext } from '../context.ts';
import { invalid, noSuchResource } from '../errors.ts';
import { paging } from '../paging.ts';
import { muteRuleType } from '../resources.ts';
import { tagging } from '../tags.ts';

const PAGE = 50;
/** Type of rules, which distinguishes them from those of AWS's console. */
const MUTE_TYPE = 'SCHEDULED';

/**
 * Creates or replaces an alarm mute rule.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutAlarmMuteRule.html
 */
export async function PutAlarmMuteRule(
  input: InputOf<'PutAlarmMuteRule'>,
  ctx: CloudwatchContext,
): Promise<OutputOf<'PutAlarmMuteRule'>> {
  const { Name: name, Description, MuteTargets, StartDate, ExpireDate, Tags } = input;
  const { Expression: expression, Duration: duration, Timezone: timezone } = input.Rule.Schedule;
  if (timezone !== undefined && !isTimezone(timezone))
    throw invalid(`The value ${timezone} for parameter Rule.Schedule.Timezone is not a valid timezone.`);
  if (!scheduleOf(expression, timezone))
    throw invalid(`The value ${expression} for parameter Rule.Schedule.Expression is not a valid expression.`);
  if (durationOf(duration) === undefined)
    throw invalid(`The value ${duration} for parameter Rule.Schedule.Duration is not a valid duration.`);
  if (StartDate && ExpireDate && StartDate >= ExpireDate)
    throw invalid('The parameter StartDate must be less than the parameter ExpireDate.');
  const { state } = ctx;
  const now = ctx.clock.now();
  const before = state.muteRules.get(name);
  const tags = before?.tags ?? (Tags?.length ? tagging.merge(undefined, Tags) : undefined);
  state.muteRules.put(name, {
    name,
    expression,
    duration,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    ...(Description !== undefined && { description: Description }),
    ...(timezone !== undefined && { timezone }),
    ...(MuteTargets && { alarms: MuteTargets.AlarmNames }),
    ...(StartDate && { startAt: StartDate.getTime() }),
    ...(ExpireDate && { expireAt: ExpireDate.getTime() }),
    ...(tags && { tags: tags.map((tag) => ({ ...tag })) }),
  });
  awaitMuteRule(state, name);
  await releaseMuted(state, ctx.requestId);
  return {};
}

const notFound = (name: string) => noSuchResource(`The alarm mute rule ${name} does not exist.`, 'AlarmMuteRule', name);

/**
 * Returns a mute rule.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetAlarmMuteRule.html
 */
export function GetAlarmMuteRule(
  input: InputOf<'GetAlarmMuteRule'>,
  ctx: CloudwatchContext,
): OutputOf<'GetAlarmMuteRule'> {
  const rule = ctx.state.muteRules.get(input.AlarmMuteRuleName);
  if (!rule) throw notFound(input.AlarmMuteRuleName);
  return {
    Name: rule.name,
    AlarmMuteRuleArn: muteRuleType.arn({ name: rule.name }, ctx),
    Description: rule.description,
    Rule: {
      Schedule: {
        Expression: rule.expression,
        Duration: rule.duration,
        ...(rule.timezone !== undefined && { Timezone: rule.timezone }),
      },
    },
    ...(rule.alarms && { MuteTargets: { AlarmNames: [...rule.alarms] } }),
    ...(rule.startAt !== undefined && { StartDate: new Date(rule.startAt) }),
    ...(rule.expireAt !== undefined && { ExpireDate: new Date(rule.expireAt) }),
    Status: statusOf(rule, ctx.clock.now()),
    LastUpdatedTimestamp: new Date(rule.updatedAt),
    MuteType: MUTE_TYPE,
  };
}

/**
 * Lists mute rules, by alarm or status.
 * @throws AwsError `ResourceNotFoundException`, `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ListAlarmMuteRules.html
 */
export function ListAlarmMuteRules(
  input: InputOf<'ListAlarmMuteRules'>,
  ctx: CloudwatchContext,
): OutputOf<'ListAlarmMuteRules'> {
  const { AlarmName: alarm, Statuses: statuses } = input;
  const now = ctx.clock.now();
  const found = [...ctx.state.muteRules.values()].filter(
    (rule) =>
      (alarm === undefined || isFor(rule, alarm)) && (!statuses?.length || statuses.includes(statusOf(rule, now))),
  );
  return paging
    .page('ListAlarmMuteRules', input, found, ({ name }) => name, { defaultLimit: PAGE })
    .list((rule) => ({
      AlarmMuteRuleArn: muteRuleType.arn({ name: rule.name }, ctx),
      ...(rule.expireAt !== undefined && { ExpireDate: new Date(rule.expireAt) }),
      Status: statusOf(rule, now),
      MuteType: MUTE_TYPE,
      LastUpdatedTimestamp: new Date(rule.updatedAt),
    }));
}

/**
 * Deletes a mute rule and runs the actions that it delayed; succeeds for an unknown one.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DeleteAlarmMuteRule.html
 */
export async function DeleteAlarmMuteRule(
  { AlarmMuteRuleName: name }: InputOf<'DeleteAlarmMuteRule'>,
  ctx: CloudwatchContext,
): Promise<OutputOf<'DeleteAlarmMuteRule'>> {
  ctx.state.muteRules.delete(name);
  awaitMuteRule(ctx.state, name);
  await releaseMuted(ctx.state, ctx.requestId);
  return {};
}
