import type { DeepReadonly } from '@emu/core/service';
import type { ImportDestination, InputOf, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { objectAt } from '../../jobs/imports.ts';
import { v2Paging } from '../../paging.ts';
import type { ImportRecord } from '../../records.ts';

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateImportJob.html */
export function CreateImportJob(
  input: InputOf<'CreateImportJob'>,
  { state, ids, clock, principal }: SesContext,
): OutputOf<'CreateImportJob'> {
  const { SuppressionListDestination: suppression, ContactListDestination: contacts } = input.ImportDestination;
  const { S3Url, DataFormat } = input.ImportDataSource;
  if (Boolean(suppression) === Boolean(contacts)) throw badRequest('An import has exactly one destination.');
  if (!objectAt(S3Url)) throw badRequest(`Invalid S3Url <${S3Url}>.`);
  if (contacts && !state.contactLists.get(contacts.ContactListName))
    throw badRequest(`List with name: ${contacts.ContactListName} doesn't exist.`);
  const JobId = ids.uuid();
  state.imports.begin({
    id: JobId,
    source: { url: S3Url, format: DataFormat },
    principal: { ...principal },
    ...(suppression && { suppression: suppression.SuppressionListImportAction }),
    ...(contacts && { contacts: { list: contacts.ContactListName, action: contacts.ContactListImportAction } }),
    status: 'CREATED',
    createdAt: clock.now(),
    processed: 0,
    failed: 0,
  });
  return { JobId };
}

const destinationOf = ({ suppression, contacts }: DeepReadonly<ImportRecord>): ImportDestination => ({
  ...(suppression !== undefined && { SuppressionListDestination: { SuppressionListImportAction: suppression } }),
  ...(contacts && {
    ContactListDestination: { ContactListName: contacts.list, ContactListImportAction: contacts.action },
  }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetImportJob.html */
export function GetImportJob({ JobId }: InputOf<'GetImportJob'>, { state }: SesContext): OutputOf<'GetImportJob'> {
  const job = state.imports.get(JobId);
  if (!job) throw notFound(`Import job <${JobId}> does not exist.`);
  return {
    JobId,
    ImportDestination: destinationOf(job),
    ImportDataSource: { S3Url: job.source.url, DataFormat: job.source.format },
    ...(job.failure && { FailureInfo: { ...job.failure } }),
    JobStatus: job.status,
    CreatedTimestamp: new Date(job.createdAt),
    ...(job.completedAt !== undefined && { CompletedTimestamp: new Date(job.completedAt) }),
    ProcessedRecordsCount: job.processed,
    FailedRecordsCount: job.failed,
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListImportJobs.html */
export function ListImportJobs(input: InputOf<'ListImportJobs'>, { state }: SesContext): OutputOf<'ListImportJobs'> {
  const type = input.ImportDestinationType;
  const found = state.imports
    .list()
    .filter(({ contacts }) => type === undefined || (type === 'CONTACT_LIST') === (contacts !== undefined));
  return v2Paging
    .page('ListImportJobs', input, found, ({ createdAt, id }) => `${createdAt} ${id}`)
    .list((job) => ({
      JobId: job.id,
      ImportDestination: destinationOf(job),
      JobStatus: job.status,
      CreatedTimestamp: new Date(job.createdAt),
      ProcessedRecordsCount: job.processed,
      FailedRecordsCount: job.failed,
    }));
}
