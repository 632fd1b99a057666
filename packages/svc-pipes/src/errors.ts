import type { PipesErrorName } from '@emu/service-types/pipes';
import { type AwsError, awsError } from '@emu/wire';

/** Creates an error defined in the model of EventBridge Pipes. */
const pipesError = (code: PipesErrorName, message: string, members?: Record<string, unknown>): AwsError =>
  awsError(code, message, members ? { members } : undefined);

/** `ValidationException`. */
export const invalid = (message: string): AwsError => pipesError('ValidationException', message);
/** Creates a `ConflictException` for a pipe. */
export const conflict = (name: string, message: string): AwsError =>
  pipesError('ConflictException', message, { resourceId: name, resourceType: 'pipe' });
/** Creates a `NotFoundException` for a pipe. */
export const pipeNotFound = (name: string): AwsError => pipesError('NotFoundException', `Pipe ${name} does not exist.`);
