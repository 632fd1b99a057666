import type { DeepReadonly } from '@emu/core/service';
import type {
  ExportDataSource,
  ExportSourceType,
  InputOf,
  MessageInsightsFilters,
  OutputOf,
} from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { linkUrl } from '../../mail/links.ts';
import { v2Paging } from '../../paging.ts';
import type { ExportRecord } from '../../records.ts';

type Export = DeepReadonly<ExportRecord>;

const MAX_ROWS = 10_000;

/**
 * Returns the period of a source.
 * @throws AwsError if it ends before it begins
 */
function periodOf({ StartDate, EndDate }: { StartDate: Date; EndDate: Date }): { from: number; to: number } {
  const [from, to] = [StartDate.getTime(), EndDate.getTime()];
  if (from >= to) throw badRequest('The StartDate must be before the EndDate.');
  return { from, to };
}

/**
 * Returns the source of a job.
 * @throws AwsError unless there is exactly one
 */
function sourceOf({
  MetricsDataSource: metrics,
  MessageInsightsDataSource: insights,
}: ExportDataSource): Pick<ExportRecord, 'metrics' | 'insights'> {
  if (Boolean(metrics) === Boolean(insights)) throw badRequest('An export has exactly one data source.');
  if (metrics)
    return {
      metrics: {
        ...periodOf(metrics),
        dimensions: metrics.Dimensions,
        metrics: metrics.Metrics.map(({ Name, Aggregation = 'VOLUME' }) => {
          if (Name === undefined) throw badRequest('A metric needs a Name.');
          return { name: Name, aggregation: Aggregation };
        }),
      },
    };
  const { Include, Exclude, MaxResults = MAX_ROWS } = insights!;
  return {
    insights: {
      ...periodOf(insights!),
      ...(Include && { include: Include }),
      ...(Exclude && { exclude: Exclude }),
      most: MaxResults,
    },
  };
}

const typeOf = ({ metrics }: Export): ExportSourceType => (metrics ? 'METRICS_DATA' : 'MESSAGE_INSIGHTS');

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateExportJob.html */
export function CreateExportJob(
  input: InputOf<'CreateExportJob'>,
  { state, ids, clock }: SesContext,
): OutputOf<'CreateExportJob'> {
  const { DataFormat: format, S3Url } = input.ExportDestination;
  // SES sets it in responses.
  if (S3Url !== undefined) throw badRequest('The S3Url of an export is not chosen by its client.');
  const source = sourceOf(input.ExportDataSource);
  const JobId = ids.uuid();
  state.exports.begin({
    id: JobId,
    ...source,
    format,
    status: 'CREATED',
    createdAt: clock.now(),
    processed: 0,
    exported: 0,
  });
  return { JobId };
}

const noJob = (id: string) => notFound(`Export job <${id}> does not exist.`);

const dates = ({ from, to }: { readonly from: number; readonly to: number }) => ({
  StartDate: new Date(from),
  EndDate: new Date(to),
});

function dataSourceOf({ metrics, insights }: Export): ExportDataSource {
  if (metrics)
    return {
      MetricsDataSource: {
        ...dates(metrics),
        Namespace: 'VDM',
        Dimensions: structuredClone(metrics.dimensions) as Record<string, string[]>,
        Metrics: metrics.metrics.map(({ name, aggregation }) => ({ Name: name, Aggregation: aggregation })),
      },
    };
  const { include, exclude, most } = insights!;
  return {
    MessageInsightsDataSource: {
      ...dates(insights!),
      ...(include && { Include: structuredClone(include) as MessageInsightsFilters }),
      ...(exclude && { Exclude: structuredClone(exclude) as MessageInsightsFilters }),
      MaxResults: most,
    },
  };
}

const summaryOf = (job: Export) => ({
  JobId: job.id,
  ExportSourceType: typeOf(job),
  JobStatus: job.status,
  CreatedTimestamp: new Date(job.createdAt),
  ...(job.completedAt !== undefined && { CompletedTimestamp: new Date(job.completedAt) }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetExportJob.html */
export function GetExportJob(
  { JobId }: InputOf<'GetExportJob'>,
  { state, endpoint }: SesContext,
): OutputOf<'GetExportJob'> {
  const job = state.exports.get(JobId);
  if (!job) throw noJob(JobId);
  return {
    ...summaryOf(job),
    ExportDestination: {
      DataFormat: job.format,
      ...(job.file !== undefined && { S3Url: linkUrl(state, endpoint, { kind: 'export', job: JobId }) }),
    },
    ExportDataSource: dataSourceOf(job),
    ...(job.failure && { FailureInfo: { ...job.failure } }),
    Statistics: { ProcessedRecordsCount: job.processed, ExportedRecordsCount: job.exported },
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListExportJobs.html */
export function ListExportJobs(input: InputOf<'ListExportJobs'>, { state }: SesContext): OutputOf<'ListExportJobs'> {
  const { ExportSourceType: type, JobStatus: status } = input;
  const found = state.exports
    .list()
    .filter((job) => (type === undefined || typeOf(job) === type) && (status === undefined || job.status === status));
  return v2Paging.page('ListExportJobs', input, found, ({ createdAt, id }) => `${createdAt} ${id}`).list(summaryOf);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CancelExportJob.html */
export function CancelExportJob(
  { JobId }: InputOf<'CancelExportJob'>,
  { state }: SesContext,
): OutputOf<'CancelExportJob'> {
  const job = state.exports.get(JobId);
  if (!job) throw noJob(JobId);
  if (!state.exports.cancel(JobId)) throw badRequest(`Export job <${JobId}> is ${job.status} and cannot be cancelled.`);
  return {};
}
