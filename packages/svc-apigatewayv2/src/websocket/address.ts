import { apiAddressOf, apiOfHost } from '@emu/apigateway-common';
import { type DataPlaneRequest, percentDecoded, type ServiceHandle } from '@emu/core/service';
import type { ApiEntrance } from '../domains/api-entrance.ts';
import { domainEntrance } from '../domains/entrance.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import { hostOf } from '../runtime/endpoints.ts';
import { findApi } from '../runtime/find-api.ts';
import type { Apigatewayv2State } from '../state.ts';

/** Path of the control route for clients that cannot set the host. */
const CONTROL_PATH = '/_emulator/apigatewayv2/ws/';

/** WebSocket API stage of a handshake. */
export interface SocketEntrance {
  readonly state: Apigatewayv2State;
  /** Undefined if the stage is unknown or nothing is deployed. */
  readonly stage: CompiledStage | undefined;
  readonly domainName: string;
}

/** Returns the target of a handshake by a custom domain name; undefined if it is not a WebSocket API. */
export function socketByDomain(found: ApiEntrance): SocketEntrance | undefined {
  if (found.stage?.api.ProtocolType !== 'WEBSOCKET') return undefined;
  // The stage is hidden from untrusted clients.
  return found.client === null ? { ...found, stage: undefined } : found;
}

/** Returns the target of a handshake; undefined if it is not for a WebSocket API of this service. */
export function socketEntrance(
  request: DataPlaneRequest,
  handle: ServiceHandle<Apigatewayv2State>,
): SocketEntrance | undefined {
  if (request.ownedHost !== undefined && !apiOfHost(request.ownedHost)) {
    const found = domainEntrance(request, request.ownedHost, handle);
    return found && socketByDomain(found);
  }
  const control = request.path.startsWith(CONTROL_PATH);
  const address = control ? undefined : apiAddressOf(request);
  const apiId = control ? percentDecoded(request.path.slice(CONTROL_PATH.length)) : address?.apiId;
  const state = apiId === undefined ? undefined : findApi(handle, apiId, address?.region);
  if (state?.apis.get(apiId!)?.ProtocolType !== 'WEBSOCKET') return undefined;
  const named = control
    ? (new URLSearchParams(request.query).get('stage') ?? onlyStage(state, apiId!))
    : (address!.stage ?? percentDecoded(address!.path.split('/')[1] ?? ''));
  const { DisableExecuteApiEndpoint } = state.apis.get(apiId!)!;
  const stage = DisableExecuteApiEndpoint && !control ? undefined : state.runtime.stage(apiId!, named);
  return { state, stage, domainName: hostOf(apiId!, state.region) };
}

function onlyStage(state: Apigatewayv2State, apiId: string): string {
  const stages = state.stages.list(apiId);
  return stages.length === 1 ? stages[0]!.StageName : '';
}
