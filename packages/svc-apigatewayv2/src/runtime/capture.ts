import type { ApiGatewayV2Request } from '@emu/control-client';
import { RecordBuffer } from '@emu/core/service';

const MAX = 1000;
/** Maximum number of characters of all recorded requests. */
const MAX_WEIGHT = 16 * 1024 * 1024;

/** A request received by HTTP APIs, with the API's owner. */
export type CapturedRequest = ApiGatewayV2Request;

/** Returns a buffer for recent requests to HTTP APIs of an account and region. */
export const newCapture = (): RecordBuffer<CapturedRequest> =>
  new RecordBuffer<CapturedRequest>(MAX, {
    limit: MAX_WEIGHT,
    of: ({ body = '', path, queryString, headers }) =>
      1000 + body.length + path.length + queryString.length + Object.keys(headers).length * 100,
  });
