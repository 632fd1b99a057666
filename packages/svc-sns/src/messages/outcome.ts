import type { CallOptions, Logger, OperationInput, OperationName, ServiceCaller, ServiceName } from '@emu/core/service';
import { AwsError } from '@emu/wire';

/** An endpoint's response in delivery status logs. */
export interface LoggedResponse {
  /** Undefined if the endpoint did not respond. */
  readonly statusCode?: number;
  readonly text: string;
}

interface AnyOutcome {
  readonly statusCode?: number;
  /** Set if the delivery is logged. */
  readonly response?: LoggedResponse;
  /** Time of the attempt in epoch milliseconds; set if the delivery is logged. */
  readonly sentAt?: number;
}

/** Outcome of a delivery attempt. */
export type Outcome =
  | (AnyOutcome & { readonly delivered: true })
  | (AnyOutcome & {
      readonly delivered: false;
      readonly error: string;
      /** Whether a retry may succeed. Rejections by the endpoint are permanent. */
      readonly retriable: boolean;
    });

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
 * @param requestId id of a call whose response is logged
 */
export async function deliverByCall<Service extends ServiceName, Operation extends OperationName<Service>>(
  { call, log }: Caller,
  service: Service,
  operation: Operation,
  input: OperationInput<Service, Operation>,
  options: CallOptions,
  requestId?: string,
): Promise<Outcome> {
  try {
    const output = await call(service, operation, input, requestId === undefined ? options : { ...options, requestId });
    return requestId === undefined ? DELIVERED : { delivered: true, response: responseOf(service, output, requestId) };
  } catch (error) {
    if (!(error instanceof AwsError)) {
      log.error(`a delivery of SNS to ${service} failed unexpectedly`, { error });
      return { delivered: false, error: 'InternalFailure', retriable: true };
    }
    const status = error.status ?? 400;
    const retriable = status >= 500 && status !== NOT_IMPLEMENTED;
    return {
      delivered: false,
      error: `${error.code}: ${error.message}`,
      retriable,
      ...(requestId !== undefined && { response: refusalOf(service, error, retriable ? requestId : UNRECOVERABLE) }),
    };
  }
}

/** Request id in the logs of failures that are not retried. */
const UNRECOVERABLE = 'Unrecoverable';

/** Returns the logged response of a service, e.g. `{"sqsRequestId":"…","sqsMessageId":"…"}`. */
function responseOf(service: string, output: unknown, requestId: string): LoggedResponse {
  const { MessageId } = (output ?? {}) as { MessageId?: string };
  return {
    statusCode: service === 'lambda' ? 202 : 200,
    text: JSON.stringify({ [`${service}RequestId`]: requestId, ...(service === 'sqs' && { sqsMessageId: MessageId }) }),
  };
}

function refusalOf(service: string, { code, message, status = 400 }: AwsError, requestId: string): LoggedResponse {
  return {
    statusCode: status,
    // SQS has its codes of the query protocol, such as AccessDenied.
    text: JSON.stringify({
      ErrorCode: service === 'sqs' ? code.replace(/Exception$/, '') : code,
      ErrorMessage: message,
      [`${service}RequestId`]: requestId,
    }),
  };
}
