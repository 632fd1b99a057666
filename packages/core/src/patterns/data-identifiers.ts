import { BY_COUNTRY } from './identifiers/by-country.ts';
import type { Detector } from './identifiers/detector.ts';
import { DRIVING_LICENCES } from './identifiers/driving-licences.ts';
import { GENERAL } from './identifiers/general.ts';
import { ADDRESS, NAME } from './identifiers/persons.ts';

/** A span of a text in which sensitive data was found. */
export interface SensitiveSpan {
  readonly start: number;
  readonly end: number;
  /** The identifier as the policy names it. */
  readonly identifier: string;
}

/** A data identifier that a policy itself defines. */
export interface CustomIdentifier {
  readonly Name: string;
  readonly Regex: string;
}

/**
 * Managed data identifiers, by the names at the end of their ARNs. Data is told by its form, a check digit or a keyword near
 * it; names by common given names, addresses by what streets are called.
 */
const DETECTORS: Readonly<Record<string, Detector>> = {
  ...GENERAL,
  ...BY_COUNTRY,
  ...DRIVING_LICENCES,
  Name: NAME,
  Address: ADDRESS,
};

/** The name of a managed data identifier: the end of its ARN, or what is no ARN itself. */
const nameOf = (identifier: string): string => identifier.slice(identifier.lastIndexOf('/') + 1);

/** Whether emu finds the data of a managed identifier. @param identifier its ARN or name */
export const isDetectable = (identifier: string): boolean => Object.hasOwn(DETECTORS, nameOf(identifier));

/**
 * Finds sensitive data in a text.
 * @param identifiers ARNs or names of data identifiers
 * @param custom those that the policy defines, whose names go before managed ones
 */
export function findSensitiveData(
  text: string,
  identifiers: readonly string[],
  custom: readonly CustomIdentifier[],
): SensitiveSpan[] {
  const findings: SensitiveSpan[] = [];
  for (const identifier of identifiers) {
    const own = custom.find(({ Name }) => Name === identifier);
    const detector: Detector | undefined = own
      ? { pattern: new RegExp(own.Regex, 'g') }
      : DETECTORS[nameOf(identifier)];
    // Policies that an earlier emu kept may name others.
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
 * A text without what was found in it.
 * @param findings in order
 * @param mask the character in place of each found one; undefined to leave them out
 */
export function replaceFindings(text: string, findings: readonly SensitiveSpan[], mask: string | undefined): string {
  let out = '';
  let position = 0;
  for (const { start, end } of findings) {
    // Where findings overlap, the first has been replaced.
    const from = Math.max(start, position);
    if (end <= from) continue;
    out += text.slice(position, from) + (mask === undefined ? '' : mask.repeat(end - from));
    position = end;
  }
  return out + text.slice(position);
}
