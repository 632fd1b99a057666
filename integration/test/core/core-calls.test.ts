import type { CoreCalls, OperationInput, OperationName, OperationOutput, ServiceName } from '@emu/core/service';
import { expectTypeOf, test } from 'vitest';

/** `true` where core's types of a service's operations agree with the service's model; else what does not. */
type Agreement<Service extends keyof CoreCalls & ServiceName> = {
  [Operation in keyof CoreCalls[Service] & OperationName<Service>]: CoreCalls[Service][Operation] extends {
    input: infer Input;
    output: infer Output;
  }
    ? Input extends OperationInput<Service, Operation>
      ? OperationOutput<Service, Operation> extends Output
        ? true
        : ['output', Operation]
      : ['input', Operation]
    : never;
}[keyof CoreCalls[Service] & OperationName<Service>];

test('the operations that core calls have the members that the models give them', () => {
  expectTypeOf<Agreement<'kms'>>().toEqualTypeOf<true>();
  expectTypeOf<Agreement<'sts'>>().toEqualTypeOf<true>();
});
