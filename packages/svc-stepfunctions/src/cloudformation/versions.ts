import {
  ask,
  defined,
  defineProvider,
  differs,
  lowerNames,
  type Properties,
  run,
  sameValue,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, type ProviderContext, parseArn } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { stepfunctionsError } from '../errors.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WHOLE = 100;

interface VersionProperties extends Properties {
  readonly StateMachineArn: string;
}

interface Route {
  readonly StateMachineVersionArn: string;
  readonly Weight: number;
}

/** Deployment of an alias to another version: at once, or gradually. */
interface DeploymentPreference {
  readonly Alarms?: readonly string[];
  readonly Interval?: number;
  readonly Percentage?: number;
  readonly StateMachineVersionArn: string;
  readonly Type: 'ALL_AT_ONCE' | 'CANARY' | 'LINEAR';
}

interface AliasProperties extends Properties {
  readonly DeploymentPreference?: DeploymentPreference;
  readonly Description?: string;
  readonly Name?: string;
  readonly RoutingConfiguration?: readonly Route[];
  /** Only used for listing aliases: versions contain the state machine. */
  readonly StateMachineArn?: string;
}

const machineOf = (arn: string): string => arn.slice(0, arn.lastIndexOf(':'));

/**
 * Versions of state machines.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-statemachineversion.html
 */
export const stateMachineVersion: AnyResourceProvider = defineProvider<VersionProperties>({
  typeName: 'AWS::StepFunctions::StateMachineVersion',
  model,
  service: 'stepfunctions',
  handles: ['Description', 'StateMachineArn', 'StateMachineRevisionId'],
  key: ['stateMachineVersionArn'],
  gone: ['StateMachineDoesNotExist', 'ResourceNotFound'],

  async create({ Description, StateMachineArn, StateMachineRevisionId }, ctx) {
    const { stateMachineVersionArn } = await run(ctx, 'stepfunctions', 'PublishStateMachineVersion', {
      description: Description,
      revisionId: StateMachineRevisionId,
      stateMachineArn: StateMachineArn,
    });
    return { identifier: stateMachineVersionArn, attributes: { Arn: stateMachineVersionArn } };
  },

  find: ({ stateMachineVersionArn: stateMachineArn }, ctx) =>
    ask(ctx, 'stepfunctions', 'DescribeStateMachine', { stateMachineArn }),

  describe: ({ description, revisionId }, { stateMachineVersionArn: arn }) => ({
    properties: defined({
      Description: description,
      StateMachineArn: machineOf(arn!),
      // The first revision has no id in responses and is named INITIAL.
      StateMachineRevisionId: revisionId ?? 'INITIAL',
    }),
    attributes: { Arn: arn },
  }),

  remove: 'DeleteStateMachineVersion',
  list: {
    operation: 'ListStateMachineVersions',
    by: ['StateMachineArn'],
    input: ({ StateMachineArn }) => ({ stateMachineArn: StateMachineArn }),
    token: ['nextToken', 'nextToken'],
    identifiers: ({ stateMachineVersions: all }: { stateMachineVersions: { stateMachineVersionArn: string }[] }) =>
      all.map(({ stateMachineVersionArn }) => stateMachineVersionArn),
  },
});

/**
 * Checks the alarms of a deployment.
 * @throws AwsError if one is in the state ALARM
 */
async function checkAlarms(alarms: readonly string[], ctx: ProviderContext): Promise<void> {
  if (!alarms.length) return;
  const AlarmNames = alarms.map((alarm) => parseArn(alarm)?.resource.replace(/^alarm:/, '') ?? alarm);
  const AlarmTypes = ['MetricAlarm', 'CompositeAlarm'];
  const found = await run(ctx, 'cloudwatch', 'DescribeAlarms', { AlarmNames, AlarmTypes });
  const all = [...(found.MetricAlarms ?? []), ...(found.CompositeAlarms ?? [])];
  const raised = all.find(({ StateValue }) => StateValue === 'ALARM');
  if (raised)
    throw stepfunctionsError(
      'GeneralServiceException',
      `The deployment was stopped: alarm ${raised.AlarmName} is in ALARM state`,
    );
}

const setRoutes = (stateMachineAliasArn: string, routes: readonly Route[], ctx: ProviderContext) =>
  run(ctx, 'stepfunctions', 'UpdateStateMachineAlias', {
    stateMachineAliasArn,
    routingConfiguration: lowerNames(routes),
  });

/**
 * Shifts an alias to the version of a preference step by step, and rolls back if an alarm is triggered.
 * @throws AwsError if an alarm is triggered
 */
