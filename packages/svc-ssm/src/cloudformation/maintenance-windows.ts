import {
  defined,
  defineProvider,
  differs,
  everyItem,
  identifierParts,
  omit,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { retag, tagsOf } from './tags.ts';

const GONE = 'DoesNotExistException';

const WINDOW = [
  'AllowUnassociatedTargets',
  'Cutoff',
  'Description',
  'Duration',
  'EndDate',
  'Name',
  'Schedule',
  'ScheduleOffset',
  'ScheduleTimezone',
  'StartDate',
] as const;

/** Returns the ids of all windows. */
const windowIds = (ctx: ProviderContext): Promise<string[]> =>
  everyItem(async (NextToken) => {
    const page = await ctx.call('ssm', 'DescribeMaintenanceWindows', defined({ NextToken }));
    return [page.WindowIdentities?.map(({ WindowId }) => WindowId!), page.NextToken] as const;
  });

/**
 * Maintenance windows.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-maintenancewindow.html
 */
export const maintenanceWindow: AnyResourceProvider = defineProvider<TaggedProperties>({
  typeName: 'AWS::SSM::MaintenanceWindow',
  model,
  handles: ['Tags', ...WINDOW],

  async create(properties, ctx) {
    const input = { ...properties, ClientToken: ctx.token };
    const { WindowId } = await run(ctx, 'ssm', 'CreateMaintenanceWindow', input as never);
    return { identifier: WindowId! };
  },

  async read(WindowId, ctx) {
    const found = await unless(ctx.call('ssm', 'GetMaintenanceWindow', { WindowId }), GONE);
    if (!found) return undefined;
    const Tags = await tagsOf('MaintenanceWindow', WindowId, ctx);
    return { properties: defined({ ...pick(found, WINDOW), Tags }), attributes: { WindowId } };
  },

  async update(WindowId, previous, desired, ctx) {
    if (differs(previous, desired, ...WINDOW))
      await run(ctx, 'ssm', 'UpdateMaintenanceWindow', {
        ...omit(desired, 'Tags'),
        WindowId,
        Replace: true,
      });
    await retag('MaintenanceWindow', WindowId, previous, desired, ctx);
  },

  async delete(WindowId, _properties, ctx) {
    await ctx.call('ssm', 'DeleteMaintenanceWindow', { WindowId });
  },

  list: windowIds,
});

const TARGET = ['Description', 'Name', 'OwnerInformation', 'ResourceType', 'Targets'] as const;

/** Splits the identifier `window|id` of a target or task. */
const partsOf = (identifier: string): { WindowId: string; id: string } => {
  const [WindowId = '', id = ''] = identifierParts(identifier, 2);
  return { WindowId, id };
};

async function findTarget(identifier: string, ctx: ProviderContext) {
  const { WindowId, id } = partsOf(identifier);
  const input = { WindowId, Filters: [{ Key: 'WindowTargetId', Values: [id] }] };
  return (await unless(ctx.call('ssm', 'DescribeMaintenanceWindowTargets', input), GONE))?.Targets?.[0];
}

/**
 * Targets of a maintenance window.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-maintenancewindowtarget.html
 */
export const maintenanceWindowTarget: AnyResourceProvider = defineProvider<Properties>({
  typeName: 'AWS::SSM::MaintenanceWindowTarget',
  model,
  handles: ['WindowId', ...TARGET],

  // A different resource type needs different targets, which UpdateMaintenanceWindowTarget does not support.
  replaces: (previous, desired) => differs(previous, desired, 'ResourceType'),

  async create(properties, ctx) {
    const input = { ...properties, ClientToken: ctx.token };
    const { WindowTargetId } = await run(ctx, 'ssm', 'RegisterTargetWithMaintenanceWindow', input as never);
    return { identifier: `${properties.WindowId}|${WindowTargetId}` };
  },

  async read(identifier, ctx) {
    const found = await findTarget(identifier, ctx);
    if (!found) return undefined;
    return {
      properties: pick(found, ['WindowId', ...TARGET]),
      attributes: { WindowTargetId: found.WindowTargetId },
    };
  },

  async update(identifier, _previous, desired, ctx) {
    const { WindowId, id } = partsOf(identifier);
    const changed = { ...omit(desired, 'ResourceType'), WindowId, WindowTargetId: id, Replace: true };
    await run(ctx, 'ssm', 'UpdateMaintenanceWindowTarget', changed);
  },

  async delete(identifier, _properties, ctx) {
    const { WindowId, id } = partsOf(identifier);
    const input = { WindowId, WindowTargetId: id };
    await unless(ctx.call('ssm', 'DeregisterTargetFromMaintenanceWindow', input), GONE);
  },

  async list(ctx) {
    const ids = await windowIds(ctx);
    const found = await Promise.all(
      ids.map((WindowId) =>
        everyItem(async (NextToken) => {
          const page = await ctx.call('ssm', 'DescribeMaintenanceWindowTargets', defined({ WindowId, NextToken }));
          return [page.Targets?.map((target) => `${WindowId}|${target.WindowTargetId}`), page.NextToken] as const;
        }),
      ),
    );
    return found.flat();
  },
});

const TASK = [
  'CutoffBehavior',
  'Description',
  'MaxConcurrency',
  'MaxErrors',
  'Name',
  'Priority',
  'ServiceRoleArn',
  'Targets',
  'TaskArn',
] as const;

/** Parameter names in templates, with the service's names. */
const PARAMETERS = {
  MaintenanceWindowAutomationParameters: 'Automation',
  MaintenanceWindowLambdaParameters: 'Lambda',
  MaintenanceWindowRunCommandParameters: 'RunCommand',
  MaintenanceWindowStepFunctionsParameters: 'StepFunctions',
} as const;

/** S3 logging options in template form. */
interface TemplateLogging {
  S3Bucket: string;
  S3Prefix?: string;
  Region: string;
}

interface TaskProperties extends Properties {
  LoggingInfo?: TemplateLogging;
  TaskInvocationParameters?: Readonly<Partial<Record<keyof typeof PARAMETERS, Properties>>>;
  TaskParameters?: Readonly<Record<string, unknown>>;
  WindowId: string;
}

/** Converts task properties to the service's input; a function's payload is base64 in both. */
function taskInput({ LoggingInfo, TaskInvocationParameters, ...others }: TaskProperties): Properties {
  const parameters = Object.entries(TaskInvocationParameters ?? {}).map(
    ([name, value]) => [PARAMETERS[name as keyof typeof PARAMETERS], value] as const,
  );
  return defined({
    ...others,
    TaskInvocationParameters: parameters.length ? Object.fromEntries(parameters) : undefined,
    LoggingInfo: LoggingInfo && {
      S3BucketName: LoggingInfo.S3Bucket,
      S3KeyPrefix: LoggingInfo.S3Prefix,
      S3Region: LoggingInfo.Region,
    },
  });
}

/** Converts the service's parameters to template form. */
function templateParameters(found: Readonly<Record<string, unknown>>): Properties | undefined {
  const named = Object.entries(PARAMETERS).flatMap(([name, own]) => {
    const { Payload, ...more } = (found[own] ?? {}) as { Payload?: Uint8Array };
    const given = Payload ? { ...more, Payload: Buffer.from(Payload).toString('base64') } : more;
    return found[own] ? [[name, given] as const] : [];
  });
  return unlessEmpty(Object.fromEntries(named));
}

/**
 * Tasks of maintenance windows.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-maintenancewindowtask.html
 */
export const maintenanceWindowTask: AnyResourceProvider = defineProvider<TaskProperties>({
  typeName: 'AWS::SSM::MaintenanceWindowTask',
  model,
  handles: ['LoggingInfo', 'TaskInvocationParameters', 'TaskParameters', 'TaskType', 'WindowId', ...TASK],

  async create(properties, ctx) {
    const input = { ...taskInput(properties), ClientToken: ctx.token };
    const { WindowTaskId } = await run(ctx, 'ssm', 'RegisterTaskWithMaintenanceWindow', input as never);
    return { identifier: `${properties.WindowId}|${WindowTaskId}` };
  },

  async read(identifier, ctx) {
    const { WindowId, id } = partsOf(identifier);
    const input = { WindowId, WindowTaskId: id };
    const found = await unless(ctx.call('ssm', 'GetMaintenanceWindowTask', input), GONE);
    if (!found) return undefined;
    const { LoggingInfo: logging } = found;
    return {
      properties: defined({
        ...pick(found, ['TaskType', ...TASK]),
        WindowId,
        Targets: unlessEmpty(found.Targets),
        TaskParameters: unlessEmpty(found.TaskParameters),
        TaskInvocationParameters: templateParameters({ ...found.TaskInvocationParameters }),
        LoggingInfo:
          logging &&
          defined({ S3Bucket: logging.S3BucketName, S3Prefix: logging.S3KeyPrefix, Region: logging.S3Region }),
      }) as TaskProperties,
      attributes: { WindowTaskId: id },
    };
  },

  async update(identifier, _previous, desired, ctx) {
    const { WindowId, id } = partsOf(identifier);
    const changed = { ...omit(taskInput(desired), 'TaskType'), WindowId, WindowTaskId: id, Replace: true };
    await run(ctx, 'ssm', 'UpdateMaintenanceWindowTask', changed);
  },

  async delete(identifier, _properties, ctx) {
    const { WindowId, id } = partsOf(identifier);
    const input = { WindowId, WindowTaskId: id };
    await unless(ctx.call('ssm', 'DeregisterTaskFromMaintenanceWindow', input), GONE);
  },

  async list(ctx) {
    const ids = await windowIds(ctx);
    const found = await Promise.all(
      ids.map((WindowId) =>
        everyItem(async (NextToken) => {
          const page = await ctx.call('ssm', 'DescribeMaintenanceWindowTasks', defined({ WindowId, NextToken }));
          return [page.Tasks?.map((task) => `${WindowId}|${task.WindowTaskId}`), page.NextToken] as const;
        }),
      ),
    );
    return found.flat();
  },
});
