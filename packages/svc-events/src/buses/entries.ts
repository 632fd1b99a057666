import type { PutEventsResultEntry } from '@emu/service-types/events';
import { isObject } from '@emu/wire';

/** Required members of an entry. */
interface Entry {
  Source?: string | undefined;
  DetailType?: string | undefined;
  Detail?: string | undefined;
}

/** Result for a rejected entry. */
export const refused = (ErrorCode: string, ErrorMessage: string): PutEventsResultEntry => ({ ErrorCode, ErrorMessage });

const missing = (name: string): PutEventsResultEntry =>
  refused('InvalidArgument', `Parameter ${name} is not valid. Reason: ${name} is a required argument.`);

/** Returns the error of an entry; undefined for a valid entry. */
export function problemOf(entry: Entry): PutEventsResultEntry | undefined {
  if (!entry.Source) return missing('Source');
  if (!entry.DetailType) return missing('DetailType');
  if (!entry.Detail) return missing('Detail');
  if (!isObjectText(entry.Detail)) return refused('MalformedDetail', 'Detail is malformed.');
  return undefined;
}

/** Whether a text is a JSON object. */
export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value);
  } catch {
    return false;
  }
}
