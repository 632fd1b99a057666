import {
  ask,
  defined,
  defineProvider,
  differs,
  lowerNames,
  omit,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unlessEmpty,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { GONE, tagsOf } from './tags.ts';

const QUERY = [
  'Description',
  'DestinationConfiguration',
  'ExecutionRoleArn',
  'LogGroupIdentifiers',
  'Name',
  'QueryLanguage',
  'QueryString',
  'ScheduleEndTime',
  'ScheduleExpression',
  'ScheduleStartTime',
  'StartTimeOffset',
  'State',
  'Timezone',
] as const;
const DETECTOR = [
  'AnomalyVisibilityTime',
  'DetectorName',
  'EvaluationFrequency',
  'FilterPattern',
  'KmsKeyId',
  'LogGroupArnList',
] as const;
const VISIBLE_DAYS = 21;

/** Returns the values that are text in templates, but a number of milliseconds or a time in the API. */
const timeText = (time: unknown): string | undefined => (time === undefined ? undefined : String(Number(time)));

/**
 * Scheduled queries.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-scheduledquery.html
 */
export const scheduledQuery: AnyResourceProvider = defineProvider<TaggedProperties>({
  typeName: 'AWS::Logs::ScheduledQuery',
  model,
  service: 'logs',
  handles: [...QUERY, 'Tags'],
  key: ['identifier'],
  gone: GONE,

  async create({ Tags, ...properties }, ctx) {
    const input = { ...(lowerNames(properties) as Properties), tags: tagMap(Tags as TaggedProperties['Tags']) };
    return (await run(ctx, 'logs', 'CreateScheduledQuery', input)).scheduledQueryArn!;
  },

  find: (key, ctx) => ask(ctx, 'logs', 'GetScheduledQuery', key),

  async describe(found, { identifier }, ctx) {
    const described = pick(upperNames(found) as Properties, QUERY as unknown as never[]) as Properties;
    const { creationTime, lastExecutionStatus, lastTriggeredTime, lastUpdatedTime } = found;
    return {
      properties: defined({
        ...described,
        LogGroupIdentifiers: unlessEmpty(described.LogGroupIdentifiers as string[] | undefined),
        Tags: await tagsOf(identifier!, ctx),
      }),
      attributes: defined({
        CreationTime: timeText(creationTime),
        LastExecutionStatus: lastExecutionStatus,
        LastTriggeredTime: timeText(lastTriggeredTime),
        LastUpdatedTime: timeText(lastUpdatedTime),
        ScheduledQueryArn: identifier,
      }),
    };
  },

  async update(key, previous, desired, ctx) {
    // An update sends the whole query; omitted members return to their defaults.
    if (differs(previous, desired, ...QUERY))
      await run(ctx, 'logs', 'UpdateScheduledQuery', {
        ...(lowerNames(omit(desired, 'Name', 'Tags')) as Properties),
        ...key,
      });
    await changeTagsOf(key.identifier!, previous, desired, ctx);
  },

  remove: 'DeleteScheduledQuery',
  list: {
    operation: 'ListScheduledQueries',
    token: ['nextToken', 'nextToken'],
    identifiers: ({ scheduledQueries }: { scheduledQueries?: { scheduledQueryArn: string }[] }) =>
      scheduledQueries?.map(({ scheduledQueryArn }) => scheduledQueryArn),
  },
});

/**
 * Anomaly detectors of log groups.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-loganomalydetector.html
 */
export const anomalyDetector: AnyResourceProvider = defineProvider({
  typeName: 'AWS::Logs::LogAnomalyDetector',
  model,
  service: 'logs',
  handles: DETECTOR,
  key: ['anomalyDetectorArn'],
  gone: GONE,

  create: async (properties, ctx) =>
    (await run(ctx, 'logs', 'CreateLogAnomalyDetector', lowerNames(properties) as Properties)).anomalyDetectorArn!,

  find: (key, ctx) => ask(ctx, 'logs', 'GetLogAnomalyDetector', key),

  describe: (found, { anomalyDetectorArn }) => ({
    properties: defined({
      ...(pick(upperNames(found) as Properties, DETECTOR as unknown as never[]) as Properties),
      FilterPattern: found.filterPattern || undefined,
    }),
    attributes: {
      AnomalyDetectorArn: anomalyDetectorArn,
      AnomalyDetectorStatus: found.anomalyDetectorStatus,
      CreationTimeStamp: Number(found.creationTimeStamp),
      LastModifiedTimeStamp: Number(found.lastModifiedTimeStamp),
    },
  }),

  update: (key, _previous, { AnomalyVisibilityTime = VISIBLE_DAYS, EvaluationFrequency, FilterPattern = '' }, ctx) =>
    run(ctx, 'logs', 'UpdateLogAnomalyDetector', {
      ...key,
      anomalyVisibilityTime: AnomalyVisibilityTime,
      enabled: true,
      evaluationFrequency: EvaluationFrequency,
      filterPattern: FilterPattern,
    }),

  remove: 'DeleteLogAnomalyDetector',
  list: {
    operation: 'ListLogAnomalyDetectors',
    token: ['nextToken', 'nextToken'],
    identifiers: ({ anomalyDetectors }: { anomalyDetectors?: { anomalyDetectorArn: string }[] }) =>
      anomalyDetectors?.map(({ anomalyDetectorArn }) => anomalyDetectorArn),
  },
});
