import type { PipesErrorName } from '@emu/service-types/pipes';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const pipesError: ErrorsOf<PipesErrorName | 'NotImplemented' | 'NotStabilized'> = awsError;

/** `ValidationException`. */
export const invalid = (message: string): AwsError => pipesError('ValidationException', message);
/** Creates a `ConflictException` for a pipe. */
export const conflict = (name: string, message: string): AwsError =>
  pipesError('ConflictException', message, { members: { resourceId: name, resourceType: 'pipe' } });
/** Creates a `NotFoundException` for a pipe. */
export const pipeNotFound = (name: string): AwsError => pipesError('NotFoundException', `Pipe ${name} does not exist.`);
