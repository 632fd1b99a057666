import { compilePattern, PatternError } from '@emu/core/patterns';
import { eventsError } from '../errors.ts';

/** Limit of an event pattern in characters. */
const MAX_CHARACTERS = 4096;

/**
 * Validates an event pattern.
 * @throws AwsError `InvalidEventPatternException`
 */
export function checkPattern(pattern: string): ReturnType<typeof compilePattern> {
  const refuse = (reason: string) =>
    eventsError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`);
  if (pattern.length > MAX_CHARACTERS) throw refuse('Event pattern is too long');
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw refuse(error.message);
    throw error;
  }
}
