import type { ApigatewayErrorName } from '@emu/service-types/apigateway';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
const apigatewayError: ErrorsOf<ApigatewayErrorName> = awsError;

/** `BadRequestException`. */
export const badRequest = (message: string): AwsError => apigatewayError('BadRequestException', message);
/** `NotFoundException`. */
export const notFound = (message: string): AwsError => apigatewayError('NotFoundException', message);
/** `ConflictException`. */
export const conflict = (message: string): AwsError => apigatewayError('ConflictException', message);
/** `LimitExceededException`. */
export const limitExceeded = (message: string): AwsError => apigatewayError('LimitExceededException', message);
