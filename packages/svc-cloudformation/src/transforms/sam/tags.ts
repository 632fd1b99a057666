import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';

/** The tag that says who made a function or an application. */
export const CREATED_BY = 'lambda:createdBy';

/** @throws SamProblem where tags have the name of SAM's own */
export function checkTags(id: string, tags: unknown): void {
  if (isObject(tags) && Object.hasOwn(tags, CREATED_BY))
    throw resourceProblem(
      id,
      `${CREATED_BY} is a reserved Tag key name and cannot be set on your resource. Please change the tag key in the input.`,
    );
}
