import { Paging } from '@emu/core/service';
import type { CloudcontrolOperations } from '@emu/service-types/cloudcontrol';
import { invalid } from './errors.ts';
import { pagination } from './generated/cloudcontrol-pagination.ts';

/** Paging of Cloud Control's lists. */
export const paging = new Paging<CloudcontrolOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalid('The pagination token is not valid for this request.'),
});
