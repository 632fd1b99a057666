const digitsOf = (text: string): number[] => [...text.replace(/\D/g, '')].map(Number);
/** Letters as in check digits of documents: A is 10. */
const worthOf = (character: string): number => Number.parseInt(character, 36);
const compact = (text: string): string => text.replace(/[^A-Za-z\d]/g, '').toUpperCase();

const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

/** The check digit of card numbers, Canadian insurance numbers and others. */
export function luhn(text: string): boolean {
  let sum = 0;
  const digits = digitsOf(text);
  for (let index = 0; index < digits.length; index++) {
    const digit = digits[digits.length - 1 - index]!;
    const doubled = index % 2 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Numbers of American health care providers: Luhn's digit with the prefix of health care in the United States. */
export const nationalProvider = (text: string): boolean => luhn(`80840${text}`);

/** Remainder by 97 of a number of any length, whose letters are two digits. */
function remainder97(text: string): number {
  let remainder = 0;
  for (const character of text)
    for (const digit of String(worthOf(character))) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

/** Check digits of international bank account numbers. */
export function iban(text: string): boolean {
  const account = compact(text);
  return remainder97(account.slice(4) + account.slice(0, 4)) === 1;
}

/** The key of French social security numbers; departments of Corsica have letters. */
export function insee(text: string): boolean {
  const number = compact(text).replace('2A', '19').replace('2B', '18');
  return 97 - remainder97(number.slice(0, 13)) === Number(number.slice(13));
}

/** Control digits of Spanish social security numbers. */
export function spanishInsurance(text: string): boolean {
  const digits = compact(text);
  const province = Number(digits.slice(0, 2));
  const number = Number(digits.slice(2, 10));
  const whole = number < 10_000_000 ? number + province * 10_000_000 : Number(digits.slice(0, 10));
  return whole % 97 === Number(digits.slice(10));
}

/** Numbers in which one digit repeats, which are nobody's. */
const isUniform = (digits: readonly number[]): boolean => digits.every((digit) => digit === digits[0]);

const brazilianDigit = (sum: number): number => (sum % 11 < 2 ? 0 : 11 - (sum % 11));

/** Both check digits of Brazilian persons' numbers. */
export function cpf(text: string): boolean {
  const digits = digitsOf(text);
  const first = brazilianDigit(weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]));
  const second = brazilianDigit(weighted(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]));
  return !isUniform(digits) && digits[9] === first && digits[10] === second;
}

/** Both check digits of Brazilian companies' numbers. */
export function cnpj(text: string): boolean {
  const digits = digitsOf(text);
  const first = brazilianDigit(weighted(digits, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]));
  const second = brazilianDigit(weighted(digits, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]));
  return !isUniform(digits) && digits[12] === first && digits[13] === second;
}

/** The check digit of registrations at the Drug Enforcement Administration. */
export function drugEnforcement(text: string): boolean {
  const digits = digitsOf(text);
  return weighted(digits, [1, 2, 1, 2, 1, 2]) % 10 === digits[6];
}

/** The check digit of numbers of the National Health Service. */
export function nhs(text: string): boolean {
  const digits = digitsOf(text);
  return 11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) === (digits[9] || 11);
}

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** The letter of Spanish identity numbers, and of foreigners', which begin with X, Y or Z. */
export function spanishLetter(text: string): boolean {
  const number = compact(text).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return SPANISH_LETTERS[Number(number.slice(0, -1)) % 23] === number.at(-1);
}

/** The control character of Spanish companies' tax numbers: a digit or a letter. */
export function cif(text: string): boolean {
  const number = compact(text);
  let sum = 0;
  for (const [index, digit] of digitsOf(number.slice(1, 8)).entries()) {
    const counted = index % 2 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  const control = (10 - (sum % 10)) % 10;
  return number.at(-1) === String(control) || number.at(-1) === 'JABCDEFGHI'[control];
}

/** Values of the characters at odd places of Italian tax codes, by what they are worth elsewhere. */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** The control letter of Italian tax codes. */
export function codiceFiscale(text: string): boolean {
  const code = compact(text);
  const worth = (character: string): number => (/\d/.test(character) ? Number(character) : worthOf(character) - 10);
  let sum = 0;
  for (let index = 0; index < 15; index++) {
    const value = worth(code[index]!);
    sum += index % 2 ? value : ITALIAN_ODD[value]!;
  }
  return worthOf(code[15]!) - 10 === sum % 26;
}

/** The check digit of German identity documents. */
export function germanDocument(text: string): boolean {
  const number = compact(text);
  const sum = [...number.slice(0, -1)].reduce(
    (total, character, index) => total + worthOf(character) * [7, 3, 1][index % 3]!,
    0,
  );
  return sum % 10 === Number(number.at(-1));
}

/** The check digit of German tax numbers, by ISO 7064. */
export function germanTax(text: string): boolean {
  const digits = digitsOf(text);
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digits[10];
}

/** The last three digits of French tax numbers. */
export function frenchTax(text: string): boolean {
  const digits = compact(text);
  return Number(digits.slice(0, 10)) % 511 === Number(digits.slice(10));
}

/** The first digit of British taxpayers' references. */
export function britishTax(text: string): boolean {
  const digits = digitsOf(text);
  const sum = weighted(digits.slice(1), [6, 7, 8, 9, 10, 5, 4, 3, 2]);
  return '21987654321'[sum % 11] === String(digits[0]);
}
