import type {
  ApiGatewayV2Connection,
  ApiGatewayV2MtlsInfo,
  ApiGatewayV2Request,
  ApiGatewayV2StageUrl,
} from '../routes/apigatewayv2.ts';
import { AreaControl } from './area.ts';

/** Control routes of API Gateway v2. */
export class ApiGatewayV2Control extends AreaControl {
  /** Lists the requests that HTTP APIs received, oldest first. `GET /_emulator/apigatewayv2/requests` */
  requests(): Promise<{ requests: ApiGatewayV2Request[] }> {
    return this.transport.json('GET /_emulator/apigatewayv2/requests');
  }

  /** Lists the open connections of WebSocket APIs. `GET /_emulator/apigatewayv2/connections` */
  connections(): Promise<{ connections: ApiGatewayV2Connection[] }> {
    return this.transport.json('GET /_emulator/apigatewayv2/connections');
  }

  /** Lists the local addresses of all stages of all HTTP and WebSocket APIs. `GET /_emulator/apigatewayv2/urls` */
  urls(): Promise<{ apis: ApiGatewayV2StageUrl[] }> {
    return this.transport.json('GET /_emulator/apigatewayv2/urls');
  }

  /**
   * Returns the `ws:` URL (`wss:` for an `https:` emulator) of a deployed WebSocket API, without a request. `WS
   * /_emulator/apigatewayv2/ws/{api_id}`
   * @param stage sent as the query parameter `stage`; without it the emulator uses the API's only stage
   */
  wsUrl(apiId: string, stage?: string): string {
    const url = this.transport.url('WS /_emulator/apigatewayv2/ws/{api_id}', {
      params: { api_id: apiId },
      query: { stage },
    });
    return url.replace(/^http/, 'ws');
  }

  /**
   * Returns the trust store and client CAs of a custom domain name with mutual TLS. `GET
   * /_emulator/apigatewayv2/domain-names/{name}/mtls-info`
   * @throws ApiError 404 for an unknown domain name
   */
  domainNameMtlsInfo(name: string): Promise<ApiGatewayV2MtlsInfo> {
    return this.transport.json('GET /_emulator/apigatewayv2/domain-names/{name}/mtls-info', { params: { name } });
  }
}
