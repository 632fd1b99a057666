import type { ApiGatewayStageUrl } from '../routes/apigateway.ts';
import { AreaControl } from './area.ts';

/** Control routes of API Gateway's REST APIs. */
export class ApiGatewayControl extends AreaControl {
  /** Local addresses of every stage of every REST API. `GET /_emulator/apigateway/urls` */
  urls(): Promise<{ apis: ApiGatewayStageUrl[] }> {
    return this.transport.json('GET /_emulator/apigateway/urls');
  }
}
