import {
  type AwsError,
  awsError,
  type HeaderValues,
  queryParameter,
  type ServerProtocol,
  type ServiceCodec,
} from '@emu/wire';
import type { Identification } from './identify.ts';

/** Returns the protocol for errors of a request for an unknown service, by its headers and query. */
export async function fallbackProtocol(headers: HeaderValues, query: string): Promise<ServerProtocol> {
  // Loaded at the first such request: it brings all protocols, which a start does not need.
  const { protocolOf } = await import('./fallback-protocol.ts');
  return protocolOf(headers, queryParameter(query, 'Action') !== undefined);
}

/**
 * Returns the error of a request for an unsupported service. Its message names the part of the request that decided.
 * @param leftOut the service, if emu supports it and this emulator was created without it
 */
export function unknownService({ recognised }: Identification, leftOut: string | undefined): AwsError {
  const what =
    recognised === ''
      ? 'The request names no service: it has no credential scope, target, API version or host name of one'
      : leftOut === undefined
        ? `The request is for a service that emu does not have, by ${recognised}`
        : `The request is for ${leftOut}, by ${recognised}, which is not among the services that this emulator was created with`;
  return awsError('NotImplemented', `${what}.`, { status: 501 });
}

/**
 * Returns AWS's error, by protocol, for an operation that is not in the service's model.
 * @param action the name in the request; undefined without one
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html
 */
export function unknownOperation(codec: ServiceCodec, protocol: ServerProtocol, action: string | undefined): AwsError {
  switch (protocol.protocol) {
    case 'awsQuery':
    case 'ec2Query': {
      if (!action) return awsError('MissingAction', 'Could not find operation for empty action', { status: 400 });
      const message =
        protocol.protocol === 'ec2Query'
          ? `The action ${action} is not valid for this web service.`
          : `Could not find operation ${action} for version ${codec.model.metadata.apiVersion}`;
      return awsError('InvalidAction', message, { status: 400 });
    }
    case 'restXml':
      return awsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
        status: 405,
      });
    case 'restJson1':
      return awsError('UnknownOperationException', '', { status: 404 });
    default:
      return awsError('UnknownOperationException', '', { status: 400 });
  }
}

/** Returns the error of an unexpected exception, whose details are in the log. */
export function internalFailure(cause: unknown): AwsError {
  return awsError(
    'InternalFailure',
    'The request processing has failed because of an unknown error, exception or failure.',
    {
      status: 500,
      cause,
    },
  );
}

/**
 * Returns the error of a change that the disk currently rejects. Clients retry after it.
 * @param problem describes the disk's failure, without a full stop
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/CommonErrors.html
 */
export function storageUnavailable(problem: string, cause: unknown): AwsError {
  return awsError('ServiceUnavailable', `${problem}.`, { status: 503, cause });
}

/** Returns the error of a body over the limit. */
export function payloadTooLarge(limit: number): AwsError {
  return awsError('RequestEntityTooLarge', `The request body is larger than the limit of ${limit} bytes.`, {
    status: 413,
  });
}
