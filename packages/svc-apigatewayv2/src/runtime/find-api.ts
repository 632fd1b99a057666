import type { ServiceHandle } from '@emu/core/service';
import type { Apigatewayv2State } from '../state.ts';

/**
 * Returns the state of an API in any account.
 * @param region in the request's host; undefined if it has none
 */
export function findApi(
  handle: ServiceHandle<Apigatewayv2State>,
  apiId: string,
  region: string | undefined,
): Apigatewayv2State | undefined {
  for (const scope of handle.states())
    if ((region === undefined || scope.region === region) && scope.state.apis.has(apiId)) return scope.state;
  return undefined;
}
