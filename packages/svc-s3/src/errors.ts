import type { S3ErrorName } from '@emu/service-types/s3';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const s3Error: ErrorsOf<
  | S3ErrorName
  | 'AccessControlListNotSupported'
  | 'AccessForbidden'
  | 'AuthorizationHeaderMalformed'
  | 'AuthorizationQueryParametersError'
  | 'BadDigest'
  | 'BadRequest'
  | 'BucketHasAccessPointsAttached'
  | 'BucketNotEmpty'
  | 'ConditionalRequestConflict'
  | 'CrossLocationLoggingProhibitted'
  | 'EntityTooLarge'
  | 'EntityTooSmall'
  | 'ExpiredToken'
  | 'IdMismatch'
  | 'IllegalLocationConstraintException'
  | 'IllegalVersioningConfigurationException'
  | 'IncompleteBody'
  | 'InternalError'
  | 'InvalidAccessKeyId'
  | 'InvalidArgument'
  | 'InvalidBucketAclWithObjectOwnership'
  | 'InvalidBucketName'
  | 'InvalidBucketOwnerAWSAccountID'
  | 'InvalidBucketState'
  | 'InvalidDigest'
  | 'InvalidEncryptionAlgorithmError'
  | 'InvalidLocationConstraint'
  | 'InvalidPart'
  | 'InvalidPartNumber'
  | 'InvalidPartOrder'
  | 'InvalidPolicyDocument'
  | 'InvalidRange'
  | 'InvalidRedirectLocation'
  | 'InvalidRetentionPeriod'
  | 'InvalidS3DestinationBucket'
  | 'InvalidStorageClass'
  | 'InvalidTag'
  | 'InvalidTargetBucketForLogging'
  | 'InvalidToken'
  | 'KeyTooLongError'
  | 'LambdaInvalidResponse'
  | 'LambdaInvocationFailed'
  | 'LambdaNotFound'
  | 'LambdaPermissionError'
  | 'LambdaResponseNotReceived'
  | 'LambdaRuntimeError'
  | 'MalformedACLError'
  | 'MalformedPOSTRequest'
  | 'MalformedPolicy'
  | 'MalformedTrailerError'
  | 'MalformedXML'
  | 'MaxPostPreDataLengthExceeded'
  | 'MetadataTooLarge'
  | 'MethodNotAllowed'
  | 'MissingContentLength'
  | 'MissingRequestBodyError'
  | 'MissingSecurityHeader'
  | 'NoSuchAccessPoint'
  | 'NoSuchVersion'
  | 'NoSuchWebsiteConfiguration'
  | 'NotImplemented'
  | 'NotModified'
  | 'PreconditionFailed'
  | 'ReplicationConfigurationNotFoundError'
  | 'RequestTimeTooSkewed'
  | 'RestoreAlreadyInProgress'
  | 'SignatureDoesNotMatch'
  | 'TooManyBuckets'
  | 'TooManyConfigurations'
  | 'UnexpectedContent'
  | 'DstBucketNotFound'
  | 'DstBucketUnversioned'
  | `KMS.${string}`
> = awsError;

/**
 * S3's errors with messages and additional members. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */

export const noSuchBucket = (bucket: string): AwsError =>
  s3Error('NoSuchBucket', 'The specified bucket does not exist', { members: { BucketName: bucket } });

export const noSuchKey = (key: string): AwsError =>
  s3Error('NoSuchKey', 'The specified key does not exist.', { members: { Key: key } });

export const noSuchVersion = (key: string, versionId: string): AwsError =>
  s3Error('NoSuchVersion', 'The specified version does not exist.', {
    status: 404,
    members: { Key: key, VersionId: versionId },
  });

/** Creates the error for reading a delete marker by its version id, with any method except DELETE. */
export const markerNotAllowed = (method: string, versionId: string, lastModified: number): AwsError =>
  s3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    status: 405,
    members: { Method: method, ResourceType: 'DeleteMarker' },
    headers: {
      'x-amz-delete-marker': 'true',
      'x-amz-version-id': versionId,
      allow: 'DELETE',
      'last-modified': new Date(lastModified).toUTCString(),
    },
  });

export const accessDenied = (message = 'Access Denied'): AwsError => s3Error('AccessDenied', message, { status: 403 });

export const invalidRequest = (message: string): AwsError => s3Error('InvalidRequest', message, { status: 400 });

/** Returns S3's error for a missing required header. */
export const missingHeader = (header: string): AwsError =>
  invalidRequest(
    header === 'x-amz-object-attributes'
      ? `The ${header} header specifying the attributes to be retrieved is either missing or empty`
      : `Missing required header for this request: ${header}`,
  );

/** @param name S3's name of the argument: a header, query parameter or element */
export const invalidArgument = (message: string, name?: string, value?: string): AwsError =>
  s3Error('InvalidArgument', message, {
    status: 400,
    members: {
      ...(name !== undefined && { ArgumentName: name }),
      ...(value !== undefined && { ArgumentValue: value }),
    },
  });

export const malformedXml = (): AwsError =>
  s3Error('MalformedXML', 'The XML you provided was not well-formed or did not validate against our published schema', {
    status: 400,
  });

export const preconditionFailed = (condition: string): AwsError =>
  s3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    status: 412,
    members: { Condition: condition },
  });

/** Returns the response to a conditional read of an unmodified object. */
export const notModified = (headers: Record<string, string>): AwsError =>
  s3Error('NotModified', 'Not Modified', { status: 304, headers });

export const invalidRange = (range: string, size: number): AwsError =>
  s3Error('InvalidRange', 'The requested range is not satisfiable', {
    status: 416,
    members: { ActualObjectSize: String(size), RangeRequested: range },
    headers: { 'content-range': `bytes */${size}` },
  });

/** Creates the error for a key that leaves the bucket as a path: only the status, as AWS rejects it before S3. */
export const climbingKey = (): AwsError => s3Error('BadRequest', 'Bad Request', { status: 400, bodyless: true });

export const keyTooLong = (key: string): AwsError =>
  s3Error('KeyTooLongError', 'Your key is too long', {
    status: 400,
    members: { Size: String(Buffer.byteLength(key)), MaxSizeAllowed: '1024' },
  });
