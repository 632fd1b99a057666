import { Keywords } from './keywords.ts';

/** Finds data of one kind. Every pattern takes time linear in the text's length. */
export interface Detector {
  readonly pattern: RegExp;
  /** Whether a match is data of this kind, e.g. by its check digit. */
  accepts?(found: string): boolean;
  /** Keywords, one of which must be near; undefined for none. */
  readonly keywords?: Keywords;
  /** Whether a match needs no keyword. */
  isClear?(found: string): boolean;
}

/**
 * Creates a detector of data near keywords.
 * @param form regular expression that ignores case; the match is not part of a longer run of letters and digits
 */
export function near(words: string, form: string, accepts?: (found: string) => boolean): Detector {
  return {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${form})(?![\\p{L}\\p{N}])`, 'giu'),
    keywords: new Keywords(words.split(/\s*,\s*/)),
    ...(accepts && { accepts }),
  };
}
