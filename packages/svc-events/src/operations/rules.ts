import { parseSchedule } from '@emu/core/schedules';
import { notEmulated } from '@emu/core/service';
import type {
  EnableRuleRequest,
  InputOf,
  OutputOf,
  PutRuleRequest,
  Rule as RuleDescription,
  RuleState,
} from '@emu/service-types/events';
import { disableArchiveOf, refuseManaged } from '../archives/archive-rule.ts';
import { ruleArn } from '../arns.ts';
import type { EventsContext } from '../context.ts';
import { invalid, invalidParameter } from '../errors.ts';
import { busAt, ruleAt } from '../lookup.ts';
import { paging } from '../paging.ts';
import { DEFAULT_BUS } from '../records.ts';
import { checkPattern } from '../rules/pattern.ts';
import type { EventsState, Rule } from '../state.ts';
import { tagging } from '../tags.ts';

const describe = (state: EventsState, rule: Rule): RuleDescription => ({
  Name: rule.name,
  Arn: ruleArn(state, rule.bus, rule.name),
  EventPattern: rule.eventPattern,
  ScheduleExpression: rule.scheduleExpression,
  State: rule.state,
  Description: rule.description,
  RoleArn: rule.roleArn,
  EventBusName: rule.bus,
  ManagedBy: rule.managedBy,
});

/** @throws AwsError `ValidationException`, `InvalidEventPatternException`, `NotImplemented` */
function check(input: PutRuleRequest, bus: string): void {
  const { EventPattern: pattern, ScheduleExpression: schedule } = input;
  if (!pattern && !schedule) throw invalid('Parameter(s) EventPattern or ScheduleExpression must be specified.');
  // These rules match events of CloudTrail, which emu lacks.
  if (input.State === 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS')
    throw notEmulated(`the state ${input.State} of events rules`);
  if (pattern) checkPattern(pattern);
  if (!schedule) return;
  if (bus !== DEFAULT_BUS) throw invalid('ScheduleExpression is supported only on the default event bus.');
  if (!parseSchedule(schedule)) throw invalidParameter('ScheduleExpression');
}

/**
 * Creates or replaces a rule. Existing targets remain.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html
 */
export function PutRule(input: InputOf<'PutRule'>, ctx: EventsContext): OutputOf<'PutRule'> {
  const { state, bus } = busAt(input.EventBusName, ctx);
  check(input, bus.name);
  const before = state.rule(bus.name, input.Name);
  refuseManaged(before);
  const tags = tagging.merge(undefined, input.Tags);
  const { EventPattern, ScheduleExpression, Description, RoleArn } = input;
  state.putRule({
    bus: bus.name,
    name: input.Name,
    state: input.State ?? before?.state ?? 'ENABLED',
    ...(EventPattern && { eventPattern: EventPattern }),
    ...(ScheduleExpression && {
      scheduleExpression: ScheduleExpression,
      scheduledFrom:
        before?.scheduleExpression === ScheduleExpression && before.scheduledFrom !== undefined
          ? before.scheduledFrom
          : ctx.clock.now(),
    }),
    ...(Description && { description: Description }),
    ...(RoleArn && { roleArn: RoleArn }),
    // Tags of an existing rule change through TagResource only.
    tags: before ? before.tags.map((tag) => ({ ...tag })) : tags,
    targets: before ? structuredClone(before.targets as Rule['targets'] & never[]) : [],
    createdBy: before?.createdBy ?? ctx.accountId,
  });
  return { RuleArn: ruleArn(state, bus.name, input.Name) };
}

/**
 * Deletes a rule without targets. Succeeds for an unknown rule.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteRule.html
 */
export function DeleteRule(input: InputOf<'DeleteRule'>, ctx: EventsContext): OutputOf<'DeleteRule'> {
  const { state, bus } = busAt(input.EventBusName, ctx);
  const rule = state.rule(bus.name, input.Name);
  refuseManaged(rule, input.Force);
  if (rule?.managedBy !== undefined) disableArchiveOf(state, rule);
  else if (rule?.targets.length) throw invalid("Rule can't be deleted since it has targets.");
  state.removeRule(bus.name, input.Name);
  return {};
}

/**
 * Returns a rule without its targets.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeRule.html
 */
export function DescribeRule(input: InputOf<'DescribeRule'>, ctx: EventsContext): OutputOf<'DescribeRule'> {
  const { state, rule } = ruleAt(input.Name, input.EventBusName, ctx);
  return { ...describe(state, rule), CreatedBy: rule.createdBy };
}

/**
 * Lists the rules of a bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListRules.html
 */
export function ListRules(input: InputOf<'ListRules'>, ctx: EventsContext): OutputOf<'ListRules'> {
  const { state, bus } = busAt(input.EventBusName, ctx);
  const rules = state.rulesOf(bus.name).filter(({ name }) => name.startsWith(input.NamePrefix ?? ''));
  return paging.page('ListRules', input, rules, ({ name }) => name).list((rule) => describe(state, rule));
}

/**
 * Lists the rules of a bus that have a given target.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListRuleNamesByTarget.html
 */
export function ListRuleNamesByTarget(
  input: InputOf<'ListRuleNamesByTarget'>,
  ctx: EventsContext,
): OutputOf<'ListRuleNamesByTarget'> {
  const { state, bus } = busAt(input.EventBusName, ctx);
  const names = state
    .rulesOf(bus.name)
    .filter(({ targets }) => targets.some(({ Arn }) => Arn === input.TargetArn))
    .map(({ name }) => name);
  return paging.page('ListRuleNamesByTarget', input, names, (name) => name).list((item) => item);
}

function setState(input: EnableRuleRequest, value: RuleState, ctx: EventsContext): void {
  const { state, bus, rule } = ruleAt(input.Name, input.EventBusName, ctx);
  refuseManaged(rule);
  state.updateRule(bus.name, rule.name, (draft) => {
    if (draft.state === 'DISABLED' && value !== 'DISABLED' && draft.scheduleExpression !== undefined)
      draft.scheduledFrom = ctx.clock.now();
    draft.state = value;
  });
}

/**
 * Enables a rule.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_EnableRule.html
 */
export function EnableRule(input: InputOf<'EnableRule'>, ctx: EventsContext): OutputOf<'EnableRule'> {
  setState(input, 'ENABLED', ctx);
  return {};
}

/**
 * Disables a rule.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DisableRule.html
 */
export function DisableRule(input: InputOf<'DisableRule'>, ctx: EventsContext): OutputOf<'DisableRule'> {
  setState(input, 'DISABLED', ctx);
  return {};
}
