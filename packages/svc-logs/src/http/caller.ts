import {
  type DataPlaneRequest,
  identityDirectory,
  type Principal,
  type ServiceHandle,
  servicePrincipalName,
  signerOf,
} from '@emu/core';

/** Service principal that API keys of CloudWatch Logs are of. */
const KEY_SERVICE = servicePrincipalName('logs');

/** Who sends events. */
export interface Caller {
  readonly principal: Principal;
  /** Whether it is known by a bearer token and not by a signature. */
  readonly bearer: boolean;
}

/**
 * Who sends a request: its signer, or the user whose API key it has.
 * @returns undefined where nobody is known by it
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
    const principal = signerOf(request, handle, region);
    return principal && { principal, bearer: false };
  }
  const directory = await handle.capability(identityDirectory);
  const principal = directory?.apiKeyOwner?.(token, KEY_SERVICE);
  return principal && { principal, bearer: true };
}
