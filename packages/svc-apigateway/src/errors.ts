import type { ApigatewayErrorName } from '@emu/service-types/apigateway';
import { type AwsError, awsError } from '@emu/wire';

/** Returns an error of API Gateway's model. */
const gatewayError = (code: ApigatewayErrorName, message: string): AwsError => awsError(code, message);

/** `BadRequestException`. */
export const badRequest = (message: string): AwsError => gatewayError('BadRequestException', message);
/** `NotFoundException`. */
export const notFound = (message: string): AwsError => gatewayError('NotFoundException', message);
/** `ConflictException`. */
export const conflict = (message: string): AwsError => gatewayError('ConflictException', message);
/** `LimitExceededException`. */
export const limitExceeded = (message: string): AwsError => gatewayError('LimitExceededException', message);
/**
 * Returns the 501 error for an unsupported setting.
 * @param what name of the setting
 */
export const notImplemented = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not do this yet: ${what}.`, { status: 501 });
