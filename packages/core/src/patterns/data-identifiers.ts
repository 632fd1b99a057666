/** A span of a text in which sensitive data was found. */
export interface SensitiveSpan {
  readonly start: number;
  readonly end: number;
  /** The identifier as the policy names it. */
  readonly identifier: string;
}

interface Detector {
  pattern: RegExp;
  /** Tells what only looks like it. */
  accepts?(found: string): boolean;
}

/** A data identifier that a policy itself defines. */
export interface CustomIdentifier {
  readonly Name: string;
  readonly Regex: string;
}

/**
 * Managed data identifiers that emu recognises, by the names at the end of their ARNs. AWS has more, which need keywords or
 * machine learning; policies with those are refused. Every pattern takes time proportional to the text.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-message-data-protection-managed-data-identifiers.html
 */
const DETECTORS: Readonly<Record<string, Detector>> = {
  EmailAddress: { pattern: /[\w.+-]{1,64}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}/g },
  IpAddress: {
    pattern: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g,
    accepts: (found) => found.split('.').every((part) => Number(part) < 256),
  },
  CreditCardNumber: { pattern: /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, accepts: passesLuhn },
  'Ssn-US': { pattern: /(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g },
  'PhoneNumber-US': {
    pattern: /(?<!\d)(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?!\d)/g,
  },
  AwsSecretKey: { pattern: /(?<![A-Za-z\d/+=])[A-Za-z\d/+]{40}(?![A-Za-z\d/+=])/g, accepts: isMixed },
  OpenSshPrivateKey: { pattern: /-----BEGIN OPENSSH PRIVATE KEY-----/g },
  PkcsPrivateKey: { pattern: /-----BEGIN (?:RSA |EC |ENCRYPTED )?PRIVATE KEY-----/g },
  PgpPrivateKey: { pattern: /-----BEGIN PGP PRIVATE KEY BLOCK-----/g },
};

/** The check digit of card numbers. */
function passesLuhn(found: string): boolean {
  let sum = 0;
  const digits = found.replace(/\D/g, '');
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isMixed(found: string): boolean {
  return /[A-Z]/.test(found) && /[a-z]/.test(found) && /\d/.test(found);
}

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
    for (const match of text.matchAll(detector.pattern))
      if (match[0] && (detector.accepts?.(match[0]) ?? true))
        findings.push({ start: match.index, end: match.index + match[0].length, identifier });
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
