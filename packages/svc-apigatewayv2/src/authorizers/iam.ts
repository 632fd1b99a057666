import { type DataPlaneRequest, type Principal, signerOf } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { executionArn } from '../resources.ts';
import type { Apigatewayv2State } from '../state.ts';
import { forbidden } from './verdict.ts';

/**
 * Returns the signer of a request.
 * @throws Refusal for an unsigned request, and for an invalid signature if emu verifies signatures
 */
export async function signerOfRequest(request: DataPlaneRequest, state: Apigatewayv2State): Promise<Principal> {
  let signer: Principal | undefined;
  try {
    signer = await signerOf(request, state.service, { services: ['execute-api'], region: state.region });
  } catch (error) {
    throw error instanceof AwsError ? forbidden(error.message) : error;
  }
  if (!signer) throw forbidden('Missing Authentication Token');
  return signer;
}

/**
 * Rejects signers without permission on a route, if policies are enforced.
 * @param resource `<api>/<stage>/<method>/<path>`
 * @throws Refusal
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-access-control-iam.html
 */
export async function authorizeSigner(
  principal: Principal,
  resource: string,
  state: Apigatewayv2State,
  cause: string,
): Promise<void> {
  try {
    await state.scope.call(
      'apigatewayv2',
      'InvokeRoute',
      { resource: executionArn(resource, state) },
      { principal, authorize: { dryRun: true }, cause },
    );
  } catch (error) {
    throw error instanceof AwsError ? forbidden(error.message) : error;
  }
}
