import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedPath } from '../../../../tools/testing/shared.ts';
import { compilePattern, EVENT_PATTERNS, FILTER_POLICIES, PatternError } from '../../src/patterns/index.ts';

const recordings = sharedPath('aws-recordings');

/** Returns recorded messages of AWS that contain the rejected pattern. */
function recordedMessages(file: string): string[] {
  if (recordings === undefined) return [];
  const text = readFileSync(join(recordings, file), 'utf8');
  const found: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    if ((key === 'Message' || key === 'MessageRaw') && typeof value === 'string' && value.includes('[Source: '))
      found.push(value);
    return value;
  });
  // Replaced ids change the place.
  return [...new Set(found)].filter((message) => !message.includes('<'));
}

const patternIn = (message: string): string => /\[Source: \(String\)"(.*?)"; line: /s.exec(message)![1]!;

function messageFor(pattern: string, dialect: typeof EVENT_PATTERNS): string {
  try {
    compilePattern(pattern, dialect);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
  throw new Error(`${pattern} was not refused`);
}

const cases = [
  ['events/events_patterns.snapshot.json', /^Event pattern is not valid. Reason: /, EVENT_PATTERNS],
  ['sns/sns_filter_policy.snapshot.json', /^Invalid parameter: (Attributes Reason: )?FilterPolicy: /, FILTER_POLICIES],
] as const;

describe.skipIf(recordings === undefined)('patterns that AWS rejected, as recorded', () => {
  for (const [file, start, dialect] of cases) {
    const messages = recordedMessages(file).filter((message) => start.test(message));
    it(`${file} has some`, () => {
      expect(messages.length).toBeGreaterThan(20);
    });
    it.each(messages)('%s', (message) => {
      expect(messageFor(patternIn(message), dialect)).toBe(message.replace(start, ''));
    });
  }
});
