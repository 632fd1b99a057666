import { type OperationContext, parseArn } from '@emu/core';
import { accessDenied } from './errors.ts';

/**
 * Checks the multi-factor parameters of a request. Which devices an account has, and what code each shows, is IAM's to
 * know; what can be told without is that the device is one of the caller's account.
 * @returns whether the caller authenticated with a device
 * @throws AwsError `AccessDenied` where a device or a code is missing, or the device is not the account's
 */
export function authenticateMfa(
  ctx: OperationContext,
  serialNumber: string | undefined,
  tokenCode: string | undefined,
): boolean {
  if (serialNumber === undefined && tokenCode === undefined) return false;
  if (serialNumber === undefined || tokenCode === undefined)
    throw accessDenied('MultiFactorAuthentication failed, must provide both MFA serial number and one time pass code.');
  if (!isDeviceOf(ctx.principal.accountId, ctx.partition, serialNumber))
    throw accessDenied(
      'MultiFactorAuthentication failed, unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.',
    );
  return true;
}

/** A hardware device has a plain serial number, a virtual one an ARN. */
function isDeviceOf(accountId: string, partition: string, serialNumber: string): boolean {
  if (!serialNumber.includes(':')) return true;
  const arn = parseArn(serialNumber);
  return (
    arn?.service === 'iam' &&
    arn.partition === partition &&
    arn.accountId === accountId &&
    arn.resource.startsWith('mfa/')
  );
}
