import { LinearRegex, RegexError } from '../regex/index.ts';
import { BY_COUNTRY } from './identifiers/by-country.ts';
import type { Detector } from './identifiers/detector.ts';
import { DRIVING_LICENCES } from './identifiers/driving-licences.ts';
import { GENERAL } from './identifiers/general.ts';
import { ADDRESS, NAME } from './identifiers/persons.ts';

/** Position of sensitive data in a text. */
export interface SensitiveSpan {
  readonly start: number;
  readonly end: number;
  /** The identifier's name in the policy. */
  readonly identifier: string;
}

/** A custom data identifier of a policy. */
export interface CustomIdentifier {
  readonly name: string;
  /** Undefined for an expression that cannot run in linear time, in a policy stored by an earlier version of emu. */
  readonly regex: LinearRegex | undefined;
}

/** Maximum length of texts with sensitive data, in characters. */
const MAX_TEXT = 262_144;

/** Whether the regular expression of a custom data identifier can be used. */
export const isIdentifierRegex = (source: string): boolean => identifierRegex(source) !== undefined;

/** Returns a custom data identifier of a policy. */
export const customIdentifier = (name: string, source: string): CustomIdentifier => ({
  name,
  regex: identifierRegex(source),
});

function identifierRegex(source: string): LinearRegex | undefined {
  try {
    return new LinearRegex(source, { longest: MAX_TEXT });
  } catch (error) {
    if (error instanceof RegexError) return undefined;
    throw error;
  }
}

/** Returns the data of a custom identifier. Where its expression cannot be evaluated, the text counts as sensitive. */
function customData({ name, regex }: CustomIdentifier, text: string): SensitiveSpan[] {
  const findings: SensitiveSpan[] = [];
  let end = 0;
  try {
    if (!regex) throw new RegexError('The expression is not supported');
    for (const { 0: found, index: start } of regex.matchAll(text)) {
      end = start + found.length;
      if (found) findings.push({ start, end, identifier: name });
    }
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    if (end < text.length) findings.push({ start: end, end: text.length, identifier: name });
  }
  return findings;
}

/**
 * Managed data identifiers, by the names at the end of their ARNs. Data is recognised by its format, a check digit or a
 * keyword near it; names of persons by common given names, and addresses by words for streets.
 */
const DETECTORS: Readonly<Record<string, Detector>> = {
  ...GENERAL,
  ...BY_COUNTRY,
  ...DRIVING_LICENCES,
  Name: NAME,
  Address: ADDRESS,
};

/** Returns the name of a managed data identifier from its ARN or name. */
const nameOf = (identifier: string): string => identifier.slice(identifier.lastIndexOf('/') + 1);

/** Whether emu supports a managed data identifier. @param identifier its ARN or name */
export const isDetectable = (identifier: string): boolean => Object.hasOwn(DETECTORS, nameOf(identifier));

/**
 * Finds sensitive data in a text.
 * @param identifiers ARNs or names of data identifiers
 * @param custom custom identifiers of the policy, whose names take precedence over managed ones
 */
export function findSensitiveData(
  text: string,
  identifiers: readonly string[],
  custom: readonly CustomIdentifier[],
): SensitiveSpan[] {
  const findings: SensitiveSpan[] = [];
  for (const identifier of identifiers) {
    const own = custom.find(({ name }) => name === identifier);
    if (own) {
      findings.push(...customData(own, text));
      continue;
    }
    const detector: Detector | undefined = DETECTORS[nameOf(identifier)];
    // Policies stored by an earlier version of emu may have others.
    if (!detector) continue;
    const spots = detector.keywords?.in(text);
    if (spots?.isEmpty && !detector.isClear) continue;
    for (const { 0: found, index: start } of text.matchAll(detector.pattern)) {
      const end = start + found.length;
      if (!found || !(detector.accepts?.(found) ?? true)) continue;
      if (spots && !detector.isClear?.(found) && !spots.isNear(start, end)) continue;
      findings.push({ start, end, identifier });
    }
  }
  return findings.sort((a, b) => a.start - b.start);
}

/**
 * Removes or masks sensitive data in a text.
 * @param findings in order
 * @param mask replacement of each character found; undefined to remove them
 */
export function replaceFindings(text: string, findings: readonly SensitiveSpan[], mask: string | undefined): string {
  let out = '';
  let position = 0;
  for (const { start, end } of findings) {
    // An overlapping finding is already replaced by the first one.
    const from = Math.max(start, position);
    if (end <= from) continue;
    out += text.slice(position, from) + (mask === undefined ? '' : mask.repeat(end - from));
    position = end;
  }
  return out + text.slice(position);
}
