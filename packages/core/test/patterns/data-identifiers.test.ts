import { describe, expect, it } from 'vitest';
import { customIdentifier, findSensitiveData, isDetectable, isIdentifierRegex } from '../../src/patterns/index.ts';

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL-managed-data-identifiers.html

/** Returns the findings in a text, without their positions. */
const foundIn = (text: string, ...identifiers: string[]): string[] =>
  findSensitiveData(text, identifiers, []).map(({ start, end }) => text.slice(start, end));

/** Identifier, keyword, data, and similar text that is not data. */
const NEAR_KEYWORDS: [string, string, string, string?][] = [
  [
    'AwsSecretKey',
    'secret_key',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE1',
    'wjalrxutnfemi/k7mdeng/bpxrficyexampleke1',
  ],
  ['BankAccountNumber-DE', 'Kontonummer', 'DE89 3704 0044 0532 0130 00', 'DE88 3704 0044 0532 0130 00'],
  ['BankAccountNumber-ES', 'iban', 'ES9121000418450200051332', 'ES9121000418450200051333'],
  ['BankAccountNumber-FR', 'compte-bancaire', 'FR1420041010050500013M02606', 'FR1420041010050500013M02607'],
  ['BankAccountNumber-GB', 'accountNumber', 'GB29NWBK60161331926819', 'GB30NWBK60161331926819'],
  ['BankAccountNumber-IT', 'conto bancario', 'IT60X0542811101000000123456', 'IT61X0542811101000000123456'],
  ['BankAccountNumber-US', 'savings account', '000123456789'],
  ['CepCode-BR', 'cep', '01310-100'],
  ['Cnpj-BR', 'cnpj', '11.222.333/0001-81', '11.222.333/0001-82'],
  ['CpfCode-BR', 'CPF', '529.982.247-25', '111.111.111-11'],
  ['CreditCardExpiration', 'expiry', '09/27', '13/27'],
  ['CreditCardNumber', 'cardNumber', '4111 1111 1111 1111', '4111 1111 1111 1112'],
  ['CreditCardSecurityCode', 'cvv', '123', '12345'],
  ['DateOfBirth', 'birth date', '14 July 1990'],
  ['DriversLicense-GB', 'driving licence', 'MORGA657054SM9IJ', 'MORGA697054SM9IJ'],
  ['DriversLicense-AT', 'Führerschein', '12345678'],
  ['DriversLicense-BG', 'шофьорска книжка', '123456789'],
  ['DriversLicense-CA', 'driver licence', 'A1234-56789-01234'],
  ['DriversLicense-CY', 'άδεια οδήγησης', '123456789012'],
  ['DriversLicense-CZ', 'řidičský průkaz', 'EJ 123456', 'AJ 123456'],
  ['DriversLicense-EE', 'juhiluba', 'ET123456', 'EE123456'],
  ['DriversLicense-FI', 'ajokortti', '131052-308T'],
  ['DriversLicense-HU', 'jogosítvány', 'AB123456', 'A1234567'],
  ['DriversLicense-IE', 'driving licence', '123456AB1234'],
  ['DriversLicense-PL', 'prawo jazdy', '12345/01/2345', '123450/1/2345'],
  ['DriversLicense-SK', 'vodičský preukaz', 'A1234567', 'AB234567'],
  ['DriversLicense-US', "driver's license", 'D1234567', 'D12345'],
  ['DrugEnforcementAgencyNumber-US', 'DEA number', 'AB1234563', 'AB1234564'],
  ['ElectoralRollNumber-GB', 'electoral number', 'AB1234'],
  ['HealthInsuranceCardNumber-EU', 'ehic', '80276001234567890123'],
  ['HealthInsuranceClaimNumber-US', 'hicn', '123-45-6789A'],
  ['HealthcareProcedureCode-US', 'hcpcs', 'G0008'],
  ['IndividualTaxIdentificationNumber-US', 'ITIN', '912-70-1234', '912-93-1234'],
  ['InseeCode-FR', 'insee', '2 55 08 14 168 025 38', '2 55 08 14 168 025 39'],
  ['LatLong', 'coordinates', '41.948614,-87.655311', '91.948614,-87.655311'],
  ['MedicareBeneficiaryNumber-US', 'mbi', '1EG4-TE5-MK73', '1SG4-TE5-MK73'],
  ['NationalDrugCode-US', 'ndc', '0777-3105-02'],
  ['NationalIdentificationNumber-DE', 'Personalausweis', 'T220001293', 'T220001294'],
  ['NationalIdentificationNumber-ES', 'dni', '12345678Z', '12345678A'],
  ['NationalIdentificationNumber-IT', 'codice fiscale', 'RSSMRA85T10A562S', 'RSSMRA85T10A562T'],
  ['NationalInsuranceNumber-GB', 'nino', 'AB 12 34 56 C', 'BG 12 34 56 C'],
  ['NationalProviderId-US', 'npi', '1234567893', '1234567894'],
  ['NhsNumber-GB', 'NHS', '943 476 5919', '943 476 5918'],
  ['NieNumber-ES', 'nie', 'X1234567L', 'X1234567M'],
  ['NifNumber-ES', 'nif', '12345678Z', '12345678Y'],
  ['PassportNumber-US', 'passport', '123456789'],
  ['PhoneNumber-US', 'tel', '(212) 555-0123'],
  ['SocialInsuranceNumber-CA', 'sin', '123 456 782', '123 456 783'],
  ['Ssn-ES', 'ssn', '28 12345678 40', '28 12345678 41'],
  ['Ssn-US', 'ssn', '123-45-6789', '000-45-6789'],
  ['TaxId-DE', 'steuer id', '86 095 742 719', '86 095 742 718'],
  ['TaxId-ES', 'cif', 'A58818501', 'A58818502'],
  ['TaxId-FR', 'tax number', '30 23 217 600 053', '30 23 217 600 054'],
  ['TaxId-GB', 'utr', '1955839661', '2955839661'],
  ['VehicleIdentificationNumber', 'vin', '1M8GDM9AXKP042788', '1M8GDM9AXKP04278O'],
  ['ZipCode-US', 'zip code', '98109-5210'],
];

