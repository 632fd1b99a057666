import type { Detector } from './detector.ts';
import { near } from './detector.ts';

const ENGLISH =
  "dl#, dl:, dlno#, driver licence, driver licences, driver license, driver licenses, driver permit, drivers lic., drivers licence, driver's licence, drivers license, driver's license, drivers permit, driver's permit, driving licence, driving license, driving permit";
const GERMAN =
  'fuehrerschein, fuehrerschein- nr, fuehrerscheinnummer, fuhrerschein, führerschein, fuhrerschein- nr, führerschein- nr, fuhrerscheinnummer, führerscheinnummer';

/**
 * Detectors of the numbers of driving licences, by country. The keywords are AWS's; the formats are those of the
 * issuers, as AWS documents none.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/protect-sensitive-log-data-types-pii.html
 */
export const DRIVING_LICENCES: Readonly<Record<string, Detector>> = {
  'DriversLicense-AT': near(
    'führerschein, fuhrerschein, führerschein republik österreich, fuhrerschein republik osterreich',
    '\\d{8}',
  ),
  'DriversLicense-AU': near(ENGLISH, '[A-Z\\d]{2}\\d{2}[A-Z\\d]{5}|\\d{6,10}'),
  'DriversLicense-BE': near(
    `${GERMAN}, numéro permis conduire, permis de conduire, rijbewijs, rijbewijsnummer`,
    '\\d{10}',
  ),
  'DriversLicense-BG': near(
    'превозно средство, свидетелство за управление на моторно, свидетелство за управление на мпс, сумпс, шофьорска книжка',
    '\\d{9}',
  ),
  'DriversLicense-CA': near(
    `${ENGLISH}, permis de conduire`,
    '[A-Z]\\d{4}-?\\d{5}-?\\d{5}|[A-Z]\\d{4}-?\\d{6}-?\\d{2}|[A-Z]{2}-?[A-Z]{2}-?[A-Z]{2}-?[A-Z]\\d{3}[A-Z]{2}|[A-Z]{5}\\d{9}|[A-Z]\\d{9}|\\d{6}-\\d{3}|\\d{5,9}',
  ),
  'DriversLicense-CY': near('άδεια οδήγησης', '\\d{12}'),
  'DriversLicense-CZ': near(
    'číslo licence, císlo licence řidiče, číslo řidičského průkazu, ovladače lic., povolení k jízdě, povolení řidiče, řidiči povolení, řidičský prúkaz, řidičský průkaz',
    'E[A-Z] ?\\d{6}',
  ),
  'DriversLicense-DK': near('kørekort, kørekortnummer', '\\d{8}'),
  'DriversLicense-EE': near('juhi litsentsi number, juhiloa number, juhiluba, juhiluba number', 'ET\\d{6}'),
  'DriversLicense-FI': near(
    'ajokortin numero, ajokortti, förare lic., körkort, körkort nummer, kuljettaja lic., permis de conduire',
    '\\d{6}[-+A]\\d{3}[\\dA-Z]|\\d{10}',
  ),
  'DriversLicense-GR': near('δεια οδήγησης, adeia odigisis', '\\d{9}'),
  'DriversLicense-HR': near('vozačka dozvola', '\\d{8}'),
  'DriversLicense-HU': near(
    'illesztőprogramok lic, jogosítvány, jogsi, licencszám, vezető engedély, vezetői engedély',
    '[A-Z]{2}\\d{6}',
  ),
  'DriversLicense-IE': near(`${ENGLISH}, ceadúnas tiomána`, '\\d{6}[A-Z]{2}\\d{4}|\\d{3} ?\\d{3} ?\\d{3}'),
  'DriversLicense-LT': near('vairuotojo pažymėjimas', '\\d{8}'),
  'DriversLicense-LU': near('fahrerlaubnis, führerschäin', '\\d{6}'),
  'DriversLicense-LV': near(
    'autovadītāja apliecība, licences numurs, vadītāja apliecība, vadītāja apliecības numurs, vadītāja atļauja, vadītāja licences numurs, vadītāji lic.',
    '[A-Z]{2,3}\\d{6}',
  ),
  'DriversLicense-MT': near('liċenzja tas-sewqan', '[A-Z\\d]{2} ?\\d{3} ?\\d{3}'),
  'DriversLicense-PL': near('numer licencyjny, prawo jazdy, zezwolenie na prowadzenie', '\\d{5}/\\d{2}/\\d{4}'),
  'DriversLicense-PT': near(
    'carta de condução, carteira de habilitação, carteira de motorist, carteira habilitação, carteira motorist, licença condução, licença de condução, número de licença, número licença, permissão condução, permissão de condução',
    '[A-Z]{1,2}-?\\d{5,8} ?\\d?',
  ),
  'DriversLicense-RO': near('numărul permisului de conducere, permis de conducere', '[A-Z]\\d{8}[A-Z]?'),
  'DriversLicense-SE': near(
    'ajokortti, dlno# ajokortin numero, drivere lic., körkort, körkort nummer, körkortsnummer, kuljettajat lic.',
    '\\d{6}-?\\d{4}',
  ),
  'DriversLicense-SI': near('vozniško dovoljenje', '\\d{9}'),
  'DriversLicense-SK': near(
    'číslo licencie, číslo vodičského preukazu, ovládače lic., povolenia vodičov, povolenie jazdu, povolenie na jazdu, povolenie vodiča, vodičský preukaz',
    '[A-Z]\\d{7}',
  ),
  // Each state has its own format.
  'DriversLicense-US': near(
    ENGLISH,
    '[A-Z]\\d{6,9}|[A-Z](?:[ -]?\\d){12,14}|[A-Z]{2,3}\\d{5,7}[A-Z]?|\\d{2}[ -]?\\d{3}[ -]?\\d{4}|\\d{3}[ -]\\d{2,3}[ -]\\d{3,4}|\\d{2}[A-Z]{3}\\d{5}|\\d{7,10}|\\d{12}',
  ),
};
