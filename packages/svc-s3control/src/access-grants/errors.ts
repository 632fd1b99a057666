import { type AwsError, awsError } from '@emu/wire';

/** Errors of S3 Access Grants. @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#S3AccessGrantsErrorCodeList */

export const instanceExists = (): AwsError =>
  awsError('AccessGrantsInstanceAlreadyExists', 'Access Grants Instance already exists', { status: 409 });

export const noInstance = (): AwsError =>
  awsError('AccessGrantsInstanceNotExistsError', 'Access Grants Instance does not exist', { status: 404 });

export const instanceNotEmpty = (): AwsError =>
  awsError(
    'AccessGrantsInstanceNotEmptyError',
    'Please clean up locations before deleting the access grants instance',
    { status: 400 },
  );

export const noResourcePolicy = (): AwsError =>
  awsError('AccessGrantsInstanceResourcePolicyNotExists', 'Access Grants Instance Resource Policy does not exist', {
    status: 404,
  });

export const invalidResourcePolicy = (): AwsError =>
  awsError('InvalidResourcePolicy', 'The specified Resource Policy is invalid', { status: 400 });

export const invalidIdentityCenter = (): AwsError =>
  awsError('InvalidIdentityCenterInstance', 'The specified identity center instance is invalid', { status: 400 });

export const locationExists = (): AwsError =>
  awsError('AccessGrantsLocationAlreadyExistsError', 'The specified access grants location already exists', {
    status: 409,
  });

export const noLocation = (): AwsError =>
  awsError('NoSuchAccessGrantsLocationError', 'The specified access grants location does not exist', { status: 404 });

export const locationNotEmpty = (): AwsError =>
  awsError(
    'AccessGrantsLocationNotEmptyError',
    'Please clean up access grants before deleting access grants location',
    { status: 400 },
  );

export const invalidLocation = (): AwsError =>
  awsError('InvalidAccessGrantsLocation', 'The specified Access Grants Location is invalid', { status: 400 });

export const invalidRole = (): AwsError =>
  awsError('InvalidIamRole', 'The specified IAM Role is invalid', { status: 400 });

export const grantExists = (): AwsError =>
  awsError('AccessGrantAlreadyExists', 'The specified access grant already exists', { status: 409 });

export const noGrant = (): AwsError =>
  awsError('NoSuchAccessGrantError', 'The specified access grant does not exist', { status: 404 });

export const invalidGrant = (): AwsError =>
  awsError('InvalidAccessGrant', 'The specified Access Grant is invalid', { status: 400 });

/** @param kind kind of the limited resource; empty for grants */
export const quotaExceeded = (kind: '' | 'Locations', quota: number): AwsError =>
  kind === ''
    ? awsError(
        'AccessGrantsQuotaExceededError',
        `The access grants quota has been exceeded. Access Grants Quota: ${quota}. Please reach out to S3 if an increase is required.`,
        { status: 409 },
      )
    : awsError(
        'AccessGrantsLocationsQuotaExceededError',
        `The access grants location quota has been exceeded. Access Grants Locations Quota: ${quota}. Please reach out to S3 if an increase is required.`,
        { status: 409 },
      );

export const noMatchingGrant = (permission: string, target: string): AwsError =>
  awsError('AccessDenied', `You do not have ${permission} permissions to the requested S3 Prefix: ${target}`, {
    status: 403,
  });
