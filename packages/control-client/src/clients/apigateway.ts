import type { ApiGatewayStageUrl } from '../routes/apigateway.ts';
import { AreaControl } from './area.ts';

/** Control routes of API Gateway's REST APIs. */
export class ApiGatewayControl extends AreaControl {
  /** Lists the local addresses of all stages of all REST APIs. `GET /_emulator/apigateway/urls` */
  urls(): Promise<{ apis: ApiGatewayStageUrl[] }> {
    return this.transport.json('GET /_emulator/apigateway/urls');
  }
}
