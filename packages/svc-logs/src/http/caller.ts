import {
  type DataPlaneRequest,
  identityDirectory,
  type Principal,
  type ServiceHandle,
  servicePrincipalName,
  signerOf,
} from '@emu/core/service';

/** Service principal of CloudWatch Logs API keys. */
const KEY_SERVICE = servicePrincipalName('logs');

/** Sender of events. */
export interface Caller {
  readonly principal: Principal;
  /** Whether it authenticates by bearer token instead of a signature. */
  readonly bearer: boolean;
}

/**
 * Returns the sender of a request: its signer, or the user of its API key.
 * @returns undefined for an unknown sender
 * @throws AwsError for an invalid signature, if emu verifies signatures
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_HTTP_Endpoints_BearerTokenAuth.html
 */
export async function callerOf(
  request: DataPlaneRequest,
  region: string,
  handle: ServiceHandle,
): Promise<Caller | undefined> {
  const { authorization } = request.headers;
  const token = typeof authorization === 'string' ? /^Bearer (\S+)$/.exec(authorization)?.[1] : undefined;
  if (token === undefined) {
    const principal = await signerOf(request, handle, { services: ['logs'], region });
    return principal && { principal, bearer: false };
  }
  const directory = await handle.capability(identityDirectory);
  const principal = directory?.apiKeyOwner?.(token, KEY_SERVICE);
  return principal && { principal, bearer: true };
}
