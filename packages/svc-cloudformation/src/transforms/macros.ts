import { AwsError, isObject, parseJson } from '@emu/wire';
import { deferredError, isDeferred } from '../errors.ts';
import type { JsonObject } from '../templates/values.ts';
import type { TransformContext } from './context.ts';

/**
 * Invokes a macro's function to expand a fragment.
 * @throws AwsError `ValidationError` with CloudFormation's message
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-macros-author.html
 */
export async function runMacro(
  name: string,
  fragment: unknown,
  params: JsonObject,
  ctx: TransformContext,
): Promise<unknown> {
  const macro = ctx.macro(name);
  const label = `${ctx.accountId}::${name}`;
  if (!macro) throw deferredError(`No transform named ${name.startsWith('AWS::') ? name : label} found.`);
  const event = {
    accountId: ctx.accountId,
    fragment,
    transformId: label,
    requestId: ctx.uuid(),
    region: ctx.region,
    params,
    templateParameterValues: ctx.parameters,
  };
  let answer: unknown;
  try {
    const { Payload, FunctionError } = await ctx.call('lambda', 'Invoke', {
      FunctionName: macro.functionName,
      Payload: Buffer.from(JSON.stringify(event)),
    });
    answer = FunctionError ? undefined : parseJson(Buffer.from(Payload ?? []).toString('utf8') || 'null');
    if (FunctionError) throw deferredError(`Transform ${label} failed without an error message.`);
  } catch (error) {
    if (error instanceof AwsError)
      throw isDeferred(error) || error.code === 'NotImplemented'
        ? error
        : deferredError(`Transform ${label} failed with: ${error.message}`);
    throw deferredError(`Received malformed response from transform ${label}`);
  }
  if (!isObject(answer) || typeof answer.status !== 'string')
    throw deferredError(`Received malformed response from transform ${label}`);
  if (answer.status.toLowerCase() !== 'success')
    throw deferredError(
      typeof answer.errorMessage === 'string'
        ? `Transform ${label} failed with: ${answer.errorMessage}`
        : `Transform ${label} failed without an error message.`,
    );
  if (answer.fragment === undefined) throw deferredError(`Received malformed response from transform ${label}`);
  return answer.fragment;
}
