import { parseArn } from '@emu/core/service';
import type { InputOf, ManagedRule, OutputOf, PartialFailure } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../context.ts';
import { invalidParameterValue } from '../errors.ts';
import { managedDefinition, managedName, templatesOf } from '../insights/managed.ts';
import { paging } from '../paging.ts';
import { tagging } from '../tags.ts';

/** Default number of rules on a page. */
const DEFAULT_PAGE = 100;

/**
 * Validates the ARN of a resource.
 * @throws AwsError `InvalidParameterValue`
 */
function checkArn(resource: string): void {
  if (!parseArn(resource))
    throw invalidParameterValue(`The value ${resource} for parameter ResourceARN is not a valid ARN.`);
}

/**
 * Creates or enables the managed rules of resources.
 * @throws AwsError `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutManagedInsightRules.html
 */
export function PutManagedInsightRules(
  { ManagedRules }: InputOf<'PutManagedInsightRules'>,
  ctx: CloudwatchContext,
): OutputOf<'PutManagedInsightRules'> {
  for (const { ResourceARN } of ManagedRules) checkArn(ResourceARN);
  return { Failures: ManagedRules.flatMap((rule) => put(rule, ctx)) };
}

/**
 * Creates or enables a managed rule.
 * @returns the failure, if any
 */
function put({ TemplateName, ResourceARN, Tags }: ManagedRule, { state, clock }: CloudwatchContext): PartialFailure[] {
  const template = templatesOf(ResourceARN).find(({ name }) => name === TemplateName);
  if (!template)
    return [
      {
        FailureResource: ResourceARN,
        ExceptionType: 'InvalidParameterValueException',
        FailureCode: '400',
        FailureDescription: `The template ${TemplateName} does not exist for the resource ${ResourceARN}.`,
      },
    ];
  const name = managedName(TemplateName, ResourceARN);
  if (state.insightRules.has(name)) {
    state.insightRules.update(name, (draft) => {
      draft.enabled = true;
    });
    return [];
  }
  const tags = Tags?.length ? tagging.merge(undefined, Tags) : undefined;
  state.insightRules.put(name, {
    name,
    enabled: true,
    definition: managedDefinition(template, ResourceARN),
    transformed: false,
    managed: { template: TemplateName, resource: ResourceARN },
    createdAt: clock.now(),
    ...(tags && { tags: tags.map((tag) => ({ ...tag })) }),
  });
  return [];
}

/**
 * Lists the managed rules available for a resource, with the state of existing ones.
 * @throws AwsError `InvalidParameterValue`, `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ListManagedInsightRules.html
 */
export function ListManagedInsightRules(
  input: InputOf<'ListManagedInsightRules'>,
  ctx: CloudwatchContext,
): OutputOf<'ListManagedInsightRules'> {
  const { ResourceARN, MaxResults = DEFAULT_PAGE } = input;
  checkArn(ResourceARN);
  const templates = templatesOf(ResourceARN).map(({ name }, index) => ({ name, index }));
  return paging
    .page('ListManagedInsightRules', { ...input, MaxResults }, templates, ({ index }) => String(index))
    .list(({ name }) => {
      const rule = ctx.state.insightRules.get(managedName(name, ResourceARN));
      return {
        TemplateName: name,
        ...(rule && {
          ResourceARN,
          RuleState: { RuleName: rule.name, State: rule.enabled ? 'ENABLED' : 'DISABLED' },
        }),
      };
    });
}
