import { type OperationContext, Pager } from '@emu/core';
import { type AwsError, awsError } from '@emu/wire';
import { invalidRequest } from './errors.ts';

/** Items of a page where neither the request nor the operation says how many. */
const DEFAULT_LIMIT = 1000;
const INCORRECT = 'The continuation token provided is incorrect';

/** A part of a list, with where the next begins. */
export interface ListPage<T> {
  items: T[];
  /** Undefined on the last page. */
  NextToken: string | undefined;
}

const pagerWith = (invalidToken: () => AwsError): Pager => new Pager({ defaultLimit: DEFAULT_LIMIT, invalidToken });

const pager = pagerWith(() => invalidRequest(INCORRECT));
/** S3 Batch Operations has a code of its own. */
const jobPager = pagerWith(() => awsError('InvalidNextTokenException', INCORRECT, { status: 400 }));

/**
 * One page of an operation's list, in order of its keys.
 * @param keyOf what tells an item from all others
 * @throws AwsError `InvalidRequest` for a token that the operation did not give; of ListJobs `InvalidNextTokenException`
 */
export function paginate<T>(
  { operation }: Pick<OperationContext, 'operation'>,
  items: Iterable<T>,
  keyOf: (item: T) => string,
  { MaxResults, NextToken: token }: { MaxResults?: number | undefined; NextToken?: string | undefined },
  defaultLimit = DEFAULT_LIMIT,
): ListPage<T> {
  const chosen = operation === 'ListJobs' ? jobPager : pager;
  const page = chosen.page(operation, items, keyOf, { token, limit: MaxResults || defaultLimit });
  return { items: page.items, NextToken: page.nextToken };
}
