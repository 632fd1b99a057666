import type { FunctionTarget } from '../targets.ts';
import type { Translation } from '../translation.ts';
import type { Obj } from '../values.ts';

/**
 * Grants a service permission to invoke a function for an event.
 * @param more restrictions such as `SourceArn`
 */
export function permit(
  id: string,
  Principal: string,
  { name, attributes }: FunctionTarget,
  more: Obj,
  to: Translation,
): void {
  to.add(
    id,
    'AWS::Lambda::Permission',
    { Action: 'lambda:InvokeFunction', FunctionName: name, Principal, ...more },
    attributes,
  );
}
