import type { Apigatewayv2ErrorName } from '@emu/service-types/apigatewayv2';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const apigatewayv2Error: ErrorsOf<Apigatewayv2ErrorName> = awsError;

/** `BadRequestException`. */
export const badRequest = (message: string): AwsError => apigatewayv2Error('BadRequestException', message);
/** `ConflictException`. */
export const conflict = (message: string): AwsError => apigatewayv2Error('ConflictException', message);
/** `NotFoundException`. */
export const notFound = (message: string): AwsError => apigatewayv2Error('NotFoundException', message);
/** Returns `TooManyRequestsException` for an exceeded limit. */
export const tooManyRequests = (message: string): AwsError => apigatewayv2Error('TooManyRequestsException', message);
