import { type DataPlaneRequest, type Principal, signerOf } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { executionArn } from '../resources.ts';
import type { Apigatewayv2State } from '../state.ts';
import { forbidden } from './verdict.ts';

/**
 * Accepts signed requests only, and where policies are enforced only those with permission on the route.
 * @param resource `<api>/<stage>/<method>/<path>`
 * @throws Refusal
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-access-control-iam.html
 */
export async function authorizeBySignature(
  request: DataPlaneRequest,
  resource: string,
  state: Apigatewayv2State,
): Promise<Principal> {
  const principal = signerOf(request, state.service, state.region);
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
