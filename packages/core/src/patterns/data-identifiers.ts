import type { LinearRegex } from '../regex/index.ts';
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
  readonly regex: LinearRegex;
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
      for (const { 0: found, index: start } of own.regex.matchAll(text))
        if (found) findings.push({ start, end: start + found.length, identifier });
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
