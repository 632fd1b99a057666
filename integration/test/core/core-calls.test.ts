import type { CoreCalls, OperationInput, OperationName, OperationOutput, ServiceName } from '@emu/core/service';
import { expectTypeOf, test } from 'vitest';

/** `true` if core's types of a service's operations agree with the service's model; otherwise the differences. */
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

test('operations called by core have the members of the models', () => {
  expectTypeOf<Agreement<'kms'>>().toEqualTypeOf<true>();
  expectTypeOf<Agreement<'sts'>>().toEqualTypeOf<true>();
});
