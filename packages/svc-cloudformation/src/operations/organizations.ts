import { notImplemented } from '@emu/core';
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
    // Where there is no Organizations, no account is in one.
    if (error instanceof AwsError && ['AWSOrganizationsNotInUseException', 'NotImplemented'].includes(error.code))
      return false;
    throw error;
  }
}

/** Why there is no service-managed stack set: the account is in no organization, let alone its management account. */
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
 * Lets CloudFormation into the organization of the account, which there has to be.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ActivateOrganizationsAccess.html
 */
export async function ActivateOrganizationsAccess(
  _input: InputOf<'ActivateOrganizationsAccess'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ActivateOrganizationsAccess'>> {
  return managed(ctx);
}

/**
 * Lets CloudFormation no longer into the organization of the account, which there has to be.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeactivateOrganizationsAccess.html
 */
export async function DeactivateOrganizationsAccess(
  _input: InputOf<'DeactivateOrganizationsAccess'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DeactivateOrganizationsAccess'>> {
  return managed(ctx);
}

/**
 * Whether the organization of the account lets CloudFormation in.
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
