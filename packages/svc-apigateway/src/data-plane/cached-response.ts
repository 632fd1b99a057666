import type { Fields } from '@emu/apigateway-common';

/** A cached response. */
export interface CachedResponse {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Buffer;
}
