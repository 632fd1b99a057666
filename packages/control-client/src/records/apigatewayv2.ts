import type { ApiGatewayStageUrl } from './apigateway.ts';
import type { Located, Timestamp } from './common.ts';

/** A request that an HTTP API received. */
export interface ApiGatewayV2Request extends Located {
  requestId: string;
  apiId: string;
  stage: string;
  /** Matched route, e.g. `GET /pets/{id}` or `$default`; absent without a match. */
  routeKey?: string;
  method: string;
  path: string;
  queryString: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether `body` is base64. */
  isBase64Encoded: boolean;
  sourceIp: string;
  /** Status of the response. */
  statusCode: number;
  timestamp: Timestamp;
}

/** A stage of an HTTP or WebSocket API with its local addresses. Those of WebSocket APIs begin with `ws:` or `wss:`. */
export interface ApiGatewayV2StageUrl extends ApiGatewayStageUrl {
  protocolType: 'HTTP' | 'WEBSOCKET';
}

/** An open connection of a WebSocket API. */
export interface ApiGatewayV2Connection extends Located {
  apiId: string;
  stage: string;
  connectionId: string;
  sourceIp: string;
  userAgent?: string;
  connectedAt: Timestamp;
  lastActiveAt: Timestamp;
}

/** Mutual TLS configuration of a custom domain name. */
export interface ApiGatewayV2MtlsInfo extends Located {
  domainName: string;
  /** S3 URI of the trust store. */
  truststoreUri?: string;
  truststoreVersion?: string;
  /** Client CAs in PEM, as read from the trust store. */
  clientCaBundle?: string;
  truststoreWarnings: string[];
}
