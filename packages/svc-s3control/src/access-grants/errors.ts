import type { AwsError } from '@emu/wire';
import { s3controlError } from '../errors.ts';

/** Errors of S3 Access Grants. @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#S3AccessGrantsErrorCodeList */

export const instanceExists = (): AwsError =>
  s3controlError('AccessGrantsInstanceAlreadyExists', 'Access Grants Instance already exists', { status: 409 });

export const noInstance = (): AwsError =>
  s3controlError('AccessGrantsInstanceNotExistsError', 'Access Grants Instance does not exist', { status: 404 });

export const instanceNotEmpty = (): AwsError =>
  s3controlError(
    'AccessGrantsInstanceNotEmptyError',
    'Please clean up locations before deleting the access grants instance',
    { status: 400 },
  );

export const noResourcePolicy = (): AwsError =>
  s3controlError(
    'AccessGrantsInstanceResourcePolicyNotExists',
    'Access Grants Instance Resource Policy does not exist',
    {
      status: 404,
    },
  );

export const invalidResourcePolicy = (): AwsError =>
  s3controlError('InvalidResourcePolicy', 'The specified Resource Policy is invalid', { status: 400 });

export const invalidIdentityCenter = (): AwsError =>
  s3controlError('InvalidIdentityCenterInstance', 'The specified identity center instance is invalid', { status: 400 });

export const locationExists = (): AwsError =>
  s3controlError('AccessGrantsLocationAlreadyExistsError', 'The specified access grants location already exists', {
    status: 409,
  });

export const noLocation = (): AwsError =>
  s3controlError('NoSuchAccessGrantsLocationError', 'The specified access grants location does not exist', {
    status: 404,
  });

export const locationNotEmpty = (): AwsError =>
  s3controlError(
    'AccessGrantsLocationNotEmptyError',
    'Please clean up access grants before deleting access grants location',
    { status: 400 },
  );

export const invalidLocation = (): AwsError =>
  s3controlError('InvalidAccessGrantsLocation', 'The specified Access Grants Location is invalid', { status: 400 });

export const invalidRole = (): AwsError =>
  s3controlError('InvalidIamRole', 'The specified IAM Role is invalid', { status: 400 });

export const grantExists = (): AwsError =>
  s3controlError('AccessGrantAlreadyExists', 'The specified access grant already exists', { status: 409 });

export const noGrant = (): AwsError =>
  s3controlError('NoSuchAccessGrantError', 'The specified access grant does not exist', { status: 404 });

export const invalidGrant = (): AwsError =>
  s3controlError('InvalidAccessGrant', 'The specified Access Grant is invalid', { status: 400 });

/** @param kind kind of the limited resource; empty for grants */
export const quotaExceeded = (kind: '' | 'Locations', quota: number): AwsError =>
  kind === ''
    ? s3controlError(
        'AccessGrantsQuotaExceededError',
        `The access grants quota has been exceeded. Access Grants Quota: ${quota}. Please reach out to S3 if an increase is required.`,
        { status: 409 },
      )
    : s3controlError(
        'AccessGrantsLocationsQuotaExceededError',
        `The access grants location quota has been exceeded. Access Grants Locations Quota: ${quota}. Please reach out to S3 if an increase is required.`,
        { status: 409 },
      );

export const noMatchingGrant = (permission: string, target: string): AwsError =>
  s3controlError('AccessDenied', `You do not have ${permission} permissions to the requested S3 Prefix: ${target}`, {
    status: 403,
  });
