import { notImplemented } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { invalid, invalidOperation } from '../errors.ts';
import { checkCallAs } from '../stack-sets/requests.ts';

/** Whether the account is in an organization. */
async function inOrganization(ctx: CloudformationContext): Promise<boolean> {
  try {
    await ctx.call('organizations', 'DescribeOrganization', {});
    return true;
  } catch (error) {
    // Without the Organizations service, no account is in an organization.
    if (error instanceof AwsError && ['AWSOrganizationsNotInUseException', 'NotImplemented'].includes(error.code))
      return false;
    throw error;
  }
}

/**
 * Returns the reason why service-managed stack sets are missing: the account is not in an organization, so it is not a
 * management account either.
 */
export async function serviceManaged(ctx: CloudformationContext): Promise<AwsError> {
  if (await inOrganization(ctx)) return notImplemented('cloudformation', 'service-managed stack sets');
  return invalid(
    'You must be the master or delegated admin account of an organization before operating a SERVICE_MANAGED stack set',
  );
}

async function managed(ctx: CloudformationContext): Promise<never> {
  if (await inOrganization(ctx)) throw notImplemented('cloudformation', 'the access to organizations');
  throw invalidOperation('Your account is not a member of an organization.');
}

/**
 * Activates trusted access to the account's organization; fails without an organization.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ActivateOrganizationsAccess.html
 */
export async function ActivateOrganizationsAccess(
  _input: InputOf<'ActivateOrganizationsAccess'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ActivateOrganizationsAccess'>> {
  return managed(ctx);
}

/**
 * Deactivates trusted access to the account's organization; fails without an organization.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeactivateOrganizationsAccess.html
 */
export async function DeactivateOrganizationsAccess(
  _input: InputOf<'DeactivateOrganizationsAccess'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DeactivateOrganizationsAccess'>> {
  return managed(ctx);
}

/**
 * Describes whether trusted access to the account's organization is active.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeOrganizationsAccess.html
 */
export async function DescribeOrganizationsAccess(
  input: InputOf<'DescribeOrganizationsAccess'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DescribeOrganizationsAccess'>> {
  checkCallAs(input);
  if (await inOrganization(ctx)) throw notImplemented('cloudformation', 'the access to organizations');
  return { Status: 'DISABLED' };
}
