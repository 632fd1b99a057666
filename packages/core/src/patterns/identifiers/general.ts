import { luhn } from './check-digits.ts';
import { type Detector, near } from './detector.ts';

const isMixed = (found: string): boolean => /[A-Z]/.test(found) && /[a-z]/.test(found) && /\d/.test(found);

/** Detects a PEM-encoded private key, up to its end marker if present. */
const armoured = (name: string): Detector => ({
  pattern: new RegExp(`-----BEGIN ${name}-----(?:(?!-----)[\\s\\S])*(?:-----END ${name}-----)?`, 'g'),
});

/** Prefixes of the detected kinds of cards. */
const CARD = /^(?:4|5[1-5]|2[2-7]|3[0-9]|6|50)/;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const DATE = `\\d{1,4}[ /-]\\d{1,2}[ /-]\\d{1,4}|\\d{1,2}[ /-]${MONTH}[ /-]\\d{2,4}|${MONTH}[ /-]\\d{1,2},?[ /-]\\d{2,4}|(?:19|20)\\d{6}`;

/**
 * Detectors of data that is the same in all countries.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL-managed-data-identifiers.html
 */
export const GENERAL: Readonly<Record<string, Detector>> = {
  AwsSecretKey: {
    ...near(
      'aws_secret_access_key, credentials, secret access key, secret key, set-awscredential',
      '[A-Za-z\\d/+]{40}(?![/+=])',
      isMixed,
    ),
  },
  OpenSshPrivateKey: armoured('OPENSSH PRIVATE KEY'),
  PgpPrivateKey: armoured('PGP PRIVATE KEY BLOCK'),
  PkcsPrivateKey: armoured('(?:RSA |EC |ENCRYPTED )?PRIVATE KEY'),
  PuttyPrivateKey: {
    pattern:
      /PuTTY-User-Key-File-\d: [\w-]{1,40}(?:(?!PuTTY-User-Key-File-|Private-MAC: )[\s\S])*(?:Private-MAC: [\da-f]{1,64})?/g,
  },
  IpAddress: {
    pattern: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g,
    accepts: (found) => found.split('.').every((part) => Number(part) < 256),
  },
  EmailAddress: { pattern: /[\w.+-]{1,64}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}/g },
  CreditCardNumber: near(
    'account number, american express, amex, bank card, card, card number, card num, cc #, ccn, check card, credit, credit card#, dankort, debit, debit card, diners club, discover, electron, japanese card bureau, jcb, mastercard, mc, pan, payment account number, payment card number, pcn, union pay, visa',
    '\\d(?:[ -]?\\d){12,18}',
    (found) => CARD.test(found) && luhn(found),
  ),
  CreditCardExpiration: near(
    'exp d, exp m, exp y, expiration, expiry',
    '(?:0?[1-9]|1[0-2])[ /-](?:20)?\\d{2}|(?:19|20)\\d{2}[/-](?:0[1-9]|1[0-2])',
  ),
  CreditCardSecurityCode: near(
    'card id, card identification code, card identification number, card security code, card validation code, card validation number, card verification data, card verification value, cvc, cvc2, cvv, cvv2, elo verification code',
    '\\d{3,4}',
  ),
  DateOfBirth: near('dob, date of birth, birthdate, birth date, birthday, b-day, bday', DATE),
  LatLong: near(
    'coordinate, coordinates, lat long, latitude longitude, location, position',
    '[+-]?\\d{1,2}\\.\\d{2,10}, ?[+-]?\\d{1,3}\\.\\d{2,10}',
    (found) => {
      const [latitude = 0, longitude = 0] = found.split(',').map(Number);
      return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    },
  ),
  VehicleIdentificationNumber: near(
    "fahrgestellnummer, niv, numarul de identificare, numarul seriei de sasiu, serie sasiu, numer vin, número de identificação do veículo, número de identificación de automóviles, numéro d'identification du véhicule, vehicle identification number, vin, vin numeris",
    '[A-HJ-NPR-Z\\d]{13}\\d{4}',
    (found) => /[A-Za-z]/.test(found),
  ),
};
