import { apiAddressOf, apiOfHost } from '@emu/apigateway-common';
import { type DataPlaneRequest, percentDecoded, type ServiceHandle } from '@emu/core/service';
import type { ApiEntrance } from '../domains/api-entrance.ts';
import { domainEntrance } from '../domains/entrance.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import { hostOf } from '../runtime/endpoints.ts';
import { findApi } from '../runtime/find-api.ts';
import type { Apigatewayv2State } from '../state.ts';

const DEFAULT_STAGE = '$default';

/** Returns the stage at the start of a path, with the remaining path; otherwise the `$default` stage. */
function stageOfPath(
  state: Apigatewayv2State,
  apiId: string,
  path: string,
): { stage: CompiledStage | undefined; path: string } {
  const end = path.indexOf('/', 1);
  const first = percentDecoded(end < 0 ? path.slice(1) : path.slice(1, end));
  if (first !== DEFAULT_STAGE && state.stages.get(apiId, first))
    return { stage: state.runtime.stage(apiId, first), path: end < 0 ? '/' : path.slice(end) };
  return { stage: state.runtime.stage(apiId, DEFAULT_STAGE), path };
}

/** Returns the target of a request; undefined if it is not for an API of this service. */
export function entranceOf(
  request: DataPlaneRequest,
  handle: ServiceHandle<Apigatewayv2State>,
): ApiEntrance | undefined {
  if (request.ownedHost !== undefined && !apiOfHost(request.ownedHost))
    return domainEntrance(request, request.ownedHost, handle);
  const address = apiAddressOf(request);
  if (!address) return undefined;
  const state = findApi(handle, address.apiId, address.region);
  const api = state?.apis.get(address.apiId);
  if (!state || !api) return undefined;
  const host = String(request.headers.host ?? '')
    .replace(/:\d+$/, '')
    .toLowerCase();
  const domainName = address.region === undefined ? hostOf(api.ApiId, state.region) : host;
  const common = { state, api, domainName };
  if (api.DisableExecuteApiEndpoint) return { ...common, stage: undefined, fullPath: address.path, path: address.path };
  if (address.stage !== undefined) {
    const fullPath =
      address.stage === DEFAULT_STAGE ? address.path : `/${encodeURIComponent(address.stage)}${address.path}`;
    return { ...common, stage: state.runtime.stage(api.ApiId, address.stage), fullPath, path: address.path };
  }
  return { ...common, fullPath: address.path, ...stageOfPath(state, api.ApiId, address.path) };
}
