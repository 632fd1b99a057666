import { Paging } from '@emu/core/service';
import type { IamOperations } from '@emu/service-types/iam';
import { invalid } from './errors.ts';
import { pagination } from './generated/iam-pagination.ts';

/** Pages of IAM's lists. */
export const paging = new Paging<IamOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalid('Invalid Marker.'),
});

/** Members common to the inputs of lists. */
export interface PagedInput {
  MaxItems?: number | undefined;
  Marker?: string | undefined;
}

/** Paginated operations with names of a pattern. */
export type PagedLike<Name extends string> = Extract<keyof typeof pagination, Name>;
