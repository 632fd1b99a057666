import { type DeepReadonly, type Place, parseArn } from '@emu/core/service';
import type { InputOf, OutputOf, Target } from '@emu/service-types/events';
import { parseJson } from '@emu/wire';
import { disableArchiveOf, refuseManaged } from '../archives/archive-rule.ts';
import type { EventsContext } from '../context.ts';
import { invalid, invalidParameter } from '../errors.ts';
import { busAt, ruleAt } from '../lookup.ts';
import { paging } from '../paging.ts';
import { unknownPlaceholder } from '../rules/input.ts';
import { JSON_PATHS } from '../rules/json-path.ts';

type Arn = NonNullable<ReturnType<typeof parseArn>>;

/**
 * Services that can be targets, by their names in ARNs.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-targets.html
 */
const SUPPORTED: ReadonlySet<string> = new Set([
  'appsync',
  'batch',
  'codebuild',
  'codepipeline',
  'ec2',
  'ecs',
  'events',
  'execute-api',
  'firehose',
  'glue',
  'inspector',
  'kinesis',
  'lambda',
  'logs',
  'redshift',
  'redshift-data',
  'redshift-serverless',
  'sagemaker',
  'sns',
  'sqs',
  'ssm',
  'ssm-incidents',
  'states',
]);
/** Services that EventBridge calls with an IAM role of the account. */
const NEEDS_ROLE: ReadonlySet<string> = new Set([
  'batch',
  'codebuild',
  'codepipeline',
  'ecs',
  'firehose',
  'kinesis',
  'states',
]);

/** @throws AwsError `ValidationException` */
function checkInput({ Id, Input, InputPath, InputTransformer }: Target): void {
  if ([Input, InputPath, InputTransformer].filter((given) => given !== undefined).length > 1)
    throw invalid(`Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`);
  if (Input !== undefined)
    try {
      parseJson(Input);
    } catch {
      throw invalid(`JSON syntax error in input for target ${Id}.`);
    }
  const paths = InputPath === undefined || InputPath === '' ? [] : [InputPath];
  for (const path of [...paths, ...Object.values(InputTransformer?.InputPathsMap ?? {})])
    if (!JSON_PATHS.parse(path)) throw invalid(`Invalid InputPath for target ${Id}.`);
  if (!InputTransformer) return;
  const unknown = unknownPlaceholder(InputTransformer.InputTemplate, InputTransformer.InputPathsMap ?? {});
  if (unknown !== undefined) throw invalid(`InputTemplate for target ${Id} contains invalid placeholder ${unknown}.`);
}

/** Whether EventBridge delivers to a target with the target's role, which is then required. */
function needsRole(arn: Arn, rule: Place): boolean {
  if (NEEDS_ROLE.has(arn.service)) return true;
  if (arn.service !== 'events') return false;
  if (!arn.resource.startsWith('event-bus/')) return arn.resource.startsWith('api-destination/');
  return arn.accountId !== rule.accountId || arn.region !== rule.region;
}

/** @throws AwsError `ValidationException` */
function check(target: Target, rule: Place): void {
  const arn = parseArn(target.Arn);
  if (!arn?.service || !arn.resource) throw invalidParameter(target.Arn, 'Provided Arn is not in correct format.');
  if (!SUPPORTED.has(arn.service)) throw invalid(`${arn.service} is not a supported service for a target.`);
  if (arn.service === 'sqs' && arn.resource.endsWith('.fifo') && !target.SqsParameters?.MessageGroupId)
    throw invalid(`Parameter(s) SqsParameters must be specified for target: ${target.Id}.`);
  if (needsRole(arn, rule) && !target.RoleArn) throw invalid(`RoleArn is required for target ${target.Arn}.`);
  if (arn.service === 'ecs' && !target.EcsParameters)
    throw invalid(`Parameter(s) EcsParameters must be specified for target: ${target.Id}.`);
  if (arn.service === 'batch' && !target.BatchParameters)
    throw invalid(`Parameter(s) BatchParameters must be specified for target: ${target.Id}.`);
  const queue = target.DeadLetterConfig?.Arn;
  if (queue !== undefined && parseArn(queue)?.service !== 'sqs')
    throw invalidParameter('DeadLetterConfig', 'It must name an SQS queue.');
  checkInput(target);
}

/**
 * Adds targets to a rule, or replaces those with the same ids. Invalid targets are reported before an unknown rule.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutTargets.html
 */
export function PutTargets(input: InputOf<'PutTargets'>, ctx: EventsContext): OutputOf<'PutTargets'> {
  const place = busAt(input.EventBusName, ctx).state;
  for (const target of input.Targets) check(target, place);
  const { state, bus, rule } = ruleAt(input.Rule, input.EventBusName, ctx);
  refuseManaged(rule);
  const targets = new Map<string, DeepReadonly<Target>>(rule.targets.map((target) => [target.Id, target]));
  for (const target of input.Targets) targets.set(target.Id, target);
  state.updateRule(bus.name, rule.name, (draft) => {
    draft.targets = [...targets.values()].map((target) => structuredClone(target) as Target);
  });
  return { FailedEntryCount: 0, FailedEntries: [] };
}

/**
 * Removes targets from a rule. Each unknown id becomes a failed entry of the response.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_RemoveTargets.html
 */
export function RemoveTargets(input: InputOf<'RemoveTargets'>, ctx: EventsContext): OutputOf<'RemoveTargets'> {
  const { state, bus, rule } = ruleAt(input.Rule, input.EventBusName, ctx);
  refuseManaged(rule, input.Force);
  disableArchiveOf(state, rule);
  const there = new Set(rule.targets.map(({ Id }) => Id));
  const failed = input.Ids.filter((id) => !there.has(id)).map((TargetId) => ({
    TargetId,
    ErrorCode: 'ResourceNotFoundException',
    ErrorMessage: `Rule '${rule.name}' does not have a target with the Id '${TargetId}'.`,
  }));
  state.updateRule(bus.name, rule.name, (draft) => {
    draft.targets = draft.targets.filter(({ Id }) => !input.Ids.includes(Id));
  });
  return { FailedEntryCount: failed.length, FailedEntries: failed };
}

/**
 * Lists the targets of a rule.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListTargetsByRule.html
 */
export function ListTargetsByRule(
  input: InputOf<'ListTargetsByRule'>,
  ctx: EventsContext,
): OutputOf<'ListTargetsByRule'> {
  const { rule } = ruleAt(input.Rule, input.EventBusName, ctx);
  const sorted = [...rule.targets].sort((a, b) => (a.Id < b.Id ? -1 : 1));
  return paging
    .page('ListTargetsByRule', input, sorted, ({ Id }) => Id)
    .list((target) => structuredClone(target) as Target);
}
