import { randomUUID } from 'node:crypto';
import type { Logger } from '@emu/core/service';
import {
  ClientGone,
  fallbackProtocol,
  type GatewayRequest,
  type GatewayResponse,
  PayloadTooLarge,
  visitOf,
} from '@emu/gateway/proxy';
import { type AwsError, awsError } from '@emu/wire';
import { NoCredentials } from './credentials.ts';
import { NoEndpoint } from './endpoints.ts';
import type { Call } from './recognition.ts';
import { NoResponse } from './sender.ts';

/** Returns an error of the proxy itself, in the protocol of the request. */
export async function errorResponse(
  call: Call | undefined,
  request: GatewayRequest,
  error: AwsError,
): Promise<GatewayResponse> {
  const { query } = visitOf(request, false);
  const protocol = call?.modelled?.protocol ?? (await fallbackProtocol(request.headers, query));
  return protocol.encodeError(error, randomUUID(), call?.modelled?.operation);
}

/** Returns the error of a request that was not passed on, and logs what the user can change. */
export function failureOf(error: unknown, log: Logger): AwsError {
  if (error instanceof PayloadTooLarge) return awsError('RequestEntityTooLarge', error.message, { status: 413 });
  if (error instanceof NoEndpoint || error instanceof NoCredentials || error instanceof NoResponse) {
    log.error(error.message);
    return awsError('ServiceUnavailable', error.message, { status: 503, cause: error });
  }
  if (!(error instanceof ClientGone)) log.error('a request could not be passed on', { error });
  return awsError('InternalFailure', 'emu could not pass the request on; see its log.', { status: 500, cause: error });
}

/** Returns the refusal of a request that may change something. @param flag that admits reads only */
export function readOnlyRefusal({ service, operation }: Call, flag: string): AwsError {
  const what = operation === undefined ? `this request of ${service}` : `${service} ${operation}`;
  return awsError('AccessDenied', `emu refuses ${what}, because ${flag} admits only operations that read.`, {
    status: 403,
  });
}
