import type { S3controlErrorName } from '@emu/service-types/s3control';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const s3controlError: ErrorsOf<
  | S3controlErrorName
  | 'AccessDenied'
  | 'AccessGrantAlreadyExists'
  | 'AccessGrantsInstanceAlreadyExists'
  | 'AccessGrantsInstanceNotEmptyError'
  | 'AccessGrantsInstanceNotExistsError'
  | 'AccessGrantsInstanceResourcePolicyNotExists'
  | 'AccessGrantsLocationAlreadyExistsError'
  | 'AccessGrantsLocationNotEmptyError'
  | 'AccessGrantsLocationsQuotaExceededError'
  | 'AccessGrantsQuotaExceededError'
  | 'AccessPointAlreadyOwnedByYou'
  | 'ClientTokenConflict'
  | 'GeneralServiceException'
  | 'InvalidAccessGrant'
  | 'InvalidAccessGrantsLocation'
  | 'InvalidArgument'
  | 'InvalidBucketName'
  | 'InvalidIamRole'
  | 'InvalidIdentityCenterInstance'
  | 'InvalidRequest'
  | 'InvalidResourcePolicy'
  | 'InvalidTag'
  | 'InvalidURI'
  | 'MalformedXML'
  | 'MultiRegionAccessPointAlreadyOwnedByYou'
  | 'NoSuchAccessGrantError'
  | 'NoSuchAccessGrantsLocationError'
  | 'NoSuchAccessPoint'
  | 'NoSuchAccessPointPolicy'
  | 'NoSuchAsyncRequest'
  | 'NoSuchBucket'
  | 'NoSuchConfiguration'
  | 'NoSuchJobException'
  | 'NoSuchMultiRegionAccessPoint'
  | 'NoSuchResource'
  | 'NotImplemented'
  | 'ObjectLambdaAccessPointAlreadyOwnedByYou'
  | 'StorageLensGroupAlreadyExists'
  | 'TooManyAccessPoints'
  | 'TooManyBuckets'
  | 'TooManyConfigurations'
  | 'TooManyMultiRegionAccessPoints'
  | 'NoSuchBucketPolicy'
  | 'NoSuchLifecycleConfiguration'
  | 'NoSuchTagSet'
  | 'ReplicationConfigurationNotFoundError'
  | 'TooManyTags'
  | 'StsNotAuthorizedError'
  | 'StsPackedPolicyTooLargeError'
  | 'StsValidationError'
> = awsError;

/**
 * S3 Control's errors with messages and additional members. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */

export const accessDenied = (message = 'Access Denied'): AwsError =>
  s3controlError('AccessDenied', message, { status: 403 });

export const invalidRequest = (message: string): AwsError => s3controlError('InvalidRequest', message, { status: 400 });

export const malformedXml = (): AwsError =>
  s3controlError(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
    { status: 400 },
  );

/** @param uri path of the resource, without a leading slash */
export const invalidUri = (uri: string): AwsError =>
  s3controlError('InvalidURI', "Couldn't parse the specified URI.", { status: 400, members: { URI: uri } });

export const noSuchAccessPoint = (name: string): AwsError =>
  s3controlError('NoSuchAccessPoint', 'The specified accesspoint does not exist', {
    status: 404,
    members: { AccessPointName: name },
  });

export const noSuchPolicy = (name: string): AwsError =>
  s3controlError('NoSuchAccessPointPolicy', 'The specified accesspoint policy does not exist', {
    status: 404,
    members: { AccessPointName: name },
  });

/** Creates the error for a policy that grants blocked public access. */
export const publicPolicyBlocked = (caller: string, action: string, resource: string): AwsError =>
  accessDenied(
    `User: ${caller} is not authorized to perform: ${action} on resource: "${resource}" because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access.`,
  );
