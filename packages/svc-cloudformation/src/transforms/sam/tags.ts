import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';

/** Tag that marks SAM as creator of a function or application. */
export const CREATED_BY = 'lambda:createdBy';

/** @throws SamProblem if tags use SAM's own name */
export function checkTags(id: string, tags: unknown): void {
  if (isObject(tags) && Object.hasOwn(tags, CREATED_BY))
    throw resourceProblem(
      id,
      `${CREATED_BY} is a reserved Tag key name and cannot be set on your resource. Please change the tag key in the input.`,
    );
}
