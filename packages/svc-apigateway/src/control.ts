import { localUrls } from '@emu/apigateway-common';
import type { ApiGatewayStageUrl } from '@emu/control-client';
import type { ControlRoute } from '@emu/core/service';
import type { ApiGatewayState } from './state.ts';

/** API Gateway's control routes. */
export const control: readonly ControlRoute<ApiGatewayState>[] = [
  {
    method: 'GET',
    path: '/_emulator/apigateway/urls',
    handle({ endpoint }, service) {
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
              ...localUrls(endpoint, { apiId: id, region, stage }),
            });
      return { json: { apis } };
    },
  },
];
