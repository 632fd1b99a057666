import type { CallOptions, Logger, OperationInput, OperationName, ServiceCaller, ServiceName } from '@emu/core/service';
import { AwsError } from '@emu/wire';

/** Outcome of a delivery attempt. */
export type Outcome =
  | { readonly delivered: true; readonly statusCode?: number }
  | {
      readonly delivered: false;
      readonly error: string;
      /** Whether a retry may succeed. Rejections by the endpoint are permanent. */
      readonly retriable: boolean;
      readonly statusCode?: number;
    };

export const DELIVERED: Outcome = { delivered: true };

const NOT_IMPLEMENTED = 501;

/** Calls the operation of a delivery. */
export interface Caller {
  readonly call: ServiceCaller['call'];
  readonly log: Logger;
}

/**
 * Delivers through an operation of another service. As in AWS, caller errors are not retried, such as a deleted queue
 * or a queue that denies SNS. A service missing in emu is not retried either.
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
