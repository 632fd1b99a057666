import { parseArn } from '@emu/core';
import { invalidParameter, limitExceeded, notFound } from '../errors.ts';
import type { In, LogsContext, Out } from '../lookup.ts';

const integrationNotFound = () => notFound('The specified integration does not exist.');

/**
 * Asks for an integration with OpenSearch. It is never provisioned: emu has no OpenSearch to fill.
 * @throws AwsError `InvalidParameterException`, `LimitExceededException` where there is another one
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutIntegration.html
 */
export function PutIntegration(input: In<'PutIntegration'>, ctx: LogsContext): Out<'PutIntegration'> {
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
 * An integration.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetIntegration.html
 */
export function GetIntegration(input: In<'GetIntegration'>, ctx: LogsContext): Out<'GetIntegration'> {
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
export function ListIntegrations(input: In<'ListIntegrations'>, ctx: LogsContext): Out<'ListIntegrations'> {
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
export function DeleteIntegration(input: In<'DeleteIntegration'>, ctx: LogsContext): Out<'DeleteIntegration'> {
  if (!ctx.state.integrations.delete(input.integrationName)) throw integrationNotFound();
  return {};
}
