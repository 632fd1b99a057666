import { Pager } from '@emu/core';
import { invalidArgument } from './errors.ts';

/** Entries of a page where neither the request nor the operation says how many. */
const DEFAULT_LIMIT = 1000;

/**
 * Lists with continuation tokens. Those of objects find their place by the key in a token; the markers of other lists are
 * keys, upload ids and numbers themselves.
 */
export const pager = new Pager({
  defaultLimit: DEFAULT_LIMIT,
  invalidToken: (token) => invalidArgument('The continuation token provided is incorrect', 'continuation-token', token),
});
