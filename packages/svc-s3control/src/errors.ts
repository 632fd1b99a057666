import { type AwsError, awsError } from '@emu/wire';

/**
 * S3 Control's errors with messages and additional members. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */

export const accessDenied = (message = 'Access Denied'): AwsError => awsError('AccessDenied', message, { status: 403 });

export const invalidRequest = (message: string): AwsError => awsError('InvalidRequest', message, { status: 400 });

export const malformedXml = (): AwsError =>
  awsError(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
    { status: 400 },
  );

/** @param uri path of the resource, without a leading slash */
export const invalidUri = (uri: string): AwsError =>
  awsError('InvalidURI', "Couldn't parse the specified URI.", { status: 400, members: { URI: uri } });

export const noSuchAccessPoint = (name: string): AwsError =>
  awsError('NoSuchAccessPoint', 'The specified accesspoint does not exist', {
    status: 404,
    members: { AccessPointName: name },
  });

export const noSuchPolicy = (name: string): AwsError =>
  awsError('NoSuchAccessPointPolicy', 'The specified accesspoint policy does not exist', {
    status: 404,
    members: { AccessPointName: name },
  });

/** Error for a policy that grants blocked public access. */
export const publicPolicyBlocked = (caller: string, action: string, resource: string): AwsError =>
  accessDenied(
    `User: ${caller} is not authorized to perform: ${action} on resource: "${resource}" because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access.`,
  );
