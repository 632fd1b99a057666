import { ControlError } from '@emu/core/service';
import { type BaseIssue, type BaseSchema, getDotPath, type InferOutput, safeParse } from 'valibot';

/**
 * Checks the body of a control request.
 * @throws ControlError 400 `InvalidRequest` with the first invalid member
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
