import { isObject, parseJson } from '@emu/wire';
import { jsonTexts } from '../../json-text.ts';
import type { NewEvent } from '../../store/event.ts';
import { type Endpoint, insideOf, readJson } from './format.ts';

/** Parses the time of an event, in seconds as number or text. Returns epoch milliseconds. */
function eventTime(time: unknown, now: number): number {
  const seconds = typeof time === 'string' && time.trim() ? Number(time) : time;
  return typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) : now;
}

/**
 * Events of the HTTP log collector: objects with `event`, single, concatenated or in a list. The original object
 * becomes the message of the log event.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_HLC_Endpoint.html
 */
export const collector: Endpoint = {
  contentTypes: ['application/json'],
  byQuery: true,
  read({ body, now }) {
    const events: NewEvent[] = [];
    const take = (text: string): void => {
      const value = readJson(text);
      if (Array.isArray(value)) for (const item of jsonTexts(insideOf(text))) takeObject(item, parseJson(item));
      else takeObject(text, value);
    };
    const takeObject = (message: string, value: unknown): void => {
      if (isObject(value) && Object.hasOwn(value, 'event'))
        events.push({ timestamp: eventTime(value.time, now), message });
    };
    for (const text of jsonTexts(body.toString())) take(text);
    return events;
  },
};
