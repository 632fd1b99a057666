import { ControlError } from '@emu/core/service';
import { type BaseIssue, type BaseSchema, getDotPath, type InferOutput, safeParse } from 'valibot';

/**
 * Checks a control request's body.
 * @throws ControlError 400 `InvalidRequest` naming the first member that is wrong
 */
export function validate<const Schema extends BaseSchema<unknown, unknown, BaseIssue<unknown>>>(
  schema: Schema,
  body: unknown,
): InferOutput<Schema> {
  const result = safeParse(schema, body, { abortEarly: true });
  if (result.success) return result.output;
  const issue = result.issues[0];
  const path = getDotPath(issue);
  throw new ControlError(400, 'InvalidRequest', path === null ? issue.message : `${path}: ${issue.message}`);
}