async function shift(alias: string, to: DeploymentPreference, ctx: ProviderContext): Promise<void> {
  const { Alarms = [], Interval = 0, Percentage = WHOLE, StateMachineVersionArn: version, Type } = to;
  const { routingConfiguration = [] } = await ctx.call('stepfunctions', 'DescribeStateMachineAlias', {
    stateMachineAliasArn: alias,
  });
  const heaviest = [...routingConfiguration].sort((one, other) => other.weight! - one.weight!)[0];
  const from = heaviest?.stateMachineVersionArn;
  const whole = [{ StateMachineVersionArn: version, Weight: WHOLE }];
  if (from === undefined || from === version || Type === 'ALL_AT_ONCE') {
    await setRoutes(alias, whole, ctx);
    return;
  }
  try {
    for (let weight = Percentage; weight < WHOLE; weight = Type === 'LINEAR' ? weight + Percentage : WHOLE) {
      const rest = { StateMachineVersionArn: from, Weight: WHOLE - weight };
      await setRoutes(alias, [rest, { StateMachineVersionArn: version, Weight: weight }], ctx);
      const end = ctx.clock.now() + Interval * MINUTE;
      const passed = async () => {
        await checkAlarms(Alarms, ctx);
        return ctx.clock.now() >= end;
      };
      await ctx.until(passed, { limit: Interval * MINUTE + HOUR });
    }
  } catch (error) {
    await setRoutes(alias, [{ StateMachineVersionArn: from, Weight: WHOLE }], ctx);
    throw error;
  }
  await setRoutes(alias, whole, ctx);
}

/**
 * Aliases of versions of state machines.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-statemachinealias.html
 */
export const stateMachineAlias: AnyResourceProvider = defineProvider<AliasProperties>({
  typeName: 'AWS::StepFunctions::StateMachineAlias',
  model,
  service: 'stepfunctions',
  handles: ['DeploymentPreference', 'Description', 'Name', 'RoutingConfiguration', 'StateMachineArn'],
  key: ['stateMachineAliasArn'],
  gone: ['StateMachineDoesNotExist', 'ResourceNotFound'],

  async create(properties, ctx) {
    const { DeploymentPreference: to, Description, Name = ctx.name(), RoutingConfiguration } = properties;
    const routes = to
      ? [{ StateMachineVersionArn: to.StateMachineVersionArn, Weight: WHOLE }]
      : (RoutingConfiguration ?? []);
    const { stateMachineAliasArn } = await run(ctx, 'stepfunctions', 'CreateStateMachineAlias', {
      description: Description,
      name: Name,
      routingConfiguration: lowerNames(routes),
    });
    return { identifier: stateMachineAliasArn, attributes: { Arn: stateMachineAliasArn } };
  },

  find: (key, ctx) => ask(ctx, 'stepfunctions', 'DescribeStateMachineAlias', key),

  describe({ description, name, routingConfiguration }, { stateMachineAliasArn }, _ctx, applied) {
    const routes = upperNames(routingConfiguration) as Route[];
    const preference = applied?.DeploymentPreference;
    const [first] = routes;
    return {
      properties: defined({
        // The version is the alias's current one.
        ...(preference
          ? { DeploymentPreference: { ...preference, StateMachineVersionArn: first?.StateMachineVersionArn } }
          : { RoutingConfiguration: routes }),
        Description: description || undefined,
        Name: name,
        StateMachineArn: machineOf(stateMachineAliasArn!),
      }),
      attributes: { Arn: stateMachineAliasArn },
    };
  },

  async update({ stateMachineAliasArn: alias }, previous, desired, ctx) {
    const { DeploymentPreference: to, Description = '', RoutingConfiguration } = desired;
    if (differs(previous, desired, 'Description'))
      await run(ctx, 'stepfunctions', 'UpdateStateMachineAlias', {
        stateMachineAliasArn: alias,
        description: Description,
      });
    if (to && !sameValue(previous.DeploymentPreference, to)) await shift(alias!, to, ctx);
    else if (!to && differs(previous, desired, 'RoutingConfiguration', 'DeploymentPreference'))
      await setRoutes(alias!, RoutingConfiguration ?? [], ctx);
  },

  remove: 'DeleteStateMachineAlias',
  list: {
    operation: 'ListStateMachineAliases',
    by: ['StateMachineArn'],
    input: ({ StateMachineArn }) => ({ stateMachineArn: StateMachineArn }),
    token: ['nextToken', 'nextToken'],
    identifiers: ({ stateMachineAliases: all }: { stateMachineAliases: { stateMachineAliasArn: string }[] }) =>
      all.map(({ stateMachineAliasArn }) => stateMachineAliasArn),
  },
});
