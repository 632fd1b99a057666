import {
  defined,
  defineProvider,
  differs,
  documentValue,
  everyItem,
  type Properties,
  pick,
  refuseExisting,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, parseArn } from '@emu/core/service';
import { AwsError, textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const TYPE = 'AWS::Events::Rule';
const GONE = 'ResourceNotFoundException';
const DEFAULT_BUS = 'default';
/** Number of targets per request. */
const BATCH = 10;
const MEMBERS = ['Description', 'EventPattern', 'RoleArn', 'ScheduleExpression', 'State'];

interface Target extends Properties {
  Id: string;
}

interface RuleProperties extends TaggedProperties {
  EventBusName?: string;
  EventPattern?: unknown;
  Name?: string;
  Targets?: readonly Target[];
}

/** Parses `rule/<name>` or `rule/<bus>/<name>`. */
function ruleAt(arn: string): { EventBusName: string; Name: string } {
  const [, ...path] = parseArn(arn)!.resource.split('/');
  const Name = path.pop()!;
  return { EventBusName: path.join('/') || DEFAULT_BUS, Name };
}

const describe = (at: { EventBusName: string; Name: string }, ctx: ProviderContext) =>
  unless(ctx.call('events', 'DescribeRule', at), GONE);

const ruleInput = (properties: RuleProperties): Properties => ({
  State: 'ENABLED',
  ...pick(properties, MEMBERS),
  EventPattern: properties.EventPattern === undefined ? undefined : textOf(properties.EventPattern),
});

function* batches<Item>(items: readonly Item[]): Iterable<Item[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}

/** Updates the targets in the template and keeps all others. @throws AwsError for rejected targets */
async function changeTargets(
  { EventBusName, Name: Rule }: { EventBusName: string; Name: string },
  previous: readonly Target[] = [],
  desired: readonly Target[] = [],
  ctx: ProviderContext,
): Promise<void> {
  const kept = new Set(desired.map(({ Id }) => Id));
  const gone = previous.map(({ Id }) => Id).filter((id) => !kept.has(id));
  for (const Ids of batches(gone)) await unless(ctx.call('events', 'RemoveTargets', { EventBusName, Rule, Ids }), GONE);
  const changed = desired.filter((target) => !previous.some((other) => sameValue(other, target)));
  for (const Targets of batches(changed)) {
    const { FailedEntries = [] } = await run(ctx, 'events', 'PutTargets', { EventBusName, Rule, Targets });
    const [failed] = FailedEntries;
    if (failed) throw new AwsError(failed.ErrorCode ?? 'InvalidRequest', failed.ErrorMessage ?? 'A target is refused.');
  }
}

const targetsOf = ({ EventBusName, Name: Rule }: { EventBusName: string; Name: string }, ctx: ProviderContext) =>
  everyItem(async (NextToken) => {
    const page = await ctx.call('events', 'ListTargetsByRule', defined({ EventBusName, Rule, NextToken }));
    return [page.Targets as unknown as Target[], page.NextToken] as const;
  });

/**
 * Rules with their targets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-rule.html
 */
export const rule: AnyResourceProvider = defineProvider<RuleProperties>({
  typeName: TYPE,
  model,
  handles: [...MEMBERS, 'EventBusName', 'Name', 'Tags', 'Targets'],

  // On the default bus the identifier is the name alone, as templates expect.
  ref(identifier) {
    const { EventBusName, Name } = ruleAt(identifier);
    return EventBusName === DEFAULT_BUS ? Name : `${EventBusName}|${Name}`;
  },

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    const bus = properties.EventBusName ?? DEFAULT_BUS;
    const at = { EventBusName: bus, Name };
    if (properties.Name) refuseExisting(TYPE, Name, await describe(at, ctx));
    const input = { ...ruleInput(properties), ...at, Tags: properties.Tags };
    const { RuleArn } = await run(ctx, 'events', 'PutRule', input);
    ctx.created(RuleArn!);
    await changeTargets(at, [], properties.Targets, ctx);
    return { identifier: RuleArn!, attributes: { Arn: RuleArn, RuleName: Name } };
  },

  async read(arn, ctx) {
    const at = ruleAt(arn);
    const found = await describe(at, ctx);
    if (!found) return undefined;
    const { Tags } = await ctx.call('events', 'ListTagsForResource', { ResourceARN: arn });
    return {
      properties: defined({
        ...pick(found, [...MEMBERS, 'EventBusName', 'Name'] as never[]),
        EventPattern: documentValue(found.EventPattern),
        Targets: unlessEmpty(await targetsOf(at, ctx)),
        Tags: unlessEmpty(Tags),
      }),
      attributes: { Arn: arn, RuleName: at.Name },
    };
  },

  async update(arn, previous, desired, ctx) {
    const at = ruleAt(arn);
    // PutRule replaces all properties.
    if (differs(previous, desired, ...MEMBERS)) await run(ctx, 'events', 'PutRule', { ...ruleInput(desired), ...at });
    await changeTargets(at, previous.Targets, desired.Targets, ctx);
    await changeTagsOf(arn, previous, desired, ctx);
  },

  async delete(arn, { Targets }, ctx) {
    const at = ruleAt(arn);
    await changeTargets(at, Targets, [], ctx);
    await unless(ctx.call('events', 'DeleteRule', at), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('events', 'ListRules', defined({ NextToken }));
      return [page.Rules?.map(({ Arn }) => Arn!), page.NextToken] as const;
    }),
});
