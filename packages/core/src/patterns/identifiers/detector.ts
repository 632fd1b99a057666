import { Keywords } from './keywords.ts';

/** Finds data of one kind. Every pattern takes time proportional to the text. */
export interface Detector {
  readonly pattern: RegExp;
  /** Tells what only looks like it. */
  accepts?(found: string): boolean;
  /** One of which has to be near; undefined where none has. */
  readonly keywords?: Keywords;
  /** Whether what was found needs no keyword. */
  isClear?(found: string): boolean;
}

/**
 * A detector of data near keywords.
 * @param form as a regular expression, in which letters have either case; digits and letters may not go on before or after
 */
export function near(words: string, form: string, accepts?: (found: string) => boolean): Detector {
  return {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${form})(?![\\p{L}\\p{N}])`, 'giu'),
    keywords: new Keywords(words.split(/\s*,\s*/)),
    ...(accepts && { accepts }),
  };
}
