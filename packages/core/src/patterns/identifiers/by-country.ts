import * as check from './check-digits.ts';
import { type Detector, near } from './detector.ts';

const ACCOUNT =
  'account code, account number, accountno#, accountnumber#, bban, customer account id, customer account number, customer bank account id, iban';
const PHONE = 'cell, contact, fax, fax number, mobile, phone, phone number, tel, telephone, telephone number';
const FRENCH_INSURANCE =
  "assurance sociale, carte nationale d’identité, cni, code sécurité sociale, french social security number, fssn#, insee, insurance number, national id number, nationalid#, numéro d'assurance, sécurité sociale, sécurité sociale non., sécurité sociale numéro, social, social security, social security number, socialsecuritynumber, ss#, ssn, ssn#";
const SPANISH_TAX =
  'cif, cif número, cifnúmero#, nie, nif, número de contribuyente, número de identidad de extranjero, número de identificación fiscal, número de impuesto corporativo, personal tax number, tax id, tax identification number, tax number, tin, tin#';
const INSEE = '[12] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?\\d{2}';
const DNI = '\\d{8}[ -]?[A-Z]';
const ITALIAN_CODE = '[A-Z]{6}\\d{2}[A-EHLMPR-T]\\d{2}[A-Z]\\d{3}[A-Z]';

/**
 * Detects international bank account numbers of a country. @param rest characters after the country and the check
 * digits
 */
const ofBank = (words: string, country: string, rest: number): Detector =>
  near(`${ACCOUNT}, ${words}`, `${country}\\d{2}(?: ?[A-Z\\d]){${rest}}`, check.iban);

/** Detects phone numbers of a country: with its code, or near a keyword. */
const ofPhone = (code: string, number: string, words = PHONE): Detector => ({
  ...near(words, `(?:(?:\\+|00)${code}[ .-]?(?:\\(0\\) ?)?|\\(?0?)${number}`),
  isClear: (found) => /^(?:\+|00)/.test(found),
});

/**
 * Detectors of data that differs by country, by name with the country's code.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL-managed-data-identifiers.html
 */
