import type { FunctionTarget } from '../targets.ts';
import type { Translation } from '../translation.ts';
import type { Obj } from '../values.ts';

/** Lets a service call a function for an event. @param more what narrows it down, as `SourceArn` */
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
