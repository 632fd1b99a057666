import { localUrls } from '@emu/apigateway-common';
import type { ApiGatewayStageUrl, DeclareRoute } from '@emu/control-client';
import { type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { ApiGatewayState } from './state.ts';

const route: DeclareRoute<ServiceHandle<ApiGatewayState>, ControlRoute<ApiGatewayState>> = controlRoute;

/** Lists the local URLs of all stages. */
const urls = route('GET /_emulator/apigateway/urls', ({ endpoint }, service) => {
  const apis: ApiGatewayStageUrl[] = [];
  for (const { accountId, region, state } of service.states())
    for (const { id, name } of state.apis.values())
      for (const { stageName: stage } of state.stages.list(id))
        apis.push({
          apiId: id,
          name,
          stage,
          accountId,
          region,
          ...localUrls(endpoint, service.settings, { apiId: id, region, stage }),
        });
  return { json: { apis } };
});

/** API Gateway's control routes. */
export const control: readonly ControlRoute<ApiGatewayState>[] = [urls];
