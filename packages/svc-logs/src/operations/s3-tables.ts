import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { InputOf, OutputOf, S3TableIntegrationSource } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import type { TableSourceRecord } from '../records.ts';

const INTEGRATION = /^s3tableintegration\/[\w-]+$/;
/** Status reason of associations, which never become active. */
const REASON = 'The emulator fills no S3 tables.';

/** @throws AwsError `ValidationException` unless it is the ARN of an integration in the request's account and region */
function checkIntegration(arn: string, { accountId, region }: LogsContext): void {
  const parsed = parseArn(arn);
  if (parsed?.service !== 'observabilityadmin' || !INTEGRATION.test(parsed.resource))
    throw invalid('The integration ARN is not that of an S3 table integration.');
  if (parsed.accountId !== accountId || parsed.region !== region)
    throw invalid('The S3 table integration must be of the same account and region.');
}

/**
 * Creates an association of a data source with S3 tables. It never becomes active: emu has no such tables.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_AssociateSourceToS3TableIntegration.html
 */
export function AssociateSourceToS3TableIntegration(
  { integrationArn, dataSource }: InputOf<'AssociateSourceToS3TableIntegration'>,
  ctx: LogsContext,
): OutputOf<'AssociateSourceToS3TableIntegration'> {
  checkIntegration(integrationArn, ctx);
  if (!dataSource.name) throw invalid('The data source must have a name.');
  const { tableSources } = ctx.state;
  const { name, type } = dataSource;
  for (const source of tableSources.values())
    if (source.integrationArn === integrationArn && source.name === name && source.type === type)
      throw invalid('The data source is already associated with the S3 table integration.');
  const id = ctx.ids.uuid();
  tableSources.put(id, { id, integrationArn, name, ...(type !== undefined && { type }), createdAt: ctx.clock.now() });
  return { identifier: id };
}

/**
 * Deletes an association.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DisassociateSourceFromS3TableIntegration.html
 */
export function DisassociateSourceFromS3TableIntegration(
  { identifier }: InputOf<'DisassociateSourceFromS3TableIntegration'>,
  ctx: LogsContext,
): OutputOf<'DisassociateSourceFromS3TableIntegration'> {
  if (!ctx.state.tableSources.delete(identifier)) throw notFound('The specified association does not exist.');
  return { identifier };
}

/**
 * Lists the data sources of an integration; none is ever active.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListSourcesForS3TableIntegration.html
 */
export function ListSourcesForS3TableIntegration(
  input: InputOf<'ListSourcesForS3TableIntegration'>,
  ctx: LogsContext,
): OutputOf<'ListSourcesForS3TableIntegration'> {
  const { integrationArn } = input;
  checkIntegration(integrationArn, ctx);
  const found = [...ctx.state.tableSources.values()].filter((source) => source.integrationArn === integrationArn);
  return paging.page('ListSourcesForS3TableIntegration', input, found, ({ id }) => id).list(describe);
}

const describe = ({ id, name, type, createdAt }: DeepReadonly<TableSourceRecord>): S3TableIntegrationSource => ({
  identifier: id,
  dataSource: { name, ...(type !== undefined && { type }) },
  status: 'UNHEALTHY',
  statusReason: REASON,
  createdTimeStamp: createdAt,
});
