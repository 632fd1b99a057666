import type { DeepReadonly } from '@emu/core/service';
import { badRequest } from '../errors.ts';
import type { ApiRecord } from '../records.ts';

/**
 * Rejects APIs other than WebSocket APIs.
 * @param what kind of resource that only they have
 * @throws AwsError `BadRequestException`
 */
export function checkWebSocketApi(api: DeepReadonly<ApiRecord>, what: string): DeepReadonly<ApiRecord> {
  if (api.ProtocolType !== 'WEBSOCKET') throw badRequest(`${what} are supported only for WebSocket APIs`);
  return api;
}