export const BY_COUNTRY: Readonly<Record<string, Detector>> = {
  'BankAccountNumber-DE': ofBank(
    'bankleitzahl, geheimzahl, kartennummer, kontonummer, kreditkartennummer, sepa',
    'DE',
    18,
  ),
  'BankAccountNumber-ES': ofBank(
    'código cuenta, código cuenta bancaria, cuenta cliente id, número cuenta bancaria cliente, número cuenta cliente',
    'ES',
    20,
  ),
  'BankAccountNumber-FR': ofBank('code bancaire, compte bancaire, numéro de compte', 'FR', 23),
  'BankAccountNumber-GB': ofBank('sepa', 'GB', 18),
  'BankAccountNumber-IT': ofBank('codice bancario, conto bancario, numero di conto', 'IT', 23),
  'BankAccountNumber-US': near(
    'bank account, bank acct, checking account, checking acct, deposit account, deposit acct, savings account, savings acct, chequing account, chequing acct',
    '\\d{8,17}',
  ),
  'CepCode-BR': near('cep, código de endereçamento postal, codigo de endereçamento postal', '\\d{5}-?\\d{3}'),
  'Cnpj-BR': near(
    'cadastro nacional da pessoa jurídica, cadastro nacional da pessoa juridica, cnpj',
    '\\d{2}\\.?\\d{3}\\.?\\d{3}/?\\d{4}-?\\d{2}',
    check.cnpj,
  ),
  'CpfCode-BR': near(
    'cadastro de pessoas fisicas, cadastro de pessoas físicas, cadastro de pessoa física, cadastro de pessoa fisica, cpf',
    '\\d{3}\\.?\\d{3}\\.?\\d{3}-?\\d{2}',
    check.cpf,
  ),
  'DriversLicense-DE': near(
    'fuehrerschein, fuehrerschein- nr, fuehrerscheinnummer, fuhrerschein, führerschein, fuhrerschein- nr, führerschein- nr, fuhrerscheinnummer, führerscheinnummer',
    '[A-Z]\\d{2}[A-Z\\d]{6}\\d[A-Z\\d]',
  ),
  'DriversLicense-ES': near(
    'carnet conducer, el carnet de conducer, licencia conducer, licencia de manejo, número carnet conducer, número de carnet de conducer, número de permiso conducer, número de permiso de conducer, número licencia conducer, número permiso conducer, permiso conducción, permiso conducer, permiso de conducción',
    DNI,
    check.spanishLetter,
  ),
  'DriversLicense-FR': near('permis de conduire', '\\d{12}'),
  'DriversLicense-GB': near(
    "dl#, dl:, dlno#, driver licence, driver licences, driver license, driver licenses, driver permit, drivers lic., drivers licence, driver's licence, drivers license, driver's license, drivers permit, driver's permit, driving licence, driving license, driving permit",
    '[A-Z9]{5}\\d[0156]\\d(?:[0-2]\\d|3[01])\\d[A-Z9]{2}[A-Z\\d]{3}',
  ),
  'DriversLicense-IT': near(
    'patente di guida, patente di guida numero, patente guida, patente guida numero',
    '[A-Z]{2}\\d{7}[A-Z]|U1[A-Z\\d]{7}[A-Z]',
  ),
  'DriversLicense-NL': near('permis de conduire, rijbewijs, rijbewijsnummer', '\\d{10}'),
  'DrugEnforcementAgencyNumber-US': near('dea number, dea registration', '[A-Z][A-Z9]\\d{7}', check.drugEnforcement),
  'ElectoralRollNumber-GB': near(
    'electoral #, electoral number, electoral roll #, electoral roll no., electoral roll number, electoralrollno',
    '[A-Z]{2}\\d{1,4}',
  ),
  'HealthInsuranceCardNumber-EU': near(
    "assicurazione sanitaria numero, carta assicurazione numero, carte d’assurance maladie, carte européenne d'assurance maladie, ceam, ehic, ehic#, finlandehicnumber#, gesundheitskarte, hälsokort, health card, health card number, health insurance card, health insurance number, insurance card number, krankenversicherungskarte, krankenversicherungsnummer, medical account number, numero conto medico, numéro d’assurance maladie, numéro de carte d’assurance, numéro de compte medical, número de cuenta médica, número de seguro de salud, número de tarjeta de seguro, sairaanhoitokortin, sairausvakuutuskortti, sairausvakuutusnumero, sjukförsäkring nummer, sjukförsäkringskort, suomi ehic-numero, tarjeta de salud, terveyskortti, tessera sanitaria assicurazione numero, versicherungsnummer",
    '80(?: ?\\d){18}',
  ),
  'HealthInsuranceClaimNumber-US': near(
    'health insurance claim number, hic no, hic no., hic number, hic#, hicn, hicn#, hicno#',
    '\\d{3}-?\\d{2}-?\\d{4}-?[A-Z]\\d?',
  ),
  'HealthInsuranceNumber-FR': near("carte d'assuré social, carte vitale, insurance card", INSEE, check.insee),
  'HealthcareProcedureCode-US': near(
    'current procedural terminology, hcpcs, healthcare common procedure coding system',
    '[A-V]\\d{4}|\\d{4}[\\dFTU]',
  ),
  'IndividualTaxIdentificationNumber-US': near(
    'individual taxpayer identification number, itin, i.t.i.n.',
    '9\\d{2}[ -]?(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])[ -]?\\d{4}',
  ),
  'InseeCode-FR': near(FRENCH_INSURANCE, INSEE, check.insee),
  'MedicareBeneficiaryNumber-US': near(
    'mbi, medicare beneficiary',
    '[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\\d]\\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\\d]\\d-?[AC-HJKMNP-RT-Y]{2}\\d{2}',
  ),
  'NationalDrugCode-US': near(
    'national drug code, ndc',
    '\\d{4}-\\d{4}-\\d{2}|\\d{5}-\\d{3}-\\d{2}|\\d{5}-\\d{4}-\\d{1,2}',
  ),
  'NationalIdentificationNumber-DE': near(
    'ausweisnummer, id number, identification number, identity number, insurance number, personal id, personalausweis',
    '[CFGHJ-NPRTV-Z][CFGHJ-NPRTV-Z\\d]{8}\\d',
    check.germanDocument,
  ),
  'NationalIdentificationNumber-ES': near(
    'dni, dni#, dninúmero#, documento nacional de identidad, identidad único, identidadúnico#, insurance number, national identification number, national identity, nationalid#, nationalidno#, número nacional identidad, personal identification number, personal identity no, unique identity number, uniqueid#',
    DNI,
    check.spanishLetter,
  ),
  'NationalIdentificationNumber-IT': near(
    'codice fiscal, codice fiscale, dati anagrafici, ehic, health card, health insurance card, p. iva, partita i.v.a., personal data, tax code, tessera sanitaria',
    ITALIAN_CODE,
    check.codiceFiscale,
  ),
  'NationalInsuranceNumber-GB': near(
    'insurance no., insurance number, insurance#, national insurance number, nationalinsurance#, nationalinsurancenumber, nin, nino',
    '(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\\d{2}){3} ?[A-D]',
  ),
  'NationalProviderId-US': near('hipaa, n.p.i., national provider, npi', '[12]\\d{9}', check.nationalProvider),
  'NhsNumber-GB': near('national health service, nhs', '\\d{3}[ -]?\\d{3}[ -]?\\d{4}', check.nhs),
  'NieNumber-ES': near(SPANISH_TAX, '[XYZ][ -]?\\d{7}[ -]?[A-Z]', check.spanishLetter),
  'NifNumber-ES': near(SPANISH_TAX, DNI, check.spanishLetter),
  'PassportNumber-CA': near('passeport, passeport#, passport, passport#, passportno, passportno#', '[A-Z]{2}\\d{6}'),
  'PassportNumber-DE': near(
    'ausstellungsdatum, ausstellungsort, geburtsdatum, passport, passports, reisepass, reisepass–nr, reisepassnummer',
    '[CFGHJK][CFGHJ-NPRTV-Z\\d]{8}',
    (found) => /\d/.test(found),
  ),
  'PassportNumber-ES': near(
    'españa pasaporte, libreta pasaporte, número pasaporte, pasaporte, passport, passport book, passport no, passport number, spain passport',
    '[A-Z]{2,3}\\d{6}',
  ),
  'PassportNumber-FR': near(
    'numéro de passeport, passeport, passeport#, passeport #, passeportn °, passeport n °, passeportnon, passeport non',
    '\\d{2}[A-Z]{2}\\d{5}',
  ),
  'PassportNumber-GB': near(
    'passeport #, passeport n °, passeportnon, passeport non, passeportn °, passport #, passport no, passport number, passport#, passportid',
    '\\d{9}',
  ),
  'PassportNumber-IT': near(
    'italian passport number, numéro passeport, numéro passeport italien, passaporto, passaporto italiana, passaporto numero, passport number, repubblica italiana passaporto',
    '[A-Z]{2}\\d{7}',
  ),
  'PassportNumber-US': near('passport, travel document', '[A-Z\\d]\\d{8}'),
  'PermanentResidenceNumber-CA': near(
    'carte résident permanent, numéro carte résident permanent, numéro résident permanent, permanent resident card, permanent resident card number, permanent resident no, permanent resident no., permanent resident number, pr no, pr no., pr non, pr number, résident permanent no., résident permanent non',
    '[A-Z]{2}\\d{7,10}',
  ),
  'PersonalHealthNumber-CA': near(
    'canada healthcare number, msp number, care number, phn, soins de santé',
    '\\d{4}[ -]?\\d{3}[ -]?\\d{3}',
  ),
  'PhoneNumber-BR': ofPhone(
    '55',
    '\\(?[1-9]\\d\\)?[ .-]?9?\\d{4}[ .-]?\\d{4}',
    `${PHONE}, cel, celular, fone, móvel, número residencial, numero residencial, telefone`,
  ),
  'PhoneNumber-DE': ofPhone('49', '[1-9]\\d{1,4}\\)?[ /.-]?\\d{3,4}[ .-]?\\d{3,5}'),
  'PhoneNumber-ES': ofPhone('34', '[6-9]\\d{2}[ .-]?\\d{3}[ .-]?\\d{3}'),
  'PhoneNumber-FR': ofPhone('33', '[1-9](?:[ .-]?\\d{2}){4}'),
  'PhoneNumber-GB': ofPhone('44', '[1-9]\\d{1,4}\\)?[ .-]?\\d{3,4}[ .-]?\\d{3,4}'),
  'PhoneNumber-IT': ofPhone('39', '[03]\\d{1,3}[ .-]?\\d{3,4}[ .-]?\\d{3,4}'),
  'PhoneNumber-US': {
    ...near(PHONE, '(?:\\+?1[ .-]?)?(?:\\([2-9]\\d{2}\\) ?|[2-9]\\d{2}[ .-]?)[2-9]\\d{2}[ .-]?\\d{4}'),
    isClear: (found) => /^\+?1/.test(found),
  },
  'PostalCode-CA': {
    pattern: /(?<![A-Za-z\d])[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d(?![A-Za-z\d])/g,
  },
  'RgNumber-BR': near('registro geral, rg', '\\d{1,2}\\.?\\d{3}\\.?\\d{3}-?[\\dX]'),
  'SocialInsuranceNumber-CA': near(
    "canadian id, numéro d'assurance sociale, social insurance number, sin",
    '[1-79]\\d{2}[ -]?\\d{3}[ -]?\\d{3}',
    check.luhn,
  ),
  'Ssn-ES': near(
    'número de la seguridad social, social security no., social security no, social security number, socialsecurityno#, ssn, ssn#',
    '\\d{2}[ /-]?\\d{8}[ /-]?\\d{2}',
    check.spanishInsurance,
  ),
  'Ssn-US': near('social security, ss#, ssn', '(?!000|666|9)\\d{3}[ -]?(?!00)\\d{2}[ -]?(?!0000)\\d{4}'),
  'TaxId-DE': near(
    'identifikationsnummer, steuer id, steueridentifikationsnummer, steuernummer, tax id, tax identification number, tax number',
    '[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}',
    check.germanTax,
  ),
  'TaxId-ES': near(SPANISH_TAX, '[A-HJNP-SUVW][ -]?\\d{7}[ -]?[A-J\\d]', check.cif),
  'TaxId-FR': near(
    "numéro d'identification fiscale, tax id, tax identification number, tax number, tin, tin#",
    '[0-3]\\d(?: ?\\d{2} ?\\d{3} ?\\d{3} ?\\d{3})',
    check.frenchTax,
  ),
  'TaxId-GB': near(
    'paye, tax id, tax id no., tax id number, tax identification, tax identification#, tax no., tax number, tax reference, tax#, taxid#, temporary reference number, tin, trn, unique tax reference, unique taxpayer reference, utr',
    '\\d{5} ?\\d{5}',
    check.britishTax,
  ),
  'ZipCode-US': near('zip code, zip+4', '\\d{5}(?:-\\d{4})?'),
};
