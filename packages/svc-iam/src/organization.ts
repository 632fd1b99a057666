import { servicePrincipalName } from '@emu/core/service';
import type { Organization } from '@emu/service-types/organizations';
import { AwsError } from '@emu/wire';
import type { IamContext } from './context.ts';
import { iamError } from './errors.ts';

/** Service principal with which organizations trust IAM. */
const IAM = servicePrincipalName('iam');

/** Returns the organization of the caller's account; undefined if it is in none. */
export async function organizationOf(ctx: IamContext): Promise<Organization | undefined> {
  try {
    const { Organization } = await ctx.call('organizations', 'DescribeOrganization', {});
    return Organization;
  } catch (error) {
    // Without Organizations, no account is in an organization.
    if (error instanceof AwsError && ['AWSOrganizationsNotInUseException', 'NotImplemented'].includes(error.code))
      return undefined;
    throw error;
  }
}

/**
 * Returns the organization if the caller is its management account and it trusts IAM.
 * @param stranger error for other accounts
 * @throws AwsError `OrganizationNotFound`, `OrganizationNotInAllFeaturesMode`, `ServiceAccessNotEnabled`, `stranger`
 */
export async function requireManagedOrganization(
  ctx: IamContext,
  stranger: 'AccountNotManagementOrDelegatedAdministratorException' | 'CallerIsNotManagementAccountException',
): Promise<Organization> {
  const organization = await organizationOf(ctx);
  if (!organization)
    throw iamError(
      'OrganizationNotFoundException',
      'The request was rejected because no organization is associated with your account.',
    );
  if (organization.MasterAccountId !== ctx.accountId)
    throw iamError(stranger, 'The account making the request is not the management account of the organization.');
  if (organization.FeatureSet !== 'ALL')
    throw iamError(
      'OrganizationNotInAllFeaturesModeException',
      'The request was rejected because your organization does not have All features enabled.',
    );
  const { EnabledServicePrincipals: trusted = [] } = await ctx.call(
    'organizations',
    'ListAWSServiceAccessForOrganization',
    {},
  );
  if (!trusted.some(({ ServicePrincipal }) => ServicePrincipal === IAM))
    throw iamError(
      'ServiceAccessNotEnabledException',
      'The request was rejected because trusted access is not enabled for IAM in Organizations.',
    );
  return organization;
}