describe('managed data identifiers', () => {
  it.each(NEAR_KEYWORDS)('%s is found near %s', (identifier, keyword, data, wrong) => {
    expect(isDetectable(`arn:aws:dataprotection::aws:data-identifier/${identifier}`)).toBe(true);
    expect(foundIn(`{"${keyword}":"${data}"}`, identifier)).toEqual([data]);
    expect(foundIn(`${data} is the ${keyword}`, identifier)).toEqual([data]);
    expect(foundIn(`${data}; ${'-'.repeat(30)} ${keyword}`, identifier)).toEqual([]);
    expect(foundIn(`the value ${data}`, identifier)).toEqual([]);
    if (wrong !== undefined) expect(foundIn(`${keyword}: ${wrong}`, identifier)).toEqual([]);
  });

  it.each([
    ['EmailAddress', 'jane@example.com'],
    ['IpAddress', '192.0.2.255'],
    ['PhoneNumber-DE', '+49 30 1234 5678'],
    ['PhoneNumber-FR', '+33 6 12 34 56 78'],
    ['PhoneNumber-GB', '+44 20 7946 0958'],
    ['PostalCode-CA', 'K1A 0B1'],
    ['OpenSshPrivateKey', '-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNza\\n-----END OPENSSH PRIVATE KEY-----'],
    ['PkcsPrivateKey', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'],
    ['PuttyPrivateKey', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-MAC: 00ff'],
  ])('%s needs no keyword', (identifier, data) => {
    expect(foundIn(`it is ${data}, says the log`, identifier)).toEqual([data]);
  });

  it.each([
    'James Smith',
    'Maria von der Leyen',
    'John Q. Public',
    "Dr. Peter O'Neill",
    'Mme Dupont',
    'Anne-Marie Durand',
  ])('Name: %s', (name) => {
    expect(foundIn(`{"user":"${name}","ok":true}`, 'Name')).toEqual([name]);
    expect(foundIn(`Hello ${name}, welcome`, 'Name')).toEqual([name]);
  });

  it.each(['Amazon Linux', 'Request Failed', 'james smith', 'POST /users', 'Mark Complete'])('Name: not %s', (text) => {
    expect(foundIn(`INFO ${text}`, 'Name')).toEqual([]);
  });

  it.each([
    '410 Terry Avenue North Street, Seattle, WA 98109-5210',
    '221B Baker Street, London NW1 6XE',
    '111 Wellington St, Ottawa, ON K1A 0A9',
    '2 Park Street, Sydney NSW 2000',
    'Pariser Platz 1, 10117 Berlin',
    'Hauptstraße 12a, 80331 München',
    '55 Rue du Faubourg Saint-Honoré, 75008 Paris',
    'Via del Corso 12, 00186 Roma',
    'Calle de Alcalá 45, 28014 Madrid',
  ])('Address: %s', (address) => {
    expect(foundIn(`ship to ${address}; now`, 'Address')).toEqual([address]);
  });

  it('Address: not without place and postal code', () => {
    for (const text of ['221B Baker Street', 'took 12 Seconds Way too long', 'Platz 1'])
      expect(foundIn(text, 'Address')).toEqual([]);
  });

  it('are complete', () => {
    const countries =
      'AT,AU,BE,BG,CA,CY,CZ,DE,DK,EE,ES,FI,FR,GB,GR,HR,HU,IE,IT,LT,LU,LV,MT,NL,PL,PT,RO,SE,SI,SK,US'.split(',');
    for (const name of ['Address', 'Name', ...countries.map((code) => `DriversLicense-${code}`)])
      expect([name, isDetectable(name)]).toEqual([name, true]);
    expect(isDetectable('ShoeSize')).toBe(false);
  });

  it('are found in long texts, too', () => {
    const text = `${'James van der 12 Some Long Words And '.repeat(20_000)}Maria Rossi, Via del Corso 12, 00186 Roma`;
    expect(foundIn(text, 'Name', 'Address')).toEqual(['Maria Rossi', 'Via del Corso 12, 00186 Roma']);
  });
});

it('treats a text as sensitive if the expression of a custom identifier is not supported', () => {
  const text = 'no secret';
  const find = (regex: string) => findSensitiveData(text, ['own'], [customIdentifier('own', regex)]);
  expect(isIdentifierRegex('(a)\\1')).toBe(false);
  expect(find('(a)\\1')).toEqual([{ start: 0, end: text.length, identifier: 'own' }]);
  expect(find('s.c')).toEqual([{ start: 3, end: 6, identifier: 'own' }]);
  expect(find('absent')).toEqual([]);
});
