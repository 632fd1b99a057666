import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, limitExceeded, notFound } from '../errors.ts';

const integrationNotFound = () => notFound('The specified integration does not exist.');

/**
 * Creates an integration with OpenSearch. It is never provisioned: emu has no OpenSearch collections.
 * @throws AwsError `InvalidParameterException`, `LimitExceededException` for a second one
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutIntegration.html
 */
export function PutIntegration(input: InputOf<'PutIntegration'>, ctx: LogsContext): OutputOf<'PutIntegration'> {
  const { integrationName: name, integrationType: type, resourceConfig } = input;
  const config = resourceConfig.openSearchResourceConfig;
  if (!config || parseArn(config.dataSourceRoleArn)?.service !== 'iam')
    throw invalidParameter('The data source role of the integration is not valid.');
  if (!config.dashboardViewerPrincipals.length)
    throw invalidParameter('At least one dashboard viewer principal must be specified.');
  const { integrations } = ctx.state;
  if (integrations.size && !integrations.has(name)) throw limitExceeded();
  integrations.put(name, { name, type, config });
  return { integrationName: name, integrationStatus: 'PROVISIONING' };
}

/**
 * Returns an integration.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetIntegration.html
 */
export function GetIntegration(input: InputOf<'GetIntegration'>, ctx: LogsContext): OutputOf<'GetIntegration'> {
  const integration = ctx.state.integrations.get(input.integrationName);
  if (!integration) throw integrationNotFound();
  return {
    integrationName: integration.name,
    integrationType: integration.type,
    integrationStatus: 'PROVISIONING',
    integrationDetails: { openSearchIntegrationDetails: {} },
  };
}

/**
 * Lists integrations.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListIntegrations.html
 */
export function ListIntegrations(input: InputOf<'ListIntegrations'>, ctx: LogsContext): OutputOf<'ListIntegrations'> {
  const { integrationNamePrefix: prefix = '', integrationType, integrationStatus } = input;
  const found = [...ctx.state.integrations.values()].filter(
    ({ name, type }) =>
      name.startsWith(prefix) &&
      (integrationType === undefined || type === integrationType) &&
      (integrationStatus === undefined || integrationStatus === 'PROVISIONING'),
  );
  return {
    integrationSummaries: found.map(({ name, type }) => ({
      integrationName: name,
      integrationType: type,
      integrationStatus: 'PROVISIONING',
    })),
  };
}

/**
 * Deletes an integration.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteIntegration.html
 */
export function DeleteIntegration(
  input: InputOf<'DeleteIntegration'>,
  ctx: LogsContext,
): OutputOf<'DeleteIntegration'> {
  if (!ctx.state.integrations.delete(input.integrationName)) throw integrationNotFound();
  return {};
}
