import { Paging } from '@emu/core/service';
import type { KmsOperations } from '@emu/service-types/kms';
import { kmsError } from './errors.ts';
import { pagination } from './generated/kms-pagination.ts';

/** Paging of KMS's lists. */
export const paging = new Paging<KmsOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => kmsError('InvalidMarkerException', 'Could not deserialize marker'),
});
