import type { GatewayRequest, GatewayResponse } from '../request/gateway-request.ts';
import type { LocatedRequest } from '../request/visit.ts';

/** A request that was passed on to AWS, with its response. */
export interface ForwardedRequest {
  readonly response: GatewayResponse;
  readonly service: string;
  /** Empty if unknown. */
  readonly operation: string;
  readonly region: string;
  readonly accessKeyId: string | undefined;
  /** Code of the error in the response, or its status. */
  readonly errorCode: string | undefined;
}

/** Passes requests of some services on to AWS. */
export interface Forwarder {
  /** Names of these services. */
  readonly services: readonly string[];
  /** Whether a request belongs to one of them, by its head. Called for every request. */
  takes(request: LocatedRequest): boolean;
  /** Passes a request on. Never rejects: every error becomes a response. */
  forward(request: GatewayRequest): Promise<ForwardedRequest>;
  /** Closes all connections. */
  close(): void;
}
