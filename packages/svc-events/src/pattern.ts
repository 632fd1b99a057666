import { compilePattern, PatternError } from '@emu/core/patterns';
import { eventsError } from './errors.ts';

/** Most characters of an event pattern. */
const MOST = 4096;

/**
 * Checks an event pattern.
 * @throws AwsError `InvalidEventPatternException`
 */
export function checkPattern(pattern: string): ReturnType<typeof compilePattern> {
  const refuse = (reason: string) =>
    eventsError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`);
  if (pattern.length > MOST) throw refuse('Event pattern is too long');
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw refuse(error.message);
    throw error;
  }
}
