import type { Apigatewayv2ErrorName } from '@emu/service-types/apigatewayv2';
import { type AwsError, awsError } from '@emu/wire';

/** An error that API Gateway's model names; the message goes into its `Message` member. */
const gatewayError = (code: Apigatewayv2ErrorName, message: string): AwsError => awsError(code, message);

/** `BadRequestException`. */
export const invalid = (message: string): AwsError => gatewayError('BadRequestException', message);
/** `ConflictException`. */
export const conflict = (message: string): AwsError => gatewayError('ConflictException', message);
/** `NotFoundException`. */
export const notFound = (message: string): AwsError => gatewayError('NotFoundException', message);
/** `TooManyRequestsException`: there may not be more. */
export const tooMany = (message: string): AwsError => gatewayError('TooManyRequestsException', message);
/** What a setting is refused with that emu knows and does not act on. @param what the setting, as the caller wrote it */
export const notEmulated = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${what}.`, { status: 501 });
