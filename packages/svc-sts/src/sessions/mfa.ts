import { identityDirectory, type OperationContext, parseArn } from '@emu/core/service';
import { accessDenied } from '../errors.ts';

const mfaError = (): Error =>
  accessDenied(
    'MultiFactorAuthentication failed, unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.',
  );

/**
 * Checks the MFA parameters of a request. The code must be a current one of the caller's device. Without IAM no devices
 * are known, so any device of the caller's account is accepted.
 * @returns whether the caller authenticated with a device
 * @throws AwsError `AccessDenied` for a missing device or code, a device of somebody else, or a wrong code
 */
export async function authenticateMfa(
  ctx: OperationContext,
  serialNumber: string | undefined,
  tokenCode: string | undefined,
): Promise<boolean> {
  if (serialNumber === undefined && tokenCode === undefined) return false;
  if (serialNumber === undefined || tokenCode === undefined)
    throw accessDenied('MultiFactorAuthentication failed, must provide both MFA serial number and one time pass code.');
  const { accountId, userId } = ctx.principal;
  const directory = await ctx.capability(identityDirectory);
  const isRight = directory?.verifyMfa
    ? directory.verifyMfa(accountId, userId, serialNumber, tokenCode)
    : isDeviceOf(accountId, ctx.partition, serialNumber);
  if (!isRight) throw mfaError();
  return true;
}

/**
 * Whether a serial number can belong to a device of the account: a hardware device has a serial number, a virtual one
 * an ARN.
 */
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
