import { type AwsError, awsError, type Protocol, type ServiceModel } from '@emu/wire';

/**
 * Returns the error of a denial, with the code and status of the request's protocol.
 * @param protocol protocol of the request; that of the model for calls between services
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html
 */
export function refusal(message: string, model: ServiceModel, protocol: string | undefined): AwsError {
  const { protocols, queryCompatible } = model.metadata;
  switch ((protocol || protocols[0]) as Protocol) {
    case 'ec2Query':
      return awsError('UnauthorizedOperation', `You are not authorized to perform this operation. ${message}`, {
        status: 403,
      });
    case 'awsQuery':
    case 'restXml':
      return awsError('AccessDenied', message, { status: 403 });
    case 'restJson1':
      return awsError('AccessDeniedException', message, { status: 403 });
    default:
      // Clients of services that once used the query protocol read its code from the header.
      return queryCompatible
        ? awsError('AccessDeniedException', message, {
            status: 403,
            headers: { 'x-amzn-query-error': 'AccessDenied;Sender' },
          })
        : awsError('AccessDeniedException', message, { status: 400 });
  }
}
