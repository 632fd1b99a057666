import { notImplemented } from '@emu/core';
import type { ListServiceQuotaIncreaseRequestsInTemplateRequest } from '@emu/service-types/servicequotas';
import { AwsError, awsError } from '@emu/wire';
import { paging } from '../paging.ts';
import type { QuotasContext } from './context.ts';

/** The only Region that has templates. */
const HOME = 'us-east-1';

/** Whether the account is in an organization. */
async function inOrganization(ctx: QuotasContext): Promise<boolean> {
  try {
    await ctx.call('organizations', 'DescribeOrganization', {});
    return true;
  } catch (error) {
    // Where there is no Organizations, no account is in one.
    if (error instanceof AwsError && ['AWSOrganizationsNotInUseException', 'NotImplemented'].includes(error.code))
      return false;
    throw error;
  }
}

/**
 * A template belongs to an organization: its requests are made for each account that joins.
 * @throws AwsError `TemplatesNotAvailableInRegionException`, `NoAvailableOrganizationException`; 501 in an organization,
 * for no account can join one
 * @see https://docs.aws.amazon.com/servicequotas/latest/userguide/organization-templates.html
 */
async function templateOf(ctx: QuotasContext): Promise<never> {
  if (ctx.region !== HOME)
    throw awsError(
      'TemplatesNotAvailableInRegionException',
      'The Service Quotas template is not available in this AWS Region.',
    );
  if (await inOrganization(ctx)) throw notImplemented('servicequotas', 'templates of an organization');
  throw awsError(
    'NoAvailableOrganizationException',
    'The AWS account making this call is not a member of an organization.',
  );
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_AssociateServiceQuotaTemplate.html */
export const AssociateServiceQuotaTemplate = (_input: object, ctx: QuotasContext): Promise<never> => templateOf(ctx);

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_DisassociateServiceQuotaTemplate.html */
export const DisassociateServiceQuotaTemplate = (_input: object, ctx: QuotasContext): Promise<never> => templateOf(ctx);

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetAssociationForServiceQuotaTemplate.html */
export const GetAssociationForServiceQuotaTemplate = (_input: object, ctx: QuotasContext): Promise<never> =>
  templateOf(ctx);

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_PutServiceQuotaIncreaseRequestIntoTemplate.html */
export const PutServiceQuotaIncreaseRequestIntoTemplate = (_input: object, ctx: QuotasContext): Promise<never> =>
  templateOf(ctx);

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetServiceQuotaIncreaseRequestFromTemplate.html */
export const GetServiceQuotaIncreaseRequestFromTemplate = (_input: object, ctx: QuotasContext): Promise<never> =>
  templateOf(ctx);

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_DeleteServiceQuotaIncreaseRequestFromTemplate.html */
export const DeleteServiceQuotaIncreaseRequestFromTemplate = (_input: object, ctx: QuotasContext): Promise<never> =>
  templateOf(ctx);

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListServiceQuotaIncreaseRequestsInTemplate.html */
export function ListServiceQuotaIncreaseRequestsInTemplate(
  input: ListServiceQuotaIncreaseRequestsInTemplateRequest,
  ctx: QuotasContext,
): Promise<never> {
  // No page was ever given out, so that any token is refused here.
  paging.page('ListServiceQuotaIncreaseRequestsInTemplate', input, [], String);
  return templateOf(ctx);
}
