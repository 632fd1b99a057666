import { notImplemented } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/servicequotas';
import { AwsError } from '@emu/wire';
import type { ServicequotasContext } from '../context.ts';
import { servicequotasError } from '../errors.ts';
import { paging } from '../paging.ts';

/** The only Region with templates. */
const HOME = 'us-east-1';

/** Whether the account belongs to an organization. */
async function inOrganization(ctx: ServicequotasContext): Promise<boolean> {
  try {
    await ctx.call('organizations', 'DescribeOrganization', {});
    return true;
  } catch (error) {
    // Without Organizations no account belongs to one.
    if (error instanceof AwsError && ['AWSOrganizationsNotInUseException', 'NotImplemented'].includes(error.code))
      return false;
    throw error;
  }
}

/**
 * Rejects template operations. A template belongs to an organization and applies to each account that joins it.
 * @throws AwsError `TemplatesNotAvailableInRegionException`, `NoAvailableOrganizationException`; 501 in an
 * organization, because no account can join one
 * @see https://docs.aws.amazon.com/servicequotas/latest/userguide/organization-templates.html
 */
async function templateOf(ctx: ServicequotasContext): Promise<never> {
  if (ctx.region !== HOME)
    throw servicequotasError(
      'TemplatesNotAvailableInRegionException',
      'The Service Quotas template is not available in this AWS Region.',
    );
  if (await inOrganization(ctx)) throw notImplemented('servicequotas', 'templates of an organization');
  throw servicequotasError(
    'NoAvailableOrganizationException',
    'The AWS account making this call is not a member of an organization.',
  );
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_AssociateServiceQuotaTemplate.html */
export function AssociateServiceQuotaTemplate(
  _input: InputOf<'AssociateServiceQuotaTemplate'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'AssociateServiceQuotaTemplate'>> {
  return templateOf(ctx);
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_DisassociateServiceQuotaTemplate.html */
export function DisassociateServiceQuotaTemplate(
  _input: InputOf<'DisassociateServiceQuotaTemplate'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'DisassociateServiceQuotaTemplate'>> {
  return templateOf(ctx);
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetAssociationForServiceQuotaTemplate.html */
export function GetAssociationForServiceQuotaTemplate(
  _input: InputOf<'GetAssociationForServiceQuotaTemplate'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'GetAssociationForServiceQuotaTemplate'>> {
  return templateOf(ctx);
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_PutServiceQuotaIncreaseRequestIntoTemplate.html */
export function PutServiceQuotaIncreaseRequestIntoTemplate(
  _input: InputOf<'PutServiceQuotaIncreaseRequestIntoTemplate'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'PutServiceQuotaIncreaseRequestIntoTemplate'>> {
  return templateOf(ctx);
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetServiceQuotaIncreaseRequestFromTemplate.html */
export function GetServiceQuotaIncreaseRequestFromTemplate(
  _input: InputOf<'GetServiceQuotaIncreaseRequestFromTemplate'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'GetServiceQuotaIncreaseRequestFromTemplate'>> {
  return templateOf(ctx);
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_DeleteServiceQuotaIncreaseRequestFromTemplate.html */
export function DeleteServiceQuotaIncreaseRequestFromTemplate(
  _input: InputOf<'DeleteServiceQuotaIncreaseRequestFromTemplate'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'DeleteServiceQuotaIncreaseRequestFromTemplate'>> {
  return templateOf(ctx);
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListServiceQuotaIncreaseRequestsInTemplate.html */
export function ListServiceQuotaIncreaseRequestsInTemplate(
  input: InputOf<'ListServiceQuotaIncreaseRequestsInTemplate'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'ListServiceQuotaIncreaseRequestsInTemplate'>> {
  // No page token exists, so every token is rejected.
  paging.page('ListServiceQuotaIncreaseRequestsInTemplate', input, [], String);
  return templateOf(ctx);
}
