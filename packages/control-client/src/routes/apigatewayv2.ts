import type {
  ApiGatewayV2Connection,
  ApiGatewayV2MtlsInfo,
  ApiGatewayV2Request,
  ApiGatewayV2StageUrl,
} from '../records/apigatewayv2.ts';
import { json, type MethodsOf, type RoutesOf, webSocket } from '../table.ts';

/** Control routes of API Gateway v2. */
export const apigatewayv2 = {
  /** Lists the requests that HTTP APIs received, oldest first. `GET /_emulator/apigatewayv2/requests` */
  requests: json<{ requests: ApiGatewayV2Request[] }>()('GET /_emulator/apigatewayv2/requests'),

  /** Lists the open connections of WebSocket APIs. `GET /_emulator/apigatewayv2/connections` */
  connections: json<{ connections: ApiGatewayV2Connection[] }>()('GET /_emulator/apigatewayv2/connections'),

  /** Lists the local addresses of all stages of all HTTP and WebSocket APIs. `GET /_emulator/apigatewayv2/urls` */
  urls: json<{ apis: ApiGatewayV2StageUrl[] }>()('GET /_emulator/apigatewayv2/urls'),

  /**
   * Returns the `ws:` URL (`wss:` for an `https:` emulator) of a deployed WebSocket API, without a request. `WS
   * /_emulator/apigatewayv2/ws/{api_id}`
   * @param stage sent as the query parameter `stage`; without it the emulator uses the API's only stage
   */
  wsUrl: webSocket(
    'WS /_emulator/apigatewayv2/ws/{api_id}',
    (apiId: string, stage?: string): { params: { api_id: string }; query: { stage?: string } } => ({
      params: { api_id: apiId },
      query: { stage },
    }),
  ),

  /**
   * Returns the trust store and client CAs of a custom domain name with mutual TLS. `GET
   * /_emulator/apigatewayv2/domain-names/{name}/mtls-info`
   * @throws ApiError 404 for an unknown domain name
   */
  domainNameMtlsInfo: json<ApiGatewayV2MtlsInfo>()(
    'GET /_emulator/apigatewayv2/domain-names/{name}/mtls-info',
    (name: string) => ({ params: { name } }),
  ),
};

/** Methods for the control routes of API Gateway v2. */
export interface ApiGatewayV2Control extends MethodsOf<typeof apigatewayv2> {}

/** Control routes of API Gateway v2 by name. */
export type ApiGatewayV2Routes = RoutesOf<typeof apigatewayv2>;
