import { type DataPlaneRequest, type Principal, rootOf } from '@emu/core';
import { AwsError } from '@emu/wire';
import { executionArn } from '../resources.ts';
import type { Apigatewayv2State } from '../state.ts';
import { forbidden } from './verdict.ts';

/** Who signed a request; undefined where nobody did. */
export function callerOf(
  { headers, query }: Pick<DataPlaneRequest, 'headers' | 'query'>,
  { service, region }: Apigatewayv2State,
): Principal | undefined {
  const { authorization } = headers;
  const accessKeyId =
    typeof authorization === 'string'
      ? /^AWS4-HMAC-SHA256 .*Credential=([^/,\s]+)\//.exec(authorization)?.[1]
      : new URLSearchParams(query).get('X-Amz-Credential')?.split('/')[0];
  if (!accessKeyId) return undefined;
  const credential = service.credentials.get(accessKeyId);
  if (credential) return { ...credential.principal, accessKeyId };
  const accountId = /^\d{12}$/.test(accessKeyId) ? accessKeyId : service.settings.accountId;
  return { ...rootOf(accountId, region), accessKeyId };
}

/**
 * Lets a request in that somebody has signed whom policies allow to call the route, where policies are enforced.
 * @param resource `<api>/<stage>/<method>/<path>`
 * @throws Refusal
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-access-control-iam.html
 */
export async function authorizeBySignature(
  request: DataPlaneRequest,
  resource: string,
  state: Apigatewayv2State,
): Promise<Principal> {
  const principal = callerOf(request, state);
  if (!principal) throw forbidden('Missing Authentication Token');
  try {
    await state.scope.call(
      'apigatewayv2',
      'InvokeRoute',
      { resource: executionArn(resource, state) },
      { principal, authorize: { dryRun: true }, cause: request.requestId },
    );
  } catch (error) {
    throw error instanceof AwsError ? forbidden(error.message) : error;
  }
  return principal;
}
