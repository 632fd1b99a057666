import type { Fields } from '@emu/apigateway-common';

/** An answer that is kept. */
export interface CachedResponse {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Buffer;
}
