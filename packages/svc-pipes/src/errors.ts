import type { PipesErrorName } from '@emu/service-types/pipes';
import { type AwsError, awsError } from '@emu/wire';

/** An error that the model of EventBridge Pipes names. */
const pipesError = (code: PipesErrorName, message: string, members?: Record<string, unknown>): AwsError =>
  awsError(code, message, members ? { members } : undefined);

/** `ValidationException`. */
export const invalid = (message: string): AwsError => pipesError('ValidationException', message);
/** `ConflictException` of a pipe. */
export const conflict = (name: string, message: string): AwsError =>
  pipesError('ConflictException', message, { resourceId: name, resourceType: 'pipe' });
/** `NotFoundException` of a pipe. */
export const pipeNotFound = (name: string): AwsError => pipesError('NotFoundException', `Pipe ${name} does not exist.`);
