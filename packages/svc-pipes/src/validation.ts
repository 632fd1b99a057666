import { compilePattern, EVENT_PATTERNS, PatternError } from '@emu/core/patterns';
import { type DeepReadonly, ServiceRole } from '@emu/core/service';
import type { PipeLogConfigurationParameters, PipeSourceParameters } from '@emu/service-types/pipes';
import type { PipesContext } from './context.ts';
import { batchParameters, SOURCES, type SourceKind, sourceKind } from './definition/sources.ts';
import { enrichmentKind, TARGETS, targetKind } from './definition/targets.ts';
import { invalid } from './errors.ts';
import { unknownVariable } from './execution/template.ts';
import type { PipeRecord } from './records.ts';
import { pipeType } from './resources.ts';

const FIFO_TOPIC = /^arn:[^:]+:sns:.*\.fifo$/;

/** Roles with which pipes read and call. */
const pipeRole = new ServiceRole({
  service: 'pipes',
  session: 'pipes',
  refuse: (roleArn) => invalid(`The role ${roleArn} must allow EventBridge Pipes to assume it.`),
});

/** Validated parts of a pipe. */
export type Checked = DeepReadonly<
  Pick<
    PipeRecord,
    'source' | 'sourceParameters' | 'enrichment' | 'enrichmentParameters' | 'target' | 'targetParameters' | 'logging'
  >
>;

/**
 * Validates the definition of a pipe.
 * @throws AwsError `ValidationException`
 */
export function checkPipe(pipe: Checked): void {
  const kind = checkSource(pipe);
  const target = checkTarget(pipe);
  const enrichment = checkEnrichment(pipe);
  const { BatchSize = 1 } = batchParameters(kind, pipe.sourceParameters.parameters);
  const most = Math.min(target, enrichment);
  if (BatchSize > most)
    throw invalid(
      `The configured batch size ${BatchSize} is greater than the max supported batch size ${most} of the target or enrichment.`,
    );
  checkLogging(pipe.logging);
}

function checkSource({ source, sourceParameters }: Checked): SourceKind {
  const { parameters, startAt } = sourceParameters;
  const kind = sourceKind(source, parameters);
  if (!kind) throw invalid(`The source ${source} is not supported.`);
  const { member, needed } = SOURCES[kind];
  for (const [name, value] of Object.entries(parameters))
    if (name !== 'FilterCriteria' && name !== member && value !== undefined)
      throw invalid('Invalid source parameter provided for source.');
  if (needed && parameters[member] === undefined)
    throw invalid(`SourceParameters.${member} Missing required parameter.`);
  const { BatchSize = 1, MaximumBatchingWindowInSeconds: window = 0 } = batchParameters(kind, parameters);
  if (kind === 'sqs' && source.endsWith('.fifo')) {
    if (BatchSize > 10) throw invalid('BatchSize must be less than or equal to 10 for FIFO queues.');
    if (window > 0) throw invalid('MaximumBatchingWindowInSeconds is not supported for FIFO queues.');
  } else if (kind === 'sqs' && BatchSize > 10 && window === 0)
    throw invalid('MaximumBatchingWindowInSeconds must be greater than 0 if BatchSize is greater than 10.');
  const position = parameters.KinesisStreamParameters?.StartingPosition;
  if ((position === 'AT_TIMESTAMP') !== (startAt !== undefined))
    throw invalid('StartingPositionTimestamp is required for, and only for, the StartingPosition AT_TIMESTAMP.');
  checkFilters(parameters);
  return kind;
}

function checkFilters({ FilterCriteria }: DeepReadonly<PipeSourceParameters>): void {
  for (const { Pattern } of FilterCriteria?.Filters ?? []) {
    if (Pattern === undefined) continue;
    try {
      compilePattern(Pattern, EVENT_PATTERNS);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      throw invalid(`Invalid Event Pattern. Reason: ${error.message}`);
    }
  }
}

/** @returns the number of records per request to the target */
function checkTarget({ target, targetParameters }: Checked): number {
  const kind = targetKind(target);
  if (!kind)
    throw invalid(
      FIFO_TOPIC.test(target)
        ? 'SNS FIFO topics are not supported as a pipe target.'
        : `The target ${target} is not supported.`,
    );
  const { member, needed, most } = TARGETS[kind];
  for (const [name, value] of Object.entries(targetParameters ?? {}))
    if (name !== 'InputTemplate' && name !== member && value !== undefined)
      throw invalid('Invalid target parameter provided for target.');
  if (needed && targetParameters?.[member!] === undefined)
    throw invalid(`TargetParameters.${member} Missing required parameter.`);
  const group = targetParameters?.SqsQueueParameters?.MessageGroupId;
  if (kind === 'sqs' && target.endsWith('.fifo') && group === undefined)
    throw invalid('MessageGroupId is required for FIFO queues.');
  checkTemplate(targetParameters?.InputTemplate);
  return most;
}

/** @returns the number of records per request to the enrichment */
function checkEnrichment({ enrichment, enrichmentParameters }: Checked): number {
  if (enrichment === undefined) {
    if (Object.values(enrichmentParameters ?? {}).some((value) => value !== undefined && value !== ''))
      throw invalid('EnrichmentParameters cannot be used without an enrichment.');
    return Number.POSITIVE_INFINITY;
  }
  const kind = enrichmentKind(enrichment);
  if (!kind) throw invalid('Invalid pipe enrichment.');
  const { member, most } = TARGETS[kind];
  if (member !== 'HttpParameters' && enrichmentParameters?.HttpParameters)
    throw invalid(`HttpParameters cannot be used with the enrichment ${enrichment}.`);
  checkTemplate(enrichmentParameters?.InputTemplate);
  return most;
}

function checkTemplate(template: string | undefined): void {
  const unknown = template === undefined ? undefined : unknownVariable(template);
  if (unknown !== undefined)
    throw invalid(`Invalid json path reference or predefined variable for placeholder ${unknown}`);
}

function checkLogging(logging: DeepReadonly<PipeLogConfigurationParameters> | undefined): void {
  if (!logging || logging.Level === 'OFF') return;
  const { S3LogDestination, FirehoseLogDestination, CloudwatchLogsLogDestination } = logging;
  if (!S3LogDestination && !FirehoseLogDestination && !CloudwatchLogsLogDestination)
    throw invalid('Must provide at least 1 log destination in LogConfiguration');
}

/**
 * Checks that EventBridge Pipes may assume the role of a pipe, if policies are enforced.
 * @throws AwsError `ValidationException`
 */
export const checkRole = (name: string, roleArn: string, ctx: PipesContext): Promise<void> =>
  pipeRole.check(roleArn, ctx, { sourceArn: pipeType.arn({ name }, ctx) });
