import type { CallOptions, Logger, OperationInput, OperationName, ServiceCaller, ServiceName } from '@emu/core';
import { AwsError } from '@emu/wire';

/** How an attempt to deliver ended. */
export type Outcome =
  | { readonly delivered: true; readonly statusCode?: number }
  | {
      readonly delivered: false;
      readonly error: string;
      /** Whether it may go better later: what the endpoint refuses it refuses again. */
      readonly retriable: boolean;
      readonly statusCode?: number;
    };

export const DELIVERED: Outcome = { delivered: true };

const NOT_IMPLEMENTED = 501;

/** Whatever makes the call of a delivery. */
export interface Caller {
  readonly call: ServiceCaller['call'];
  readonly log: Logger;
}

/**
 * Delivers by an operation of another service. AWS does not try again what is the caller's fault, as a queue that was
 * deleted or that does not let SNS in; a service that emu does not have never gets the message either.
 */
export async function deliverByCall<Service extends ServiceName, Operation extends OperationName<Service>>(
  { call, log }: Caller,
  service: Service,
  operation: Operation,
  input: OperationInput<Service, Operation>,
  options: CallOptions,
): Promise<Outcome> {
  try {
    await call(service, operation, input, options);
    return DELIVERED;
  } catch (error) {
    if (!(error instanceof AwsError)) {
      log.error(`a delivery of SNS to ${service} failed unexpectedly`, { error });
      return { delivered: false, error: 'InternalFailure', retriable: true };
    }
    const status = error.status ?? 400;
    return {
      delivered: false,
      error: `${error.code}: ${error.message}`,
      retriable: status >= 500 && status !== NOT_IMPLEMENTED,
    };
  }
}
