import type { ApiGatewayStageUrl } from '../records/apigateway.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of API Gateway's REST APIs. */
export const apigateway = {
  /** Lists the local addresses of all stages of all REST APIs. `GET /_emulator/apigateway/urls` */
  urls: json<{ apis: ApiGatewayStageUrl[] }>()('GET /_emulator/apigateway/urls'),
};

/** Methods for the control routes of REST APIs of API Gateway. */
export interface ApiGatewayControl extends MethodsOf<typeof apigateway> {}

/** Control routes of REST APIs of API Gateway by name. */
export type ApiGatewayRoutes = RoutesOf<typeof apigateway>;
