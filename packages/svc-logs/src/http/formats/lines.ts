import { isObject, parseJson } from '@emu/wire';
import { jsonTexts } from '../../json-text.ts';
import type { NewEvent } from '../../store/event.ts';
import { type Endpoint, insideOf, jsonOf, timestampOf } from './format.ts';

/** Returns the event of a value that is a line, or an item of a list in a line. */
const eventOf = (text: string, value: unknown, now: number): NewEvent => ({
  timestamp: isObject(value) ? timestampOf(value, now) : now,
  message: typeof value === 'string' ? value : text,
});

/**
 * One JSON value per line; lists contain several events, and lines with invalid JSON are skipped.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_HTTP_Endpoints_NDJSON.html
 */
export const lines: Endpoint = {
  contentTypes: ['application/json', 'application/x-ndjson'],
  byQuery: true,
  read({ body, now }) {
    const texts = body
      .toString()
      .split('\n')
      .map((line) => line.trim());
    return texts.flatMap((text) => {
      const parsed = jsonOf(text);
      if (!parsed) return [];
      if (!Array.isArray(parsed.value)) return [eventOf(text, parsed.value, now)];
      return [...jsonTexts(insideOf(text))].map((item) => eventOf(item, parseJson(item), now));
    });
  },
};
