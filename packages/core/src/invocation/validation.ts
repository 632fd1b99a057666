import { type ValidationFailure, validationError } from '@emu/wire';
import type { AnyServicePlugin } from '../plugin/plugin.ts';

/**
 * Rejects an invalid input with the service's own error.
 * @throws AwsError unless the handler checks all of the failures itself
 */
export function reject(plugin: AnyServicePlugin, operation: string, failures: readonly ValidationFailure[]): void {
  const custom = plugin.validationError?.(failures, operation);
  // Handlers receive only values of the model's types.
  const decoded = failures.every(({ constraint }) => constraint !== 'type' && constraint !== 'unknown');
  if (custom !== null || !decoded) throw custom ?? validationError(failures);
}
