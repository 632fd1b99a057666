import type {
  CreateJobRequest,
  JobManifest,
  JobManifestGenerator,
  JobOperation,
  JobReport,
} from '@emu/service-types/s3control';
import { bucketNameOf, objectOfArn } from '../bucket-arns.ts';
import { accessPointType } from '../resources.ts';
import { tagging } from '../tags.ts';
import { badRequest } from './errors.ts';

/**
 * Validates a job request beyond its model.
 * @throws AwsError `BadRequestException`, `InvalidTag`, `TooManyTags`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_CreateJob.html
 */
export function checkJobRequest(input: CreateJobRequest): void {
  const { Manifest: manifest, ManifestGenerator: generator, Operation: operation } = input;
  if ((manifest === undefined) === (generator === undefined))
    throw badRequest('Request invalid: exactly one of Manifest and ManifestGenerator must be specified.');
  if (manifest) checkManifest(manifest);
  if (generator) checkGenerator(generator, operation);
  checkReport(input.Report);
  checkOperation(operation);
  tagging.merge(undefined, input.Tags);
}

/** Returns the operation of a job; undefined if the request has none. */
export function operationName(operation: JobOperation): keyof JobOperation | undefined {
  const entry = Object.entries(operation).find(([, value]) => value !== undefined);
  return entry?.[0] as keyof JobOperation | undefined;
}

function checkManifest({ Spec: { Format: format, Fields: fields }, Location: { ObjectArn: arn } }: JobManifest): void {
  objectOf(arn);
  if (format !== 'S3BatchOperations_CSV_20180820') {
    if (fields?.length) throw badRequest('Request invalid: Fields must not be specified for an inventory report.');
    return;
  }
  const given = (fields ?? []).filter((field) => field !== 'Ignore');
  if (!given.includes('Bucket') || !given.includes('Key'))
    throw badRequest('Request invalid: Fields of a CSV manifest must contain Bucket and Key.');
  if (new Set(given).size < given.length)
    throw badRequest('Request invalid: Fields of a CSV manifest must not be repeated.');
}

function checkGenerator({ S3JobManifestGenerator: generator }: JobManifestGenerator, operation: JobOperation): void {
  if (!generator) throw badRequest('Request invalid: the manifest generator is missing.');
  bucketOf(generator.SourceBucket);
  const { EnableManifestOutput: enabled, ManifestOutputLocation: location, Filter: filter } = generator;
  if (enabled && !location)
    throw badRequest('Request invalid: ManifestOutputLocation is required where EnableManifestOutput is true.');
  if (location) bucketOf(location.Bucket);
  if (filter?.EligibleForReplication && !operation.S3ReplicateObject)
    throw badRequest('Request invalid: EligibleForReplication is for S3ReplicateObject only.');
}

function checkReport({ Enabled: enabled, Bucket: bucket, Format: format, ReportScope: scope }: JobReport): void {
  if (!enabled) return;
  if (bucket === undefined || format === undefined || scope === undefined)
    throw badRequest('Request invalid: Bucket, Format and ReportScope are required where a report is enabled.');
  bucketOf(bucket);
}

function checkOperation(operation: JobOperation): void {
  if (Object.values(operation).filter((value) => value !== undefined).length !== 1)
    throw badRequest('Request invalid: exactly one operation must be specified.');
  const {
    LambdaInvoke: lambda,
    S3PutObjectCopy: copy,
    S3PutObjectAcl: acl,
    S3InitiateRestoreObject: restore,
  } = operation;
  if (lambda) {
    const { FunctionArn: arn, InvocationSchemaVersion: version = '1.0', UserArguments: args } = lambda;
    if (arn === undefined) throw badRequest('Request invalid: FunctionArn is required.');
    if (version !== '1.0' && version !== '2.0')
      throw badRequest('Request invalid: InvocationSchemaVersion must be 1.0 or 2.0.');
    if (args && Object.keys(args).length > 0 && version !== '2.0')
      throw badRequest('Request invalid: UserArguments need InvocationSchemaVersion 2.0.');
  }
  if (copy) {
    if (copy.TargetResource === undefined) throw badRequest('Request invalid: TargetResource is required.');
    bucketOf(copy.TargetResource);
    if (copy.CannedAccessControlList !== undefined && copy.AccessControlGrants?.length)
      throw badRequest('Request invalid: a canned ACL and grants cannot be specified together.');
  }
  if (acl) {
    const { AccessControlList: list, CannedAccessControlList: canned } = acl.AccessControlPolicy ?? {};
    if ((list === undefined) === (canned === undefined))
      throw badRequest('Request invalid: either an access control list or a canned ACL must be specified.');
  }
  if (restore && restore.ExpirationInDays === undefined && restore.GlacierJobTier === undefined)
    throw badRequest('Request invalid: ExpirationInDays or GlacierJobTier must be specified.');
  if (operation.S3UpdateObjectEncryption && !operation.S3UpdateObjectEncryption.ObjectEncryption?.SSEKMS)
    throw badRequest('Request invalid: ObjectEncryption is required.');
}

/**
 * Returns the bucket or access point of an ARN in the form of S3's requests.
 * @throws AwsError `BadRequestException`
 */
export function bucketOf(arn: string): string {
  const bucket = bucketNameOf(arn) ?? (accessPointType.parse(arn) && arn);
  if (bucket === undefined) throw badRequest(`Request invalid: ${arn} is not the ARN of a bucket.`);
  return bucket;
}

/**
 * Returns the object of an ARN.
 * @throws AwsError `BadRequestException`
 */
export function objectOf(arn: string): { bucket: string; key: string } {
  const object = objectOfArn(arn);
  if (!object) throw badRequest(`Request invalid: ${arn} is not the ARN of an object.`);
  return object;
}
