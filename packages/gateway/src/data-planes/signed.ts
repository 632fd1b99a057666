import type { DataPlaneRequest } from '@emu/core/service';
import { headerOf } from '@emu/wire';

/** Maximum bytes of a signed body: the largest that an API or function URL accepts. */
export const MAX_SIGNED_BODY = 10 * 1024 * 1024;

/** Whether a request has a signature of version 4, in its header or its query. */
export const hasSignature = ({ headers, query }: Pick<DataPlaneRequest, 'headers' | 'query'>): boolean =>
  headerOf(headers, 'authorization')?.startsWith('AWS4-') === true || /(?:^|&)X-Amz-Algorithm=AWS4-/.test(query);
