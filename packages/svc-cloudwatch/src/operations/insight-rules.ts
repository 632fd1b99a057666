import type { InputOf, OutputOf, PartialFailure } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../context.ts';
import { invalidParameterValue, noSuchResource } from '../errors.ts';
import { parseDefinition } from '../insights/definition.ts';
import { RULE_METRICS, reportOf } from '../insights/report.ts';
import { paging } from '../paging.ts';
import { tagging } from '../tags.ts';

const ORDERS = ['Sum', 'Maximum'];
const MAX_CONTRIBUTORS = 100;

/**
 * Creates or replaces a Contributor Insights rule.
 * @throws AwsError `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutInsightRule.html
 */
export function PutInsightRule(input: InputOf<'PutInsightRule'>, ctx: CloudwatchContext): OutputOf<'PutInsightRule'> {
  const { RuleName: name, RuleState: state = 'ENABLED', RuleDefinition: definition, Tags } = input;
  if (state !== 'ENABLED' && state !== 'DISABLED')
    throw invalidParameterValue(`The value ${state} for parameter RuleState is not supported.`);
  parseDefinition(definition);
  const { insightRules } = ctx.state;
  const before = insightRules.get(name);
  if (before?.managed) throw invalidParameterValue(`The rule ${name} is managed by AWS and cannot be changed.`);
  const tags = before?.tags ?? (Tags?.length ? tagging.merge(undefined, Tags) : undefined);
  insightRules.put(name, {
    name,
    enabled: state === 'ENABLED',
    definition,
    transformed: input.ApplyOnTransformedLogs ?? false,
    createdAt: before?.createdAt ?? ctx.clock.now(),
    ...(tags && { tags: tags.map((tag) => ({ ...tag })) }),
  });
  return {};
}

/**
 * Lists Contributor Insights rules, ordered by name.
 * @throws AwsError `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeInsightRules.html
 */
export function DescribeInsightRules(
  input: InputOf<'DescribeInsightRules'>,
  ctx: CloudwatchContext,
): OutputOf<'DescribeInsightRules'> {
  return paging
    .page('DescribeInsightRules', input, ctx.state.insightRules.values(), ({ name }) => name)
    .list(({ name, enabled, definition, managed, transformed }) => ({
      Name: name,
      State: enabled ? 'ENABLED' : 'DISABLED',
      Schema: managed ? 'ServiceLogRule/1' : 'CloudWatchLogRule/1',
      Definition: definition,
      ManagedRule: managed !== undefined,
      ApplyOnTransformedLogs: transformed,
    }));
}

/**
 * Calls a function for each existing rule.
 * @returns failures for unknown rules
 */
function each(names: readonly string[], ctx: CloudwatchContext, act: (name: string) => void): PartialFailure[] {
  return names.flatMap((name) => {
    if (!ctx.state.insightRules.has(name))
      return [
        {
          FailureResource: name,
          ExceptionType: 'ResourceNotFoundException',
          FailureCode: '404',
          FailureDescription: `The rule ${name} does not exist.`,
        },
      ];
    act(name);
    return [];
  });
}

const setEnabled = (names: readonly string[], enabled: boolean, ctx: CloudwatchContext) => ({
  Failures: each(names, ctx, (name) => {
    ctx.state.insightRules.update(name, (draft) => {
      draft.enabled = enabled;
    });
  }),
});

/**
 * Enables rules.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_EnableInsightRules.html
 */
export function EnableInsightRules(
  { RuleNames }: InputOf<'EnableInsightRules'>,
  ctx: CloudwatchContext,
): OutputOf<'EnableInsightRules'> {
  return setEnabled(RuleNames, true, ctx);
}

/**
 * Disables rules.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DisableInsightRules.html
 */
export function DisableInsightRules(
  { RuleNames }: InputOf<'DisableInsightRules'>,
  ctx: CloudwatchContext,
): OutputOf<'DisableInsightRules'> {
  return setEnabled(RuleNames, false, ctx);
}

/** Deletes rules. @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DeleteInsightRules.html */
export function DeleteInsightRules(
  { RuleNames }: InputOf<'DeleteInsightRules'>,
  ctx: CloudwatchContext,
): OutputOf<'DeleteInsightRules'> {
  return {
    Failures: each(RuleNames, ctx, (name) => {
      ctx.state.insightRules.delete(name);
    }),
  };
}

/**
 * Returns the top contributors of a time range, counted from stored log events.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetInsightRuleReport.html
 */
export async function GetInsightRuleReport(
  input: InputOf<'GetInsightRuleReport'>,
  ctx: CloudwatchContext,
): Promise<OutputOf<'GetInsightRuleReport'>> {
  const rule = ctx.state.insightRules.get(input.RuleName);
  if (!rule) throw noSuchResource(`The rule ${input.RuleName} does not exist.`, 'InsightRule', input.RuleName);
  const { OrderBy, Metrics = [], MaxContributorCount: most = 1, Period } = input;
  if (input.StartTime >= input.EndTime)
    throw invalidParameterValue('The parameter StartTime must be less than the parameter EndTime.');
  if (Period % 60) throw invalidParameterValue('The parameter Period must be a multiple of 60.');
  if (OrderBy !== undefined && !ORDERS.includes(OrderBy))
    throw invalidParameterValue(`The value ${OrderBy} for parameter OrderBy is not supported.`);
  const unknown = Metrics.find((metric) => !RULE_METRICS.includes(metric));
  if (unknown !== undefined)
    throw invalidParameterValue(`The value ${unknown} for parameter Metrics is not supported.`);
  if (!(most >= 1 && most <= MAX_CONTRIBUTORS))
    throw invalidParameterValue(`The parameter MaxContributorCount must be between 1 and ${MAX_CONTRIBUTORS}.`);
  return reportOf(rule, input, ctx);
}
