import type { DynamodbErrorName } from '@emu/service-types/dynamodb';
import type { DynamodbstreamsErrorName } from '@emu/service-types/dynamodbstreams';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const dynamodbError: ErrorsOf<
  DynamodbErrorName | DynamodbstreamsErrorName | 'AccessDeniedException' | 'InvalidRequest' | 'ValidationException'
> = awsError;

/** Returns a `ValidationException`. */
export const invalid = (message: string): AwsError => dynamodbError('ValidationException', message);
