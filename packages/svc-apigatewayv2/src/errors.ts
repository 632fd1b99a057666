import type { Apigatewayv2ErrorName } from '@emu/service-types/apigatewayv2';
import { type AwsError, awsError } from '@emu/wire';

/** Returns an error of API Gateway's model; the message becomes its `Message` member. */
const gatewayError = (code: Apigatewayv2ErrorName, message: string): AwsError => awsError(code, message);

/** `BadRequestException`. */
export const invalid = (message: string): AwsError => gatewayError('BadRequestException', message);
/** `ConflictException`. */
export const conflict = (message: string): AwsError => gatewayError('ConflictException', message);
/** `NotFoundException`. */
export const notFound = (message: string): AwsError => gatewayError('NotFoundException', message);
/** Returns `TooManyRequestsException` for an exceeded limit. */
export const tooMany = (message: string): AwsError => gatewayError('TooManyRequestsException', message);
/**
 * Returns the error for a known setting that emu does not emulate.
 * @param what the setting, as the caller wrote it
 */
export const notEmulated = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${what}.`, { status: 501 });
